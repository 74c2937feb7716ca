// Rows and sums of the context panel.
#include "ui/panels/context/context_tables.h"

#include <algorithm>
#include <map>

#include <QRegularExpression>

#include "engine/base/node_name.h"
#include "ui/base/context_words.h"
#include "ui/base/format.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

const QString kDash = QStringLiteral("\u2013");
QString tr(const char* words) {
  return QObject::tr(words);
}

QString answerOf(const ContextGroup& group) {
  if (group.canSave) return group.isPlaceholder ? tr("as a placeholder: %1").arg(told(group.reason)) : tr("yes");
  if (group.reason.empty()) return group.name.empty() ? tr("no: run by kernels, nothing was compiled") : tr("no");
  return tr("no: %1").arg(told(group.reason));
}

// In the table the first clause does for nodes outside of groups; the tool tip has all of it.
QString answerCell(const ContextGroup& group) {
  const QString answer = answerOf(group);
  if (group.canSave || !group.name.empty()) return answer;
  const qsizetype start = answer.indexOf(QStringLiteral(": ")) + 2;
  return answer.left(answer.indexOf(QRegularExpression(QStringLiteral("[:,;] |$")), std::max<qsizetype>(start, 2)));
}

QString contextName(const ContextNodeReport& node) {
  return text(nodeName(node.name, "EPContext", static_cast<size_t>(node.node)));
}

QString contextSize(const ContextNodeReport& node) {
  const int64_t bytes = node.partitionBytes >= 0 ? node.partitionBytes : node.fileBytes;
  return bytes < 0 ? kDash : sizeText(bytes);
}

// A walk without this report has none of its rows.
std::shared_ptr<const ContextReport> contextOf(const std::shared_ptr<const WalkReport>& walk) {
  return walk && walk->context ? walk->context : std::make_shared<const ContextReport>();
}

}  // namespace

ReportRows groupRows(std::shared_ptr<const WalkReport> walk, ProviderMark mark) {
  using Groups = ColumnOf<ContextGroup>;
  const auto report = contextOf(walk);
  Groups provider = {.title = tr("Provider"), .text = [](const ContextGroup& group) {
                       return group.provider.empty() ? tr("no provider") : text(group.provider);
                     }};
  if (mark) provider.decoration = [mark](const ContextGroup& group) { return mark(group.provider); };
  std::vector<Groups> columns = {
      provider,
      Groups::figure(
          tr("Nodes"), [](const ContextGroup& group) { return static_cast<int64_t>(group.nodes.size()); }, countText),
      {.title = tr("Weights"),
       .kind = Groups::kNumber,
       .help = tr("Constants that are kept in the context"),
       .text = [](const ContextGroup& group) { return group.weightBytes > 0 ? sizeText(group.weightBytes) : kDash; },
       .key = &ContextGroup::weightBytes},
      {.title = tr("Compiled"), .text = answerCell, .toolTip = answerOf},
      {.title = tr("Fused node"),
       .help = tr("As its context node will be called, without the prefix"),
       .text = [](const ContextGroup& group) {
         return group.name.empty() ? tr("nodes outside of compiled groups") : text(group.name);
       }}};
  return rowsOf<ContextGroup>(partOf(report, report->groups), std::move(columns), [](const ContextGroup& group) {
    return group.nodes.empty() ? RowTarget{}
                               : RowTarget{{GraphVersion::kOptimized, group.graph, group.nodes.front()}, {}};
  });
}

ReportRows contextRows(std::shared_ptr<const WalkReport> walk, ProviderMark mark) {
  using Contexts = ColumnOf<ContextNodeReport>;
  const auto report = contextOf(walk);
  Contexts here = {.title = tr("Here"),
                   .text = [](const ContextNodeReport& node) { return contextFateText(contextFate(node)); }};
  if (mark)
    here.decoration = [mark](const ContextNodeReport& node) {
      return node.provider.empty() ? QVariant() : mark(node.provider);
    };
  std::vector<Contexts> columns = {
      {.title = tr("Context node"), .text = contextName},
      here,
      {.title = tr("Compiled by"), .text = contextSourceText},
      {.title = tr("Kind"), .text = contextRoleText},
      {.title = tr("Binary"), .text = contextPlaceText},
      {.title = tr("Size"),
       .kind = Contexts::kNumber,
       .text = contextSize,
       .key = [](const ContextNodeReport& node) { return std::max(node.partitionBytes, node.fileBytes); }},
      {.title = tr("Nodes inside"),
       .kind = Contexts::kNumber,
       .text = [](const ContextNodeReport& node) { return node.insideNodes < 0 ? kDash : countText(node.insideNodes); },
       .key = &ContextNodeReport::insideNodes}};
  return rowsOf<ContextNodeReport>(
      partOf(report, report->nodes), std::move(columns),
      [](const ContextNodeReport& node) { return RowTarget{{GraphVersion::kLoaded, node.graph, node.node}, {}}; });
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
        "openvino compile groups of nodes: put one of them first among the providers.");
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
