#include "ui/panels/accuracy/real_inputs.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/base/comfort.h"
#include "ui/base/theme.h"
#include "ui/document/sequence_files.h"

namespace cutaway::ui {
namespace {

constexpr int kMostPixels = 4096;
constexpr int kListHeight = 64;

QSpinBox* pixels(const QString& none, const QString& name, const QString& help) {
  auto* box = new QSpinBox;
  box->setRange(0, kMostPixels);
  box->setSpecialValueText(none);
  box->setAccessibleName(name);
  box->setToolTip(help);
  return box;
}

QLineEdit* channels(const QString& words, const QString& name, const QString& help) {
  auto* line = new QLineEdit(words);
  line->setAccessibleName(name);
  line->setToolTip(help);
  line->setMinimumWidth(scaled(60));
  line->setMaximumWidth(scaled(150));
  return line;
}

QLabel* word(const QString& words) {
  auto* label = new QLabel(words);
  label->setProperty("role", "secondary");
  return label;
}

template <typename... Widgets>
QHBoxLayout* line(Widgets*... widgets) {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpace);
  (row->addWidget(widgets), ...);
  row->addStretch(1);
  return row;
}

bool isPicture(const QString& file) {
  const QString ending = QFileInfo(file).suffix().toLower();
  return ending != QLatin1String("npy") && ending != QLatin1String("pb") && !sequenceEndings().contains(ending);
}

}  // namespace

RealInputs::RealInputs(QWidget* parent)
    : QWidget(parent),
      m_words(word({})),
      m_input(new QComboBox),
      m_clear(new QPushButton(tr("Random numbers"))),
      m_list(new QListWidget),
      m_recipe(new QWidget),
      m_resize(pixels(tr("to the input"), tr("Shorter side in pixels"),
                      tr("Pictures are scaled until their shorter side has so many pixels"))),
      m_crop(pixels(tr("the input's size"), tr("Square in the middle, in pixels"),
                    tr("Of the scaled picture only this square is taken"))),
      m_mean(channels(QStringLiteral("0"), tr("Mean of the channels"),
                      tr("Taken from every channel, whose numbers are 0 to 1: one for all or three, such as 0.485, "
                         "0.456, 0.406"))),
      m_deviation(channels(QStringLiteral("1"), tr("Standard deviation of the channels"),
                           tr("Every channel is divided by it: one for all or three, such as 0.229, 0.224, 0.225"))),
      m_layout(new QComboBox),
      m_blueFirst(new QCheckBox(tr("BGR"))) {
  auto* files = new QPushButton(tr("Choose files \u2026"));
  auto* folder = new QPushButton(tr("Choose a folder \u2026"));
  m_input->setAccessibleName(tr("Input of the model that the files are for"));
  m_layout->addItem(tr("channels first"), false);
  m_layout->addItem(tr("channels last"), true);
  m_layout->setAccessibleName(tr("Layout"));
  m_layout->setToolTip(tr("Where the input's shape does not tell it"));
  m_blueFirst->setToolTip(tr("Blue is the first channel"));
  m_list->setAccessibleName(tr("Files"));
  m_list->setMaximumHeight(scaled(kListHeight));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
  column->setSpacing(kSpaceSmall);
  column->addLayout(line(word(tr("Inputs")), m_words, m_input, files, folder, m_clear));
  m_recipe->setLayout(line(word(tr("Resize")), m_resize, word(tr("Crop")), m_crop, word(tr("Mean")), m_mean,
                           word(tr("Std")), m_deviation, m_layout, m_blueFirst));
  column->addWidget(m_recipe);
  column->addWidget(m_list);
  connect(files, &QPushButton::clicked, this, &RealInputs::chooseFiles);
  connect(folder, &QPushButton::clicked, this, &RealInputs::chooseFolder);
  connect(m_clear, &QPushButton::clicked, this, [this] { setFiles({}); });
  for (QLineEdit* each : {m_mean, m_deviation})
    connect(each, &QLineEdit::textChanged, this, &RealInputs::changed);
  showFiles();
}

void RealInputs::setInputNames(const QStringList& names) {
  const QString before = m_input->currentText();
  m_input->clear();
  m_input->addItems(names);
  m_input->setCurrentIndex(std::max(0, m_input->findText(before)));
  showFiles();
}

void RealInputs::setFiles(const QStringList& paths) {
  m_files = inputFilesIn(paths);
  showFiles();
  emit changed();
}

void RealInputs::chooseFiles() {
  const QStringList files = QFileDialog::getOpenFileNames(
      this, tr("Inputs of the comparison"), {},
      tr("Pictures, sounds, numbers and tensors (*.png *.jpg *.jpeg *.bmp *.ppm *.wav *.txt *.npy *.pb)"));
  if (!files.isEmpty()) setFiles(files);
}

void RealInputs::chooseFolder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder with inputs of the comparison"));
  if (!folder.isEmpty()) setFiles({folder});
}

void RealInputs::showFiles() {
  const bool none = m_files.isEmpty();
  m_words->setText(none                  ? tr("random numbers")
                   : m_files.size() == 1 ? tr("1 file")
                                         : tr("%1 files").arg(m_files.size()));
  m_clear->setVisible(!none);
  m_input->setVisible(!none && m_input->count() > 1);
  m_recipe->setVisible(std::ranges::any_of(m_files, isPicture));
  m_list->setVisible(!none);
  m_list->clear();
  for (const QString& file : m_files) {
    auto* item = new QListWidgetItem(QFileInfo(file).fileName(), m_list);
    item->setToolTip(file);
  }
}

Result<InputFiles> RealInputs::inputs() const {
  InputFiles inputs{.input = m_input->currentText(), .files = m_files};
  inputs.recipe.resize = m_resize->value();
  inputs.recipe.crop = m_crop->value();
  inputs.recipe.channelsLast = m_layout->currentData().toBool();
  inputs.recipe.blueFirst = m_blueFirst->isChecked();
  CUTAWAY_TRY(inputs.recipe.mean, readChannels(m_mean->text()));
  CUTAWAY_TRY(inputs.recipe.deviation, readChannels(m_deviation->text()));
  if (std::ranges::any_of(inputs.recipe.deviation, [](double each) { return each == 0; }))
    return fail(ErrorCode::kInvalidArgument, "a standard deviation of 0 divides by nothing: give 1 to leave it out");
  return inputs;
}

}  // namespace cutaway::ui
