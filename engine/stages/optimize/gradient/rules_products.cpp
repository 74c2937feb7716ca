// Gradients of matrix products: each operand gets the gradient times the other operand, turned.

#include <numeric>

#include "engine/stages/optimize/gradient/gradient_rules.h"

namespace cutaway::optimize {

namespace {

ValueId turned(GradientBuilder& b, ValueId id) {
  std::vector<int64_t> order(b.rank(id).value_or(2));
  std::iota(order.begin(), order.end(), 0);
  if (order.size() >= 2) std::swap(order[order.size() - 1], order[order.size() - 2]);
  return b.transpose(id, std::move(order));
}

// Vectors are rows on the left and columns on the right.
void backMatMul(Backward& at) {
  GradientBuilder& b = at.build;
  const int64_t left = at.rankOf(0), right = at.rankOf(1);
  if (!b.status()) return;
  const ValueId a = left == 1 ? b.node("Unsqueeze", {at.x(0), b.integers({0})}) : at.x(0);
  const ValueId c = right == 1 ? b.node("Unsqueeze", {at.x(1), b.integers({1})}) : at.x(1);
  ValueId g = at.g();
  if (right == 1) g = b.node("Unsqueeze", {g, b.integers({-1})});
  if (left == 1) g = b.node("Unsqueeze", {g, b.integers({-2})});
  if (at.wants(0)) at.give(0, b.reshapeLike(b.sumTo(b.node("MatMul", {g, turned(b, c)}), a), at.x(0)));
  if (at.wants(1)) at.give(1, b.reshapeLike(b.sumTo(b.node("MatMul", {turned(b, a), g}), c), at.x(1)));
}

// y = alpha A' B' + beta C, A' and B' perhaps turned.
void backGemm(Backward& at) {
  GradientBuilder& b = at.build;
  const int64_t transA = at.node.attributeOr<int64_t>("transA", 0), transB = at.node.attributeOr<int64_t>("transB", 0);
  const float alpha = at.node.attributeOr<float>("alpha", 1), beta = at.node.attributeOr<float>("beta", 1);
  const auto product = [&](ValueId left, bool turnLeft, ValueId right, bool turnRight) {
    return b.node("Gemm", {left, right},
                  {{"alpha", alpha}, {"transA", int64_t{turnLeft}}, {"transB", int64_t{turnRight}}});
  };
  if (at.wants(0))
    at.give(0,
            transA != 0 ? product(at.x(1), transB != 0, at.g(), true) : product(at.g(), false, at.x(1), transB == 0));
  if (at.wants(1))
    at.give(1,
            transB != 0 ? product(at.g(), true, at.x(0), transA != 0) : product(at.x(0), transA == 0, at.g(), false));
  if (at.wants(2)) at.giveBroadcast(2, beta == 1 ? at.g() : b.mul(at.g(), b.number(static_cast<double>(beta), at.g())));
}

// The equation of the other operands and the result, turned towards this operand. Works when no label of it is summed
// within it alone and none repeats.
void backEinsum(Backward& at) {
  GradientBuilder& b = at.build;
  std::string equation = at.node.attributeOr<std::string>("equation", "");
  std::erase(equation, ' ');
  const size_t arrow = equation.find("->");
  if (arrow == std::string::npos || equation.find("...") != std::string::npos)
    return at.refuse("its equation has no result or an ellipsis");
  const std::string result = equation.substr(arrow + 2);
  std::vector<std::string> terms;
  for (size_t begin = 0; begin <= arrow;) {
    const size_t comma = std::min(equation.find(',', begin), arrow);
    terms.push_back(equation.substr(begin, comma - begin));
    begin = comma + 1;
  }
  if (terms.size() != at.node.inputs.size()) return at.refuse("its equation has another number of operands");
  for (size_t i = 0; i < terms.size(); ++i) {
    if (!at.wants(i)) continue;
    std::string others = result;
    std::vector<ValueId> inputs{at.g()};
    for (size_t k = 0; k < terms.size(); ++k) {
      if (k == i) continue;
      others += "," + terms[k];
      inputs.push_back(at.x(k));
    }
    for (const char label : terms[i]) {
      if (others.find(label) == std::string::npos || std::ranges::count(terms[i], label) != 1)
        return at.refuse(fmt::format("label {} of its equation is summed or repeated within one operand", label));
    }
    at.give(i, b.node("Einsum", inputs, {{"equation", others + "->" + terms[i]}}));
  }
}

constexpr GradientRule kRules[] = {{"MatMul", backMatMul}, {"Gemm", backGemm}, {"Einsum", backEinsum}};

}  // namespace

GradientRules productGradients() {
  return kRules;
}

}  // namespace cutaway::optimize
