#include "ui/panels/sharing/sharing_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/base/theme.h"
#include "ui/document/offered_providers.h"

namespace cutaway::ui {

SharingForm::SharingForm(const std::vector<OfferedProvider>& providers, QWidget* parent)
    : QWidget(parent),
      m_models(new QListWidget),
      m_add(new QPushButton(tr("Add \u2026"))),
      m_remove(new QPushButton(tr("Remove"))),
      m_provider(new QComboBox),
      m_options(new QLineEdit),
      m_folder(new QLineEdit),
      m_browse(new QPushButton(tr("Browse \u2026"))),
      m_overwrite(new QCheckBox(tr("Replace existing files"))) {
  for (const OfferedProvider& each : providers) {
    if (each.why.isEmpty()) m_provider->addItem(each.spec);
  }
  m_provider->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_provider->setMinimumContentsLength(10);
  m_models->setObjectName(QStringLiteral("sharing/models"));
  m_models->setAccessibleName(tr("Models that share"));
  m_models->setDragDropMode(QAbstractItemView::InternalMove);
  m_models->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_models->setTextElideMode(Qt::ElideMiddle);
  m_models->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_models->setToolTip(tr("The binary is named after the first model. Drag to order them."));
  m_options->setPlaceholderText(tr("key=value, key=value"));
  m_options->setToolTip(tr("Options of the provider, such as precision=bf16"));
  m_folder->setToolTip(tr("Each model becomes its name with _ctx.onnx there, beside the binary of all."));
  arrange();
  connect(m_add, &QPushButton::clicked, this, &SharingForm::browseModels);
  connect(m_remove, &QPushButton::clicked, this, &SharingForm::removeChosen);
  connect(m_browse, &QPushButton::clicked, this, &SharingForm::browseFolder);
  connect(m_models->model(), &QAbstractItemModel::rowsMoved, this, &SharingForm::changed);
  connect(m_models->model(), &QAbstractItemModel::rowsInserted, this, &SharingForm::changed);
  connect(m_models->model(), &QAbstractItemModel::rowsRemoved, this, &SharingForm::changed);
  connect(m_models, &QListWidget::itemSelectionChanged, this,
          [this] { m_remove->setEnabled(!m_models->selectedItems().isEmpty()); });
  for (QLineEdit* line : {m_options, m_folder})
    connect(line, &QLineEdit::textChanged, this, &SharingForm::changed);
  connect(m_provider, &QComboBox::currentIndexChanged, this, &SharingForm::changed);
  connect(m_overwrite, &QCheckBox::toggled, this, &SharingForm::changed);
  m_remove->setEnabled(false);
}

void SharingForm::arrange() {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
  grid->setHorizontalSpacing(kSpace);
  grid->setVerticalSpacing(kSpaceSmall);
  auto* buttons = new QVBoxLayout;
  buttons->setSpacing(kSpaceSmall);
  buttons->addWidget(m_add);
  buttons->addWidget(m_remove);
  buttons->addStretch(1);
  grid->addWidget(m_models, 0, 0, 3, 1);
  grid->addLayout(buttons, 0, 1, 3, 1);
  int row = 0;
  const auto add = [&](const QString& name, QWidget* field, QWidget* more) {
    auto* label = new QLabel(name);
    label->setProperty("role", "secondary");
    label->setBuddy(field);
    field->setAccessibleName(name);
    auto* fields = new QHBoxLayout;
    fields->setSpacing(kSpace);
    fields->addWidget(field, 1);
    fields->addWidget(more, more == m_options ? 1 : 0);
    grid->addWidget(label, row, 2);
    grid->addLayout(fields, row++, 3);
  };
  m_options->setAccessibleName(tr("Options of the provider"));
  add(tr("Provider"), m_provider, m_options);
  add(tr("Folder"), m_folder, m_browse);
  grid->addWidget(m_overwrite, row, 3);
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(3, 1);
  m_models->setMinimumHeight(3 * m_folder->sizeHint().height());
  m_models->setMaximumHeight(4 * m_folder->sizeHint().height());
}

void SharingForm::setOpenModel(const QString& path) {
  if (m_open == path) return;
  for (int row = m_models->count(); row-- > 0;) {
    const QString each = m_models->item(row)->data(Qt::UserRole).toString();
    if (each == m_open || each == path) delete m_models->takeItem(row);
  }
  m_open = path;
  if (path.isEmpty()) return;
  addModels({path});
  m_models->insertItem(0, m_models->takeItem(m_models->count() - 1));
  m_folder->setText(QDir::toNativeSeparators(QFileInfo(path).absolutePath()));
}

void SharingForm::addModels(const QStringList& paths) {
  for (const QString& path : paths) {
    if (models().contains(path)) continue;
    auto* item = new QListWidgetItem(QFileInfo(path).fileName(), m_models);
    item->setData(Qt::UserRole, path);
    item->setToolTip(QDir::toNativeSeparators(path));
  }
  emit changed();
}

void SharingForm::browseModels() {
  addModels(QFileDialog::getOpenFileNames(this, tr("Models that share"), m_folder->text(),
                                          tr("ONNX models (*.onnx);;All files (*)")));
}

void SharingForm::browseFolder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Write the context models to"), m_folder->text());
  if (!folder.isEmpty()) m_folder->setText(QDir::toNativeSeparators(folder));
}

void SharingForm::removeChosen() {
  qDeleteAll(m_models->selectedItems());
  emit changed();
}

QStringList SharingForm::models() const {
  QStringList paths;
  for (int row = 0; row < m_models->count(); ++row)
    paths << m_models->item(row)->data(Qt::UserRole).toString();
  return paths;
}

SharingWish SharingForm::wish() const {
  return {.models = models(),
          .provider = m_provider->currentText(),
          .options = m_options->text(),
          .folder = m_folder->text().trimmed(),
          .overwrite = m_overwrite->isChecked()};
}

QString SharingForm::problem() const {
  if (m_models->count() < 2) return tr("Add a second model: one alone shares with nobody.");
  if (m_provider->currentIndex() < 0) return tr("No provider of this program can be used here.");
  const QString folder = m_folder->text().trimmed();
  if (folder.isEmpty() || !QFileInfo(folder).isDir()) return tr("The folder %1 does not exist.").arg(folder);
  return {};
}

}  // namespace cutaway::ui
