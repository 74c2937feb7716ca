// icon_writer DRAWING.svg FOLDER: the drawing in every size that desktops ask for, as FOLDER/<N>x<N>/apps/cutaway.png,
// and for the types of files that the program opens. The same drawing gives the same bytes.
#include <cstdio>

#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

namespace {

constexpr int kSizes[] = {16, 22, 24, 32, 48, 64, 96, 128, 256, 512};
constexpr const char* kPlaces[] = {"apps/cutaway", "mimetypes/application-x-onnx",
                                   "mimetypes/application-x-onnxruntime-model",
                                   "mimetypes/application-x-cutaway-session"};

bool write(const QImage& image, const QString& path) {
  QDir().mkpath(QFileInfo(path).path());
  return image.save(path, "PNG");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: icon_writer DRAWING.svg FOLDER\n", stderr);
    return 2;
  }
  QSvgRenderer drawing(QString::fromLocal8Bit(argv[1]));
  if (!drawing.isValid()) {
    std::fprintf(stderr, "icon_writer: %s is no drawing that Qt can read\n", argv[1]);
    return 1;
  }
  for (const int size : kSizes) {
    QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    drawing.render(&painter, QRectF(0, 0, size, size));
    painter.end();
    for (const char* place : kPlaces) {
      const QString path = QStringLiteral("%1/%2x%2/%3.png").arg(QString::fromLocal8Bit(argv[2])).arg(size).arg(place);
      if (write(image, path)) continue;
      std::fprintf(stderr, "icon_writer: %s cannot be written\n", path.toLocal8Bit().constData());
      return 1;
    }
  }
  return 0;
}
