// Reductions on the emulator against cpu: every operator, type, layout of kept and reduced axes, and path (warps,
// blocks, columns, segments).
#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

const std::vector<const char*> kOperators = {"ReduceSum",       "ReduceMean",     "ReduceMax", "ReduceMin",
                                             "ReduceProd",      "ReduceL1",       "ReduceL2",  "ReduceLogSum",
                                             "ReduceLogSumExp", "ReduceSumSquare"};

struct Reduced {
  std::vector<int64_t> dims;
  std::string axes;
};
const std::vector<Reduced> kShapes = {
    {{3, 5, 7}, "{2}"},
    {{3, 5, 7}, "{0}"},
    {{3, 5, 7}, "{1}"},
    {{3, 5, 7}, "{0, 2}"},
    {{3, 5, 7}, "{-1, -2, -3}"},
    {{2, 3, 4, 5}, "{0, 2}"},
    {{2, 3, 4, 5}, "{1, 3}"},
    {{70, 48}, "{1}"},
    {{2, 1100}, "{1}"},
    {{4, 1, 6}, "{1}"},
    {{2, 1, 1, 9}, "{1, 2}"},
    {{0, 3}, "{0}"},
    {{3, 0}, "{0}"},
    {{1}, "{0}"},
    {{300, 4}, "{0}"},
};

std::string nameOf(ElementType type) {
  return std::string(elementTypeName(type));
}

}  // namespace

