#include "providers/cpu/kernels/shared_constant.h"

#include "engine/tensor/packed_weight.h"
#include "providers/cpu/kernels/through_float.h"

namespace cutaway::cpu {

Result<Tensor> sharedConstant(const Tensor& source, std::string_view format, int64_t sizeBytes,
                              const std::function<Result<Tensor>()>& make) {
  const auto makeShared = [&]() -> Result<std::shared_ptr<const Tensor>> {
    CUTAWAY_TRY(Tensor made, make());
    return std::make_shared<const Tensor>(std::move(made));
  };
  CUTAWAY_TRY(std::shared_ptr<const Tensor> shared, sharedPack<Tensor>(source.bytes(), format, sizeBytes, makeShared));
  return Tensor::wrapConst(shared->type(), shared->dims(), shared->data(), shared);
}

Result<Tensor> widenedConstant(const Tensor& tensor) {
  if (tensor.type() != ElementType::kFloat16 && tensor.type() != ElementType::kBfloat16) return widened(tensor);
  const std::string format = fmt::format("float of {}{}", elementTypeName(tensor.type()), dimsToText(tensor.dims()));
  return sharedConstant(tensor, format, tensor.elementCount() * static_cast<int64_t>(sizeof(float)),
                        [&] { return widened(tensor); });
}

}  // namespace cutaway::cpu
