#pragma once
// com.ms.internal.nhwc: operators of ai.onnx whose first input and output have their channels last. onnxruntime's
// optimiser writes them for execution providers that prefer that layout; versions are those of ai.onnx.
//
// Thread rule: schemas are made once under a lock and live for the process.
// Example: const onnx::OpSchema* schema = findChannelsLastSchema("Conv", 17);

#include <string>
#include <string_view>

namespace onnx {
class OpSchema;
}

namespace cutaway::own {

inline constexpr std::string_view kChannelsLast = "com.ms.internal.nhwc";

// The schema of the ordinary operator with an inference for the layout; nullptr for operators without such a form.
const onnx::OpSchema* findChannelsLastSchema(const std::string& opType, int64_t opsetVersion);

}  // namespace cutaway::own
