// What a Loop hands from one iteration to the next unchanged is read from the graph around it. Exporters list every
// value that a body reads as such a state, weights too; as a captured value it is a constant again, and what the body
// computes of constants alone is folded.

#include <algorithm>

#include "engine/stages/optimize/graph_pass.h"

namespace cutaway::optimize {

namespace {

constexpr size_t kFirstStateInput = 2;   // behind trip count and condition, of the node and of its body
constexpr size_t kFirstStateOutput = 1;  // of the body, behind the condition

const Graph* bodyOf(const Node& loop) {
  const Attribute* attribute = loop.findAttribute("body");
  const GraphBox* box = attribute == nullptr ? nullptr : std::get_if<GraphBox>(&attribute->value);
  return box == nullptr ? nullptr : &**box;
}

// What Identity nodes hand on.
ValueId sourceOf(const Graph& graph, ValueId value) {
  for (size_t step = 0; step <= graph.nodeSlots(); ++step) {
    const NodeId producer = graph.value(value).producer;
    if (!producer.valid()) return value;
    const Node& node = graph.node(producer);
    if (node.opType != "Identity" || !node.domain.empty() || node.inputs.size() != 1 || !node.inputs[0].valid())
      return value;
    value = node.inputs[0];
  }
  return value;
}

// Whether the name would mean something else than `formal` in this body, or in one within it.
bool isDefinedWithin(const Graph& body, std::string_view name, ValueId formal = {}) {
  const ValueId found = body.findValue(name);
  if (found.valid() && found != formal && !body.value(found).outerScope) return true;
  bool isDefined = false;
  for (const NodeId id : body.nodeIds())
    forEachBody(body.node(id),
                [&](const std::string&, const Graph& inner) { isDefined |= isDefinedWithin(inner, name); });
  return isDefined;
}

bool isInvariant(const PassContext& context, const Node& loop, const Graph& body, size_t state) {
  const ValueId given = loop.inputs[kFirstStateInput + state], formal = body.inputs()[kFirstStateInput + state],
                result = body.outputs()[kFirstStateOutput + state];
  // A body may not give away a value of the graph around it.
  const bool isGivenElsewhere = body.value(formal).outputCount > (result == formal ? 1u : 0u);
  return given.valid() && !body.value(formal).initializer && sourceOf(body, result) == formal && !isGivenElsewhere &&
         !isDefinedWithin(body, context.graph().value(given).name, formal);
}

std::vector<ValueId> without(std::span<const ValueId> all, const std::vector<size_t>& states, size_t first) {
  std::vector<ValueId> left;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i < first || !std::ranges::binary_search(states, i - first)) left.push_back(all[i]);
  }
  return left;
}

void capture(Graph& body, ValueId formal, const Value& given) {
  const ValueId outer = body.findValue(given.name);
  if (outer == formal) {
    body.mutableValue(formal).outerScope = true;
    return;
  }
  body.replaceUses(formal, outer.valid() ? outer : body.addOuterScope(given.name, given.type));
  body.removeValue(formal);
}

std::optional<GraphPatch> match(const PassContext& context, NodeId id) {
  if (!context.is(id, "Loop")) return std::nullopt;
  const Node& loop = context.node(id);
  const Graph* const original = bodyOf(loop);
  if (original == nullptr || loop.inputs.size() <= kFirstStateInput) return std::nullopt;
  const size_t count = loop.inputs.size() - kFirstStateInput;
  if (original->inputs().size() != loop.inputs.size() || original->outputs().size() < kFirstStateOutput + count)
    return std::nullopt;
  std::vector<size_t> states;
  for (size_t state = 0; state < count; ++state) {
    if (isInvariant(context, loop, *original, state)) states.push_back(state);
  }
  if (states.empty()) return std::nullopt;

  Graph body = *original;
  const std::vector<ValueId> formals(body.inputs().begin(), body.inputs().end());
  body.setOutputs(without(body.outputs(), states, kFirstStateOutput));
  body.setInputs(without(body.inputs(), states, kFirstStateInput));
  for (const size_t state : states)
    capture(body, formals[kFirstStateInput + state], context.graph().value(loop.inputs[kFirstStateInput + state]));

  GraphPatch patch;
  patch.note = fmt::format("{} of the {} states of {} never change: its body reads them from outside", states.size(),
                           count, context.label(id));
  patch.removeNodes = {id};
  NewNode fresh{.node = loop};
  fresh.node.inputs.clear();
  fresh.node.outputs.clear();
  fresh.node.implicitInputs.clear();
  fresh.node.rewrite.clear();
  fresh.node.setAttribute("body", GraphBox(std::move(body)));
  fresh.inputs = context.graph().namesOf(without(loop.inputs, states, kFirstStateInput));
  for (const ValueId output : without(loop.outputs, states, 0)) {
    fresh.outputs.push_back(context.graph().nameOf(output));
    fresh.outputTypes.push_back(output.valid() ? context.type(output) : ValueType());
  }
  patch.addNodes.push_back(std::move(fresh));
  for (const size_t state : states) {
    if (const ValueId output = context.output(id, state); output.valid())
      patch.replaceValues.emplace_back(output, loop.inputs[kFirstStateInput + state]);
  }
  return patch;
}

constexpr GraphPass kPass{.name = "LoopInvariantCapture",
                          .purpose = "lets the body of a Loop read what never changes from outside",
                          .level = 2,
                          .match = match};

}  // namespace

const GraphPass& pass_capture_loop_invariants() {
  return kPass;
}

}  // namespace cutaway::optimize
