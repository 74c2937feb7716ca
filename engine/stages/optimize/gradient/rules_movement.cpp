// Gradients of operators that only move, repeat or leave out elements.

#include <numeric>

#include "engine/stages/optimize/gradient/gradient_rules.h"

namespace cutaway::optimize {

namespace {

void backReshape(Backward& at) {
  at.give(0, at.build.reshapeLike(at.g(), at.x(0)));
}

void backTranspose(Backward& at) {
  const int64_t rank = at.rankOf(0);
  std::vector<int64_t> order = at.node.attributeOr<std::vector<int64_t>>("perm", {});
  if (order.empty()) {
    for (int64_t i = rank; i-- > 0;)
      order.push_back(i);
  }
  std::vector<int64_t> inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] < 0 || order[i] >= static_cast<int64_t>(order.size()))
      return at.refuse("perm is no order of the axes");
    inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  at.give(0, at.build.transpose(at.g(), std::move(inverse)));
}

void backExpand(Backward& at) {
  at.giveBroadcast(0, at.g());
}

// Elements were moved without change: the same operator over their places tells where each came from. Repeated elements
// add up.
void backByPlaces(Backward& at) {
  if (at.node.outputs.size() != 1) return at.refuse("it has several outputs");
  std::vector<ValueId> inputs = at.node.inputs;
  inputs[0] = at.build.placesOf(at.x(0));
  at.give(0, at.build.scatter(at.g(), at.build.copyOf(at.node, inputs)[0], at.x(0)));
}

void backConcat(Backward& at) {
  GradientBuilder& b = at.build;
  const int64_t axis = at.node.attributeOr<int64_t>("axis", 1);
  std::vector<ValueId> lengths;
  const int64_t rank = at.rankOf(0), place = axis < 0 ? axis + rank : axis;
  for (const ValueId input : at.node.inputs)
    lengths.push_back(b.slicedShape(input, place, place + 1));
  const ValueId sizes = lengths.size() == 1 ? lengths[0] : b.node("Concat", lengths, {{"axis", int64_t{0}}});
  const std::vector<ValueId> parts = b.nodes("Split", {at.g(), sizes}, {{"axis", axis}}, lengths.size());
  for (size_t i = 0; i < parts.size(); ++i)
    at.give(i, parts[i]);
}

void backSplit(Backward& at) {
  GradientBuilder& b = at.build;
  std::vector<ValueId> parts;
  for (size_t i = 0; i < at.node.outputs.size(); ++i) {
    if (!at.node.outputs[i].valid()) return at.refuse("one of its outputs is left out");
    parts.push_back(at.hasGradient(i) ? at.g(i) : b.filled(0, at.y(i)));
  }
  at.give(0, b.node("Concat", parts, {{"axis", at.node.attributeOr<int64_t>("axis", 0)}}));
}

// Along axes that are left as they are, or cut without steps at known places, the gradient is padded; else elements go
// back one by one.
void backSlice(Backward& at) {
  GradientBuilder& b = at.build;
  const auto from = b.dims(at.x(0)), to = b.dims(at.g());
  if (at.node.sinceVersion < 10 || !from || !to) return backByPlaces(at);
  const Tensor *starts = b.constant(at.x(1)), *axes = b.constant(at.x(3)), *steps = b.constant(at.x(4));
  const auto integersOf = [](const Tensor* tensor) {
    std::vector<int64_t> values;
    if (tensor != nullptr && tensor->type() == ElementType::kInt64)
      values.assign(tensor->span<int64_t>().begin(), tensor->span<int64_t>().end());
    if (tensor != nullptr && tensor->type() == ElementType::kInt32)
      values.assign(tensor->span<int32_t>().begin(), tensor->span<int32_t>().end());
    return values;
  };
  const std::vector<int64_t> begins = integersOf(starts), stepSizes = integersOf(steps);
  std::vector<int64_t> places = integersOf(axes);
  const bool plain = starts != nullptr && (!at.has(3) || axes != nullptr) && (!at.has(4) || steps != nullptr) &&
                     std::ranges::all_of(stepSizes, [](int64_t step) { return step == 1; });
  if (!plain) return backByPlaces(at);
  if (!at.has(3)) {
    places.resize(begins.size());
    std::iota(places.begin(), places.end(), 0);
  }
  const int64_t rank = static_cast<int64_t>(from->size());
  std::vector<int64_t> pads(2 * from->size());
  for (size_t i = 0; i < places.size() && i < begins.size(); ++i) {
    const int64_t axis = places[i] < 0 ? places[i] + rank : places[i];
    if (axis < 0 || axis >= rank) return at.refuse("an axis does not exist");
    const size_t k = static_cast<size_t>(axis);
    const int64_t begin = std::clamp<int64_t>(begins[i] < 0 ? begins[i] + (*from)[k] : begins[i], 0, (*from)[k]);
    pads[k] = begin;
    pads[from->size() + k] = (*from)[k] - begin - (*to)[k];
  }
  at.give(0, b.node("Pad", {at.g(), b.integers(std::move(pads))}));
}

