// Attributes whose numbers onnx's inference functions use before they look at them: out of range they index memory that
// is not theirs, or fill all there is. They are refused before inference.

#include <array>
#include <limits>

#include "engine/schema/inference_state.h"

namespace cutaway {

namespace {

// Far above the rank of any tensor that runs, far below what wraps around in a 32-bit number.
constexpr int64_t kMostAxis = 1 << 16;
constexpr int64_t kMostSize = std::numeric_limits<int32_t>::max();

struct Range {
  std::string_view opType;  // empty: every operator that has the attribute
  std::string_view attribute;
  int64_t least, most;
};

constexpr std::array kRanges = {
    Range{"", "axis", -kMostAxis, kMostAxis},
    Range{"", "axes", -kMostAxis, kMostAxis},
    Range{"", "batch_axis", -kMostAxis, kMostAxis},
    Range{"", "time_axis", -kMostAxis, kMostAxis},
    Range{"", "batch_dims", 0, kMostAxis},
    Range{"", "perm", -kMostAxis, kMostAxis},
    Range{"", "blocksize", 0, kMostSize},
    Range{"", "hidden_size", 0, kMostSize},
    Range{"", "num_outputs", 1, kMostAxis},
    Range{"", "num_scan_inputs", 0, kMostAxis},
    Range{"", "scan_input_axes", -kMostAxis, kMostAxis},
    Range{"", "scan_output_axes", -kMostAxis, kMostAxis},
    Range{"", "n_targets", 0, kMostSize},
    Range{"", "max_gram_length", 0, kMostSize},
};

Result<void> checkNumber(const Node& node, const Range& range, int64_t number) {
  if (number >= range.least && number <= range.most) return {};
  return fail(ErrorCode::kInvalidGraph, "the attribute {} = {} of {} is outside of {} to {}", range.attribute, number,
              node.opType, range.least, range.most);
}

// One list of sizes for each output, or a number of them: both say how many outputs there are.
Result<void> checkSplit(const Node& node) {
  const auto wanted = node.attributeOr<int64_t>("num_outputs", static_cast<int64_t>(node.outputs.size()));
  if (wanted == static_cast<int64_t>(node.outputs.size())) return {};
  return fail(ErrorCode::kInvalidGraph, "the attribute num_outputs = {} of Split does not fit its {} outputs", wanted,
              node.outputs.size());
}

}  // namespace

Result<void> checkAttributeRanges(const Node& node) {
  for (const Range& range : kRanges) {
    if (!range.opType.empty() && range.opType != node.opType) continue;
    const Attribute* attribute = node.findAttribute(range.attribute);
    if (attribute == nullptr) continue;
    if (const auto* number = std::get_if<int64_t>(&attribute->value)) CUTAWAY_CHECK(checkNumber(node, range, *number));
    if (const auto* list = std::get_if<std::vector<int64_t>>(&attribute->value)) {
      for (const int64_t number : *list)
        CUTAWAY_CHECK(checkNumber(node, range, number));
    }
  }
  return node.opType == "Split" && node.domain.empty() ? checkSplit(node) : Result<void>();
}

}  // namespace cutaway
