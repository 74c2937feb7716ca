#pragma once
// The tables of a second opinion: stages, differences, figures, nodes.
//
// Thread rule: pure; rows keep the report alive.
// Example: model->present(opinionStageRows(controller.opinion()));

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/report/opinion_report.h"
#include "ui/document/opinion_words.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

using OpinionPointer = std::shared_ptr<const SecondOpinion>;

// A row of a stage's list; sorted by the stage's place in the walk.
template <typename Part>
struct OfStage {
  OpinionStage stage = OpinionStage::kModel;
  const Part* part = nullptr;
  const Part& operator*() const { return *part; }
};
using StageDifference = OfStage<OpinionDifference>;
using StageFigure = OfStage<OpinionRow>;
std::vector<StageDifference> stageDifferences(const SecondOpinion& opinion);  // unexplained ones first
std::vector<StageFigure> stageFigures(const SecondOpinion& opinion);

// What a row is about, by names of values.
using TargetOf = std::function<RowTarget(const std::string& value)>;

// The columns that carry a mark.
inline constexpr int kStageMarkColumn = 3, kDifferenceRuleColumn = 4, kNodeMarkColumn = 0;
inline constexpr int kNodeOursColumn = 5, kNodeTheirsColumn = 6;

ReportRows opinionStageRows(const OpinionPointer& opinion);
ReportRows opinionDifferenceRows(const OpinionPointer& opinion, const TargetOf& target);
ReportRows opinionFigureRows(const OpinionPointer& opinion);
// target: by the name of the node's first output.
ReportRows opinionNodeRows(const OpinionPointer& opinion, const TargetOf& target);

// What the mark of a cell is, by the sign that it begins with; kNone: it has none.
OpinionMark markIn(const QString& cell);

}  // namespace cutaway::ui
