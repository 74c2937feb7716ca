// The windows' picture of a model's graphs.

#include <algorithm>
#include <unordered_map>

#include "engine/context_binary/context_node.h"
#include "engine/context_binary/inside_nodes.h"
#include "engine/graph/attribute_text.h"
#include "engine/graph/node_label.h"
#include "engine/stages/resolve/describe_again.h"
#include "engine/stages/resolve/value_rules.h"

namespace cutaway::resolve {

namespace {

struct Listed {
  const Graph* graph = nullptr;
  int32_t parentGraph = kNone;
  NodeId parentNode;
  std::string attribute;
  const Function* function = nullptr;
};

// Main graph, then its bodies (outer before inner, in node order), then functions with theirs.
std::vector<Listed> listGraphs(const Model& model) {
  std::vector<Listed> listed;
  const auto addBelow = [&](size_t first) {
    // Depth first in node order, so that a body that goes away does not renumber the ones before it.
    struct Open {
      size_t index;
      size_t nextNode = 0;
    };
    std::vector<Open> path{{first}};
    while (!path.empty()) {
      const size_t index = path.back().index;
      const Graph& graph = *listed[index].graph;
      if (path.back().nextNode == graph.nodeSlots()) {
        path.pop_back();
        continue;
      }
      const NodeId id{path.back().nextNode++};
      const Node& node = graph.node(id);
      if (node.removed) continue;
      const size_t before = path.size();
      forEachBody(node, [&](const std::string& name, const Graph& body) {
        listed.push_back({&body, static_cast<int32_t>(index), id, name, nullptr});
        path.push_back({listed.size() - 1});
      });
      std::reverse(path.begin() + static_cast<std::ptrdiff_t>(before), path.end());
    }
  };
  listed.push_back({&model.graph});
  addBelow(0);
  for (const Function& function : model.functions) {
    listed.push_back({.graph = &function.body, .function = &function});
    addBelow(listed.size() - 1);
  }
  return listed;
}

using FunctionIndex = std::unordered_map<std::string, int32_t>;

// Names as they were described before: the same texts, in the same order but for what was rewritten.
template <typename Report>
class NamesBefore {
 public:
  explicit NamesBefore(const std::vector<Report>* before) : m_before(before) {}

  SharedText of(const SharedText& name) {
    if (m_before == nullptr || name.empty()) return name;
    if (m_next == m_before->size() || (*m_before)[m_next].name != name) {
      if (m_places.empty()) index();
      const auto found = m_places.find(name);
      if (found == m_places.end()) return name;
      m_next = found->second;
    }
    return (*m_before)[m_next++].name;
  }

 private:
  void index() {
    m_places.reserve(m_before->size());
    for (size_t i = 0; i < m_before->size(); ++i)
      m_places.try_emplace((*m_before)[i].name, i);
  }

  const std::vector<Report>* m_before;
  size_t m_next = 0;
  std::unordered_map<std::string_view, size_t> m_places;  // once an order is not the same
};

class GraphDescriber {
 public:
  GraphDescriber(const Model& model, const FunctionIndex& functions, TextPool& texts)
      : m_model(model), m_functions(functions), m_texts(texts) {}

  // before: the graph one stage earlier, whose names are shared; nullptr: nobody described it.
  GraphReport describe(const Graph& graph, const GraphReport* before) {
    GraphReport report;
    report.name = graph.name();
    number(graph);
    NamesBefore<NodeReport> nodeNames(before == nullptr ? nullptr : &before->nodes);
    NamesBefore<ValueReport> valueNames(before == nullptr ? nullptr : &before->values);
    report.nodes.reserve(m_nodeCount);
    report.values.reserve(m_valueCount);
    for (const NodeId id : graph.nodeIds())
      report.nodes.push_back(describeNode(graph.node(id), nodeNames));
    for (const ValueId id : graph.valueIds())
      report.values.push_back(describeValue(graph, id, valueNames));
    report.inputs = indexes(graph.inputs());
    report.outputs = indexes(graph.outputs());
    return report;
  }
  int32_t nodeIndex(NodeId id) const { return id.valid() ? m_nodes[id.index()] : kNone; }

