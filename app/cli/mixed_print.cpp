#include "app/cli/mixed_print.h"

#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

namespace cutaway::cli {
namespace {

constexpr size_t kShownNodes = 20;

std::string share(double error) {
  return fmt::format("{:.3g} %", error * 100);
}

}  // namespace

void printMixed(const MixedReport& report) {
  put("error of the outputs, of the float model's size: {} quantised, {} asked for\n\n", share(report.quantisedError),
      share(report.goal));
  TextTable table({"", "node", "operator", ">alone float", ">with those above"});
  for (const MixedNode& node : report.nodes)
    table.add({node.together < 0 ? "" : "float", node.node, node.opType, share(node.alone),
               node.together < 0 ? "" : share(node.together)});
  table.print(kShownNodes, 50);
  put("\n{} of {} quantised nodes stay float: {} left, the goal is {}reached ({} runs)\n", formatCount(report.kept),
      formatCount(static_cast<int64_t>(report.nodes.size())), share(report.mixedError), report.reached() ? "" : "not ",
      formatCount(report.runs));
  for (const std::string& warning : report.warnings)
    put("note: {}\n", warning);
}

}  // namespace cutaway::cli
