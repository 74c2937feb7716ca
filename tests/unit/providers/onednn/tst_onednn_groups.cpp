// Compiled groups give what the cpu provider gives: chains, residuals, blocked concatenations, open shapes, several threads.
#include <QtTest/QtTest>

#include <cmath>
#include <random>

#include "providers/cpu/provider.h"
#include "providers/onednn/provider.h"
#include "tests/unit/engine/runtime/text_session.h"

using namespace cutaway;

namespace {

// "float[2,3] name = {...}" with seeded numbers.
std::string weights(const char* name, std::initializer_list<int64_t> dims, unsigned seed, float low = -0.5f, float high = 0.5f) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> number(low, high);
  std::string shape, values;
  int64_t count = 1;
  for (const int64_t dim : dims) {
    shape += fmt::format("{}{}", shape.empty() ? "" : ",", dim);
    count *= dim;
  }
  for (int64_t i = 0; i < count; ++i) values += fmt::format("{}{:.5f}", i == 0 ? "" : ",", number(generator));
  return fmt::format("float[{}] {} = {{{}}}", shape, name, values);
}

struct Ran {
  std::vector<float> numbers;
  int compiled = 0;     // nodes of this provider after partitioning
  std::string variant;
};

Result<Ran> runWith(const std::string& text, const std::string& providers, std::initializer_list<int64_t> dims, int threads, int level = 0) {
  const ProviderTable table{onednnProvider(), cpuProvider()};
  SessionOptions options;
  options.providers = {providers};
  options.threads = threads;
  options.optimizationLevel = level;
  CUTAWAY_TRY(const auto session, textSession(text, options, {}, &table));
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<float> values(static_cast<size_t>(elementCount({dims.begin(), dims.size()})));
  for (float& value : values) value = number(generator);
  Ran ran;
  for (int again = 0; again < 2; ++again) {
    CUTAWAY_TRY(const RunResult result, session->run({floatFeed("x", dims, values)}, {}));
    ran.numbers.clear();
    for (const Feed& output : result.outputs) {
      const std::vector<float> floats = floatsOf(output.value);
      ran.numbers.insert(ran.numbers.end(), floats.begin(), floats.end());
    }
  }
  for (const NodeId id : session->model().graph.nodeIds()) ran.compiled += session->model().graph.node(id).provider == "onednn" ? 1 : 0;
  return ran;
}

double worst(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size() || a.empty()) return 1e9;
  double error = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = std::fabs(static_cast<double>(a[i]) - b[i]) / (1e-2 + std::fabs(b[i]));
    error = std::isnan(difference) ? 1e9 : std::max(error, difference);
  }
  return error;
}

std::string model(const char* type, const std::string& constants, const char* body) {
  return fmt::format("<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[{}] x) => (float y) <{}> {{\n{}\n}}", type, constants, body);
}

}  // namespace

