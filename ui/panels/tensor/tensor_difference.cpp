#include "ui/panels/tensor/tensor_difference.h"

namespace cutaway::ui {
namespace {
constexpr int64_t kPiece = int64_t{1} << 20;  // elements between two looks at the token
}

Result<std::shared_ptr<const study::TensorContent>> differenceOf(const study::TensorContent& a,
                                                                 const study::TensorContent& b,
                                                                 const CancelToken& cancel) {
  if (!a.isNumeric() || !b.isNumeric())
    return fail(ErrorCode::kInvalidArgument,
                "'{}' ({}) and '{}' ({}) cannot be subtracted: choose two tensors of numbers", b.name(),
                b.elementType(), a.name(), a.elementType());
  if (a.dims() != b.dims())
    return fail(ErrorCode::kInvalidArgument,
                "'{}' and '{}' have different shapes, so there is no difference: choose two of one shape", b.name(),
                a.name());
  CUTAWAY_TRY(Tensor tensor, Tensor::create(ElementType::kDouble, a.dims()));
  const auto out = tensor.span<double>();
  for (int64_t i = 0; i < a.count(); ++i) {
    if (i % kPiece == 0 && cancel.cancelled()) return fail(cancelledError());
    out[static_cast<size_t>(i)] = b.number(i) - a.number(i);
  }
  return study::TensorContent::make(b.name() + " \u2212 " + a.name(), RuntimeValue(std::move(tensor)), cancel);
}

}  // namespace cutaway::ui
