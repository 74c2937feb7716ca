// The most operations that an operator may take, where what it takes depends on values.

#include <algorithm>
#include <limits>

#include "engine/operators/cost/cost_rules.h"

namespace cutaway::operators::cost {
namespace {

// Rows of features; a vector is one row.
Count rowsOf(const CostInput& node) {
  const Shape* input = node.shape(0);
  return input != nullptr && input->rank() == 1 ? Count(1) : node.dim(0, 0);
}

int64_t numbersIn(const CostInput& node, std::string_view attribute) {
  return static_cast<int64_t>(node.node().attributeOr<std::vector<float>>(attribute, {}).size());
}

}  // namespace

// Values alone say how much it is.
Count unbounded(const CostInput&) {
  return std::numeric_limits<int64_t>::max();
}

// Every region may be the whole image, and each of its cells reaches up to two places further along each axis.
Count roiPoolAtMost(const CostInput& node) {
  return node.dim(1, 0) * node.dim(0, 1) * (node.dim(0, 2) + 2 * node.outDim(0, 2)) *
         (node.dim(0, 3) + 2 * node.outDim(0, 3));
}

// From each token one walk with every gap; a step finds its token among those of the pool.
Count ngramsAtMost(const CostInput& node) {
  constexpr int64_t kStep = 4;
  const Count length = node.dim(0, -1);
  if (!length.known()) return {};
  const int64_t mostGaps = std::max<int64_t>(length.orUnknown() - 1, 0);
  const int64_t skips = std::clamp<int64_t>(node.integer("max_skip_count", 0), 0, mostGaps);
  const int64_t gaps = std::min(skips + 1, mostGaps);
  const int64_t longer = std::clamp<int64_t>(node.integer("max_gram_length", 1) - 1, 0, mostGaps);
  return kStep * node.elements(0) * (Count(gaps) * longer + 1);
}

// A product of each row with each vector, a power of it, its coefficients, and up to a hundred rounds that couple the
// probabilities of all pairs.
Count supportVectorsAtMost(const CostInput& node) {
  constexpr int64_t kRounds = 100, kForAPair = 4;
  return rowsOf(node) * (2 * numbersIn(node, "support_vectors") + (kPower + 2) * numbersIn(node, "coefficients") +
                         kRounds * kForAPair * numbersIn(node, "prob_a"));
}

// A tree may be a chain: a row passes every node that is no leaf. nodes_treeids lists leaves, too: half of all and one.
Count treesAtMost(const CostInput& node) {
  constexpr int64_t kStep = 4;
  const auto branches =
      static_cast<int64_t>(node.node().opType == "TreeEnsemble" ? node.integers("nodes_featureids").size()
                                                                : node.integers("nodes_treeids").size() / 2);
  return rowsOf(node) * (kStep * branches);
}

}  // namespace cutaway::operators::cost
