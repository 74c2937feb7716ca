#include "providers/declared/node_check.h"

#include <algorithm>

namespace cutaway::declared {

namespace {

constexpr std::string_view kDequantize = "DequantizeLinear";

size_t usedSlots(std::span<const ValueId> values) {
  size_t count = values.size();
  while (count > 0 && !values[count - 1].valid())
    --count;
  return count;
}

// Where an axis of the channels-first shape lies when channels come last.
int channelsLastAxis(int axis, int rank) {
  if (axis <= 0 || rank < 3) return axis;
  return axis == 1 ? rank - 1 : axis - 1;
}

}  // namespace

std::string rulePath(const OperatorRule& rule) {
  return rule.domain.empty() ? "operators." + rule.op : fmt::format("operators.{}:{}", rule.domain, rule.op);
}

std::string sourceText(const Profile& profile, int source) {
  if (source < 0 || static_cast<size_t>(source) >= profile.sources.size()) return {};
  const ProfileSource& from = profile.sources[static_cast<size_t>(source)];
  return fmt::format("according to {} ({})", from.title, from.date);
}

NodeCheck::NodeCheck(const Profile& profile, const OperatorRule& rule, const Graph& graph, NodeId id)
    : m_profile(profile),
      m_rule(rule),
      m_graph(graph),
      m_node(graph.node(id)),
      m_id(id),
      m_channelsLast(m_node.domain == kChannelsLastDomain) {}

Refusal NodeCheck::refuseBy(RefusalCause cause, std::string rule, std::string what, std::string seen,
                            std::string remedy) const {
  std::string reason = fmt::format("{} of {}: {}", m_node.opType, m_profile.title, what);
  if (const std::string source = sourceText(m_profile, m_rule.source); !source.empty()) reason += ", " + source;
  if (!m_rule.note.empty()) reason += fmt::format(" ({})", m_rule.note);
  return {m_id, cause, std::move(reason), std::move(rule), std::move(seen), std::move(remedy)};
}

Refusal NodeCheck::refuse(RefusalCause cause, const std::string& member, std::string what, std::string seen,
                          std::string remedy) const {
  return refuseBy(cause, rulePath(m_rule) + "." + member, std::move(what), std::move(seen), std::move(remedy));
}

std::string NodeCheck::slotText(const Slot& slot) const {
  return fmt::format("{} {} ('{}')", slot.output ? "output" : "input", slot.number, m_graph.value(slot.value).name);
}

template <typename Ask>
std::optional<Refusal> NodeCheck::eachSlot(Ask&& ask) const {
  for (const bool output : {false, true}) {
    const ShortList<ValueId>& values = output ? m_node.outputs : m_node.inputs;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!values[i].valid()) continue;
      if (std::optional<Refusal> no = ask(Slot{output, static_cast<int>(i), values[i]})) return no;
    }
  }
  return std::nullopt;
}

std::optional<Refusal> NodeCheck::signature() const {
  if (auto no = counts()) return no;
  if (auto no = eachSlot([this](const Slot& slot) { return type(slot); })) return no;
  if (auto no = eachSlot([this](const Slot& slot) { return rank(slot); })) return no;
  if (m_profile.staticShapes) {
    if (auto no = eachSlot([this](const Slot& slot) { return staticShape(slot); })) return no;
  }
  for (size_t i = 0; i < m_rule.shapes.size(); ++i) {
    if (auto no = shape(i)) return no;
  }
  return constants();
}

std::optional<Refusal> NodeCheck::countOf(std::span<const ValueId> values, const std::optional<Span>& allowed,
                                          std::string_view what) const {
  if (!allowed) return std::nullopt;
  const auto count = static_cast<int64_t>(usedSlots(values));
  if (allowed->contains(count)) return std::nullopt;
  return refuse(RefusalCause::kInput, std::string(what),
                fmt::format("it takes {} {}, and this has {}", toText(*allowed), what, count),
                fmt::format("{} {}", count, what), fmt::format("{} {}", toText(*allowed), what));
}

