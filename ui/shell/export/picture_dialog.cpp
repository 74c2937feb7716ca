// The dialog of a picture.
#include "ui/shell/export/picture_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/document/document.h"
#include "ui/shell/document_page.h"

namespace cutaway::ui {
namespace {

constexpr double kLargePixels = 100e6;  // many viewers give up above
const QString kFolderKey = QStringLiteral("export/folder");
const QString kScaleKey = QStringLiteral("export/scale");
const QString kFormatKey = QStringLiteral("export/format");

QComboBox* choice(const QString& name, const QStringList& words) {
  auto* box = new QComboBox;
  box->setObjectName(name);
  box->addItems(words);
  return box;
}

}  // namespace

PictureDialog::PictureDialog(DocumentPage* page, ThemeStore* themes, ViewState* viewState, QWidget* parent)
    : QDialog(parent),
      m_page(page),
      m_viewState(viewState),
      m_format(choice(QStringLiteral("format"), {tr("PNG, an image"), tr("SVG, a drawing")})),
      m_part(choice(QStringLiteral("part"), {tr("The whole graph"), tr("The visible part")})),
      m_theme(choice(QStringLiteral("theme"), {tr("Light"), tr("Dark")})),
      m_overlay(new QComboBox),
      m_legend(new QCheckBox(tr("Legend above the graph"))),
      m_scale(new QDoubleSpinBox),
      m_path(new QLineEdit),
      m_measure(new QLabel) {
  setObjectName(QStringLiteral("pictureDialog"));
  setWindowTitle(tr("Export a picture of the graph"));
  m_overlay->setObjectName(QStringLiteral("overlay"));
  for (const OverlayDescriptor* overlay : overlayTable()) {
    m_overlay->addItem(overlayTitle(*overlay), QLatin1String(overlay->id));
    if (page->canvas()->overlayId() == QLatin1String(overlay->id)) m_overlay->setCurrentIndex(m_overlay->count() - 1);
  }
  m_theme->setCurrentIndex(themes->current().dark ? 1 : 0);
  m_legend->setChecked(true);
  m_scale->setObjectName(QStringLiteral("scale"));
  m_scale->setRange(0.01, 64);
  m_scale->setDecimals(2);
  m_scale->setSingleStep(0.5);
  m_scale->setSuffix(QStringLiteral(" \u00d7"));
  m_scale->setValue(viewState->get(kScaleKey, 2.0).toDouble());
  m_format->setCurrentIndex(viewState->get(kFormatKey, 0).toInt());
  m_measure->setObjectName(QStringLiteral("measure"));
  m_measure->setWordWrap(true);
  m_measure->setMinimumWidth(320);
  m_path->setObjectName(QStringLiteral("path"));
  m_path->setMinimumWidth(320);
  const QString folder = viewState->get(kFolderKey, QFileInfo(page->document()->path()).absolutePath()).toString();
  m_path->setText(
      QDir(folder).filePath(QFileInfo(page->document()->path()).completeBaseName() + QStringLiteral(".png")));
  auto* browse = new QPushButton(tr("Choose \u2026"));
  connect(browse, &QPushButton::clicked, this, &PictureDialog::choosePath);
  auto* file = new QHBoxLayout;
  file->addWidget(m_path, 1);
  file->addWidget(browse);
  auto* form = new QFormLayout(this);
  form->setSpacing(kSpaceLarge);
  form->addRow(tr("&Format"), m_format);
  form->addRow(tr("&Part"), m_part);
  form->addRow(tr("&Scale"), m_scale);
  form->addRow(tr("&Colours"), m_overlay);
  form->addRow(tr("&Theme"), m_theme);
  form->addRow(QString(), m_legend);
  auto* fileLabel = new QLabel(tr("Fi&le"));
  fileLabel->setBuddy(m_path);
  form->addRow(fileLabel, file);
  form->addRow(tr("Size"), m_measure);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
  connect(buttons, &QDialogButtonBox::accepted, this, &PictureDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  form->addRow(buttons);
  for (QComboBox* box : {m_format, m_part, m_overlay, m_theme})
    connect(box, &QComboBox::currentIndexChanged, this, &PictureDialog::refresh);
  connect(m_legend, &QCheckBox::toggled, this, &PictureDialog::refresh);
  connect(m_scale, &QDoubleSpinBox::valueChanged, this, &PictureDialog::refresh);
  refresh();
}

bool PictureDialog::isSvg() const {
  return m_format->currentIndex() == 1;
}
QString PictureDialog::path() const {
  return m_path->text();
}

PictureRequest PictureDialog::request() const {
  CanvasPane* canvas = m_page->canvas();
  Document* document = m_page->document();
  PictureRequest request{.scene = canvas->loaded().scene,
                         .dark = m_theme->currentIndex() == 1,
                         .legend = m_legend->isChecked(),
                         .scale = isSvg() ? 1 : m_scale->value()};
  const QString id = m_overlay->currentData().toString();
  const Overlay* shown = canvas->view()->look().overlay;  // as it is on the screen, with all that it was made of
  if (shown && id == canvas->overlayId())
    request.overlay = *shown;
  else
    request.overlay =
        makeOverlay(id.toStdString(), document->colouredWalk(), document->shownVersion(), canvas->graph());
  if (m_part->currentIndex() == 1)
    request.part =
        canvas->view()->transform().toScene(QRectF(canvas->view()->rect())).intersected(request.scene->bounds);
  return request;
}

// No silent clamp: what it will measure is said before it is written.
void PictureDialog::refresh() {
  const QString ending = isSvg() ? QStringLiteral(".svg") : QStringLiteral(".png");
  if (const QFileInfo file(m_path->text()); !m_path->text().endsWith(ending, Qt::CaseInsensitive))
    m_path->setText(QDir(file.path()).filePath(file.completeBaseName() + ending));
  m_scale->setEnabled(!isSvg());
  const Picture picture(request());
  const QLocale words;
  if (isSvg())
    return m_measure->setText(
        tr("%1 \u00d7 %2 units, sharp at any size")
            .arg(words.toString(qRound(picture.size().width())), words.toString(qRound(picture.size().height()))));
  const QSize pixels = picture.pixels();
  const double count = double(pixels.width()) * pixels.height();
  QString measure = tr("%1 \u00d7 %2 pixels").arg(words.toString(pixels.width()), words.toString(pixels.height()));
  if (count > kLargePixels)
    measure += QStringLiteral(" \u2014 ") +
               tr("%1 megapixels: it will be written as asked, but many viewers cannot open so large an image")
                   .arg(words.toString(qRound64(count / 1e6)));
  m_measure->setText(measure);
}

void PictureDialog::choosePath() {
  const QString path = QFileDialog::getSaveFileName(this, windowTitle(), m_path->text(),
                                                    isSvg() ? tr("Drawings (*.svg)") : tr("Images (*.png)"), nullptr,
                                                    QFileDialog::DontConfirmOverwrite);
  if (path.isEmpty()) return;
  m_path->setText(path);
  refresh();
}

void PictureDialog::accept() {
  if (QFileInfo::exists(path()) &&
      QMessageBox::question(this, windowTitle(),
                            tr("%1 already exists. Replace it?").arg(QFileInfo(path()).fileName())) != QMessageBox::Yes)
    return;
  m_viewState->put(kFolderKey, QFileInfo(path()).absolutePath());
  m_viewState->put(kScaleKey, m_scale->value());
  m_viewState->put(kFormatKey, m_format->currentIndex());
  QDialog::accept();
}

}  // namespace cutaway::ui
