#pragma once
// Pad in every version: how much is added (or, negative, cut) on each side of each axis, and with what.

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/operators/operands.h"

namespace cutaway::operators {

enum class PadMode : uint8_t { kConstant, kEdge, kReflect, kWrap };

// Inputs 1 to 3; nullptr: absent. Amounts and axes lie in host memory; the value is only asked for its type and size.
struct PadOperands {
  const Tensor *amounts = nullptr, *value = nullptr, *axes = nullptr;
};
template <typename Call>
PadOperands padOperands(const Call& call) {
  return {optionalTensor(call, 1), optionalTensor(call, 2), optionalTensor(call, 3)};
}

struct PadPlacement {
  Dims begin, end;                // for every axis; negative: cut
  Dims dims;                      // of the output
  const Tensor* value = nullptr;  // one element of the data's type; nullptr: PadSettings::attributeValue
};

class PadSettings {
 public:
  // NOT_IMPLEMENTED for modes that ONNX does not know.
  static Result<PadSettings> read(const Node& node);
  PadMode mode() const { return m_mode; }
  // INVALID_ARGUMENT where amounts do not fit the axes, leave less than nothing, or repeat an empty axis.
  Result<PadPlacement> place(const Tensor& data, const PadOperands& operands) const;
  // The attribute of old versions as one element of a floating type; zero bytes for all others. bytes: 16 of them.
  void attributeValue(ElementType type, std::byte* bytes) const;

 private:
  PadMode m_mode = PadMode::kConstant;
  Dims m_amounts;
  float m_value = 0;
  bool m_amountsAreInput = false;
};

}  // namespace cutaway::operators
