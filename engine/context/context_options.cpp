// The session keys of EPContext models: one table of keys, then the rules that concern several.
#include "engine/context/context_options.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/base/new_file.h"
#include "engine/base/quote.h"

namespace cutaway::context {
namespace {

namespace fs = std::filesystem;

// Limits of onnxruntime's EP context design.
constexpr size_t kLongestKey = 1024;
constexpr size_t kLongestValue = 8192;

struct SwitchKey {
  std::string_view name;
  bool ContextOptions::* member;
};
constexpr SwitchKey kSwitches[] = {
    {"ep.context_enable", &ContextOptions::enable},
    {"ep.context_embed_mode", &ContextOptions::embed},
    {"ep.share_ep_contexts", &ContextOptions::share},
    {"ep.stop_share_ep_contexts", &ContextOptions::stopShare},
    {"session.disable_model_compile", &ContextOptions::disableCompile},
    {"session.fail_on_suboptimal_compiled_model", &ContextOptions::failOnSuboptimal},
    {"ep.context_recompile", &ContextOptions::recompile},
    {"ep.enable_weightless", &ContextOptions::weightless},
    {"ep.enable_weightless_ep_context_nodes", &ContextOptions::weightless},
    {"session.compile_only", &ContextOptions::compileOnly},
};

struct TextKey {
  std::string_view name;
  std::string ContextOptions::* member;
};
constexpr TextKey kTexts[] = {
    {"ep.context_node_name_prefix", &ContextOptions::prefix},
    {"ep.context_share_group", &ContextOptions::shareGroup},
    {"ep.context_binary_name", &ContextOptions::binaryStem},
    {"ep.context_model_external_initializers_file_name", &ContextOptions::initializersFile},
};

struct PathKey {
  std::string_view name;
  fs::path ContextOptions::* member;
};
constexpr PathKey kPaths[] = {
    {"ep.context_file_path", &ContextOptions::file},
    {"ep.context_source_model_path", &ContextOptions::sourceModel},
    {"session.model_external_initializers_file_folder_path", &ContextOptions::externalFolder},
};

Result<void> checkLength(const std::string& key, const std::string& value) {
  if (key.size() > kLongestKey)
    return fail(ErrorCode::kInvalidArgument,
                "a session key has {} characters, beginning with {}: at most {} are allowed", key.size(),
                quotedText(key.substr(0, 40)), kLongestKey);
  if (value.size() > kLongestValue)
    return fail(ErrorCode::kInvalidArgument, "the value of session key {} has {} characters: at most {} are allowed",
                key, value.size(), kLongestValue);
  return {};
}

Result<void> readKey(const std::string& key, const std::string& value, ContextOptions& options) {
  for (const SwitchKey& each : kSwitches) {
    if (each.name != key) continue;
    CUTAWAY_TRY(const bool on, readSwitchKey(key, value));
    // Two keys mean weightless: either of them turns it on.
    options.*each.member = on || (each.member == &ContextOptions::weightless && options.weightless);
  }
  for (const TextKey& each : kTexts) {
    if (each.name == key) options.*each.member = value;
  }
  for (const PathKey& each : kPaths) {
    if (each.name == key) options.*each.member = fs::path(value);
  }
  return {};
}

// A name with something before its last dot and something behind it, so that "models/" and "model" are no targets.
Result<void> checkTargetName(const fs::path& target) {
  const std::string name = target.filename().string();
  if (name.empty() || name == "." || name == "..")
    return fail(ErrorCode::kInvalidArgument,
                "the context model's path {} names a folder: add the name of a file, such as model_ctx.onnx",
                quotedText(target.string()));
  if (target.extension().string().size() < 2)
    return fail(ErrorCode::kInvalidArgument, "the context model's path {} has no extension: call the file {}.onnx",
                quotedText(target.string()), target.stem().string());
  std::error_code error;
  if (fs::is_directory(target, error))
    return fail(ErrorCode::kInvalidArgument,
                "the context model's path {} is a folder: add the name of a file, such as model_ctx.onnx",
                quotedText(target.string()));
  return {};
}

}  // namespace

Result<bool> readSwitchKey(const std::string& key, const std::string& value) {
  if (value == "1" || value == "true" || value == "on") return true;
  if (value == "0" || value == "false" || value == "off" || value.empty()) return false;
  return fail(ErrorCode::kInvalidArgument, "session key {} is 0 or 1, not {}", key, quotedText(value));
}

bool isContextKey(const std::string& key) {
  const auto named = [&](const auto& each) { return each.name == key; };
  return std::ranges::any_of(kSwitches, named) || std::ranges::any_of(kTexts, named) ||
         std::ranges::any_of(kPaths, named);
}

Result<ContextOptions> readContextOptions(const std::map<std::string, std::string>& config) {
  ContextOptions options;
  for (const auto& [key, value] : config) {
    CUTAWAY_CHECK(checkLength(key, value));
    CUTAWAY_CHECK(readKey(key, value, options));
  }
  if (!options.file.empty()) CUTAWAY_CHECK(checkTargetName(options.file));
  const fs::path binary = options.binaryStem;
  if (!binary.empty() && (binary != binary.filename() || binary == "." || binary == ".."))
    return fail(ErrorCode::kInvalidArgument,
                "ep.context_binary_name is what the binary's name begins with, without folders, such as model or "
                "model-{{hash}}, not {}",
                quotedText(options.binaryStem));
  CUTAWAY_CHECK(checkContextOptions(options));
  return options;
}

Result<void> checkContextOptions(const ContextOptions& options) {
  if (!options.enable) return {};
  if (options.embed && (options.share || options.stopShare)) {
    return fail(ErrorCode::kInvalidArgument,
                "shared contexts lie in a file of their own, so ep.context_embed_mode=1 and ep.share_ep_contexts=1 "
                "exclude each other: leave one of them away");
  }
  if (options.weightless) {
    return fail(ErrorCode::kNotImplemented,
                "ep.enable_weightless=1: no provider here can keep a compiled group without its weights; leave the key "
                "away, and share weights between models with ep.share_ep_contexts instead");
  }
  const fs::path& name = options.initializersFile;
  if (!name.empty() && (name != name.filename() || name == "." || name == "..")) {
    return fail(ErrorCode::kInvalidArgument,
                "ep.context_model_external_initializers_file_name is the name of a file beside the context model, "
                "without folders, not {}",
                quotedText(options.initializersFile));
  }
  return {};
}

Result<fs::path> contextFileFor(const fs::path& model, const ContextOptions& options) {
  if (!options.file.empty()) return options.file;
  if (model.empty())
    return fail(
        ErrorCode::kInvalidArgument,
        "the model comes from memory, so there is no file to name its context model after: set ep.context_file_path");
  return model.parent_path() / (model.stem().string() + "_ctx.onnx");
}

Result<void> checkContextTarget(const fs::path& target, const ContextOptions& options) {
  CUTAWAY_CHECK(checkContextOptions(options));
  CUTAWAY_CHECK(checkTargetName(target));
  std::error_code error;
  const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
  if (!fs::is_directory(folder, error)) {
    Error failure = writeFailure(target, ENOENT, 0);
    failure.code = kNoFolder;
    return fail(std::move(failure));
  }
  const fs::file_status status = fs::status(target, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_regular_file(status))
    return fail(ErrorCode::kInvalidArgument,
                "the context model's path {} exists and is no regular file: choose another name",
                quotedText(target.string()));
  if (!options.overwrite)
    return fail(ErrorCode::kFail,
                "the context model {} exists already: remove it, or choose another name with ep.context_file_path",
                quotedText(target.string()));
  return {};
}

}  // namespace cutaway::context
