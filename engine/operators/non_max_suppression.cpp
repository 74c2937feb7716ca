#include "engine/operators/non_max_suppression.h"

#include <limits>

#include "engine/operators/integer_list.h"

namespace cutaway::operators {
namespace {

Result<float> readThreshold(const Tensor& tensor) {
  if (tensor.type() != ElementType::kFloat || tensor.elementCount() != 1)
    return fail(ErrorCode::kInvalidArgument, "a threshold must be one float");
  return tensor.span<float>()[0];
}

}  // namespace

Result<SuppressionSettings> suppressionSettings(const SuppressionOperands& operands) {
  SuppressionSettings settings{.hasScoreThreshold = operands.score != nullptr};
  if (operands.most != nullptr) {
    CUTAWAY_TRY(settings.mostPerClass, readInteger(*operands.most));
  }
  if (operands.overlap != nullptr) {
    CUTAWAY_TRY(settings.overlapThreshold, readThreshold(*operands.overlap));
  }
  if (operands.score != nullptr) {
    CUTAWAY_TRY(settings.scoreThreshold, readThreshold(*operands.score));
  }
  return settings;
}

Result<void> checkSuppressedBoxes(const Tensor& boxes, const Tensor& scores) {
  const bool fits = boxes.rank() == 3 && scores.rank() == 3 && boxes.dims()[2] == 4 &&
                    boxes.dims()[0] == scores.dims()[0] && boxes.dims()[1] == scores.dims()[2];
  if (!fits || boxes.type() != ElementType::kFloat || scores.type() != ElementType::kFloat) {
    return fail(ErrorCode::kInvalidArgument, "boxes {} and scores {} do not fit each other", dimsToText(boxes.dims()),
                dimsToText(scores.dims()));
  }
  if (scores.dims()[2] >= std::numeric_limits<uint32_t>::max())
    return fail(ErrorCode::kInvalidArgument, "{} boxes are too many", scores.dims()[2]);
  return {};
}

}  // namespace cutaway::operators
