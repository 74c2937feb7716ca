#include "ui/panels/run/run_controls.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cutaway::ui {
namespace {
constexpr int kMostInputRows = 8;  // models with hundreds of inputs get random numbers for the others
}

RunControls::RunControls(QWidget* parent)
    : QWidget(parent),
      m_measure(new QComboBox),
      m_amount(new QStackedWidget),
      m_runs(new QSpinBox),
      m_seconds(new QDoubleSpinBox),
      m_executor(new QComboBox),
      m_threads(new QSpinBox),
      m_workers(new QSpinBox),
      m_more(new QToolButton),
      m_run(new QPushButton(tr("Run"))),
      m_warmups(new QSpinBox),
      m_seed(new QSpinBox),
      m_tag(new QLineEdit),
      m_profile(new QCheckBox(tr("Time nodes"))),
      m_inputArea(new QWidget) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpaceSmall);
  column->setSpacing(kSpace);
  column->addLayout(makeMain());
  column->addWidget(m_moreBox = makeMore());
  connect(m_run, &QPushButton::clicked, this,
          [this] { m_busy ? emit cancelRequested() : emit runRequested(request()); });
  connect(m_more, &QToolButton::toggled, this, &RunControls::showMore);
  connect(m_measure, &QComboBox::currentIndexChanged, m_amount, &QStackedWidget::setCurrentIndex);
  connect(m_executor, &QComboBox::currentIndexChanged, this, &RunControls::followExecutor);
  showMore(false);
  followExecutor();
  setInputs(nullptr);
}

QHBoxLayout* RunControls::makeMain() {
  m_measure->addItems({tr("Runs"), tr("Seconds")});
  m_measure->setAccessibleName(tr("Measure by runs or by seconds"));
  m_runs->setRange(1, 100'000);
  m_runs->setValue(10);
  m_runs->setAccessibleName(tr("Runs"));
  m_seconds->setRange(0.1, 3'600);
  m_seconds->setValue(2);
  m_seconds->setDecimals(1);
  m_seconds->setAccessibleName(tr("Seconds"));
  m_amount->addWidget(m_runs);
  m_amount->addWidget(m_seconds);
  m_amount->setFixedWidth(scaled(56));
  m_amount->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  m_executor->addItem(tr("Sequential"), QStringLiteral("sequential"));
  m_executor->addItem(tr("Dataflow"), QStringLiteral("dataflow"));
  m_executor->setToolTip(tr(
      "Sequential: one node after the other. Dataflow: nodes that do not depend on each other run at the same time."));
  m_executor->setAccessibleName(tr("Executor"));
  m_threads->setRange(0, 256);
  m_threads->setSpecialValueText(tr("all"));
  m_threads->setAccessibleName(tr("Threads"));
  m_threads->setToolTip(tr("Threads of the session; 0: all cores"));
  m_threads->setFixedWidth(scaled(44));
  m_workers->setRange(0, 256);
  m_workers->setSpecialValueText(tr("auto"));
  m_workers->setAccessibleName(tr("Workers"));
  m_workers->setToolTip(tr("Nodes that may run at the same time; 0: automatic"));
  m_workers->setFixedWidth(scaled(52));
  m_more->setText(tr("Inputs \u2026"));
  m_more->setToolTip(tr("Inputs, warm-ups, seed, workers and tag"));
  m_more->setCheckable(true);
  m_more->setFocusPolicy(Qt::TabFocus);
  m_more->setToolButtonStyle(Qt::ToolButtonTextOnly);
  m_run->setProperty("primary", true);
  m_run->setMinimumWidth(78);
  m_run->setToolTip(tr("Run the model (Ctrl+R)"));
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpaceSmall + kSpaceTiny);
  auto* words = new QLabel(tr("Threads"));
  words->setProperty("role", "secondary");
  words->setBuddy(m_threads);
  row->addWidget(m_measure);
  row->addWidget(m_amount);
  row->addSpacing(kSpaceSmall);
  row->addWidget(m_executor);
  row->addSpacing(kSpaceSmall);
  row->addWidget(words);
  row->addWidget(m_threads);
  row->addWidget(m_more);
  row->addStretch(1);
  row->addWidget(m_run);
  return row;
}

QWidget* RunControls::makeMore() {
  m_warmups->setRange(0, 1'000);
  m_warmups->setValue(1);
  m_seed->setRange(0, 1'000'000);
  m_seed->setValue(1);
  m_tag->setPlaceholderText(tr("tag"));
  m_tag->setToolTip(tr("A word for this run, in its report and its trace"));
  m_tag->setAccessibleName(tr("Tag"));
  m_profile->setChecked(true);
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, kSpaceSmall);
  column->setSpacing(kSpace);
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpaceSmall + kSpaceTiny);
  const auto add = [&](const QString& words, QSpinBox* spin, int width) {
    auto* label = new QLabel(words);
    label->setProperty("role", "secondary");
    label->setBuddy(spin);
    spin->setAccessibleName(words);
    spin->setFixedWidth(scaled(width));
    row->addWidget(label);
    row->addWidget(spin);
    row->addSpacing(kSpaceSmall);
  };
  add(tr("Warm-ups"), m_warmups, 42);
  add(tr("Seed"), m_seed, 50);
  add(tr("Workers"), m_workers, 52);
  row->addWidget(m_profile);
  row->addWidget(m_tag, 1);
  column->addLayout(row);
  column->addWidget(m_inputArea);
  return box;
}

