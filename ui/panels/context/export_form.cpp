// Fields of an export in a grid of names and values.
#include "ui/panels/context/export_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include "ui/base/context_words.h"
#include "ui/base/theme.h"

namespace cutaway::ui {
namespace {

constexpr int kLargestThresholdKb = 1 << 20;
enum { kBeside, kInside };
enum { kInModel, kOwnFile };

// Names of such files may not lead out of the folder.
bool isPlainName(const QString& name) {
  return !name.isEmpty() && name != QLatin1String(".") && name != QLatin1String("..") &&
         !name.contains(QLatin1Char('/')) && !name.contains(QLatin1Char('\\'));
}

}  // namespace

ExportForm::ExportForm(QWidget* parent)
    : QWidget(parent),
      m_file(new QLineEdit),
      m_browse(new QPushButton(tr("Browse \u2026"))),
      m_place(new QComboBox),
      m_prefix(new QLineEdit),
      m_weights(new QComboBox),
      m_weightsFile(new QLineEdit),
      m_threshold(new QSpinBox),
      m_from(new QLabel(tr("from"))),
      m_overwrite(new QCheckBox(tr("Replace existing files"))),
      m_verify(new QCheckBox(tr("Reload and verify"))) {
  setProperty("role", "surface");
  setAttribute(Qt::WA_StyledBackground);
  m_place->addItems({tr("in files beside the model"), tr("inside the model's file")});
  m_weights->addItems({tr("embedded"), tr("in a file of their own")});
  m_prefix->setPlaceholderText(tr("none"));
  m_prefix->setToolTip(tr(
      "Put before the names of context nodes and partitions, so that several models that share a binary stay apart."));
  m_weights->setToolTip(tr("Weights of nodes that stay outside of compiled groups."));
  m_threshold->setRange(0, kLargestThresholdKb);
  m_threshold->setSuffix(tr(" KB"));
  m_threshold->setToolTip(tr("Smaller weights stay in the model's file."));
  m_overwrite->setToolTip(tr("Without it you are asked before anything is replaced."));
  m_verify->setChecked(true);
  m_verify->setToolTip(
      tr("Opens what was written, runs it beside the original on the same inputs, and compares outputs and times."));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(kSpaceLarge, kSpaceLarge, kSpaceLarge, kSpace);
  grid->setHorizontalSpacing(kSpace);
  grid->setVerticalSpacing(kSpace);
  grid->setColumnStretch(1, 1);
  int row = 0;
  const auto add = [&](const QString& name, QWidget* field, std::initializer_list<QWidget*> more) {
    auto* label = new QLabel(name);
    label->setProperty("role", "secondary");
    label->setBuddy(field);
    field->setAccessibleName(name);
    auto* fields = new QHBoxLayout;
    fields->setSpacing(kSpace);
    fields->addWidget(field, 1);
    for (QWidget* each : more)
      fields->addWidget(each);
    grid->addWidget(label, row, 0);
    grid->addLayout(fields, row++, 1);
  };
  add(tr("Write to"), m_file, {m_browse});
  add(tr("Compiled parts"), m_place, {});
  add(tr("Name prefix"), m_prefix, {});
  add(tr("Remaining initializers"), m_weights, {m_weightsFile, m_from, m_threshold});
  m_weightsFile->setAccessibleName(tr("File of other weights"));
  m_threshold->setAccessibleName(tr("Smallest weights that go there"));
  auto* checks = new QHBoxLayout;
  checks->setSpacing(kSpaceHuge);
  checks->addWidget(m_verify);
  checks->addWidget(m_overwrite);
  checks->addStretch(1);
  grid->addLayout(checks, row++, 1);
  grid->setRowStretch(row, 1);
  connect(m_browse, &QPushButton::clicked, this, &ExportForm::browse);
  for (QLineEdit* line : {m_file, m_prefix, m_weightsFile})
    connect(line, &QLineEdit::textChanged, this, &ExportForm::follow);
  for (QComboBox* box : {m_place, m_weights})
    connect(box, &QComboBox::currentIndexChanged, this, &ExportForm::follow);
  connect(m_overwrite, &QCheckBox::toggled, this, &ExportForm::follow);
  follow();
}

void ExportForm::setModel(const QString& model) {
  if (m_model == model) return;
  m_model = model;
  m_default = QDir::toNativeSeparators(defaultContextFile(model));
  m_file->setText(m_default);
  m_file->setToolTip(tr("Default: %1").arg(m_default));
  m_weightsFile->setText(QFileInfo(m_default).completeBaseName() + QStringLiteral("_weights.bin"));
}

void ExportForm::browse() {
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Write the context model to"), m_file->text(), tr("ONNX models (*.onnx)"),
                                   nullptr, QFileDialog::DontConfirmOverwrite);
  if (!path.isEmpty()) m_file->setText(path);
}

void ExportForm::follow() {
  const bool own = m_weights->currentIndex() == kOwnFile;
  for (QWidget* each : std::initializer_list<QWidget*>{m_weightsFile, m_from, m_threshold})
    each->setVisible(own);
  emit changed();
}

QString ExportForm::problem() const {
  const QString path = m_file->text().trimmed();
  const QFileInfo info(path);
  if (path.isEmpty()) return tr("Name a file to write to.");
  if (info.isDir()) return tr("%1 is a folder: name a file in it.").arg(path);
  if (info.suffix().isEmpty()) return tr("The file's name needs an ending, such as .onnx.");
  if (!info.absoluteDir().exists()) return tr("The folder %1 does not exist.").arg(info.absolutePath());
  if (!m_model.isEmpty() && info.absoluteFilePath() == QFileInfo(m_model).absoluteFilePath())
    return tr("This is the model itself: write the context model to another file.");
  if (m_weights->currentIndex() == kOwnFile && !isPlainName(m_weightsFile->text().trimmed()))
    return tr("The file of other weights is written beside the model: give a name without a folder.");
  return {};
}

ContextExportOptions ExportForm::exportOptions() const {
  ContextExportOptions exportOptions{.file = QFileInfo(m_file->text().trimmed()).absoluteFilePath(),
                                     .embed = m_place->currentIndex() == kInside};
  exportOptions.prefix = m_prefix->text().trimmed();
  if (m_weights->currentIndex() == kOwnFile) {
    exportOptions.initializersFile = m_weightsFile->text().trimmed();
    exportOptions.thresholdBytes = int64_t{m_threshold->value()} * 1024;
  }
  exportOptions.overwrite = m_overwrite->isChecked();
  exportOptions.verify = m_verify->isChecked();
  return exportOptions;
}

}  // namespace cutaway::ui
