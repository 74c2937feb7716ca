#include "engine/stages/optimize/layouts/blocked_weights.h"

#include <cstring>

#include "engine/base/checked_math.h"

namespace cutaway::optimize {

namespace {

constexpr int64_t kSmallBlock = 8;
constexpr int64_t kLargeBlock = 16;

// Which blocks a number of channels allows.
struct Votes {
  bool small = true;
  bool large = true;

  void wholeBlocks(int64_t channels) {
    if (channels % kLargeBlock != 0) large = false;
  }
  // `channels` were padded to `padded`.
  void padding(int64_t channels, int64_t padded) {
    if (alignUp(channels, kSmallBlock) != padded) small = false;
    if (alignUp(channels, kLargeBlock) != padded) large = false;
  }
};

int64_t channelsOf(const Graph& graph, ValueId id) {
  const ValueType& type = graph.value(id).type;
  return type.shape && type.shape->rank() == 4 ? (*type.shape)[1].value() : -1;
}

void voteOfConv(const Graph& graph, const Node& node, Votes& votes) {
  const Value& weights = graph.value(node.inputs[1]);
  if (!weights.initializer || weights.initializer->rank() != 4) return;
  const auto dims = weights.initializer->dims();
  votes.wholeBlocks(dims[0]);
  if (node.attributeOr("group", int64_t{1}) != 1) return;
  // Fewer channels than a block are read straight; more are whole blocks.
  if (dims[1] % kSmallBlock != 0 && dims[1] > kSmallBlock) votes.small = false;
  if (dims[1] % kLargeBlock != 0 && dims[1] > kLargeBlock) votes.large = false;
  const NodeId producer = graph.value(node.inputs[0]).producer;
  if (!producer.valid()) return;
  const Node& before = graph.node(producer);
  if (before.domain != kBlockedDomain || before.opType != "ReorderInput" || !before.inputs[0].valid()) return;
  const bool last = before.attributeOr("channels_last", int64_t{0}) != 0;
  const ValueType& type = graph.value(before.inputs[0]).type;
  if (!type.shape || type.shape->rank() != 4) return;
  const Dim& channels = (*type.shape)[last ? 3 : 1];
  if (channels.isKnown()) votes.padding(channels.value(), dims[1]);
}

void vote(const Graph& graph, const Node& node, Votes& votes) {
  if (node.opType == "Conv" && node.inputs.size() > 1 && node.inputs[0].valid() && node.inputs[1].valid())
    voteOfConv(graph, node, votes);
  if (node.opType == "ReorderOutput" && !node.inputs.empty() && node.inputs[0].valid()) {
    const int64_t padded = channelsOf(graph, node.inputs[0]);
    if (padded > 0) votes.padding(node.attributeOr("channels", padded), padded);
  }
}

}  // namespace

std::optional<int64_t> blockOf(const Graph& root) {
  Votes votes;
  forEachGraph(root, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      if (graph.node(id).domain == kBlockedDomain) vote(graph, graph.node(id), votes);
    }
  });
  if (votes.small == votes.large) return std::nullopt;
  return votes.small ? kSmallBlock : kLargeBlock;
}

int64_t blockOfThisMachine() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return kLargeBlock;
#endif
  return kSmallBlock;
}

Result<Tensor> plainWeights(const Tensor& blocked, int64_t group, int64_t block) {
  const auto dims = blocked.dims();
  if (blocked.rank() != 4 || blocked.type() != ElementType::kFloat)
    return fail(ErrorCode::kInvalidArgument, "blocked weights are float with 4 dimensions, these are {}{}",
                elementTypeName(blocked.type()), dimsToText(dims));
  const int64_t outputs = dims[0];
  const int64_t inputs = dims[1];
  const int64_t window = dims[2] * dims[3];
  // Read straight from NCHW, or depthwise: inputs are not in blocks.
  const bool straight = group == 1 ? inputs < block : inputs == 1;
  if (outputs % block != 0 || (!straight && inputs % block != 0))
    return fail(ErrorCode::kInvalidArgument, "weights {} are no whole blocks of {} channels", dimsToText(dims), block);
  CUTAWAY_TRY(Tensor plain, Tensor::create(ElementType::kFloat, dims));
  const int64_t inputBlock = straight ? 1 : block;
  const float* from = static_cast<const float*>(blocked.data());
  float* to = static_cast<float*>(plain.mutableData());
  for (int64_t o = 0; o < outputs; o += block) {
    for (int64_t i = 0; i < inputs; i += inputBlock) {
      for (int64_t at = 0; at < window; ++at) {
        for (int64_t inner = 0; inner < inputBlock; ++inner) {
          for (int64_t outer = 0; outer < block; ++outer)
            to[((o + outer) * inputs + i + inner) * window + at] = *from++;
        }
      }
    }
  }
  return plain;
}

}  // namespace cutaway::optimize