class TestCudaReduce : public QObject {
  Q_OBJECT
 private slots:
  void operators_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : kOperators)
      QTest::newRow(name) << name;
  }
  void operators() {
    QFETCH(QString, name);
    const bool positive = name == "ReduceLogSum";
    for (const ElementType type : {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                   ElementType::kDouble, ElementType::kInt32, ElementType::kInt64}) {
      if (name == "ReduceLogSumExp" && isInteger(type)) continue;
      for (const Reduced& shape : kShapes) {
        const double low = positive ? 1 : (isInteger(type) ? -3 : -1.5), high = isInteger(type) ? 4 : 1.5;
        CudaCase each{
            .nodes = "y = " + name.toStdString() + (shape.dims.size() % 2 == 1 ? "" : " <keepdims = 0>") + " (x, axes)",
            .inputs = {{"x", randomOf(type, shape.dims, 7, low, high)}},
            .outputs = nameOf(type) + " y",
            .constants = "int64[" + std::to_string(1 + std::count(shape.axes.begin(), shape.axes.end(), ',')) +
                         "] axes = " + shape.axes};
        // Floats with as many threads as the device has, in either order.
        if (type == ElementType::kFloat)
          each.options = shape.dims.size() % 2 == 1 ? "strict=1,blocks=forward" : "strict=1,blocks=backward";
        QVERIFY2(differenceOf(each).empty(), (nameOf(type) + " " + shape.axes + ": " + differenceOf(each)).c_str());
      }
    }
  }

  // The type's own ends, and what is not a number.
  void extremes() {
    for (const ElementType type :
         {ElementType::kInt8, ElementType::kUint8, ElementType::kBool, ElementType::kUint32, ElementType::kUint64}) {
      for (const char* name : {"ReduceMax", "ReduceMin"}) {
        for (const Reduced& shape : kShapes) {
          const CudaCase each{.nodes = std::string("y = ") + name + " (x, axes)",
                              .inputs = {{"x", randomOf(type, shape.dims, 3, 0, 100)}},
                              .outputs = nameOf(type) + " y",
                              .constants = "int64[" +
                                           std::to_string(1 + std::count(shape.axes.begin(), shape.axes.end(), ',')) +
                                           "] axes = " + shape.axes};
          QVERIFY2(differenceOf(each).empty(),
                   (nameOf(type) + " " + name + shape.axes + ": " + differenceOf(each)).c_str());
        }
      }
    }
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    for (const char* name : {"ReduceMax", "ReduceMin", "ReduceLogSumExp", "ReduceSum"}) {
      const CudaCase each{.nodes = std::string("y = ") + name + " (x, axes)",
                          .inputs = {{"x", tensorOf(ElementType::kFloat, {5, 3},
                                                    {1, nan, 2, -inf, -inf, -inf, inf, 0, 1, 5, 5, 5, -inf, 1, inf})}},
                          .constants = "int64[1] axes = {1}"};
      QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
    }
  }

  // Few outputs over many elements are cut into segments; rows and columns.
  void segments() {
    for (const ElementType type : {ElementType::kFloat, ElementType::kFloat16, ElementType::kInt32}) {
      for (const Reduced& shape :
           {Reduced{{40000}, "{0}"}, Reduced{{3, 20001}, "{1}"}, Reduced{{2, 65536}, "{1}"}, Reduced{{5000, 3}, "{0}"},
            Reduced{{2, 700, 5, 3}, "{1, 2}"}, Reduced{{33, 8, 100}, "{0, 2}"}}) {
        for (const char* name : {"ReduceMean", "ReduceMax", "ReduceL2"}) {
          CudaCase each{.nodes = std::string("y = ") + name + " (x, axes)",
                        .inputs = {{"x", randomOf(type, shape.dims, 5, -2, 3)}},
                        .outputs = nameOf(type) + " y",
                        .constants = "int64[" +
                                     std::to_string(1 + std::count(shape.axes.begin(), shape.axes.end(), ',')) +
                                     "] axes = " + shape.axes};
          if (type == ElementType::kFloat16) each.options = "strict=1,blocks=forward";
          QVERIFY2(differenceOf(each).empty(),
                   (nameOf(type) + " " + name + shape.axes + ": " + differenceOf(each)).c_str());
        }
      }
    }
  }

  void einsum() {
    const auto of = [](std::vector<int64_t> dims, uint32_t seed) { return randomOf(ElementType::kFloat, dims, seed); };
    const auto two = [&](const std::string& equation, std::vector<int64_t> a, std::vector<int64_t> b) {
      return QString::fromStdString(differenceOf({.nodes = "y = Einsum <equation = \"" + equation + "\"> (a, b)",
                                                  .inputs = {{"a", of(a, 1)}, {"b", of(b, 2)}}}));
    };
    QCOMPARE(two("b h i d, b h j d -> b h i j", {2, 3, 4, 5}, {2, 3, 6, 5}), QString());
    QCOMPARE(two("bqhd,bkhd->bhqk", {2, 3, 4, 5}, {2, 6, 4, 5}), QString());
    QCOMPARE(two("...ij,jk", {2, 3, 4}, {4, 5}), QString());
    QCOMPARE(two("i,j->ij", {70}, {3}), QString());
    QCOMPARE(two("ij,jk->", {3, 4}, {4, 200}), QString());
    QCOMPARE(QString::fromStdString(differenceOf(
                 {.nodes = "y = Einsum <equation = \"bii->bi\"> (a)", .inputs = {{"a", of({2, 4, 4}, 1)}}})),
             QString());
  }

  void attributes() {
    const auto x = randomOf(ElementType::kFloat, {2, 3, 4}, 1);
    QCOMPARE(QString::fromStdString(differenceOf(
                 {.nodes = "y = ReduceSum <axes = [0, -1], keepdims = 0> (x)", .inputs = {{"x", x}}, .opset = 11})),
             QString());
    QCOMPARE(QString::fromStdString(
                 differenceOf({.nodes = "y = ReduceMax <axes = [1]> (x)", .inputs = {{"x", x}}, .opset = 13})),
             QString());
    QCOMPARE(QString::fromStdString(differenceOf({.nodes = "y = ReduceMean (x)", .inputs = {{"x", x}}, .opset = 13})),
             QString());
    QCOMPARE(QString::fromStdString(differenceOf(
                 {.nodes = "y = ReduceSumSquare <noop_with_empty_axes = 1> (x)", .inputs = {{"x", x}}, .opset = 18})),
             QString());
    QCOMPARE(QString::fromStdString(differenceOf({.nodes = "y = ReduceL1 (x)", .inputs = {{"x", x}}, .opset = 18})),
             QString());
    QVERIFY(errorOf({.nodes = "y = ReduceSum <axes = [3]> (x)", .inputs = {{"x", x}}, .opset = 11}).find("3") !=
            std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestCudaReduce)
#include "tst_cuda_reduce.moc"
