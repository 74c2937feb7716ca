// The cure: changes of the model that free the nodes which a provider refuses, searched, proved and applied to a copy.
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyle>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/cure/cure_search.h"
#include "ui/panels/cure/cure_tables.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {
namespace {

class CurePanel : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::CurePanel)

 public:
  CurePanel(const PanelContext& context, QWidget* parent)
      : QWidget(parent),
        m_context(context),
        m_search(new CureSearch(context.document, this)),
        m_empty(new EmptyState(context.themes)),
        m_table(new LinkedTable(context, QStringLiteral("cure/proposals"))) {
    setProperty("role", "surface");
    setAttribute(Qt::WA_StyledBackground);
    m_table->setModel(m_rows);
    m_table->view()->setAccessibleName(tr("Proposals"));
    m_table->setRowNodes([this](int row) { return freedBy(row); });
    arrange();
    connect(m_search, &CureSearch::changed, this, &CurePanel::refresh);
    connect(m_empty, &EmptyState::actionRequested, m_search, &CureSearch::start);
    connect(m_again, &QToolButton::clicked, m_search, &CureSearch::start);
    connect(m_cancel, &QPushButton::clicked, m_search, &CureSearch::cancel);
    connect(m_apply, &QPushButton::clicked, this, [this] { apply(chosenRow()); });
    connect(m_applyAll, &QPushButton::clicked, this, [this] { apply(study::kAllSteps); });
    connect(m_table->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CurePanel::refresh);
    context.document->onWalkChange(WalkPart::kLoad | WalkPart::kPartition | WalkPart::kStates, this,
                                   &CurePanel::refresh);
    refresh();
  }

 protected:
  void showEvent(QShowEvent*) override { refresh(); }

 private:
  void arrange() {
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->setProperty("role", "secondary");
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // a long title must not widen the dock
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_bar->setFixedWidth(120);
    m_again->setText(tr("Search again"));
    m_again->setToolTip(m_again->text());
    m_again->setAutoRaise(true);
    m_applyAll->setProperty("primary", true);
    m_applyAll->setToolTip(tr("Saves the model with all proved changes as a file of its own, and opens it"));
    m_apply->setToolTip(tr("Saves the model with the chosen change as a file of its own, and opens it"));
    auto* work = new QHBoxLayout(m_work);
    work->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
    work->setSpacing(kSpace);
    work->addWidget(m_bar);
    work->addWidget(m_state, 1);
    work->addWidget(m_cancel);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpaceSmall);
    top->setSpacing(kSpace);
    top->addWidget(m_words, 1);
    top->addWidget(m_apply, 0, Qt::AlignTop);
    top->addWidget(m_applyAll, 0, Qt::AlignTop);
    top->addWidget(m_again, 0, Qt::AlignTop);
    auto* result = new QWidget;
    auto* rows = new QVBoxLayout(result);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(top);
    rows->addWidget(m_table, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(result);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_work);
    column->addWidget(m_stack, 1);
  }

  int chosenRow() const {
    const QModelIndex index = m_table->view()->currentIndex();
    return index.isValid() ? m_table->proxy()->mapToSource(index).row() : -1;
  }

  void refresh() {
    if (!isVisible()) return;
    const bool busy = m_search->busy();
    const QString reason = m_search->whyNot();
    m_work->setVisible(busy);
    m_bar->setRange(0, m_search->share() < 0 ? 0 : 1000);
    m_bar->setValue(static_cast<int>(m_search->share() * 1000));
    m_state->setText(shortened(m_search->state(), 120));
    m_state->setToolTip(m_search->state());
    if (const auto cure = m_search->cure(); cure != m_shown) show(cure);
    m_stack->setCurrentIndex(m_shown ? 1 : 0);
    m_again->setIcon(themedIcon(QStringLiteral("reload"), m_context.themes->current()));
    m_again->setEnabled(!busy && reason.isEmpty());
    if (m_shown) showResult(busy);
    const EmptyState::Words words = emptyWords(busy, reason);
    if (words.title != m_empty->title() || words.text != m_emptyText) {
      m_emptyText = words.text;
      m_empty->present(words);
    }
    m_empty->button()->setEnabled(reason.isEmpty());
    m_empty->button()->setVisible(!busy);
  }

  void showResult(bool busy) {
    QString words = cureSentence(m_shown->report);
    if (m_search->stale())
      words =
          QStringLiteral("\u26a0 ") + tr("The model or its settings have changed since.") + QLatin1Char(' ') + words;
    m_words->setText(words);
    const size_t steps = m_shown->report.steps.size();
    m_applyAll->setVisible(steps > 0);
    m_applyAll->setText(steps > 1 ? tr("Apply all to a copy \u2026") : tr("Apply to a copy \u2026"));
    m_apply->setVisible(m_shown->report.proposals.size() > 1);
    m_apply->setText(tr("Apply the chosen one \u2026"));
    m_apply->setEnabled(!busy && chosenRow() >= 0);
  }

  void show(std::shared_ptr<const study::Cure> cure) {
    m_shown = std::move(cure);
    m_rows->present(cureRows(m_shown));
  }

  EmptyState::Words emptyWords(bool busy, const QString& reason) const {
    const QString icon = QStringLiteral("stage-partition");
    if (busy)
      return {icon,
              tr("The provider is being asked \u2026"),
              tr("Each question is about a changed copy of the model; cancelling leaves everything as it is."),
              {}};
    if (const auto& error = m_search->error())
      return {QStringLiteral("error"), tr("There is no answer"), text(describe(*error)), tr("Try again")};
    return {icon, tr("Why not all nodes?"),
            reason.isEmpty()
                ? tr("Looks for changes of the model that free the nodes which the first provider refuses: "
                     "asks it again about each, and compares the results with the original's.")
                : reason,
            tr("Find a cure")};
  }

  std::vector<NodeTarget> freedBy(int row) const {
    std::vector<NodeTarget> nodes;
    const GraphIndex* index = m_context.document->index(GraphVersion::kLoaded);
    if (!m_shown || !index) return nodes;
    for (const int32_t origin : m_shown->report.proposals[static_cast<size_t>(row)].freedOrigins)
      for (const NodePlace& place : index->nodesOf(origin))
        nodes.push_back({GraphVersion::kLoaded, place.graph, place.node});
    return nodes;
  }

  void apply(int proposal) {
    if (!m_shown) return;
    const QFileInfo info(m_context.document->path());
    const QString offered = info.dir().filePath(info.completeBaseName() + QStringLiteral("-cured.onnx"));
    const QString file = QFileDialog::getSaveFileName(this, tr("Save the changed copy"), offered,
                                                      tr("ONNX models (*.onnx);;All files (*)"));
    if (file.isEmpty()) return;
    if (QFileInfo(file) == info) {
      QMessageBox::warning(this, tr("Save the changed copy"),
                           tr("%1 is the model that is open. Choose another name for the copy.").arg(file));
      return;
    }
    const Result<void> saved = study::saveCured(*m_shown, proposal, file.toStdString(), true);  // the dialog has asked
    if (!saved) {
      QMessageBox::warning(this, tr("Save the changed copy"), text(describe(saved.error())));
      return;
    }
    emit m_context.actions->message(tr("Saved %1").arg(file));
    emit m_context.actions->openRequested(file);
  }

  PanelContext m_context;
  CureSearch* m_search;
  EmptyState* m_empty;
  QString m_emptyText;
  LinkedTable* m_table;
  ReportModel* m_rows = new ReportModel(this);
  QWidget* m_work = new QWidget;
  QProgressBar* m_bar = new QProgressBar;
  QLabel* m_state = new QLabel;
  QPushButton* m_cancel = new QPushButton(tr("Cancel"));
  QStackedWidget* m_stack = new QStackedWidget;
  QLabel* m_words = new QLabel;
  QPushButton* m_apply = new QPushButton;
  QPushButton* m_applyAll = new QPushButton;
  QToolButton* m_again = new QToolButton;
  std::shared_ptr<const study::Cure> m_shown;
};

}  // namespace

const PanelDescriptor& panel_cure() {
  static const PanelDescriptor descriptor{.id = "cure",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Cure"),
                                          .icon = "stage-partition",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .height = 36,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new CurePanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
