#pragma once
// The compile interface: a model in, a context model out, without opening a session to run.
//
// What onnxruntime calls the Compile API: optimisation level 0 unless said otherwise, existing files are
// replaced, a model with nothing to compile is written as it is. Thread rule: one compilation; several at once are
// fine. Example:
//   CompileRequest request{.input = ModelSource::file("m.onnx"), .session = options};
//   request.outputFile = "m_ctx.onnx";
//   CUTAWAY_TRY(const Compiled done, compileModel(request, providers, progress));

#include <optional>
#include <string>

#include "engine/context/context_options.h"
#include "engine/session/session.h"

namespace cutaway::compile {

struct CompileRequest {
  std::optional<load::ModelSource> input;  // a path, bytes or a model: exactly one
  session::SessionOptions
      session;  // providers, pins, dims, session keys ...; optimizationLevel counts with hasLevel only
  bool hasLevel = false;
  // One of the three; none: the default file name beside the input's path.
  std::filesystem::path outputFile;
  bool toBytes = false;  // Compiled::bytes
  context::ModelSink outputStream{};

  bool embed = false;
  std::string initializersFile;  // external initializers of the context model
  int64_t initializersThresholdBytes = 0;
  context::InitializerHandler initializerHandler{};
  std::filesystem::path binaryFolder;  // for outputs that are no file: where binaries go
  std::string binaryStem;
  bool failWhenNothingCompiled = false;  // ERROR_IF_NO_NODES_COMPILED
  bool failWhenOutputExists = false;     // ERROR_IF_OUTPUT_FILE_EXISTS
  bool verify = false;                   // load the result and compare
  session::WalkListener listener{};
};

struct Compiled {
  std::shared_ptr<const WalkReport> walk;  // context: what was written
  std::string bytes;                       // with toBytes
};

// NO_MODEL: no input; INVALID_ARGUMENT: several outputs, none that can be derived, options that exclude each other;
// NO_SUCHFILE: the input; otherwise as writeContextModel.
Result<Compiled> compileModel(const CompileRequest& request, const ProviderTable& table, Progress& progress);

}  // namespace cutaway::compile
