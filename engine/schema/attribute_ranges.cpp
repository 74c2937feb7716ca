// Attributes whose numbers onnx's inference functions use before they look at them: out of range they index memory that
// is not theirs, or fill all there is. They are refused before inference, and so are numbers that nothing can be read
// from: a switch that is neither off nor on, a divisor of zero.

#include <algorithm>
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

// Integers that say yes or no. Programs read other numbers differently - one asks for 1, another for anything but 0 -
// so that they mean nothing. Operators that know a third answer (smooth_softmax: -1) are not listed.
constexpr std::array<std::string_view, 36> kSwitches = {"align_corners",
                                                        "allowzero",
                                                        "antialias",
                                                        "broadcast",
                                                        "ceil_mode",
                                                        "center_point_box",
                                                        "count_include_pad",
                                                        "detect_negative",
                                                        "detect_positive",
                                                        "do_rotary",
                                                        "exclude_outside",
                                                        "exclusive",
                                                        "fmod",
                                                        "input_forget",
                                                        "interleaved",
                                                        "inverse",
                                                        "is_causal",
                                                        "is_packed_batching",
                                                        "keepdims",
                                                        "largest",
                                                        "layout",
                                                        "linear_before_reset",
                                                        "new_axis",
                                                        "noop_with_empty_axes",
                                                        "onesided",
                                                        "output_sequence",
                                                        "reverse",
                                                        "rotary_interleaved",
                                                        "saturate",
                                                        "select_last_index",
                                                        "sorted",
                                                        "storage_order",
                                                        "training_mode",
                                                        "transA",
                                                        "transB",
                                                        "unidirectional"};

// Numbers that the operator divides by.
struct Divisor {
  std::string_view opType, attribute;
};
constexpr std::array kDivisors = {Divisor{"Celu", "alpha"}};

// An operator of somebody else's may mean anything by such a name.
bool isOurs(std::string_view domain) {
  return domain.empty() || domain == "ai.onnx.ml" || domain == "com.microsoft";
}

bool isSwitch(std::string_view name) {
  return std::ranges::binary_search(kSwitches, name);
}

Result<void> checkSwitch(const Node& node, const Attribute& attribute) {
  const auto* number = std::get_if<int64_t>(&attribute.value);
  if (number == nullptr || *number == 0 || *number == 1 || !isSwitch(attribute.name)) return {};
  return fail(ErrorCode::kInvalidGraph, "the attribute {} = {} of {} says neither no (0) nor yes (1)", attribute.name,
              *number, node.opType);
}

Result<void> checkDivisor(const Node& node, const Attribute& attribute) {
  const auto* number = std::get_if<float>(&attribute.value);
  if (number == nullptr || *number != 0.0f) return {};
  for (const Divisor& divisor : kDivisors) {
    if (divisor.opType == node.opType && divisor.attribute == attribute.name)
      return fail(ErrorCode::kInvalidGraph, "the attribute {} = 0 of {} is divided by", attribute.name, node.opType);
  }
  return {};
}

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
  for (const Attribute& attribute : node.attributes) {
    if (!isOurs(node.domain)) break;
    CUTAWAY_CHECK(checkSwitch(node, attribute));
    CUTAWAY_CHECK(checkDivisor(node, attribute));
  }
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
