// Accuracy: the model under two configurations, compared value by value.
#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStyle>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/accuracy/accuracy_choice.h"
#include "ui/panels/accuracy/accuracy_tables.h"
#include "ui/panels/accuracy/error_chart.h"
#include "ui/panels/accuracy/real_inputs.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"

namespace cutaway::ui {
namespace {

const QString kOtherModel = QStringLiteral("other-model");
constexpr int kWide = 800;

class AccuracyPanel : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::AccuracyPanel)

 public:
  AccuracyPanel(const PanelContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    setProperty("role", "surface");
    setAttribute(Qt::WA_StyledBackground);
    makeControls();
    makeResult();
    arrange();
    Document& document = *context.document;
    connect(&document.accuracy(), &AccuracyController::changed, this, &AccuracyPanel::refresh);
    connect(&document.service(), &EngineService::activityChanged, this, &AccuracyPanel::refresh);
    document.onWalkChange(WalkPart::kLoad | WalkPart::kPartition | WalkPart::kStates, this, &AccuracyPanel::refill);
    connect(&document.draft(), &WhatIfDraft::changed, this, &AccuracyPanel::refill);
    refill();
  }

 protected:
  void showEvent(QShowEvent*) override { refill(); }
  // Below the graph there is width and little height: the chart stands beside the table there.
  void resizeEvent(QResizeEvent* event) override {
    QWidget::resizeEvent(event);
    m_results->setDirection(width() >= kWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  }

 private:
  void makeControls() {
    for (QComboBox** box : {&m_a, &m_b}) {
      *box = new QComboBox;
      (*box)->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    }
    m_a->setAccessibleName(tr("First configuration"));
    m_b->setAccessibleName(tr("Second configuration"));
    m_relative->setText(
        m_context.viewState->get(QStringLiteral("accuracy/relative"), QStringLiteral("1e-3")).toString());
    m_absolute->setText(
        m_context.viewState->get(QStringLiteral("accuracy/absolute"), QStringLiteral("1e-5")).toString());
    for (QLineEdit* line : {m_relative, m_absolute}) {
      line->setFixedWidth(76);
      connect(line, &QLineEdit::textChanged, this, &AccuracyPanel::refresh);
    }
    m_relative->setAccessibleName(tr("Relative tolerance"));
    m_absolute->setAccessibleName(tr("Absolute tolerance"));
    m_every->setToolTip(
        tr("Every value becomes an output, so that none is fused away; nodes that are fused otherwise run separately"));
    m_failing->setToolTip(
        tr("When values differ, the smallest part of the model that still differs is saved with its inputs as a test "
           "case"));
    m_compare->setProperty("primary", true);
    connect(m_failing, &QCheckBox::toggled, this, &AccuracyPanel::chooseFolder);
    connect(m_compare, &QPushButton::clicked, this, &AccuracyPanel::compare);
    connect(m_cancel, &QPushButton::clicked, this, [this] { m_context.document->service().cancel(); });
    for (QComboBox* box : {m_a, m_b})
      connect(box, &QComboBox::currentIndexChanged, this, &AccuracyPanel::refresh);
    connect(m_b, &QComboBox::activated, this, &AccuracyPanel::chooseOther);
    connect(m_inputs, &RealInputs::changed, this, &AccuracyPanel::refresh);
  }

  void makeResult() {
    m_model = new ReportModel(this);
    m_table = new LinkedTable(m_context, QStringLiteral("accuracy/table"));
    m_table->setModel(m_model);
    m_chart = new ErrorChart(m_context.themes);
    connect(m_chart, &ErrorChart::chosen, this, &AccuracyPanel::goTo);
    connect(m_table->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
              if (index.isValid()) m_chart->setCurrent(m_table->proxy()->mapToSource(index).row());
            });
    connect(m_table, &LinkedTable::rowActivated, this,
            [this] { emit m_context.actions->toolRequested(QStringLiteral("tensor")); });
    for (QLabel* label : {m_words, m_empty, m_state}) {
      label->setWordWrap(label != m_state);
      label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_words->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(kSpaceHuge);
    m_state->setProperty("role", "secondary");
    m_bar->setFixedWidth(180);
    m_bar->setTextVisible(false);
    connect(m_first, &QPushButton::clicked, this, [this] { goTo(m_shown->firstDivergence); });
    connect(m_worst, &QPushButton::clicked, this, [this] { goTo(m_shown->worst); });
    connect(m_paint, &QPushButton::clicked, this,
            [this] { emit m_context.actions->overlayRequested(QStringLiteral("error")); });
    connect(m_open, &QPushButton::clicked, this,
            [this] { emit m_context.actions->openRequested(text(m_shown->failingModel)); });
    m_paint->setToolTip(tr("Colours the nodes of the graph by the error of their outputs"));
  }

  static QLabel* word(const QString& words) {
    auto* label = new QLabel(words);
    label->setProperty("role", "secondary");
    return label;
  }

  template <typename... Widgets>
  static QHBoxLayout* line(Widgets*... widgets) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
    row->setSpacing(kSpace);
    (row->addWidget(widgets), ...);
    row->addStretch(1);
    return row;
  }

