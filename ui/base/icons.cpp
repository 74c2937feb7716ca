#include "ui/base/icons.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

// A static library's resources are only linked in when they are asked for; the macro must stand outside namespaces.
static void initialiseIcons() {
  Q_INIT_RESOURCE(icons);
}

namespace cutaway::ui {
namespace {

QString placeOf(const QString& name) {
  static const bool initialised = (initialiseIcons(), true);
  Q_UNUSED(initialised);
  return QStringLiteral(":/icons/%1.svg").arg(name);
}

// Draws what a button shows when it shows it: one size at one scale of the many that it might have.
class ThemedIconEngine : public QIconEngine {
 public:
  ThemedIconEngine(QString name, const QColor& color, const QColor& disabled)
      : m_name(std::move(name)), m_color(color), m_disabled(disabled) {}

  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override {
    return iconPixmap(m_name, mode == QIcon::Disabled ? m_disabled : m_color, qRound(sideOf(size) / scale), scale);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1);
  }
  QSize actualSize(const QSize& size, QIcon::Mode, QIcon::State) override { return {sideOf(size), sideOf(size)}; }
  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const double scale = painter->device()->devicePixelRatioF();
    QRect square(QPoint(), actualSize(rect.size(), mode, state));
    square.moveCenter(rect.center());
    painter->drawPixmap(square, scaledPixmap(square.size() * scale, mode, state, scale));
  }
  QIconEngine* clone() const override { return new ThemedIconEngine(*this); }

 private:
  static int sideOf(const QSize& size) { return std::min(size.width(), size.height()); }

  QString m_name;
  QColor m_color, m_disabled;
};

QPixmap drawnOnce(const QString& key, const std::function<QPixmap()>& draw) {
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  pixmap = draw();
  if (!pixmap.isNull()) QPixmapCache::insert(key, pixmap);
  return pixmap;
}

}  // namespace

QPixmap iconPixmap(const QString& name, const QColor& color, int size, double devicePixelRatio) {
  // The same icon is asked for by many buttons, in several sizes each, whenever the theme changes: it is read and drawn
  // once.
  const QString key =
      QStringLiteral("icon/%1/%2/%3/%4").arg(name, color.name(QColor::HexArgb)).arg(size).arg(devicePixelRatio);
  return drawnOnce(key, [&]() -> QPixmap {
    QFile file(placeOf(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QSvgRenderer renderer(file.readAll().replace("currentColor", color.name().toLatin1()));
    QPixmap pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
  });
}

QIcon themedIcon(const QString& name, const Theme& theme) {
  if (!QFile::exists(placeOf(name))) return {};
  return QIcon(new ThemedIconEngine(name, theme.textSecondary, theme.border));
}

QPixmap categoryMark(const CategoryLook& look, QChar letter, const Theme& theme, int size, double devicePixelRatio) {
  // Tables ask for it with every row that they paint: Qt would keep each new one in its cache, too.
  QFont font = interfaceFont(0, QFont::Bold);
  font.setPixelSize(size * 7 / 10);
  const QColor ink = theme.textOn(look.color);
  const QString key = QStringLiteral("mark/%1/%2/%3/%4/%5/%6")
                          .arg(look.color.name(QColor::HexArgb), ink.name(QColor::HexArgb), letter, font.key())
                          .arg(size)
                          .arg(devicePixelRatio);
  return drawnOnce(key, [&] {
    QPixmap pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.color);
    painter.drawRoundedRect(QRectF(0, 0, size, size), 3, 3);
    if (letter.isNull()) return pixmap;
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(QRectF(0, 0, size, size), Qt::AlignCenter, letter);
    return pixmap;
  });
}

}  // namespace cutaway::ui
