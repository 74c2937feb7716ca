// Which stages of the window an account speaks about, and how its marks read.
#include "ui/document/opinion_words.h"

#include <algorithm>

#include <QCoreApplication>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::OpinionWords)
};

// The headline in the width of a ribbon's cell: providers by their short names, a time without its spread.
QString ribbonWords(const StageOpinion& stage) {
  QString words = opinionHeadline(stage.theirs);
  words.remove(QLatin1String("ExecutionProvider"));
  return isMeasured(stage.stage) ? words.section(QLatin1String(" ("), 0, 0) : words;
}

// The first number of "100 cpu" or "1,200 CPUExecutionProvider".
QString firstCount(const std::string& headline) {
  return text(headline).section(QLatin1Char(' '), 0, 0);
}

}  // namespace

OpinionMark markOf(const StageOpinion& stage) {
  if (!stage.problem.empty()) return OpinionMark::kNotCompared;
  if (isMeasured(stage.stage)) return OpinionMark::kMeasured;
  if (stage.differences.empty()) return OpinionMark::kSame;
  return stage.unexplained() > 0 ? OpinionMark::kUnexplained : OpinionMark::kExplained;
}

QString opinionSign(OpinionMark mark) {
  switch (mark) {
    case OpinionMark::kNone:
      return {};
    case OpinionMark::kSame:
      return QStringLiteral("=");
    case OpinionMark::kMeasured:
      return QStringLiteral("\u00b1");
    case OpinionMark::kExplained:
      return QStringLiteral("\u2248");
    case OpinionMark::kNotCompared:
      return QStringLiteral("?");
    case OpinionMark::kUnexplained:
      return QStringLiteral("\u2260");
  }
  return {};
}

QColor opinionColor(OpinionMark mark, const Theme& theme) {
  return mark == OpinionMark::kSame          ? theme.success
         : mark == OpinionMark::kUnexplained ? theme.error
         : mark == OpinionMark::kNotCompared ? theme.warning
                                             : theme.textSecondary;
}

std::optional<Stage> windowStageOf(OpinionStage part) {
  switch (part) {
    case OpinionStage::kModel:
      return Stage::kResolve;
    case OpinionStage::kOptimize:
      return Stage::kOptimize;
    case OpinionStage::kPartition:
      return Stage::kPartition;
    case OpinionStage::kOrder:
      return Stage::kSchedule;
    case OpinionStage::kMemory:
      return Stage::kPattern;
    case OpinionStage::kRun:
    case OpinionStage::kOutputs:
      return Stage::kRun;
    case OpinionStage::kSession:
      return std::nullopt;
  }
  return std::nullopt;
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
  const OpinionMark mark = markOf(stage);
  const QString count = countText(static_cast<int64_t>(stage.differences.size()));
  const auto signedWords = [mark](const QString& words) { return opinionSign(mark) + QLatin1Char(' ') + words; };
  switch (mark) {
    case OpinionMark::kSame:
      // Providers are compared for each node that both have; one engine may have been asked about more.
      return signedWords(stage.stage == OpinionStage::kPartition && firstCount(stage.ours) != firstCount(stage.theirs)
                             ? Words::tr("same for the nodes of both")
                             : Words::tr("same"));
    case OpinionMark::kMeasured:
      return signedWords(Words::tr("measured"));
    case OpinionMark::kExplained:
      return signedWords(Words::tr("%1 explained").arg(count));
    case OpinionMark::kUnexplained:
      return signedWords(Words::tr("%1 of %2 unexplained").arg(countText(stage.unexplained()), count));
    default:
      return signedWords(Words::tr("not compared"));
  }
}

QString opinionHeadline(const std::string& headline) {
  if (headline.empty()) return QStringLiteral("\u2013");
  return text(headline).replace(QLatin1String("->"), QStringLiteral("\u2192"));
}

QString opinionSentence(const SecondOpinion& opinion) {
  if (!opinion.verdict.empty())
    return Words::tr("\u2717 ONNX Runtime %1 refuses this model: %2").arg(text(opinion.version), text(opinion.verdict));
  QString words = Words::tr("ONNX Runtime %1, %2: ").arg(text(opinion.version), text(opinion.threads));
  if (opinion.differences() == 0)
    words += Words::tr("no stage differs.");
  else if (opinion.unexplained() == 0)
    words += Words::tr("differences: %1, all explained by a rule.").arg(countText(opinion.differences()));
  else
    words += Words::tr("differences: %1, \u2260 %2 of them unexplained.")
                 .arg(countText(opinion.differences()), countText(opinion.unexplained()));
  const auto open = std::ranges::count(opinion.stages, OpinionMark::kNotCompared, markOf);
  return open == 0 ? words : words + Words::tr(" Not compared: %1 of %2.").arg(open).arg(opinion.stages.size());
}

OtherLine otherLine(const SecondOpinion& opinion, Stage stage) {
  if (!opinion.verdict.empty())
    return stage == Stage::kLoad ? OtherLine{OpinionMark::kUnexplained, Words::tr("refused"), opinionSentence(opinion)}
                                 : OtherLine{};
  OtherLine line;
  for (const StageOpinion& part : opinion.stages) {
    if (windowStageOf(part.stage) != stage) continue;
    if (line.mark == OpinionMark::kNone) line.words = ribbonWords(part);
    line.mark = std::max(line.mark, markOf(part));
    if (!line.toolTip.isEmpty()) line.toolTip += QLatin1Char('\n');
    line.toolTip += Words::tr("%1: Cutaway %2, ONNX Runtime %3 \u2013 %4")
                        .arg(opinionStageWords(part.stage), opinionHeadline(part.ours), opinionHeadline(part.theirs),
                             part.problem.empty() ? opinionMarkWords(part) : told(part.problem));
  }
  return line;
}

}  // namespace cutaway::ui
