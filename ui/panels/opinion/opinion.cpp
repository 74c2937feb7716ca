// ONNX Runtime beside this engine: asked on demand, shown stage by stage, difference by difference, node by node.
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/opinion_words.h"
#include "ui/document/window_words.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/opinion/opinion_page.h"

namespace cutaway::ui {
namespace {

class OpinionPanel : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::OpinionPanel)

 public:
  OpinionPanel(const PanelContext& context, QWidget* parent)
      : QWidget(parent), m_context(context), m_empty(new EmptyState(context.themes)), m_page(new OpinionPage(context)) {
    setProperty("role", "surface");
    setAttribute(Qt::WA_StyledBackground);
    arrange();
    Document& document = *context.document;
    connect(m_empty, &EmptyState::actionRequested, this, [this] { controller().ask(); });
    connect(m_again, &QToolButton::clicked, this, [this] { controller().ask(); });
    connect(m_cancel, &QPushButton::clicked, this, [this] { m_context.document->service().cancel(); });
    connect(&controller(), &OpinionController::changed, this, &OpinionPanel::refresh);
    connect(&document.service(), &EngineService::activityChanged, this, &OpinionPanel::refresh);
    document.onWalkChange(WalkPart::kLoad | WalkPart::kStates, this, &OpinionPanel::refresh);
    refresh();
  }

 protected:
  void showEvent(QShowEvent*) override { refresh(); }

 private:
  OpinionController& controller() const { return m_context.document->opinion(); }

  void arrange() {
    m_again->setText(tr("Compare again"));
    m_again->setToolButtonStyle(Qt::ToolButtonIconOnly);  // the sentence beside it needs the width
    m_again->setAutoRaise(true);
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->setProperty("role", "secondary");
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_bar->setRange(0, 0);
    m_bar->setFixedWidth(120);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpaceSmall);
    top->setSpacing(kSpace);
    top->addWidget(m_words, 1);
    top->addWidget(m_again, 0, Qt::AlignTop);
    auto* work = new QHBoxLayout(m_work);
    work->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
    work->setSpacing(kSpace);
    work->addWidget(m_bar);
    work->addWidget(m_state, 1);
    work->addWidget(m_cancel);
    auto* result = new QWidget;
    auto* rows = new QVBoxLayout(result);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(top);
    rows->addWidget(m_page, 1);
    auto* scroll = new QScrollArea;  // messages may be longer than the panel is high
    scroll->setWidget(m_empty);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(QStringLiteral("ONNX Runtime"));
    m_stack->addWidget(scroll);
    m_stack->addWidget(result);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_work);
    column->addWidget(m_stack, 1);
  }

  void refresh() {
    if (!isVisible()) return;
    const bool busy = controller().busy();
    const QString reason = controller().whyNot();
    const Activity& activity = m_context.document->service().activity();
    m_work->setVisible(busy);
    m_state->setText(activity.detail.isEmpty() ? activity.what : activity.detail);
    m_again->setEnabled(!busy && reason.isEmpty());
    m_again->setIcon(themedIcon(QStringLiteral("reload"), m_context.themes->current()));
    m_again->setToolTip(reason.isEmpty() ? m_again->text() : reason);
    if (const OpinionPointer opinion = controller().opinion(); opinion != m_shown) show(opinion);
    m_stack->setCurrentIndex(m_shown && m_shown->verdict.empty() ? 1 : 0);
    if (const auto words = emptyWords(busy, reason); words.title != m_empty->title() || words.text != m_emptyText) {
      m_emptyText = words.text;
      m_empty->present(words);
    }
    m_empty->button()->setEnabled(reason.isEmpty());
    m_empty->button()->setVisible(!busy);
  }

  using EmptyWords = EmptyState::Words;  // lupdate takes the other name for the class that the texts belong to
  EmptyWords emptyWords(bool busy, const QString& reason) const {
    const QString icon = QStringLiteral("stage-run");
    if (busy)
      return {icon, tr("ONNX Runtime is being asked \u2026"),
              tr("It runs in a process of its own; cancelling stops that."), tr("Compare with ONNX Runtime")};
    if (const auto& error = controller().error())
      return {QStringLiteral("error"),
              error->code == ErrorCode::kNotFound ? tr("ONNX Runtime was not found") : tr("There is no comparison"),
              told(*error), tr("Try again")};
    if (m_shown && !m_shown->verdict.empty())
      return {QStringLiteral("error"), tr("ONNX Runtime %1 refuses this model").arg(text(m_shown->version)),
              text(m_shown->verdict), tr("Compare again")};
    return {icon, tr("ONNX Runtime beside Cutaway"),
            reason.isEmpty()
                ? tr("Runs the model in both, and shows for every stage what each makes of it and by which "
                     "rule the two differ.")
                : reason,
            tr("Compare with ONNX Runtime")};
  }

  void show(OpinionPointer opinion) {
    m_shown = std::move(opinion);
    m_page->present(m_shown);
    if (!m_shown) return;
    m_words->setText(opinionSentence(*m_shown));
    m_words->setToolTip(text(m_shown->library));
    m_words->setProperty("role", m_shown->unexplained() > 0 ? "error" : "");
    m_words->style()->polish(m_words);
  }

  PanelContext m_context;
  EmptyState* m_empty;
  QString m_emptyText;
  QWidget* m_work = new QWidget;
  QProgressBar* m_bar = new QProgressBar;
  QLabel* m_state = new QLabel;
  QPushButton* m_cancel = new QPushButton(tr("Cancel"));
  QStackedWidget* m_stack = new QStackedWidget;
  QLabel* m_words = new QLabel;
  QToolButton* m_again = new QToolButton;
  OpinionPage* m_page;
  OpinionPointer m_shown;
};

}  // namespace

const PanelDescriptor& panel_opinion() {
  static const PanelDescriptor descriptor{.id = "opinion",
                                          .title = QT_TRANSLATE_NOOP("Panel", "ONNX Runtime"),
                                          .icon = "stage-run",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .height = 40,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new OpinionPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
