// Partition: who took which node, who refused it and why, which groups and copies came of it.
#include <map>
#include <tuple>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

QString answerText(const ProviderAnswer& answer) {
  if (answer.verdict == Verdict::kRefused) return QStringLiteral("refused: ") + text(answer.reason);
  QString words = text(verdictName(answer.verdict));
  if (!answer.reason.empty()) words += QStringLiteral(": ") + text(answer.reason);
  return words;
}

// Refusals that share provider, cause and reason: one row, with the number of nodes it would free.
struct RefusalRow {
  QString provider, cause, reason;
  int nodes = 0;
  NodeTarget first;
};

std::vector<RefusalRow> gatherRefusals(const PartitionReport& report) {
  std::map<std::tuple<std::string, std::string, std::string>, RefusalRow> rows;
  for (const NodePlacement& placement : report.nodes)
    for (const ProviderAnswer& answer : placement.answers) {
      if (answer.verdict == Verdict::kClaimed || answer.verdict == Verdict::kAlreadyTaken) continue;
      const std::string cause = answer.verdict == Verdict::kRefused ? refusalCauseName(answer.cause) : verdictName(answer.verdict);
      RefusalRow& row = rows[{answer.provider, cause, answer.reason}];
      if (row.nodes++ == 0) row = {text(answer.provider), text(cause), text(answer.reason), 1, {GraphVersion::kOptimized, placement.graph, placement.node}};
    }
  std::vector<RefusalRow> sorted;
  for (auto& [key, row] : rows) sorted.push_back(std::move(row));
  std::stable_sort(sorted.begin(), sorted.end(), [](const RefusalRow& a, const RefusalRow& b) { return a.nodes > b.nodes; });
  return sorted;
}

class PartitionPanel : public StagePanel {
 public:
  PartitionPanel(const PanelContext& context, QWidget* parent) : StagePanel(context, QStringLiteral("partition"), parent) {
    m_nodes = addTable(tr("Nodes"));
    m_refusals = addTable(tr("Refusals"));
    m_providers = addTable(tr("Providers"));
    m_groups = addTable(tr("Groups"));
    m_copies = addTable(tr("Copies"));
    m_warnings = addTable(tr("Notes"));
  }

 private:
  const void* source(const WalkReport& walk) const override { return walk.partition.get(); }

  void fill(const WalkReport& walk) override {
    const auto report = walk.partition;
    if (!report) {
      setFacts({});
      for (ReportModel* model : {m_nodes, m_refusals, m_providers, m_groups, m_copies, m_warnings}) model->present({});
      return;
    }
    int64_t copied = 0, compiled = 0;
    for (const CopyReport& copy : report->copies) copied += std::max<int64_t>(0, copy.sizeBytes);
    for (const GroupReport& group : report->groups) compiled += group.compiled;
    QStringList asked;
    for (const ProviderSummary& provider : report->providers) asked << text(provider.name);
    setFacts({{tr("Asked in this order"), asked.join(QStringLiteral(" \u2192 "))},
              {tr("Groups, compiled"), QStringLiteral("%1, %2").arg(report->groups.size()).arg(compiled)},
              {tr("Copies"), report->copies.empty() ? tr("none") : tr("%1, %2").arg(report->copies.size()).arg(sizeText(copied))},
              {tr("Nodes nobody took"), countText(report->unassignedNodes)},
              {tr("Nodes asked about"), countText(static_cast<int64_t>(report->nodes.size()))},
              {tr("Time"), timeText(report->timeNs)}});
    fillNodes(report, walk.optimizedGraphs);
    fillRefusals(report);
    fillProviders(report);
    fillGroups(report, walk.optimizedGraphs);
    fillCopies(report);
    QStringList notes;
    for (const std::string& line : report->warnings) notes << text(line);
    for (const std::string& line : report->providerRewrites) notes << text(line);
    m_warnings->present({.columns = {{tr("Note")}}, .rows = static_cast<int>(notes.size()), .cell = [notes](int row, int) { return notes[row]; }});
    setTabShown(5, !notes.isEmpty());
  }

  void fillNodes(const std::shared_ptr<const PartitionReport>& report, const std::shared_ptr<const ModelGraphs>& graphs) {
    std::vector<Column> columns = {{tr("Node")}, {tr("Operator")}, {tr("Runs on")}};
    for (const ProviderSummary& provider : report->providers) columns.push_back({tr("%1 says").arg(text(provider.name))});
    m_nodes->present({.columns = columns,
                      .rows = static_cast<int>(report->nodes.size()),
                      .cell = [report, graphs](int row, int column) {
                        const NodePlacement& placement = report->nodes[row];
                        if (column == 0) return nodeName(graphs.get(), placement.graph, placement.node);
                        if (column == 1) return graphs ? text(graphs->graphs[placement.graph].nodes[placement.node].opType) : QString();
                        if (column == 2) return placement.provider.empty() ? tr("nobody") : text(placement.provider);
                        const size_t answer = static_cast<size_t>(column) - 3;
                        return answer < placement.answers.size() ? answerText(placement.answers[answer]) : QStringLiteral("\u2013");
                      },
                      .target = [report](int row) { return RowTarget{{GraphVersion::kOptimized, report->nodes[row].graph, report->nodes[row].node}, {}}; },
                      .decoration = [this, report](int row, int column) {
                        if (column != 2) return QVariant();
                        for (size_t i = 0; i < report->providers.size(); ++i)
                          if (report->providers[i].name == report->nodes[row].provider) {
                            const Theme& theme = context().themes->current();
                            return QVariant(categoryMark(theme.category(static_cast<int>(i)), QChar(), theme, 12, devicePixelRatioF()));
                          }
                        return QVariant();
                      }});
  }

