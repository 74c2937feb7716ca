// Panels as pictures.
#include "ui/shell/export/panel_picture.h"

#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <QWidget>

#include "ui/base/file_writing.h"
#include "ui/canvas/xml_device.h"

namespace cutaway::ui {

Result<void> writePanelPicture(QWidget& widget, QIODevice& file, bool isSvg, double scale) {
  if (isSvg) {
    XmlDevice xml(file);
    QSvgGenerator generator;
    generator.setOutputDevice(&xml);
    generator.setSize(widget.size());
    generator.setViewBox(QRect(QPoint(0, 0), widget.size()));
    QPainter painter(&generator);
    widget.render(&painter);
    return {};
  }
  QImage image(widget.size() * scale, QImage::Format_ARGB32_Premultiplied);
  if (image.isNull())
    return fail(ErrorCode::kInvalidArgument,
                "an image of {:.0f} x {:.0f} pixels is too large for memory: choose a smaller scale, or SVG",
                widget.width() * scale, widget.height() * scale);
  image.setDevicePixelRatio(scale);
  image.fill(Qt::transparent);
  widget.render(&image);
  CUTAWAY_TRY(const QByteArray bytes, pngBytes(image));
  if (file.write(bytes) != bytes.size())
    return fail(ErrorCode::kFail, "cannot write the picture: {}", file.errorString().toStdString());
  return {};
}

}  // namespace cutaway::ui
