#pragma once
// Whether two results are the same bit for bit, and how far they are apart when not.
//
// Thread rule: pure. Example: const ContextOutputDifference difference = compareBits("y", original, restored);

#include <string>

#include "engine/report/context_report.h"
#include "engine/tensor/runtime_value.h"

namespace cutaway::compile {

// Types, dims, and bytes: NaN payloads and the sign of zero count. Sequences and maps item by item.
ContextOutputDifference compareBits(std::string name, const RuntimeValue& original, const RuntimeValue& context);

}  // namespace cutaway::compile
