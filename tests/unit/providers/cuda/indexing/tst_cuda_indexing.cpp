// Gathers, scatters and their kin on the emulator against cpu: every word size and type, duplicates in order,
// indexes out of range told by node, sizes that depend on data.
#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Typed {
  ElementType type;
  const char* name;
};
constexpr Typed kSizes[] = {{ElementType::kInt8, "int8"},
                            {ElementType::kFloat16, "float16"},
                            {ElementType::kFloat, "float"},
                            {ElementType::kDouble, "double"}};
constexpr Typed kNumbers[] = {
    {ElementType::kFloat, "float"},       {ElementType::kDouble, "double"}, {ElementType::kFloat16, "float16"},
    {ElementType::kBfloat16, "bfloat16"}, {ElementType::kInt8, "int8"},     {ElementType::kUint8, "uint8"},
    {ElementType::kInt16, "int16"},       {ElementType::kUint16, "uint16"}, {ElementType::kInt32, "int32"},
    {ElementType::kUint32, "uint32"},     {ElementType::kInt64, "int64"},   {ElementType::kUint64, "uint64"}};

void agrees(const CudaCase& each) {
  QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
}

void fails(const CudaCase& each, const char* words) {
  const std::string error = errorOf(each);
  QVERIFY2(error.find(words) != std::string::npos, error.c_str());
}

// Indexes with duplicates, some from the end.
Tensor indexesOf(const std::vector<int64_t>& dims, int64_t bound, ElementType type = ElementType::kInt64) {
  return randomOf(type, dims, 7, static_cast<double>(-bound), static_cast<double>(bound));
}

}  // namespace

