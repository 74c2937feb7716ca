// Compatibility strings of a model, shown to the providers that wrote them.
#include "engine/compile/compatibility.h"

#include <algorithm>

#include "engine/context_binary/context_node.h"
#include "engine/session/walk/session_providers.h"

namespace cutaway::compile {
namespace {

constexpr std::string_view kPrefix = "ep_compatibility_info.";

// Providers that the model names and the options do not.
std::vector<std::string> furtherNames(const std::map<std::string, std::string>& metadata,
                                      const std::vector<std::unique_ptr<ExecutionProvider>>& providers) {
  std::vector<std::string> names;
  for (const auto& [key, info] : metadata) {
    if (!key.starts_with(kPrefix)) continue;
    const std::string name = key.substr(kPrefix.size());
    if (std::ranges::none_of(providers,
                             [&](const auto& provider) { return context_binary::sameSource(name, provider->name()); }))
      names.push_back(name);
  }
  return names;
}

// The answer of a provider that the session does not ask, made for this question.
CompatibilityVerdict askFurther(const std::string& name, const std::string& info, session::SessionOptions options,
                                const ProviderTable& table) {
  const std::string_view base = std::string_view(name).substr(0, name.find('('));
  const auto entry = std::ranges::find_if(
      table, [&](const ProviderEntry& each) { return context_binary::sameSource(base, each.name); });
  if (entry == table.end())
    return {ContextCompatibility::kNotApplicable, fmt::format("no provider of this build is '{}'", name)};
  options.providers = {entry->takesArgument ? name : entry->name};
  const auto made = session::createProviders(options, table);
  if (!made) return {ContextCompatibility::kUnsupported, made.error().message};
  return made->front()->checkCompatibility(info);
}

}  // namespace

std::string compatibilityInfo(const std::map<std::string, std::string>& metadata, std::string_view provider) {
  if (const auto exact = metadata.find(std::string(kPrefix) + std::string(provider)); exact != metadata.end())
    return exact->second;
  const auto found = std::ranges::find_if(metadata, [&](const auto& pair) {
    return pair.first.starts_with(kPrefix) &&
           context_binary::sameSource(std::string_view(pair.first).substr(kPrefix.size()), provider);
  });
  return found == metadata.end() ? std::string() : found->second;
}

const char* compatibilityName(ContextCompatibility verdict) {
  switch (verdict) {
    case ContextCompatibility::kNotApplicable:
      return "NOT_APPLICABLE";
    case ContextCompatibility::kOptimal:
      return "OPTIMAL";
    case ContextCompatibility::kPreferRecompilation:
      return "PREFER_RECOMPILATION";
    case ContextCompatibility::kUnsupported:
      return "UNSUPPORTED";
  }
  return "";
}

Result<std::vector<ProviderCompatibility>> compatibilityOf(const load::ModelSource& source,
                                                           const session::SessionOptions& options,
                                                           const ProviderTable& table, Progress& progress) {
  CUTAWAY_TRY(const load::LoadResult loaded, load::load(source, {.allowMissingExternalData = true}, progress));
  CUTAWAY_TRY(const auto providers, session::createProviders(options, table));
  const std::map<std::string, std::string>& metadata = loaded.model.metadata;
  std::vector<ProviderCompatibility> answers;
  for (const auto& provider : providers) {
    std::string info = compatibilityInfo(metadata, provider->name());
    if (info.empty() && provider == providers.back()) continue;
    CompatibilityVerdict verdict =
        info.empty() ? CompatibilityVerdict{ContextCompatibility::kNotApplicable, "the model was not compiled for it"}
                     : provider->checkCompatibility(info);
    answers.push_back({provider->name(), std::move(info), std::move(verdict)});
  }
  for (const std::string& name : furtherNames(metadata, providers)) {
    const std::string info = compatibilityInfo(metadata, name);
    answers.push_back({name, info, askFurther(name, info, options, table)});
  }
  return answers;
}

}  // namespace cutaway::compile
