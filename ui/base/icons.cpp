#include "ui/base/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

// A static library's resources are only linked in when they are asked for; the macro must stand outside namespaces.
static void initialiseIcons() {
  Q_INIT_RESOURCE(icons);
}

namespace cutaway::ui {

QPixmap iconPixmap(const QString& name, const QColor& color, int size, double devicePixelRatio) {
  static const bool initialised = (initialiseIcons(), true);
  Q_UNUSED(initialised);
  // The same icon is asked for by many buttons, in several sizes each, whenever the theme changes: it is read and drawn
  // once.
  const QString key =
      QStringLiteral("icon/%1/%2/%3/%4").arg(name, color.name(QColor::HexArgb)).arg(size).arg(devicePixelRatio);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QSvgRenderer renderer(file.readAll().replace("currentColor", color.name().toLatin1()));
  pixmap = QPixmap(QSize(size, size) * devicePixelRatio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  renderer.render(&painter);
  painter.end();
  pixmap.setDevicePixelRatio(devicePixelRatio);
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

QIcon themedIcon(const QString& name, const Theme& theme) {
  QIcon icon;
  for (const int size : {16, 20, 24}) {
    for (const double ratio : {1.0, 2.0}) {
      icon.addPixmap(iconPixmap(name, theme.textSecondary, size, ratio), QIcon::Normal);
      icon.addPixmap(iconPixmap(name, theme.border, size, ratio), QIcon::Disabled);
    }
  }
  return icon;
}

QPixmap categoryMark(const CategoryLook& look, QChar letter, const Theme& theme, int size, double devicePixelRatio) {
  QPixmap pixmap(QSize(size, size) * devicePixelRatio);
  pixmap.setDevicePixelRatio(devicePixelRatio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.color);
  painter.drawRoundedRect(QRectF(0, 0, size, size), 3, 3);
  if (!letter.isNull()) {
    QFont font = interfaceFont(0, QFont::Bold);
    font.setPixelSize(size * 7 / 10);
    painter.setFont(font);
    painter.setPen(theme.textOn(look.color));
    painter.drawText(QRectF(0, 0, size, size), Qt::AlignCenter, letter);
  }
  return pixmap;
}

}  // namespace cutaway::ui
