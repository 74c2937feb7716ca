#pragma once
// Options of EPContext models: onnxruntime's session keys, read and checked once.
//
// Thread rule: pure. Example: CUTAWAY_TRY(const ContextOptions context, readContextOptions(config));

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "engine/base/result.h"
#include "engine/tensor/tensor.h"

namespace cutaway::context {

// Where an initializer of the context model goes, asked for each by name (the compile interface's callback).
struct InitializerPlace {
  bool embed = true;     // in the model's file; false:
  std::string location;  // file beside it, which exists and holds the bytes at
  int64_t offset = 0;
};
using InitializerHandler = std::function<InitializerPlace(const std::string& name, const Tensor& tensor)>;
// Bytes of the context model as they are made, in order.
using ModelSink = std::function<Result<void>(std::span<const std::byte>)>;

struct ContextOptions {
  bool enable = false;                    // ep.context_enable
  std::filesystem::path file;             // ep.context_file_path; empty: contextFileFor(model)
  bool embed = false;                     // ep.context_embed_mode
  std::string prefix;                     // ep.context_node_name_prefix
  bool share = false, stopShare = false;  // ep.share_ep_contexts, ep.stop_share_ep_contexts
  std::string shareGroup;                 // ep.context_share_group (of this engine); groups do not see each other
  std::string initializersFile;  // ep.context_model_external_initializers_file_name, relative to the context model
  int64_t initializersThresholdBytes = 0;  // smaller ones stay in the model's file
  bool disableCompile = false;             // session.disable_model_compile
  bool failOnSuboptimal = false;           // session.fail_on_suboptimal_compiled_model
  bool recompile = false;   // ep.context_recompile (of this engine): when a context cannot be used here, open the
                            // original in its place
  bool weightless = false;  // ep.enable_weightless, ep.enable_weightless_ep_context_nodes
  std::filesystem::path sourceModel;     // ep.context_source_model_path
  std::filesystem::path externalFolder;  // session.model_external_initializers_file_folder_path
  bool compileOnly = false;              // session.compile_only

  // Of the compile interface only.
  bool overwrite = false;  // an existing target is replaced
  bool failWhenNothingCompiled = false;
  bool writeUncompiled = false;  // nothing compiled: the plain model is written; otherwise no file is
  InitializerHandler initializerHandler{};
  ModelSink modelSink{};               // instead of a file; binaries are embedded, or go to
  std::filesystem::path binaryFolder;  // this folder, named after
  std::string binaryStem;              // this; for files, too: ep.context_binary_name, where {hash} is of the contents
};

// Keys are read and taken for known; others are not touched. INVALID_ARGUMENT: a value that does not fit, a key of more
// than 1024 or a value of more than 8192 characters, a folder or a name without an extension as ep.context_file_path,
// embed mode together with sharing, an initializers file that is not a plain name.
Result<ContextOptions> readContextOptions(const std::map<std::string, std::string>& config);
bool isContextKey(const std::string& key);
// The value of any session key that is a switch. INVALID_ARGUMENT: neither on nor off.
Result<bool> readSwitchKey(const std::string& key, const std::string& value);
// What excludes each other, wherever the options come from; nothing without `enable`. NOT_IMPLEMENTED: weightless,
// which no provider can.
Result<void> checkContextOptions(const ContextOptions& options);
// "<model without its last extension>_ctx.onnx" beside the model. INVALID_ARGUMENT when both are empty (a model from
// memory needs a path).
Result<std::filesystem::path> contextFileFor(const std::filesystem::path& model, const ContextOptions& options);
// Before anything expensive: the target is no folder, has a name and an extension (INVALID_ARGUMENT), its folder exists
// (NO_SUCHFILE), and it does not exist unless it may be overwritten (FAIL).
Result<void> checkContextTarget(const std::filesystem::path& target, const ContextOptions& options);

}  // namespace cutaway::context
