// Operations of operators that are neither products nor a fixed number an element.

#include "engine/operators/cost/cost_rules.h"

namespace cutaway::operators::cost {
namespace {

// Rounded up; 0 for 0 and 1.
int64_t binaryLogarithm(int64_t value) {
  int64_t bits = 0;
  while (bits < 62 && (int64_t{1} << bits) < value)
    ++bits;
  return bits;
}

// 5 x n x log2(n) operations for a transform of n complex numbers.
Count transform(Count length) {
  return length.known() ? 5 * length * binaryLogarithm(length.orUnknown()) : Count();
}

// A power of each place where p is neither 1 nor 2.
int64_t normFlops(const CostInput& node, int64_t plain) {
  const int64_t p = node.integer("p", 2);
  const auto real = node.node().attributeOr<float>("p", 2.0f);  // version 1
  const bool isPlain = (p == 1 || p == 2) && (real == 1.0f || real == 2.0f);
  return isPlain ? plain : kPower + 1;
}

}  // namespace

Count unknown(const CostInput&) {
  return {};
}

// One operation for each output and place of the window.
Count pooling(const CostInput& node) {
  Count window = 1;
  for (const int64_t size : node.integers("kernel_shape"))
    window = window * size;
  return node.outElements(0) * window;
}

Count lpPooling(const CostInput& node) {
  return pooling(node) * normFlops(node, 1);
}

Count globalLpPooling(const CostInput& node) {
  return node.elements(0) * normFlops(node, 2);
}

// Difference, square and sum for each pair of rows and each column.
Count distances(const CostInput& node) {
  return node.outElements(0) * node.dim(0, -1) * 3;
}

// n inputs meet in n - 1 operations an output.
Count variadic(const CostInput& node) {
  return node.outElements(0) * static_cast<int64_t>(node.inputCount() > 0 ? node.inputCount() - 1 : 0);
}

// A layer normalisation (8 an element; 4 without the mean) after adding the skip and, where given, a bias.
Count skipNormalization(const CostInput& node) {
  const bool simplified = node.node().opType == "SkipSimplifiedLayerNormalization";
  return node.outElements(0) * ((simplified ? 4 : 8) + 1 + (node.hasInput(simplified ? 3 : 4) ? 1 : 0));
}

// `size` squares are added, scaled and raised to a power, then divide the element.
Count localResponse(const CostInput& node) {
  return node.outElements(0) * (2 * node.integer("size", -1) + 2 + kPower + kDivide);
}

// Nearest copies; linear mixes 2 places for each axis that changes its length (4 operations), cubic 4 (8 operations).
Count resize(const CostInput& node) {
  const std::string mode = node.text("mode", "nearest");
  const Shape *from = node.shape(0), *to = node.outShape(0);
  if (mode == "nearest") return 0;
  if (from == nullptr || to == nullptr || from->rank() != to->rank()) return {};
  int64_t axes = 0;
  for (size_t axis = 0; axis < from->rank(); ++axis)
    axes += (*from)[axis].sameAs((*to)[axis]) ? 0 : 1;
  return node.outElements(0) * (axes * (mode == "cubic" ? 8 : 4));
}

// As resize, over every spatial axis at once: 2 or 4 places to the power of the axes, two operations each.
Count gridSample(const CostInput& node) {
  const std::string mode = node.text("mode", "linear");
  const Shape* image = node.shape(0);
  if (mode == "nearest") return 0;
  if (image == nullptr || image->rank() < 3 || image->rank() > 8) return {};
  const int64_t bits = static_cast<int64_t>(image->rank() - 2) * (mode == "cubic" || mode == "bicubic" ? 2 : 1);
  return node.outElements(0) * (2 * (int64_t{1} << bits));
}

// Each sample of a bin is mixed of four places, as by gridSample, and joins the bin's mean or maximum. Without a ratio
// the boxes say how many there are.
Count roiAlign(const CostInput& node) {
  const int64_t ratio = node.integer("sampling_ratio", 0);
  if (ratio <= 0) return {};
  return node.outElements(0) * ratio * ratio * 9;
}

// Each coordinate is a row of the matrix times (position, 1).
Count affineGrid(const CostInput& node) {
  return node.outElements(0) * 2 * (node.outDim(0, -1) + 1);
}

// A heap's n x log2(k) comparisons.
Count topK(const CostInput& node) {
  const Count kept = node.outDim(0, static_cast<int>(node.integer("axis", -1)));
  return kept.known() ? node.elements(0) * (binaryLogarithm(kept.orUnknown()) + 1) : Count();
}

// A real or complex signal [.., n, .., 1 or 2] along one axis (an input from opset 20 on: the one before the last
// then).
Count fourier(const CostInput& node) {
  const Count length = node.dim(0, static_cast<int>(node.integer("axis", node.node().sinceVersion >= 20 ? -2 : 1)));
  return node.elements(0) / node.dim(0, -1) / length * transform(length);
}

// Output [batch, frames, bins, 2]; one-sided bins stand for twice as many samples.
Count shortTimeFourier(const CostInput& node) {
  const Count bins = node.outDim(0, 2);
  if (!bins.known()) return {};
  const Count length = node.integer("onesided", 1) != 0 ? 2 * (bins.orUnknown() - 1) : bins;
  return node.outDim(0, 0) * node.outDim(0, 1) * transform(length);
}

// Elimination: 2/3 x n^3 for each matrix; the inverse takes three times that.
Count determinant(const CostInput& node) {
  const Count size = node.dim(0, -1);
  return node.elements(0) * size * (node.node().opType == "Inverse" ? 6 : 2) / 3;
}

// One product and sum for each coefficient and row.
Count linearModel(const CostInput& node) {
  const auto coefficients = node.node().attributeOr<std::vector<float>>("coefficients", {});
  const Shape* input = node.shape(0);
  const Count rows = input != nullptr && input->rank() == 1 ? Count(1) : node.dim(0, 0);
  return 2 * rows * static_cast<int64_t>(coefficients.size());
}

}  // namespace cutaway::operators::cost
