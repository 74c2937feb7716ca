// Texts that grow, and files that are read at once, are whole or not there: never their beginning, because memory ran
// out.
#include <new>
#include <string>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/base/file_begin.h"
#include "engine/base/text_stream.h"
#include "tests/program/counted_heap.h"

using namespace cutaway;

namespace {

template <typename Work>
bool throwsWhereMemoryIsShort(Work&& work) {
  counted_heap::isShort = true;
  bool threw = false;
  try {
    work();
  } catch (const std::bad_alloc&) {
    threw = true;
  }
  counted_heap::isShort = false;
  return threw;
}

}  // namespace

class TestWholeTexts : public QObject {
  Q_OBJECT

 private slots:
  void textsAreWhole() {
    const std::string piece(5000, 'x');
    TextStream text;
    text << "bytes: " << 12 << piece;
    QCOMPARE(text.str(), "bytes: 12" + piece);
    QVERIFY(throwsWhereMemoryIsShort([&] {
      for (int i = 0; i < 100; ++i)
        text << piece;
    }));
  }

  void filesAreWhole() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("some.txt").toStdString();
    const std::string content(10'000, 'y');
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content.data(), static_cast<qint64>(content.size())), qint64{10'000});
    file.close();
    QCOMPARE(fileBegin(path).value(), content);
    QCOMPARE(fileBegin(path, 4).value(), std::string("yyyy"));
    QCOMPARE(fileBegin(path, 4097).value(), content.substr(0, 4097));
    QVERIFY(throwsWhereMemoryIsShort([&] { static_cast<void>(fileBegin(path)); }));
    QVERIFY(!fileBegin(path + ".none"));
    QVERIFY(!fileBegin(folder.path().toStdString()));
    QVERIFY(!fileBegin("/proc/self/status").value().empty());  // its size is said to be 0
  }
};

QTEST_GUILESS_MAIN(TestWholeTexts)
#include "tst_whole_texts.moc"
