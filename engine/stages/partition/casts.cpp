#include "engine/stages/partition/casts.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/graph/node_label.h"
#include "engine/graph/topology.h"
#include "engine/schema/schema.h"

namespace cutaway::partition {

namespace {

using Providers = std::span<const std::unique_ptr<ExecutionProvider>>;

constexpr const char* kRewrite = "cast";

bool isNarrowFloat(ElementType type) {
  return isFloating(type) && bitsOf(type) < 32;
}

const ExecutionProvider* firstWithRow(Providers providers, const Graph& graph, NodeId id) {
  for (const std::unique_ptr<ExecutionProvider>& provider : providers) {
    if (provider->kernels() != nullptr && provider->kernels()->find(graph, id).row != nullptr) return provider.get();
  }
  return nullptr;
}

// The node alone, with float32 where it has narrow floats; its output types inferred anew.
struct Probe {
  Graph graph;
  NodeId node;
};

Result<Probe> probeInFloat(const Model& model, const Graph& graph, NodeId id) {
  Probe probe;
  const Node& original = graph.node(id);
  std::vector<ValueId> inputs;
  for (const ValueId input : original.inputs) {
    if (!input.valid()) {
      inputs.push_back({});
      continue;
    }
    const Value& value = graph.value(input);
    ValueType type = value.type;
    if (isNarrowFloat(type.element)) type.element = ElementType::kFloat;
    const ValueId known = probe.graph.findValue(value.name);
    inputs.push_back(known.valid() ? known
                     : value.initializer && type.element == value.initializer->type()
                         ? probe.graph.addInitializer(value.name, *value.initializer)
                         : probe.graph.addInput(value.name, std::move(type)));
  }
  const std::vector<std::string> outputs = graph.namesOf(original.outputs);
  Node copy = original;
  copy.inputs.clear();
  copy.outputs.clear();
  probe.node = probe.graph.addNode(std::move(copy), inputs, outputs);
  PartialData partial;
  std::vector<InferenceWarning> warnings;
  CUTAWAY_CHECK(inferNode(model, probe.graph, probe.node, {}, partial, warnings));
  return probe;
}

class FloatRunner {
 public:
  FloatRunner(const Model& model, GraphAssignment& assignment, int32_t graphIndex, Providers providers)
      : m_model(model),
        m_graph(*assignment.graph),
        m_assignment(assignment),
        m_graphIndex(graphIndex),
        m_providers(providers) {}

  std::vector<CopyReport> run() {
    const Result<std::vector<NodeId>> order = topologicalOrder(m_graph);
    if (!order) return {};
    for (const NodeId id : *order) {
      if (m_graph.node(id).provider.empty()) consider(id);
    }
    if (m_moved.empty()) return {};
    dropUnused();
    m_assignment.order.clear();
    m_assignment.answers.resize(m_graph.nodeSlots());
    std::vector<CopyReport> reports;
    for (const NodeId id : m_casts) {
      if (m_graph.node(id).removed) continue;
      answerFor(id, m_graph.node(id).provider, {});
      reports.push_back(describe(id));
    }
    return reports;
  }

 private:
  void consider(NodeId id) {
    const Node& node = m_graph.node(id);
    if (node.hasBodies() || !std::ranges::all_of(node.inputs, [&](ValueId input) {
          return !input.valid() || m_graph.value(input).type.isTensor();
        }))
      return;
    std::set<ElementType> narrow;
    for (const ValueId input : node.inputs) {
      if (input.valid() && isNarrowFloat(m_graph.value(input).type.element))
        narrow.insert(m_graph.value(input).type.element);
    }
    if (narrow.empty()) return;
    const Result<Probe> probe = probeInFloat(m_model, m_graph, id);
    if (!probe) return;
    const ExecutionProvider* provider = firstWithRow(m_providers, probe->graph, probe->node);
    if (provider == nullptr) return;
    for (const ValueId output : node.outputs) {
      if (output.valid() && isNarrowFloat(m_graph.value(output).type.element))
        narrow.insert(m_graph.value(output).type.element);
    }
    for (const ElementType type : narrow) {
      if (castProvider(type, ElementType::kFloat, *provider) == nullptr ||
          castProvider(ElementType::kFloat, type, *provider) == nullptr)
        return;
    }
    move(id, *probe, *provider);
  }

