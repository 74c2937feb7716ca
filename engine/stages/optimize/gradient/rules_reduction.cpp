// Gradients of reductions and of the operators built on them.

#include <numeric>

#include "engine/stages/optimize/gradient/gradient_rules.h"

namespace cutaway::optimize {

namespace {

// `value` has the shape of the reduction's result: gives it back the axes of length one that keepdims = 0 took, so that
// it broadcasts to the input.
ValueId withReducedAxes(Backward& at, ValueId value) {
  GradientBuilder& b = at.build;
  if (at.node.attributeOr<int64_t>("keepdims", 1) != 0) return value;
  if (at.has(1) && at.node.attributeOr<int64_t>("noop_with_empty_axes", 0) == 0 && b.constant(at.x(1)) == nullptr)
    at.refuse("its axes are known at run time only");
  const auto rank = b.rank(at.x(0));
  const auto axes = at.axes(static_cast<int64_t>(rank.value_or(0)));
  if (!axes) return b.node("Unsqueeze", {value, at.x(1)});
  if (axes->empty()) return value;  // a scalar, or nothing was reduced
  if (!rank && std::ranges::any_of(*axes, [](int64_t axis) { return axis < 0; }))
    at.refuse("the rank of its input is not known");
  return b.node("Unsqueeze", {value, b.integers(*axes)});
}

// How many elements each element of the result was made from, in the type of the result.
ValueId reducedCount(Backward& at) {
  GradientBuilder& b = at.build;
  const auto from = b.dims(at.x(0)), to = b.dims(at.y());
  if (from && to && elementCount(*to) != 0)
    return b.number(static_cast<double>(elementCount(*from) / elementCount(*to)), at.y());
  return b.node("CastLike",
                {b.div(b.node("Size", {at.x(0)}), b.node("Max", {b.node("Size", {at.y()}), b.integer(1)})), at.y()});
}

void backReduceSum(Backward& at) {
  at.give(0, at.build.expandLike(withReducedAxes(at, at.g()), at.x(0)));
}

void backReduceMean(Backward& at) {
  at.give(0, at.build.expandLike(withReducedAxes(at, at.build.div(at.g(), reducedCount(at))), at.x(0)));
}

void backReduceSumSquare(Backward& at) {
  at.give(0, at.build.mul(at.build.mul(at.build.number(2, at.x(0)), at.x(0)), withReducedAxes(at, at.g())));
}

void backReduceL1(Backward& at) {
  at.give(0, at.build.mul(at.build.node("Sign", {at.x(0)}), withReducedAxes(at, at.g())));
}

void backReduceL2(Backward& at) {
  at.give(0, at.build.mul(at.x(0), withReducedAxes(at, at.build.div(at.g(), at.y()))));
}

void backReduceLogSum(Backward& at) {
  at.give(0, at.build.expandLike(withReducedAxes(at, at.build.div(at.g(), at.build.node("Exp", {at.y()}))), at.x(0)));
}

void backReduceLogSumExp(Backward& at) {
  GradientBuilder& b = at.build;
  at.give(0, b.mul(b.node("Exp", {b.sub(at.x(0), withReducedAxes(at, at.y()))}), withReducedAxes(at, at.g())));
}

// y / x_i is the product of the others; where an element is zero this fails, as nobody divides by it in practice.
void backReduceProd(Backward& at) {
  GradientBuilder& b = at.build;
  at.give(0, b.div(withReducedAxes(at, b.mul(at.g(), at.y())), at.x(0)));
}

// Equal extremes share the gradient.
void backReduceExtreme(Backward& at) {
  GradientBuilder& b = at.build;
  const ValueId chosen = b.node("CastLike", {b.node("Equal", {at.x(0), withReducedAxes(at, at.y())}), at.x(0)});
  const ValueId share = b.mul(withReducedAxes(at, at.g()), chosen);
  const ValueId count = b.sumTo(chosen, withReducedAxes(at, at.g()));
  at.give(0, b.div(share, count));
}

// Before opset 13 all axes from `axis` on are one.
std::vector<int64_t> softmaxAxes(Backward& at) {
  const int64_t rank = at.rankOf(0);
  const bool flat = at.node.sinceVersion < 13;
  int64_t axis = at.node.attributeOr<int64_t>("axis", flat ? 1 : -1);
  if (axis < 0) axis += rank;
  if (!flat) return {axis};
  std::vector<int64_t> axes(static_cast<size_t>(std::max<int64_t>(rank - axis, 0)));
  std::iota(axes.begin(), axes.end(), axis);
  return axes;
}

void backSoftmax(Backward& at) {
  GradientBuilder& b = at.build;
  const ValueId weighted = b.mul(at.g(), at.y());
  at.give(0, b.sub(weighted, b.mul(at.y(), b.sum(weighted, softmaxAxes(at), true))));
}

void backLogSoftmax(Backward& at) {
  GradientBuilder& b = at.build;
  at.give(0, b.sub(at.g(), b.mul(b.node("Exp", {at.y()}), b.sum(at.g(), softmaxAxes(at), true))));
}

// The sums run the other way round.
void backCumSum(Backward& at) {
  Node mirrored = at.node;
  mirrored.setAttribute("reverse", int64_t{at.node.attributeOr<int64_t>("reverse", 0) == 0});
  at.give(0, at.build.copyOf(mirrored, {at.g(), at.x(1)})[0]);
}

constexpr GradientRule kRules[] = {
    {"ReduceSum", backReduceSum},
    {"ReduceMean", backReduceMean},
    {"ReduceSumSquare", backReduceSumSquare},
    {"ReduceL1", backReduceL1},
    {"ReduceL2", backReduceL2},
    {"ReduceLogSum", backReduceLogSum},
    {"ReduceLogSumExp", backReduceLogSumExp},
    {"ReduceProd", backReduceProd},
    {"ReduceMax", backReduceExtreme},
    {"ReduceMin", backReduceExtreme},
    {"Softmax", backSoftmax},
    {"LogSoftmax", backLogSoftmax},
    {"CumSum", backCumSum},
};

}  // namespace

GradientRules reductionGradients() {
  return kRules;
}

}  // namespace cutaway::optimize
