// Explanation above, lanes below; both follow the selection while they can be seen.
#include "ui/panels/allocate/value_page.h"

#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>
#include <QTextBrowser>

#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/allocate/buffer_lanes.h"
#include "ui/panels/allocate/explanation.h"
#include "ui/panels/life_chart.h"

namespace cutaway::ui {

ValuePage::ValuePage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_stack(new QStackedLayout(this)),
      m_page(new QTextBrowser),
      m_lanes(new LifeChart(context)) {
  setObjectName(QStringLiteral("allocate/value"));
  auto* nothing =
      new QLabel(tr("Select a value in the table, or a node on the graph, to see which buffer it lives in and why."));
  nothing->setProperty("role", "faint");
  nothing->setAlignment(Qt::AlignCenter);
  nothing->setWordWrap(true);
  nothing->setMargin(kSpaceHuge);
  auto* split = new QSplitter(Qt::Vertical);
  m_page->setOpenLinks(false);
  m_page->setFrameShape(QFrame::NoFrame);
  m_page->setAccessibleName(tr("Why this value lives in this buffer"));
  m_page->document()->setDocumentMargin(kSpaceLarge);
  split->addWidget(m_page);
  split->addWidget(m_lanes);
  split->setChildrenCollapsible(false);
  split->setSizes({320, 200});
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 1);
  m_stack->addWidget(nothing);
  m_stack->addWidget(split);
  connect(m_page, &QTextBrowser::anchorClicked, this, &ValuePage::follow);
  connect(&context.document->selection(), &Selection::changed, this, [this] {
    if (isVisible()) refresh();
  });
  connect(context.themes, &ThemeStore::changed, this, [this] {
    if (isVisible()) refresh();
  });
}

void ValuePage::present(std::shared_ptr<const AllocationView> view) {
  m_view = std::move(view);
  refresh();
}

void ValuePage::showEvent(QShowEvent*) {
  refresh();
}

std::pair<int, int> ValuePage::chosen() const {
  if (!m_view) return {kNone, kNone};
  const Selection& selection = m_context.document->selection();
  if (selection.value().valid()) {
    const ValueAllocation* value = m_view->find(selection.value());
    return value ? std::pair(m_view->planOf(selection.value().graph), value->value) : std::pair(kNone, kNone);
  }
  const NodeTarget node = selection.stepIn(GraphVersion::kPartitioned);
  const NodeReport* report = m_context.document->node(node);
  if (!report) return {kNone, kNone};
  const int plan = m_view->planOf(node.graph);
  for (const int32_t output : report->outputs)
    if (m_view->at(plan, output)) return {plan, output};
  return {kNone, kNone};
}

void ValuePage::refresh() {
  const auto [plan, value] = chosen();
  m_plan = plan;
  m_stack->setCurrentIndex(value >= 0 ? 1 : 0);
  if (value < 0) return m_lanes->present({});
  m_page->setHtml(explanationPage(*m_view, plan, value, m_context.themes->current()));
  m_lanes->present(chainLanes(m_view, plan, value));
}

void ValuePage::follow(const QUrl& link) {
  if (!m_view || m_plan < 0) return;
  const int graph = m_view->report().graphs[static_cast<size_t>(m_plan)].graph;
  const QStringList parts = link.toString().split(QLatin1Char(':'));
  if (parts.size() != 2) return;
  const int index = parts[1].toInt();
  if (parts[0] == QLatin1String("node"))
    return m_context.document->selection().selectNode({GraphVersion::kPartitioned, graph, index});
  const std::vector<ValueReport>& values = m_view->graphs().graphs[static_cast<size_t>(graph)].values;
  if (index >= 0 && index < static_cast<int>(values.size()))
    m_context.document->selection().selectValue(
        {graph, QString::fromStdString(values[static_cast<size_t>(index)].name)});
}

}  // namespace cutaway::ui
