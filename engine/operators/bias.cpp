#include "engine/operators/bias.h"

#include <algorithm>

namespace cutaway::operators {

Result<void> checkFirstInputs(const Node& node, size_t count) {
  for (size_t slot = 0; slot < count; ++slot) {
    if (slot >= node.inputs.size() || !node.inputs[slot].valid())
      return fail(ErrorCode::kInvalidArgument, "{} lacks input {}", node.opType, slot);
  }
  return {};
}

Result<void> checkBiasOfLastAxes(const Tensor& x, const Tensor& bias, size_t mostAxes) {
  const bool fits = bias.rank() >= 1 && bias.rank() <= std::min(mostAxes, x.rank()) &&
                    std::ranges::equal(bias.dims(), std::span<const int64_t>(x.dims()).last(bias.rank()));
  if (fits && bias.type() == x.type()) return {};
  return fail(ErrorCode::kInvalidArgument, "bias {} does not fit the last axes of {}", dimsToText(bias.dims()),
              dimsToText(x.dims()));
}

Result<Dims> splitGeluDims(std::span<const int64_t> x) {
  if (x.empty() || x.back() % 2 != 0)
    return fail(ErrorCode::kInvalidArgument, "BiasSplitGelu: the last axis of {} has no halves", dimsToText(x));
  Dims dims(x);
  dims[dims.size() - 1] /= 2;
  return dims;
}

Result<bool> readTrainingMode(std::string_view op, const Tensor* training) {
  if (training == nullptr) return false;
  if (training->elementCount() != 1 || training->type() != ElementType::kBool)
    return fail(ErrorCode::kInvalidArgument, "{}: training_mode is not one bool", op);
  return *static_cast<const uint8_t*>(training->data()) != 0;
}

Result<void> checkBiasDropout(const Tensor* training) {
  CUTAWAY_TRY(const bool trains, readTrainingMode("BiasDropout", training));
  return trains ? Result<void>(fail(ErrorCode::kNotImplemented, "BiasDropout in training mode")) : Result<void>();
}

}  // namespace cutaway::operators
