// The context stage as text: previews, written files, context nodes with their checks, verifications.
#include <map>

#include "app/cli/context_verb.h"
#include "app/cli/device_print.h"
#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"
#include "engine/base/printable.h"

namespace cutaway::cli {

namespace {

constexpr size_t kShownNodes = 40;

// Operations of a group: of its nodes where it has no name.
int64_t flopsOf(const ContextGroup& group, const PartitionReport& partition) {
  if (!group.name.empty()) {
    for (const GroupReport& each : partition.groups) {
      if (each.name == group.name && each.graph == group.graph) return each.flops;
    }
  }
  int64_t flops = 0;
  for (const NodePlacement& place : partition.nodes) {
    if (place.graph != group.graph || std::ranges::find(group.nodes, place.node) == group.nodes.end()) continue;
    if (place.flops < 0) return -1;
    flops += place.flops;
  }
  return flops;
}

std::string flopsText(int64_t flops) {
  if (flops < 0) return "?";
  if (flops >= 1'000'000'000) return fmt::format("{:.2f} G", static_cast<double>(flops) * 1e-9);
  if (flops >= 1'000'000) return fmt::format("{:.2f} M", static_cast<double>(flops) * 1e-6);
  return formatCount(flops);
}

// "12 Conv, 11 Relu, 2 Add".
std::string operatorsIn(const GraphReport& graph) {
  std::map<std::string, int64_t> counts;
  for (const NodeReport& node : graph.nodes)
    ++counts[node.opType];
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto& [name, count] : counts)
    sorted.emplace_back(-count, name);
  std::ranges::sort(sorted);
  std::vector<std::string> words;
  for (const auto& [count, name] : sorted)
    words.push_back(fmt::format("{} {}", -count, name));
  if (words.size() > 8) {
    words.resize(8);
    words.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// What the vendor's library tells of the binary: its target, and a line for each tensor that goes in or out.
void printBinary(const BinaryDescription& binary) {
  const auto factsText = [](const std::vector<std::pair<std::string, std::string>>& facts) {
    std::vector<std::string> words;
    for (const auto& [name, value] : facts)
      words.push_back(fmt::format("{} {}", name, value));
    return fmt::format("{}", fmt::join(words, ", "));
  };
  if (binary.toldBy.empty()) return;
  put("  {:<10} {}\n", "told by", printable(fmt::format("{}: {}", binary.toldBy, factsText(binary.facts))));
  for (const BinaryGraph& graph : binary.graphs) {
    put("  {:<10} {}{}\n", "graph", printable(graph.name),
        graph.facts.empty() ? "" : printable(fmt::format("; {}", factsText(graph.facts))));
    const auto tensors = [](const char* title, const std::vector<BinaryTensor>& list) {
      for (const BinaryTensor& each : list)
        put("    {:<8} {}\n", title, printable(each.words()));
    };
    tensors("input", graph.inputs);
    tensors("output", graph.outputs);
  }
}

void printNode(const ContextNodeReport& node, const WalkReport& walk) {
  put("{}{}\n", node.name.empty() ? "(without a name)" : printable(node.name),
      node.graph == 0 ? "" : fmt::format("  (graph {})", node.graph));
  const auto line = [](std::string_view title, const std::string& text) {
    if (!text.empty()) put("  {:<10} {}\n", title, printable(text));
  };
  line("made by", node.source.empty() ? "not said"
                  : node.source == node.sourceTitle || node.sourceTitle.empty()
                      ? node.source
                      : fmt::format("{} ({})", node.source, node.sourceTitle));
  line("kind",
       fmt::format("{}, {}{}", node.isMain ? "main" : "dependent", node.isEmbedded ? "embedded" : "beside the model",
                   node.isPlaceholder ? ", a placeholder: described, not compiled" : ""));
  line("partition", node.partitionName);
  line("binary", node.file.empty() && node.fileBytes < 0
                     ? ""
                     : fmt::format("{}{}{}", node.file, node.file.empty() ? "" : ", ",
                                   node.fileBytes < 0 ? "not there" : formatBytes(node.fileBytes)));
  if (node.partitionBytes >= 0) line("its part", formatBytes(node.partitionBytes));
  line("format", node.format);
  line("version", node.sdkVersion);
  line("hardware", node.hardware);
  line("original", node.modelFile);
  if (node.maxSizeBytes > 0) line("max size", formatBytes(node.maxSizeBytes));
  line("notes", node.notes);
  if (node.insideNodes >= 0) {
    std::string inside = fmt::format("{} nodes", formatCount(node.insideNodes));
    if (walk.loadedGraphs != nullptr && static_cast<size_t>(node.graph) < walk.loadedGraphs->graphs.size()) {
      const GraphReport& graph = walk.loadedGraphs->graphs[static_cast<size_t>(node.graph)];
      if (static_cast<size_t>(node.node) < graph.nodes.size() &&
          graph.nodes[static_cast<size_t>(node.node)].inside != kNone) {
        inside +=
            ": " +
            operatorsIn(
                walk.loadedGraphs->graphs[static_cast<size_t>(graph.nodes[static_cast<size_t>(node.node)].inside)]);
      }
    }
    line("inside", inside);
  } else {
    line("inside", "the file does not say");
  }
  printBinary(node.binary);
  for (const ContextCheck& check : node.checks)
    put("  {:<10} {}{}{}\n", check.name, checkStateName(check.state), check.detail.empty() ? "" : ": ",
        printable(check.detail));
}

}  // namespace

void printPreview(const WalkReport& walk) {
  if (walk.context == nullptr || walk.partition == nullptr) return;
  TextTable table({"provider", "context node", ">nodes", ">flops", ">weights", "kept", "why"});
  int64_t kept = 0, keptNodes = 0, otherNodes = 0;
  for (const ContextGroup& group : walk.context->groups) {
    const auto nodes = static_cast<int64_t>(group.nodes.size());
    table.add({group.provider, group.name.empty() ? "-" : group.name, formatCount(nodes),
               flopsText(flopsOf(group, *walk.partition)), formatBytes(group.weightBytes),
               group.canSave ? group.isPlaceholder ? "as a placeholder" : "yes" : "no", group.reason});
    kept += group.canSave ? 1 : 0;
    (group.canSave ? keptNodes : otherNodes) += nodes;
  }
  table.print(0, 90);
  put("\n{} context node{} would keep {} nodes; {} stay as they are. Nothing was written.\n", formatCount(kept),
      kept == 1 ? "" : "s", formatCount(keptNodes), formatCount(otherNodes));
  for (const std::string& warning : walk.context->warnings)
    put("warning: {}\n", warning);
}

void printWritten(const ContextWritten& written) {
  int64_t total = 0;
  for (const ContextFile& file : written.files) {
    put("wrote {} ({}, {})\n", file.path, file.what, formatBytes(file.sizeBytes));
    total += file.sizeBytes;
  }
  if (!written.files.empty()) {
    put("{} context node{}, {} node{} outside; {} in files for {} of weights{}; in {}\n",
        formatCount(written.contextNodes), written.contextNodes == 1 ? "" : "s", formatCount(written.otherNodes),
        written.otherNodes == 1 ? "" : "s", formatBytes(total), formatBytes(written.weightBytes),
        written.sharedBytes > 0
            ? fmt::format(", {} saved by keeping equal pieces once", formatBytes(written.sharedBytes))
            : "",
        formatTime(written.timeNs));
  }
  for (const std::string& warning : written.warnings)
    put("warning: {}\n", warning);
}

void printContextNodes(const WalkReport& walk, bool everyNode) {
  const std::vector<ContextNodeReport>& nodes = walk.context->nodes;
  if (nodes.empty()) put("This model has no EPContext nodes; nothing in it is compiled.\n");
  size_t shown = 0;
  for (const ContextNodeReport& node : nodes) {
    if (!everyNode && shown == kShownNodes) break;
    if (shown++ > 0) put("\n");
    printNode(node, walk);
  }
  if (shown < nodes.size())
    put("\n({} of {} context nodes; --all shows every one)\n", formatCount(static_cast<int64_t>(shown)),
        formatCount(static_cast<int64_t>(nodes.size())));
  for (const std::string& warning : walk.context->warnings)
    put("\nwarning: {}\n", warning);
}

void printVerification(const ContextVerification& seen, const std::vector<std::string>& simulated) {
  TextTable table({"", ">ready", ">first run", ">run (median)"});
  table.add(
      {"original", formatTime(seen.compileNs), formatTime(seen.firstRunOriginalNs), formatTime(seen.runOriginalNs)});
  if (seen.loads)
    table.add(
        {"context model", formatTime(seen.loadNs), formatTime(seen.firstRunContextNs), formatTime(seen.runContextNs)});
  table.print();
  putSimulated(simulated);
  if (seen.loads && seen.loadNs > 0 && simulated.empty()) {
    const double ratio = static_cast<double>(seen.compileNs) / static_cast<double>(seen.loadNs);
    put("{}\n", ratio >= 1.05 ? fmt::format("ready {:.1f} times as fast", ratio)
                              : std::string("not faster to load: there is little to compile"));
  }
  for (const ContextOutputDifference& output : seen.outputs) {
    if (output.sameBits) continue;
    put("output '{}' differs: {}\n", printable(output.name),
        output.problem.empty() ? fmt::format("by up to {:.3g}", output.maximumError) : output.problem);
  }
  if (!seen.problem.empty()) put("{}\n", printable(seen.problem));
  put("{}\n", !seen.loads        ? "DOES NOT LOAD"
              : seen.sameOutputs ? fmt::format("SAME: {} output{} agree bit for bit", seen.outputs.size(),
                                               seen.outputs.size() == 1 ? "" : "s")
                                 : "DIFFERENT");
}

}  // namespace cutaway::cli
