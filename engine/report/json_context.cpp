// The context report as JSON.

#include <nlohmann/json.hpp>

#include "engine/report/json.h"

namespace cutaway {

using Json = nlohmann::json;

const char* checkStateName(CheckState state) {
  switch (state) {
    case CheckState::kPassed:
      return "passed";
    case CheckState::kWarning:
      return "warning";
    case CheckState::kFailed:
      return "failed";
    case CheckState::kSkipped:
      return "skipped";
  }
  return "";
}

namespace {

template <typename Items, typename Make>
Json listed(const Items& items, Make&& make) {
  Json json = Json::array();
  for (const auto& item : items)
    json.push_back(make(item));
  return json;
}

Json groupToJson(const ContextGroup& group) {
  return {{"provider", group.provider},
          {"name", group.name},
          {"graph", group.graph},
          {"nodes", group.nodes},
          {"can_save", group.canSave},
          {"is_placeholder", group.isPlaceholder},
          {"reason", group.reason},
          {"weight_bytes", group.weightBytes},
          {"estimated_bytes", group.estimatedBytes}};
}

Json checkToJson(const ContextCheck& check) {
  return {{"name", check.name}, {"state", checkStateName(check.state)}, {"detail", check.detail}};
}

Json tensorToJson(const BinaryTensor& tensor) {
  return {{"name", tensor.name}, {"type", tensor.type}, {"encoding", tensor.encoding}};
}

Json factsToJson(const std::vector<std::pair<std::string, std::string>>& facts) {
  Json object = Json::object();
  for (const auto& [name, words] : facts)
    object[name] = words;
  return object;
}

Json graphToJson(const BinaryGraph& graph) {
  return {{"name", graph.name},
          {"facts", factsToJson(graph.facts)},
          {"inputs", listed(graph.inputs, tensorToJson)},
          {"outputs", listed(graph.outputs, tensorToJson)}};
}

Json binaryToJson(const BinaryDescription& binary) {
  return {
      {"told_by", binary.toldBy}, {"facts", factsToJson(binary.facts)}, {"graphs", listed(binary.graphs, graphToJson)}};
}

Json nodeToJson(const ContextNodeReport& node) {
  return {{"graph", node.graph},
          {"node", node.node},
          {"name", node.name},
          {"source", node.source},
          {"source_title", node.sourceTitle},
          {"provider", node.provider},
          {"is_main", node.isMain},
          {"is_embedded", node.isEmbedded},
          {"partition_name", node.partitionName},
          {"sdk_version", node.sdkVersion},
          {"hardware", node.hardware},
          {"model_file", node.modelFile},
          {"notes", node.notes},
          {"file", node.file},
          {"file_bytes", node.fileBytes},
          {"partition_bytes", node.partitionBytes},
          {"max_size_bytes", node.maxSizeBytes},
          {"format", node.format},
          {"is_placeholder", node.isPlaceholder},
          {"inside_nodes", node.insideNodes},
          {"binary", binaryToJson(node.binary)},
          {"checks", listed(node.checks, checkToJson)},
          {"restore_time_ns", node.restoreTimeNs},
          {"shared_bytes", node.sharedBytes}};
}

Json fileToJson(const ContextFile& file) {
  return {{"path", file.path}, {"what", file.what}, {"size_bytes", file.sizeBytes}};
}

Json writtenToJson(const ContextWritten& written) {
  return {{"files", listed(written.files, fileToJson)},
          {"context_nodes", written.contextNodes},
          {"other_nodes", written.otherNodes},
          {"weight_bytes", written.weightBytes},
          {"shared_bytes", written.sharedBytes},
          {"time_ns", written.timeNs},
          {"warnings", written.warnings}};
}

Json outputToJson(const ContextOutputDifference& output) {
  return {{"name", output.name},
          {"same_bits", output.sameBits},
          {"maximum_error", output.maximumError},
          {"problem", output.problem}};
}

}  // namespace

Json toJson(const ContextVerification& seen) {
  return {{"loads", seen.loads},
          {"same_outputs", seen.sameOutputs},
          {"problem", seen.problem},
          {"outputs", listed(seen.outputs, outputToJson)},
          {"compile_ns", seen.compileNs},
          {"load_ns", seen.loadNs},
          {"first_run_original_ns", seen.firstRunOriginalNs},
          {"first_run_context_ns", seen.firstRunContextNs},
          {"run_original_ns", seen.runOriginalNs},
          {"run_context_ns", seen.runContextNs}};
}

Json toJson(const ContextReport& report) {
  Json json = {{"groups", listed(report.groups, groupToJson)},
               {"nodes", listed(report.nodes, nodeToJson)},
               {"warnings", report.warnings}};
  if (!report.written.empty()) json["written"] = writtenToJson(report.written.front());
  if (!report.verified.empty()) json["verified"] = toJson(report.verified.front());
  if (!report.recompiledFrom.empty()) json["recompiled_from"] = report.recompiledFrom;
  return json;
}

}  // namespace cutaway
