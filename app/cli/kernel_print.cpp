#include "app/cli/kernel_print.h"

#include <map>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

namespace cutaway::cli {

namespace {

constexpr size_t kWidest = 110;

std::string pathName(const std::string& fastPath) {
  return fastPath.empty() ? "reference" : fastPath;
}

std::string refusalText(const RowRefusal& row) {
  return fmt::format("{} refused: {}", pathName(row.fastPath), row.reason);
}

// What there is to say about the choice; none: the first row that was asked took the node.
std::vector<std::string> remarksOn(const NodeKernel& node) {
  std::vector<std::string> remarks;
  for (const RowRefusal& row : node.refused)
    remarks.push_back(refusalText(row));
  if (node.missesFastPath())
    remarks.push_back(fmt::format("its row has {} too, but not for what this node is", node.fastPath));
  return remarks;
}

// "onednn" of "onednn:brgconv_avx512".
std::string kindOf(const NodeKernel& node) {
  return node.compiled ? node.provider + " (compiled or copied)" : node.variant.substr(0, node.variant.find(':'));
}

std::string countsByKind(const KernelReport& report) {
  std::map<std::string, int64_t> counts;
  for (const NodeKernel& node : report.nodes)
    ++counts[kindOf(node)];
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts)
    parts.push_back(fmt::format("{} {}", formatCount(count), kind));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

void printKernels(const KernelReport& report, const ModelGraphs& graphs) {
  TableOf<NodeKernel> table(
      {{"graph", [&](const NodeKernel& node) { return graphs.graphs[static_cast<size_t>(node.graph)].title; }},
       {"node", &NodeKernel::name},
       {"operator", &NodeKernel::opType},
       {"provider", &NodeKernel::provider},
       {">packed", [](const NodeKernel& node) { return node.packedBytes > 0 ? formatBytes(node.packedBytes) : "-"; }},
       {"kernel, and rows that refused before it", &NodeKernel::variant}});
  for (const NodeKernel& node : report.nodes) {
    table.add(node);
    for (const std::string& remark : remarksOn(node))
      table.addBelow("  " + remark);
  }
  put("\nkernels: {}\n", countsByKind(report));
  table.print(0, kWidest);
}

void printKernelOf(const KernelReport& report, const std::string& name) {
  bool found = false;
  for (const NodeKernel& node : report.nodes) {
    if (node.name != name) continue;
    found = true;
    put("\n  kernel: {}{}\n", node.variant,
        node.packedBytes > 0 ? fmt::format(", {} of constants packed", formatBytes(node.packedBytes)) : "");
    for (const std::string& remark : remarksOn(node))
      put("    {}\n", remark);
  }
  if (!found) put("\n  kernel: none of its own: it runs inside a group or another node\n");
}

}  // namespace cutaway::cli
