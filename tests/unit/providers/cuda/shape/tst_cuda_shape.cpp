// Operators that only move data, on the emulator against cpu: every word size, odd and even lengths, empty tensors,
// negative steps, more axes than a parameter block holds.
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

using List = std::vector<int64_t>;

std::string numbers(const std::vector<int64_t>& list) {
  std::string text;
  for (const int64_t number : list)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

std::string listConstant(const char* name, const std::vector<int64_t>& list) {
  return "int64[" + std::to_string(list.size()) + "] " + name + " = {" + numbers(list) + "}";
}

void agrees(const CudaCase& each) {
  QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
}

}  // namespace

class TestCudaShape : public QObject {
  Q_OBJECT
 private slots:
  void transpose() {
    struct Case {
      List dims;
      std::vector<int64_t> order;
    };
    const Case cases[] = {{{3, 5}, {1, 0}},
                          {{33, 65}, {1, 0}},
                          {{64, 64}, {1, 0}},
                          {{2, 40, 3, 9}, {0, 2, 1, 3}},
                          {{2, 12, 16, 8}, {0, 2, 1, 3}},
                          {{2, 3, 32, 40}, {0, 3, 1, 2}},
                          {{2, 9, 10, 34}, {0, 3, 2, 1}},
                          {{4, 1, 6}, {2, 1, 0}},
                          {{0, 4}, {1, 0}},
                          {{2, 3, 4}, {0, 1, 2}},
                          {{7}, {0}},
                          {{2, 2, 2, 2, 2}, {4, 2, 0, 3, 1}},
                          {{1, 3, 224}, {0, 2, 1}}};
    for (const Typed& typed : kSizes) {
      for (const Case& each : cases) {
        agrees({.nodes = "y = Transpose <perm = [" + numbers(each.order) + "]> (x)",
                .inputs = {{"x", randomOf(typed.type, each.dims, 3, -100, 100)}},
                .outputs = std::string(typed.name) + " y"});
      }
    }
  }
  // Ten axes, none of which merge: launches for the places of the first.
  void manyAxes() {
    agrees({.nodes = "y = Transpose <perm = [9, 7, 5, 3, 1, 8, 6, 4, 2, 0]> (x)",
            .inputs = {{"x", randomOf(ElementType::kFloat, {2, 2, 2, 2, 2, 2, 2, 2, 2, 3}, 3)}}});
    agrees({.nodes = "y = Tile (x, r)",
            .inputs = {{"x", randomOf(ElementType::kFloat, {2, 3, 2, 3, 2}, 3)}},
            .constants = listConstant("r", {2, 2, 2, 2, 3})});
  }
  void concat() {
    for (const Typed& typed : kSizes) {
      for (const int64_t axis : {0, 1, 2, -1}) {
        for (const List& second : {List{2, 3, 4}, List{2, 3, 5}, List{2, 3, 0}}) {
          List dims = {2, 3, 4};
          dims[static_cast<size_t>(axis < 0 ? 2 : axis)] = second[2];
          agrees({.nodes = "y = Concat <axis = " + std::to_string(axis) + "> (a, b, a)",
                  .inputs = {{"a", randomOf(typed.type, {2, 3, 4}, 1, -100, 100)},
                             {"b", randomOf(typed.type, dims, 2, -100, 100)}},
                  .outputs = std::string(typed.name) + " y"});
        }
      }
    }
  }
  // More parts than one launch takes.
  void manyParts() {
    std::string inputs, outputs, types;
    for (int i = 0; i < 70; ++i) {
      inputs += (i == 0 ? "" : ", ") + std::string(i % 3 == 0 ? "a" : "b");
      outputs += (i == 0 ? "y" : ", y") + std::to_string(i);
      types += (i == 0 ? "float y" : ", float y") + std::to_string(i);
    }
    agrees(
        {.nodes = "y = Concat <axis = 1> (" + inputs + ")",
         .inputs = {{"a", randomOf(ElementType::kFloat, {3, 2}, 1)}, {"b", randomOf(ElementType::kFloat, {3, 5}, 2)}}});
    agrees({.nodes = outputs + " = Split <axis = 1, num_outputs = 70> (x)",
            .inputs = {{"x", randomOf(ElementType::kFloat, {3, 140}, 1)}},
            .outputs = types});
  }
  void split() {
    for (const Typed& typed : kSizes) {
      for (const int axis : {0, 1}) {
        const std::string types = std::string(typed.name) + " a, " + typed.name + " b, " + typed.name + " c";
        agrees({.nodes = "a, b, c = Split <axis = " + std::to_string(axis) + "> (x, s)",
                .inputs = {{"x", randomOf(typed.type, {8, 8}, 1, -100, 100)}},
                .outputs = types,
                .constants = listConstant("s", {2, 0, 6})});
        agrees({.nodes = "a, b, c = Split <axis = " + std::to_string(axis) + ", num_outputs = 3> (x)",
                .inputs = {{"x", randomOf(typed.type, {7, 7}, 1, -100, 100)}},
                .outputs = types});
      }
    }
  }
  void slice() {
    struct Case {
      std::vector<int64_t> starts, ends, axes, steps;
    };
    const Case cases[] = {{{1, 2}, {4, 9}, {0, 1}, {1, 1}},        {{0, 0}, {100, 8}, {0, 1}, {1, 1}},
                          {{-1, -2}, {-100, 0}, {0, 1}, {-1, -2}}, {{0, 1}, {5, 100}, {1, 0}, {3, 2}},
                          {{4, 0}, {2, 8}, {0, 1}, {1, 1}},        {{3, 4}, {4, 8}, {0, 1}, {1, 1}}};
    for (const Typed& typed : kSizes) {
      for (const Case& each : cases) {
        agrees({.nodes = "y = Slice (x, s, e, a, t)",
                .inputs = {{"x", randomOf(typed.type, {5, 16}, 1, -100, 100)}},
                .outputs = std::string(typed.name) + " y",
                .constants = listConstant("s", each.starts) + ", " + listConstant("e", each.ends) + ", " +
                             listConstant("a", each.axes) + ", " + listConstant("t", each.steps)});
      }
    }
    agrees({.nodes = "y = Slice <starts = [1], ends = [-1], axes = [1]> (x)",
            .inputs = {{"x", randomOf(ElementType::kFloat, {3, 6}, 1)}},
            .opset = 9});
  }
  void repeats() {
    for (const Typed& typed : kSizes) {
      const std::string out = std::string(typed.name) + " y";
      for (const List& dims : {List{1}, List{3, 1}, List{1, 4}, List{2, 3, 4}, List{}}) {
        agrees({.nodes = "y = Expand (x, s)",
                .inputs = {{"x", randomOf(typed.type, dims, 1, -100, 100)}},
                .outputs = out,
                .constants = listConstant("s", {2, 3, 4})});
      }
      agrees({.nodes = "y = Tile (x, r)",
              .inputs = {{"x", randomOf(typed.type, {2, 1, 8}, 1, -100, 100)}},
              .outputs = out,
              .constants = listConstant("r", {1, 3, 2})});
      agrees({.nodes = "y = Tile (x, r)",
              .inputs = {{"x", randomOf(typed.type, {2, 3}, 1, -100, 100)}},
              .outputs = out,
              .constants = listConstant("r", {0, 2})});
    }
  }
  void pad() {
    for (const Typed& typed : kSizes) {
      for (const char* mode : {"constant", "edge", "reflect", "wrap"}) {
        for (const std::vector<int64_t>& pads : {std::vector<int64_t>{0, 1, 2, 0, 3, 1},
                                                 {0, 0, 8, 0, 0, 8},
                                                 {1, 0, 0, 1, 0, 0},
                                                 {0, -1, 2, 0, 2, -3},
                                                 {0, 0, 0, 0, 0, 0}}) {
          CudaCase each{.nodes = std::string("y = Pad <mode = \"") + mode + "\"> (x, p)",
                        .inputs = {{"x", randomOf(typed.type, {3, 4, 16}, 1, -100, 100)}},
                        .outputs = std::string(typed.name) + " y",
                        .constants = listConstant("p", pads)};
          agrees(each);
          each.nodes = std::string("y = Pad <mode = \"") + mode + "\"> (x, p, v)";
          each.inputs.push_back({"v", randomOf(typed.type, {}, 5, 1, 100)});
          agrees(each);
        }
      }
    }
    agrees({.nodes = "y = Pad (x, p, \"\", a)",
            .inputs = {{"x", randomOf(ElementType::kFloat, {3, 4}, 1)}},
            .constants = listConstant("p", {2, 1}) + ", " + listConstant("a", {-1})});
    agrees({.nodes = "y = Pad <pads = [0, 1, 0, 2], value = 1.5> (x)",
            .inputs = {{"x", randomOf(ElementType::kFloat, {3, 4}, 1)}},
            .opset = 10});
  }
  void views() {
    const std::vector<std::pair<std::string, Tensor>> x = {{"x", randomOf(ElementType::kFloat, {2, 1, 6}, 1)}};
    agrees({.nodes = "t = Relu (x)\ny = Reshape (t, s)", .inputs = x, .constants = listConstant("s", {0, -1})});
    agrees({.nodes = "t = Relu (x)\ny = Flatten <axis = -1> (t)", .inputs = x});
    agrees({.nodes = "t = Relu (x)\ny = Squeeze (t)", .inputs = x});
    agrees({.nodes = "t = Relu (x)\ny = Squeeze (t, a)", .inputs = x, .constants = listConstant("a", {-2})});
    agrees({.nodes = "t = Relu (x)\ny = Unsqueeze (t, a)", .inputs = x, .constants = listConstant("a", {0, -1})});
    agrees({.nodes = "y = Identity (x)", .inputs = x});
    agrees({.nodes = "t = Relu (x)\nu = Identity (t)\ny = Relu (u)", .inputs = x});
    const std::string error =
        errorOf({.nodes = "y = Reshape (x, s)", .inputs = {x[0], {"s", tensorOf(ElementType::kInt64, {2}, {5, -1})}}});
    QVERIFY2(error.find("12 elements of [2,1,6] cannot be reshaped to [5,-1]") != std::string::npos, error.c_str());
  }
  void madeOfLittle() {
    agrees({.nodes = "y = ConstantOfShape <value = float[1] {2.5}> (s)",
            .outputs = "float y",
            .constants = listConstant("s", {3, 5})});
    agrees({.nodes = "y = ConstantOfShape <value = int64[1] {-1}> (s)",
            .outputs = "int64 y",
            .constants = listConstant("s", {7})});
    agrees({.nodes = "y = ConstantOfShape (s)", .outputs = "float y", .constants = listConstant("s", {0, 5})});
    for (const int shift : {0, 1, -2, 9, -9})
      agrees({.nodes = "y = EyeLike <k = " + std::to_string(shift) + "> (x)",
              .inputs = {{"x", randomOf(ElementType::kFloat, {4, 6}, 1)}}});
    for (const Typed& typed : {Typed{ElementType::kFloat, "float"},
                               {ElementType::kDouble, "double"},
                               {ElementType::kInt16, "int16"},
                               {ElementType::kInt32, "int32"},
                               {ElementType::kInt64, "int64"}}) {
      agrees({.nodes = "y = Range (a, b, c)",
              .inputs = {{"a", tensorOf(typed.type, {}, {3})},
                         {"b", tensorOf(typed.type, {}, {-12})},
                         {"c", tensorOf(typed.type, {}, {-2})}},
              .outputs = std::string(typed.name) + " y"});
    }
  }
  void sizes() {
    // Of a value that is made on the device; of one that lies on the host, the placement leaves them there.
    agrees({.nodes = "h = Relu (x)\ny = Shape <start = 1> (h)\nz = Size (h)",
            .inputs = {{"x", randomOf(ElementType::kFloat, {2, 3, 4}, 1)}},
            .outputs = "int64 y, int64 z, float h"});
    agrees({.nodes = "y = Shape <start = 1> (x)\nz = Size (x)",
            .inputs = {{"x", randomOf(ElementType::kFloat, {2, 3, 4}, 1)}},
            .outputs = "int64 y, int64 z",
            .onProvider = "cpu"});
  }
  void reverseSequence() {
    for (const Typed& typed : kSizes) {
      for (const bool swapped : {false, true}) {
        const std::string axes = swapped ? "batch_axis = 0, time_axis = 1" : "batch_axis = 1, time_axis = 0";
        agrees({.nodes = "y = ReverseSequence <" + axes + "> (x, n)",
                .inputs = {{"x", randomOf(typed.type, swapped ? List{3, 5, 4} : List{5, 3, 4}, 1, -100, 100)},
                           {"n", tensorOf(ElementType::kInt64, {3}, {5, 0, 2})}},
                .outputs = std::string(typed.name) + " y"});
      }
    }
    const std::string error = errorOf({.nodes = "y = ReverseSequence (x, n)",
                                       .inputs = {{"x", randomOf(ElementType::kFloat, {5, 2}, 1)},
                                                  {"n", tensorOf(ElementType::kInt64, {2}, {2, 6})}}});
    QVERIFY2(error.find("a length: 6 (element 1) is outside [0, 6)") != std::string::npos, error.c_str());
    QVERIFY2(error.find("ReverseSequence") != std::string::npos, error.c_str());
  }
  // What does not fill whole bytes, or is no tensor, stays on the host, and the reason is told.
  void refused() {
    agrees({.nodes = "y = Transpose <perm = [1, 0]> (x)\nz = Cast <to = 1> (y)",
            .outputs = "float z",
            .constants = "int4[2,2] x = {1, -2, 3, 4}",
            .onProvider = ""});
  }
};

QTEST_GUILESS_MAIN(TestCudaShape)
#include "tst_cuda_shape.moc"
