// How much memory there is left, out of the kernel's files.

#include <limits>

#include <QtTest>

#include "engine/base/free_memory.h"

using namespace cutaway;

class TestFreeMemory : public QObject {
  Q_OBJECT

 private slots:
  void systems_data() {
    QTest::addColumn<QByteArray>("meminfo");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("with swap") << QByteArray(
                                      "MemTotal:       24689764 kB\nMemFree:         1000 kB\nMemAvailable:   2000 "
                                      "kB\nBuffers: 1 kB\nSwapTotal: 9 kB\nSwapFree:       48 kB\n")
                               << qint64{2048 * 1024};
    QTest::newRow("without") << QByteArray("MemFree: 1 kB\nMemAvailable: 7 kB\n") << qint64{7 * 1024};
    QTest::newRow("an old kernel") << QByteArray("MemTotal: 10 kB\nMemFree: 5 kB\nSwapFree: 8 kB\n") << qint64{-1};
    QTest::newRow("cut") << QByteArray("MemAvailable:") << qint64{-1};
    QTest::newRow("nothing") << QByteArray() << qint64{-1};
  }
  void systems() {
    QFETCH(QByteArray, meminfo);
    QFETCH(qint64, bytes);
    QCOMPARE(freeInSystem(meminfo.toStdString()).value_or(-1), bytes);
  }

  void groups_data() {
    QTest::addColumn<QByteArray>("most");
    QTest::addColumn<QByteArray>("current");
    QTest::addColumn<QByteArray>("stat");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("limited") << QByteArray("1000\n") << QByteArray("600\n")
                             << QByteArray("anon 500\nfile 90\ninactive_file 40\nactive_file 50\n") << qint64{440};
    QTest::newRow("without its caches") << QByteArray("1000\n") << QByteArray("600\n") << QByteArray() << qint64{400};
    QTest::newRow("above its limit") << QByteArray("1000\n") << QByteArray("1600\n") << QByteArray() << qint64{0};
    QTest::newRow("no limit") << QByteArray("max\n") << QByteArray("600\n") << QByteArray() << qint64{-1};
    QTest::newRow("no group") << QByteArray() << QByteArray() << QByteArray() << qint64{-1};
  }
  void groups() {
    QFETCH(QByteArray, most);
    QFETCH(QByteArray, current);
    QFETCH(QByteArray, stat);
    QFETCH(qint64, bytes);
    QCOMPARE(freeInGroup(most.toStdString(), current.toStdString(), stat.toStdString()).value_or(-1), bytes);
  }

  void thisComputerSays() {
    const std::optional<int64_t> free = freeMemoryBytes();
    QVERIFY(free && *free > 0);
    QVERIFY(isFree(4096));
    QVERIFY(!isFree(*free + (int64_t{1} << 30)));
    QVERIFY(!isFree(std::numeric_limits<int64_t>::max()));
  }
};

QTEST_GUILESS_MAIN(TestFreeMemory)
#include "tst_free_memory.moc"
