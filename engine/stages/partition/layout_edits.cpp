#include "engine/stages/partition/layout_edits.h"

#include <algorithm>
#include <cstring>

#include "engine/provider/channels_last.h"
#include "engine/provider/execution_provider.h"
#include "engine/schema/schema.h"

namespace cutaway::partition {

namespace {

constexpr const char* kRewrite = "channels last";
constexpr const char* kLastSuffix = "@nhwc";
constexpr const char* kFirstSuffix = "@nchw";

// The elements with axis 1 last: blocks of N x C x rest become N x rest x C.
Result<Tensor> turned(const Tensor& from, size_t rank) {
  std::vector<int64_t> dims(rank - from.rank(), 1);
  dims.insert(dims.end(), from.dims().begin(), from.dims().end());
  std::vector<int64_t> made;
  for (const int64_t axis : permToChannelsLast(rank))
    made.push_back(dims[static_cast<size_t>(axis)]);
  CUTAWAY_TRY(Tensor to, Tensor::create(from.type(), made));
  const int64_t batches = dims[0];
  const int64_t channels = dims[1];
  const int64_t cells = batches * channels == 0 ? 0 : from.elementCount() / (batches * channels);
  const auto width = static_cast<size_t>(bitsOf(from.type())) / 8;
  const auto* source = static_cast<const std::byte*>(from.data());
  auto* target = static_cast<std::byte*>(to.mutableData());
  for (int64_t batch = 0; batch < batches; ++batch) {
    for (int64_t cell = 0; cell < cells; ++cell) {
      for (int64_t channel = 0; channel < channels; ++channel, target += width)
        std::memcpy(target, source + static_cast<size_t>((batch * channels + channel) * cells + cell) * width, width);
    }
  }
  return to;
}

size_t rankOf(const Graph& graph, ValueId id) {
  return graph.value(id).type.shape->rank();
}

}  // namespace

Result<void> LayoutEdits::apply(const LayoutPlan& plan) {
  m_sensitive = plan.sensitive;
  for (size_t i = 0; i < plan.nodes.size(); ++i) {
    if (Result<void> done = turnNode(plan.nodes[i], plan.roles[i]); !done) {
      undo();
      return done;
    }
  }
  for (const NodeId id : plan.nodes) {
    const std::vector<ValueId> made = m_graph->node(id).outputs;
    for (const ValueId last : made) {
      if (!last.valid()) continue;
      const ValueId plain = m_plainOf.at(last);
      const Value& value = m_graph->value(plain);
      if (!value.uses.empty() || value.outputCount > 0)
        addTranspose(last, plain, id, permToChannelsFirst(rankOf(*m_graph, plain)));
    }
  }
  return {};
}

Result<void> LayoutEdits::turnNode(NodeId id, const LayoutRole& role) {
  const std::vector<ValueId> inputs = m_graph->node(id).inputs;
  const std::vector<ValueId> outputs = m_graph->node(id).outputs;
  size_t rank = 0;
  for (const ValueId output : outputs) {
    if (output.valid()) rank = rankOf(*m_graph, output);
  }
  for (size_t slot = 0; slot < inputs.size(); ++slot) {
    if (!role.turns[slot]) continue;
    CUTAWAY_TRY(const ValueId last, m_graph->isConstant(inputs[slot]) ? turnedConstant(inputs[slot], rank)
                                                                      : Result<ValueId>(lastOf(inputs[slot], id)));
    setInput(id, slot, last);
  }
  for (size_t slot = 0; slot < outputs.size(); ++slot) {
    if (!outputs[slot].valid()) continue;
    const ValueId last = addPermuted(outputs[slot], kLastSuffix, permToChannelsLast(rank));
    setOutput(id, slot, last);
    m_lastOf[outputs[slot]] = last;
    m_plainOf[last] = outputs[slot];
  }
  change(id, role.kind == LayoutRole::Kind::kSensitive ? kChannelsLastDomain : m_graph->node(id).domain, role.axis);
  return {};
}

ValueId LayoutEdits::lastOf(ValueId plain, NodeId reader) {
  if (const auto found = m_lastOf.find(plain); found != m_lastOf.end()) return found->second;
  const std::vector<int64_t> perm = permToChannelsLast(rankOf(*m_graph, plain));
  const ValueId last = addPermuted(plain, kLastSuffix, perm);
  addTranspose(plain, last, reader, perm);
  m_lastOf[plain] = last;
  m_plainOf[last] = plain;
  return last;
}

Result<ValueId> LayoutEdits::turnedConstant(ValueId plain, size_t rank) {
  if (const auto found = m_lastOf.find(plain); found != m_lastOf.end() && rankOf(*m_graph, found->second) == rank)
    return found->second;
  CUTAWAY_TRY(Tensor tensor, turned(*m_graph->value(plain).initializer, rank));
  const ValueId last =
      m_graph->addInitializer(m_graph->freshName(m_graph->value(plain).name + kLastSuffix), std::move(tensor));
  m_edits.emplace_back(ValueAdded{last});
  m_lastOf[plain] = last;
  m_plainOf[last] = plain;
  return last;
}

ValueId LayoutEdits::addPermuted(ValueId like, std::string_view suffix, const std::vector<int64_t>& perm) {
  const Value& value = m_graph->value(like);
  const ValueId added =
      m_graph->addValue(m_graph->freshName(value.name + std::string(suffix)), permuted(value.type, perm));
  m_edits.emplace_back(ValueAdded{added});
  return added;
}

void LayoutEdits::addTranspose(ValueId from, ValueId to, NodeId around, std::vector<int64_t> perm) {
  Node node;
  node.name = m_graph->value(to).name + "/layout";
  node.opType = "Transpose";
  const OperatorSchema* schema = findSchema("Transpose", "", m_opset);
  node.sinceVersion = schema == nullptr ? static_cast<int32_t>(m_opset) : schema->sinceVersion;
  node.opsetVersion = static_cast<int32_t>(m_opset);
  node.origins = m_graph->node(around).origins;
  node.rewrite = kRewrite;
  node.setAttribute("perm", std::move(perm));
  m_edits.emplace_back(NodeAdded{m_graph->addNode(std::move(node), {from}, {m_graph->value(to).name})});
}

void LayoutEdits::setInput(NodeId id, size_t slot, ValueId value) {
  m_edits.emplace_back(InputSet{id, slot, m_graph->node(id).inputs[slot]});
  m_graph->setNodeInput(id, slot, value);
}

void LayoutEdits::setOutput(NodeId id, size_t slot, ValueId value) {
  m_edits.emplace_back(OutputSet{id, slot, m_graph->node(id).outputs[slot]});
  m_graph->setNodeOutput(id, slot, value);
}

void LayoutEdits::change(NodeId id, std::string domain, const std::optional<int64_t>& axis) {
  Node& node = m_graph->mutableNode(id);
  const Attribute* before = node.findAttribute("axis");
  m_edits.emplace_back(NodeChange{
      id, node.domain, node.rewrite,
      before == nullptr ? std::nullopt : std::optional(node.attributeOr<int64_t>("axis", 0)), axis.has_value()});
  node.domain = std::move(domain);
  if (node.rewrite.empty()) node.rewrite = kRewrite;
  if (axis) node.setAttribute("axis", *axis);
}

void LayoutEdits::putBack(NodeId id) {
  const ValueId lastInput = m_graph->node(id).inputs[0];
  const ValueId lastOutput = m_graph->node(id).outputs[0];
  const ValueId input = m_plainOf.at(lastInput);
  if (!isDefined(input)) addTranspose(lastInput, input, id, permToChannelsFirst(rankOf(*m_graph, input)));
  setInput(id, 0, input);
  ValueId output = m_plainOf.at(lastOutput);
  const NodeId maker = m_graph->value(output).producer;
  if (maker.valid() && m_graph->node(maker).provider.empty() && m_graph->node(maker).inputs[0] == lastOutput)
    m_graph->removeNode(maker);
  // A Transpose that somebody has taken may make the channels-first value already; the quantity then goes by a second
  // name.
  const bool isMade = isDefined(output);
  if (isMade) output = addPermuted(lastOutput, kFirstSuffix, permToChannelsFirst(rankOf(*m_graph, output)));
  setOutput(id, 0, output);
  addTranspose(output, lastOutput, id, permToChannelsLast(rankOf(*m_graph, output)));
  change(id, std::string(domainBeforeChannelsLast(m_graph->node(id).opType)), std::nullopt);
}

void LayoutEdits::dropIdleTransposes() {
  for (const Edit& edit : m_edits) {
    const auto* added = std::get_if<NodeAdded>(&edit);
    if (added == nullptr || m_graph->node(added->node).removed || !m_graph->node(added->node).provider.empty())
      continue;
    const Value& made = m_graph->value(m_graph->node(added->node).outputs[0]);
    if (made.uses.empty() && made.outputCount == 0) m_graph->removeNode(added->node);
  }
}

void LayoutEdits::dropIdleValues() {
  const auto drop = [&](ValueId id) {
    const Value& value = m_graph->value(id);
    if (!value.removed && !value.isInput && !value.outerScope) m_graph->removeValue(id);
  };
  for (const Edit& edit : m_edits) {
    if (const auto* input = std::get_if<InputSet>(&edit)) drop(input->before);
    if (const auto* output = std::get_if<OutputSet>(&edit)) drop(output->before);
    if (const auto* value = std::get_if<ValueAdded>(&edit)) drop(value->value);
  }
  m_edits.clear();
}

bool LayoutEdits::anyTakenBy(const std::string& provider) const {
  const auto taken = [&](NodeId id) { return m_graph->node(id).provider == provider; };
  return std::any_of(m_edits.begin(), m_edits.end(), [&](const Edit& edit) {
    if (const auto* change = std::get_if<NodeChange>(&edit)) return taken(change->node);
    if (const auto* input = std::get_if<InputSet>(&edit)) return taken(input->node);
    const auto* added = std::get_if<NodeAdded>(&edit);
    return added != nullptr && taken(added->node);
  });
}

bool LayoutEdits::isDefined(ValueId id) const {
  const Value& value = m_graph->value(id);
  return value.producer.valid() || value.isInput || value.outerScope || value.initializer.has_value();
}

void LayoutEdits::undo() {
  for (auto edit = m_edits.rbegin(); edit != m_edits.rend(); ++edit)
    takeBack(*edit);
  m_edits.clear();
  m_sensitive.clear();
  m_lastOf.clear();
  m_plainOf.clear();
}

void LayoutEdits::takeBack(const Edit& edit) {
  if (const auto* input = std::get_if<InputSet>(&edit)) m_graph->setNodeInput(input->node, input->slot, input->before);
  if (const auto* output = std::get_if<OutputSet>(&edit))
    m_graph->setNodeOutput(output->node, output->slot, output->before);
  if (const auto* node = std::get_if<NodeAdded>(&edit)) m_graph->removeNode(node->node);
  if (const auto* value = std::get_if<ValueAdded>(&edit)) m_graph->removeValue(value->value);
  const auto* changed = std::get_if<NodeChange>(&edit);
  if (changed == nullptr) return;
  Node& node = m_graph->mutableNode(changed->node);
  node.domain = changed->domain;
  node.rewrite = changed->rewrite;
  if (!changed->setAxis) return;
  if (changed->axis)
    node.setAttribute("axis", *changed->axis);
  else
    std::erase_if(node.attributes, [](const Attribute& attribute) { return attribute.name == "axis"; });
}

}  // namespace cutaway::partition
