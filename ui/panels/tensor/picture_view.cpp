#include "ui/panels/tensor/picture_view.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {
constexpr double kStep = 1.25, kMostZoom = 96, kGridFrom = 12, kNumbersFrom = 52;
constexpr int kLegendHeight = 34, kLegendBar = 10;
}  // namespace

PictureView::PictureView(const ThemeStore* themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
  setAccessibleName(tr("Picture of the tensor"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(120, 120);
  connect(themes, &ThemeStore::changed, this, qOverload<>(&QWidget::update));
}

void PictureView::present(TensorPicture picture, bool keepPlace) {
  const bool alike = picture.image.size() == m_picture.image.size();
  m_picture = std::move(picture);
  if (!keepPlace || !alike) m_pixel = {-1, -1};
  if (m_fitted || !keepPlace || !alike) fit();
  setAccessibleDescription(m_picture.valid() ? tr("%1 by %2 elements, from %3 to %4")
                                                   .arg(m_picture.request.slice.columns())
                                                   .arg(m_picture.request.slice.rows())
                                                   .arg(m_picture.scale.low)
                                                   .arg(m_picture.scale.high)
                                             : QString());
  point(m_pixel);
  update();
}

QRectF PictureView::room() const {
  return QRectF(0, 0, width(), height() - (m_picture.request.kind == PictureKind::kRgb ? 0 : kLegendHeight));
}

void PictureView::fit() {
  m_fitted = true;
  if (!m_picture.valid()) return;
  const QRectF inside = room().adjusted(kSpace, kSpace, -kSpace, -kSpace);
  m_zoom = std::clamp(std::min(inside.width() / m_picture.image.width(), inside.height() / m_picture.image.height()),
                      0.01, kMostZoom);
  m_origin = inside.center() - QPointF(m_picture.image.width(), m_picture.image.height()) * m_zoom / 2;
  update();
}

void PictureView::zoomAt(const QPointF& place, double factor) {
  const double zoom = std::clamp(m_zoom * factor, 0.01, kMostZoom);
  m_origin = place - (place - m_origin) * (zoom / m_zoom);
  m_zoom = zoom;
  m_fitted = false;
  update();
}

QPoint PictureView::pixelAt(const QPointF& place) const {
  return {static_cast<int>(std::floor((place.x() - m_origin.x()) / m_zoom)),
          static_cast<int>(std::floor((place.y() - m_origin.y()) / m_zoom))};
}

void PictureView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = m_themes->current();
  painter.fillRect(rect(), theme.canvas);
  if (!m_picture.valid()) return;
  const QRectF target(m_origin, QSizeF(m_picture.image.size()) * m_zoom);
  painter.save();
  painter.setClipRect(room());
  painter.setRenderHint(QPainter::SmoothPixmapTransform, m_zoom < 1);
  painter.drawImage(target, m_picture.image);
  if (m_zoom >= kGridFrom) {
    painter.setPen(QPen(mix(theme.canvas, theme.borderStrong, 0.35), 0));
    const QRectF seen = target.intersected(room());
    for (double x = m_origin.x() + std::floor((seen.left() - m_origin.x()) / m_zoom) * m_zoom; x <= seen.right();
         x += m_zoom)
      painter.drawLine(QPointF(x, seen.top()), QPointF(x, seen.bottom()));
    for (double y = m_origin.y() + std::floor((seen.top() - m_origin.y()) / m_zoom) * m_zoom; y <= seen.bottom();
         y += m_zoom)
      painter.drawLine(QPointF(seen.left(), y), QPointF(seen.right(), y));
  }
  if (m_zoom >= kNumbersFrom && m_picture.request.kind != PictureKind::kRgb) paintNumbers(painter);
  if (m_pixel.x() >= 0) {
    painter.setBrush(Qt::NoBrush);
    const QRectF cell(m_origin + QPointF(m_pixel) * m_zoom, QSizeF(m_zoom, m_zoom));
    const QRectF mark = m_zoom < 6 ? QRectF(cell.center() - QPointF(3, 3), QSizeF(6, 6)) : cell;
    painter.setPen(QPen(theme.canvas, 3));
    painter.drawRect(mark);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.drawRect(mark);
  }
  painter.restore();
  if (m_picture.request.kind != PictureKind::kRgb) paintLegend(painter);
  if (hasFocus()) {
    painter.setPen(QPen(theme.accent, 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

void PictureView::paintNumbers(QPainter& painter) const {
  painter.setFont(monospaceFont(-2));
  const QPoint first = pixelAt(room().topLeft()), last = pixelAt(room().bottomRight());
  for (int y = std::max(0, first.y()); y <= std::min(m_picture.image.height() - 1, last.y()); ++y)
    for (int x = std::max(0, first.x()); x <= std::min(m_picture.image.width() - 1, last.x()); ++x) {
      const int64_t at = m_picture.element(x, y);
      if (at < 0) continue;
      painter.setPen(m_themes->current().textOn(QColor(m_picture.image.pixel(x, y))));
      painter.drawText(QRectF(m_origin + QPointF(x, y) * m_zoom, QSizeF(m_zoom, m_zoom)), Qt::AlignCenter,
                       QString::number(m_picture.request.content->number(at), 'g', 3));
    }
}

// The scale with its ends, and zero where values part.
void PictureView::paintLegend(QPainter& painter) const {
  const Theme& theme = m_themes->current();
  const ValueScale& scale = m_picture.scale;
  const QRectF bar(kSpaceLarge, height() - kLegendHeight + kSpaceSmall, std::min(320, width() - 2 * kSpaceLarge),
                   kLegendBar);
  for (int x = 0; x < static_cast<int>(bar.width()); ++x) {
    const double number = scale.low + (scale.high - scale.low) * x / std::max(1.0, bar.width() - 1);
    painter.fillRect(QRectF(bar.left() + x, bar.top(), 1, bar.height()),
                     QColor(m_picture.request.kind == PictureKind::kGrey ? scale.grey(number) : scale.color(number)));
  }
  painter.setPen(theme.border);
  painter.drawRect(bar);
  painter.setPen(theme.textSecondary);
  painter.setFont(interfaceFont(-2));
  const QRectF words = bar.translated(0, kLegendBar + 2).adjusted(0, 0, 0, 6);
  painter.drawText(words, Qt::AlignLeft, QString::number(scale.low, 'g', 4));
  painter.drawText(words, Qt::AlignRight, QString::number(scale.high, 'g', 4));
  if (scale.diverging) painter.drawText(words, Qt::AlignHCenter, QStringLiteral("0"));
  if (width() - bar.right() < 120) return;
  const QRectF mark(bar.right() + kSpaceLarge, bar.top(), kLegendBar, kLegendBar);
  painter.fillRect(mark, QColor(m_picture.request.kind == PictureKind::kGrey ? kNotANumberInGrey : kNotANumber));
  painter.drawText(QRectF(mark.right() + kSpaceSmall, mark.top() - 3, 60, kLegendBar + 6), Qt::AlignVCenter,
                   QStringLiteral("NaN"));
}

void PictureView::resizeEvent(QResizeEvent*) {
  if (m_fitted) fit();
}

void PictureView::wheelEvent(QWheelEvent* event) {
  zoomAt(event->position(), std::pow(kStep, event->angleDelta().y() / 120.0));
}

void PictureView::mousePressEvent(QMouseEvent* event) {
  m_grip = event->position();
  point(pixelAt(event->position()));
}

void PictureView::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) {
    m_origin += event->position() - m_grip;
    m_grip = event->position();
    m_fitted = false;
    update();
  }
  point(pixelAt(event->position()));
}

void PictureView::leaveEvent(QEvent*) {
  if (!hasFocus()) point({-1, -1});
}

void PictureView::keyPressEvent(QKeyEvent* event) {
  const QPointF middle = room().center();
  const auto step = [this](int x, int y) {
    point({std::clamp(m_pixel.x() + x, 0, m_picture.image.width() - 1),
           std::clamp(m_pixel.y() + y, 0, m_picture.image.height() - 1)});
  };
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoomAt(middle, kStep);
    case Qt::Key_Minus:
      return zoomAt(middle, 1 / kStep);
    case Qt::Key_0:
      return fit();
    case Qt::Key_Left:
      return step(-1, 0);
    case Qt::Key_Right:
      return step(1, 0);
    case Qt::Key_Up:
      return step(0, -1);
    case Qt::Key_Down:
      return step(0, 1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void PictureView::point(const QPoint& pixel) {
  const bool inside = m_picture.valid() && m_picture.image.rect().contains(pixel);
  m_pixel = inside ? pixel : QPoint(-1, -1);
  emit pointed(inside ? m_picture.valueText(pixel.x(), pixel.y()) : QString());
  update();
}

}  // namespace cutaway::ui