class TestCudaIndexing : public QObject {
  Q_OBJECT
 private slots:
  void gather() {
    for (const Typed& typed : kSizes) {
      for (const int axis : {0, 1, -1}) {
        const std::vector<int64_t> dims = {5, 6, 8};
        const int64_t bound = dims[static_cast<size_t>(axis < 0 ? 2 : axis)];
        for (const ElementType index : {ElementType::kInt64, ElementType::kInt32}) {
          agrees({.nodes = "y = Gather <axis = " + std::to_string(axis) + "> (x, i)",
                  .inputs = {{"x", randomOf(typed.type, dims, 1, -100, 100)}, {"i", indexesOf({2, 7}, bound, index)}},
                  .outputs = std::string(typed.name) + " y"});
        }
      }
    }
    agrees(
        {.nodes = "y = Gather (x, i)",
         .inputs = {{"x", randomOf(ElementType::kFloat, {4, 3}, 1)}, {"i", tensorOf(ElementType::kInt64, {}, {-1})}}});
    agrees(
        {.nodes = "y = Gather (x, i)",
         .inputs = {{"x", randomOf(ElementType::kFloat, {4, 3}, 1)}, {"i", tensorOf(ElementType::kInt64, {0}, {})}}});
  }
  void gatherElements() {
    for (const Typed& typed : kSizes) {
      for (const int axis : {0, 1, 2}) {
        const std::vector<int64_t> dims = {5, 6, 7};
        std::vector<int64_t> picks = {4, 6, 3};
        picks[static_cast<size_t>(axis)] = 9;
        agrees({.nodes = "y = GatherElements <axis = " + std::to_string(axis) + "> (x, i)",
                .inputs = {{"x", randomOf(typed.type, dims, 1, -100, 100)},
                           {"i", indexesOf(picks, dims[static_cast<size_t>(axis)])}},
                .outputs = std::string(typed.name) + " y"});
      }
    }
  }
  void gatherNd() {
    for (const Typed& typed : kSizes) {
      for (const int64_t width : {1, 2, 3}) {
        agrees({.nodes = "y = GatherND (x, i)",
                .inputs = {{"x", randomOf(typed.type, {4, 4, 8}, 1, -100, 100)}, {"i", indexesOf({3, 2, width}, 4)}},
                .outputs = std::string(typed.name) + " y"});
      }
      agrees({.nodes = "y = GatherND <batch_dims = 1> (x, i)",
              .inputs = {{"x", randomOf(typed.type, {3, 4, 5}, 1, -100, 100)}, {"i", indexesOf({3, 2, 1}, 4)}},
              .outputs = std::string(typed.name) + " y"});
    }
  }
  // Many updates to few places: the last one stays; reductions in their order, which for floats shows in the last bits.
  void scatterElements() {
    for (const char* reduction : {"none", "add", "mul", "min", "max"}) {
      for (const Typed& typed : kNumbers) {
        const bool isUnsigned = std::string(typed.name).starts_with("u");
        CudaCase each{
            .nodes = std::string("y = ScatterElements <axis = 1, reduction = \"") + reduction + "\"> (x, i, u)",
            .inputs = {{"x", randomOf(typed.type, {3, 5}, 1, isUnsigned ? 0 : -3, 3)},
                       {"i", indexesOf({3, 40}, 5)},
                       {"u", randomOf(typed.type, {3, 40}, 2, isUnsigned ? 0 : -3, 3)}},
            .outputs = std::string(typed.name) + " y",
            .relative = 0,
            .absolute = 0};
        agrees(each);
        each.options = "";
        agrees(each);
      }
    }
  }
  void scatterNd() {
    for (const char* reduction : {"none", "add", "max"}) {
      for (const Typed& typed : kSizes) {
        for (const int64_t width : {1, 2}) {
          std::vector<int64_t> updates = {30, 4, 6};
          if (width == 2) updates = {30, 6};
          agrees({.nodes = std::string("t = Identity (x)\ny = ScatterND <reduction = \"") + reduction + "\"> (t, i, u)",
                  .inputs = {{"x", randomOf(typed.type, {5, 4, 6}, 1, -3, 3)},
                             {"i", indexesOf({30, width}, 4)},
                             {"u", randomOf(typed.type, updates, 2, -3, 3)}},
                  .outputs = std::string(typed.name) + " y",
                  .relative = 0,
                  .absolute = 0});
        }
      }
    }
    agrees({.nodes = "y = ScatterND (x, i, u)",
            .inputs = {{"x", randomOf(ElementType::kFloat, {5, 4}, 1)},
                       {"i", tensorOf(ElementType::kInt64, {0, 1}, {})},
                       {"u", tensorOf(ElementType::kFloat, {0, 4}, {})}}});
  }
  void outOfRange() {
    const auto x = std::make_pair(std::string("x"), randomOf(ElementType::kFloat, {4, 3}, 1));
    fails({.nodes = "y = Gather (x, i)", .inputs = {x, {"i", tensorOf(ElementType::kInt64, {2}, {1, 4})}}},
          "(Gather): an index: 4 (element 1) is outside [0, 4)");
    fails({.nodes = "y = GatherElements (x, i)", .inputs = {x, {"i", tensorOf(ElementType::kInt64, {1, 2}, {1, -5})}}},
          "(GatherElements): an index: -5 (element 1) is outside [0, 4)");
    fails({.nodes = "y = GatherND (x, i)", .inputs = {x, {"i", tensorOf(ElementType::kInt64, {1, 2}, {1, 3})}}},
          "(GatherND): an index: 3 (element 1) is outside [0, 3)");
    fails({.nodes = "y = ScatterND (x, i, u)",
           .inputs = {x,
                      {"i", tensorOf(ElementType::kInt64, {1, 1}, {99})},
                      {"u", randomOf(ElementType::kFloat, {1, 3}, 1)}}},
          "(ScatterND): an index: 99 (element 0) is outside [0, 4)");
    fails({.nodes = "y = Compress <axis = 1> (x, c)",
           .inputs = {x, {"c", tensorOf(ElementType::kBool, {5}, {1, 0, 0, 0, 1})}}},
          "condition 4 is true beyond the 3 places of axis 1");
  }
  void oneHot() {
    for (const Typed& typed : kSizes) {
      for (const int axis : {-1, 0, 1}) {
        agrees({.nodes = "y = OneHot <axis = " + std::to_string(axis) + "> (i, d, v)",
                .inputs = {{"i", tensorOf(ElementType::kInt64, {2, 3}, {0, -1, 9, 4, -5, -6})},
                           {"v", randomOf(typed.type, {2}, 1, 1, 100)}},
                .outputs = std::string(typed.name) + " y",
                .constants = "int64[1] d = {5}"});
      }
    }
    agrees({.nodes = "y = OneHot (i, d, v)",
            .inputs = {{"i", tensorOf(ElementType::kFloat, {3}, {0, 2.7, -1})},
                       {"d", tensorOf(ElementType::kFloat, {}, {3})},
                       {"v", tensorOf(ElementType::kFloat, {2}, {0, 1})}}});
  }
  void compress() {
    for (const Typed& typed : kSizes) {
      const auto c = std::make_pair(std::string("c"), tensorOf(ElementType::kBool, {4}, {0, 1, 1, 0}));
      agrees({.nodes = "y = Compress <axis = 0> (x, c)",
              .inputs = {{"x", randomOf(typed.type, {4, 6}, 1, -100, 100)}, c},
              .outputs = std::string(typed.name) + " y"});
      agrees({.nodes = "y = Compress <axis = -1> (x, c)",
              .inputs = {{"x", randomOf(typed.type, {3, 5}, 1, -100, 100)}, c},
              .outputs = std::string(typed.name) + " y"});
      agrees({.nodes = "y = Compress (x, c)",
              .inputs = {{"x", randomOf(typed.type, {50, 61}, 1, -100, 100)},
                         {"c", randomOf(ElementType::kBool, {3050}, 1)}},
              .outputs = std::string(typed.name) + " y"});
    }
    agrees({.nodes = "y = Compress (x, c)",
            .inputs = {{"x", randomOf(ElementType::kFloat, {4}, 1)},
                       {"c", tensorOf(ElementType::kBool, {3}, {0, 0, 0})}}});
  }
  void tensorScatter() {
    for (const char* mode : {"linear", "circular"}) {
      CudaCase each{.nodes = std::string("y = TensorScatter <mode = \"") + mode + "\"> (x, u, i)",
                    .inputs = {{"x", randomOf(ElementType::kFloat16, {2, 3, 8, 4}, 1)},
                               {"u", randomOf(ElementType::kFloat16, {2, 3, 2, 4}, 2)},
                               {"i", tensorOf(ElementType::kInt64, {2}, {6, 3})}},
                    .outputs = "float16 y",
                    .opset = 24};
      agrees(each);
      each.inputs[2].second = tensorOf(ElementType::kInt64, {2}, {7, 3});
      if (std::string(mode) == "circular")
        agrees(each);
      else
        fails(each, "(TensorScatter): a write index: 7 (element 0) is outside [0, 7)");
    }
  }
  void nonMaxSuppression() {
    for (const int centre : {0, 1}) {
      for (const char* extra : {"", ", o", ", o, s"}) {
        CudaCase each{
            .nodes = "y = NonMaxSuppression <center_point_box = " + std::to_string(centre) + "> (b, p, m" + extra + ")",
            .inputs = {{"b", randomOf(ElementType::kFloat, {2, 90, 4}, 1, 0, 1)},
                       {"p", randomOf(ElementType::kFloat, {2, 3, 90}, 2)}},
            .outputs = "int64 y",
            .constants = "int64[1] m = {20}, float[1] o = {0.4}, float[1] s = {0.1}"};
        agrees(each);
        each.constants = "int64[1] m = {0}, float[1] o = {0.4}, float[1] s = {0.1}";
        agrees(each);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestCudaIndexing)
#include "tst_cuda_indexing.moc"
