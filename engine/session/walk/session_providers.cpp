#include "engine/session/walk/session_providers.h"

#include <algorithm>
#include <exception>

#include "engine/base/exception_text.h"
#include "engine/provider/provider_calls.h"
#include "engine/provider/provider_spec.h"
#include "engine/session/choice/auto_choice.h"
#include "engine/session/configuration/session_config.h"

namespace cutaway::session {
namespace {

using Providers = std::vector<std::unique_ptr<ExecutionProvider>>;

Result<const ProviderEntry*> entryOf(const ProviderTable& table, const ProviderSpec& spec) {
  const ProviderEntry* known = findEntry(table, spec.name);
  if (known == nullptr) {
    std::string names;
    for (const ProviderEntry& entry : table)
      names += (names.empty() ? "" : ", ") + entry.name;
    return fail(ErrorCode::kInvalidArgument, "there is no provider '{}'; built in are: {}", spec.name, names);
  }
  if (!spec.argument.empty() && !known->takesArgument)
    return fail(ErrorCode::kInvalidArgument, "provider '{}' takes no argument in round brackets", spec.name);
  if (known->probe == nullptr) return known;
  const ProviderStatus status = known->probe();
  if (!status.usable && !known->plansWithout)
    return fail(ErrorCode::kEpFail, "provider '{}' cannot be used here: {}", spec.name, status.reason);
  return known;
}

// Only groups can be kept.
bool writesContexts(const SessionOptions& session, const ProviderTable& table) {
  if (session.context != nullptr) return session.context->enable;
  const auto config = readSessionConfig(session, table);
  return config && config->context.enable;
}

ProviderRequest requestFor(const SessionOptions& session, const ProviderTable& table, const ProviderSpec& spec) {
  ProviderRequest request{
      .options = providerOptions(session, spec.name),
      .argument = spec.argument,
      .folders = session.profileFolders,
      .purpose = session.prepareRun ? ProviderPurpose::kRun : ProviderPurpose::kPlan,
      .exportsContexts = writesContexts(session, table),
  };
  if (!spec.argument.empty()) {
    const std::string name = printProviderSpec({.name = spec.name, .argument = spec.argument, .options = {}});
    for (const auto& [key, value] : providerOptions(session, name))
      request.options[key] = value;
  }
  for (const auto& [key, value] : spec.options)
    request.options[key] = value;
  return request;
}

Result<void> addProvider(Providers& providers, const SessionOptions& session, const ProviderTable& table,
                         const ProviderSpec& spec) {
  CUTAWAY_TRY(const ProviderEntry* entry, entryOf(table, spec));
  Result<std::unique_ptr<ExecutionProvider>> made;
  try {
    made = entry->create(requestFor(session, table, spec));
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kEpFail, "provider '{}' threw while it was made: {}", spec.name, exceptionText(exception));
  }
  if (!made) return fail(std::move(made).error());
  const bool repeated = std::any_of(providers.begin(), providers.end(),
                                    [&](const auto& provider) { return provider->name() == (*made)->name(); });
  if (repeated)
    return fail(ErrorCode::kInvalidArgument, "provider '{}' is in the list of providers twice", (*made)->name());
  providers.push_back(std::move(*made));
  return {};
}

}  // namespace

Result<Providers> createProviders(const SessionOptions& options, const ProviderTable& table) {
  CUTAWAY_TRY(const std::string word, listWord(options, table));
  if (!word.empty()) {
    SessionOptions chosen = options;
    chosen.providers = chooseProviders(word, options, table, {}).choice.providers;
    return createProviders(chosen, table);
  }
  Providers providers;
  ProviderSpec last{.name = lastResort(table), .argument = {}, .options = {}};
  if (last.name.empty()) return fail(ErrorCode::kInvalidArgument, "this build has no provider that runs every node");
  for (const std::string& text : options.providers) {
    CUTAWAY_TRY(ProviderSpec spec, parseProviderSpec(text));
    if (spec.name == last.name) {
      last = std::move(spec);
    } else {
      CUTAWAY_CHECK(addProvider(providers, options, table, spec));
    }
  }
  CUTAWAY_CHECK(addProvider(providers, options, table, last));
  for (const std::unique_ptr<ExecutionProvider>& provider : providers)
    provider->useFallbackKernels(providers.back()->kernels());
  return providers;
}

HeldProviders::~HeldProviders() {
  disposeProviders(std::move(providers));
}

}  // namespace cutaway::session
