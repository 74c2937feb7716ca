#include <nlohmann/json.hpp>

#include "engine/report/json.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

Json attributeToJson(const AttributeReport& attribute) {
  return {{"name", attribute.name}, {"kind", attribute.kind}, {"value", attribute.text}};
}

Json nodeToJson(const NodeReport& node) {
  Json json = {{"name", node.name},      {"op_type", node.opType},
               {"domain", node.domain},  {"since_version", node.sinceVersion},
               {"inputs", node.inputs},  {"outputs", node.outputs},
               {"origins", node.origins}};
  if (!node.implicitInputs.empty()) json["implicit_inputs"] = node.implicitInputs;
  if (!node.bodies.empty()) json["bodies"] = node.bodies;
  if (node.function != kNone) json["function"] = node.function;
  if (node.inside != kNone) json["inside"] = node.inside;
  if (!node.rewrite.empty()) json["rewrite"] = node.rewrite;
  if (!node.provider.empty()) json["provider"] = node.provider;
  if (!node.attributes.empty()) {
    Json attributes = Json::array();
    for (const AttributeReport& attribute : node.attributes)
      attributes.push_back(attributeToJson(attribute));
    json["attributes"] = std::move(attributes);
  }
  return json;
}

Json valueToJson(const ValueReport& value) {
  Json json = {{"name", value.name},
               {"type", value.type},
               {"role", valueRoleName(value.role)},
               {"producer", value.producer},
               {"consumers", value.consumers}};
  if (value.sizeBytes >= 0) json["size_bytes"] = value.sizeBytes;
  if (value.isOutput) json["is_output"] = true;
  if (value.isInitializer) json["is_initializer"] = true;
  if (!value.external.empty()) json["external"] = value.external;
  if (!value.preview.empty()) json["preview"] = value.preview;
  return json;
}

Json graphToJson(const GraphReport& graph) {
  Json nodes = Json::array();
  for (const NodeReport& node : graph.nodes)
    nodes.push_back(nodeToJson(node));
  Json values = Json::array();
  for (const ValueReport& value : graph.values)
    values.push_back(valueToJson(value));
  return {{"name", graph.name},
          {"title", graph.title},
          {"parent_graph", graph.parentGraph},
          {"parent_node", graph.parentNode},
          {"is_function", graph.isFunction},
          {"is_inside", graph.isInside},
          {"inputs", graph.inputs},
          {"outputs", graph.outputs},
          {"nodes", std::move(nodes)},
          {"values", std::move(values)}};
}

}  // namespace

Json toJson(const ModelGraphs& graphs) {
  Json json = Json::array();
  for (const GraphReport& graph : graphs.graphs)
    json.push_back(graphToJson(graph));
  return json;
}

}  // namespace cutaway
