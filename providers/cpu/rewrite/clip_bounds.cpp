#include "providers/cpu/rewrite/clip_bounds.h"

#include <array>
#include <limits>

#include "engine/graph/graph_query.h"

namespace cutaway::cpu {

std::optional<operators::ClipBounds> clipBoundsOf(const Graph& graph, const Node& clip) {
  constexpr int32_t kByInputs = 11;
  if (clip.sinceVersion < kByInputs) return operators::readClipBounds(clip);
  std::array<float, 2> bounds{std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()};
  for (size_t slot = 1; slot < clip.inputs.size() && slot <= bounds.size(); ++slot) {
    if (!clip.inputs[slot].valid()) continue;
    const Tensor* const bound = constantOf(graph, clip.inputs[slot]);
    if (bound == nullptr || bound->type() != ElementType::kFloat || bound->elementCount() != 1) return std::nullopt;
    bounds[slot - 1] = bound->span<float>()[0];
  }
  return operators::ClipBounds{bounds[0], bounds[1]};
}

}  // namespace cutaway::cpu
