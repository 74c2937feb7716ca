#include <sstream>

#include <spdlog/sinks/ostream_sink.h>

#include <QtTest/QtTest>

#include "engine/base/log.h"

using namespace cutaway;

class TestLog : public QObject {
  Q_OBJECT

 private slots:
  void levelsFilter_data() {
    QTest::addColumn<QByteArray>("level");
    QTest::addColumn<int>("lines");  // of one debug, one info, one warn and one error
    QTest::newRow("the default") << QByteArray() << 2;
    QTest::newRow("trace") << QByteArray("trace") << 4;
    QTest::newRow("debug") << QByteArray("debug") << 4;
    QTest::newRow("info") << QByteArray("info") << 3;
    QTest::newRow("warn") << QByteArray("warn") << 2;
    QTest::newRow("error") << QByteArray("error") << 1;
    QTest::newRow("off") << QByteArray("off") << 0;
  }
  void levelsFilter() {
    QFETCH(QByteArray, level);
    QFETCH(int, lines);
    std::ostringstream stream;
    const auto saved = log::logger().sinks();
    log::logger().sinks() = {std::make_shared<spdlog::sinks::ostream_sink_mt>(stream)};
    if (!level.isEmpty()) QVERIFY(log::setLevel(level.toStdString()).has_value());
    log::debug("{}", 1);
    log::info("{}", 2);
    log::warn("{}", 3);
    log::error("{}", 4);
    log::logger().sinks() = saved;
    QCOMPARE(static_cast<int>(std::ranges::count(stream.str(), '\n')), lines);
  }

  void otherLevelsAreRefused() {
    const auto result = log::setLevel("loud");
    QVERIFY(!result.has_value());
    QVERIFY(result.error().code == ErrorCode::kInvalidArgument);
  }
};

QTEST_GUILESS_MAIN(TestLog)
#include "tst_log.moc"
