#include "ui/panels/run/run_controls.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cutaway::ui {
namespace {
constexpr int kMostInputRows = 8;  // models with hundreds of inputs get random numbers for the others
}

RunControls::RunControls(QWidget* parent)
    : QWidget(parent), m_grid(nullptr), m_inputArea(new QWidget), m_runs(new QSpinBox), m_warmups(new QSpinBox), m_seed(new QSpinBox), m_profile(new QCheckBox(tr("Time nodes"))), m_run(new QPushButton(tr("Run"))) {
  m_runs->setRange(1, 100'000);
  m_runs->setValue(10);
  m_warmups->setRange(0, 1'000);
  m_warmups->setValue(1);
  m_seed->setRange(0, 1'000'000);
  m_seed->setValue(1);
  m_profile->setChecked(true);
  m_run->setProperty("primary", true);
  m_run->setMinimumWidth(84);
  m_run->setToolTip(tr("Run the model (Ctrl+R)"));
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpaceSmall + kSpaceTiny);
  const auto add = [&](const QString& words, QSpinBox* box, int width) {
    auto* label = new QLabel(words);
    label->setProperty("role", "secondary");
    label->setBuddy(box);
    box->setAccessibleName(words);
    box->setFixedWidth(width);
    row->addWidget(label);
    row->addWidget(box);
    row->addSpacing(kSpaceSmall);
  };
  add(tr("Runs"), m_runs, 56);
  add(tr("Warm-ups"), m_warmups, 42);
  add(tr("Seed"), m_seed, 50);
  row->addWidget(m_profile);
  row->addStretch(1);
  row->addWidget(m_run);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpaceLarge);
  column->setSpacing(kSpace);
  column->addWidget(m_inputArea);
  column->addLayout(row);
  connect(m_run, &QPushButton::clicked, this, [this] { m_busy ? emit cancelRequested() : emit runRequested(request()); });
  setInputs(nullptr);
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
  const QString path = QFileDialog::getOpenFileName(this, tr("Values for an input"), line->text(), tr("Tensors (*.npy *.pb);;All files (*)"));
  if (!path.isEmpty()) line->setText(path);
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

RunRequest RunControls::request() const {
  RunRequest request;
  request.runs = m_runs->value();
  request.warmups = m_warmups->value();
  request.seed = static_cast<uint64_t>(m_seed->value());
  request.profile = m_profile->isChecked();
  for (const InputRow& row : m_inputs)
    if (!row.file->text().trimmed().isEmpty()) request.files.emplace_back(row.name, row.file->text().trimmed());
  return request;
}

}  // namespace cutaway::ui
