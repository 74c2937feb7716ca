#include "tests/unit/providers/onednn/group_cases.h"

#include <functional>
#include <random>

#include <spdlog/fmt/fmt.h>

namespace cutaway {

std::string weightsText(const char* name, std::initializer_list<int64_t> dims, unsigned seed, float low, float high) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> number(low, high);
  std::string shape, values;
  int64_t count = 1;
  for (const int64_t dim : dims) {
    shape += fmt::format("{}{}", shape.empty() ? "" : ",", dim);
    count *= dim;
  }
  for (int64_t i = 0; i < count; ++i)
    values += fmt::format("{}{:.5f}", i == 0 ? "" : ",", number(generator));
  return fmt::format("float[{}] {} = {{{}}}", shape, name, values);
}

std::string modelText(const char* type, const std::string& constants, const char* body) {
  return fmt::format("<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[{}] x) => (float y) <{}> {{\n{}\n}}",
                     type, constants, body);
}

namespace {

using AddCase = std::function<void(const char* name, std::string text, int channels, int rows)>;

// Weights of several cases: 3x3, 1x1 behind it, 1x1 beside it.
struct CommonWeights {
  const std::string c1 = weightsText("w1", {32, 16, 3, 3}, 1), c2 = weightsText("w2", {32, 32, 1, 1}, 2),
                    c3 = weightsText("w3", {32, 16, 1, 1}, 3);
};

// Steps of our own among the primitives.
void addOwnCases(const AddCase& add) {
  const auto [c1, c2, c3] = CommonWeights();
  add("3x3 with a sum and an activation",
      modelText(
          "2,16,9,9", c1 + ", " + c3,
          "a = Conv (x, w3)\nb = Conv <pads = [1,1,1,1]> (x, w1)\ns = Add (a, b)\nl = LeakyRelu <alpha = 0.2> (s)\n"
          "y = Tanh (l)"),
      16, 9);
  add("transposed, bias and what follows",
      modelText("2,16,9,9", weightsText("w1", {16, 24, 4, 4}, 1) + ", " + weightsText("b", {24}, 2),
                "a = ConvTranspose <strides = [2,2], pads = [1,1,1,1]> (x, w1, b)\nr = Relu (a)\ny = Tanh (r)"),
      16, 9);
  add("transposed, windows side by side",
      modelText("2,16,9,9",
                weightsText("w1", {16, 24, 2, 2}, 1) + ", " + weightsText("b", {24}, 2) + ", " +
                    weightsText("w2", {24, 1, 3, 3}, 3),
                "a = ConvTranspose <strides = [2,2]> (x, w1, b)\nr = Relu (a)\n"
                "y = ConvTranspose <strides = [3,3]> (r, w2)"),
      16, 9);
  add("region that is not given",
      modelText("2,16,9,9", c2 + ", " + c3 + ", float[0] roi = {}, float[4] s = {1, 1, 2, 2}",
                "a = Conv (x, w3)\nr = Resize <mode = \"nearest\", coordinate_transformation_mode = \"asymmetric\", "
                "nearest_mode = \"floor\"> (a, roi, s)\ny = Conv (r, w2)"),
      16, 9);
  add("concatenations",
      modelText("2,16,9,9", c1 + ", " + c3 + ", " + weightsText("w4", {8, 80, 1, 1}, 5),
                "a = Conv <pads = [1,1,1,1]> (x, w1)\nb = Conv (x, w3)\nc = Concat <axis = 1> (x, b, a)\n"
                "d = Conv (c, w4)\ne = Concat <axis = 2> (d, d)\nf = Concat <axis = 0> (e, e)\ny = Relu (f)"),
      16, 9);
  add("swish of several kinds",
      modelText(
          "2,16,9,9", c1 + ", " + c2,
          "a = Conv <pads = [1,1,1,1]> (x, w1)\ns = Sigmoid (a)\nm = Mul (a, s)\nb = Conv (m, w2)\nt = Sigmoid (b)\n"
          "n = Mul (t, b)\nu = Sigmoid (n)\ny = Conv (u, w2)"),
      16, 9);
  add("3x3 with two sums",
      modelText(
          "2,16,9,9", c1 + ", " + c3 + ", " + weightsText("o", {32, 1, 1}, 4),
          "a = Conv (x, w3)\nb = Conv <pads = [1,1,1,1]> (x, w1)\ns = Add (a, b)\nt = Add (s, a)\ny = Add (t, o)"),
      16, 9);
}

void addNeighbourCases(const AddCase& add) {
  const auto [c1, c2, c3] = CommonWeights();
  add("convolution and relu", modelText("2,16,9,9", c1, "h = Conv <pads = [1,1,1,1]> (x, w1)\ny = Relu (h)"), 16, 9);
  add("activation chain", modelText("2,16,9,9", c1, "h = Conv (x, w1)\na = HardSigmoid (h)\ny = Mul (h, a)"), 16, 9);
  add("residual",
      modelText("2,16,9,9", c1 + ", " + c2 + ", " + c3,
                "a = Conv <pads = [1,1,1,1]> (x, w1)\nr = Relu (a)\nb = Conv (r, w2)\ns = Conv (x, w3)\nt = Add (b, "
                "s)\ny = Relu (t)"),
      16, 9);
  add("residual of an input used again",
      modelText("2,16,9,9", weightsText("w1", {16, 16, 3, 3}, 1),
                "a = Conv <pads = [1,1,1,1]> (x, w1)\nt = Add (x, a)\nu = Mul (t, a)\ny = Sub (u, x)"),
      16, 9);
  add("blocked concatenation",
      modelText("2,16,9,9", c1 + ", " + c3,
                "a = Conv <pads = [1,1,1,1]> (x, w1)\nb = Conv (x, w3)\nc = Concat <axis = 1> (a, b, x)\ny = MaxPool "
                "<kernel_shape = [3,3], strides = [2,2]> (c)"),
      16, 9);
  add("batch normalisation",
      modelText("2,16,9,9",
                weightsText("s", {16}, 4) + ", " + weightsText("o", {16}, 5) + ", " + weightsText("m", {16}, 6) + ", " +
                    weightsText("v", {16}, 7, 0.5f, 2) + ", " + c1,
                "n = BatchNormalization (x, s, o, m, v)\nr = Relu (n)\ny = Conv (r, w1)"),
      16, 9);
  add("padded blocks",
      modelText("2,5,9,9", weightsText("w1", {7, 5, 3, 3}, 1) + ", " + weightsText("w2", {3, 7, 3, 3}, 2),
                "a = Conv (x, w1)\nr = Tanh (a)\nb = Conv (r, w2)\ny = Sigmoid (b)"),
      5, 9);
  add("affine behind batch normalisation",
      modelText(
          "2,16,9,9",
          weightsText("s", {16}, 4) + ", " + weightsText("o", {16}, 5) + ", " + weightsText("m", {16}, 6) + ", " +
              weightsText("v", {16}, 7, 0.5f, 2) + ", " + weightsText("f", {16, 1, 1}, 8) + ", " +
              weightsText("g", {1, 16, 1, 1}, 9) + ", " + c1,
          "n = BatchNormalization (x, s, o, m, v)\np = Mul (f, n)\nq = Add (p, g)\nr = Relu (q)\ny = Conv (r, w1)"),
      16, 9);
  add("one row",
      modelText("2,16,9,9",
                weightsText("w", {32, 10}, 8) + ", " + weightsText("t", {12, 10}, 10) + ", " +
                    weightsText("c", {12}, 9) + ", " + c3 + ", int64[1] a = {0}",
                "h = Conv (x, w3)\ng = GlobalMaxPool (h)\ne = ReduceSum <keepdims = 1> (g, a)\nf = Flatten (e)\np = "
                "MatMul (f, w)\nr = Relu (p)\ny = Gemm <transB = 1> (r, t, c)"),
      16, 9);
}

void addOperatorCases(const AddCase& add) {
  const auto [c1, c2, c3] = CommonWeights();
  add("groups",
      modelText("2,16,9,9", weightsText("w1", {32, 4, 3, 3}, 1) + ", " + weightsText("w2", {32, 1, 3, 3}, 2),
                "a = Conv <group = 4> (x, w1)\ny = Conv <group = 32> (a, w2)"),
      16, 9);
  add("transposed",
      modelText("2,16,9,9", weightsText("w1", {16, 6, 3, 3}, 1),
                "a = ConvTranspose <strides = [2,2], pads = [1,1,1,1], output_padding = [1,1]> (x, w1)\ny = Relu (a)"),
      16, 9);
  add("pools",
      modelText("2,16,9,9", c2 + ", " + c3,
                "a = Conv (x, w3)\nb = AveragePool <kernel_shape = [3,3], pads = [1,1,1,1]> (a)\nc = Conv (b, w2)\ny = "
                "GlobalAveragePool (c)"),
      16, 9);
  add("flattened product",
      modelText("2,16,9,9", c3 + ", " + weightsText("w", {32, 10}, 8) + ", " + weightsText("c", {10}, 9),
                "a = Conv (x, w3)\ng = GlobalMaxPool (a)\nf = Flatten (g)\np = Gemm <alpha = 0.5, beta = 2.0> (f, w, "
                "c)\ny = Softmax (p)"),
      16, 9);
  add("products",
      modelText("2,16,9,9", weightsText("w", {9, 12}, 8) + ", " + weightsText("c", {12}, 9),
                "a = MatMul (x, w)\nb = Add (a, c)\ny = LeakyRelu (b)"),
      16, 9);
  add("transposed, larger than the kernel reaches",
      modelText(
          "2,16,9,9", weightsText("w1", {16, 6, 3, 3}, 1),
          "a = ConvTranspose <strides = [2,2], auto_pad = \"VALID\", output_shape = [20,20]> (x, w1)\ny = Relu (a)"),
      16, 9);
  add("product of two activations",
      modelText("2,16,9,9", weightsText("c", {1}, 9),
                "t = Transpose <perm = [0,1,3,2]> (x)\na = MatMul (x, t)\nb = Mul (a, c)\ny = Softmax (b)"),
      16, 9);
  add("normalised product",
      modelText("2,16,9,9",
                weightsText("s", {9}, 1) + ", " + weightsText("o", {9}, 2) + ", " + weightsText("w", {9, 9}, 3),
                "n = LayerNormalization (x, s, o)\np = MatMul (n, w)\ny = Add (p, x)"),
      16, 9);
  add("reductions",
      modelText("2,16,9,9", c3,
                "a = Conv (x, w3)\nm = ReduceMean <axes = [2,3], keepdims = 0> (a)\nr = ReduceL2 <axes = [1]> (a)\ns = "
                "ReduceMean <axes = [2,3]> (r)\nf = Flatten (s)\ny = Add (m, f)"),
      16, 9);
  add("reductions of axes of one element",
      modelText(
          "2,16,9,9", c3,
          "a = Conv (x, w3)\nr = ReduceL2 <axes = [1]> (a)\nq = ReduceSumSquare <axes = [1]> (r)\nn = ReduceL1 <axes = "
          "[1]> (q)\ne = ReduceLogSum <axes = [1], keepdims = 0> (n)\ny = Tanh (e)"),
      16, 9);
  add("windows of one place, far apart",
      modelText(
          "2,16,9,9", c3,
          "a = Conv (x, w3)\np = MaxPool <kernel_shape = [1,2], dilations = [20,3], strides = [2,1]> (a)\ny = Relu "
          "(p)"),
      16, 9);
  add("averages of one place, far apart",
      "<ir_version: 9, opset_import: [\"\" : 19]> main (float[2,16,9,9] x) => (float y) { a = Relu (x)\ny = "
      "AveragePool "
      "<kernel_shape = [1,2], dilations = [20,3], strides = [2,1]> (a) }",
      16, 9);
  add("several outputs",
      std::string(
          "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[2,16,9,9] x) => (float a, float b, float c) <") +
          c1 + "> {\na = Conv (x, w1)\nb = Relu (a)\nc = Identity (x)\n}",
      16, 9);
  add("input that is an operand twice",
      modelText("2,16,9,9", c3, "a = Conv (x, w3)\nb = Add (a, a)\nc = Mul (b, a)\ny = Sub (c, b)"), 16, 9);
}

}  // namespace

