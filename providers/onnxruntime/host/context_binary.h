#pragma once
// What a vendor's library tells of a context binary: of QNN, through libQnnSystem.so.
//
// Nothing is compiled or loaded onto a device. A library that crashes over the bytes takes this process with it. Thread
// rule: as Runtime. Example:
//   CUTAWAY_TRY(BinaryFacts facts, readContextBinary(runtime, {.library = "libQnnSystem.so", .binary = place}));

#include "providers/onnxruntime/host/runtime.h"
#include "providers/onnxruntime/protocol/binary_facts.h"

namespace cutaway::onnxruntime {

// EP_FAIL naming the library: it cannot be opened, does not know the binary, or tells what makes no sense.
// NOT_IMPLEMENTED: it tells it in a form that is not known here.
Result<BinaryFacts> readContextBinary(const Runtime& runtime, const BinaryPlace& place);

}  // namespace cutaway::onnxruntime
