// Operations of matrix products, convolutions and recurrent layers.

#include <vector>

#include "engine/operators/cost/cost_rules.h"
#include "engine/operators/einsum.h"

namespace cutaway::operators::cost {
namespace {

// 2 x outputs x weights of one output channel: each output is the sum of that many products. Holds for grouped
// convolutions and for images in any layout.
Count convolutionWith(const CostInput& node, size_t weights, bool bias) {
  const Count perOutput = node.elements(weights) / node.dim(weights, 0);
  return node.outElements(0) * (2 * perOutput + (bias ? 1 : 0));
}

// (A: [.., M, K]) x (B: [.., K, N]) (+ C): 2 x outputs x K (+ outputs).
Count gemmWith(const CostInput& node, int contracted, bool bias) {
  return node.outElements(0) * (2 * node.dim(0, contracted) + (bias ? 1 : 0));
}

// Products of the recurrent weights and of the input weights for every step, both 2 operations an element, and the
// element-wise part of each unit.
Count recurrentWith(const CostInput& node, int perUnit) {
  const Count steps = node.dim(0, 0) * node.dim(0, 1);  // of the whole batch, in either layout
  const Count units = node.dim(2, 0) * node.integer("hidden_size", -1);
  return steps * (2 * (node.elements(1) + node.elements(2)) + units * perUnit);
}

}  // namespace

Count matMul(const CostInput& node) {
  return 2 * node.outElements(0) * node.dim(0, -1);
}

// The stored side is packed: its depth is an attribute.
Count matMulBits(const CostInput& node) {
  return 2 * node.outElements(0) * node.integer("K", -1);
}

// transBatchA has the rows (or, with transA, the depth) in front of the batch dimensions.
Count fusedMatMul(const CostInput& node) {
  if (node.integer("transA", 0) == 0) return matMul(node);
  return 2 * node.outElements(0) * node.dim(0, node.integer("transBatchA", 0) != 0 ? 0 : -2);
}

Count gemm(const CostInput& node) {
  return gemmWith(node, node.integer("transA", 0) != 0 ? 0 : 1, node.hasInput(2));
}
Count quantizedGemm(const CostInput& node) {
  return gemmWith(node, node.integer("transA", 0) != 0 ? 0 : 1, node.hasInput(6));
}

// The product, an optional bias and the tanh form of Gelu (seven simple operations around tanh).
Count gemmFastGelu(const CostInput& node) {
  return gemmWith(node, -1, node.hasInput(2)) + node.outElements(0) * (7 + kTranscendental);
}

// With n operands: the product of all labels' sizes times n, which is n - 1 multiplies and the add into the sum;
// without a summed label there is nothing to add.
Count einsum(const CostInput& node) {
  const auto equation = EinsumEquation::parse(node.text("equation", ""), node.inputCount());
  if (!equation) return {};
  std::vector<Dims> operands;
  std::vector<const Dims*> dims;
  operands.reserve(node.inputCount());
  for (size_t operand = 0; operand < node.inputCount(); ++operand) {
    const Shape* shape = node.shape(operand);
    if (shape == nullptr || !shape->isStatic()) return {};
    operands.emplace_back(std::span<const int64_t>(*shape->staticDims()));
    dims.push_back(&operands.back());
  }
  const auto labels = equation->resolve(dims);
  if (!labels) return {};
  Count all = 1;
  for (int label = 0; label < labels->labels; ++label)
    all = all * labels->extents[static_cast<size_t>(label)];
  const bool sums = node.outElements(0).orUnknown() != all.orUnknown();
  return all * static_cast<int64_t>(node.inputCount() - (sums ? 0 : 1));
}

Count convolution(const CostInput& node) {
  return convolutionWith(node, 1, node.hasInput(2));
}
Count quantizedConvolution(const CostInput& node) {
  return convolutionWith(node, 3, node.hasInput(8));
}
Count integerConvolution(const CostInput& node) {
  return convolutionWith(node, 1, false);
}

// Every input element meets all weights of its channel: 2 x inputs x (outputs a group x kernel), and a bias an output.
Count transposedConvolution(const CostInput& node) {
  const Count products = 2 * node.elements(0) * (node.elements(1) / node.dim(1, 0));
  return node.hasInput(2) ? products + node.outElements(0) : products;
}

// Each token meets k experts: 2 x tokens x k x the weights of one expert.
Count experts(const CostInput& node) {
  const Count tokens = node.elements(1) / node.dim(1, -1);
  Count weights = node.elements(2) + node.elements(4);
  if (node.hasInput(6)) weights = weights + node.elements(6);
  return 2 * tokens * node.integer("k", 1) * (weights / node.dim(2, 0));
}

// A unit: two sums of three terms' worth (input, state, bias) and one tanh.
Count recurrent(const CostInput& node) {
  return recurrentWith(node, 2 + kTranscendental);
}
// Three gates of two adds, two sigmoids, one tanh, and five operations that mix old and new state.
Count gatedRecurrent(const CostInput& node) {
  return recurrentWith(node, 3 * 2 + 2 * kSigmoidFlops + kTranscendental + 5);
}
// Four gates of two adds, three sigmoids, two tanh, and four operations that make cell and state.
Count longShortTerm(const CostInput& node) {
  return recurrentWith(node, 4 * 2 + 3 * kSigmoidFlops + 2 * kTranscendental + 4);
}

}  // namespace cutaway::operators::cost