void RunControls::showMore(bool shown) {
  m_moreBox->setVisible(shown);
}

void RunControls::followExecutor() {
  m_workers->setEnabled(m_executor->currentData().toString() == QLatin1String("dataflow"));
}

void RunControls::setSession(const session::SessionOptions& options) {
  m_executor->setCurrentIndex(std::max(0, m_executor->findData(QString::fromStdString(options.executor))));
  m_threads->setValue(options.threads);
  m_workers->setValue(options.interThreads);
}

session::SessionOptions RunControls::session(session::SessionOptions options) const {
  options.executor = m_executor->currentData().toString().toStdString();
  options.threads = m_threads->value();
  options.interThreads = m_workers->value();
  return options;
}

void RunControls::setInputs(const GraphReport* graph) {
  m_inputs.clear();
  delete m_grid;
  qDeleteAll(m_inputArea->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  m_grid = new QGridLayout(m_inputArea);
  m_grid->setContentsMargins(0, 0, 0, 0);
  m_grid->setHorizontalSpacing(kSpace);
  m_grid->setVerticalSpacing(kSpaceSmall);
  m_grid->setColumnStretch(1, 1);
  m_ready = graph != nullptr;
  m_run->setEnabled(m_ready || m_busy);
  if (!graph) return;
  for (const int32_t index : graph->inputs) {
    const ValueReport& value = graph->values[index];
    if (value.isInitializer) continue;
    const int row = static_cast<int>(m_inputs.size());
    if (row == kMostInputRows) {
      auto* more = new QLabel(tr("Further inputs get random numbers."));
      more->setProperty("role", "faint");
      m_grid->addWidget(more, row, 0, 1, 3);
      break;
    }
    auto* name = new QLabel(shortened(text(value.name), 28) + QStringLiteral("  ") + shortened(text(value.type), 34));
    name->setToolTip(text(value.name) + QLatin1Char('\n') + text(value.type));
    auto* file = new QLineEdit;
    file->setPlaceholderText(tr("random numbers; or a .npy or .pb file"));
    file->setAccessibleName(tr("File for input %1").arg(text(value.name)));
    file->setClearButtonEnabled(true);
    auto* choose = new QPushButton(tr("File \u2026"));
    choose->setAccessibleName(tr("Choose a file for input %1").arg(text(value.name)));
    connect(choose, &QPushButton::clicked, this, [this, file] { chooseFile(file); });
    m_grid->addWidget(name, row, 0);
    m_grid->addWidget(file, row, 1);
    m_grid->addWidget(choose, row, 2);
    m_inputs.push_back({text(value.name), file});
  }
}

void RunControls::chooseFile(QLineEdit* line) {
  const QString path = QFileDialog::getOpenFileName(this, tr("Values for an input"), line->text(),
                                                    tr("Tensors (*.npy *.pb);;All files (*)"));
  if (!path.isEmpty()) line->setText(path);
}

QString RunControls::fileOf(const QString& input) const {
  for (const InputRow& row : m_inputs)
    if (row.name == input) return row.file->text();
  return {};
}

void RunControls::giveFiles(const QStringList& paths) {
  static const QRegularExpression numbered(QStringLiteral("^input_?(\\d+)$"));
  for (const QString& path : paths) {
    const QString name = QFileInfo(path).completeBaseName();
    auto found = std::find_if(m_inputs.begin(), m_inputs.end(), [&](const InputRow& row) { return row.name == name; });
    const QRegularExpressionMatch match = numbered.match(name);
    if (found == m_inputs.end() && match.hasMatch() && match.captured(1).toUInt() < m_inputs.size())
      found = m_inputs.begin() + match.captured(1).toInt();
    if (found == m_inputs.end())
      found = std::find_if(m_inputs.begin(), m_inputs.end(),
                           [](const InputRow& row) { return row.file->text().isEmpty(); });
    if (found == m_inputs.end()) found = m_inputs.begin();
    if (found != m_inputs.end()) found->file->setText(path);
  }
  if (!m_inputs.empty()) m_more->setChecked(true);
}

void RunControls::setFile(const QString& input, const QString& path) {
  for (const InputRow& row : m_inputs)
    if (row.name == input) row.file->setText(path);
}

void RunControls::setBusy(bool busy) {
  m_busy = busy;
  m_run->setEnabled(busy || m_ready);
  m_run->setText(busy ? tr("Cancel") : tr("Run"));
}

void RunControls::run() {
  if (m_ready && !m_busy) emit runRequested(request());
}

RunRequest RunControls::request() const {
  RunRequest request;
  request.runs = m_runs->value();
  request.seconds = m_measure->currentIndex() == 1 ? m_seconds->value() : 0;
  request.tag = m_tag->text().trimmed().toStdString();
  request.warmups = m_warmups->value();
  request.seed = static_cast<uint64_t>(m_seed->value());
  request.profile = m_profile->isChecked();
  for (const InputRow& row : m_inputs)
    if (!row.file->text().trimmed().isEmpty()) request.files.emplace_back(row.name, row.file->text().trimmed());
  return request;
}

}  // namespace cutaway::ui
