// Graphs in columns.
#include "ui/report/graph_data.h"

#include <nlohmann/json.hpp>

#include "ui/base/format.h"
#include "ui/base/operator_family.h"
#include "ui/canvas/grouping.h"

namespace cutaway::ui {

namespace {

using nlohmann::json;

// Columns that hold nothing for most nodes are objects from index to content.
void putSparse(json& columns, const char* name, size_t index, json content) {
  if (!content.empty()) columns[name][std::to_string(index)] = std::move(content);
}

json attributesOf(const NodeReport& node, StringPool& pool) {
  json list = json::array();
  for (const AttributeReport& attribute : node.attributes)
    list.push_back({pool.index(attribute.name), pool.index(attribute.kind), pool.index(attribute.text)});
  return list;
}

json nodeColumns(const GraphReport& graph, const GraphCosts* costs, StringPool& pool, const CancelToken& cancel) {
  json columns = json::object();
  for (const char* name :
       {"name", "op", "domain", "since", "family", "provider", "rewrite", "inputs", "outputs", "origins"})
    columns[name] = json::array();
  for (const char* name : {"implicit", "attributes", "bodies", "notes"})
    columns[name] = json::object();
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (i % 1024 == 0 && cancel.cancelled()) return {};
    const NodeReport& node = graph.nodes[i];
    columns["name"].push_back(pool.index(node.name));
    columns["op"].push_back(pool.index(operatorText(node).toStdString()));
    columns["domain"].push_back(pool.index(node.domain));
    columns["since"].push_back(node.sinceVersion);
    columns["family"].push_back(operatorFamily(node));
    columns["provider"].push_back(pool.index(node.provider));
    columns["rewrite"].push_back(pool.index(node.rewrite));
    columns["inputs"].push_back(node.inputs);
    columns["outputs"].push_back(node.outputs);
    columns["origins"].push_back(node.origins);
    putSparse(columns, "implicit", i, node.implicitInputs);
    putSparse(columns, "attributes", i, attributesOf(node, pool));
    std::vector<int32_t> bodies = node.bodies;
    if (node.function != kNone) bodies.push_back(node.function);
    if (node.inside != kNone) bodies.push_back(node.inside);
    putSparse(columns, "bodies", i, bodies);
    if (!node.documentation.empty()) columns["notes"][std::to_string(i)] = pool.index(node.documentation);
  }
  if (costs && costs->nodes.size() == graph.nodes.size()) {
    columns["flops"] = columns["moved"] = columns["weights"] = json::array();
    for (const NodeFigures& figures : costs->nodes) {
      columns["flops"].push_back(figures.flops);
      columns["moved"].push_back(figures.movedBytes);
      columns["weights"].push_back(figures.weightBytes);
    }
  }
  return columns;
}

json valueColumns(const GraphReport& graph, StringPool& pool) {
  json columns = json::object();
  for (const char* name : {"name", "type", "size", "role"})
    columns[name] = json::array();
  columns["preview"] = json::object();
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const ValueReport& value = graph.values[i];
    columns["name"].push_back(pool.index(value.name));
    columns["type"].push_back(pool.index(value.type));
    columns["size"].push_back(value.sizeBytes);
    columns["role"].push_back(pool.index(valueRoleName(value.role)));
    if (!value.preview.empty()) columns["preview"][std::to_string(i)] = pool.index(value.preview);
  }
  return columns;
}

json graphData(const ModelGraphs& graphs, int index, const GraphCosts* costs, StringPool& pool,
               const CancelToken& cancel) {
  const GraphReport& graph = graphs.graphs[static_cast<size_t>(index)];
  const ScopeTree scopes = groupsOf(graphs, index, Grouping::kAutomatic);
  json list = json::array();
  for (const Scope& scope : scopes.scopes)
    list.push_back({pool.index(scope.title.toStdString()), pool.index(scope.path.toStdString()), scope.parent});
  return {{"title", pool.index(graph.title)},
          {"parent", {graph.parentGraph, graph.parentNode}},
          {"nodes", nodeColumns(graph, costs, pool, cancel)},
          {"values", valueColumns(graph, pool)},
          {"inputs", graph.inputs},
          {"outputs", graph.outputs},
          {"scopes", std::move(list)},
          {"scopeOfNode", scopes.scopeOfNode}};
}

}  // namespace

json versionData(const char* id, const ModelGraphs& graphs, const CostReport* costs, StringPool& pool,
                 const CancelToken& cancel) {
  json list = json::array();
  for (size_t i = 0; i < graphs.graphs.size(); ++i) {
    if (cancel.cancelled()) return {};
    list.push_back(graphData(graphs, static_cast<int>(i),
                             costs && i < costs->graphs.size() ? &costs->graphs[i] : nullptr, pool, cancel));
  }
  return {{"id", id}, {"graphs", std::move(list)}};
}

}  // namespace cutaway::ui
