#pragma once
// What only plug-in providers are asked for: what they would take of a model, and the model with their compiled code.
//
// Thread rule: one thread. Example: CUTAWAY_TRY(const AskedFacts facts, askProviders(runtime, message));

#include "providers/onnxruntime/host/runtime.h"

namespace cutaway::onnxruntime {

// Creates the session up to the point where something would be compiled. What ONNX Runtime says of the model is part of
// the answer; errors are those of the request.
Result<AskedFacts> askProviders(Runtime& runtime, const CreateSession& message);

struct CompiledBytes {
  CompiledModel facts;
  std::shared_ptr<const SharedMemory> model;
};
// The words of ONNX Runtime or of the provider where nothing was compiled.
Result<CompiledBytes> compileModel(Runtime& runtime, const CompileModel& message);

}  // namespace cutaway::onnxruntime
