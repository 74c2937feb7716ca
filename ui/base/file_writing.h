#pragma once
// How the window writes files: as the engine does (engine/base/new_file.h), for Qt's words.
//
// Thread rule: any thread, one device one thread. Example:
//   CUTAWAY_TRY(const std::unique_ptr<NewFileDevice> file, NewFileDevice::create(path));
//   CUTAWAY_CHECK(picture.writeSvg(*file, cancel));
//   CUTAWAY_CHECK(file->publish());

#include <memory>
#include <optional>

#include <QByteArray>
#include <QIODevice>
#include <QImage>
#include <QString>

#include "engine/base/new_file.h"

namespace cutaway::ui {

// The image as a whole PNG file. FAIL: it has no pixels, or memory is short.
Result<QByteArray> pngBytes(const QImage& image);
// A whole content at once.
Result<void> writeFileSafely(const QString& path, const QByteArray& bytes);

// A file that appears under its name with publish(); without it nothing is left.
class NewFileDevice : public QIODevice {
 public:
  static Result<std::unique_ptr<NewFileDevice>> create(const QString& path);
  bool isSequential() const override { return true; }
  // The first error of writing, if there was one.
  Result<void> publish();
  const std::optional<Error>& problem() const { return m_problem; }

 protected:
  qint64 readData(char*, qint64) override { return -1; }
  qint64 writeData(const char* data, qint64 size) override;

 private:
  explicit NewFileDevice(std::unique_ptr<NewFile> file) : m_file(std::move(file)) {}
  std::unique_ptr<NewFile> m_file;
  std::optional<Error> m_problem;
};

}  // namespace cutaway::ui
