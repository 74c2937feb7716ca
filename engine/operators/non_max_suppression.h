#pragma once
// NonMaxSuppression: what its operands say. Boxes are [batch, boxes, 4], scores [batch, classes, boxes].

#include "engine/base/result.h"
#include "engine/operators/operands.h"

namespace cutaway::operators {

struct SuppressionSettings {
  int64_t mostPerClass = 0;  // as given
  float overlapThreshold = 0, scoreThreshold = 0;
  bool hasScoreThreshold = false;
};

// Inputs 2 to 4, in host memory; nullptr: absent.
struct SuppressionOperands {
  const Tensor *most = nullptr, *overlap = nullptr, *score = nullptr;
};
// INVALID_ARGUMENT where the count is not one integer or a threshold not one float.
Result<SuppressionSettings> suppressionSettings(const SuppressionOperands& operands);
template <typename Call>
Result<SuppressionSettings> suppressionSettings(const Call& call) {
  return suppressionSettings(
      SuppressionOperands{optionalTensor(call, 2), optionalTensor(call, 3), optionalTensor(call, 4)});
}

// INVALID_ARGUMENT unless boxes and scores are floats that fit each other, and their number fits 32 bits.
Result<void> checkSuppressedBoxes(const Tensor& boxes, const Tensor& scores);

}  // namespace cutaway::operators
