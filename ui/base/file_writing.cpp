#include "ui/base/file_writing.h"

#include <QBuffer>
#include <QFile>

#include "engine/base/write_file.h"

namespace cutaway::ui {
namespace {

std::filesystem::path pathOf(const QString& path) {
  return QFile::encodeName(path).toStdString();
}

}  // namespace

Result<QByteArray> pngBytes(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!image.save(&buffer, "PNG"))
    return fail(ErrorCode::kFail, "an image of {} x {} pixels could not be made into a PNG", image.width(),
                image.height());
  return bytes;
}

Result<void> writeFileSafely(const QString& path, const QByteArray& bytes) {
  return writeFile(pathOf(path), {bytes.constData(), static_cast<size_t>(bytes.size())});
}

Result<std::unique_ptr<NewFileDevice>> NewFileDevice::create(const QString& path) {
  CUTAWAY_TRY(std::unique_ptr<NewFile> file, NewFile::create(pathOf(path), {}));
  auto device = std::unique_ptr<NewFileDevice>(new NewFileDevice(std::move(file)));
  device->open(QIODevice::WriteOnly | QIODevice::Unbuffered);
  return device;
}

qint64 NewFileDevice::writeData(const char* data, qint64 size) {
  if (m_problem) return -1;
  if (auto written = m_file->write(std::as_bytes(std::span(data, static_cast<size_t>(size)))); !written) {
    m_problem = std::move(written).error();
    setErrorString(QString::fromStdString(m_problem->message));
    return -1;
  }
  return size;
}

Result<void> NewFileDevice::publish() {
  if (m_problem) return fail(*m_problem);
  return m_file->publish();
}

}  // namespace cutaway::ui
