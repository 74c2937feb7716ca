#include <nlohmann/json.hpp>

#include "engine/report/json.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

template <typename Pairs>
Json objectOf(const Pairs& pairs) {
  Json json = Json::object();
  for (const auto& [key, value] : pairs)
    json[key] = value;
  return json;
}

Json phasesToJson(const std::vector<PhaseReport>& phases) {
  Json json = Json::array();
  for (const PhaseReport& phase : phases)
    json.push_back({{"name", phase.name}, {"time_ns", phase.timeNs}, {"bytes", phase.bytes}});
  return json;
}

}  // namespace

Json toJson(const LoadReport& report) {
  Json files = Json::array();
  for (const ExternalFileReport& file : report.externalFiles) {
    files.push_back({{"path", file.path},
                     {"file_bytes", file.fileBytes},
                     {"used_bytes", file.usedBytes},
                     {"tensors", file.tensorCount}});
  }
  Json origins = Json::array();
  for (const OriginReport& origin : report.origins)
    origins.push_back({{"name", origin.name}, {"op_type", origin.opType}, {"graph", origin.graphPath}});
  for (const auto& [origin, layer] : report.layerOfOrigin)
    origins[static_cast<size_t>(origin)]["layer"] = layer;
  return {{"path", report.path},
          {"format", report.format},
          {"file_bytes", report.fileBytes},
          {"ir_version", report.irVersion},
          {"producer", report.producer},
          {"documentation", report.documentation},
          {"opsets", objectOf(report.opsets)},
          {"metadata", objectOf(report.metadata)},
          {"functions", report.functions},
          {"nodes", report.nodeCount},
          {"initializers", report.initializerCount},
          {"initializer_bytes", report.initializerBytes},
          {"parameters", report.parameterCount},
          {"operators", objectOf(report.operators)},
          {"external_files", std::move(files)},
          {"phases", phasesToJson(report.phases)},
          {"warnings", report.warnings},
          {"origins", std::move(origins)},
          {"time_ns", report.timeNs}};
}

Json toJson(const ResolveReport& report) {
  Json values = Json::array();
  for (const ValueRule& value : report.values) {
    values.push_back({{"graph", value.graph},
                      {"value", value.value},
                      {"role", valueRoleName(value.role)},
                      {"rule", value.rule},
                      {"text", value.text}});
  }
  Json steps = Json::array();
  for (const ResolveStep& step : report.steps) {
    steps.push_back({{"graph", step.graph},
                     {"node", step.node},
                     {"value", step.value},
                     {"rule", step.rule},
                     {"list", step.list},
                     {"added", step.added},
                     {"text", step.text}});
  }
  Json warnings = Json::array();
  for (const ModelWarning& warning : report.warnings)
    warnings.push_back({{"node", warning.node}, {"value", warning.value}, {"message", warning.message}});
  return {{"values", std::move(values)},
          {"steps", std::move(steps)},
          {"warnings", std::move(warnings)},
          {"bound_dims", objectOf(report.boundDims)},
          {"open_symbols", report.openSymbols},
          {"known_shapes", report.knownShapes},
          {"symbolic_shapes", report.symbolicShapes},
          {"unknown_shapes", report.unknownShapes},
          {"inlined_functions", report.inlinedFunctions},
          {"phases", phasesToJson(report.phases)},
          {"time_ns", report.timeNs}};
}

Json toJson(const OptimizeReport& report) {
  Json passes = Json::array();
  for (const PassReport& pass : report.passes) {
    passes.push_back({{"name", pass.name},
                      {"purpose", pass.purpose},
                      {"level", pass.level},
                      {"skipped", pass.skipped},
                      {"rounds", pass.rounds},
                      {"rewrites", pass.rewrites},
                      {"nodes_before", pass.nodesBefore},
                      {"nodes_after", pass.nodesAfter},
                      {"time_ns", pass.timeNs}});
  }
  Json rewrites = Json::array();
  for (const RewriteReport& rewrite : report.rewrites) {
    rewrites.push_back({{"pass", rewrite.pass},
                        {"note", rewrite.note},
                        {"graph", rewrite.graph},
                        {"origins", rewrite.origins},
                        {"removed", rewrite.removed},
                        {"added", rewrite.added}});
  }
  return {{"level", report.level},
          {"passes", std::move(passes)},
          {"rewrites", std::move(rewrites)},
          {"warnings", report.warnings},
          {"nodes_before", report.nodesBefore},
          {"nodes_after", report.nodesAfter},
          {"folded_bytes", report.foldedBytes},
          {"time_ns", report.timeNs}};
}

}  // namespace cutaway