  // The node's own provider when it casts, else the first that does.
  const ExecutionProvider* castProvider(ElementType from, ElementType to, const ExecutionProvider& preferred) {
    Graph probe;
    const ValueId x = probe.addInput("x", ValueType::tensor(from, Shape{Dim(1)}));
    const NodeId cast = probe.addNode(castNode(to), {x}, {"y"});
    if (preferred.kernels() != nullptr && preferred.kernels()->find(probe, cast).row != nullptr) return &preferred;
    return firstWithRow(m_providers, probe, cast);
  }

  Node castNode(ElementType to) const {
    const int64_t imported = importedVersion(m_model.opsets, "");
    Node cast;
    cast.opType = "Cast";
    cast.rewrite = kRewrite;
    cast.opsetVersion = static_cast<int32_t>(imported > 0 ? imported : newestOpset(""));
    if (const OperatorSchema* schema = findSchema("Cast", "", cast.opsetVersion))
      cast.sinceVersion = schema->sinceVersion;
    cast.setAttribute("to", static_cast<int64_t>(to));
    return cast;
  }

  void move(NodeId id, const Probe& probe, const ExecutionProvider& provider) {
    m_moved[id] = provider.name();
    for (size_t slot = 0; slot < m_graph.node(id).inputs.size(); ++slot) {
      const ValueId input = m_graph.node(id).inputs[slot];
      if (input.valid() && isNarrowFloat(m_graph.value(input).type.element))
        m_graph.setNodeInput(id, slot, inFloat(input, id, provider));
    }
    for (size_t slot = 0; slot < m_graph.node(id).outputs.size(); ++slot) {
      const ValueId output = m_graph.node(id).outputs[slot];
      if (!output.valid() || !isNarrowFloat(m_graph.value(output).type.element)) continue;
      const ValueId probed = probe.graph.node(probe.node).outputs[slot];
      // An attribute says what the output is: it stays.
      if (probe.graph.value(probed).type.element == m_graph.value(output).type.element) continue;
      castBack(id, slot, provider);
    }
    m_graph.setProvider(id, provider.name());
    answerFor(id, provider.name(),
              fmt::format("in float32, with casts around it: no kernel of this session takes {}",
                          fmt::join(narrowNames(id), ", ")));
  }

  std::vector<std::string> narrowNames(NodeId id) const {
    std::set<std::string> names;
    for (const ValueId input : m_graph.node(id).inputs) {
      if (const auto from = m_narrowOf.find(input); from != m_narrowOf.end())
        names.insert(std::string(elementTypeName(from->second)));
    }
    return {names.begin(), names.end()};
  }

  // The value in float32: what was cast before, what was cast back by the node before this one, or a new cast.
  ValueId inFloat(ValueId value, NodeId consumer, const ExecutionProvider& provider) {
    if (const auto known = m_inFloat.find(value); known != m_inFloat.end()) return known->second;
    const ElementType narrow = m_graph.value(value).type.element;
    ValueType type = m_graph.value(value).type;
    type.element = ElementType::kFloat;
    const std::string name = m_graph.freshName(m_graph.value(value).name + "@float");
    const NodeId cast = addCast(value, name, castNode(ElementType::kFloat),
                                castProvider(narrow, ElementType::kFloat, provider)->name(), consumer);
    const ValueId made = m_graph.node(cast).outputs[0];
    m_graph.mutableValue(made).type = std::move(type);
    m_inFloat[value] = made;
    m_narrowOf[made] = narrow;
    return made;
  }

  void castBack(NodeId id, size_t slot, const ExecutionProvider& provider) {
    const ValueId output = m_graph.node(id).outputs[slot];
    const ElementType narrow = m_graph.value(output).type.element;
    ValueType type = m_graph.value(output).type;
    type.element = ElementType::kFloat;
    const ValueId wide = m_graph.addValue(m_graph.freshName(m_graph.value(output).name + "@float"), std::move(type));
    m_graph.setNodeOutput(id, slot, wide);
    addCast(wide, m_graph.value(output).name, castNode(narrow),
            castProvider(ElementType::kFloat, narrow, provider)->name(), id);
    m_inFloat[output] = wide;
    m_narrowOf[wide] = narrow;
  }