std::vector<GroupCase> groupCases() {
  std::vector<GroupCase> cases;
  const AddCase add = [&](const char* name, std::string text, int channels, int rows) {
    cases.push_back({name, std::move(text), channels, rows});
  };
  addNeighbourCases(add);
  addOwnCases(add);
  addOperatorCases(add);
  return cases;
}

std::string integerConvolution() {
  std::string bytes;
  for (int i = 0; i < 8 * 4 * 9; ++i)
    bytes += fmt::format("{}{}", i == 0 ? "" : ",", i * 37 % 101 - 50);
  std::string scales;
  for (int i = 0; i < 8; ++i)
    scales += fmt::format("{}{:.4f}", i == 0 ? "" : ",", 0.01 + 0.002 * i);
  const std::string constants = fmt::format(
      "float sx = {{0.0078}}, uint8 zx = {{131}}, int8[8,4,3,3] w = {{{}}}, float[8] sw = {{{}}}, int8[8] zw = "
      "{{0,0,0,0,0,0,0,0}}, float sy = {{0.05}}, uint8 zy = {{5}}, {}",
      bytes, scales, weightsText("b", {8}, 3));
  return modelText("2,4,9,9", constants,
                   "q = QuantizeLinear (x, sx, zx)\nd = DequantizeLinear (q, sx, zx)\nv = DequantizeLinear <axis = 0> "
                   "(w, sw, zw)\nc = Conv (d, v, b)\nr = Relu (c)\n"
                   "p = QuantizeLinear (r, sy, zy)\ny = DequantizeLinear (p, sy, zy)");
}

}  // namespace cutaway
