#pragma once
// What a library of custom operators brings, read from what it tells ONNX Runtime when it registers them.
//
// The library is opened and its RegisterCustomOps called with a copy of ONNX Runtime's table that keeps the domains and
// operators added; so a library that crashes there takes this process with it. Thread rule: as Runtime. Example:
//   CUTAWAY_TRY(CustomOperatorList list, readCustomOperators(runtime, {.library = "libops.so"}));

#include "providers/onnxruntime/host/runtime.h"

namespace cutaway::onnxruntime {

// EP_FAIL with the library's name and what is wrong: it cannot be opened, it refuses, it describes an operator that
// makes no sense.
Result<CustomOperatorList> readCustomOperators(Runtime& runtime, const CustomLibraryPlace& place);

}  // namespace cutaway::onnxruntime
