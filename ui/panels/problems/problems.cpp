// Problems: errors, warnings and refusals of all stages, with where they are and what to do next.
#include <array>
#include <iterator>

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/problem_list.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/report_model.h"
#include "ui/panels/without_figures.h"

namespace cutaway::ui {
namespace {

class ProblemsPanel : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::ProblemsPanel)

 public:
  ProblemsPanel(const PanelContext& context, QWidget* parent)
      : QWidget(parent),
        m_context(context),
        m_model(new ReportModel(this)),
        m_table(new LinkedTable(context, QStringLiteral("problems/table"))),
        m_stack(new QStackedWidget),
        m_empty(new QLabel),
        m_details(new QLabel) {
    setProperty("role", "surface");
    setProperty(kWithoutFigures, true);
    setAttribute(Qt::WA_StyledBackground);
    auto* filters = new QHBoxLayout;
    filters->setContentsMargins(kSpace, kSpaceSmall, kSpace, 0);
    filters->setSpacing(kSpaceSmall);
    for (int severity = 0; severity < 3; ++severity) {
      m_filters[severity] = new QToolButton;
      m_filters[severity]->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
      m_filters[severity]->setCheckable(true);
      m_filters[severity]->setChecked(true);
      filters->addWidget(m_filters[severity]);
      connect(m_filters[severity], &QToolButton::toggled, this, &ProblemsPanel::filter);
    }
    auto* copy = new QPushButton(tr("Copy all as text"));
    filters->addStretch(1);
    filters->addWidget(copy);
    connect(copy, &QPushButton::clicked, this, &ProblemsPanel::copyAll);
    m_table->setModel(m_model);
    m_table->view()->setAccessibleName(tr("Problems"));
    m_details->setWordWrap(true);
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpace);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("role", "faint");
    auto* list = new QWidget;
    auto* rows = new QVBoxLayout(list);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kSpaceSmall);
    rows->addLayout(filters);
    rows->addWidget(m_table, 1);
    rows->addWidget(m_details);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(list);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    listen();
    refresh();
  }

 protected:
  void showEvent(QShowEvent*) override { refresh(); }

 private:
  void listen() {
    Document& document = *m_context.document;
    document.onWalkChange(kReports | WalkPart::kStates, this, &ProblemsPanel::refresh);
    for (const auto signal : {&Document::errorChanged, &Document::whatIfChanged})
      connect(&document, signal, this, &ProblemsPanel::refresh);
    connect(&document.edits(), &EditController::changed, this, &ProblemsPanel::refresh);
    connect(&document.accuracy(), &AccuracyController::changed, this, &ProblemsPanel::refresh);
    connect(&document.tensors(), &TensorController::changed, this, &ProblemsPanel::refresh);
    connect(&document.difference(), &ModelDiffController::changed, this, &ProblemsPanel::refresh);
    connect(m_context.themes, &ThemeStore::changed, this, [this] {
      m_shown.clear();
      refresh();
    });
    connect(m_table->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
              showDetails(index.isValid() ? m_table->proxy()->mapToSource(index).row() : -1);
            });
  }

  static QString severityWords(Problem::Severity severity) {
    return severity == Problem::kError ? tr("error") : severity == Problem::kWarning ? tr("warning") : tr("note");
  }

  void refresh() {
    if (!isVisible()) return;
    auto problems = std::make_shared<const std::vector<Problem>>(collectProblems(*m_context.document));
    QStringList shown;
    for (const Problem& problem : *problems)
      shown << problemText(problem);
    m_stack->setCurrentIndex(problems->empty() ? 0 : 1);
    m_empty->setText(m_context.document->walk()->load ? tr("\u2713 No errors and no warnings.")
                                                      : tr("Open a model: what is wrong with it is listed here."));
    if (shown == m_shown) return;
    m_shown = shown;
    m_problems = problems;
    const ProblemCounts counts = countProblems(*problems);
    m_filters[0]->setText(tr("Errors: %1").arg(counts.errors));
    m_filters[1]->setText(tr("Warnings: %1").arg(counts.warnings));
    m_filters[2]->setText(tr("Notes: %1").arg(counts.notes));
    const Theme& theme = m_context.themes->current();
    const QIcon icons[] = {QIcon(iconPixmap(QStringLiteral("error"), theme.error, 16, devicePixelRatioF())),
                           QIcon(iconPixmap(QStringLiteral("warning"), theme.warning, 16, devicePixelRatioF())),
                           QIcon(iconPixmap(QStringLiteral("find"), theme.textFaint, 16, devicePixelRatioF()))};
    for (int severity = 0; severity < 3; ++severity)
      m_filters[severity]->setIcon(icons[severity]);
    m_model->present(rowsOf<Problem>(
        RowList<Problem>(problems),
        {{.title = tr("Kind"),
          .text = [](const Problem& problem) { return severityWords(problem.severity); },
          .key = [](const Problem& problem) { return static_cast<int>(problem.severity); },
          .decoration = [icons = std::vector<QIcon>(std::begin(icons), std::end(icons))](
                            const Problem& problem) { return QVariant(icons[static_cast<size_t>(problem.severity)]); }},
         {.title = tr("Stage"), .text = &Problem::stage},
         {.title = tr("What happened"), .text = &Problem::message},
         {.title = tr("Where"), .text = &Problem::where},
         {.title = tr("What to do next"), .text = &Problem::next}},
        &Problem::target));
    filter();
    showDetails(problems->empty() ? -1 : 0);
  }

  void filter() {
    if (!m_problems) return;
    const std::array<bool, 3> wanted = {m_filters[0]->isChecked(), m_filters[1]->isChecked(),
                                        m_filters[2]->isChecked()};
    m_table->proxy()->setCondition([problems = m_problems, wanted](int row) {
      return row < static_cast<int>(problems->size()) &&
             wanted[static_cast<size_t>((*problems)[static_cast<size_t>(row)].severity)];
    });
  }

  void showDetails(int row) {
    m_details->setVisible(m_problems && row >= 0 && row < static_cast<int>(m_problems->size()));
    if (!m_details->isVisibleTo(this)) return;
    const Problem& problem = (*m_problems)[static_cast<size_t>(row)];
    m_details->setText(
        QStringLiteral("<b>%1</b><br>%2").arg(problem.message.toHtmlEscaped(), problem.next.toHtmlEscaped()));
  }

  void copyAll() {
    QGuiApplication::clipboard()->setText(m_shown.join(QLatin1Char('\n')) + QLatin1Char('\n'));
    emit m_context.actions->message(tr("Copied %1 lines").arg(m_shown.size()));
  }

  PanelContext m_context;
  ReportModel* m_model;
  LinkedTable* m_table;
  QStackedWidget* m_stack;
  QLabel* m_empty;
  QLabel* m_details;
  QToolButton* m_filters[3] = {};
  QStringList m_shown;
  std::shared_ptr<const std::vector<Problem>> m_problems;
};

}  // namespace

const PanelDescriptor& panel_problems() {
  static const PanelDescriptor descriptor{.id = "problems",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Problems"),
                                          .icon = "warning",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .keys = "Ctrl+Shift+J",
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new ProblemsPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
