#include "engine/schema/function_body.h"

#include <algorithm>
#include <unordered_map>

#include "engine/schema/schema.h"

namespace cutaway {

namespace {

using Arguments = std::unordered_map<std::string, const AttributeValue*>;

Arguments argumentsOf(const Function& function, const Node& call) {
  Arguments arguments;
  for (const Attribute& each : function.attributeDefaults)
    arguments[each.name] = &each.value;
  for (const Attribute& each : call.attributes)
    arguments[each.name] = &each.value;
  return arguments;
}

// A reference without an argument means that the attribute is not there.
void fillReferences(Node& node, const Arguments& arguments) {
  std::erase_if(node.attributes, [&](Attribute& attribute) {
    const auto* reference = std::get_if<AttributeReference>(&attribute.value);
    if (reference == nullptr) return false;
    const auto argument = arguments.find(reference->name);
    if (argument == arguments.end()) return true;
    attribute.value = AttributeValue(*argument->second);
    return false;
  });
}

bool isDefined(const Value& value) {
  return value.producer.valid() || value.isInput || value.initializer.has_value();
}

// Graphs below a root, each after the graph around it.
std::vector<Graph*> graphsOutsideIn(Graph& root) {
  std::vector<Graph*> graphs{&root};
  for (size_t i = 0; i < graphs.size(); ++i) {
    Graph& graph = *graphs[i];
    for (size_t n = 0; n < graph.nodeSlots(); ++n) {
      Node& node = graph.mutableNode(NodeId{n});
      if (!node.removed) forEachBody(node, [&](const std::string&, Graph& body) { graphs.push_back(&body); });
    }
  }
  return graphs;
}

void markOuterScope(Graph& graph, bool isRoot, std::vector<std::string>& missing) {
  for (size_t i = 0; i < graph.valueSlots(); ++i) {
    Value& value = graph.mutableValue(ValueId{i});
    if (value.removed || value.name.empty()) continue;
    const bool wanted = !isDefined(value) && (!value.uses.empty() || value.outputCount > 0);
    if (isRoot) {
      value.outerScope = false;
      if (wanted) missing.push_back(value.name);
    } else {
      value.outerScope = wanted;
    }
  }
}

}  // namespace

Graph bodyForCall(const Function& function, const Node& call) {
  Graph body = function.body;
  const Arguments arguments = argumentsOf(function, call);
  for (Graph* graph : graphsOutsideIn(body)) {
    for (size_t i = 0; i < graph->nodeSlots(); ++i) {
      Node& node = graph->mutableNode(NodeId{i});
      if (!node.removed) fillReferences(node, arguments);
    }
  }
  for (size_t i = 0; i < body.inputs().size(); ++i) {
    const ValueId formal = body.inputs()[i];
    if (i < call.inputs.size() && call.inputs[i].valid()) continue;
    const std::vector<Use> uses = body.value(formal).uses;
    for (const Use& use : uses) {
      if (use.slot < body.node(use.node).inputs.size()) body.setNodeInput(use.node, use.slot, ValueId());
    }
  }
  connectScopes(body);
  assignOpsetVersions(body, function.opsets, {});
  return body;
}

std::vector<std::string> connectScopes(Graph& root) {
  std::vector<Graph*> graphs = graphsOutsideIn(root);
  std::vector<std::string> missing;
  // From the inside out: what a body captures may become a capture of the graph around it.
  for (size_t i = graphs.size(); i-- > 0;) {
    Graph& graph = *graphs[i];
    for (size_t n = 0; n < graph.nodeSlots(); ++n) {
      const NodeId id{n};
      if (!graph.node(id).removed && graph.node(id).hasBodies()) graph.bindCaptures(id);
    }
    markOuterScope(graph, i == 0, missing);
  }
  return missing;
}

void assignOpsetVersions(Graph& root, const std::vector<OpsetImport>& imports,
                         const std::vector<OpsetImport>& fallback) {
  std::unordered_map<std::string, int64_t> versions;
  const auto versionOf = [&](const std::string& domain) {
    const auto [entry, isNew] = versions.try_emplace(domain, 0);
    if (isNew) {
      entry->second = importedVersion(imports, domain);
      if (entry->second == 0) entry->second = importedVersion(fallback, domain);
      if (entry->second == 0) entry->second = newestOpset(domain);
    }
    return entry->second;
  };
  for (Graph* graph : graphsOutsideIn(root)) {
    for (size_t i = 0; i < graph->nodeSlots(); ++i) {
      Node& node = graph->mutableNode(NodeId{i});
      if (node.removed) continue;
      if (node.opsetVersion == 0) node.opsetVersion = static_cast<int32_t>(versionOf(node.domain));
      if (node.sinceVersion != 0) continue;
      const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion);
      if (schema != nullptr && !schema->deprecated) node.sinceVersion = schema->sinceVersion;
    }
  }
}

}  // namespace cutaway