  void fillRefusals(const std::shared_ptr<const PartitionReport>& report) {
    const auto rows = std::make_shared<const std::vector<RefusalRow>>(gatherRefusals(*report));
    m_refusals->present({.columns = {{tr("Nodes"), Column::kNumber}, {tr("Provider")}, {tr("Cause")}, {tr("Reason")}},
                         .rows = static_cast<int>(rows->size()),
                         .cell = [rows](int row, int column) {
                           const RefusalRow& refusal = (*rows)[row];
                           return column == 0 ? countText(refusal.nodes) : column == 1 ? refusal.provider : column == 2 ? refusal.cause : refusal.reason;
                         },
                         .sortKey = [rows](int row, int column) { return column == 0 ? QVariant((*rows)[row].nodes) : QVariant(); },
                         .target = [rows](int row) { return RowTarget{(*rows)[row].first, {}}; }});
    setTabTitle(1, rows->empty() ? tr("Refusals") : tr("Refusals (%1)").arg(rows->size()));
  }

  void fillProviders(const std::shared_ptr<const PartitionReport>& report) {
    m_providers->present({.columns = {{tr("Provider")}, {tr("Device")}, {tr("Took"), Column::kNumber}, {tr("Refused"), Column::kNumber}, {tr("Asking"), Column::kNumber}, {tr("Compiling"), Column::kNumber}, {tr("Usable")}},
                          .rows = static_cast<int>(report->providers.size()),
                          .cell = [report](int row, int column) {
                            const ProviderSummary& provider = report->providers[row];
                            switch (column) {
                              case 0:
                                return text(provider.name);
                              case 1:
                                return text(provider.device);
                              case 2:
                                return countText(provider.claimedNodes);
                              case 3:
                                return countText(provider.refusedNodes);
                              case 4:
                                return timeText(provider.askTimeNs);
                              case 5:
                                return timeText(provider.compileTimeNs);
                              default:
                                return provider.usable ? tr("yes") : tr("no: %1").arg(text(provider.reason));
                            }
                          }});
  }

  void fillGroups(const std::shared_ptr<const PartitionReport>& report, const std::shared_ptr<const ModelGraphs>& graphs) {
    m_groups->present({.columns = {{tr("Provider")}, {tr("Nodes"), Column::kNumber}, {tr("Becomes")}, {tr("In"), Column::kNumber}, {tr("Out"), Column::kNumber}, {tr("First node")}},
                       .rows = static_cast<int>(report->groups.size()),
                       .cell = [report, graphs](int row, int column) {
                         const GroupReport& group = report->groups[row];
                         switch (column) {
                           case 0:
                             return text(group.provider);
                           case 1:
                             return countText(static_cast<int64_t>(group.nodes.size()));
                           case 2:
                             return group.compiled ? text(group.name) : tr("kernels, node by node");
                           case 3:
                             return sizeText(group.inputBytes);
                           case 4:
                             return sizeText(group.outputBytes);
                           default:
                             return group.nodes.empty() ? QString() : nodeName(graphs.get(), group.graph, group.nodes.front());
                         }
                       },
                       .sortKey = [report](int row, int column) {
                         const GroupReport& group = report->groups[row];
                         return column == 1 ? QVariant(qlonglong(group.nodes.size())) : column == 3 ? QVariant(qlonglong(group.inputBytes)) : column == 4 ? QVariant(qlonglong(group.outputBytes)) : QVariant();
                       },
                       .target = [report](int row) {
                         const GroupReport& group = report->groups[row];
                         return group.nodes.empty() ? RowTarget{} : RowTarget{{GraphVersion::kOptimized, group.graph, group.nodes.front()}, {}};
                       }});
  }

  void fillCopies(const std::shared_ptr<const PartitionReport>& report) {
    m_copies->present({.columns = {{tr("Value")}, {tr("From")}, {tr("To")}, {tr("Size"), Column::kNumber}, {tr("Kind")}, {tr("Forced by")}},
                       .rows = static_cast<int>(report->copies.size()),
                       .cell = [report](int row, int column) {
                         const CopyReport& copy = report->copies[row];
                         switch (column) {
                           case 0:
                             return text(copy.value);
                           case 1:
                             return text(copy.from);
                           case 2:
                             return text(copy.to);
                           case 3:
                             return sizeText(copy.sizeBytes);
                           case 4:
                             return text(copy.kind);
                           default:
                             return text(copy.cause);
                         }
                       },
                       .sortKey = [report](int row, int column) { return column == 3 ? QVariant(qlonglong(report->copies[row].sizeBytes)) : QVariant(); },
                       .target = [report](int row) { return RowTarget{{}, {report->copies[row].graph, text(report->copies[row].value)}}; }});
    setTabTitle(4, report->copies.empty() ? tr("Copies") : tr("Copies (%1)").arg(report->copies.size()));
  }

  ReportModel* m_nodes;
  ReportModel* m_refusals;
  ReportModel* m_providers;
  ReportModel* m_groups;
  ReportModel* m_copies;
  ReportModel* m_warnings;
};

}  // namespace

const PanelDescriptor& panel_partition() {
  static const PanelDescriptor descriptor{.id = "partition", .title = "Partition", .icon = "stage-partition", .area = PanelArea::kStage, .stage = Stage::kPartition,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* { return new PartitionPanel(context, parent); }};
  return descriptor;
}

}  // namespace cutaway::ui
