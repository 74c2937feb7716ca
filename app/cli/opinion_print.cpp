#include "app/cli/opinion_print.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

namespace cutaway::cli {

namespace {

constexpr int64_t kSlowestShown = 10;

std::string verdictOf(const StageOpinion& stage) {
  if (!stage.problem.empty()) return "not compared";
  if (isMeasured(stage.stage)) return "measured";
  if (stage.differences.empty()) return "same";
  const int64_t unexplained = stage.unexplained();
  const std::string count = formatCount(static_cast<int64_t>(stage.differences.size()));
  return unexplained == 0 ? fmt::format("{} explained", count) : fmt::format("{}, {} unexplained", count, unexplained);
}

void printStages(const SecondOpinion& opinion) {
  TextTable table({"stage", "cutaway", opinion.engine, "differences"});
  for (const StageOpinion& stage : opinion.stages)
    table.add({opinionStageTitle(stage.stage), stage.ours.empty() ? "-" : stage.ours,
               stage.theirs.empty() ? "-" : stage.theirs, verdictOf(stage)});
  table.print(0, 60);
  for (const StageOpinion& stage : opinion.stages)
    if (!stage.problem.empty()) put("{}: {}\n", opinionStageTitle(stage.stage), stage.problem);
}

void printRows(const SecondOpinion& opinion) {
  TextTable table({"stage", "figure", "cutaway", opinion.engine, "what it is"});
  for (const StageOpinion& stage : opinion.stages)
    for (const OpinionRow& row : stage.rows)
      table.add({opinionStageTitle(stage.stage), row.what, row.ours, row.theirs, row.figure});
  put("\n");
  table.print(0, 60);
}

void printDifferences(const SecondOpinion& opinion) {
  if (opinion.differences() == 0) return;
  TextTable table({"stage", "what differs", "cutaway", opinion.engine, "rule", "why"});
  for (const StageOpinion& stage : opinion.stages)
    for (const OpinionDifference& one : stage.differences)
      table.add({opinionStageTitle(stage.stage), one.what, one.ours, one.theirs,
                 one.rule.empty() ? "UNEXPLAINED" : one.rule, one.explanation});
  put("\n");
  table.print(0, 70);
}

// The same graph, node by node: where the time goes in either engine.
void printNodes(const SecondOpinion& opinion, bool all) {
  std::vector<const NodeOpinion*> rows;
  for (const NodeOpinion& node : opinion.nodes)
    rows.push_back(&node);
  if (rows.empty()) return;
  if (!all) {
    std::ranges::stable_sort(rows, std::ranges::greater(), [](const NodeOpinion* node) {
      return std::max(node->timeOurs.medianNs, node->timeTheirs.medianNs);
    });
    rows.resize(std::min<size_t>(rows.size(), kSlowestShown));
  }
  const auto titled = [](const std::string& engine, int64_t runs) {
    return fmt::format(">{}, median of {}", engine, formatCount(runs));
  };
  TextTable table({"node", "operator", "output", ">step", ">step there", titled("cutaway", opinion.nodeRunsOurs),
                   titled(opinion.engine, opinion.nodeRunsTheirs), ">arena there"});
  const auto number = [](int64_t value) { return value < 0 ? std::string("-") : formatCount(value); };
  const auto time = [](int64_t value) { return value < 0 ? std::string("-") : formatTime(value); };
  for (const NodeOpinion* node : rows)
    table.add({node->node, node->opType, node->output, number(node->stepOurs), number(node->stepTheirs),
               time(node->timeOurs.medianNs), time(node->timeTheirs.medianNs),
               node->bytesTheirs < 0 ? "-" : formatBytes(node->bytesTheirs)});
  put("\nThe same graph (the optimised model of {}, as it is in both), {}; times are medians of a node over "
      "its runs, measured:\n",
      opinion.engine, all ? "in its order" : fmt::format("the {} slowest nodes", rows.size()));
  table.print(0, 40);
}

}  // namespace

void printOpinion(const SecondOpinion& opinion, bool all) {
  put("{} beside {} {} ({}), {}\n\n", opinion.model, opinion.engine, opinion.version, opinion.library, opinion.threads);
  if (!opinion.verdict.empty()) {
    put("{} refuses this model: {}\n", opinion.engine, opinion.verdict);
    return;
  }
  printStages(opinion);
  if (all) printRows(opinion);
  printDifferences(opinion);
  printNodes(opinion, all);
  put("\n{} differences, {} unexplained; {}\n", formatCount(opinion.differences()), formatCount(opinion.unexplained()),
      formatTime(opinion.timeNs));
  if (!all) put("(--all shows every figure and every node)\n");
}

}  // namespace cutaway::cli
