#pragma once
// What is wrong with the open model, or may be: errors, warnings and refusals of every stage and controller, with what
// to do next.
//
// Thread rule: GUI thread, reads snapshots. Example: const auto problems = collectProblems(document);
// badge->setText(problemCounts(problems).errors);

#include <vector>

#include <QString>

#include "engine/base/result.h"
#include "ui/base/graph_target.h"

namespace cutaway::ui {

class Document;

struct Problem {
  enum Severity { kError, kWarning, kNote };
  Severity severity = kWarning;
  QString stage;  // where it came up: "Load", "Edit model"
  QString message;
  QString where;     // file, node or value
  QString next;      // what to do
  RowTarget target;  // of the loaded model, or of the snapshot that the stage is about
};

struct ProblemCounts {
  int errors = 0, warnings = 0, notes = 0;
};

std::vector<Problem> collectProblems(const Document& document);
ProblemCounts countProblems(const std::vector<Problem>& problems);
// The same counts without collecting: cheap enough for every change of the document.
ProblemCounts problemCounts(const Document& document);
// What usually helps against an error of this code.
QString nextStep(ErrorCode code);
// One problem as text: "error, Load: ... (node conv1). ..."
QString problemText(const Problem& problem);

}  // namespace cutaway::ui
