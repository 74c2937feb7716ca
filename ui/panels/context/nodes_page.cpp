// All context nodes above, the chosen one below.
#include "ui/panels/context/nodes_page.h"

#include <algorithm>

#include <QHeaderView>
#include <QSplitter>
#include <QTableView>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include "engine/base/node_name.h"
#include "ui/base/context_words.h"
#include "ui/base/format.h"
#include "ui/base/provider_marks.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/context_page.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/page_writer.h"
#include "ui/panels/panel_actions.h"

namespace cutaway::ui {
namespace {
constexpr int kMostRows = 6;
}

NodesPage::NodesPage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_table(new LinkedTable(context, QStringLiteral("context/nodes"), this)),
      m_model(new ReportModel(this)),
      m_page(new QTextBrowser),
      m_split(new QSplitter(Qt::Vertical)) {
  setObjectName(QStringLiteral("context/nodesPage"));
  m_table->setObjectName(QStringLiteral("context/nodes"));
  m_table->setModel(m_model);
  m_table->view()->setAccessibleName(tr("Context nodes"));
  m_page->setOpenLinks(false);
  m_page->setProperty("role", "page");
  m_page->setFrameShape(QFrame::NoFrame);
  m_page->setAccessibleName(tr("The chosen context node"));
  m_page->document()->setDocumentMargin(kSpaceLarge);
  m_split->addWidget(m_table);
  m_split->addWidget(m_page);
  m_split->setChildrenCollapsible(false);
  m_split->setStretchFactor(1, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_split);
  connect(m_split, &QSplitter::splitterMoved, this, [this] { m_isMoved = true; });
  connect(m_page, &QTextBrowser::anchorClicked, this, &NodesPage::follow);
  connect(&context.document->selection(), &Selection::changed, this, &NodesPage::refresh);
  new ThemeFollower(this, context.themes, [this] { refresh(); });
}

void NodesPage::present(std::shared_ptr<const WalkReport> walk, ProviderMark mark) {
  m_model->present(contextRows(std::move(walk), std::move(mark)));
  fitRows();
  refresh();
}

void NodesPage::showEvent(QShowEvent*) {
  fitRows();
  refresh();
}

void NodesPage::resizeEvent(QResizeEvent*) {
  fitRows();
}

// As many rows as there are, up to a few, and the rest of the height for the page; until somebody moves the line
// between them.
void NodesPage::fitRows() {
  if (m_isMoved || height() <= 0) return;
  const QTableView& view = *m_table->view();
  const int rows = std::min(m_model->rowCount(), kMostRows);
  const int wanted =
      m_table->height() - view.viewport()->height() + rows * view.verticalHeader()->defaultSectionSize() + kSpaceSmall;
  const int upper = std::min(wanted, height() / 2);
  m_split->setSizes({upper, height() - upper});
}

// The selected one, or the first.
void NodesPage::refresh() {
  const Document& document = *m_context.document;
  const auto walk = document.walk();
  const Theme& theme = m_context.themes->current();
  const ContextNodeReport* node =
      walk->context && !walk->context->nodes.empty() ? &walk->context->nodes.front() : nullptr;
  if (const ContextNodeReport* selected = document.contextNode(document.selection().focusIn(document.shownVersion())))
    node = selected;
  QString html;
  if (node) {
    PageWriter page(theme);
    page.heading(text(nodeName(node->name, "EPContext", static_cast<size_t>(node->node))),
                 contextFateText(contextFate(*node)));
    const NodeTarget target = document.targetOf(*node, document.shownVersion());
    const NodeReport* report = document.node(target);
    if (report && report->inside >= 0)
      page.row(tr("inside"), page.link(QStringLiteral("graph:%1").arg(report->inside), tr("show its original nodes")));
    writeContext(page, *node, providerNames(*walk));
    html = page.finish();
  }
  if (html == m_html) return;
  m_html = html;
  m_page->setHtml(html);
}

void NodesPage::follow(const QUrl& url) {
  const QStringList parts = url.toString(QUrl::FullyEncoded).split(QLatin1Char(':'));
  if (parts.size() == 2 && parts[0] == QLatin1String("graph")) emit m_context.actions->enterGraph(parts[1].toInt());
}

}  // namespace cutaway::ui
