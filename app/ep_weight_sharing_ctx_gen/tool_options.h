#pragma once
// The command line of ep_weight_sharing_ctx_gen.
//
// Options and their forms are those of onnxruntime's tool: -e provider, -p plugin file, -i provider options,
// -C session keys (both as "key|value key|value"), -v, -h, and the models separated by commas. Thread rule: the main
// thread. Example: CUTAWAY_TRY(const ToolOptions options, settleOptions(raw));

#include <filesystem>
#include <string>
#include <vector>

#include "engine/compile/share.h"

namespace cutaway::sharing {

struct RawOptions {
  std::string provider, pluginFile, providerOptions, sessionKeys, models;
  std::vector<std::string> profileFolders;
  int optimizationLevel = 3;
  bool force = false, verbose = false;
};

struct ToolOptions {
  session::SessionOptions session;
  std::vector<compile::ShareJob> jobs;
  // A plug-in provider whose library is here: ONNX Runtime compiles the models for it, with these options and keys.
  std::string plugin;
  std::map<std::string, std::string> pluginOptions;
  std::vector<std::string> notes;  // what was given and means something else here, or nothing
};

// INVALID_ARGUMENT: no or double models, a pair without '|', ep.context_file_path, an unknown provider; NO_SUCHFILE:
// the plugin file.
Result<ToolOptions> settleOptions(const RawOptions& raw);
// "qnn" -> "declared(QNN-HTP)", "OpenVINOExecutionProvider" -> "openvino"; ours unchanged.
std::string providerOf(const std::string& name);
// "key|value key|value". INVALID_ARGUMENT.
Result<std::map<std::string, std::string>> readPairs(std::string_view text, std::string_view option);

}  // namespace cutaway::sharing
