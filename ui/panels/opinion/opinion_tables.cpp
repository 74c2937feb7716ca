#include "ui/panels/opinion/opinion_tables.h"

#include <algorithm>

#include <QCoreApplication>

#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::OpinionTables)
};

template <typename Row>
ColumnOf<Row> stageColumn() {
  return {.title = Words::tr("Stage"),
          .text = [](const Row& row) { return opinionStageWords(row.stage); },
          .key = [](const Row& row) { return static_cast<int>(row.stage); }};
}

QString shown(const std::string& words) {
  return words.empty() ? QStringLiteral("\u2013") : opinionHeadline(words);
}

ColumnOf<NodeOpinion> step(const QString& title, const QString& help, int32_t NodeOpinion::* step) {
  return {.title = title,
          .kind = Column::kNumber,
          .help = help,
          .text = [=](const NodeOpinion& node) { return node.*step < 0 ? QString() : countText(node.*step); },
          .key = [=](const NodeOpinion& node) { return node.*step; }};
}

// The order of both: signs as elsewhere.
QString orderMark(const NodeOpinion& node) {
  if (node.stepTheirs < 0) return Words::tr("\u2260 only here");
  if (node.stepOurs < 0) return Words::tr("\u2260 only there");
  return node.stepOurs == node.stepTheirs ? QStringLiteral("=") : QStringLiteral("\u2260");
}

// Bars of both engines have one scale: the longest node of either.
ColumnOf<NodeOpinion> nodeTime(const QString& engine, int64_t runs, int64_t longest, NodeSpread NodeOpinion::* spread) {
  return {.title = Words::tr("%1, median of %2").arg(engine).arg(runs),
          .kind = Column::kNumber,
          .help = Words::tr("Measured: median of the runs, and the shortest and longest of them"),
          .text =
              [=](const NodeOpinion& node) {
                const NodeSpread& time = node.*spread;
                return time.medianNs < 0
                           ? QString()
                           : Words::tr("%1 (%2 to %3)")
                                 .arg(timeText(time.medianNs), timeText(time.minNs), timeText(time.maxNs));
              },
          .key = [=](const NodeOpinion& node) { return (node.*spread).medianNs; },
          .share = [=](const NodeOpinion& node) -> std::optional<double> {
            if ((node.*spread).medianNs < 0 || longest <= 0) return std::nullopt;
            return static_cast<double>((node.*spread).medianNs) / static_cast<double>(longest);
          }};
}

}  // namespace

ReportRows opinionStageRows(const OpinionPointer& opinion) {
  using Stages = ColumnOf<StageOpinion>;
  return rowsOf<StageOpinion>(
      partOf(opinion, opinion->stages),
      {stageColumn<StageOpinion>(),
       {.title = Words::tr("Cutaway"), .text = [](const StageOpinion& stage) { return shown(stage.ours); }},
       {.title = Words::tr("ONNX Runtime"), .text = [](const StageOpinion& stage) { return shown(stage.theirs); }},
       Stages{.title = Words::tr("Verdict"),
              .help = Words::tr("Explained: a named rule says why the two differ. Not compared: there is nothing to "
                                "compare, and why."),
              .text =
                  [](const StageOpinion& stage) {
                    return stage.problem.empty()
                               ? opinionMarkWords(stage)
                               : QStringLiteral("%1: %2").arg(opinionMarkWords(stage), told(stage.problem));
                  },
              .key = [](const StageOpinion& stage) { return static_cast<int>(markOf(stage)); }}});
}

std::vector<StageDifference> stageDifferences(const SecondOpinion& opinion) {
  std::vector<StageDifference> rows;
  for (const StageOpinion& stage : opinion.stages)
    for (const OpinionDifference& one : stage.differences)
      rows.push_back({stage.stage, &one});
  std::ranges::stable_partition(rows, [](const StageDifference& row) { return (*row).rule.empty(); });
  return rows;
}

std::vector<StageFigure> stageFigures(const SecondOpinion& opinion) {
  std::vector<StageFigure> rows;
  for (const StageOpinion& stage : opinion.stages)
    for (const OpinionRow& row : stage.rows)
      rows.push_back({stage.stage, &row});
  return rows;
}

