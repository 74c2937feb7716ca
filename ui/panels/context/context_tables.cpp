// Rows and sums of the context panel.
#include "ui/panels/context/context_tables.h"

#include <algorithm>
#include <map>

#include <QRegularExpression>

#include "engine/base/node_name.h"
#include "ui/base/context_words.h"
#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

const QString kDash = QStringLiteral("\u2013");
QString tr(const char* words) {
  return QObject::tr(words);
}

QString answerOf(const ContextGroup& group) {
  if (group.canSave) return group.isPlaceholder ? tr("as a placeholder: %1").arg(text(group.reason)) : tr("yes");
  if (group.reason.empty()) return group.name.empty() ? tr("no: run by kernels, nothing was compiled") : tr("no");
  return tr("no: %1").arg(text(group.reason));
}

// In the table the first clause does for nodes outside of groups; the tool tip has all of it.
QString answerCell(const ContextGroup& group) {
  const QString answer = answerOf(group);
  if (group.canSave || !group.name.empty()) return answer;
  const qsizetype start = answer.indexOf(QStringLiteral(": ")) + 2;
  return answer.left(answer.indexOf(QRegularExpression(QStringLiteral("[:,;] |$")), std::max<qsizetype>(start, 2)));
}

QString groupCell(const ContextGroup& group, int column) {
  switch (column) {
    case kGroupProvider:
      return group.provider.empty() ? tr("nobody") : text(group.provider);
    case kGroupName:
      return group.name.empty() ? tr("nodes outside of groups") : text(group.name);
    case kGroupNodes:
      return countText(static_cast<int64_t>(group.nodes.size()));
    case kGroupWeights:
      return group.weightBytes > 0 ? sizeText(group.weightBytes) : kDash;
    default:
      return answerCell(group);
  }
}

QString contextCell(const ContextNodeReport& node, int column) {
  switch (column) {
    case kContextName:
      return text(nodeName(node.name, "EPContext", static_cast<size_t>(node.node)));
    case kContextSource:
      return contextSourceText(node);
    case kContextFate:
      return contextFateText(contextFate(node));
    case kContextRole:
      return contextRoleText(node);
    case kContextPlace:
      return contextPlaceText(node);
    case kContextBytes: {
      const int64_t bytes = node.partitionBytes >= 0 ? node.partitionBytes : node.fileBytes;
      return bytes < 0 ? kDash : sizeText(bytes);
    }
    default:
      return node.insideNodes < 0 ? kDash : countText(node.insideNodes);
  }
}

}  // namespace

ReportRows groupRows(std::shared_ptr<const WalkReport> walk, ProviderMark mark) {
  const auto at = [walk](int row) -> const ContextGroup& { return walk->context->groups[static_cast<size_t>(row)]; };
  return {.columns = {{tr("Provider")},
                      {tr("Nodes"), Column::kNumber},
                      {tr("Weights"), Column::kNumber, tr("Constants that are kept in the context")},
                      {tr("Kept compiled")},
                      {tr("Fused node"), Column::kText, tr("As its context node will be called, without the prefix")}},
          .rows = walk && walk->context ? static_cast<int>(walk->context->groups.size()) : 0,
          .cell = [at](int row, int column) { return groupCell(at(row), column); },
          .sortKey =
              [at](int row, int column) {
                if (column == kGroupNodes) return QVariant(qlonglong(at(row).nodes.size()));
                return column == kGroupWeights ? QVariant(qlonglong(at(row).weightBytes)) : QVariant();
              },
          .target =
              [at](int row) {
                return at(row).nodes.empty()
                           ? RowTarget{}
                           : RowTarget{{GraphVersion::kOptimized, at(row).graph, at(row).nodes.front()}, {}};
              },
          .toolTip = [at](int row, int column) { return column == kGroupAnswer ? answerOf(at(row)) : QString(); },
          .decoration =
              [at, mark](int row, int column) {
                return column == kGroupProvider && mark ? mark(at(row).provider) : QVariant();
              }};
}

