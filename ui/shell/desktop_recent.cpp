#include "ui/shell/desktop_recent.h"

#include <mutex>

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUrl>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>

#include "engine/base/read_text_file.h"
#include "engine/base/write_file.h"

namespace cutaway::ui {

namespace {

const QString kBookmarkSpace = QStringLiteral("http://www.freedesktop.org/standards/desktop-bookmarks");
const QString kTypeSpace = QStringLiteral("http://www.freedesktop.org/standards/shared-mime-info");
constexpr int64_t kLargestList = int64_t{16} << 20;  // bytes

QByteArray emptyList() {
  return QStringLiteral(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xbel version=\"1.0\" xmlns:bookmark=\"%1\" "
             "xmlns:mime=\"%2\">\n</xbel>\n")
      .arg(kBookmarkSpace, kTypeSpace)
      .toUtf8();
}

QString typeOf(const QString& file) {
  const QString ending = QFileInfo(file).suffix().toLower();
  if (ending == QLatin1String("ort")) return QStringLiteral("application/x-onnxruntime-model");
  if (ending == QLatin1String("cutaway")) return QStringLiteral("application/x-cutaway-session");
  return QStringLiteral("application/x-onnx");
}

void writeBookmark(QXmlStreamWriter& writer, const QString& address, const QString& type, const QString& moment) {
  writer.writeStartElement(QStringLiteral("bookmark"));
  writer.writeAttribute(QStringLiteral("href"), address);
  for (const char* time : {"added", "modified", "visited"})
    writer.writeAttribute(QLatin1String(time), moment);
  writer.writeStartElement(QStringLiteral("info"));
  writer.writeStartElement(QStringLiteral("metadata"));
  writer.writeAttribute(QStringLiteral("owner"), QStringLiteral("http://freedesktop.org"));
  writer.writeEmptyElement(kTypeSpace, QStringLiteral("mime-type"));
  writer.writeAttribute(QStringLiteral("type"), type);
  writer.writeStartElement(kBookmarkSpace, QStringLiteral("applications"));
  writer.writeEmptyElement(kBookmarkSpace, QStringLiteral("application"));
  writer.writeAttribute(QStringLiteral("name"), QStringLiteral("cutaway"));
  writer.writeAttribute(QStringLiteral("exec"), QStringLiteral("'cutaway %u'"));
  writer.writeAttribute(QStringLiteral("modified"), moment);
  writer.writeAttribute(QStringLiteral("count"), QStringLiteral("1"));
  for (int open = 0; open < 4; ++open)
    writer.writeEndElement();
}

// Everything but the bookmark of this address, which it is read past.
bool isOldBookmark(const QXmlStreamReader& reader, const QString& address) {
  return reader.isStartElement() && reader.name() == QLatin1String("bookmark") &&
         reader.attributes().value(QLatin1String("href")) == address;
}

}  // namespace

QString desktopRecentList() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/recently-used.xbel");
}

Result<QByteArray> withRecentFile(const QByteArray& list, const QString& file, const QDateTime& moment) {
  const QString address = QUrl::fromLocalFile(file).toString(QUrl::FullyEncoded);
  const QString time = moment.toUTC().toString(Qt::ISODateWithMs);
  QByteArray changed;
  QXmlStreamReader reader(list);
  QXmlStreamWriter writer(&changed);
  int depth = 0;
  bool isList = false;
  while (!reader.atEnd()) {
    reader.readNext();
    if (isOldBookmark(reader, address)) {
      reader.skipCurrentElement();
      continue;
    }
    if (reader.isStartElement() && depth++ == 0) isList = reader.name() == QLatin1String("xbel");
    if (reader.isEndElement() && --depth == 0 && isList) writeBookmark(writer, address, typeOf(file), time);
    if (reader.tokenType() != QXmlStreamReader::Invalid) writer.writeCurrentToken(reader);
  }
  if (reader.hasError() || !isList)
    return fail(ErrorCode::kInvalidArgument, "the list of recent files is not understood: {}",
                reader.hasError() ? reader.errorString().toStdString() : "it is no xbel file");
  return changed;
}

Result<void> noteRecentFile(const QString& list, const QString& file, const QDateTime& moment) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  QDir().mkpath(QFileInfo(list).path());
  QByteArray content = emptyList();
  if (QFileInfo::exists(list)) {
    CUTAWAY_TRY(const std::string text,
                readTextFile(list.toStdString(), {.what = "the list of recent files", .largestBytes = kLargestList}));
    content = QByteArray::fromStdString(text);
  }
  CUTAWAY_TRY(const QByteArray changed, withRecentFile(content, file, moment));
  return writeFile(list.toStdString(), std::string_view(changed.constData(), static_cast<size_t>(changed.size())));
}

}  // namespace cutaway::ui
