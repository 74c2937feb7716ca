// Gradients of operators that work element by element.

#include <cmath>
#include <numbers>

#include "engine/stages/optimize/gradient/gradient_rules.h"

namespace cutaway::optimize {

namespace {

// Names of the usual operators, so that a rule reads like its formula.
struct Formula {
  GradientBuilder& b;
  ValueId like;
  ValueId c(double value) const { return b.number(value, like); }
  ValueId op(std::string_view name, ValueId a) const { return b.node(name, {a}); }
  ValueId square(ValueId a) const { return b.mul(a, a); }
  ValueId oneMinus(ValueId a) const { return b.sub(c(1), a); }
  ValueId onePlus(ValueId a) const { return b.add(c(1), a); }
  // Where the condition does not hold: zero.
  ValueId where(ValueId condition, ValueId then, ValueId otherwise) const {
    return b.node("Where", {condition, then, otherwise});
  }
  ValueId positive(ValueId x) const { return b.node("Greater", {x, c(0)}); }
};

// A rule from the slope f'(x), where x is the input and y the output.
#define CUTAWAY_SLOPE(name, expression)                     \
  void name(Backward& at) {                                 \
    [[maybe_unused]] const Formula f{at.build, at.x(0)};    \
    [[maybe_unused]] const ValueId x = at.x(0), y = at.y(); \
    at.give(0, at.build.mul(at.g(), expression));           \
  }

double alphaOf(const Backward& at, float otherwise) {
  return static_cast<double>(at.node.attributeOr<float>("alpha", otherwise));
}

CUTAWAY_SLOPE(backAbs, f.op("Sign", x))
CUTAWAY_SLOPE(backExp, y)
CUTAWAY_SLOPE(backLog, f.op("Reciprocal", x))
CUTAWAY_SLOPE(backSqrt, f.b.div(f.c(0.5), y))
CUTAWAY_SLOPE(backReciprocal, f.b.neg(f.square(y)))
CUTAWAY_SLOPE(backSin, f.op("Cos", x))
CUTAWAY_SLOPE(backCos, f.b.neg(f.op("Sin", x)))
CUTAWAY_SLOPE(backTan, f.onePlus(f.square(y)))
CUTAWAY_SLOPE(backAsin, f.op("Reciprocal", f.op("Sqrt", f.oneMinus(f.square(x)))))
CUTAWAY_SLOPE(backAcos, f.b.neg(f.op("Reciprocal", f.op("Sqrt", f.oneMinus(f.square(x))))))
CUTAWAY_SLOPE(backAtan, f.op("Reciprocal", f.onePlus(f.square(x))))
CUTAWAY_SLOPE(backSinh, f.op("Cosh", x))
CUTAWAY_SLOPE(backCosh, f.op("Sinh", x))
CUTAWAY_SLOPE(backTanh, f.oneMinus(f.square(y)))
CUTAWAY_SLOPE(backAsinh, f.op("Reciprocal", f.op("Sqrt", f.onePlus(f.square(x)))))
CUTAWAY_SLOPE(backAcosh, f.op("Reciprocal", f.op("Sqrt", f.b.sub(f.square(x), f.c(1)))))
CUTAWAY_SLOPE(backAtanh, f.op("Reciprocal", f.oneMinus(f.square(x))))
CUTAWAY_SLOPE(backSigmoid, f.b.mul(y, f.oneMinus(y)))
CUTAWAY_SLOPE(backErf, f.b.mul(f.c(2 / std::sqrt(std::numbers::pi)), f.op("Exp", f.b.neg(f.square(x)))))
CUTAWAY_SLOPE(backSoftplus, f.op("Sigmoid", x))
CUTAWAY_SLOPE(backSoftsign, f.op("Reciprocal", f.square(f.onePlus(f.op("Abs", x)))))
CUTAWAY_SLOPE(backRelu, f.where(f.positive(x), f.c(1), f.c(0)))
CUTAWAY_SLOPE(backLeakyRelu, f.where(f.b.node("GreaterOrEqual", {x, f.c(0)}), f.c(1), f.c(alphaOf(at, 0.01f))))
// a e^x = y + a left of zero.
CUTAWAY_SLOPE(backElu, f.where(f.b.node("GreaterOrEqual", {x, f.c(0)}), f.c(1), f.b.add(y, f.c(alphaOf(at, 1.0f)))))
CUTAWAY_SLOPE(backCelu,
              f.where(f.b.node("GreaterOrEqual", {x, f.c(0)}), f.c(1), f.op("Exp", f.b.div(x, f.c(alphaOf(at, 1.0f))))))
CUTAWAY_SLOPE(backThresholdedRelu, f.where(f.b.node("Greater", {x, f.c(alphaOf(at, 1.0f))}), f.c(1), f.c(0)))

#undef CUTAWAY_SLOPE

void backSelu(Backward& at) {
  const Formula f{at.build, at.x(0)};
  const double alpha = alphaOf(at, 1.67326319217681884765625f),
               gamma = static_cast<double>(at.node.attributeOr<float>("gamma", 1.05070102214813232421875f));
  at.give(0, at.build.mul(at.g(), f.where(f.positive(at.x(0)), f.c(gamma), at.build.add(at.y(), f.c(alpha * gamma)))));
}

void backHardSigmoid(Backward& at) {
  const Formula f{at.build, at.x(0)};
  const ValueId inside = at.build.node("And", {f.positive(at.y()), at.build.node("Less", {at.y(), f.c(1)})});
  at.give(0, at.build.mul(at.g(), f.where(inside, f.c(alphaOf(at, 0.2f)), f.c(0))));
}

// x F(x), F the normal distribution: F(x) + x F'(x). The tanh form: Hendrycks and Gimpel, Gaussian Error Linear Units,
// 2016.
void backGelu(Backward& at) {
  const Formula f{at.build, at.x(0)};
  GradientBuilder& b = at.build;
  const ValueId x = at.x(0);
  if (at.node.attributeOr<std::string>("approximate", "none") == "tanh") {
    const double scale = std::sqrt(2 / std::numbers::pi), cubic = 0.044715;
    const ValueId square = f.square(x);
    const ValueId bent = f.op("Tanh", b.mul(b.mul(f.c(scale), x), f.onePlus(b.mul(f.c(cubic), square))));
    const ValueId inner = b.mul(f.c(scale), f.onePlus(b.mul(f.c(3 * cubic), square)));
    const ValueId slope = b.add(f.onePlus(bent), b.mul(b.mul(x, f.oneMinus(f.square(bent))), inner));
    at.give(0, b.mul(at.g(), b.mul(f.c(0.5), slope)));
    return;
  }
  const ValueId below = b.mul(f.c(0.5), f.onePlus(f.op("Erf", b.mul(f.c(1 / std::numbers::sqrt2), x))));
  const ValueId density = b.mul(f.c(1 / std::sqrt(2 * std::numbers::pi)), f.op("Exp", b.mul(f.c(-0.5), f.square(x))));
  at.give(0, b.mul(at.g(), b.add(below, b.mul(x, density))));
}

void backAdd(Backward& at) {
  at.giveBroadcast(0, at.g());
  at.giveBroadcast(1, at.g());
}

void backSum(Backward& at) {
  for (size_t i = 0; i < at.node.inputs.size(); ++i)
    at.giveBroadcast(i, at.g());
}

void backMean(Backward& at) {
  const ValueId share = at.build.div(at.g(), at.build.number(static_cast<double>(at.node.inputs.size()), at.y()));
  for (size_t i = 0; i < at.node.inputs.size(); ++i)
    at.giveBroadcast(i, share);
}

void backSub(Backward& at) {
  at.giveBroadcast(0, at.g());
  if (at.wants(1)) at.giveBroadcast(1, at.build.neg(at.g()));
}

void backMul(Backward& at) {
  if (at.wants(0)) at.giveBroadcast(0, at.build.mul(at.g(), at.x(1)));
  if (at.wants(1)) at.giveBroadcast(1, at.build.mul(at.g(), at.x(0)));
}

void backDiv(Backward& at) {
  const ValueId share = at.build.div(at.g(), at.x(1));
  at.giveBroadcast(0, share);
  if (at.wants(1)) at.giveBroadcast(1, at.build.neg(at.build.mul(share, at.y())));
}

// The exponent may be of another type.
void backPow(Backward& at) {
  const Formula f{at.build, at.x(0)};
  GradientBuilder& b = at.build;
  const ValueId x = at.x(0);
  const ValueId exponent = b.type(at.x(1)).element == b.type(x).element ? at.x(1) : b.node("CastLike", {at.x(1), x});
  if (at.wants(0)) {
    // x^0 has the slope 0 also where x is 0.
    const ValueId slope = b.mul(exponent, b.node("Pow", {x, b.sub(exponent, f.c(1))}));
    const ValueId still = b.node("Equal", {exponent, f.c(0)});
    at.giveBroadcast(0, b.mul(at.g(), f.where(still, f.c(0), slope)));
  }
  if (!at.wants(1)) return;
  // The limit of x^e log x at x = 0 is 0.
  const ValueId safe = f.where(f.positive(x), x, f.c(1));
  const ValueId slope = b.mul(b.mul(at.g(), at.y()), f.op("Log", safe));
  const ValueId summed = b.sumTo(slope, at.x(1));
  at.give(1, b.type(at.x(1)).element == b.type(x).element ? summed : b.node("CastLike", {summed, at.x(1)}));
}

void backNeg(Backward& at) {
  at.give(0, at.build.neg(at.g()));
}
void backIdentity(Backward& at) {
  at.give(0, at.g());
}
void backCast(Backward& at) {
  at.give(0, at.build.node("CastLike", {at.g(), at.x(0)}));
}

void backPRelu(Backward& at) {
  const Formula f{at.build, at.x(0)};
  GradientBuilder& b = at.build;
  const ValueId negative = b.node("Less", {at.x(0), f.c(0)});
  if (at.wants(0)) at.give(0, b.mul(at.g(), f.where(negative, at.x(1), f.c(1))));
  if (at.wants(1)) at.giveBroadcast(1, f.where(negative, b.mul(at.g(), at.x(0)), f.c(0)));
}

// a mod b = a - b trunc(a / b) (fmod = 1).
void backMod(Backward& at) {
  at.giveBroadcast(0, at.g());
  if (at.wants(1)) at.refuse("no rule for the divisor");
}

constexpr GradientRule kRules[] = {
    {"Abs", backAbs},
    {"Exp", backExp},
    {"Log", backLog},
    {"Sqrt", backSqrt},
    {"Reciprocal", backReciprocal},
    {"Sin", backSin},
    {"Cos", backCos},
    {"Tan", backTan},
    {"Asin", backAsin},
    {"Acos", backAcos},
    {"Atan", backAtan},
    {"Sinh", backSinh},
    {"Cosh", backCosh},
    {"Tanh", backTanh},
    {"Asinh", backAsinh},
    {"Acosh", backAcosh},
    {"Atanh", backAtanh},
    {"Sigmoid", backSigmoid},
    {"Erf", backErf},
    {"Softplus", backSoftplus},
    {"Softsign", backSoftsign},
    {"Relu", backRelu},
    {"LeakyRelu", backLeakyRelu},
    {"Elu", backElu},
    {"Celu", backCelu},
    {"ThresholdedRelu", backThresholdedRelu},
    {"Selu", backSelu},
    {"HardSigmoid", backHardSigmoid},
    {"Gelu", backGelu},
    {"Add", backAdd},
    {"Sum", backSum},
    {"Mean", backMean},
    {"Sub", backSub},
    {"Mul", backMul},
    {"Div", backDiv},
    {"Pow", backPow},
    {"Neg", backNeg},
    {"Identity", backIdentity},
    {"Cast", backCast},
    {"CastLike", backCast},
    {"PRelu", backPRelu},
    {"Mod", backMod},
};

}  // namespace

GradientRules elementwiseGradients() {
  return kRules;
}

}  // namespace cutaway::optimize
