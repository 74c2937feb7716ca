#pragma once
// The tables of a second opinion: stages, differences, figures, nodes.
//
// Thread rule: pure; rows keep the report alive.
// Example: model->present(opinionStageRows(controller.opinion()));

#include <functional>
#include <memory>
#include <string>

#include "engine/report/opinion_report.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

using OpinionPointer = std::shared_ptr<const SecondOpinion>;  // never null below

ReportRows opinionStageRows(const OpinionPointer& opinion);
ReportRows opinionDifferenceRows(const OpinionPointer& opinion);  // unexplained ones first
ReportRows opinionFigureRows(const OpinionPointer& opinion);
// target: what a row is about, by the name of the node's first output.
ReportRows opinionNodeRows(const OpinionPointer& opinion, const std::function<RowTarget(const std::string&)>& target);

}  // namespace cutaway::ui
