// Rows of the partition panel's tables.
#include "ui/panels/partition/partition_tables.h"

#include <algorithm>

#include "ui/base/format.h"
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

QString nodeCell(const PartitionView& view, int row, int column) {
  const NodePlacement& placement = view.report->nodes[static_cast<size_t>(row)];
  switch (column) {
    case 0:
      return nodeName(view.optimized.get(), placement.graph, placement.node);
    case 1:
      if (const NodeReport* node = view.node(placement)) return text(node->opType);
      return {};
    case 2:
      return placement.provider.empty() ? tr("nobody") : text(placement.provider);
    case 3:
      return workText(placement.flops);
    default: {
      const size_t answer = static_cast<size_t>(column) - 4;
      return answer < placement.answers.size() ? answerText(placement.answers[answer]) : kDash;
    }
  }
}

QString groupCell(const PartitionView& view, int row, int column) {
  const GroupReport& group = view.report->groups[static_cast<size_t>(row)];
  switch (column) {
    case 0:
      return text(group.provider);
    case 1:
      return countText(static_cast<int64_t>(group.nodes.size()));
    case 2:
      return workText(group.flops);
    case 3:
      return group.weightBytes > 0 ? sizeText(group.weightBytes) : kDash;
    case 4:
      return (group.inputs.empty() ? QString() : QStringLiteral("%1: ").arg(group.inputs.size())) +
             (group.inputBytes < 0 ? kDash : sizeText(group.inputBytes));
    case 5:
      return (group.outputs.empty() ? QString() : QStringLiteral("%1: ").arg(group.outputs.size())) +
             (group.outputBytes < 0 ? kDash : sizeText(group.outputBytes));
    case 6:
      return group.compiled ? text(group.name) + (group.simulated ? tr(" (simulated)") : QString())
                            : tr("kernels, node by node");
    default:
      return group.nodes.empty() ? QString() : nodeName(view.optimized.get(), group.graph, group.nodes.front());
  }
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
  std::vector<Column> columns = {{tr("Node")}, {tr("Operator")}, {tr("Runs on")}, {tr("Work"), Column::kNumber}};
  for (const ProviderSummary& provider : view->report->providers)
    columns.push_back({tr("%1 says").arg(text(provider.name))});
  return {.columns = columns,
          .rows = static_cast<int>(view->report->nodes.size()),
          .cell = [view](int row, int column) { return nodeCell(*view, row, column); },
          .sortKey =
              [view](int row, int column) {
                return column == 3 ? QVariant(qlonglong(view->report->nodes[static_cast<size_t>(row)].flops))
                                   : QVariant();
              },
          .target =
              [view](int row) {
                return RowTarget{{GraphVersion::kOptimized, view->report->nodes[static_cast<size_t>(row)].graph,
                                  view->report->nodes[static_cast<size_t>(row)].node},
                                 {}};
              },
          .decoration =
              [view, mark](int row, int column) {
                return column == 2 ? mark(view->report->nodes[static_cast<size_t>(row)].provider) : QVariant();
              }};
}

ReportRows refusalRows(std::shared_ptr<const PartitionView> view, MarkOf mark) {
  return {.columns = {{tr("Provider")},
                      {tr("Nodes"), Column::kNumber, tr("Nodes it would get if the cause were gone")},
                      {tr("Share"), Column::kNumber, tr("Of all nodes")},
                      {tr("Work"), Column::kNumber},
                      {tr("Cause")},
                      {tr("Reason, of the first")},
                      {tr("Would take")},
                      {tr("Rule")}},
          .rows = static_cast<int>(view->refusals.size()),
          .cell =
              [view](int row, int column) {
                const RefusalSummary& refusal = view->refusals[static_cast<size_t>(row)];
                const QString cells[] = {text(refusal.provider),
                                         countText(static_cast<int64_t>(refusal.nodes.size())),
                                         shareText(static_cast<int64_t>(refusal.nodes.size()),
                                                   static_cast<int64_t>(view->report->nodes.size())),
                                         view->flops > 0 ? workText(refusal.flops) : kDash,
                                         causeText(refusal),
                                         text(refusal.reason),
                                         text(refusal.remedy),
                                         text(refusal.rule)};
                return cells[column];
              },
          .sortKey =
              [view](int row, int column) {
                const RefusalSummary& refusal = view->refusals[static_cast<size_t>(row)];
                return column == 1 || column == 2 ? QVariant(qlonglong(refusal.nodes.size()))
                       : column == 3              ? QVariant(qlonglong(refusal.flops))
                                                  : QVariant();
              },
          .target =
              [view](int row) {
                const auto targets = view->targets({view->refusals[static_cast<size_t>(row)].nodes.empty()
                                                        ? kNone
                                                        : view->refusals[static_cast<size_t>(row)].nodes.front()});
                return targets.empty() ? RowTarget{} : RowTarget{targets.front(), {}};
              },
          .decoration =
              [view, mark](int row, int column) {
                return column == 0 ? mark(view->refusals[static_cast<size_t>(row)].provider) : QVariant();
              }};
}

