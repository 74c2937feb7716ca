// Inspector: everything about what is selected, with links to its neighbours.
#include <QStackedLayout>
#include <QLabel>
#include <QTextBrowser>
#include <QUrl>

#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/inspector/inspector_page.h"
#include "ui/panels/panel.h"
#include "ui/panels/panel_actions.h"

namespace cutaway::ui {
namespace {

class InspectorPanel : public QWidget {
 public:
  InspectorPanel(const PanelContext& context, QWidget* parent) : QWidget(parent), m_context(context), m_stack(new QStackedLayout(this)), m_page(new QTextBrowser), m_empty(new QLabel) {
    m_empty->setText(tr("Choose a node or a line on the graph,\nor a row in a table."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("role", "faint");
    m_page->setOpenLinks(false);
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->setAccessibleName(tr("Details of the selection"));
    m_page->document()->setDocumentMargin(kSpaceLarge);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_page);
    connect(m_page, &QTextBrowser::anchorClicked, this, &InspectorPanel::follow);
    connect(&context.document->selection(), &Selection::changed, this, &InspectorPanel::refresh);
    connect(context.document, &Document::walkChanged, this, &InspectorPanel::refresh);
    connect(context.document, &Document::stageChanged, this, &InspectorPanel::refresh);
    connect(context.themes, &ThemeStore::changed, this, &InspectorPanel::refresh);
    refresh();
  }

 private:
  void refresh() {
    const Theme& theme = m_context.themes->current();
    m_page->setStyleSheet(QStringLiteral("QTextBrowser { background: %1; border: none; }").arg(theme.surface.name()));
    m_empty->setStyleSheet(QStringLiteral("background: %1;").arg(theme.surface.name()));
    const QString html = inspectorPage(*m_context.document, theme);
    if (html != m_html) m_page->setHtml(html);
    m_html = html;
    m_stack->setCurrentIndex(html.isEmpty() ? 0 : 1);
  }

  void follow(const QUrl& url) {
    const QStringList parts = url.toString(QUrl::FullyEncoded).split(QLatin1Char(':'));
    Selection& selection = m_context.document->selection();
    if (parts.size() == 2 && parts[0] == QLatin1String("graph")) emit m_context.actions->enterGraph(parts[1].toInt());
    if (parts.size() == 3 && parts[0] == QLatin1String("value")) selection.selectValue({parts[1].toInt(), QUrl::fromPercentEncoding(parts[2].toLatin1())});
    if (parts.size() == 4 && parts[0] == QLatin1String("node")) selection.selectNode({static_cast<GraphVersion>(parts[1].toInt()), parts[2].toInt(), parts[3].toInt()});
  }

  PanelContext m_context;
  QStackedLayout* m_stack;
  QTextBrowser* m_page;
  QLabel* m_empty;
  QString m_html;
};

}  // namespace

const PanelDescriptor& panel_inspector() {
  static const PanelDescriptor descriptor{.id = "inspector", .title = "Selected", .icon = "find", .area = PanelArea::kInspector, .stage = Stage::kLoad,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* { return new InspectorPanel(context, parent); }};
  return descriptor;
}

}  // namespace cutaway::ui