class TestOnednnGroups : public QObject {
  Q_OBJECT
 private slots:
  void sameAsCpu_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("rows");
    const auto add = [](const char* name, const std::string& text, int channels, int rows) { QTest::newRow(name) << QByteArray::fromStdString(text) << channels << rows; };
    const std::string c1 = weights("w1", {32, 16, 3, 3}, 1), c2 = weights("w2", {32, 32, 1, 1}, 2), c3 = weights("w3", {32, 16, 1, 1}, 3);
    add("convolution and relu", model("2,16,9,9", c1, "h = Conv <pads = [1,1,1,1]> (x, w1)\ny = Relu (h)"), 16, 9);
    add("activation chain", model("2,16,9,9", c1, "h = Conv (x, w1)\na = HardSigmoid (h)\ny = Mul (h, a)"), 16, 9);
    add("residual", model("2,16,9,9", c1 + ", " + c2 + ", " + c3,
                          "a = Conv <pads = [1,1,1,1]> (x, w1)\nr = Relu (a)\nb = Conv (r, w2)\ns = Conv (x, w3)\nt = Add (b, s)\ny = Relu (t)"), 16, 9);
    add("residual of an input used again", model("2,16,9,9", weights("w1", {16, 16, 3, 3}, 1), "a = Conv <pads = [1,1,1,1]> (x, w1)\nt = Add (x, a)\nu = Mul (t, a)\ny = Sub (u, x)"), 16, 9);
    add("blocked concatenation", model("2,16,9,9", c1 + ", " + c3, "a = Conv <pads = [1,1,1,1]> (x, w1)\nb = Conv (x, w3)\nc = Concat <axis = 1> (a, b, x)\ny = MaxPool <kernel_shape = [3,3], strides = [2,2]> (c)"), 16, 9);
    add("batch normalisation", model("2,16,9,9", weights("s", {16}, 4) + ", " + weights("o", {16}, 5) + ", " + weights("m", {16}, 6) + ", " + weights("v", {16}, 7, 0.5f, 2) + ", " + c1,
                                     "n = BatchNormalization (x, s, o, m, v)\nr = Relu (n)\ny = Conv (r, w1)"), 16, 9);
    add("padded blocks", model("2,5,9,9", weights("w1", {7, 5, 3, 3}, 1) + ", " + weights("w2", {3, 7, 3, 3}, 2), "a = Conv (x, w1)\nr = Tanh (a)\nb = Conv (r, w2)\ny = Sigmoid (b)"), 5, 9);
    add("affine behind batch normalisation", model("2,16,9,9", weights("s", {16}, 4) + ", " + weights("o", {16}, 5) + ", " + weights("m", {16}, 6) + ", " + weights("v", {16}, 7, 0.5f, 2) + ", " + weights("f", {16, 1, 1}, 8) + ", " +
                                                     weights("g", {1, 16, 1, 1}, 9) + ", " + c1, "n = BatchNormalization (x, s, o, m, v)\np = Mul (f, n)\nq = Add (p, g)\nr = Relu (q)\ny = Conv (r, w1)"), 16, 9);
    add("one row", model("2,16,9,9", weights("w", {32, 10}, 8) + ", " + weights("t", {12, 10}, 10) + ", " + weights("c", {12}, 9) + ", " + c3 + ", int64[1] a = {0}",
                         "h = Conv (x, w3)\ng = GlobalMaxPool (h)\ne = ReduceSum <keepdims = 1> (g, a)\nf = Flatten (e)\np = MatMul (f, w)\nr = Relu (p)\ny = Gemm <transB = 1> (r, t, c)"), 16, 9);
    add("groups", model("2,16,9,9", weights("w1", {32, 4, 3, 3}, 1) + ", " + weights("w2", {32, 1, 3, 3}, 2), "a = Conv <group = 4> (x, w1)\ny = Conv <group = 32> (a, w2)"), 16, 9);
    add("transposed", model("2,16,9,9", weights("w1", {16, 6, 3, 3}, 1), "a = ConvTranspose <strides = [2,2], pads = [1,1,1,1], output_padding = [1,1]> (x, w1)\ny = Relu (a)"), 16, 9);
    add("pools", model("2,16,9,9", c2 + ", " + c3, "a = Conv (x, w3)\nb = AveragePool <kernel_shape = [3,3], pads = [1,1,1,1]> (a)\nc = Conv (b, w2)\ny = GlobalAveragePool (c)"), 16, 9);
    add("flattened product", model("2,16,9,9", c3 + ", " + weights("w", {32, 10}, 8) + ", " + weights("c", {10}, 9),
                                   "a = Conv (x, w3)\ng = GlobalMaxPool (a)\nf = Flatten (g)\np = Gemm <alpha = 0.5, beta = 2.0> (f, w, c)\ny = Softmax (p)"), 16, 9);
    add("products", model("2,16,9,9", weights("w", {9, 12}, 8) + ", " + weights("c", {12}, 9), "a = MatMul (x, w)\nb = Add (a, c)\ny = LeakyRelu (b)"), 16, 9);
    add("product of two activations", model("2,16,9,9", weights("c", {1}, 9), "t = Transpose <perm = [0,1,3,2]> (x)\na = MatMul (x, t)\nb = Mul (a, c)\ny = Softmax (b)"), 16, 9);
    add("normalised product", model("2,16,9,9", weights("s", {9}, 1) + ", " + weights("o", {9}, 2) + ", " + weights("w", {9, 9}, 3), "n = LayerNormalization (x, s, o)\np = MatMul (n, w)\ny = Add (p, x)"), 16, 9);
    add("reductions", model("2,16,9,9", c3, "a = Conv (x, w3)\nm = ReduceMean <axes = [2,3], keepdims = 0> (a)\nr = ReduceL2 <axes = [1]> (a)\ns = ReduceMean <axes = [2,3]> (r)\nf = Flatten (s)\ny = Add (m, f)"), 16, 9);
    add("several outputs", std::string("<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[2,16,9,9] x) => (float a, float b, float c) <") + c1 + "> {\na = Conv (x, w1)\nb = Relu (a)\nc = Identity (x)\n}", 16, 9);
    add("input that is an operand twice", model("2,16,9,9", c3, "a = Conv (x, w3)\nb = Add (a, a)\nc = Mul (b, a)\ny = Sub (c, b)"), 16, 9);
  }
  void sameAsCpu() {
    QFETCH(QByteArray, text);
    QFETCH(int, channels);
    QFETCH(int, rows);
    for (const int level : {0, 3}) {
      const auto expected = runWith(text.toStdString(), "cpu", {2, channels, rows, rows}, 1, level);
      QVERIFY2(expected, expected ? "" : describe(expected.error()).c_str());
      for (const char* options : {"onednn{claim_all=1}", "onednn{claim_all=1,fuse=0}"}) {
        for (const int threads : {1, 2}) {
          const auto found = runWith(text.toStdString(), options, {2, channels, rows, rows}, threads, level);
          QVERIFY2(found, found ? "" : describe(found.error()).c_str());
          QCOMPARE(found->compiled, 1);
          QVERIFY2(worst(found->numbers, expected->numbers) < 1e-3, fmt::format("level {}, {}: {}", level, options, worst(found->numbers, expected->numbers)).c_str());
        }
      }
    }
  }

  // Rounding may differ where a value lies half way between two steps; by no more than one step.
  void convolutionOnIntegers() {
    std::string bytes;
    for (int i = 0; i < 8 * 4 * 9; ++i) bytes += fmt::format("{}{}", i == 0 ? "" : ",", i * 37 % 101 - 50);
    std::string scales;
    for (int i = 0; i < 8; ++i) scales += fmt::format("{}{:.4f}", i == 0 ? "" : ",", 0.01 + 0.002 * i);
    const std::string constants = fmt::format("float sx = {{0.0078}}, uint8 zx = {{131}}, int8[8,4,3,3] w = {{{}}}, float[8] sw = {{{}}}, int8[8] zw = {{0,0,0,0,0,0,0,0}}, float sy = {{0.05}}, uint8 zy = {{5}}, {}", bytes, scales,
                                              weights("b", {8}, 3));
    const std::string text = model("2,4,9,9", constants,
                                   "q = QuantizeLinear (x, sx, zx)\nd = DequantizeLinear (q, sx, zx)\nv = DequantizeLinear <axis = 0> (w, sw, zw)\nc = Conv (d, v, b)\nr = Relu (c)\n"
                                   "p = QuantizeLinear (r, sy, zy)\ny = DequantizeLinear (p, sy, zy)");
    for (const int level : {0, 3}) {
      const auto expected = runWith(text, "cpu", {2, 4, 9, 9}, 1, level);
      const auto found = runWith(text, "onednn{int8=1}", {2, 4, 9, 9}, 1, level);
      QVERIFY2(expected && found, found ? "" : describe(found.error()).c_str());
      QCOMPARE(found->compiled, 1);
      QCOMPARE(runWith(text, "onednn", {2, 4, 9, 9}, 1, level)->compiled, 0);
      QCOMPARE(found->numbers.size(), expected->numbers.size());
      int different = 0;
      for (size_t i = 0; i < found->numbers.size(); ++i) {
        const float steps = std::fabs(found->numbers[i] - expected->numbers[i]) / 0.05f;
        QVERIFY2(steps < 1.01f, fmt::format("level {}, element {}: {} instead of {}", level, i, found->numbers[i], expected->numbers[i]).c_str());
        different += steps > 0.5f ? 1 : 0;
      }
      QVERIFY2(different * 100 <= static_cast<int>(found->numbers.size()), fmt::format("{} elements differ by a step", different).c_str());
    }
  }

  void openShapesArePlannedWhenTheyAreSeen() {
    const std::string text = model("n,16,h,w", weights("w1", {8, 16, 3, 3}, 1), "a = Conv (x, w1)\nb = Relu (a)\ny = GlobalAveragePool (b)");
    for (const int64_t size : {5, 9, 5, 12}) {
      const auto expected = runWith(text, "cpu", {2, 16, size, size}, 1);
      const auto found = runWith(text, "onednn", {2, 16, size, size}, 1);
      QVERIFY2(found, found ? "" : describe(found.error()).c_str());
      QCOMPARE(found->compiled, 1);
      QVERIFY(worst(found->numbers, expected->numbers) < 1e-3);
    }
  }
};

QTEST_GUILESS_MAIN(TestOnednnGroups)
#include "tst_onednn_groups.moc"
