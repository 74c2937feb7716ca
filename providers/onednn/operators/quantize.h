#pragma once
// QuantizeLinear and DequantizeLinear: what their constants say.
//
// Thread rule: pure. Example: if (const auto target = quantizationOf(builder, node)) ...

#include <optional>

#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

struct QuantizationOf {
  float scale = 1;
  int32_t zeroPoint = 0;
  DataType type = DataType::u8;
};
// Of a QuantizeLinear with one constant scale to bytes; none: another form.
std::optional<QuantizationOf> quantizationOf(const PlanBuilder& builder, const Node& node);

}  // namespace cutaway::onednn
