#include "app/ep_weight_sharing_ctx_gen/tool_options.h"

#include <algorithm>
#include <cctype>

#include "app/ep_weight_sharing_ctx_gen/plugin_file.h"
#include "engine/session/configuration/provider_key.h"
#include "providers/onnxruntime/plugin/plugin_sharing.h"

namespace cutaway::sharing {

namespace {

constexpr const char* kDefaultProvider = "onednn";

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(at), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// The option keys of one provider are session keys under its name, without what stands in brackets.
void setProviderOptions(session::SessionOptions& session, const std::string& provider,
                        const std::map<std::string, std::string>& options) {
  const std::string base = provider.substr(0, provider.find('('));
  for (const auto& [key, value] : options)
    session.config[session::printProviderKey(base, key)] = value;
}

Result<void> setKey(ToolOptions& options, const std::string& key, const std::string& value) {
  if (key == "ep.context_file_path")
    return fail(ErrorCode::kInvalidArgument,
                "-C {}: several models are written, each as <model>_ctx.onnx beside its model; take the key out", key);
  static const std::map<std::string, std::string> kForced{
      {"ep.context_enable", "1"}, {"ep.context_embed_mode", "0"}, {"ep.share_ep_contexts", "1"}};
  if (const auto forced = kForced.find(key); forced != kForced.end() && forced->second != value) {
    options.notes.push_back(fmt::format("-C {}|{} has no effect: sharing needs {}", key, value, forced->second));
    return {};
  }
  if (key == "ep.stop_share_ep_contexts") {
    options.notes.push_back(fmt::format("-C {}|{} has no effect: the last model ends the sharing", key, value));
    return {};
  }
  options.session.config[key] = value;
  return {};
}

Result<std::vector<compile::ShareJob>> jobsOf(const std::string& models, const std::string& prefix) {
  const std::vector<std::string> names = split(models, ',');
  return compile::shareJobs(std::vector<std::filesystem::path>(names.begin(), names.end()), {}, prefix);
}

// ONNX Runtime gets the keys as they are.
Result<void> settlePlugin(const RawOptions& raw, const PluginChoice& plugin, ToolOptions& options) {
  options.pluginOptions = plugin.options;
  CUTAWAY_TRY(const auto providerOptions, readPairs(raw.providerOptions, "-i"));
  for (const auto& [key, value] : providerOptions)
    options.pluginOptions[key] = value;
  // What a device has no doubt about, and the library has: without it this one looks for a backend that is not there.
  if (options.plugin == "qnn" && !options.pluginOptions.contains("backend_type") &&
      !options.pluginOptions.contains("backend_path"))
    options.pluginOptions["backend_type"] = "htp";
  CUTAWAY_TRY(const auto keys, readPairs(raw.sessionKeys, "-C"));
  for (const auto& [key, value] : keys)
    CUTAWAY_CHECK(setKey(options, key, value));
  for (const auto& [key, value] : options.session.config) {
    if (key.find('.') == std::string::npos)
      return fail(ErrorCode::kInvalidArgument,
                  "-C {}: session keys of ONNX Runtime have a dot, such as ep.context_node_name_prefix", key);
    options.pluginOptions[key] = value;
  }
  CUTAWAY_TRY(options.jobs, jobsOf(raw.models, {}));
  return {};
}

}  // namespace

std::string providerOf(const std::string& name) {
  std::string lower;
  for (const char c : name)
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (const size_t at = lower.find("executionprovider"); at != std::string::npos) lower.resize(at);
  static const std::map<std::string, std::string> kNames{{"qnn", "declared(QNN-HTP)"},
                                                         {"openvino", "openvino"},
                                                         {"dnnl", "onednn"},
                                                         {"onednn", "onednn"},
                                                         {"cpu", "cpu"},
                                                         {"tensorrt", "declared(TensorRT)"},
                                                         {"nvtensorrtrtx", "declared(TensorRT)"},
                                                         {"vitisai", "declared(VitisAI)"}};
  const auto found = kNames.find(lower);
  return found == kNames.end() ? name : found->second;
}

Result<std::map<std::string, std::string>> readPairs(std::string_view text, std::string_view option) {
  std::map<std::string, std::string> pairs;
  for (const std::string& pair : split(text, ' ')) {
    const size_t at = pair.find('|');
    if (at == std::string::npos || at == 0)
      return fail(ErrorCode::kInvalidArgument, "{} takes \"key|value key|value\", and '{}' is none of these", option,
                  pair);
    pairs[pair.substr(0, at)] = pair.substr(at + 1);
  }
  return pairs;
}

Result<ToolOptions> settleOptions(const RawOptions& raw) {
  ToolOptions options;
  PluginChoice plugin;
  if (!raw.pluginFile.empty()) {
    CUTAWAY_TRY(plugin, readPluginFile(raw.pluginFile));
    options.notes = plugin.notes;
    if (plugin.provider.empty() && raw.provider.empty())
      return fail(ErrorCode::kInvalidArgument,
                  "plugin file {}: selected_ep_name is missing; it names the provider that compiles", raw.pluginFile);
  }
  const std::string asked = !plugin.provider.empty() ? plugin.provider
                            : raw.provider.empty()   ? kDefaultProvider
                                                     : raw.provider;
  options.plugin = pluginCalled(asked);
  const std::string provider = options.plugin.empty() ? providerOf(asked) : options.plugin;
  if (provider == "cpu")
    return fail(ErrorCode::kInvalidArgument,
                "provider 'cpu' runs nodes by kernel and compiles nothing, so there is nothing to share; take onednn, "
                "openvino or declared(NAME)");
  if (!options.plugin.empty()) {
    CUTAWAY_CHECK(settlePlugin(raw, plugin, options));
    return options;
  }
  if (provider != asked)
    options.notes.push_back(
        fmt::format("provider '{}' is '{}' here{}", asked, provider,
                    provider.starts_with("declared")
                        ? ": a description of hardware that is not on this machine; contexts are placeholders"
                        : ""));
  options.session.providers = {provider};
  options.session.optimizationLevel = raw.optimizationLevel;
  for (const std::string& folder : raw.profileFolders)
    options.session.profileFolders.emplace_back(folder);
  setProviderOptions(options.session, provider, plugin.options);
  CUTAWAY_TRY(const auto providerOptions, readPairs(raw.providerOptions, "-i"));
  setProviderOptions(options.session, provider, providerOptions);
  CUTAWAY_TRY(const auto keys, readPairs(raw.sessionKeys, "-C"));
  for (const auto& [key, value] : keys)
    CUTAWAY_CHECK(setKey(options, key, value));

  std::string prefix;
  if (const auto given = options.session.config.find("ep.context_node_name_prefix");
      given != options.session.config.end())
    prefix = given->second;
  CUTAWAY_TRY(options.jobs, jobsOf(raw.models, prefix));
  return options;
}

}  // namespace cutaway::sharing
