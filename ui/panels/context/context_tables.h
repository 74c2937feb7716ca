#pragma once
// Rows of the context panel: what an export would keep, and which context nodes the model has.
//
// Thread rule: pure; the rows keep the snapshot alive. Example: model->present(groupRows(document->walk(), markOf));

#include <functional>

#include "engine/report/walk_report.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

using ProviderMark = std::function<QVariant(const std::string& provider)>;  // the picture beside a provider's name

enum GroupColumn { kGroupProvider, kGroupNodes, kGroupWeights, kGroupAnswer, kGroupName };
enum ContextColumn {
  kContextName,
  kContextFate,
  kContextSource,
  kContextRole,
  kContextPlace,
  kContextBytes,
  kContextInside
};

ReportRows groupRows(std::shared_ptr<const WalkReport> walk, ProviderMark mark = {});
ReportRows contextRows(std::shared_ptr<const WalkReport> walk, ProviderMark mark = {});
// Nodes of a group, in the optimised graphs.
std::vector<NodeTarget> groupNodes(const WalkReport& walk, int row);

struct KeptSum {
  int64_t groups = 0, keptGroups = 0, simulatedGroups = 0;  // groups: compiled ones
  int64_t nodes = 0, keptNodes = 0;
  int64_t weightBytes = 0, keptWeightBytes = 0;
};
KeptSum keptOf(const ContextReport& report);
// One or two sentences above the table.
QString previewSentence(const ContextReport& report);
QString contextsSentence(const ContextReport& report);

}  // namespace cutaway::ui
