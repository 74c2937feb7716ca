// Inspector: everything about what is selected, with links to its neighbours.
#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QLabel>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTextBrowser>
#include <QUrl>

#include "ui/base/format.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/formulas_controller.h"
#include "ui/document/study_job.h"
#include "ui/document/window_words.h"
#include "ui/panels/inspector/inspector_page.h"
#include "ui/panels/panel.h"
#include "ui/panels/panel_actions.h"

namespace cutaway::ui {
namespace {

StudyJob::Outcome findKernels(const StudyJob::Input& input, Progress& progress) {
  CUTAWAY_TRY(study::KernelChoices choices, study::kernelChoices(input.source, input.options, input.table, progress));
  return std::make_shared<const study::KernelChoices>(std::move(choices));
}

class InspectorPanel : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::InspectorPanel)

 public:
  InspectorPanel(const PanelContext& context, QWidget* parent)
      : QWidget(parent),
        m_context(context),
        m_stack(new QStackedLayout(this)),
        m_page(new QTextBrowser),
        m_empty(new QLabel),
        m_kernels(context.document, findKernels, this) {
    m_empty->setText(tr("Choose a node or a line on the graph,\nor a row in a table."));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("role", "emptyPage");
    m_page->setProperty("role", "page");
    m_page->setOpenLinks(false);
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->setAccessibleName(tr("Details of the selection"));
    m_page->setObjectName(QStringLiteral("inspector/page"));
    m_page->document()->setDocumentMargin(kSpaceLarge);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_page);
    connect(m_page, &QTextBrowser::anchorClicked, this, &InspectorPanel::follow);
    connect(&context.document->selection(), &Selection::changed, this, [this] {
      m_open.clear();
      refresh();
    });
    addKeys();
    connect(&m_kernels, &StudyJob::changed, this, &InspectorPanel::refresh);
    context.document->onWalkChange(kReports | WalkPart::kComparison, this, &InspectorPanel::refresh);
    connect(context.document, &Document::stageChanged, this, &InspectorPanel::refresh);
    connect(&FormulasController::of(context.document), &FormulasController::changed, this, &InspectorPanel::refresh);
    new ThemeFollower(this, context.themes, [this] { refresh(); });
    refresh();
  }

 private:
  // The name is copied when no words are marked; Tab goes through the links, Enter follows them.
  void addKeys() {
    auto* copy = new QAction(tr("Copy name"), this);
    copy->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+C")));
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QAction::triggered, this, [this] { copyWords(selectedName()); });
    addAction(copy);
    m_page->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::LinksAccessibleByKeyboard);
  }

  QString selectedName() const {
    const Document& document = *m_context.document;
    const Selection& selection = document.selection();
    if (selection.value().valid()) return selection.value().name;
    const NodeReport* node = document.node(selection.focusIn(document.shownVersion()));
    return node ? text(node->name) : QString();
  }

  void copyWords(const QString& words) {
    if (words.isEmpty()) return;
    QGuiApplication::clipboard()->setText(words);
    emit m_context.actions->message(tr("Copied %1").arg(shortened(words, 80)));
  }

  void copyAttribute(const QString& name) {
    const NodeReport* node =
        m_context.document->node(m_context.document->selection().focusIn(m_context.document->shownVersion()));
    for (size_t i = 0; node && i < node->attributes.size(); ++i)
      if (text(node->attributes[i].name) == name) return copyWords(text(node->attributes[i].text));
  }

  // Looked for on demand: it takes the time and the memory of a session.
  KernelFacts kernelFacts() const {
    KernelFacts facts;
    if (m_context.document->planOnly() || !m_kernels.whyNot().isEmpty()) return facts;
    facts.busy = m_kernels.busy();
    if (facts.busy) return facts;
    if (!m_kernels.stale()) facts.choices = m_kernels.result<study::KernelChoices>();
    if (m_kernels.error()) facts.problem = told(m_kernels.error()->message);
    facts.canFind = !facts.choices;
    return facts;
  }

  void refresh() {
    const Theme& theme = m_context.themes->current();
    const QString html = inspectorPage(*m_context.document, theme, m_open, kernelFacts());
    const int scrolled = m_page->verticalScrollBar()->value();
    if (html != m_html) m_page->setHtml(html);
    if (html != m_html && !m_open.isEmpty()) m_page->verticalScrollBar()->setValue(scrolled);
    m_html = html;
    m_stack->setCurrentIndex(html.isEmpty() ? 0 : 1);
  }

  void follow(const QUrl& url) {
    const QStringList parts = url.toString(QUrl::FullyEncoded).split(QLatin1Char(':'));
    Selection& selection = m_context.document->selection();
    const QString last = QUrl::fromPercentEncoding(parts.last().toLatin1());
    if (parts.size() == 2 && parts[0] == QLatin1String("tool")) emit m_context.actions->toolRequested(last);
    if (parts.size() == 2 && parts[0] == QLatin1String("copy")) copyWords(last);
    if (parts.size() == 2 && parts[0] == QLatin1String("attribute")) copyAttribute(last);
    if (parts.size() == 2 && parts[0] == QLatin1String("more")) {
      m_open.insert(last);
      refresh();
    }
    if (parts[0] == QLatin1String("kernels")) m_kernels.start();
    if (parts.size() == 3 && parts[0] == QLatin1String("look")) {
      selection.selectValue({parts[1].toInt(), last});
      emit m_context.actions->toolRequested(QStringLiteral("tensor"));
    }
    if (parts.size() == 2 && parts[0] == QLatin1String("graph")) emit m_context.actions->enterGraph(parts[1].toInt());
    if (parts.size() == 3 && parts[0] == QLatin1String("value"))
      selection.selectValue({parts[1].toInt(), QUrl::fromPercentEncoding(parts[2].toLatin1())});
    if (parts.size() == 4 && parts[0] == QLatin1String("node"))
      selection.selectNode({static_cast<GraphVersion>(parts[1].toInt()), parts[2].toInt(), parts[3].toInt()});
  }

  PanelContext m_context;
  QStackedLayout* m_stack;
  QTextBrowser* m_page;
  QLabel* m_empty;
  StudyJob m_kernels;
  QString m_html;
  QSet<QString> m_open;  // what is shown whole, until another selection
};

}  // namespace

const PanelDescriptor& panel_inspector() {
  static const PanelDescriptor descriptor{.id = "inspector",
                                          .title = "Selected",
                                          .icon = "find",
                                          .area = PanelArea::kInspector,
                                          .stage = Stage::kLoad,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new InspectorPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
