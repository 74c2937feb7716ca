// Gradients of normalisations. With n = (x - mean) / deviation, a gradient of n loses its mean and its part along n
// before it reaches x.

#include <numeric>

#include "engine/stages/optimize/gradient/gradient_rules.h"

namespace cutaway::optimize {

namespace {

using Integers = std::vector<int64_t>;

// Inference: mean and variance are inputs. scale, B, mean and variance are [C]; they stand along axis 1.
void backBatchNormalization(Backward& at) {
  GradientBuilder& b = at.build;
  const int64_t rank = at.rankOf(0);
  if (at.node.attributeOr<int64_t>("training_mode", 0) != 0) return at.refuse("training mode");
  if (!b.status()) return;
  Integers others{0};
  for (int64_t i = 2; i < rank; ++i)
    others.push_back(i);
  Integers channelShape(static_cast<size_t>(std::max<int64_t>(rank - 1, 1)), 1);
  channelShape[0] = -1;
  const auto alongChannels = [&](ValueId id) {
    return b.reshape(b.type(id).element == b.type(at.x(0)).element ? id : b.node("CastLike", {id, at.x(0)}),
                     b.integers(channelShape));
  };
  const auto perChannel = [&](ValueId id, size_t slot) {
    const ValueId summed = b.sum(id, others, false);
    return b.type(at.x(slot)).element == b.type(summed).element ? summed : b.node("CastLike", {summed, at.x(slot)});
  };
  const double epsilon = static_cast<double>(at.node.attributeOr<float>("epsilon", 1e-5f));
  const ValueId variance = alongChannels(at.x(4));
  const ValueId inverse = b.node("Reciprocal", {b.node("Sqrt", {b.add(variance, b.number(epsilon, variance))})});
  const ValueId factor = b.mul(alongChannels(at.x(1)), inverse);
  const ValueId carried = b.mul(at.g(), factor);
  at.give(0, carried);
  if (at.wants(2)) at.give(2, perChannel(at.g(), 2));
  if (at.wants(3)) at.give(3, perChannel(b.neg(carried), 3));
  if (!at.wants(1) && !at.wants(4)) return;
  const ValueId normal = b.mul(b.sub(at.x(0), alongChannels(at.x(3))), inverse);
  if (at.wants(1)) at.give(1, perChannel(b.mul(at.g(), normal), 1));
  if (at.wants(4)) at.give(4, perChannel(b.mul(b.number(-0.5, inverse), b.mul(b.mul(carried, normal), inverse)), 4));
}

// g is the gradient of the normalised values over `axes`.
ValueId throughMoments(GradientBuilder& b, ValueId g, ValueId normal, ValueId inverse, const Integers& axes,
                       bool centered) {
  const auto meanOf = [&](ValueId id) { return b.node("ReduceMean", {id, b.integers(axes)}); };
  ValueId left = b.sub(g, b.mul(normal, meanOf(b.mul(g, normal))));
  if (centered) left = b.sub(left, meanOf(g));
  return b.mul(inverse, left);
}

void backLayerNormalization(Backward& at) {
  GradientBuilder& b = at.build;
  const int64_t rank = at.rankOf(0);
  int64_t axis = at.node.attributeOr<int64_t>("axis", -1);
  if (axis < 0) axis += rank;
  if (!b.status()) return;
  if (at.hasGradient(1) || at.hasGradient(2)) return at.refuse("its mean or deviation is used");
  Integers axes(static_cast<size_t>(std::max<int64_t>(rank - axis, 0)));
  std::iota(axes.begin(), axes.end(), axis);
  const bool centered = at.node.opType == "LayerNormalization";
  const double epsilon = static_cast<double>(at.node.attributeOr<float>("epsilon", 1e-5f));
  const ValueId x = at.x(0);
  const ValueId shifted = centered ? b.sub(x, b.node("ReduceMean", {x, b.integers(axes)})) : x;
  const ValueId variance = b.node("ReduceMean", {b.mul(shifted, shifted), b.integers(axes)});
  const ValueId inverse = b.node("Reciprocal", {b.node("Sqrt", {b.add(variance, b.number(epsilon, variance))})});
  const ValueId normal = b.mul(shifted, inverse);
  if (at.wants(0)) at.give(0, throughMoments(b, b.mul(at.g(), at.x(1)), normal, inverse, axes, centered));
  if (at.wants(1)) at.giveBroadcast(1, b.mul(at.g(), normal));
  if (at.wants(2)) at.giveBroadcast(2, at.g());
}

// Each channel of each example by itself.
void backInstanceNormalization(Backward& at) {
  GradientBuilder& b = at.build;
  const int64_t rank = at.rankOf(0);
  if (!b.status()) return;
  Integers axes, others{0}, channelShape(static_cast<size_t>(std::max<int64_t>(rank - 1, 1)), 1);
  for (int64_t i = 2; i < rank; ++i)
    axes.push_back(i), others.push_back(i);
  channelShape[0] = -1;
  const double epsilon = static_cast<double>(at.node.attributeOr<float>("epsilon", 1e-5f));
  const ValueId shifted = b.sub(at.x(0), b.node("ReduceMean", {at.x(0), b.integers(axes)}));
  const ValueId variance = b.node("ReduceMean", {b.mul(shifted, shifted), b.integers(axes)});
  const ValueId inverse = b.node("Reciprocal", {b.node("Sqrt", {b.add(variance, b.number(epsilon, variance))})});
  const ValueId normal = b.mul(shifted, inverse);
  if (at.wants(0))
    at.give(
        0, throughMoments(b, b.mul(at.g(), b.reshape(at.x(1), b.integers(channelShape))), normal, inverse, axes, true));
  if (at.wants(1)) at.give(1, b.sum(b.mul(at.g(), normal), others, false));
  if (at.wants(2)) at.give(2, b.sum(at.g(), others, false));
}

constexpr GradientRule kRules[] = {
    {"BatchNormalization", backBatchNormalization},
    {"LayerNormalization", backLayerNormalization},
    {"RMSNormalization", backLayerNormalization},
    {"InstanceNormalization", backInstanceNormalization},
};

}  // namespace

GradientRules normalizationGradients() {
  return kRules;
}

}  // namespace cutaway::optimize
