#include "engine/runtime/tensor_content.h"

namespace cutaway {

Result<std::shared_ptr<const TensorContent>> TensorContent::make(std::string, RuntimeValue, const CancelToken&) { return fail(ErrorCode::kNotImplemented, "tensor contents are not built yet"); }
double TensorContent::number(int64_t) const { return 0; }
std::string TensorContent::text(int64_t) const { return {}; }
Result<void> TensorContent::saveNpy(const std::filesystem::path&) const { return fail(ErrorCode::kNotImplemented, "tensor contents are not built yet"); }
Result<RuntimeValue> constantValue(const Model&, int32_t, const std::string&) { return fail(ErrorCode::kNotImplemented, "tensor contents are not built yet"); }

}  // namespace cutaway
