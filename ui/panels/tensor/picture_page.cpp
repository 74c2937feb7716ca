#include "ui/panels/tensor/picture_page.h"

#include <algorithm>
#include <climits>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/gui_call.h"
#include "ui/document/window_words.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/tensor/picture_view.h"

namespace cutaway::ui {
namespace {
constexpr int64_t kMostChannels = 4096;  // in the chooser
}

PicturePage::PicturePage(const PanelContext& context, Mode mode, QWidget* parent)
    : TensorPage(parent),
      m_context(context),
      m_mode(mode),
      m_row(new QHBoxLayout),
      m_layout(new QComboBox),
      m_channel(new QComboBox),
      m_range(new QComboBox),
      m_words(new QLabel),
      m_sampled(new QLabel),
      m_view(new PictureView(context.themes)) {
  setWindowTitle(mode == kImage ? tr("Image") : tr("Heat map"));
  m_layout->addItems({tr("last two axes"), tr("channels first"), tr("channels last")});
  m_layout->setAccessibleName(tr("Meaning of the axes"));
  m_layout->setToolTip(tr("Which axes are height, width and channels"));
  m_channel->setAccessibleName(tr("Channel"));
  m_range->addItems({tr("middle 98 %"), tr("whole range"), tr("0 to 1"), tr("0 to 255")});
  m_range->setAccessibleName(tr("Range of the scale"));
  m_range->setToolTip(tr("Which numbers the ends of the scale stand for"));
  arrange();
  connect(m_layout, &QComboBox::currentIndexChanged, this, [this] {
    makeAxes();
    make();
  });
  for (QComboBox* box : {m_channel, m_range})
    connect(box, &QComboBox::currentIndexChanged, this, &PicturePage::make);
  connect(m_view, &PictureView::pointed, m_words, &QLabel::setText);
  connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
    if (m_watcher.future().resultCount() == 0) return;
    const Result<TensorPicture> painted = m_watcher.result();
    if (!painted) emit m_context.actions->message(told(painted.error()));
    TensorPicture picture = painted.value_or(TensorPicture());
    m_sampled->setVisible(picture.rowStep > 1 || picture.columnStep > 1);
    m_sampled->setText(tr("every %1. row, every %2. column").arg(picture.rowStep).arg(picture.columnStep));
    m_view->present(std::move(picture), m_keepPlace);
    m_keepPlace = true;
    emit made();
  });
}

PicturePage::~PicturePage() {
  m_watcher.waitForFinished();
}

void PicturePage::arrange() {
  m_row->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
  m_row->setSpacing(kSpaceSmall);
  for (QWidget* each :
       {static_cast<QWidget*>(m_layout), static_cast<QWidget*>(m_channel), static_cast<QWidget*>(m_range)})
    m_row->addWidget(each);
  m_row->addStretch(1);
  m_row->addWidget(m_sampled);
  m_sampled->setProperty("role", "faint");
  m_sampled->hide();
  m_words->setFont(monospaceFont());
  m_words->setContentsMargins(kSpace, kSpaceTiny, kSpace, kSpaceSmall);
  m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_words->setMinimumWidth(20);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(m_row);
  column->addWidget(m_view, 1);
  column->addWidget(m_words);
}

void PicturePage::present(std::shared_ptr<const study::TensorContent> content) {
  if (content == m_content) return;
  m_keepPlace = content && m_content && content->dims() == m_content->dims();
  m_content = std::move(content);
  if (!m_content) return m_view->present({}, false);
  if (!m_keepPlace) {
    m_filling = true;
    m_layout->setCurrentIndex(
        static_cast<int>(m_mode == kImage ? guessLayout(m_content->dims()) : ImageLayout::kPlane));
    m_layout->setVisible(m_content->dims().size() >= 3);
    m_filling = false;
    makeAxes();
  }
  make();
}

// A channel where the layout has one, and an index for every axis that is left.
void PicturePage::makeAxes() {
  m_filling = true;
  int channelAxis = -1;
  const TensorSlice slice =
      imageSlice(m_content->dims(), static_cast<ImageLayout>(m_layout->currentIndex()), &channelAxis);
  m_channel->clear();
  m_channel->setVisible(channelAxis >= 0);
  if (channelAxis >= 0) {
    const int64_t channels = slice.dims[static_cast<size_t>(channelAxis)];
    if (m_mode == kImage && channels >= 3) m_channel->addItem(tr("RGB"), -1);
    for (int64_t each = 0; each < std::min(channels, kMostChannels); ++each)
      m_channel->addItem(tr("channel %1").arg(each), QVariant::fromValue<qlonglong>(each));
    if (channels > 4 && m_channel->count() > 1 && m_channel->itemData(0).toInt() == -1) m_channel->setCurrentIndex(1);
  }
  delete m_axes;
  m_axes = new QWidget;
  m_fixed.clear();
  auto* row = new QHBoxLayout(m_axes);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpaceSmall);
  for (int axis = 0; axis < static_cast<int>(slice.dims.size()) && !slice.wrapped(); ++axis) {
    if (axis == slice.rowAxis || axis == slice.columnAxis || axis == channelAxis ||
        slice.dims[static_cast<size_t>(axis)] < 2)
      continue;
    auto* spin = new QSpinBox;
    spin->setRange(0, static_cast<int>(std::min<int64_t>(slice.dims[static_cast<size_t>(axis)] - 1, INT_MAX)));
    spin->setPrefix(tr("axis %1: ").arg(axis));
    spin->setAccessibleName(tr("Index on axis %1").arg(axis));
    spin->setWrapping(true);
    row->addWidget(spin);
    m_fixed.emplace_back(axis, spin);
    connect(spin, &QSpinBox::valueChanged, this, &PicturePage::make);
  }
  m_row->insertWidget(2, m_axes);
  m_filling = false;
}

TensorPictureRequest PicturePage::request() const {
  TensorPictureRequest request{.content = m_content,
                               .kind = m_mode == kHeatMap ? PictureKind::kHeat : PictureKind::kGrey,
                               .range = static_cast<ScaleRange>(m_range->currentIndex())};
  request.slice =
      imageSlice(m_content->dims(), static_cast<ImageLayout>(m_layout->currentIndex()), &request.channelAxis);
  for (const auto& [axis, spin] : m_fixed)
    request.slice.fixed[static_cast<size_t>(axis)] = spin->value();
  if (request.channelAxis < 0) return request;
  const qlonglong channel = m_channel->currentData().toLongLong();
  if (channel < 0)
    request.kind = PictureKind::kRgb;
  else
    request.slice.fixed[static_cast<size_t>(request.channelAxis)] = channel;
  return request;
}

void PicturePage::make() {
  if (m_filling || !m_content) return;
  m_watcher.setFuture(promised([request = request()]() -> Result<TensorPicture> { return makePicture(request); }));
}

QImage PicturePage::copyImage() const {
  return m_view->picture().image;
}
QWidget* PicturePage::picture() {
  return m_view;
}

}  // namespace cutaway::ui