  NodeId addCast(ValueId from, const std::string& toName, Node cast, const std::string& provider, NodeId cause) {
    cast.name = fmt::format("cast {} to {}", m_graph.value(from).name, toName);
    cast.provider = provider;
    cast.origins = m_graph.node(cause).origins;
    const NodeId added = m_graph.addNode(std::move(cast), {from}, {toName});
    m_casts.push_back(added);
    m_causeOf[added] = cause;
    return added;
  }

  // Casts back whose result nobody reads any more: the next node takes the float32 value.
  void dropUnused() {
    for (const NodeId id : m_casts) {
      const ValueId made = m_graph.node(id).outputs[0];
      if (!m_graph.value(made).uses.empty() || m_graph.value(made).outputCount > 0) continue;
      m_graph.removeNode(id);
      m_graph.removeValue(made);
    }
  }

  void answerFor(NodeId id, const std::string& taker, const std::string& note) {
    if (m_assignment.answers.size() < m_graph.nodeSlots()) m_assignment.answers.resize(m_graph.nodeSlots());
    std::vector<ProviderAnswer>& answers = m_assignment.answers[id.index()];
    if (answers.empty()) {
      for (const std::unique_ptr<ExecutionProvider>& provider : m_providers) {
        const bool takes = provider->name() == taker;
        answers.push_back({provider->name(), takes ? Verdict::kClaimed : Verdict::kAlreadyTaken, RefusalCause::kOther,
                           takes ? note : "already taken by " + taker});
      }
      return;
    }
    for (ProviderAnswer& answer : answers) {
      if (answer.provider == taker) answer = {taker, Verdict::kClaimed, RefusalCause::kOther, note};
    }
  }

  CopyReport describe(NodeId id) const {
    const Node& cast = m_graph.node(id);
    const NodeId cause = m_causeOf.at(id);
    const Value& from = m_graph.value(cast.inputs[0]);
    const Value& to = m_graph.value(cast.outputs[0]);
    const std::string_view narrow =
        elementTypeName(from.type.element == ElementType::kFloat ? to.type.element : from.type.element);
    const auto others = std::ranges::count_if(m_casts, [&](NodeId other) {
      return other != id && !m_graph.node(other).removed && m_causeOf.at(other) == cause;
    });
    return {.graph = m_graphIndex,
            .value = to.name,
            .from = std::string(elementTypeName(from.type.element)),
            .to = std::string(elementTypeName(to.type.element)),
            .sizeBytes = staticByteSize(to.type).value_or(-1),
            .kind = kRewrite,
            .cause = fmt::format("{} runs in float32 on {}: no kernel of this session takes it in {}",
                                 nodeLabel(m_graph, cause), m_moved.at(cause), narrow),
            .causeNode = static_cast<int32_t>(cause.index()),
            .remedy =
                others == 0
                    ? fmt::format("if a provider took {} in {}, this cast would go", nodeLabel(m_graph, cause), narrow)
                    : fmt::format("if a provider took {} in {}, this cast and {} {} would go",
                                  nodeLabel(m_graph, cause), narrow, others, others == 1 ? "other" : "others")};
  }

  const Model& m_model;
  Graph& m_graph;
  GraphAssignment& m_assignment;
  int32_t m_graphIndex;
  Providers m_providers;
  std::map<NodeId, std::string> m_moved;      // nodes that run in float32 -> their provider
  std::map<ValueId, ValueId> m_inFloat;       // narrow value -> the same in float32
  std::map<ValueId, ElementType> m_narrowOf;  // value in float32 -> what it was
  std::vector<NodeId> m_casts;
  std::map<NodeId, NodeId> m_causeOf;  // cast -> the node it is for
};

}  // namespace

std::vector<CopyReport> runInFloat(const Model& model, GraphAssignment& assignment, int32_t graphIndex,
                                   Providers providers) {
  return FloatRunner(model, assignment, graphIndex, providers).run();
}

}  // namespace cutaway::partition