// Rows of x along one axis, each perhaps several times: they are added up at their places, with the axis in front.
void backGather(Backward& at) {
  GradientBuilder& b = at.build;
  const int64_t rank = at.rankOf(0), chosen = at.rankOf(1);
  int64_t axis = at.node.attributeOr<int64_t>("axis", 0);
  if (axis < 0) axis += rank;
  if (!b.status()) return;
  std::vector<int64_t> toFront, axisFirst{axis}, back;  // over g, over x, and back again
  for (int64_t i = 0; i < chosen; ++i)
    toFront.push_back(axis + i);
  for (int64_t i = 0; i < axis; ++i)
    toFront.push_back(i);
  for (int64_t i = axis + chosen; i < rank - 1 + chosen; ++i)
    toFront.push_back(i);
  for (int64_t i = 0; i < rank; ++i) {
    if (i != axis) axisFirst.push_back(i);
    back.push_back(i < axis ? i + 1 : i == axis ? 0 : i);
  }
  const bool moved = axis != 0;
  const ValueId zeros = moved ? b.transpose(b.filled(0, at.x(0)), axisFirst) : b.filled(0, at.x(0));
  const ValueId updates = moved && rank > 1 ? b.transpose(at.g(), toFront) : at.g();
  const ValueId places = b.node(
      "Unsqueeze",
      {b.type(at.x(1)).element == ElementType::kInt64 ? at.x(1) : b.node("Cast", {at.x(1)}, {{"to", int64_t{7}}}),
       b.integers({-1})});
  const ValueId summed = b.node("ScatterND", {zeros, places, updates}, {{"reduction", std::string("add")}});
  at.give(0, moved ? b.transpose(summed, back) : summed);
}

void backGatherElements(Backward& at) {
  const ValueId zeros = at.build.filled(0, at.x(0));
  at.give(0, at.build.node("ScatterElements", {zeros, at.x(1), at.g()},
                           {{"axis", at.node.attributeOr<int64_t>("axis", 0)}, {"reduction", std::string("add")}}));
}

void backGatherNd(Backward& at) {
  if (at.node.attributeOr<int64_t>("batch_dims", 0) != 0) return backByPlaces(at);
  at.give(0, at.build.node("ScatterND", {at.build.filled(0, at.x(0)), at.x(1), at.g()},
                           {{"reduction", std::string("add")}}));
}

// Of the reductions, only sums; without one, overwritten elements do not matter any more.
void backScatter(Backward& at) {
  GradientBuilder& b = at.build;
  const std::string reduction = at.node.attributeOr<std::string>("reduction", "none");
  const bool elements = at.node.opType != "ScatterND";
  const std::vector<Attribute> axis =
      elements ? std::vector<Attribute>{{"axis", at.node.attributeOr<int64_t>("axis", 0)}} : std::vector<Attribute>{};
  if (reduction != "none" && reduction != "add") return at.refuse(fmt::format("reduction is {}", reduction));
  if (at.wants(2)) at.give(2, b.node(elements ? "GatherElements" : "GatherND", {at.g(), at.x(1)}, axis));
  if (!at.wants(0)) return;
  if (reduction == "add") return at.give(0, at.g());
  at.give(0, b.node(elements ? "ScatterElements" : "ScatterND", {at.g(), at.x(1), b.filled(0, at.x(2))}, axis));
}

// Constant padding is cut off again; a padding value gets what fell on the border. The other modes repeat elements.
void backPad(Backward& at) {
  GradientBuilder& b = at.build;
  if (at.node.attributeOr<std::string>("mode", "constant") != "constant") return backByPlaces(at);
  ValueId pads = at.x(1);
  if (at.node.sinceVersion < 11) {
    const std::string_view name = at.node.findAttribute("pads") != nullptr ? "pads" : "paddings";
    pads = b.integers(at.node.attributeOr<std::vector<int64_t>>(name, {}));
  }
  std::vector<ValueId> inputs{at.g(), b.neg(pads)};
  if (at.has(3)) inputs = {at.g(), b.neg(pads), ValueId(), at.x(3)};
  const ValueId inner = b.node("Pad", inputs);
  at.give(0, inner);
  if (at.wants(2))
    at.give(2, b.sumTo(b.sub(b.sum(b.reshape(at.g(), b.integers({-1})), {0}, false),
                             b.sum(b.reshape(inner, b.integers({-1})), {0}, false)),
                       at.x(2)));
}

void backDepthToSpace(Backward& at) {
  backByPlaces(at);
}

// What was zeroed stays zero.
void backTrilu(Backward& at) {
  std::vector<ValueId> inputs = at.node.inputs;
  inputs[0] = at.g();
  at.give(0, at.build.copyOf(at.node, inputs)[0]);
}

constexpr GradientRule kRules[] = {
    {"Reshape", backReshape},
    {"Flatten", backReshape},
    {"Squeeze", backReshape},
    {"Unsqueeze", backReshape},
    {"Transpose", backTranspose},
    {"Expand", backExpand},
    {"Tile", backByPlaces},
    {"Concat", backConcat},
    {"Split", backSplit},
    {"Slice", backSlice},
    {"Gather", backGather},
    {"GatherElements", backGatherElements},
    {"GatherND", backGatherNd},
    {"ScatterElements", backScatter},
    {"Scatter", backScatter},
    {"ScatterND", backScatter},
    {"Pad", backPad},
    {"DepthToSpace", backDepthToSpace},
    {"SpaceToDepth", backByPlaces},
    {"ReverseSequence", backByPlaces},
    {"Compress", backByPlaces},
    {"Trilu", backTrilu},
};

}  // namespace

GradientRules movementGradients() {
  return kRules;
}

}  // namespace cutaway::optimize
