// Quantising, and arithmetic on 8-bit integers, on the emulator against cpu: all types and layouts of scales,
// saturation, ties, not-a-number.
#include <cmath>

#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Typed {
  ElementType type;
  const char* name;
};
constexpr Typed kWhole[] = {{ElementType::kInt8, "int8"},
                            {ElementType::kUint8, "uint8"},
                            {ElementType::kInt16, "int16"},
                            {ElementType::kUint16, "uint16"}};
constexpr Typed kReal[] = {
    {ElementType::kFloat, "float"}, {ElementType::kFloat16, "float16"}, {ElementType::kBfloat16, "bfloat16"}};

void agrees(const CudaCase& each) {
  QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
}

}  // namespace

class TestCudaQuantize : public QObject {
  Q_OBJECT
 private slots:
  void quantize() {
    struct Layout {
      std::vector<int64_t> scale;
      std::string attributes;
    };
    const Layout layouts[] = {{{}, ""},
                              {{6}, "<axis = 1>"},
                              {{4}, "<axis = 0>"},
                              {{4, 2, 5}, "<axis = 1, block_size = 3>"},
                              {{4, 6, 2}, "<axis = -1, block_size = 3>"}};
    for (const Typed& real : kReal) {
      for (const Typed& whole : kWhole) {
        for (const Layout& layout : layouts) {
          const bool isUnsigned = whole.name[0] == 'u';
          const auto scale = std::make_pair(std::string("s"), randomOf(real.type, layout.scale, 2, 0.01, 0.1));
          const auto zero =
              std::make_pair(std::string("z"), randomOf(whole.type, layout.scale, 3, isUnsigned ? 0 : -9, 9));
          const double reach = 20;
          agrees({.nodes = "y = QuantizeLinear " + layout.attributes + " (x, s, z)",
                  .inputs = {{"x", randomOf(real.type, {4, 6, 5}, 1, -reach, reach)}, scale, zero},
                  .outputs = std::string(whole.name) + " y"});
          agrees({.nodes = "y = DequantizeLinear " + layout.attributes + " (x, s, z)",
                  .inputs = {{"x", randomOf(whole.type, {4, 6, 5}, 1, isUnsigned ? 0 : -120, 120)}, scale, zero},
                  .outputs = std::string(real.name) + " y",
                  .relative = 0,
                  .absolute = 0});
        }
      }
    }
  }
  void edges() {
    const double nan = std::nan(""), inf = INFINITY;
    agrees({.nodes = "y = QuantizeLinear (x, s)",
            .inputs = {{"x", tensorOf(ElementType::kFloat, {9}, {0.5, 1.5, 2.5, -0.5, nan, inf, -inf, 1e30, 255.4})},
                       {"s", tensorOf(ElementType::kFloat, {}, {1})}},
            .outputs = "uint8 y"});
    agrees({.nodes = "y = DequantizeLinear (x, s, z)",
            .inputs = {{"x", tensorOf(ElementType::kInt32, {3}, {2000000001, -5, 16777217})},
                       {"s", tensorOf(ElementType::kFloat, {}, {0.5})},
                       {"z", tensorOf(ElementType::kInt32, {}, {2000000000})}},
            .relative = 0,
            .absolute = 0});
    agrees({.nodes = "y = QuantizeLinear (x, s)",
            .inputs = {{"x", tensorOf(ElementType::kFloat, {0, 3}, {})}, {"s", tensorOf(ElementType::kFloat, {}, {1})}},
            .outputs = "uint8 y"});
  }
  void packed() {
    for (const char* type : {"int4", "uint4"}) {
      for (const int64_t length : {7, 8}) {
        const std::string constants =
            std::string(type) + "[1] z = {" + (type[0] == 'u' ? "3" : "-2") + "}, float[1] s = {0.25}";
        agrees({.nodes = "q = QuantizeLinear (x, s, z)\ny = DequantizeLinear (q, s, z)",
                .inputs = {{"x", randomOf(ElementType::kFloat, {3, length}, 1, -4, 4)}},
                .constants = constants});
      }
    }
  }
  void dynamic() {
    for (const int64_t count : {1, 7, 20000}) {
      agrees({.nodes = "y, s, z = DynamicQuantizeLinear (x)",
              .inputs = {{"x", randomOf(ElementType::kFloat, {count}, 1, -3, 5)}},
              .outputs = "uint8 y, float s, uint8 z"});
    }
  }
  void arithmetic() {
    for (const Typed& typed : {Typed{ElementType::kUint8, "uint8"}, {ElementType::kInt8, "int8"}}) {
      const bool isUnsigned = typed.name[0] == 'u';
      const auto bytes = [&](const char* name, const std::vector<int64_t>& dims) {
        return std::make_pair(std::string(name),
                              randomOf(typed.type, dims, 3, isUnsigned ? 0 : -128, isUnsigned ? 255 : 127));
      };
      const std::string constants = std::string("float s = {0.05}, float t = {0.11}, ") + typed.name + " z = {" +
                                    (isUnsigned ? "120" : "-7") + "}";
      const auto run = [&](const std::string& node, std::vector<std::pair<std::string, Tensor>> inputs,
                           double absolute = 0) {
        agrees({.nodes = node,
                .inputs = std::move(inputs),
                .outputs = std::string(typed.name) + " y",
                .constants = constants,
                .domains = {{"com.microsoft", 1}},
                .relative = 0,
                .absolute = absolute});
      };
      run("y = com.microsoft.QLinearAdd (a, s, z, b, t, z, t, z)", {bytes("a", {3, 4, 5}), bytes("b", {4, 1})});
      run("y = com.microsoft.QLinearMul (a, s, z, b, t, z, t, z)", {bytes("a", {3, 1, 5}), bytes("b", {4, 5})});
      run("y = com.microsoft.QLinearAdd (a, s, \"\", b, t, z, t)", {bytes("a", {33}), bytes("b", {})});
      run("y = com.microsoft.QLinearSigmoid (a, s, z, t, z)", {bytes("a", {259})});
      run("y = com.microsoft.QLinearLeakyRelu <alpha = 0.2> (a, s, z, t, z)", {bytes("a", {259})});
      run("y = com.microsoft.QLinearSoftmax <axis = 1, opset = 13> (a, s, z, t, z)", {bytes("a", {3, 40, 2})}, 1);
      run("y = com.microsoft.QLinearConcat <axis = 1> (s, z, a, t, z, b, s, z)",
          {bytes("a", {3, 4, 5}), bytes("b", {3, 2, 5})});
      run("y = com.microsoft.QLinearGlobalAveragePool (a, s, z, t, z)", {bytes("a", {2, 3, 7, 5})});
      run("y = com.microsoft.QLinearGlobalAveragePool <channels_last = 1> (a, s, z, t, z)", {bytes("a", {2, 7, 5, 3})});
      for (const char* padding : {"0", "1"}) {
        run(std::string("y = com.microsoft.QLinearAveragePool <kernel_shape = [3, 2], strides = [2, 1], pads = [1, 0, "
                        "1, 1], count_include_pad = ") +
                padding + "> (a, s, z, t, z)",
            {bytes("a", {2, 3, 7, 5})});
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestCudaQuantize)
#include "tst_cuda_quantize.moc"
