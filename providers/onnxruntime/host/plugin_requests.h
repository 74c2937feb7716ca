#pragma once
// What only plug-in providers are asked for: what they would take of a model, and the model with their compiled code.
//
// Thread rule: one thread. Example: CUTAWAY_TRY(const Asked asked, askProviders(runtime, message));

#include "providers/onnxruntime/host/library_session.h"
#include "providers/onnxruntime/protocol/ask_messages.h"

namespace cutaway::onnxruntime {

struct Asked {
  AskedSession said;
  std::unique_ptr<LibrarySession> kept;
};
// Creates the session up to the point where something would be compiled, or beyond it where all of the model would be
// and the session is to be kept. What ONNX Runtime says of the model is part of the answer; errors are those of the
// request.
Result<Asked> askProviders(Runtime& runtime, const AskProviders& message);

struct CompiledBytes {
  CompiledModel facts;
  std::shared_ptr<const SharedMemory> model;
};
// The words of ONNX Runtime or of the provider where nothing was compiled.
Result<CompiledBytes> compileModel(Runtime& runtime, const CompileModel& message);

}  // namespace cutaway::onnxruntime
