#include "engine/stages/load/load_report.h"

#include <algorithm>
#include <unordered_map>

#include "engine/tensor/parameter_type.h"

namespace cutaway::load {

namespace {

struct Counts {
  std::unordered_map<std::string, int64_t> operators;
};

void countGraph(const Graph& graph, Counts& counts, LoadReport& report) {
  for (size_t i = 0; i < graph.nodeSlots(); ++i) {
    const Node& node = graph.node(NodeId{i});
    if (node.removed) continue;
    ++report.nodeCount;
    ++counts.operators[node.domain.empty() ? node.opType.string() : node.domain + ":" + node.opType];
  }
  for (size_t i = 0; i < graph.valueSlots(); ++i) {
    const Value& value = graph.value(ValueId{i});
    if (value.removed || !value.initializer) continue;
    ++report.initializerCount;
    report.initializerBytes += value.initializer->sizeBytes();
    if (isParameterType(value.initializer->type())) report.parameterCount += value.initializer->elementCount();
  }
}

}  // namespace

void fillLoadReport(const Model& model, LoadReport& report) {
  report.irVersion = model.irVersion;
  report.producer =
      model.producerVersion.empty() ? model.producerName : model.producerName + " " + model.producerVersion;
  report.documentation = model.documentation;
  for (const OpsetImport& import : model.opsets)
    report.opsets.emplace_back(import.domain.empty() ? "ai.onnx" : import.domain, import.version);
  for (const auto& [key, value] : model.metadata)
    report.metadata.emplace_back(key, value);
  Counts counts;
  forEachGraph(model.graph, [&](const Graph& graph) { countGraph(graph, counts, report); });
  for (const Function& function : model.functions) {
    report.functions.push_back(function.domain + ":" + function.name);
    forEachGraph(function.body, [&](const Graph& graph) { countGraph(graph, counts, report); });
  }
  report.operators.assign(counts.operators.begin(), counts.operators.end());
  std::ranges::sort(report.operators, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  report.origins.reserve(model.origins.size());
  for (const Origin& origin : model.origins)
    report.origins.push_back({origin.name, origin.opType, origin.graphPath});
}

}  // namespace cutaway::load