ReportRows contextRows(std::shared_ptr<const WalkReport> walk, ProviderMark mark) {
  const auto at = [walk](int row) -> const ContextNodeReport& {
    return walk->context->nodes[static_cast<size_t>(row)];
  };
  return {.columns = {{tr("Context node")},
                      {tr("Here")},
                      {tr("Compiled by")},
                      {tr("Kind")},
                      {tr("Binary")},
                      {tr("Size"), Column::kNumber},
                      {tr("Nodes inside"), Column::kNumber}},
          .rows = walk && walk->context ? static_cast<int>(walk->context->nodes.size()) : 0,
          .cell = [at](int row, int column) { return contextCell(at(row), column); },
          .sortKey =
              [at](int row, int column) {
                if (column == kContextBytes)
                  return QVariant(qlonglong(std::max(at(row).partitionBytes, at(row).fileBytes)));
                return column == kContextInside ? QVariant(qlonglong(at(row).insideNodes)) : QVariant();
              },
          .target = [at](int row) { return RowTarget{{GraphVersion::kLoaded, at(row).graph, at(row).node}, {}}; },
          .decoration =
              [at, mark](int row, int column) {
                return column == kContextFate && mark && !at(row).provider.empty() ? mark(at(row).provider)
                                                                                   : QVariant();
              }};
}

std::vector<NodeTarget> groupNodes(const WalkReport& walk, int row) {
  std::vector<NodeTarget> nodes;
  if (!walk.context || row < 0 || row >= static_cast<int>(walk.context->groups.size())) return nodes;
  const ContextGroup& group = walk.context->groups[static_cast<size_t>(row)];
  for (const int32_t node : group.nodes)
    nodes.push_back({GraphVersion::kOptimized, group.graph, node});
  return nodes;
}

KeptSum keptOf(const ContextReport& report) {
  KeptSum sum;
  for (const ContextGroup& group : report.groups) {
    const auto nodes = static_cast<int64_t>(group.nodes.size());
    sum.groups += !group.name.empty();
    sum.nodes += nodes;
    sum.weightBytes += group.weightBytes;
    if (!group.canSave) continue;
    ++sum.keptGroups;
    sum.simulatedGroups += group.isPlaceholder;
    sum.keptNodes += nodes;
    sum.keptWeightBytes += group.weightBytes;
  }
  return sum;
}

QString previewSentence(const ContextReport& report) {
  const KeptSum sum = keptOf(report);
  if (sum.keptGroups == 0 && sum.groups == 0)
    return tr(
        "Every node runs by kernel: nothing is compiled, so there is nothing to keep. Providers such as onednn or "
        "openvino compile groups of nodes (--providers).");
  if (sum.keptGroups == 0) return tr("Groups are compiled, but none of them can be kept; the table says why.");
  QString words = tr("A context model keeps what was compiled, so that loading it compiles nothing.");
  if (sum.simulatedGroups == sum.keptGroups)
    return words + tr(" Here only placeholders would be written: the hardware is described, not there.");
  if (const int64_t others = sum.nodes - sum.keptNodes; others > 0)
    words += others == 1 ? tr(" The one other node is written as it is.")
                         : tr(" The other %1 nodes are written as they are.").arg(countText(others));
  return words;
}

QString contextsSentence(const ContextReport& report) {
  std::map<QString, int> sources;
  int64_t usable = 0;
  for (const ContextNodeReport& node : report.nodes) {
    ++sources[contextSourceText(node)];
    const ContextFate fate = contextFate(node);
    usable += fate == ContextFate::kRestored || fate == ContextFate::kSimulated;
  }
  QStringList titles;
  for (const auto& entry : sources)
    titles << entry.first;
  const auto all = static_cast<int64_t>(report.nodes.size());
  const QString made = tr("This is a compiled model: parts of it were compiled by %1.").arg(titles.join(tr(" and ")));
  if (usable == all) return made + tr(" All of them were restored here.");
  if (usable == 0)
    return made + (all == 1 ? tr(" It can be looked at, but not run here.")
                            : tr(" None of them can be run here; the model can be looked at."));
  return made + tr(" %1 of %2 were restored here.").arg(usable).arg(all);
}

}  // namespace cutaway::ui
