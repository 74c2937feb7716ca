#pragma once
// How another engine's account of a stage stands to ours, in a mark and in words, for the ribbon and the panel.
//
// Thread rule: pure functions.
// Example: const OtherLine line = otherLine(*opinion, Stage::kOptimize);  // "19 → 14 nodes", kExplained

#include <optional>

#include <QColor>
#include <QString>

#include "engine/report/opinion_report.h"
#include "engine/report/walk_report.h"

namespace cutaway::ui {

struct Theme;

enum class OpinionMark { kNone, kSame, kMeasured, kExplained, kNotCompared, kUnexplained };  // the worst last

OpinionMark markOf(const StageOpinion& stage);
QString opinionSign(OpinionMark mark);  // signs that differ without their colour
QColor opinionColor(OpinionMark mark, const Theme& theme);
QString opinionStageWords(OpinionStage stage);          // its title in the language of the window
QString opinionMarkWords(const StageOpinion& stage);    // "= same", "≈ 3 explained", "≠ 1 of 4 unexplained"
QString opinionHeadline(const std::string& headline);   // "19 → 14 nodes"; empty: a dash
QString opinionSentence(const SecondOpinion& opinion);  // what it all comes to, or its refusal
// The stage of the window that a part of the account is about; nullopt: none.
std::optional<Stage> windowStageOf(OpinionStage part);

// The other engine's line below ours in the ribbon.
struct OtherLine {
  OpinionMark mark = OpinionMark::kNone;  // kNone: nothing to say at this stage
  QString words;                          // short, the spread of a time is in the tool tip
  QString toolTip;
};
OtherLine otherLine(const SecondOpinion& opinion, Stage stage);

}  // namespace cutaway::ui
