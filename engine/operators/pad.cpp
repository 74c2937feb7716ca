#include "engine/operators/pad.h"

#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/operators/axes.h"
#include "engine/operators/integer_list.h"

namespace cutaway::operators {
namespace {

Result<PadMode> parseMode(std::string_view text) {
  if (text == "constant") return PadMode::kConstant;
  if (text == "edge") return PadMode::kEdge;
  if (text == "reflect") return PadMode::kReflect;
  if (text == "wrap") return PadMode::kWrap;
  return fail(ErrorCode::kNotImplemented, "pad mode '{}' is unknown", text);
}

}  // namespace

Result<PadSettings> PadSettings::read(const Node& node) {
  PadSettings settings;
  CUTAWAY_TRY(settings.m_mode, parseMode(node.attributeOr<std::string>("mode", "constant")));
  settings.m_amounts = listAttribute(node, node.sinceVersion == 1 ? "paddings" : "pads");
  settings.m_value = node.attributeOr<float>("value", 0.0f);
  settings.m_amountsAreInput = node.sinceVersion >= 11 || !node.domain.empty();
  return settings;
}

Result<PadPlacement> PadSettings::place(const Tensor& data, const PadOperands& operands) const {
  const size_t rank = data.rank();
  Dims list = m_amounts;
  Dims axes = filledList(rank, 0);
  for (size_t i = 0; i < rank; ++i)
    axes[i] = static_cast<int64_t>(i);
  if (m_amountsAreInput) {
    if (operands.amounts == nullptr) return fail(ErrorCode::kInvalidArgument, "pads of Pad must be a tensor");
    CUTAWAY_TRY(list, readIntegers(*operands.amounts));
    if (operands.axes != nullptr) {
      CUTAWAY_TRY(axes, readIntegers(*operands.axes));
      CUTAWAY_TRY(axes, resolveAxes(axes, rank));
    }
  }
  if (list.size() != 2 * axes.size())
    return fail(ErrorCode::kInvalidArgument, "{} pads are given for {} axes", list.size(), axes.size());
  PadPlacement placed{.begin = filledList(rank, 0), .end = filledList(rank, 0), .dims = data.dims()};
  for (size_t i = 0; i < axes.size(); ++i) {
    placed.begin[static_cast<size_t>(axes[i])] = list[i];
    placed.end[static_cast<size_t>(axes[i])] = list[i + axes.size()];
  }
  for (size_t i = 0; i < rank; ++i) {
    int64_t& size = placed.dims[i];
    CUTAWAY_TRY(size, checkedAdd(size, placed.begin[i]));
    CUTAWAY_TRY(size, checkedAdd(size, placed.end[i]));
    if (size < 0) return fail(ErrorCode::kInvalidArgument, "padding leaves {} elements on axis {}", size, i);
    if (data.dims()[i] == 0 && size > 0 && m_mode != PadMode::kConstant)
      return fail(ErrorCode::kInvalidArgument, "axis {} is empty and has nothing to repeat", i);
  }
  placed.value = m_amountsAreInput ? operands.value : nullptr;
  if (placed.value != nullptr && (placed.value->type() != data.type() || placed.value->elementCount() != 1))
    return fail(ErrorCode::kInvalidArgument, "the constant of Pad must be one {}", elementTypeName(data.type()));
  return placed;
}

void PadSettings::attributeValue(ElementType type, std::byte* bytes) const {
  const Float16 half = Float16::fromFloat(m_value);
  const double wide = m_value;
  if (type == ElementType::kFloat) std::memcpy(bytes, &m_value, sizeof m_value);
  if (type == ElementType::kDouble) std::memcpy(bytes, &wide, sizeof wide);
  if (type == ElementType::kFloat16) std::memcpy(bytes, &half, sizeof half);
}

}  // namespace cutaway::operators
