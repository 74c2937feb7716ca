#include <QtTest/QtTest>

#include "engine/base/checked_math.h"
#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/base/short_memory.h"

using namespace cutaway;

namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return fail(ErrorCode::kInvalidArgument, "{} is odd", value);
  return value / 2;
}

Result<int> quarter(int value) {
  CUTAWAY_TRY(const int once, half(value));
  CUTAWAY_TRY(int twice, half(once));
  return twice;
}

Result<void> mustBeEven(int value) {
  CUTAWAY_CHECK(half(value).map([](int) {}));
  return {};
}

}  // namespace

class TestResult : public QObject {
  Q_OBJECT

 private slots:
  void errorsReturnToTheCaller() {
    QCOMPARE(quarter(12).value(), 3);
    QCOMPARE(QString::fromStdString(quarter(6).error().message), QString("3 is odd"));
    QVERIFY(mustBeEven(2).has_value());
    QVERIFY(!mustBeEven(3).has_value());
  }

  void codesHaveTheNamesOfOnnxruntime_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("name");
    const char* names[] = {"FAIL",
                           "INVALID_ARGUMENT",
                           "NO_SUCHFILE",
                           "NO_MODEL",
                           "ENGINE_ERROR",
                           "RUNTIME_EXCEPTION",
                           "INVALID_PROTOBUF",
                           "MODEL_LOADED",
                           "NOT_IMPLEMENTED",
                           "INVALID_GRAPH",
                           "EP_FAIL",
                           "MODEL_LOAD_CANCELED",
                           "MODEL_REQUIRES_COMPILATION",
                           "NOT_FOUND",
                           "DEVICE_RESET"};
    int code = 1;
    for (const char* name : names)
      QTest::newRow(name) << code++ << QString(name);
  }
  void codesHaveTheNamesOfOnnxruntime() {
    QFETCH(int, code);
    QFETCH(QString, name);
    const std::string_view found = errorCodeName(static_cast<ErrorCode>(code));
    QCOMPARE(QString::fromUtf8(found.data(), static_cast<qsizetype>(found.size())), name);
  }

  void placesAreToldOnce() {
    Error error{ErrorCode::kInvalidGraph, "no such input", {}};
    QCOMPARE(QString::fromStdString(describe(error)), QString("INVALID_GRAPH: no such input"));
    error = atFile(atNode(atNode(std::move(error), "inner"), "outer"), "m.onnx");
    QCOMPARE(QString::fromStdString(describe(error)),
             QString("INVALID_GRAPH: no such input (file 'm.onnx', node 'inner')"));
    error = atValue(std::move(error), "x");
    QCOMPARE(QString::fromStdString(describe(error)),
             QString("INVALID_GRAPH: no such input (file 'm.onnx', node 'inner', value 'x')"));
  }

  void sizesDoNotWrap() {
    const int64_t big = int64_t{1} << 62;
    QCOMPARE(checkedMultiply(3, 4).value(), int64_t{12});
    QVERIFY(!checkedMultiply(big, 2).has_value());
    QVERIFY(!checkedAdd(big, big).has_value());
    QCOMPARE(checkedAdd(big, -big).value(), int64_t{0});
    QCOMPARE(alignUp(0, 64), int64_t{0});
    QCOMPARE(alignUp(65, 64), int64_t{128});
  }

  // Whose memory it is says who can do something about it.
  void shortMemoryNamesWhatAndHowMuch() {
    const Error none = noMemoryFor("reordered weights", 4096);
    QCOMPARE(none.code, ErrorCode::kFail);
    QVERIFY(!none.byPolicy);
    QCOMPARE(QString::fromStdString(none.message),
             QString("no memory for reordered weights (4096 bytes): give the program more memory, or choose smaller "
                     "inputs or a smaller model"));
    const Error above = noMemoryFor("scratch", 100, {.heldBytes = 950, .limitBytes = 1000});
    QVERIFY(above.byPolicy);
    QCOMPARE(
        QString::fromStdString(above.message),
        QString("no memory for scratch (100 bytes): 950 bytes are held, and the memory limit is 1000 bytes; raise it"));
    QVERIFY(!noMemoryFor("scratch", 50, {.heldBytes = 950, .limitBytes = 1000}).byPolicy);
  }

  void cancellingReachesEveryCopy() {
    const CancelToken token;
    const Progress progress(token);
    QVERIFY(!progress.cancelled());
    token.cancel();
    QVERIFY(progress.cancelled());
    QVERIFY(progress.token().cancelled());
    QVERIFY(cancelledError().code == ErrorCode::kModelLoadCanceled);
  }
};

QTEST_GUILESS_MAIN(TestResult)
#include "tst_result.moc"
