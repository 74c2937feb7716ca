// Partition: who took which node, why the others refused, what the borders cost, and what would change if.
#include <QMenu>
#include <QTabWidget>
#include <QTableView>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/partition/node_answers.h"
#include "ui/panels/partition/partition_tables.h"
#include "ui/panels/partition/provider_priorities.h"
#include "ui/panels/partition/what_if_page.h"
#include "ui/panels/pin_menu.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

constexpr int kMark = 14;

class PartitionPanel : public StagePanel {
 public:
  PartitionPanel(const PanelContext& context, QWidget* parent)
      : StagePanel(context, QStringLiteral("partition"), parent),
        m_order(new ProviderPriorities(context.themes)),
        m_answers(new NodeAnswers(context)),
        m_whatIf(new WhatIfPage(context)) {
    addTop(m_order);
    addTab(m_answers, tr("Node"));
    m_nodes = addTable(tr("All nodes"), &m_nodeTable);
    m_refusals = addTable(tr("Refusals"), &m_refusalTable);
    m_groups = addTable(tr("Groups"), &m_groupTable);
    m_copies = addTable(tr("Copies"), &m_copyTable);
    addTab(m_whatIf, tr("What if"));
    m_notes = addTable(tr("Notes"), &m_noteTable);
    connectTables();
    connect(tabs(), &QTabWidget::currentChanged, this, &PartitionPanel::makeRoom);
    connect(&document().draft(), &WhatIfDraft::changed, this, [this] {
      setTabTitle(tabs()->indexOf(m_whatIf), document().draft().isChanged() ? tr("What if \u2022") : tr("What if"));
    });
    connect(&document(), &Document::whatIfChanged, this, [this] {
      if (document().whatIf() && document().whatIf() != m_compared) tabs()->setCurrentWidget(m_whatIf);
      m_compared = document().whatIf();
      if (isVisible()) refresh();
    });
    connect(m_order, &ProviderPriorities::providerChosen, this, &PartitionPanel::showProvider);
    connect(m_answers, &NodeAnswers::groupRequested, this, &PartitionPanel::showGroup);
  }

 private:
  // The side of a comparison that the graph is coloured by: all of the panel follows the switch.
  const void* source(const WalkReport&) const override { return document().colouredWalk().partition.get(); }

  std::shared_ptr<const PartitionView> shownView() const {
    const auto made = partitionView(document().colouredWalk());
    if (!made || !document().showsComparison()) return made;
    auto view = std::make_shared<PartitionView>(*made);
    view->marks = providerMarks(*document().walk(), document().whatIf()->walk.get());  // the same colours on both sides
    return view;
  }

  bool showsWhatIf() const { return document().showsComparison() && document().side() == Side::kWhatIf; }

  void fill(const WalkReport& walk) override {
    m_view = shownView();
    m_order->present(m_view);
    makeRoom();
    m_answers->present(m_view);
    m_nodeTable->restrict({}, {});
    if (!m_view) {
      setFacts({});
      for (ReportModel* model : {m_nodes, m_refusals, m_groups, m_copies, m_notes})
        model->present({});
      return;
    }
    const PartitionReport& report = *m_view->report;
    const auto compiled = std::count_if(report.groups.begin(), report.groups.end(),
                                        [](const GroupReport& group) { return group.compiled; });
    const QString nobody =
        report.unassignedNodes > 0 ? tr(", %1 not assigned").arg(countText(report.unassignedNodes)) : QString();
    setFacts({{tr("Nodes"), countText(static_cast<int64_t>(report.nodes.size())) + nobody},
              {tr("Groups"), compiled > 0 ? tr("%1, %2 compiled").arg(report.groups.size()).arg(compiled)
                                          : countText(static_cast<int64_t>(report.groups.size()))},
              {tr("Boundary cost"), copyHeadline(report.copies)}});
    const MarkOf mark = [this](const std::string& provider) {
      const int index = m_view->marks.indexOf(provider);
      const Theme& theme = context().themes->current();
      return index < 0 ? QVariant()
                       : QVariant(categoryMark(theme.category(index), m_view->marks.letters[static_cast<size_t>(index)],
                                               theme, kMark, devicePixelRatioF()));
    };
    m_nodes->present(nodeRows(m_view, mark));
    m_refusals->present(refusalRows(m_view, mark));
    m_groups->present(groupRows(m_view, mark));
    m_copies->present(copyRows(m_view));
    const ProviderChoice* choice = showsWhatIf() ? nullptr : walk.choice.get();
    m_notes->present(noteRows(report, choice));
    setTitle(m_refusalTable, tr("Refusals"), m_view->refusals.size());
    setTitle(m_groupTable, tr("Groups"), report.groups.size());
    setTitle(m_copyTable, tr("Copies"), report.copies.size());
    setTabShown(tabs()->indexOf(m_noteTable), !report.warnings.empty() || !report.providerRewrites.empty() ||
                                                  (choice != nullptr && !choice->notes.empty()));
  }

  // What-if shows both sides itself: what stands above the tabs would only take its room.
  void makeRoom() {
    const bool whole = tabs()->currentWidget() == m_whatIf;
    setFactsShown(!whole);
    setNote(!whole && showsWhatIf() ? tr("What if: this is not the session's configuration.") : QString());
    m_order->setVisible(!whole && m_view != nullptr);
  }

