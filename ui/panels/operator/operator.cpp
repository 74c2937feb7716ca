// Operator: what the operator of the selected node does, with this node's values in place.
#include <QCompleter>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QStringListModel>
#include <QTextBrowser>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/operator/operator_page.h"
#include "ui/panels/panel.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/without_figures.h"

namespace cutaway::ui {
namespace {

class OperatorPanel : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::OperatorPanel)

 public:
  OperatorPanel(const PanelContext& context, QWidget* parent)
      : QWidget(parent),
        m_context(context),
        m_look(new QLineEdit),
        m_back(new QToolButton),
        m_stack(new QStackedWidget),
        m_page(new QTextBrowser),
        m_empty(new QLabel) {
    setProperty(kWithoutFigures, true);
    m_look->setPlaceholderText(tr("Look up an operator: Conv, com.microsoft:Gelu"));
    m_look->setAccessibleName(tr("Look up an operator"));
    m_look->setClearButtonEnabled(true);
    auto* completer = new QCompleter(&m_names, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_look->setCompleter(completer);
    m_back->setAccessibleName(tr("Back to the selected node"));
    m_back->setToolTip(tr("Back to the selected node"));
    m_empty->setText(tr("Select a node to read about its operator,\nwith this node's values beside the formal ones."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setProperty("role", "emptyPage");
    m_page->setProperty("role", "page");
    m_page->setOpenLinks(false);
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->setAccessibleName(tr("Documentation of the operator"));
    m_page->document()->setDocumentMargin(kSpaceLarge);
    arrange();
    connect(m_look, &QLineEdit::returnPressed, this, &OperatorPanel::lookUp);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this, [this] { lookUp(); });
    connect(m_back, &QToolButton::clicked, this, [this] { follow({}); });
    connect(m_page, &QTextBrowser::anchorClicked, this, &OperatorPanel::goTo);
    connect(&context.document->selection(), &Selection::changed, this, [this] { follow({}); });
    context.document->onWalkChange(kReports | WalkPart::kComparison, this, &OperatorPanel::refresh);
    connect(context.document, &Document::stageChanged, this, &OperatorPanel::refresh);
    connect(context.themes, &ThemeStore::changed, this, &OperatorPanel::refresh);
    refresh();
  }

 protected:
  void showEvent(QShowEvent*) override { refresh(); }

 private:
  void arrange() {
    auto* top = new QHBoxLayout;
    top->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
    top->addWidget(m_look, 1);
    top->addWidget(m_back);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_page);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(m_stack, 1);
  }

  // Another operator or version than the selected node's; invalid: the node's again.
  void follow(const OperatorSubject& asked) {
    m_asked = asked;
    refresh();
  }

  void refresh() {
    if (!isVisible()) return;  // catches up when it is shown
    const Theme& theme = m_context.themes->current();
    const Document& document = *m_context.document;
    m_back->setIcon(themedIcon(QStringLiteral("previous"), theme));
    m_back->setVisible(m_asked.valid());
    if (const auto& load = document.walk()->load; load.get() != m_named) nameOperators(load.get());
    const QString html = operatorPage(document, m_asked.valid() ? m_asked : subjectOf(document), theme);
    if (html != m_html) m_page->setHtml(html);
    m_html = html;
    m_stack->setCurrentIndex(html.isEmpty() ? 0 : 1);
  }

  void nameOperators(const LoadReport* load) {
    m_named = load;
    QStringList names;
    for (size_t i = 0; load && i < load->operators.size(); ++i)
      names << text(load->operators[i].first);
    m_names.setStringList(names);
  }

  void lookUp() {
    const QString words = m_look->text().trimmed();
    if (words.isEmpty()) return follow({});
    const qsizetype colon = words.lastIndexOf(QLatin1Char(':'));
    QString domain = colon < 0 ? QString() : words.left(colon);
    if (domain == QLatin1String("ai.onnx")) domain.clear();
    follow({words.mid(colon + 1), domain, opsetOf(*m_context.document, domain), {}});
  }

  void goTo(const QUrl& url) {
    if (url.scheme().startsWith(QLatin1String("http"))) return void(QDesktopServices::openUrl(url));
    const QStringList parts = url.toString(QUrl::FullyEncoded).split(QLatin1Char(':'));
    Selection& selection = m_context.document->selection();
    if (parts.size() == 2 && parts[0] == QLatin1String("graph")) emit m_context.actions->enterGraph(parts[1].toInt());
    if (parts.size() == 3 && parts[0] == QLatin1String("value"))
      selection.selectValue({parts[1].toInt(), QUrl::fromPercentEncoding(parts[2].toLatin1())});
    if (parts.size() == 4 && parts[0] == QLatin1String("op")) {
      OperatorSubject asked = m_asked.valid() ? m_asked : subjectOf(*m_context.document);
      asked.domain = QUrl::fromPercentEncoding(parts[1].toLatin1());
      asked.opType = QUrl::fromPercentEncoding(parts[2].toLatin1());
      asked.version = parts[3].toLongLong();
      follow(asked);
    }
  }

  PanelContext m_context;
  QLineEdit* m_look;
  QToolButton* m_back;
  QStackedWidget* m_stack;
  QTextBrowser* m_page;
  QLabel* m_empty;
  QStringListModel m_names;
  const LoadReport* m_named = nullptr;
  OperatorSubject m_asked;
  QString m_html;
};

}  // namespace

const PanelDescriptor& panel_operator() {
  static const PanelDescriptor descriptor{.id = "operator",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Operator"),
                                          .icon = "graph",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBeside,
                                          .keys = "Shift+F1",
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new OperatorPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