 private:
  void number(const Graph& graph) {
    m_nodes.assign(graph.nodeSlots(), kNone);
    m_values.assign(graph.valueSlots(), kNone);
    int32_t next = 0;
    for (const NodeId id : graph.nodeIds())
      m_nodes[id.index()] = next++;
    m_nodeCount = static_cast<size_t>(next);
    next = 0;
    for (const ValueId id : graph.valueIds())
      m_values[id.index()] = next++;
    m_valueCount = static_cast<size_t>(next);
  }

  std::vector<int32_t> indexes(std::span<const ValueId> ids) const {
    std::vector<int32_t> result;
    result.reserve(ids.size());
    for (const ValueId id : ids)
      result.push_back(id.valid() ? m_values[id.index()] : kNone);
    return result;
  }

  SharedText shared(SharedText text) const {
    m_texts.share(text);
    return text;
  }

  NodeReport describeNode(const Node& node, NamesBefore<NodeReport>& names) const {
    NodeReport report;
    report.name = names.of(node.name);
    report.opType = shared(node.opType);
    report.domain = shared(node.domain);
    report.sinceVersion = node.sinceVersion;
    report.inputs = indexes(node.inputs);
    report.outputs = indexes(node.outputs);
    report.implicitInputs = indexes(node.implicitInputs);
    report.attributes.reserve(node.attributes.size());
    for (const Attribute& attribute : node.attributes) {
      report.attributes.push_back({shared(attribute.name), m_texts.of(attributeKindName(attribute.value)),
                                   m_texts.of(attributeText(attribute))});
    }
    if (node.sinceVersion == 0 && !m_functions.empty()) {
      const auto called = m_functions.find(fmt::format("{}\n{}\n{}", node.domain, node.opType, node.overload));
      if (called != m_functions.end()) report.function = called->second;
    }
    for (const OriginId origin : node.origins)
      report.origins.push_back(static_cast<int32_t>(origin.index()));
    report.rewrite = shared(node.rewrite);
    report.provider = shared(node.provider);
    report.documentation = shared(node.documentation);
    return report;
  }

  ValueReport describeValue(const Graph& graph, ValueId id, NamesBefore<ValueReport>& names) const {
    const Value& value = graph.value(id);
    ValueReport report;
    report.name = names.of(value.name);
    report.type = m_texts.of(toText(value.type));
    if (value.type.isTensor()) report.elementType = m_texts.of(elementTypeName(value.type.element));
    if (value.type.shape) report.shape = m_texts.of(toText(*value.type.shape));
    report.sizeBytes = staticByteSize(value.type).value_or(-1);
    report.producer = nodeIndex(value.producer);
    std::vector<int32_t> consumers;
    consumers.reserve(value.uses.size());
    for (const Use& use : value.uses)
      consumers.push_back(m_nodes[use.node.index()]);
    std::ranges::sort(consumers);
    const auto repeated = std::ranges::unique(consumers);
    consumers.erase(repeated.begin(), repeated.end());
    report.consumers = consumers;
    report.role = roleOf(graph, id);
    report.isOutput = value.outputCount > 0;
    report.isInitializer = value.initializer.has_value();
    if (value.initializer) {
      report.sizeBytes = value.initializer->sizeBytes();
      report.preview = m_texts.of(tensorPreview(*value.initializer));
      const auto file = m_model.externalFiles.find(value.initializer->keepAlive().get());
      if (file != m_model.externalFiles.end()) report.external = m_texts.of(file->second);
    }
    return report;
  }

  const Model& m_model;
  const FunctionIndex& m_functions;
  TextPool& m_texts;  // what comes again and again
  size_t m_nodeCount = 0, m_valueCount = 0;
  std::vector<int32_t> m_nodes;
  std::vector<int32_t> m_values;
};

std::string titleOf(const Listed& listed) {
  if (listed.function != nullptr) return fmt::format("function {}:{}", listed.function->domain, listed.function->name);
  return "main graph";
}

std::string bodyTitle(const Listed& listed, const Graph& parent) {
  return fmt::format("{} of {}", listed.attribute, nodeLabel(parent, listed.parentNode));
}

// What was read before of the nodes inside context nodes, by the node of the file that holds them.
class InsideBefore {
 public:
  explicit InsideBefore(const ModelGraphs* before) {
    if (before == nullptr) return;
    for (const GraphReport& inside : before->graphs) {
      if (!inside.isInside) continue;
      const NodeReport& holder =
          before->graphs[static_cast<size_t>(inside.parentGraph)].nodes[static_cast<size_t>(inside.parentNode)];
      if (holder.origins.size() == 1) m_known.try_emplace(holder.origins.front(), Known{&holder, &inside});
    }
  }
  // nullptr: there is none.
  const GraphReport* of(const Node& node) const {
    if (node.origins.size() != 1) return nullptr;
    const auto found = m_known.find(static_cast<int32_t>(node.origins.front().index()));
    return found == m_known.end() || found->second.holder->name != node.name ? nullptr : found->second.inside;
  }

