// Rows of the partition panel's tables.
#include "ui/panels/partition/partition_tables.h"

#include <algorithm>

#include "ui/base/format.h"
#include "ui/document/window_words.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

const QString kDash = QStringLiteral("\u2013");

QString tr(const char* words) {
  return QObject::tr(words);
}

QString shareText(int64_t part, int64_t whole) {
  return whole > 0 ? percentText(static_cast<double>(part) / static_cast<double>(whole)) : kDash;
}

QString causeText(const RefusalSummary& refusal) {
  return text(refusal.verdict == Verdict::kRefused || refusal.cause != RefusalCause::kOther
                  ? refusalCauseName(refusal.cause)
                  : verdictName(refusal.verdict));
}

QString valuesText(const std::vector<std::string>& values, int64_t sizeBytes) {
  return (values.empty() ? QString() : QStringLiteral("%1: ").arg(values.size())) +
         (sizeBytes < 0 ? kDash : sizeText(sizeBytes));
}

QString joined(const std::vector<std::string>& names) {
  constexpr size_t kMost = 12;
  QStringList lines;
  for (size_t i = 0; i < std::min(names.size(), kMost); ++i)
    lines << text(names[i]);
  if (names.size() > kMost) lines << tr("and %1 more").arg(names.size() - kMost);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

ReportRows nodeRows(std::shared_ptr<const PartitionView> view, MarkOf mark) {
  using Nodes = ColumnOf<NodePlacement>;
  std::vector<Nodes> columns = {
      {.title = tr("Node"),
       .text = [view](const NodePlacement& node) { return nodeName(view->optimized.get(), node.graph, node.node); }},
      {.title = tr("Operator"),
       .text =
           [view](const NodePlacement& placement) {
             const NodeReport* node = view->node(placement);
             return node ? text(node->opType) : QString();
           }},
      {.title = tr("Runs on"),
       .text =
           [](const NodePlacement& node) { return node.provider.empty() ? tr("no provider") : text(node.provider); },
       .decoration = [mark](const NodePlacement& node) { return mark(node.provider); }},
      Nodes::figure(tr("Work"), &NodePlacement::flops, workText)};
  for (size_t asked = 0; asked < view->report->providers.size(); ++asked)
    columns.push_back({.title = tr("%1 says").arg(text(view->report->providers[asked].name)),
                       .text = [asked](const NodePlacement& node) {
                         return asked < node.answers.size() ? answerText(node.answers[asked]) : kDash;
                       }});
  return rowsOf<NodePlacement>(partOf(view, view->report->nodes), std::move(columns), [](const NodePlacement& node) {
    return RowTarget{{GraphVersion::kOptimized, node.graph, node.node}, {}};
  });
}

ReportRows refusalRows(std::shared_ptr<const PartitionView> view, MarkOf mark) {
  using Refusals = ColumnOf<RefusalSummary>;
  const auto nodes = [](const RefusalSummary& refusal) { return static_cast<int64_t>(refusal.nodes.size()); };
  std::vector<Refusals> columns = {
      {.title = tr("Provider"),
       .text = &RefusalSummary::provider,
       .decoration = [mark](const RefusalSummary& refusal) { return mark(refusal.provider); }},
      Refusals::figure(tr("Nodes"), nodes, countText, tr("Nodes it would get without this cause")),
      {.title = tr("Share"),
       .kind = Refusals::kNumber,
       .help = tr("Of all nodes"),
       .text =
           [view, nodes](const RefusalSummary& refusal) {
             return shareText(nodes(refusal), static_cast<int64_t>(view->report->nodes.size()));
           },
       .key = nodes},
      {.title = tr("Work"),
       .kind = Refusals::kNumber,
       .text = [view](const RefusalSummary& refusal) { return view->flops > 0 ? workText(refusal.flops) : kDash; },
       .key = &RefusalSummary::flops},
      {.title = tr("Cause"), .text = causeText},
      {.title = tr("Reason, of the first"), .text = [](const RefusalSummary& refusal) { return told(refusal.reason); }},
      {.title = tr("Supported"), .text = [](const RefusalSummary& refusal) { return told(refusal.remedy); }},
      {.title = tr("Rule"), .text = &RefusalSummary::rule}};
  return rowsOf<RefusalSummary>(
      partOf(view, view->refusals), std::move(columns), [view](const RefusalSummary& refusal) {
        const auto targets = view->targets({refusal.nodes.empty() ? kNone : refusal.nodes.front()});
        return targets.empty() ? RowTarget{} : RowTarget{targets.front(), {}};
      });
}

ReportRows groupRows(std::shared_ptr<const PartitionView> view, MarkOf mark) {
  using Groups = ColumnOf<GroupReport>;
  std::vector<Groups> columns = {
      {.title = tr("Provider"),
       .text = &GroupReport::provider,
       .decoration = [mark](const GroupReport& group) { return mark(group.provider); }},
      Groups::figure(
          tr("Nodes"), [](const GroupReport& group) { return static_cast<int64_t>(group.nodes.size()); }, countText),
      Groups::figure(tr("Work"), &GroupReport::flops, workText),
      {.title = tr("Weights"),
       .kind = Groups::kNumber,
       .text = [](const GroupReport& group) { return group.weightBytes > 0 ? sizeText(group.weightBytes) : kDash; },
       .key = &GroupReport::weightBytes},
      {.title = tr("In"),
       .kind = Groups::kNumber,
       .help = tr("Values that enter, and their bytes"),
       .text = [](const GroupReport& group) { return valuesText(group.inputs, group.inputBytes); },
       .key = &GroupReport::inputBytes,
       .toolTip = [](const GroupReport& group) { return joined(group.inputs); }},
      {.title = tr("Out"),
       .kind = Groups::kNumber,
       .help = tr("Values that leave, and their bytes"),
       .text = [](const GroupReport& group) { return valuesText(group.outputs, group.outputBytes); },
       .key = &GroupReport::outputBytes,
       .toolTip = [](const GroupReport& group) { return joined(group.outputs); }},
      {.title = tr("Becomes"),
       .text =
           [](const GroupReport& group) {
             return group.compiled ? text(group.name) + (group.simulated ? tr(" (simulated)") : QString())
                                   : tr("kernels, node by node");
           }},
      {.title = tr("First node"), .text = [view](const GroupReport& group) {
         return group.nodes.empty() ? QString() : nodeName(view->optimized.get(), group.graph, group.nodes.front());
       }}};
  return rowsOf<GroupReport>(partOf(view, view->report->groups), std::move(columns), [](const GroupReport& group) {
    return group.nodes.empty() ? RowTarget{}
                               : RowTarget{{GraphVersion::kOptimized, group.graph, group.nodes.front()}, {}};
  });
}

ReportRows copyRows(std::shared_ptr<const PartitionView> view) {
  using Copies = ColumnOf<CopyReport>;
  std::vector<Copies> columns = {
      {.title = tr("Value"), .text = &CopyReport::value},
      {.title = tr("Size"),
       .kind = Copies::kNumber,
       .text = [](const CopyReport& copy) { return copy.sizeBytes < 0 ? kDash : sizeText(copy.sizeBytes); },
       .key = &CopyReport::sizeBytes},
      {.title = tr("From \u2192 to"),
       .text = [](const CopyReport& copy) { return text(copy.from) + QStringLiteral(" \u2192 ") + text(copy.to); }},
      {.title = tr("Kind"), .text = &CopyReport::kind},
      {.title = tr("Forced by"), .text = &CopyReport::cause},
      {.title = tr("Removed by"),
       .text = [](const CopyReport& copy) { return copy.remedy.empty() ? kDash : told(copy.remedy); }}};
  // A row is about the value, and the node that forced the copy.
  return rowsOf<CopyReport>(partOf(view, view->report->copies), std::move(columns), [](const CopyReport& copy) {
    return RowTarget{{GraphVersion::kPartitioned, copy.graph, copy.causeNode}, {copy.graph, text(copy.value)}};
  });
}

ReportRows noteRows(const PartitionReport& report, const ProviderChoice* choice) {
  QStringList notes;
  if (choice != nullptr) {
    for (const std::string& line : choice->notes)
      notes << told(line);
  }
  for (const std::string& line : report.warnings)
    notes << told(line);
  for (const std::string& line : report.providerRewrites)
    notes << told(line);
  return rowsOf<QString>({notes.begin(), notes.end()},
                         {{.title = tr("Note"), .text = [](const QString& note) { return note; }}});
}

QString refusalTitle(const RefusalSummary& refusal) {
  return QObject::tr("%1, %2: %3")
      .arg(text(refusal.provider),
           refusal.verdict == Verdict::kRefused ? tr("refused") : text(verdictName(refusal.verdict)),
           told(refusal.reason));
}

QString copyHeadline(const std::vector<CopyReport>& copies) {
  int64_t count[2] = {0, 0}, bytes[2] = {0, 0}, unknown = 0;
  for (const CopyReport& copy : copies) {
    const int kind = copy.kind == "cast";
    ++count[kind];
    bytes[kind] += std::max<int64_t>(0, copy.sizeBytes);
    unknown += copy.sizeBytes < 0;
  }
  if (copies.empty()) return tr("none");
  QStringList parts;
  if (count[0])
    parts << QObject::tr("%1 %2, %3")
                 .arg(countText(count[0]), count[0] == 1 ? tr("copy") : tr("copies"), sizeText(bytes[0]));
  if (count[1])
    parts << QObject::tr("%1 %2, %3")
                 .arg(countText(count[1]), count[1] == 1 ? tr("cast") : tr("casts"), sizeText(bytes[1]));
  if (unknown) parts << QObject::tr("%1 of unknown size").arg(countText(unknown));
  return parts.join(QStringLiteral("; "));
}

}  // namespace cutaway::ui