ReportRows groupRows(std::shared_ptr<const PartitionView> view, MarkOf mark) {
  return {.columns = {{tr("Provider")},
                      {tr("Nodes"), Column::kNumber},
                      {tr("Work"), Column::kNumber},
                      {tr("Weights"), Column::kNumber},
                      {tr("In"), Column::kNumber, tr("Values that enter, and their bytes")},
                      {tr("Out"), Column::kNumber, tr("Values that leave, and their bytes")},
                      {tr("Becomes")},
                      {tr("First node")}},
          .rows = static_cast<int>(view->report->groups.size()),
          .cell = [view](int row, int column) { return groupCell(*view, row, column); },
          .sortKey =
              [view](int row, int column) {
                const GroupReport& group = view->report->groups[static_cast<size_t>(row)];
                const qlonglong keys[] = {0,
                                          static_cast<qlonglong>(group.nodes.size()),
                                          group.flops,
                                          group.weightBytes,
                                          group.inputBytes,
                                          group.outputBytes};
                return column >= 1 && column <= 5 ? QVariant(keys[column]) : QVariant();
              },
          .target =
              [view](int row) {
                const GroupReport& group = view->report->groups[static_cast<size_t>(row)];
                return group.nodes.empty()
                           ? RowTarget{}
                           : RowTarget{{GraphVersion::kOptimized, group.graph, group.nodes.front()}, {}};
              },
          .toolTip =
              [view](int row, int column) {
                const GroupReport& group = view->report->groups[static_cast<size_t>(row)];
                return column == 4 ? joined(group.inputs) : column == 5 ? joined(group.outputs) : QString();
              },
          .decoration =
              [view, mark](int row, int column) {
                return column == 0 ? mark(view->report->groups[static_cast<size_t>(row)].provider) : QVariant();
              }};
}

ReportRows copyRows(std::shared_ptr<const PartitionView> view) {
  return {.columns = {{tr("Value")},
                      {tr("Size"), Column::kNumber},
                      {tr("From \u2192 to")},
                      {tr("Kind")},
                      {tr("Forced by")},
                      {tr("Removed by")}},
          .rows = static_cast<int>(view->report->copies.size()),
          .cell =
              [view](int row, int column) {
                const CopyReport& copy = view->report->copies[static_cast<size_t>(row)];
                switch (column) {
                  case 0:
                    return text(copy.value);
                  case 1:
                    return copy.sizeBytes < 0 ? kDash : sizeText(copy.sizeBytes);
                  case 2:
                    return text(copy.from) + QStringLiteral(" \u2192 ") + text(copy.to);
                  case 3:
                    return text(copy.kind);
                  case 4:
                    return text(copy.cause);
                  default:
                    return copy.remedy.empty() ? kDash : text(copy.remedy);
                }
              },
          .sortKey =
              [view](int row, int column) {
                return column == 1 ? QVariant(qlonglong(view->report->copies[static_cast<size_t>(row)].sizeBytes))
                                   : QVariant();
              },
          .target = [view](int row) {  // the value, and the node that forced the copy
            const CopyReport& copy = view->report->copies[static_cast<size_t>(row)];
            return RowTarget{{GraphVersion::kPartitioned, copy.graph, copy.causeNode}, {copy.graph, text(copy.value)}};
          }};
}

ReportRows noteRows(const PartitionReport& report) {
  QStringList notes;
  for (const std::string& line : report.warnings)
    notes << text(line);
  for (const std::string& line : report.providerRewrites)
    notes << text(line);
  return {.columns = {{tr("Note")}}, .rows = static_cast<int>(notes.size()), .cell = [notes](int row, int) {
            return notes[row];
          }};
}

QString refusalTitle(const RefusalSummary& refusal) {
  return QObject::tr("%1, %2: %3")
      .arg(text(refusal.provider),
           refusal.verdict == Verdict::kRefused ? tr("refused") : text(verdictName(refusal.verdict)),
           text(refusal.reason));
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
