// Optimize: every pass with its cost, every rewrite with what it removed and added.
#include <algorithm>

#include <QItemSelectionModel>
#include <QSplitter>
#include <QTableView>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/optimize/rewrite_picture.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

const QString kDash = QStringLiteral("\u2013");

QString joined(const std::vector<std::string>& parts) {
  QStringList all;
  for (const std::string& part : parts)
    all << text(part);
  return all.isEmpty() ? kDash : all.join(QStringLiteral(", "));
}

class OptimizePanel : public StagePanel {
 public:
  OptimizePanel(const PanelContext& context, QWidget* parent)
      : StagePanel(context, QStringLiteral("optimize"), parent) {
    m_passes = addTable(tr("Passes"));
    addTab(makeRewrites(), tr("Rewrites"));
    m_warnings = addTable(tr("Warnings"));
  }

 private:
  const void* source(const WalkReport& walk) const override { return walk.optimize.get(); }

  // The list, and below it the chosen rewrite before and after.
  QWidget* makeRewrites() {
    auto* split = new QSplitter(Qt::Vertical);
    auto* table = new LinkedTable(context(), QStringLiteral("optimize/table1"), this);
    table->setObjectName(QStringLiteral("optimize/table1"));
    m_rewrites = new ReportModel(this);
    table->setModel(m_rewrites);
    table->view()->setAccessibleName(tr("Rewrites"));
    table->setRowNodes([this](int row) { return touched(row, GraphVersion::kLoaded); });
    m_picture = new RewritePicture(context().themes);
    split->addWidget(table);
    split->addWidget(m_picture);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 1);
    split->setSizes({320, 200});
    connect(table->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, table](const QModelIndex& index) {
              if (index.isValid()) showRewrite(table->proxy()->mapToSource(index).row());
            });
    connect(m_picture, &RewritePicture::nodeChosen, this,
            [this](const NodeTarget& node) { document().selection().selectNode(node); });
    return split;
  }

  // The nodes of a version that a rewrite touched, or what came of them.
  std::vector<NodeTarget> touched(int row, GraphVersion version) const {
    std::vector<NodeTarget> nodes;
    const GraphIndex* index = document().index(version);
    if (!index || !m_report || row < 0 || row >= static_cast<int>(m_report->rewrites.size())) return nodes;
    for (const int32_t origin : m_report->rewrites[static_cast<size_t>(row)].origins)
      for (const NodePlace& place : index->nodesOf(origin)) {
        const NodeTarget node{version, place.graph, place.node};
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
      }
    return nodes;
  }

  void showRewrite(int row) {
    const auto before = document().graphs(GraphVersion::kLoaded), after = document().graphs(GraphVersion::kOptimized);
    if (!before || !after || !m_report || row < 0 || row >= static_cast<int>(m_report->rewrites.size()))
      return m_picture->clear();
    const RewriteReport& rewrite = m_report->rewrites[static_cast<size_t>(row)];
    m_picture->present(smallGraph(*before, touched(row, GraphVersion::kLoaded)),
                       smallGraph(*after, touched(row, GraphVersion::kOptimized)), text(rewrite.pass),
                       text(rewrite.note));
  }

  void fill(const WalkReport& walk) override {
    const auto report = walk.optimize;
    m_report = report;
    m_picture->clear();
    if (!report) {
      setFacts({});
      for (ReportModel* model : {m_passes, m_rewrites, m_warnings})
        model->present({});
      return;
    }
    int64_t active = 0;
    for (const PassReport& pass : report->passes)
      active += pass.rewrites > 0;
    setFacts({{tr("Nodes"), tr("%1 \u2192 %2").arg(countText(report->nodesBefore), countText(report->nodesAfter))},
              {tr("Rewrites"), countText(static_cast<int64_t>(report->rewrites.size()))},
              {tr("Passes that found something"), tr("%1 of %2").arg(active).arg(report->passes.size())},
              {tr("Level"), QString::number(report->level)},
              {tr("Folded into constants"), sizeText(report->foldedBytes)},
              {tr("Time"), timeText(report->timeNs)}});
    fillPasses(report);
    fillRewrites(report);
    m_warnings->present(
        rowsOf<std::string>(partOf(report, report->warnings),
                            {{.title = tr("Warning"), .text = [](const std::string& warning) { return warning; }}}));
    setTabTitle(1, tr("Rewrites (%1)").arg(report->rewrites.size()));
    setTabShown(2, !report->warnings.empty());
  }

  void fillPasses(const std::shared_ptr<const OptimizeReport>& report) {
    m_passes->present(rowsOf<PassReport>(
        partOf(report, report->passes),
        {{.title = tr("Pass"), .text = &PassReport::name},
         {.title = tr("Rewrites"),
          .kind = Column::kNumber,
          .text = [](const PassReport& pass) { return pass.skipped ? tr("skipped") : countText(pass.rewrites); },
          .key = [](const PassReport& pass) { return pass.skipped ? int64_t{-1} : pass.rewrites; }},
         {.title = tr("Nodes"),
          .text =
              [](const PassReport& pass) {
                return pass.skipped ? kDash : QStringLiteral("%1 \u2192 %2").arg(pass.nodesBefore).arg(pass.nodesAfter);
              }},
         {.title = tr("Time"),
          .kind = Column::kNumber,
          .text = [](const PassReport& pass) { return pass.skipped ? kDash : timeText(pass.timeNs); },
          .key = &PassReport::timeNs},
         {.title = tr("Level"),
          .kind = Column::kNumber,
          .text = [](const PassReport& pass) { return QString::number(pass.level); },
          .key = &PassReport::level},
         {.title = tr("Purpose"), .text = &PassReport::purpose}}));
  }

  void fillRewrites(const std::shared_ptr<const OptimizeReport>& report) {
    m_rewrites->present(rowsOf<RewriteReport>(
        partOf(report, report->rewrites),
        {{.title = tr("Pass"), .text = &RewriteReport::pass},
         {.title = tr("Removed"), .text = [](const RewriteReport& rewrite) { return joined(rewrite.removed); }},
         {.title = tr("Added"), .text = [](const RewriteReport& rewrite) { return joined(rewrite.added); }},
         {.title = tr("What and why"), .text = &RewriteReport::note}},
        // A rewrite stands for the first original node it touched: what came of it is marked in every stage.
        [document = &document()](const RewriteReport& rewrite) {
          const GraphIndex* index = document->index(GraphVersion::kLoaded);
          for (const int32_t origin : rewrite.origins)
            if (index && !index->nodesOf(origin).empty())
              return RowTarget{{GraphVersion::kLoaded, index->nodesOf(origin)[0].graph, index->nodesOf(origin)[0].node},
                               {}};
          return RowTarget{};
        }));
  }

  ReportModel* m_passes;
  ReportModel* m_rewrites = nullptr;
  RewritePicture* m_picture = nullptr;
  std::shared_ptr<const OptimizeReport> m_report;
  ReportModel* m_warnings;
};

}  // namespace

const PanelDescriptor& panel_optimize() {
  static const PanelDescriptor descriptor{.id = "optimize",
                                          .title = "Optimize",
                                          .icon = "stage-optimize",
                                          .area = PanelArea::kStage,
                                          .stage = Stage::kOptimize,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new OptimizePanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
