// The test bed itself: a node runs on the emulator, and a wrong place or a wrong number is told.
#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

class TestCudaCase : public QObject {
  Q_OBJECT
 private slots:
  void relu_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<QString>("name");
    QTest::newRow("float") << int(ElementType::kFloat) << "float";
    QTest::newRow("double") << int(ElementType::kDouble) << "double";
    QTest::newRow("half") << int(ElementType::kFloat16) << "float16";
    QTest::newRow("brain") << int(ElementType::kBfloat16) << "bfloat16";
  }
  void relu() {
    QFETCH(int, type);
    QFETCH(QString, name);
    for (const std::vector<int64_t>& dims : {std::vector<int64_t>{3, 5, 7}, {}, {0, 4}, {1}}) {
      const CudaCase each{.nodes = "y = Relu (x)",
                          .inputs = {{"x", randomOf(ElementType(type), dims, 1)}},
                          .outputs = name.toStdString() + " y"};
      QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
    }
  }
  // A node without a form for channels last stays with the provider, channels first, between nodes that were turned.
  void besideChannelsLast() {
    const CudaCase each{
        .nodes =
            "a = Conv <pads = [1, 1, 1, 1]> (x, w)\n  b = InstanceNormalization (a, scale, bias)\n  y = Conv (b, v)",
        .inputs = {{"x", randomOf(ElementType::kFloat, {1, 2, 6, 6}, 1)},
                   {"w", randomOf(ElementType::kFloat, {4, 2, 3, 3}, 2)},
                   {"scale", randomOf(ElementType::kFloat, {4}, 3)},
                   {"bias", randomOf(ElementType::kFloat, {4}, 4)},
                   {"v", randomOf(ElementType::kFloat, {3, 4, 3, 3}, 5)}}};
    QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
  }
  // An operator that has no kernel here is told, unless it may be anywhere.
  void elsewhere() {
    CudaCase each{.nodes = "y = Det (x)", .inputs = {{"x", randomOf(ElementType::kFloat, {3, 3}, 1)}}};
    QVERIFY(differenceOf(each).find("Det is on cpu") != std::string::npos);
    each.onProvider = "cpu";
    QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
  }
};

QTEST_GUILESS_MAIN(TestCudaCase)
#include "tst_cuda_case.moc"
