#include "engine/operators/rotary_embedding.h"

#include <algorithm>

namespace cutaway::operators {
namespace {

Result<RotaryLayout> inputLayout(const RotaryForm& form, const RotarySettings& settings, std::span<const int64_t> dims,
                                 std::span<const int64_t> cosine) {
  if (dims.size() == 4)
    return RotaryLayout{
        .batch = dims[0], .heads = dims[1], .sequence = dims[2], .size = dims[3], .steps = headsOutside(dims)};
  if (dims.size() != 3)
    return fail(ErrorCode::kInvalidArgument, "{}: the input is {}, not 3-D or 4-D", form.name, dimsToText(dims));
  int64_t heads = settings.heads;
  if (heads == 0 && form.microsoft && cosine.size() == 2 && cosine[1] > 0) heads = dims[2] / (2 * cosine[1]);
  if (heads <= 0 || dims[2] % heads != 0)
    return fail(ErrorCode::kInvalidArgument, "{}: {} heads do not divide the input {}", form.name, heads,
                dimsToText(dims));
  const int64_t size = dims[2] / heads;
  return RotaryLayout{
      .batch = dims[0], .heads = heads, .sequence = dims[1], .size = size, .steps = headsInside(dims, size)};
}

Result<void> checkSections(const RotaryForm& form, std::span<const int64_t> sections, int64_t angles) {
  int64_t sum = 0;
  for (const int64_t section : sections)
    sum = section < 0 || section > angles ? angles + 1 : sum + section;
  if (sections.size() == 3 && sum == angles) return {};
  return fail(ErrorCode::kInvalidArgument, "{}: mrope_section is not three sizes that sum to {}", form.name, angles);
}

}  // namespace

Result<RotarySettings> readRotary(const RotaryForm& form, const Graph& graph, const Node& node) {
  const auto typeOf = [&](size_t slot) {
    return slot < node.inputs.size() && node.inputs[slot].valid() ? graph.value(node.inputs[slot]).type.element
                                                                  : ElementType::kUndefined;
  };
  for (const size_t slot : {form.cosine, form.sine}) {
    if (typeOf(slot) != typeOf(0))
      return fail(ErrorCode::kInvalidArgument, "{}: caches and input differ in type", form.name);
  }
  return RotarySettings{.heads = node.attributeOr<int64_t>("num_heads", 0),
                        .rotarySize = node.attributeOr<int64_t>("rotary_embedding_dim", 0),
                        .interleaved = node.attributeOr<int64_t>("interleaved", 0) != 0,
                        .woven = node.attributeOr<int64_t>("mrope_layout", 0) != 0,
                        .sections = node.attributeOr<std::vector<int64_t>>("mrope_section", {})};
}

Result<RotaryLayout> rotaryLayout(const RotaryForm& form, const RotarySettings& settings, std::span<const int64_t> x,
                                  std::span<const int64_t> cosine, std::span<const int64_t> sine,
                                  const Dims* positions) {
  CUTAWAY_TRY(RotaryLayout layout, inputLayout(form, settings, x, cosine));
  const int64_t rotary = settings.rotarySize > 0 ? settings.rotarySize : layout.size;
  if (settings.rotarySize < 0 || rotary > layout.size || rotary % 2 != 0)
    return fail(ErrorCode::kInvalidArgument, "{}: {} channels of {} cannot be rotated in pairs", form.name, rotary,
                layout.size);
  layout.angles = rotary / 2;
  const bool table = positions != nullptr && cosine.size() == 2 && cosine[1] == layout.angles;
  const bool each =
      positions == nullptr && std::ranges::equal(cosine, Dims{layout.batch, layout.sequence, layout.angles});
  if (!(table || each) || !std::ranges::equal(sine, cosine)) {
    return fail(ErrorCode::kInvalidArgument,
                "{}: caches of {} and {} do not give {} angles for {} batches of {} tokens", form.name,
                dimsToText(cosine), dimsToText(sine), layout.angles, layout.batch, layout.sequence);
  }
  layout.tableRows = table ? cosine[0] : 0;
  if (form.streams) CUTAWAY_CHECK(checkSections(form, settings.sections, layout.angles));
  if (positions == nullptr) return layout;
  layout.oneStart = form.microsoft && *positions == Dims{1};
  const Dims wanted = form.streams ? Dims{3, layout.batch, layout.sequence} : Dims{layout.batch, layout.sequence};
  if (!layout.oneStart && *positions != wanted)
    return fail(ErrorCode::kInvalidArgument, "{}: position_ids is {} instead of {}", form.name, dimsToText(*positions),
                dimsToText(wanted));
  return layout;
}

}  // namespace cutaway::operators
