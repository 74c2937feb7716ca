// Softmax, LogSoftmax, Hardmax, BiasSoftmax, ArgMax and ArgMin on the emulator against cpu: types, axes, and paths
// (warps, blocks, rows read again, columns), with blocks of one thread and of many.
#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

const std::vector<ElementType> kFloats = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                          ElementType::kDouble};
const std::vector<std::string> kBlocks = {"strict=1", "strict=1,blocks=forward", "strict=1,blocks=backward"};
const std::vector<std::vector<int64_t>> kShapes = {{3, 5, 7},   {2, 16, 64}, {9, 1, 128}, {3, 2000}, {1, 30000},
                                                   {4, 300, 2}, {0, 3},      {5, 1},      {2, 3, 33}};

std::string nameOf(ElementType type) {
  return std::string(elementTypeName(type));
}
std::string largeOf(const std::vector<int64_t>& dims) {
  return dims.back() > 1000 ? " (large)" : "";
}

}  // namespace

class TestCudaSoftmax : public QObject {
  Q_OBJECT
 private slots:
  void operators_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("axis");
    for (const char* name : {"Softmax", "LogSoftmax", "Hardmax"}) {
      for (const char* axis : {"-1", "0", "1"})
        QTest::newRow(qPrintable(QString("%1 %2").arg(name, axis))) << name << axis;
    }
  }
  void operators() {
    QFETCH(QString, name);
    QFETCH(QString, axis);
    for (const ElementType type : kFloats) {
      for (const auto& dims : kShapes) {
        if (type != ElementType::kFloat && dims.back() > 1000 && axis != "-1") continue;
        CudaCase each{.nodes = QString("y = %1 <axis = %2> (x)").arg(name, axis).toStdString(),
                      .inputs = {{"x", randomOf(type, dims, 7, -4, 4)}},
                      .outputs = nameOf(type) + " y"};
        if (type == ElementType::kFloat) each.options = kBlocks[dims.size() % 3];
        QVERIFY2(differenceOf(each).empty(), (nameOf(type) + largeOf(dims) + ": " + differenceOf(each)).c_str());
      }
    }
  }

  void before13() {
    for (const char* axis : {"0", "1", "2", "-1"}) {
      const CudaCase each{.nodes = std::string("y = Softmax <axis = ") + axis + "> (x)",
                          .inputs = {{"x", randomOf(ElementType::kFloat, {2, 3, 5}, 1)}},
                          .opset = 11};
      QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
    }
  }

  // A masked row keeps its numbers; a row that is masked whole has none.
  void masked() {
    const double inf = std::numeric_limits<double>::infinity();
    std::vector<double> values = {-inf, 1, 2, -inf, -inf, -inf, -inf, -inf, 3, -inf, 3, 1};
    for (const std::string& blocks : kBlocks) {
      QCOMPARE(QString::fromStdString(differenceOf({.nodes = "y = Softmax (x)",
                                                    .inputs = {{"x", tensorOf(ElementType::kFloat, {3, 4}, values)}},
                                                    .options = blocks})),
               QString());
      std::vector<double> many(30000, -inf);
      many[29000] = 2, many[29999] = 1;
      QCOMPARE(QString::fromStdString(differenceOf({.nodes = "y = Softmax (x)",
                                                    .inputs = {{"x", tensorOf(ElementType::kFloat, {1, 30000}, many)}},
                                                    .options = blocks})),
               QString());
    }
  }

  void bias() {
    for (const ElementType type : kFloats) {
      for (const int inner : {0, 1}) {
        for (const int64_t length : {7, 64, 3000}) {
          CudaCase each{
              .nodes =
                  "y = com.microsoft.BiasSoftmax <axis = 2, is_inner_broadcast = " + std::to_string(inner) + "> (x, b)",
              .inputs = {{"x", randomOf(type, {4, 3, length}, 1, -3, 3)},
                         {"b", randomOf(type,
                                        inner ? std::vector<int64_t>{4, 1, length} : std::vector<int64_t>{1, 3, length},
                                        2)}},
              .outputs = nameOf(type) + " y",
              .domains = {{"com.microsoft", 1}}};
          if (type == ElementType::kFloat) each.options = kBlocks[1];
          QVERIFY2(differenceOf(each).empty(), (nameOf(type) + ": " + differenceOf(each)).c_str());
        }
      }
    }
  }

  void places() {
    for (const ElementType type :
         {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16, ElementType::kDouble, ElementType::kInt8,
          ElementType::kUint8, ElementType::kInt32, ElementType::kInt64}) {
      for (const char* name : {"ArgMax", "ArgMin"}) {
        for (const char* attributes : {"axis = -1", "axis = 0, keepdims = 0", "axis = 1, select_last_index = 1"}) {
          for (const auto& dims : {std::vector<int64_t>{3, 5, 7}, {2, 3000}, {20, 40}, {3, 1}}) {
            CudaCase each{.nodes = std::string("y = ") + name + " <" + attributes + "> (x)",
                          .inputs = {{"x", randomOf(type, dims, 9, 0, 5)}},
                          .outputs = "int64 y"};
            if (type == ElementType::kFloat) each.options = kBlocks[dims.size() % 2 + 1];
            QVERIFY2(differenceOf(each).empty(), (nameOf(type) + " " + attributes + ": " + differenceOf(each)).c_str());
          }
        }
      }
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(QString::fromStdString(
                 differenceOf({.nodes = "y = ArgMin <axis = 1> (x)",
                               .inputs = {{"x", tensorOf(ElementType::kFloat, {2, 4}, {1, nan, 0, nan, 3, 2, 2, 5})}},
                               .outputs = "int64 y"})),
             QString());
  }
};

QTEST_GUILESS_MAIN(TestCudaSoftmax)
#include "tst_cuda_softmax.moc"