std::optional<Refusal> NodeCheck::counts() const {
  if (auto no = countOf(m_node.inputs, m_rule.inputCount, "inputs")) return no;
  if (auto no = countOf(m_node.outputs, m_rule.outputCount, "outputs")) return no;
  for (const int slot : m_rule.forbiddenInputs) {
    const auto at = static_cast<size_t>(slot);
    if (at >= m_node.inputs.size() || !m_node.inputs[at].valid()) continue;
    const std::string text = slotText({false, slot, m_node.inputs[at]});
    return refuse(RefusalCause::kInput, "forbidden_inputs", fmt::format("{} may not be there", text), text,
                  fmt::format("no input {}", slot));
  }
  return std::nullopt;
}

std::optional<Refusal> NodeCheck::type(const Slot& slot) const {
  const TypeSet* own = slot.output ? m_rule.types.forOutput(slot.number) : m_rule.types.forInput(slot.number);
  // An entry that says something about all inputs leaves outputs open: their types follow.
  const bool followsInputs = slot.output && own == nullptr && m_rule.types.otherInputs.has_value();
  const TypeSet* allowed = own != nullptr ? own : followsInputs || m_profile.types.empty() ? nullptr : &m_profile.types;
  const ValueType& type = m_graph.value(slot.value).type;
  const auto no = [&](const std::string& seen, const std::string& remedy) {
    const std::string rule = own != nullptr ? rulePath(m_rule) + ".types" : "types";
    return refuseBy(RefusalCause::kType, rule, fmt::format("{} is {}", slotText(slot), seen), seen, remedy);
  };
  if (type.known() && !type.isTensor())
    return no(cutaway::toText(type), "tensors: nothing else is exchanged with a declared device");
  if (allowed == nullptr || (type.element != ElementType::kUndefined && allowed->has(type.element)))
    return std::nullopt;
  if (type.element == ElementType::kUndefined) return no("of unknown element type", allowed->text());
  return no(std::string(profileTypeName(type.element)), allowed->text());
}

std::optional<Refusal> NodeCheck::rank(const Slot& slot) const {
  const std::optional<Shape>& shape = m_graph.value(slot.value).type.shape;
  if (!shape) return std::nullopt;
  const auto rank = static_cast<int64_t>(shape->rank());
  const Span* own = slot.output ? m_rule.ranks.forOutput(slot.number) : m_rule.ranks.forInput(slot.number);
  const Span general{
      .minimum = 0, .maximum = m_profile.maximumRank > 0 ? m_profile.maximumRank : std::numeric_limits<int64_t>::max()};
  const Span& allowed = own != nullptr ? *own : general;
  if (allowed.contains(rank)) return std::nullopt;
  const std::string rule = own != nullptr ? rulePath(m_rule) + ".ranks" : "maximum_rank";
  return refuseBy(RefusalCause::kRank, rule,
                  fmt::format("{} has rank {}, and {} is supported", slotText(slot), rank, toText(allowed)),
                  fmt::format("rank {}", rank), fmt::format("rank {}", toText(allowed)));
}

std::optional<Refusal> NodeCheck::staticShape(const Slot& slot) const {
  const std::optional<Shape>& shape = m_graph.value(slot.value).type.shape;
  if (shape && shape->isStatic()) return std::nullopt;
  const std::string seen = shape ? cutaway::toText(*shape) : "unknown rank";
  return refuseBy(RefusalCause::kShape, "static_shapes",
                  fmt::format("every dimension must be known, and {} has {}", slotText(slot), seen), seen,
                  "fixed dimensions (--dim NAME=VALUE)");
}

