// The desktop's list of recent files: ours is added, and what others wrote stays.
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "ui/shell/desktop_recent.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

const QDateTime kMoment(QDate(2026, 11, 24), QTime(4, 5, 6), Qt::UTC);
const QByteArray kOthers(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<xbel version=\"1.0\"\n xmlns:bookmark=\"http://www.freedesktop.org/standards/desktop-bookmarks\"\n "
    "xmlns:mime=\"http://www.freedesktop.org/standards/shared-mime-info\">\n"
    "  <bookmark href=\"file:///a%20b/letter.txt\" added=\"2020-01-01T00:00:00Z\" "
    "modified=\"2020-01-01T00:00:00Z\">\n"
    "    <info><metadata owner=\"http://freedesktop.org\"><mime:mime-type type=\"text/plain\"/>"
    "<bookmark:private/></metadata></info>\n  </bookmark>\n</xbel>\n");

struct Bookmark {
  QString address, type, application, visited;
  bool operator==(const Bookmark&) const = default;
};

std::vector<Bookmark> bookmarksOf(const QByteArray& list) {
  std::vector<Bookmark> found;
  QXmlStreamReader reader(list);
  while (!reader.atEnd()) {
    reader.readNext();
    if (!reader.isStartElement()) continue;
    const auto value = [&](const char* name) { return reader.attributes().value(QLatin1String(name)).toString(); };
    if (reader.qualifiedName() == QLatin1String("bookmark"))
      found.push_back({value("href"), {}, {}, value("visited")});
    else if (reader.name() == QLatin1String("mime-type"))
      found.back().type = value("type");
    else if (reader.name() == QLatin1String("application"))
      found.back().application = value("name");
  }
  return reader.hasError() ? std::vector<Bookmark>{} : found;
}

const Bookmark kLetter{QStringLiteral("file:///a%20b/letter.txt"), QStringLiteral("text/plain"), {}, {}};

Bookmark ours(const char* address, const char* type) {
  return {QLatin1String(address), QLatin1String(type), QStringLiteral("cutaway"),
          QStringLiteral("2026-11-24T04:05:06.000Z")};
}

}  // namespace

class TestDesktopRecent : public QObject {
  Q_OBJECT

 private slots:
  void whatOthersWroteStays() {
    const Result<QByteArray> list = withRecentFile(kOthers, QStringLiteral("/a b/m&<é>.onnx"), kMoment);
    QVERIFY(list.has_value());
    QVERIFY(bookmarksOf(*list) ==
            (std::vector<Bookmark>{kLetter, ours("file:///a%20b/m&%3C%C3%A9%3E.onnx", "application/x-onnx")}));
    QVERIFY(list->contains("private"));
  }

  void aFileStandsThereOnce() {
    QByteArray list = kOthers;
    for (const char* file : {"/m.ort", "/s.cutaway", "/m.ort"})
      list = *withRecentFile(list, QLatin1String(file), kMoment);
    QVERIFY(bookmarksOf(list) ==
            (std::vector<Bookmark>{kLetter, ours("file:///s.cutaway", "application/x-cutaway-session"),
                                   ours("file:///m.ort", "application/x-onnxruntime-model")}));
  }

  void whatIsNotUnderstoodIsLeftAlone_data() {
    QTest::addColumn<QByteArray>("list");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no XML") << QByteArray("\0\1\2", 3);
    QTest::newRow("another file") << QByteArray("<html></html>");
    QTest::newRow("cut short") << kOthers.left(kOthers.size() - 12);
  }
  void whatIsNotUnderstoodIsLeftAlone() {
    QFETCH(const QByteArray, list);
    QVERIFY(!withRecentFile(list, QStringLiteral("/m.onnx"), kMoment));
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("list")));
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.write(list);
    file.flush();
    QVERIFY(!noteRecentFile(file.fileName(), QStringLiteral("/m.onnx"), kMoment));
    file.seek(0);
    QCOMPARE(file.readAll(), list);
  }

  void aListIsBegun() {
    const QTemporaryDir folder;
    const QString list = folder.filePath(QStringLiteral("new/recently-used.xbel"));
    QVERIFY(noteRecentFile(list, QStringLiteral("/m.onnx"), kMoment));
    QVERIFY(noteRecentFile(list, QStringLiteral("/n.onnx"), kMoment));
    QFile file(list);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(bookmarksOf(file.readAll()).size(), size_t{2});
  }
};

QTEST_GUILESS_MAIN(TestDesktopRecent)
#include "tst_desktop_recent.moc"