 private:
  struct Known {
    const NodeReport* holder;
    const GraphReport* inside;
  };
  std::unordered_map<int32_t, Known> m_known;
};

// The original nodes inside EPContext nodes, behind all graphs that run. What cannot be read is left out: it is shown,
// never run.
void addInsideGraphs(const std::vector<Listed>& listed, const std::vector<GraphDescriber>& describers,
                     const ModelGraphs* before, ModelGraphs& result) {
  const InsideBefore seen(before);
  for (size_t i = 0; i < listed.size(); ++i) {
    for (const NodeId id : listed[i].graph->nodeIds()) {
      const Node& node = listed[i].graph->node(id);
      if (!context_binary::isContextNode(node)) continue;
      const auto entry =
          std::ranges::find(node.metadata, context_binary::kInsideKey, &std::pair<std::string, std::string>::first);
      if (entry == node.metadata.end()) continue;
      const GraphReport* const known = seen.of(node);
      Result<GraphReport> inside =
          known != nullptr ? Result<GraphReport>(*known) : context_binary::readInside(entry->second);
      if (!inside) continue;
      inside->isInside = true;
      inside->isFunction = false;
      inside->parentGraph = static_cast<int32_t>(i);
      inside->parentNode = describers[i].nodeIndex(id);
      inside->title = fmt::format("inside {}", nodeLabel(*listed[i].graph, id));
      result.graphs[i].nodes[static_cast<size_t>(inside->parentNode)].inside =
          static_cast<int32_t>(result.graphs.size());
      result.graphs.push_back(*std::move(inside));
    }
  }
}

}  // namespace

std::vector<const Graph*> graphsInReportOrder(const Model& model) {
  std::vector<const Graph*> graphs;
  for (const Listed& each : listGraphs(model))
    graphs.push_back(each.graph);
  return graphs;
}

namespace {

ModelGraphs describe(const Model& model, const ModelGraphs* before) {
  const std::vector<Listed> listed = listGraphs(model);
  FunctionIndex functions;
  for (size_t i = 0; i < listed.size(); ++i) {
    const Function* function = listed[i].function;
    if (function != nullptr)
      functions.emplace(fmt::format("{}\n{}\n{}", function->domain, function->name, function->overload),
                        static_cast<int32_t>(i));
  }
  // Bodies keep their places unless one before them went away; then those names are held twice.
  const auto earlier = [&](size_t i) -> const GraphReport* {
    return before != nullptr && i < before->graphs.size() && !before->graphs[i].isInside ? &before->graphs[i] : nullptr;
  };
  TextPool texts;
  ModelGraphs result;
  std::vector<GraphDescriber> describers;
  describers.reserve(listed.size());
  for (size_t i = 0; i < listed.size(); ++i) {
    GraphDescriber& describer = describers.emplace_back(model, functions, texts);
    GraphReport report = describer.describe(*listed[i].graph, earlier(i));
    report.isFunction = listed[i].function != nullptr;
    report.parentGraph = listed[i].parentGraph;
    if (listed[i].parentGraph == kNone) {
      report.title = titleOf(listed[i]);
    } else {
      // The graph around a body stands before it.
      report.title = bodyTitle(listed[i], *listed[listed[i].parentGraph].graph);
      report.parentNode = describers[listed[i].parentGraph].nodeIndex(listed[i].parentNode);
      result.graphs[listed[i].parentGraph].nodes[report.parentNode].bodies.push_back(static_cast<int32_t>(i));
    }
    result.graphs.push_back(std::move(report));
  }
  addInsideGraphs(listed, describers, before, result);
  return result;
}

}  // namespace

ModelGraphs describeGraphs(const Model& model) {
  return describe(model, nullptr);
}
ModelGraphs describeAgain(const Model& model, const ModelGraphs& before) {
  return describe(model, &before);
}

}  // namespace cutaway::resolve