ReportRows opinionDifferenceRows(const OpinionPointer& opinion, const TargetOf& target) {
  using Differences = ColumnOf<StageDifference>;
  return rowsOf<StageDifference>(
      listOf(stageDifferences(*opinion), opinion),
      {stageColumn<StageDifference>(),
       {.title = Words::tr("What differs"), .text = [](const StageDifference& row) { return (*row).what; }},
       {.title = Words::tr("Cutaway"), .text = [](const StageDifference& row) { return shown((*row).ours); }},
       {.title = Words::tr("ONNX Runtime"), .text = [](const StageDifference& row) { return shown((*row).theirs); }},
       Differences{.title = Words::tr("Rule"),
                   .help = Words::tr("The named rule that explains the difference"),
                   .text =
                       [](const StageDifference& row) {
                         return (*row).rule.empty()
                                    ? Words::tr("\u2260 unexplained")
                                    : opinionSign(OpinionMark::kExplained) + QLatin1Char(' ') + text((*row).rule);
                       }},
       {.title = Words::tr("Why"), .text = [](const StageDifference& row) { return (*row).explanation; }}},
      [target](const StageDifference& row) {
        for (const std::string& value : (*row).values)
          if (const RowTarget found = target(value); found.node.valid() || found.value.valid()) return found;
        return RowTarget{};
      });
}

ReportRows opinionFigureRows(const OpinionPointer& opinion) {
  using Figures = ColumnOf<StageFigure>;
  return rowsOf<StageFigure>(
      listOf(stageFigures(*opinion), opinion),
      {stageColumn<StageFigure>(),
       {.title = Words::tr("Figure"), .text = [](const StageFigure& row) { return (*row).what; }},
       {.title = Words::tr("Cutaway"), .text = [](const StageFigure& row) { return shown((*row).ours); }},
       {.title = Words::tr("ONNX Runtime"), .text = [](const StageFigure& row) { return shown((*row).theirs); }},
       Figures{.title = Words::tr("What it is"),
               .help = Words::tr("Exact, or measured: how often, and what was taken of the measurements"),
               .text = [](const StageFigure& row) { return (*row).figure; }}});
}

ReportRows opinionNodeRows(const OpinionPointer& opinion, const TargetOf& target) {
  int64_t longest = 0;
  for (const NodeOpinion& node : opinion->nodes)
    longest = std::max({longest, node.timeOurs.medianNs, node.timeTheirs.medianNs});
  return rowsOf<NodeOpinion>(
      partOf(opinion, opinion->nodes),
      {{.title = Words::tr("Order"),
        .help = Words::tr("=: the same step in both; \u2260: another one, or only one engine has the node"),
        .text = orderMark},
       step(Words::tr("Here"), Words::tr("Its step in the order of this engine"), &NodeOpinion::stepOurs),
       step(Words::tr("There"),
            Words::tr("Its step in ONNX Runtime's order; empty: it replaced the node when it opened the graph"),
            &NodeOpinion::stepTheirs),
       {.title = Words::tr("Operator"), .text = [](const NodeOpinion& node) { return node.opType; }},
       {.title = Words::tr("Output"),
        .help = Words::tr("Its first output, which keeps the model's name"),
        .text = [](const NodeOpinion& node) { return node.output; }},
       nodeTime(Words::tr("Cutaway"), opinion->nodeRunsOurs, longest, &NodeOpinion::timeOurs),
       nodeTime(Words::tr("ONNX Runtime"), opinion->nodeRunsTheirs, longest, &NodeOpinion::timeTheirs),
       {.title = Words::tr("Arena there"),
        .kind = Column::kNumber,
        .help = Words::tr("Of ONNX Runtime's arena in use behind the node, in the first run"),
        .text = [](const NodeOpinion& node) { return node.bytesTheirs < 0 ? QString() : sizeText(node.bytesTheirs); },
        .key = [](const NodeOpinion& node) { return node.bytesTheirs; }},
       {.title = Words::tr("Node"),
        .help = Words::tr("Its name in the graph that both run: ONNX Runtime's optimised model"),
        .text = [](const NodeOpinion& node) { return node.node; }}},
      [target](const NodeOpinion& node) { return target(node.output); });
}

OpinionMark markIn(const QString& cell) {
  for (const OpinionMark mark : {OpinionMark::kSame, OpinionMark::kMeasured, OpinionMark::kExplained,
                                 OpinionMark::kNotCompared, OpinionMark::kUnexplained})
    if (cell.startsWith(opinionSign(mark))) return mark;
  return OpinionMark::kNone;
}

}  // namespace cutaway::ui
