// Nodes that give their input back unchanged: the readers of the result read the input instead.

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/stages/optimize/constant_values.h"
#include "engine/stages/optimize/graph_pass.h"

namespace cutaway::optimize {

namespace {

// Gives the slot of the input that comes out unchanged, or -1.
using Test = int (*)(const PassContext&, NodeId);

bool sameStaticShape(const PassContext& context, NodeId id) {
  const ValueType& from = context.type(context.input(id, 0));
  const ValueType& to = context.type(context.output(id, 0));
  return from.isTensor() && to.isTensor() && from.element == to.element && from.shape && to.shape &&
         from.shape->isStatic() && *from.shape == *to.shape;
}

int always(const PassContext&, NodeId) {
  return 0;
}

int dropout(const PassContext& context, NodeId id) {
  const ValueId mask = context.output(id, 1);
  if (mask.valid() && (!context.graph().value(mask).uses.empty() || context.isOutput(mask))) return -1;
  if (context.node(id).opsetVersion < 12)
    return context.node(id).opsetVersion >= 7 || context.node(id).attributeOr<int64_t>("is_test", 0) != 0 ? 0 : -1;
  const ValueId training = context.input(id, 2);
  if (!training.valid()) return 0;
  const Tensor* constant = context.constant(training);
  return constant != nullptr && constant->type() == ElementType::kBool && constant->elementCount() == 1 &&
                 *static_cast<const uint8_t*>(constant->data()) == 0
             ? 0
             : -1;
}

int cast(const PassContext& context, NodeId id) {
  const ValueType& from = context.type(context.input(id, 0));
  return from.isTensor() && from.element != ElementType::kUndefined &&
                 static_cast<int64_t>(from.element) == context.node(id).attributeOr<int64_t>("to", 0)
             ? 0
             : -1;
}

// Equal symbols are equal sizes.
bool sameShapeOrSymbols(const ValueType& from, const ValueType& to) {
  if (!from.isTensor() || !to.isTensor() || !from.shape || !to.shape || from.shape->rank() != to.shape->rank())
    return false;
  for (size_t axis = 0; axis < from.shape->rank(); ++axis) {
    if (!(*from.shape)[axis].sameAs((*to.shape)[axis])) return false;
  }
  return true;
}

// x op c, where every element of c is the neutral one and c cannot change the shape of x.
int neutral(const PassContext& context, NodeId id, double value, bool eitherSide) {
  if (context.node(id).opsetVersion < 7) return -1;
  for (size_t slot = 0; slot < 2; ++slot) {
    const ValueId kept = context.input(id, slot);
    const Tensor* other = context.constant(context.input(id, 1 - slot));
    if (other == nullptr || !kept.valid() || (slot == 1 && !eitherSide) || !isFilledWith(*other, value)) continue;
    const ValueType& type = context.type(kept);
    const bool single =
        other->elementCount() == 1 && type.isTensor() && type.shape && type.shape->rank() >= other->rank();
    if (single || sameShapeOrSymbols(type, context.type(context.output(id, 0)))) return static_cast<int>(slot);
  }
  return -1;
}
int add(const PassContext& context, NodeId id) {
  return neutral(context, id, 0, true);
}
int subtract(const PassContext& context, NodeId id) {
  return neutral(context, id, 0, false);
}
int multiply(const PassContext& context, NodeId id) {
  return neutral(context, id, 1, true);
}
int divide(const PassContext& context, NodeId id) {
  return neutral(context, id, 1, false);
}

int transpose(const PassContext& context, NodeId id) {
  const auto perm = context.node(id).attributeOr<std::vector<int64_t>>("perm", {});
  if (perm.empty()) {
    const ValueType& type = context.type(context.input(id, 0));
    return type.isTensor() && type.shape && type.shape->rank() <= 1 ? 0 : -1;
  }
  for (size_t axis = 0; axis < perm.size(); ++axis) {
    if (perm[axis] != static_cast<int64_t>(axis)) return -1;
  }
  return 0;
}

int sameShape(const PassContext& context, NodeId id) {
  return sameStaticShape(context, id) ? 0 : -1;
}

int pad(const PassContext& context, NodeId id) {
  std::vector<int64_t> pads = context.node(id).attributeOr<std::vector<int64_t>>("pads", {});
  if (context.node(id).opsetVersion >= 11) {
    const Tensor* constant = context.constant(context.input(id, 1));
    if (constant == nullptr) return -1;
    pads = integers(*constant);
  }
  return !pads.empty() && std::ranges::all_of(pads, [](int64_t each) { return each == 0; }) ? 0 : -1;
}

int tile(const PassContext& context, NodeId id) {
  const Tensor* repeats = context.constant(context.input(id, 1));
  if (repeats == nullptr || context.node(id).opsetVersion < 6) return -1;
  const std::vector<int64_t> counts = integers(*repeats);
  return !counts.empty() && std::ranges::all_of(counts, [](int64_t each) { return each == 1; }) ? 0 : -1;
}

// Every slice takes its whole axis, whatever its length is.
int slice(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  std::vector<int64_t> starts = node.attributeOr<std::vector<int64_t>>("starts", {});
  std::vector<int64_t> ends = node.attributeOr<std::vector<int64_t>>("ends", {});
  if (node.opsetVersion >= 10) {
    const Tensor* first = context.constant(context.input(id, 1));
    const Tensor* last = context.constant(context.input(id, 2));
    if (first == nullptr || last == nullptr) return -1;
    starts = integers(*first);
    ends = integers(*last);
    if (const ValueId steps = context.input(id, 4); steps.valid()) {
      const Tensor* constant = context.constant(steps);
      if (constant == nullptr || std::ranges::any_of(integers(*constant), [](int64_t each) { return each != 1; }))
        return -1;
    }
  }
  constexpr int64_t kToTheEnd = std::numeric_limits<int32_t>::max();
  if (starts.empty() || starts.size() != ends.size()) return -1;
  for (size_t i = 0; i < starts.size(); ++i) {
    if (starts[i] != 0 || ends[i] < kToTheEnd)
      return sameStaticShape(context, id) && std::ranges::all_of(starts, [](int64_t each) { return each == 0; }) ? 0
                                                                                                                 : -1;
  }
  return 0;
}

int oneInput(const PassContext& context, NodeId id) {
  return context.node(id).inputs.size() == 1 ? 0 : -1;
}

struct Row {
  std::string_view opType;
  Test test;
  std::string_view why;
};

constexpr std::array kRows = {
    Row{"Identity", always, "an Identity changes nothing"},
    Row{"Dropout", dropout, "a Dropout changes nothing when a model is only run"},
    Row{"Cast", cast, "the value has this type already"},
    Row{"Add", add, "x + 0 is x"},
    Row{"Sub", subtract, "x - 0 is x"},
    Row{"Mul", multiply, "x * 1 is x"},
    Row{"Div", divide, "x / 1 is x"},
    Row{"Transpose", transpose, "the axes stay where they are"},
    Row{"Reshape", sameShape, "the value has this shape already"},
    Row{"Flatten", sameShape, "the value has this shape already"},
    Row{"Expand", sameShape, "the value has this shape already"},
    Row{"Squeeze", sameShape, "the value has this shape already"},
    Row{"Pad", pad, "nothing is added on any side"},
    Row{"Tile", tile, "each axis is repeated once"},
    Row{"Slice", slice, "the slice takes everything"},
    Row{"Concat", oneInput, "there is nothing to join"},
    Row{"Sum", oneInput, "there is nothing to add"},
    Row{"Max", oneInput, "there is nothing to compare"},
    Row{"Min", oneInput, "there is nothing to compare"},
    Row{"Mean", oneInput, "there is nothing to average"},
};

std::optional<GraphPatch> match(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (!node.domain.empty()) return std::nullopt;
  const auto row = std::ranges::find(kRows, std::string_view(node.opType), &Row::opType);
  if (row == kRows.end() || !context.input(id, 0).valid() || !context.output(id, 0).valid()) return std::nullopt;
  const int slot = row->test(context, id);
  if (slot < 0) return std::nullopt;
  const ValueId from = context.output(id, 0);
  const ValueId to = context.input(id, static_cast<size_t>(slot));
  const Value& source = context.graph().value(to);
  // A graph output needs a node that makes it under its own name.
  if (context.isOutput(from) && (!source.producer.valid() || source.outputCount > 0)) return std::nullopt;
  if (context.type(from).layout != source.type.layout) return std::nullopt;
  GraphPatch patch;
  patch.note = fmt::format("{}: {}", context.label(id), row->why);
  patch.removeNodes = {id};
  patch.replaceValues = {{from, to}};
  return patch;
}

constexpr GraphPass kPass{.name = "NoopElimination",
                          .purpose = "drops nodes that give their input back unchanged",
                          .level = 1,
                          .match = match};

}  // namespace

const GraphPass& pass_eliminate_noops() {
  return kPass;
}

}  // namespace cutaway::optimize