std::optional<Refusal> NodeCheck::shape(size_t index) const {
  const ShapeRule& rule = m_rule.shapes[index];
  const ShortList<ValueId>& values = rule.output ? m_node.outputs : m_node.inputs;
  const auto number = static_cast<size_t>(rule.slot);
  if (number >= values.size() || !values[number].valid()) return std::nullopt;
  const Slot slot{rule.output, rule.slot, values[number]};
  const std::optional<Shape>& shape = m_graph.value(slot.value).type.shape;
  const auto no = [&](const std::string& what, const std::string& seen, const std::string& remedy) {
    return refuse(RefusalCause::kShape, fmt::format("shapes[{}]", index),
                  fmt::format("axis {} of {} {}", rule.axis, slotText(slot), what), seen, remedy);
  };
  if (!shape)
    return rule.known ? std::optional(no("must be known", "unknown rank", "a known dimension")) : std::nullopt;
  const int rank = static_cast<int>(shape->rank());
  int axis = rule.axis < 0 ? rule.axis + rank : rule.axis;
  if (axis < 0 || axis >= rank) return std::nullopt;
  if (m_channelsLast && (slot.output || slot.number == 0)) axis = channelsLastAxis(axis, rank);
  const Dim& dim = (*shape)[static_cast<size_t>(axis)];
  if (!dim.isKnown())
    return rule.known ? std::optional(no("must be known", dim.isSymbol() ? dim.symbol() : "?",
                                         "a known dimension (--dim NAME=VALUE)"))
                      : std::nullopt;
  const Span allowed{.minimum = rule.minimum.value_or(0),
                     .maximum = rule.maximum.value_or(std::numeric_limits<int64_t>::max())};
  const std::string seen = fmt::format("{}", dim.value());
  if (!allowed.contains(dim.value()))
    return no(fmt::format("is {}, and {} is supported", seen, toText(allowed)), seen, toText(allowed));
  if (dim.value() % rule.multipleOf != 0)
    return no(fmt::format("is {}, which is no multiple of {}", seen, rule.multipleOf), seen,
              fmt::format("a multiple of {}", rule.multipleOf));
  return std::nullopt;
}

// Quantized constants reach their operator through a DequantizeLinear that belongs to its unit.
bool NodeCheck::isConstant(ValueId id) const {
  if (m_graph.isConstant(id)) return true;
  const NodeId producer = m_graph.value(id).producer;
  if (!m_profile.groups.quantizedUnits || !producer.valid() || m_graph.node(producer).opType != kDequantize)
    return false;
  const ShortList<ValueId>& inputs = m_graph.node(producer).inputs;
  return !inputs.empty() && inputs[0].valid() && m_graph.isConstant(inputs[0]);
}

std::optional<Refusal> NodeCheck::constants() const {
  for (const int number : m_rule.constantInputs) {
    const auto at = static_cast<size_t>(number);
    if (at >= m_node.inputs.size() || !m_node.inputs[at].valid() || isConstant(m_node.inputs[at])) continue;
    const Slot slot{false, number, m_node.inputs[at]};
    const bool initializer = m_graph.value(slot.value).initializer.has_value();
    return refuse(RefusalCause::kInput, "constant_inputs", fmt::format("{} must be a constant", slotText(slot)),
                  initializer                                  ? "an initializer that the caller may override"
                  : m_graph.value(slot.value).producer.valid() ? "a computed value"
                                                               : "a value that comes from outside",
                  fmt::format("an initializer as input {}", number));
  }
  return std::nullopt;
}

std::optional<Refusal> NodeCheck::bodies(const std::string& providerName) const {
  if (!m_node.hasBodies()) return std::nullopt;
  if (!m_profile.bodies)
    return refuseBy(RefusalCause::kOperator, "bodies", "nodes with bodies are not supported", m_node.opType,
                    "a model without control flow, or one where it was resolved");
  std::optional<Refusal> no;
  forEachBody(m_node, [&](const std::string& name, const Graph& body) {
    for (size_t i = 0; i < body.nodeSlots() && !no; ++i) {
      const Node& inner = body.node(NodeId{i});
      if (inner.removed || inner.provider == providerName) continue;
      no =
          refuseBy(RefusalCause::kOperator, "bodies",
                   fmt::format("its body {} has a node that is not supported: {} '{}'", name, inner.opType, inner.name),
                   inner.opType, "bodies whose nodes are all supported");
    }
  });
  return no;
}

}  // namespace cutaway::declared
