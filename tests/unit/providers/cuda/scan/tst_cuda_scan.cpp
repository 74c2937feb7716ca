// CumSum, CumProd, TopK, NonZero and Trilu on the emulator against cpu, with blocks of one thread and of many.
#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

const std::vector<std::string> kBlocks = {"strict=1", "strict=1,blocks=forward", "strict=1,blocks=backward"};
std::string nameOf(ElementType type) {
  return std::string(elementTypeName(type));
}

#define FITS(each) \
  QVERIFY2(differenceOf(each).empty(), ((each).nodes + " " + nameOf(type) + ": " + differenceOf(each)).c_str())

}  // namespace

class TestCudaScan : public QObject {
  Q_OBJECT
 private slots:
  void cumulative() {
    for (const ElementType type :
         {ElementType::kFloat, ElementType::kFloat16, ElementType::kDouble, ElementType::kInt32, ElementType::kInt64}) {
      for (const char* attributes : {"", "<exclusive = 1>", "<reverse = 1>", "<exclusive = 1, reverse = 1>"}) {
        for (const auto& dims : {std::vector<int64_t>{3, 4, 5}, {2, 300, 3}, {2, 200}, {0, 3}}) {
          for (const char* axis : {"0", "1"}) {
            CudaCase each{.nodes = std::string("y = CumSum ") + attributes + " (x, a)",
                          .inputs = {{"x", randomOf(type, dims, 1, -2, 3)}},
                          .outputs = nameOf(type) + " y",
                          .constants = std::string("int64 a = {") + axis + "}"};
            each.options = kBlocks[type == ElementType::kFloat ? 1 : 0];
            FITS(each);
          }
        }
      }
    }
    const ElementType type = ElementType::kFloat;
    FITS((CudaCase{.nodes = "y = CumProd <exclusive = 1> (x, a)",
                   .inputs = {{"x", randomOf(type, {3, 40}, 1, 0.9, 1.1)}},
                   .constants = "int64 a = {1}",
                   .opset = 26}));
  }

  void best() {
    for (const ElementType type :
         {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16, ElementType::kDouble, ElementType::kInt8,
          ElementType::kUint8, ElementType::kInt32, ElementType::kInt64, ElementType::kUint64}) {
      for (const char* attributes : {"axis = -1", "axis = 0", "axis = 1, largest = 0", "sorted = 0"}) {
        for (const auto& dims : {std::vector<int64_t>{6, 7, 8}, {5, 33}, {3, 3}}) {
          CudaCase each{.nodes = std::string("y, i = TopK <") + attributes + "> (x, k)",
                        .inputs = {{"x", randomOf(type, dims, 1, 0, 20)}},
                        .outputs = nameOf(type) + " y, int64 i",
                        .constants = "int64[1] k = {3}",
                        .opset = type == ElementType::kBfloat16 ? 24 : 21};
          each.options = kBlocks[type == ElementType::kFloat ? 1 : type == ElementType::kInt64 ? 2 : 0];
          FITS(each);
        }
      }
    }
  }
  // Long lines: found digit by digit, and sorted in scratch; with many equal elements.
  void bestOfMany() {
    for (const ElementType type : {ElementType::kFloat, ElementType::kInt64, ElementType::kInt8}) {
      for (const char* k : {"1", "50", "9000"}) {
        for (const char* largest : {"0", "1"}) {
          for (const double high : {9.0, 1e6}) {
            if (type == ElementType::kInt8 && high > 100) continue;
            CudaCase each{.nodes = std::string("y, i = TopK <largest = ") + largest + "> (x, k)",
                          .inputs = {{"x", randomOf(type, {2, 10001}, 1, 0, high)}},
                          .outputs = nameOf(type) + " y, int64 i",
                          .constants = std::string("int64[1] k = {") + k + "}",
                          .options = kBlocks[std::string(k) == "50" ? 1 : 0]};
            FITS(each);
          }
        }
      }
    }
  }
  void strangeNumbers() {
    const ElementType type = ElementType::kFloat;
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    for (const char* largest : {"0", "1"}) {
      FITS((CudaCase{.nodes = std::string("y, i = TopK <largest = ") + largest + "> (x, k)",
                     .inputs = {{"x", tensorOf(type, {8}, {0.0, -0.0, inf, -inf, nan, 1, -1, nan})}},
                     .outputs = "float y, int64 i",
                     .constants = "int64[1] k = {8}"}));
    }
  }

  void nonZero() {
    for (const ElementType type : {ElementType::kFloat, ElementType::kFloat16, ElementType::kBool, ElementType::kInt32,
                                   ElementType::kInt64, ElementType::kUint8}) {
      for (const auto& dims : {std::vector<int64_t>{3, 4, 5}, {100, 130}, {7}, {0, 3}}) {
        for (const std::string& blocks : kBlocks)
          FITS((CudaCase{.nodes = "y = NonZero (x)",
                         .inputs = {{"x", randomOf(type, dims, 1, 0, 2)}},
                         .outputs = "int64 y",
                         .options = blocks}));
      }
    }
    const ElementType type = ElementType::kFloat;
    FITS((CudaCase{
        .nodes = "y = NonZero (x)", .inputs = {{"x", tensorOf(type, {2, 2}, {0, -0.0, 0, 0})}}, .outputs = "int64 y"}));
  }

  void triangles() {
    for (const ElementType type :
         {ElementType::kFloat, ElementType::kFloat16, ElementType::kBool, ElementType::kInt64}) {
      for (const char* k : {"0", "1", "-2", "9"}) {
        for (const char* upper : {"0", "1"}) {
          FITS((CudaCase{.nodes = std::string("y = Trilu <upper = ") + upper + "> (x, k)",
                         .inputs = {{"x", randomOf(type, {2, 4, 5}, 1, 0, 3)}},
                         .outputs = nameOf(type) + " y",
                         .constants = std::string("int64 k = {") + k + "}"}));
        }
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestCudaScan)
#include "tst_cuda_scan.moc"
