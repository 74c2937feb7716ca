// Which stages of the window an account speaks about, and how its marks read.
#include "ui/document/opinion_words.h"

#include <algorithm>
#include <vector>

#include <QCoreApplication>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::OpinionWords)
};

int64_t unexplainedOf(const StageOpinion& stage) {
  return std::ranges::count_if(stage.differences, [](const OpinionDifference& one) { return one.rule.empty(); });
}

// The parts of an account that belong to a stage of the window; the first one gives the headline.
std::vector<OpinionStage> partsOf(Stage stage) {
  switch (stage) {
    case Stage::kLoad:
      return {OpinionStage::kModel};
    case Stage::kOptimize:
      return {OpinionStage::kOptimize};
    case Stage::kPartition:
      return {OpinionStage::kPartition};
    case Stage::kSchedule:
      return {OpinionStage::kOrder};
    case Stage::kPattern:
      return {OpinionStage::kMemory};
    case Stage::kRun:
      return {OpinionStage::kRun, OpinionStage::kOutputs};
    default:
      return {};
  }
}

}  // namespace

OpinionMark markOf(const StageOpinion& stage) {
  if (!stage.problem.empty()) return OpinionMark::kNotCompared;
  if (stage.differences.empty()) return OpinionMark::kSame;
  return unexplainedOf(stage) > 0 ? OpinionMark::kUnexplained : OpinionMark::kExplained;
}

QString opinionStageWords(OpinionStage stage) {
  switch (stage) {
    case OpinionStage::kModel:
      return Words::tr("Inputs and outputs");
    case OpinionStage::kOptimize:
      return Words::tr("Optimize");
    case OpinionStage::kPartition:
      return Words::tr("Partition");
    case OpinionStage::kOrder:
      return Words::tr("Order");
    case OpinionStage::kMemory:
      return Words::tr("Memory");
    case OpinionStage::kSession:
      return Words::tr("Session");
    case OpinionStage::kRun:
      return Words::tr("Run");
    case OpinionStage::kOutputs:
      return Words::tr("Outputs");
  }
  return {};
}

QString opinionMarkWords(const StageOpinion& stage) {
  const QString count = countText(static_cast<int64_t>(stage.differences.size()));
  switch (markOf(stage)) {
    case OpinionMark::kSame:
      return Words::tr("\u2713 same");
    case OpinionMark::kExplained:
      return Words::tr("\u2248 %1 explained").arg(count);
    case OpinionMark::kUnexplained:
      return Words::tr("\u2260 %1 of %2 unexplained").arg(countText(unexplainedOf(stage)), count);
    default:
      return Words::tr("? not compared");
  }
}

QString opinionHeadline(const std::string& headline) {
  if (headline.empty()) return QStringLiteral("\u2013");
  return text(headline).replace(QLatin1String("->"), QStringLiteral("\u2192"));
}

QString opinionSentence(const SecondOpinion& opinion) {
  if (!opinion.verdict.empty())
    return Words::tr("\u2717 ONNX Runtime %1 refuses this model: %2").arg(text(opinion.version), text(opinion.verdict));
  const QString where =
      Words::tr("Cutaway beside ONNX Runtime %1, %2: ").arg(text(opinion.version), text(opinion.threads));
  if (opinion.differences() == 0) return where + Words::tr("\u2713 no stage differs.");
  return where + (opinion.unexplained() == 0
                      ? Words::tr("differences: %1, all explained by a rule.").arg(countText(opinion.differences()))
                      : Words::tr("differences: %1, \u2260 %2 of them unexplained.")
                            .arg(countText(opinion.differences()), countText(opinion.unexplained())));
}

OtherLine otherLine(const SecondOpinion& opinion, Stage stage) {
  if (!opinion.verdict.empty())
    return stage == Stage::kLoad ? OtherLine{OpinionMark::kUnexplained, Words::tr("refused"), opinionSentence(opinion)}
                                 : OtherLine{};
  OtherLine line;
  for (const OpinionStage part : partsOf(stage)) {
    const auto found = std::ranges::find(opinion.stages, part, &StageOpinion::stage);
    if (found == opinion.stages.end()) continue;
    if (line.mark == OpinionMark::kNone) line.words = opinionHeadline(found->theirs);
    line.mark = std::max(line.mark, markOf(*found));
    if (!line.toolTip.isEmpty()) line.toolTip += QLatin1Char('\n');
    line.toolTip += Words::tr("%1: Cutaway %2, ONNX Runtime %3 \u2013 %4")
                        .arg(opinionStageWords(part), opinionHeadline(found->ours), opinionHeadline(found->theirs),
                             found->problem.empty() ? opinionMarkWords(*found) : text(found->problem));
  }
  return line;
}

}  // namespace cutaway::ui