  void setTitle(QWidget* tab, const QString& words, size_t count) {
    setTabTitle(tabs()->indexOf(tab), count ? QStringLiteral("%1 (%2)").arg(words).arg(count) : words);
  }

  void connectTables() {
    m_refusalTable->setRowNodes(
        [this](int row) { return m_view->targets(m_view->refusals[static_cast<size_t>(row)].nodes); });
    m_groupTable->setRowNodes(
        [this](int row) { return m_view->groupTargets(m_view->report->groups[static_cast<size_t>(row)]); });
    const auto pin = [this](ReportModel* model) {
      return [this, model](QMenu* menu, int row) {
        addPinEntries(menu, &document(), model->target(row).node, context().themes->current(), context().actions);
      };
    };
    m_nodeTable->setRowMenu(pin(m_nodes));
    m_refusalTable->setRowMenu([this](QMenu* menu, int row) {
      connect(menu->addAction(tr("Show its nodes in the table")), &QAction::triggered, this,
              [this, row] { showRefused(row, true); });
      connect(menu->addAction(tr("Find a cure")), &QAction::triggered, this,
              [this] { emit context().actions -> toolRequested(QStringLiteral("cure")); });
    });
    m_copyTable->setRowMenu([this](QMenu* menu, int row) {
      connect(menu->addAction(tr("Go to the node that forces it")), &QAction::triggered, this,
              [this, row] { showCause(row); });
    });
    connect(m_refusalTable->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
              if (current.isValid() && m_refusalTable->view()->hasFocus())
                showRefused(m_refusalTable->proxy()->mapToSource(current).row(), false);
            });
    connect(m_refusalTable, &LinkedTable::rowActivated, this, [this](int row) { showRefused(row, true); });
    connect(m_groupTable, &LinkedTable::rowActivated, this, [this] { tabs()->setCurrentWidget(m_answers); });
    connect(m_nodeTable, &LinkedTable::rowActivated, this, [this] { tabs()->setCurrentWidget(m_answers); });
    connect(m_copyTable, &LinkedTable::rowActivated, this, &PartitionPanel::showCause);
    connect(m_nodeTable, &LinkedTable::released, this, [this] { setTitle(m_nodeTable, tr("All nodes"), 0); });
  }

  // The node table shows only the nodes of one refusal.
  void showRefused(int row, bool goThere) {
    const RefusalSummary& refusal = m_view->refusals[static_cast<size_t>(row)];
    restrictNodes(refusalTitle(refusal), refusal.nodes);
    if (goThere) tabs()->setCurrentWidget(m_nodeTable);
  }

  void restrictNodes(const QString& words, const std::vector<int32_t>& nodes) {
    std::vector<bool> wanted(m_view->report->nodes.size());
    for (const int32_t node : nodes)
      if (node >= 0 && static_cast<size_t>(node) < wanted.size()) wanted[static_cast<size_t>(node)] = true;
    m_nodeTable->restrict(words, [wanted = std::move(wanted)](int row) {
      return static_cast<size_t>(row) < wanted.size() && wanted[static_cast<size_t>(row)];
    });
    setTitle(m_nodeTable, tr("All nodes"), nodes.size());
  }

  void showProvider(int index) {
    const std::string& name = m_view->report->providers[static_cast<size_t>(index)].name;
    std::vector<int32_t> taken;
    for (size_t i = 0; i < m_view->report->nodes.size(); ++i)
      if (m_view->report->nodes[i].provider == name) taken.push_back(static_cast<int32_t>(i));
    document().selection().selectTargets(m_view->targets(taken));
    restrictNodes(tr("Assigned to %1").arg(text(name)), taken);
  }

  void showGroup(int group) {
    if (!m_view || group < 0 || group >= static_cast<int>(m_view->report->groups.size())) return;
    tabs()->setCurrentWidget(m_groupTable);
    document().selection().selectTargets(m_view->groupTargets(m_view->report->groups[static_cast<size_t>(group)]));
  }

  void showCause(int row) {
    const CopyReport& copy = m_view->report->copies[static_cast<size_t>(row)];
    if (showsWhatIf())
      return document().selection().selectValue(
          {copy.graph, text(copy.value)});  // the graph that its node is in was not kept
    if (copy.causeNode >= 0)
      document().selection().selectNode({GraphVersion::kPartitioned, copy.graph, copy.causeNode});
  }

  std::shared_ptr<const PartitionView> m_view;
  ProviderPriorities* m_order;
  NodeAnswers* m_answers;
  WhatIfPage* m_whatIf;
  std::shared_ptr<const study::WhatIfResult> m_compared;
  ReportModel* m_nodes;
  ReportModel* m_refusals;
  ReportModel* m_groups;
  ReportModel* m_copies;
  ReportModel* m_notes;
  LinkedTable* m_nodeTable;
  LinkedTable* m_refusalTable;
  LinkedTable* m_groupTable;
  LinkedTable* m_copyTable;
  LinkedTable* m_noteTable;
};

}  // namespace

const PanelDescriptor& panel_partition() {
  static const PanelDescriptor descriptor{.id = "partition",
                                          .title = "Partition",
                                          .icon = "stage-partition",
                                          .area = PanelArea::kStage,
                                          .stage = Stage::kPartition,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new PartitionPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
