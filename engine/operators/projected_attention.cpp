#include "engine/operators/projected_attention.h"

#include <algorithm>

namespace cutaway::operators {

Result<ProjectedSettings> readProjectedAttention(const Graph& graph, const Node& node) {
  using Slots = ProjectedSlots;
  ProjectedSettings settings{.heads = node.attributeOr<int64_t>("num_heads", 0),
                             .hiddenSizes = node.attributeOr<std::vector<int64_t>>("qkv_hidden_sizes", {}),
                             .scale = node.attributeOr<float>("scale", 0.0f),
                             .maskFilter = node.attributeOr<float>("mask_filter_value", -10000.0f),
                             .causal = node.attributeOr<int64_t>("unidirectional", 0) != 0,
                             .rotary = node.attributeOr<int64_t>("do_rotary", 0) != 0,
                             .rotarySize = node.attributeOr<int64_t>("rotary_embedding_dim", 0),
                             .sharedCache = node.attributeOr<int64_t>("past_present_share_buffer", 0) != 0};
  if (settings.heads <= 0) return fail(ErrorCode::kInvalidArgument, "Attention: num_heads is {}", settings.heads);
  const std::vector<int64_t>& sizes = settings.hiddenSizes;
  if (!sizes.empty() && (sizes.size() != 3 || sizes[0] != sizes[1] || sizes[0] <= 0 || sizes[2] <= 0))
    return fail(ErrorCode::kInvalidArgument,
                "Attention: qkv_hidden_sizes are three sizes, of which queries and keys share one");
  if (Slots::kPastLength < node.inputs.size() && node.inputs[Slots::kPastLength].valid() &&
      graph.value(node.inputs[Slots::kPastLength]).type.element != ElementType::kInt32)
    return fail(ErrorCode::kInvalidArgument, "Attention: past_sequence_length is not of int32");
  return settings;
}

Result<ProjectedSizes> projectedSizes(const ProjectedSettings& settings, std::span<const int64_t> input,
                                      std::span<const int64_t> weights, const Dims* bias) {
  const int64_t heads = settings.heads;
  ProjectedSizes sizes;
  bool fits = input.size() == 3 && weights.size() == 2 && input[2] == weights[0];
  if (fits) {
    const bool listed = !settings.hiddenSizes.empty();
    sizes = {.batch = input[0],
             .sequence = input[1],
             .depth = input[2],
             .hidden = listed ? settings.hiddenSizes[0] : weights[1] / 3,
             .valueHidden = listed ? settings.hiddenSizes[2] : weights[1] / 3};
    sizes.size = sizes.hidden / heads, sizes.valueSize = sizes.valueHidden / heads;
  }
  fits = fits && sizes.columns() == weights[1] && sizes.hidden % heads == 0 && sizes.valueHidden % heads == 0 &&
         (bias == nullptr || *bias == Dims{weights[1]});
  if (fits) return sizes;
  return fail(ErrorCode::kInvalidArgument,
              "Attention: input {}, weights {} and bias {} do not give queries, keys and values of {} heads",
              dimsToText(input), dimsToText(weights), bias != nullptr ? dimsToText(*bias) : "none", heads);
}

Result<ProjectedCache> projectedCache(const ProjectedSettings& settings, const ProjectedSizes& sizes,
                                      const Tensor* past, const Tensor* pastLength, bool present) {
  ProjectedCache cache;
  if (past != nullptr) {
    cache.held = past->rank() == 5 ? past->dims()[3] : -1;
    cache.kept = cache.held;
    if (settings.sharedCache)
      cache.kept = pastLength != nullptr && pastLength->elementCount() == 1 ? pastLength->span<int32_t>()[0] : -1;
    if (past->dims() != Dims{2, sizes.batch, settings.heads, cache.held, sizes.size} || sizes.valueSize != sizes.size ||
        cache.kept < 0 || cache.kept > cache.held) {
      return fail(ErrorCode::kInvalidArgument,
                  "Attention: {} tokens of a past of {} cannot go before {} batches of {} heads of {} and {} channels",
                  cache.kept, dimsToText(past->dims()), sizes.batch, settings.heads, sizes.size, sizes.valueSize);
    }
  }
  if ((past != nullptr || present) && sizes.valueSize != sizes.size)
    return fail(ErrorCode::kInvalidArgument,
                "Attention: past and present need values as wide as keys, not {} beside {}", sizes.valueSize,
                sizes.size);
  const int64_t all = cache.kept + sizes.sequence;
  cache.capacity = settings.sharedCache && past != nullptr ? std::max(all, cache.held) : all;
  return cache;
}

}  // namespace cutaway::operators