  void arrange() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kSpaceSmall, 0, 0);
    column->setSpacing(kSpaceSmall);
    column->addLayout(line(word(tr("Compare")), m_a, word(tr("with")), m_b, m_compare, m_cancel));
    column->addLayout(
        line(word(tr("Tolerance: relative")), m_relative, word(tr("absolute")), m_absolute, m_every, m_failing));
    column->addWidget(m_inputs);
    column->addLayout(line(m_bar, m_state));
    auto* result = new QWidget;
    auto* rows = new QVBoxLayout(result);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kSpaceSmall);
    rows->addWidget(m_words);
    rows->addLayout(line(m_first, m_worst, m_paint, m_open));
    m_results->setSpacing(kSpaceSmall);
    m_results->addWidget(m_chart, 2);
    m_results->addWidget(m_table, 3);
    rows->addLayout(m_results, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(result);
    column->addWidget(m_stack, 1);
  }

  // The choices follow the session's settings and the draft; what was chosen stays.
  void refill() {
    if (!isVisible()) return;
    m_choices = accuracyChoices(*m_context.document);
    const auto fill = [&](QComboBox* box, const QString& fallback) {
      const QString before = box->count() > 0 ? box->currentData().toString() : fallback;
      const QSignalBlocker quiet(box);
      box->clear();
      for (const AccuracyChoice& choice : m_choices) {
        box->addItem(choice.title, choice.id);
        box->setItemData(box->count() - 1, choice.help, Qt::ToolTipRole);
      }
      if (box == m_b) {
        box->addItem(m_other.isEmpty() ? tr("another model \u2026") : QFileInfo(m_other).fileName(), kOtherModel);
        box->setItemData(box->count() - 1, tr("Matched node by node, compared layer by layer"), Qt::ToolTipRole);
      }
      box->setCurrentIndex(std::max(0, box->findData(before)));
    };
    fill(m_a, QStringLiteral("present"));
    fill(m_b, QStringLiteral("reference"));
    m_inputs->setInputNames(inputNames());
    refresh();
  }

  QStringList inputNames() const {
    QStringList names;
    const auto graphs = m_context.document->walk()->loadedGraphs;
    if (!graphs || graphs->graphs.empty()) return names;
    const GraphReport& main = graphs->graphs.front();
    for (const int32_t input : main.inputs)
      if (const ValueReport& value = main.values[static_cast<size_t>(input)]; !value.isInitializer)
        names << text(value.name);
    return names;
  }

  bool isOtherModel() const { return m_b->currentData().toString() == kOtherModel; }

  void chooseOther() {
    if (!isOtherModel()) return;
    const QString file = QFileDialog::getOpenFileName(this, tr("The model to compare with"), m_other,
                                                      tr("Models (*.onnx *.ort *.textproto)"));
    if (!file.isEmpty()) m_other = file;
    refill();
  }

  void refresh() {
    if (!isVisible()) return;
    const Document& document = *m_context.document;
    const AccuracyController& controller = document.accuracy();
    const bool busy = controller.busy();
    const QString reason = whyNot();
    m_compare->setEnabled(!busy && reason.isEmpty());
    m_compare->setToolTip(reason);
    m_cancel->setVisible(busy);
    m_bar->setVisible(busy);
    const Activity& activity = document.service().activity();
    m_bar->setRange(0, activity.share < 0 ? 0 : 1000);
    m_bar->setValue(static_cast<int>(activity.share * 1000));
    m_state->setVisible(busy || !reason.isEmpty());
    m_state->setText(busy ? activity.detail.isEmpty() ? activity.what : activity.detail : reason);
    if (const auto report = controller.report(); report != m_shown) show(report);
    const bool failed = controller.error() && !busy;
    m_stack->setCurrentIndex(m_shown && !failed ? 1 : 0);
    m_empty->setProperty("role", failed ? "error" : "faint");
    m_empty->setText(failed ? QStringLiteral("\u26a0 ") + told(*controller.error())
                     : busy ? tr("Both configurations run on the same inputs \u2026")
                            : tr("Runs the model under two configurations, or beside another model, on the same "
                                 "inputs, and shows for every value how far they are apart: where they first differ, "
                                 "and where most."));
    m_empty->style()->unpolish(m_empty);
    m_empty->style()->polish(m_empty);
  }

  QString whyNot() const {
    const Document& document = *m_context.document;
    if (!document.accuracy().can())
      return document.walk()->load ? tr("The model cannot be run here, so there is nothing to compare.")
                                   : tr("Open a model first.");
    if (m_a->currentIndex() < 0 || m_a->currentIndex() == m_b->currentIndex())
      return tr("Choose two different configurations.");
    if (isOtherModel() && m_other.isEmpty()) return tr("Choose the model to compare with.");
    for (const QComboBox* box : {m_a, m_b}) {
      if (box == m_b && isOtherModel()) continue;
      if (const auto& options = m_choices[static_cast<size_t>(box->currentIndex())].options; !options)
        return told(options.error().message);
    }
    if (const auto inputs = m_inputs->inputs(); !inputs) return told(inputs.error().message);
    bool first = false, second = false;
    const double relative = m_relative->text().toDouble(&first), absolute = m_absolute->text().toDouble(&second);
    if (!first || !second || relative < 0 || absolute < 0)
      return tr("Tolerances are numbers of 0 or more, such as 1e-3.");
    return document.service().busy() && !document.accuracy().busy()
               ? tr("Wait until the present work is finished, or cancel it.")
               : QString();
  }

  void chooseFolder(bool on) {
    if (!on) return m_folder.clear();
    m_folder = QFileDialog::getExistingDirectory(this, tr("Where the failing part is saved"));
    if (m_folder.isEmpty()) m_failing->setChecked(false);
  }

  void compare() {
    m_context.viewState->put(QStringLiteral("accuracy/relative"), m_relative->text());
    m_context.viewState->put(QStringLiteral("accuracy/absolute"), m_absolute->text());
    const AccuracyChoice& a = m_choices[static_cast<size_t>(m_a->currentIndex())];
    // Another model runs as the first side does.
    const AccuracyChoice& b = isOtherModel() ? a : m_choices[static_cast<size_t>(m_b->currentIndex())];
    const auto inputs = m_inputs->inputs();
    if (!inputs) return;
    m_context.document->accuracy().compare({.a = *a.options,
                                            .b = *b.options,
                                            .titleA = isOtherModel() ? m_context.document->title() : a.title,
                                            .titleB = isOtherModel() ? QFileInfo(m_other).fileName() : b.title,
                                            .relativeTolerance = m_relative->text().toDouble(),
                                            .absoluteTolerance = m_absolute->text().toDouble(),
                                            .everyLayer = m_every->isChecked(),
                                            .failingFolder = isOtherModel() ? QString() : m_folder,
                                            .other = isOtherModel() ? m_other : QString(),
                                            .inputs = *inputs});
  }

  void show(std::shared_ptr<const AccuracyReport> report) {
    m_shown = std::move(report);
    m_chart->present(m_shown);
    m_model->present(accuracyRows(m_shown));
    const bool differs = m_shown && m_shown->firstDivergence >= 0;
    m_first->setVisible(differs);
    m_worst->setVisible(differs && m_shown->worst >= 0);
    m_open->setVisible(m_shown && !m_shown->failingModel.empty());
    if (!m_shown) return;
    m_open->setToolTip(text(m_shown->failingModel));
    QString words = accuracySentence(*m_shown);
    for (const std::string& warning : m_shown->warnings)
      words += QStringLiteral("\n\u26a0 ") + told(warning);
    m_words->setText(words);
  }

  void goTo(int row) {
    if (!m_shown || row < 0) return;
    m_chart->setCurrent(row);
    m_table->setFilterText({});
    const QModelIndex index = m_table->proxy()->mapFromSource(m_model->index(row, 0));
    m_table->view()->selectRow(index.row());
    m_table->view()->scrollTo(index);
  }

  PanelContext m_context;
  std::vector<AccuracyChoice> m_choices;
  QComboBox* m_a = nullptr;
  QComboBox* m_b = nullptr;
  QLineEdit* m_relative = new QLineEdit;
  QLineEdit* m_absolute = new QLineEdit;
  RealInputs* m_inputs = new RealInputs;
  QString m_other;  // another model, the second side
  QCheckBox* m_every = new QCheckBox(tr("Every layer"));
  QCheckBox* m_failing = new QCheckBox(tr("Save the failing part \u2026"));
  QPushButton* m_compare = new QPushButton(tr("Compare"));
  QPushButton* m_cancel = new QPushButton(tr("Cancel"));
  QProgressBar* m_bar = new QProgressBar;
  QLabel* m_state = new QLabel;
  QStackedWidget* m_stack = new QStackedWidget;
  QBoxLayout* m_results = new QBoxLayout(QBoxLayout::TopToBottom);
  QLabel* m_empty = new QLabel;
  QLabel* m_words = new QLabel;
  QPushButton* m_first = new QPushButton(tr("First difference"));
  QPushButton* m_worst = new QPushButton(tr("Worst"));
  QPushButton* m_paint = new QPushButton(tr("Colour the graph by error"));
  QPushButton* m_open = new QPushButton(tr("Open the failing part"));
  ErrorChart* m_chart = nullptr;
  LinkedTable* m_table = nullptr;
  ReportModel* m_model = nullptr;
  QString m_folder;
  std::shared_ptr<const AccuracyReport> m_shown;
};

}  // namespace

const PanelDescriptor& panel_accuracy() {
  static const PanelDescriptor descriptor{.id = "accuracy",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Accuracy"),
                                          .icon = "stage-run",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .keys = "Ctrl+Shift+A",
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new AccuracyPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
