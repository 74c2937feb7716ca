#include "ui/panels/opinion/opinion_tables.h"

#include <algorithm>

#include <QCoreApplication>

#include "ui/document/opinion_words.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::OpinionTables)
};

// A row of a stage's list; sorted by the stage's place in the walk.
template <typename Part>
struct OfStage {
  OpinionStage stage;
  const Part* part;
  const Part& operator*() const { return *part; }
};
using Difference = OfStage<OpinionDifference>;
using Figure = OfStage<OpinionRow>;

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

ColumnOf<NodeOpinion> amount(const QString& title, const QString& help, int64_t NodeOpinion::* amount,
                             QString (*write)(int64_t)) {
  return {.title = title,
          .kind = Column::kNumber,
          .help = help,
          .text = [=](const NodeOpinion& node) { return node.*amount < 0 ? QString() : write(node.*amount); },
          .key = [=](const NodeOpinion& node) { return node.*amount; }};
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
                               : QStringLiteral("%1: %2").arg(opinionMarkWords(stage), text(stage.problem));
                  },
              .key = [](const StageOpinion& stage) { return static_cast<int>(markOf(stage)); }}});
}

ReportRows opinionDifferenceRows(const OpinionPointer& opinion) {
  using Differences = ColumnOf<Difference>;
  std::vector<Difference> rows;
  for (const StageOpinion& stage : opinion->stages)
    for (const OpinionDifference& one : stage.differences)
      rows.push_back({stage.stage, &one});
  std::ranges::stable_partition(rows, [](const Difference& row) { return (*row).rule.empty(); });
  return rowsOf<Difference>(
      listOf(std::move(rows), opinion),
      {stageColumn<Difference>(),
       {.title = Words::tr("What differs"), .text = [](const Difference& row) { return (*row).what; }},
       {.title = Words::tr("Cutaway"), .text = [](const Difference& row) { return shown((*row).ours); }},
       {.title = Words::tr("ONNX Runtime"), .text = [](const Difference& row) { return shown((*row).theirs); }},
       Differences{.title = Words::tr("Rule"),
                   .help = Words::tr("The named rule that explains the difference"),
                   .text =
                       [](const Difference& row) {
                         return (*row).rule.empty() ? Words::tr("\u2260 unexplained") : text((*row).rule);
                       }},
       {.title = Words::tr("Why"), .text = [](const Difference& row) { return (*row).explanation; }}});
}

ReportRows opinionFigureRows(const OpinionPointer& opinion) {
  using Figures = ColumnOf<Figure>;
  std::vector<Figure> rows;
  for (const StageOpinion& stage : opinion->stages)
    for (const OpinionRow& row : stage.rows)
      rows.push_back({stage.stage, &row});
  return rowsOf<Figure>(
      listOf(std::move(rows), opinion),
      {stageColumn<Figure>(),
       {.title = Words::tr("Figure"), .text = [](const Figure& row) { return (*row).what; }},
       {.title = Words::tr("Cutaway"), .text = [](const Figure& row) { return shown((*row).ours); }},
       {.title = Words::tr("ONNX Runtime"), .text = [](const Figure& row) { return shown((*row).theirs); }},
       Figures{.title = Words::tr("What it is"),
               .help = Words::tr("Exact, or measured: how often, and what was taken of the measurements"),
               .text = [](const Figure& row) { return (*row).figure; }}});
}

ReportRows opinionNodeRows(const OpinionPointer& opinion, const std::function<RowTarget(const std::string&)>& target) {
  return rowsOf<NodeOpinion>(
      partOf(opinion, opinion->nodes),
      {step(Words::tr("Step there"),
            Words::tr("In ONNX Runtime's order; empty: it replaced the node when it opened the "
                      "graph"),
            &NodeOpinion::stepTheirs),
       step(Words::tr("Step here"), Words::tr("In the order of this engine"), &NodeOpinion::stepOurs),
       {.title = Words::tr("Operator"), .text = [](const NodeOpinion& node) { return node.opType; }},
       {.title = Words::tr("Output"),
        .help = Words::tr("Its first output, which keeps the model's name"),
        .text = [](const NodeOpinion& node) { return node.output; }},
       amount(Words::tr("Time here"), Words::tr("Mean over the runs, measured"), &NodeOpinion::timeOursNs, timeText),
       amount(Words::tr("Time there"), Words::tr("Mean over the runs, measured"), &NodeOpinion::timeTheirsNs, timeText),
       amount(Words::tr("Arena there"), Words::tr("Of ONNX Runtime's arena in use behind the node, in the first run"),
              &NodeOpinion::bytesTheirs, sizeText),
       {.title = Words::tr("Node"),
        .help = Words::tr("Its name in the graph that both run: ONNX Runtime's optimised model"),
        .text = [](const NodeOpinion& node) { return node.node; }}},
      [target](const NodeOpinion& node) { return target(node.output); });
}

}  // namespace cutaway::ui
