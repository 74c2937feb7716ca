// Context: what an export would keep compiled, the export itself, and what the context nodes of a compiled model are.
#include <algorithm>

#include <QTabWidget>

#include "ui/base/context_words.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/provider_marks.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/context/context_tables.h"
#include "ui/panels/context/export_page.h"
#include "ui/panels/context/nodes_page.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

constexpr int kMark = 14;
const QString kDash = QStringLiteral("\u2013");

class ContextPanel : public StagePanel {
 public:
  ContextPanel(const PanelContext& context, QWidget* parent)
      : StagePanel(context, QStringLiteral("context"), parent),
        m_nodes(new NodesPage(context)),
        m_export(new ExportPage(context)) {
    addTab(m_nodes, tr("Context nodes"));
    m_groups = addTable(tr("What is kept"), &m_groupTable);
    m_groupTable->setObjectName(QStringLiteral("context/groups"));
    m_groupTable->setRowNodes([this](int row) { return groupNodes(*document().walk(), row); });
    addTab(m_export, tr("Export"));
    m_warnings = addTable(tr("Notes"));
    new ThemeFollower(this, context.themes, [this] { fill(*document().walk()); });
    if (context.actions)
      connect(context.actions, &PanelActions::exportContextRequested, this, [this] {
        if (isVisibleTo(parentWidget()) && tabs()->isTabVisible(kExport)) tabs()->setCurrentIndex(kExport);
      });
    connect(&document().contexts(), &ContextController::changed, this, [this] {
      if (!isVisible()) return;
      if (document().contexts().busy()) tabs()->setCurrentWidget(m_export);
      fill(*document().walk());
    });
  }

 private:
  enum Tab { kNodes, kGroups, kExport, kNotes };

  const void* source(const WalkReport& walk) const override { return walk.context.get(); }

  void fill(const WalkReport&) override {
    const auto walk = document().walk();
    const auto report = walk->context;
    const bool compiled = report && !report->nodes.empty();
    setTabShown(kNodes, compiled);
    setTabShown(kGroups, !compiled);
    setTabShown(kExport, !compiled);
    setTabShown(kNotes, report && (!report->warnings.empty() || !report->recompiledFrom.empty()));
    const auto mark = [marks = providerMarks(*walk), theme = &context().themes->current(),
                       ratio = devicePixelRatioF()](const std::string& provider) -> QVariant {
      const int category = marks.indexOf(provider);
      return category < 0 ? QVariant()
                          : QVariant(categoryMark(theme->category(category),
                                                  marks.letters[static_cast<size_t>(category)], *theme, kMark, ratio));
    };
    m_nodes->present(walk, mark);
    m_groups->present(groupRows(walk, mark));
    fillNotes(report);
    setFacts(!report ? Facts{} : compiled ? nodeFacts(*report) : groupFacts(*report));
    setNote(!report ? QString() : compiled ? contextsSentence(*report) : previewSentence(*report));
  }

  static Facts nodeFacts(const ContextReport& report) {
    int64_t usable = 0, main = 0, bytes = 0, inside = 0;
    bool known = false;
    for (const ContextNodeReport& node : report.nodes) {
      const ContextFate fate = contextFate(node);
      usable += fate == ContextFate::kRestored || fate == ContextFate::kSimulated;
      main += node.isMain;
      bytes += std::max<int64_t>(0, node.partitionBytes >= 0 ? node.partitionBytes : node.fileBytes);
      known = known || node.insideNodes >= 0;
      inside += std::max<int64_t>(0, node.insideNodes);
    }
    const auto all = static_cast<int64_t>(report.nodes.size());
    return {{tr("Context nodes"), tr("%1, %2 main").arg(countText(all), countText(main))},
            {tr("Usable here"), tr("%1 of %2").arg(countText(usable), countText(all))},
            {tr("Compiled by"), contextSourceText(report.nodes.front())},
            {tr("Compiled parts"), bytes > 0 ? sizeText(bytes) : kDash},
            {tr("Original nodes inside"), known ? countText(inside) : tr("unknown")}};
  }

  static Facts groupFacts(const ContextReport& report) {
    const KeptSum sum = keptOf(report);
    Facts facts = {
        {tr("Compiled groups kept"), tr("%1 of %2").arg(countText(sum.keptGroups), countText(sum.groups))},
        {tr("Nodes in them"), tr("%1 of %2").arg(countText(sum.keptNodes), countText(sum.nodes))},
        {tr("Weights in them"),
         sum.weightBytes > 0 ? tr("%1 of %2").arg(sizeText(sum.keptWeightBytes), sizeText(sum.weightBytes)) : kDash}};
    if (sum.simulatedGroups > 0) facts.emplace_back(tr("As placeholders"), countText(sum.simulatedGroups));
    return facts;
  }

  void fillNotes(const std::shared_ptr<const ContextReport>& report) {
    std::vector<QString> lines;
    if (report && !report->recompiledFrom.empty())
      lines.push_back(tr("The context model could not be used; its original was opened instead: %1")
                          .arg(text(report->recompiledFrom)));
    if (report)
      for (const std::string& warning : report->warnings)
        lines.push_back(told(warning));
    m_warnings->present(
        rowsOf<QString>(std::move(lines), {{.title = tr("Note"), .text = [](const QString& line) { return line; }}}));
  }

  NodesPage* m_nodes;
  ExportPage* m_export;
  ReportModel* m_groups;
  LinkedTable* m_groupTable = nullptr;
  ReportModel* m_warnings;
};

}  // namespace

const PanelDescriptor& panel_context() {
  static const PanelDescriptor descriptor{.id = "context",
                                          .title = "EPContext",
                                          .icon = "stage-context",
                                          .area = PanelArea::kStage,
                                          .stage = Stage::kContext,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new ContextPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
