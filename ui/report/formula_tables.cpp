#include "ui/report/formula_tables.h"

#include <spdlog/fmt/fmt.h>

#include "engine/base/format.h"
#include "engine/study/formulas/plan_formulas.h"
#include "ui/report/table_parts.h"

namespace cutaway::ui {
namespace {

std::string left(int64_t count, const char* what) {
  return count == 0 ? std::string() : fmt::format("; {} {} without a formula", count, what);
}

ReportTable factsTable(const WalkReport& walk, const study::ModelFormulas& formulas) {
  ReportTable facts{.id = "formulas",
                    .stage = Stage::kLoad,
                    .title = "Over the open dimensions",
                    .columns = {{"fact"}, {"value"}},
                    .rows = {}};
  const auto bytes = [&](const CostFormula& formula) { return formulaText(formula, formulas.free, formatBytes); };
  facts.rows.push_back(
      {"FLOPs", formulaText(formulas.flops, formulas.free, formatCount) + left(formulas.nodesWithoutFlops, "nodes")});
  facts.rows.push_back({"moved between nodes", bytes(formulas.movedBytes) + left(formulas.nodesWithoutBytes, "nodes")});
  for (const study::PlanFormulas& plan : study::planFormulas(walk, formulas.sizes)) {
    for (const CostFormula& bound : plan.bounds)
      facts.rows.push_back({fmt::format("buffers on {} at once, at least", plan.device), bytes(bound)});
    facts.rows.push_back({fmt::format("buffers on {} without sharing", plan.device),
                          bytes(plan.naive) + left(plan.buffersWithout, "buffers")});
  }
  if (!formulas.multiples.empty()) facts.rows.push_back({"these hold for", study::multiplesText(formulas.multiples)});
  return facts;
}

ReportTable nodesTable(const GraphReport& graph, const study::ModelFormulas& formulas) {
  ReportTable table{.id = "node-formulas",
                    .stage = Stage::kLoad,
                    .title = "Nodes over the open dimensions",
                    .columns = {{"node"}, {"operator"}, {"FLOPs"}, {"moved"}},
                    .rows = {},
                    .version = "loaded"};
  for (size_t node = 0; node < std::min(graph.nodes.size(), formulas.nodes.size()); ++node) {
    const auto words = [&](const std::shared_ptr<const CostFormula>& formula, std::string (*write)(int64_t)) {
      return formula ? formulaText(*formula, formulas.free, write) : std::string("not known");
    };
    const auto place = static_cast<int32_t>(node);
    table.rows.push_back({reportNodeLabel(graph, place), graph.nodes[node].opType,
                          words(formulas.nodes[node].flops, formatCount),
                          words(formulas.nodes[node].movedBytes, formatBytes)});
    table.nodes.push_back(place);
  }
  return table;
}

}  // namespace

void addFormulaTables(const WalkReport& walk, const study::ModelFormulas& formulas, std::vector<ReportTable>& tables) {
  if (!formulas.isOpen() || !walk.loadedGraphs || walk.loadedGraphs->graphs.empty()) return;
  tables.push_back(factsTable(walk, formulas));
  tables.push_back(nodesTable(walk.loadedGraphs->graphs.front(), formulas));
}

}  // namespace cutaway::ui
