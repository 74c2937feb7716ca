#include "ui/panels/study_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/panel_scroll.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

StudyPanel::StudyPanel(const PanelContext& context, StudyJob::Study study, const QString& name, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_job(new StudyJob(context.document, std::move(study), this)),
      m_empty(new EmptyState(context.themes)),
      m_table(new LinkedTable(context, name)),
      m_rows(new ReportModel(this)),
      m_work(new QWidget),
      m_bar(new QProgressBar),
      m_state(new QLabel),
      m_cancel(new QPushButton(tr("Cancel"))),
      m_stack(new QStackedWidget),
      m_words(new QLabel),
      m_top(new QHBoxLayout),
      m_again(new QToolButton) {
  setProperty("role", "surface");
  setAttribute(Qt::WA_StyledBackground);
  m_table->setModel(m_rows);
  m_table->setRowNodes([this](int row) { return m_shown ? nodesOf(row) : std::vector<NodeTarget>(); });
  arrange();
}

void StudyPanel::begin(const QString& tableTitle) {
  m_table->view()->setAccessibleName(tableTitle);
  connect(m_job, &StudyJob::changed, this, &StudyPanel::refresh);
  connect(m_empty, &EmptyState::actionRequested, m_job, &StudyJob::start);
  connect(m_again, &QToolButton::clicked, m_job, &StudyJob::start);
  connect(m_cancel, &QPushButton::clicked, m_job, &StudyJob::cancel);
  connect(m_table->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &StudyPanel::refresh);
  m_context.document->onWalkChange(WalkPart::kLoad | WalkPart::kPartition | WalkPart::kStates, this,
                                   &StudyPanel::refresh);
  refresh();
}

void StudyPanel::arrange() {
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
  auto* work = new QHBoxLayout(m_work);
  work->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
  work->setSpacing(kSpace);
  work->addWidget(m_bar);
  work->addWidget(m_state, 1);
  work->addWidget(m_cancel);
  m_top->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpaceSmall);
  m_top->setSpacing(kSpace);
  m_top->addWidget(m_words, 1);
  m_top->addWidget(m_again, 0, Qt::AlignTop);
  auto* result = new QWidget;
  m_result = new QVBoxLayout(result);
  m_result->setContentsMargins(0, 0, 0, 0);
  m_result->setSpacing(0);
  m_result->addLayout(m_top);
  m_result->addWidget(m_table, 1);
  m_stack->addWidget(m_empty);
  m_stack->addWidget(result);
  auto* content = new QWidget;
  m_column = new QVBoxLayout(content);
  m_column->setContentsMargins(0, 0, 0, 0);
  m_column->setSpacing(0);
  m_column->addWidget(m_work);
  m_column->addWidget(m_stack, 1);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(new PanelScroll(content));
}

QPushButton* StudyPanel::addButton(const QString& toolTip) {
  auto* button = new QPushButton;
  button->setToolTip(toolTip);
  m_top->insertWidget(m_top->indexOf(m_again), button, 0, Qt::AlignTop);
  return button;
}

void StudyPanel::setAgainText(const QString& text) {
  m_again->setText(text);
  m_again->setToolTip(text);
}

void StudyPanel::setPicture(QWidget* picture, const QString& title, const QString& tableTitle) {
  auto* tabs = new QTabWidget;
  tabs->setDocumentMode(true);
  m_result->removeWidget(m_table);
  tabs->addTab(picture, title);
  tabs->addTab(m_table, tableTitle);
  m_result->addWidget(tabs, 1);
}

int StudyPanel::chosenRow() const {
  const QModelIndex index = m_table->view()->currentIndex();
  return index.isValid() ? m_table->proxy()->mapToSource(index).row() : -1;
}

void StudyPanel::refresh() {
  if (!isVisible()) return;
  const bool busy = m_job->busy();
  const QString reason = whyNot();
  m_work->setVisible(busy);
  m_bar->setRange(0, m_job->share() < 0 ? 0 : 1000);
  m_bar->setValue(static_cast<int>(m_job->share() * 1000));
  m_state->setText(shortened(m_job->state(), 120));
  m_state->setToolTip(m_job->state());
  if (const auto result = m_job->result(); result != m_shown) {
    m_shown = result;
    m_rows->present(m_shown ? rows() : ReportRows());
    presentPicture();
  }
  m_stack->setCurrentIndex(m_shown ? 1 : 0);
  m_again->setIcon(themedIcon(QStringLiteral("reload"), m_context.themes->current()));
  m_again->setEnabled(!busy && reason.isEmpty());
  if (m_shown) {
    const QString stale = m_job->stale()
                              ? QStringLiteral("\u26a0 ") + tr("The model or its settings have changed since.") + u' '
                              : QString();
    m_words->setText(stale + sentence());
    updateButtons(busy);
  }
  const EmptyState::Words words =
      m_job->error() && !busy
          ? EmptyState::Words{QStringLiteral("error"), tr("There is no answer"), told(*m_job->error()), tr("Try again")}
          : emptyWords(busy, reason);
  if (words.title != m_empty->title() || words.text != m_emptyText) {
    m_emptyText = words.text;
    m_empty->present(words);
  }
  m_empty->button()->setEnabled(reason.isEmpty());
  m_empty->button()->setVisible(!busy);
}

QString StudyPanel::askForCopy(const QString& suffix) {
  const QFileInfo info(m_context.document->path());
  const QString offered = info.dir().filePath(info.completeBaseName() + u'-' + suffix + QStringLiteral(".onnx"));
  const QString file = QFileDialog::getSaveFileName(this, tr("Save the changed copy"), offered,
                                                    tr("ONNX models (*.onnx);;All files (*)"));
  if (file.isEmpty() || QFileInfo(file) != info) return file;
  QMessageBox::warning(this, tr("Save the changed copy"),
                       tr("%1 is the model that is open. Choose another name for the copy.").arg(file));
  return {};
}

void StudyPanel::showCopy(const Result<void>& saved, const QString& file) {
  if (!saved) {
    QMessageBox::warning(this, tr("Save the changed copy"), told(saved.error()));
    return;
  }
  emit m_context.actions->message(tr("Saved %1").arg(file));
  emit m_context.actions->openRequested(file);
}

}  // namespace cutaway::ui
