// Gradients of operators that choose among elements: the chosen ones get the gradient.

#include "engine/stages/optimize/gradient/gradient_rules.h"

namespace cutaway::optimize {

namespace {

// Max and Min share what they get among equal elements.
void backExtreme(Backward& at) {
  GradientBuilder& b = at.build;
  const ValueId zero = b.number(0, at.y()), one = b.number(1, at.y());
  std::vector<ValueId> chosen;
  for (const ValueId input : at.node.inputs)
    chosen.push_back(b.node("Where", {b.node("Equal", {input, at.y()}), one, zero}));
  const ValueId share = b.div(at.g(), b.node("Sum", chosen));
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (at.wants(i)) at.giveBroadcast(i, b.mul(share, chosen[i]));
  }
}

void backWhere(Backward& at) {
  GradientBuilder& b = at.build;
  const ValueId zero = b.number(0, at.y());
  if (at.wants(1)) at.giveBroadcast(1, b.node("Where", {at.x(0), at.g(), zero}));
  if (at.wants(2)) at.giveBroadcast(2, b.node("Where", {at.x(0), zero, at.g()}));
}

// Limits are attributes before opset 11, else inputs.
ValueId limitOf(Backward& at, size_t slot, std::string_view name) {
  if (at.has(slot)) return at.x(slot);
  const Attribute* attribute = at.node.findAttribute(name);
  return attribute == nullptr ? ValueId()
                              : at.build.number(static_cast<double>(at.node.attributeOr<float>(name, 0)), at.x(0));
}

void backClip(Backward& at) {
  GradientBuilder& b = at.build;
  const ValueId x = at.x(0), zero = b.number(0, x);
  const ValueId low = limitOf(at, 1, "min"), high = limitOf(at, 2, "max");
  ValueId inside = at.g();
  if (low.valid()) inside = b.node("Where", {b.node("Less", {x, low}), zero, inside});
  if (high.valid()) inside = b.node("Where", {b.node("Greater", {x, high}), zero, inside});
  at.give(0, inside);
  // An upper limit below the lower one wins.
  const ValueId above = high.valid() ? b.node("Greater", {low.valid() ? b.node("Max", {x, low}) : x, high}) : ValueId();
  if (at.wants(1)) {
    const ValueId below = b.node("Where", {b.node("Less", {x, low}), at.g(), zero});
    at.give(1, b.sumTo(above.valid() ? b.node("Where", {above, zero, below}) : below, low));
  }
  if (at.wants(2)) at.give(2, b.sumTo(b.node("Where", {above, at.g(), zero}), high));
}

void backDropout(Backward& at) {
  GradientBuilder& b = at.build;
  if (at.node.sinceVersion < 12 || !at.has(2)) return at.give(0, at.g());  // inference: the input itself
  const ValueId kept = b.node("CastLike", {b.askFor(at.id, 1), at.g()});
  const ValueId one = b.number(1, at.g());
  const ValueId ratio = at.has(1) ? b.node("CastLike", {at.x(1), at.g()}) : b.number(0.5, at.g());
  const ValueId scale = b.node("Where", {at.x(2), b.div(one, b.sub(one, ratio)), one});
  at.give(0, b.mul(b.mul(at.g(), kept), scale));
}

// values, indices = TopK(x): the gradient goes back to where the values were found.
void backTopK(Backward& at) {
  GradientBuilder& b = at.build;
  const int64_t axis = at.node.attributeOr<int64_t>("axis", -1);
  const ValueId zeros = b.filled(0, at.x(0));
  at.give(0, b.node("ScatterElements", {zeros, b.askFor(at.id, 1), at.g()},
                    {{"axis", axis}, {"reduction", std::string("add")}}));
}

constexpr GradientRule kRules[] = {
    {"Max", backExtreme}, {"Min", backExtreme},     {"Where", backWhere},
    {"Clip", backClip},   {"Dropout", backDropout}, {"TopK", backTopK},
};

}  // namespace

GradientRules selectionGradients() {
  return kRules;
}

}  // namespace cutaway::optimize
