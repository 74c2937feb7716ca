// Operations and bytes of nodes, against figures worked out by hand from the shapes.

#include <limits>

#include <QtTest/QtTest>

#include "engine/base/progress.h"
#include "engine/graph/text.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/stages/resolve/resolve.h"

using namespace cutaway;

namespace {

constexpr const char* kHeader =
    R"(<ir_version: 10, opset_import: ["" : 23, "com.microsoft" : 1, "ai.onnx.ml" : 3, "strange" : 1, "cutaway" : 1]> )";

Model resolvedModel(const QByteArray& text) {
  auto model = parseModelText((kHeader + text).toStdString());
  if (!model) qFatal("%s", describe(model.error()).c_str());
  Progress progress;
  const auto report = resolve::resolve(*model, {}, progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  return *std::move(model);
}

// Cost of the node called "n".
operators::NodeCost costOf(const QByteArray& text) {
  const Model model = resolvedModel(text);
  return operators::nodeCost(model.graph, model.graph.findNode("n"));
}

}  // namespace

class TestNodeCost : public QObject {
  Q_OBJECT

 private slots:
  void formulas_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("flops");
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const char* text, const char* flops, const char* bytes) {
      QTest::newRow(name) << QByteArray(text) << QByteArray(flops) << QByteArray(bytes);
    };
    row("MatMul", "g (float[b,s,64] x, float[64,32] w) => (y) { [n] y = MatMul (x, w) }", "4096*b*s", "384*b*s + 8192");
    row("Conv", "g (float[b,3,8,8] x, float[16,3,3,3] w) => (y) { [n] y = Conv <pads = [1,1,1,1]> (x, w) }", "55296*b",
        "4864*b + 1728");
    row("closed", "g (float[2,3] x) => (y) { [n] y = Relu (x) }", "6", "48");
    row("a view", "g (float[b,3] x) => (y) <int64[2] s = {3,-1}> { [n] y = Reshape (x, s) }", "0", "0");
    row("what it picks", "g (float[1000,8] x, int64[b] i) => (y) { [n] y = Gather (x, i) }", "0", "72*b");
    row("powers", "g (float[b,4,s,s] x) => (y) { [n] y = Relu (x) }", "4*b*s*s", "32*b*s*s");
    row("an unknown rank", "g (float[2] x, int64[k] s) => (y) { [n] y = Expand (x, s) }", "0", "?");
    row("what the engine puts between", "g (float[b,4] x) => (float[b,4] y) { [n] y = cutaway.Reorder (x) }", "0",
        "32*b");
    row("an unknown operator", "g (float[b] x) => (float[b] y) { [n] y = strange.Thing (x) }", "?", "8*b");
  }
  void formulas() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, flops);
    QFETCH(QByteArray, bytes);
    const Model model = resolvedModel(text);
    const operators::NodeFormulas formulas = operators::nodeFormulas(model.graph, model.graph.findNode("n"));
    QCOMPARE(QByteArray::fromStdString(formulas.flops ? formulas.flops->toText() : "?"), flops);
    QCOMPARE(QByteArray::fromStdString(formulas.movedBytes ? formulas.movedBytes->toText() : "?"), bytes);
    const operators::NodeCost cost = operators::nodeCost(model.graph, model.graph.findNode("n"));
    if (cost.flops >= 0) QCOMPARE(flops.toLongLong(), cost.flops);
  }

  void flops_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("expected");
    const auto row = [](const char* name, const char* text, qint64 flops) {
      QTest::newRow(name) << QByteArray(text) << flops;
    };
    products(row);
    attention(row);
    recurrence(row);
    windows(row);
    elementwise(row);
    open(row);
  }
  void flops() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, expected);
    QCOMPARE(qint64(costOf(text).flops), expected);
  }

  // For folding: flops, a bound, or what the bytes say.
  void work_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("expected");
    constexpr qint64 kNever = std::numeric_limits<qint64>::max();
    const auto row = [](const char* name, const char* text, qint64 work) {
      QTest::newRow(name) << QByteArray(text) << work;
    };
    row("flops", "g (float[2,3] x) => (y) { [n] y = Relu (x) }", 6);
    row("MaxRoiPool",
        "g (float[1,2,10,20] x, float[3,5] r) => (y) { [n] y = MaxRoiPool <pooled_shape = [2,4]> (x, r) }",
        3 * 2 * (10 + 4) * (20 + 8));
    row("RoiAlign whose boxes say how many samples",
        "g (float[1,2,4,4] x, float[3,4] b, int64[3] i) => (y) { [n] y = RoiAlign (x, b, i) }", kNever);
    row("TfIdfVectorizer",
        "g (int64[2,50] x) => (y) { [n] y = TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 3, "
        "max_skip_count = 9, ngram_counts = [0], ngram_indexes = [0], pool_int64s = [1]> (x) }",
        4 * 100 * (10 * 2 + 1));
    row("gaps end with the row",
        "g (int64[2,50] x) => (y) { [n] y = TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 2, "
        "max_skip_count = 1000, ngram_counts = [0], ngram_indexes = [0], pool_int64s = [1]> (x) }",
        4 * 100 * (49 + 1));
    row("SVMRegressor",
        "g (float[4,3] x) => (float[4,1] y) { [n] y = ai.onnx.ml.SVMRegressor <support_vectors = "
        "[1.0,2.0,3.0,4.0,5.0,6.0], coefficients = [0.5,0.5]> (x) }",
        4 * (2 * 6 + 18 * 2));
    row("TreeEnsembleRegressor",
        "g (float[7,3] x) => (float[7,1] y) { [n] y = ai.onnx.ml.TreeEnsembleRegressor <nodes_treeids = [0,0,0,1,1,1]> "
        "(x) }",
        7 * 4 * 3);
    row("a small one that nobody knows", "g (float[8] x) => (float[8] y) { [n] y = strange.Thing (x) }", 25 * 64);
    row("a large one", "g (float[20000] x) => (float[20000] y) { [n] y = strange.Thing (x) }", kNever);
    row("a large one that grows as its bytes do",
        "g (int64[20000] x) => (float[20000] y) { [n] y = ai.onnx.ml.LabelEncoder <keys_int64s = [5], values_floats = "
        "[0.5]> (x) }",
        25 * 240000);
  }
  void work() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, expected);
    const Model model = resolvedModel(text);
    QCOMPARE(qint64(operators::nodeWork(model.graph, model.graph.findNode("n"))), expected);
  }

  void bytes_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("moved");
    QTest::addColumn<qint64>("weights");
    const auto row = [](const char* name, const char* text, qint64 moved, qint64 weights) {
      QTest::newRow(name) << QByteArray(text) << moved << weights;
    };
    row("inputs and outputs", "g (float[2,3] x, float[3] z) => (float[2,3] y) { [n] y = Add (x, z) }", 24 + 12 + 24, 0);
    row("a constant is a weight", "g (float[2,3] x) => (y) <float[3] w = {1,2,3}> { [n] y = Add (x, w) }", 48, 12);
    row("one input twice is read once", "g (float[2,3] x) => (y) { [n] y = Mul (x, x) }", 48, 0);
    row("of many inputs each is read once",
        "g (float[2] x, float[1] z) => (y) <float[2] w = {1,2}> { [n] y = Concat <axis = 0> (x, w, z, x, w, z, x, w, "
        "z, "
        "x, w, z, x, w, z, x, w, z) }",
        8 + 4 + 120, 8);
    row("an overridable initializer is an activation",
        "g (float[2,3] x, float[3] w) => (y) <float[3] w = {1,2,3}> { [n] y = Add (x, w) }", 60, 0);
    row("nibbles are packed",
        "g (float[8] x, float[] s) => (uint4[8] y) <uint4[] z = {1}> { [n] y = QuantizeLinear (x, s, z) }", 32 + 4 + 4,
        1);
    row("a view moves nothing", "g (float[2,3] x) => (y) <int64[1] s = {6}> { [n] y = Reshape (x, s) }", 0, 8);
    row("a shape is all that Shape writes", "g (float[200,300] x) => (y) { [n] y = Shape (x) }", 16, 0);
    row("Gather reads the rows it takes", "g (float[100,4] x, int64[3] i) => (y) { [n] y = Gather (x, i) }",
        48 + 24 + 48, 0);
    row("Gather keeps its whole table", "g (int64[3] i) => (y) <float[4,1] w = {1,2,3,4}> { [n] y = Gather (w, i) }",
        24 + 12, 16);
    row("all outputs count", "g (float[2,4] x) => (a, b) { [n] a, b = Split <num_outputs = 2> (x) }", 64, 0);
    row("an open size", "g (float[n,3] x) => (y) <float[3] w = {1,2,3}> { [n] y = Add (x, w) }", -1, 12);
  }
  void bytes() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, moved);
    QFETCH(qint64, weights);
    const operators::NodeCost cost = costOf(text);
    QCOMPARE(qint64(cost.movedBytes), moved);
    QCOMPARE(qint64(cost.weightBytes), weights);
  }

 private:
  using Row = void (*)(const char*, const char*, qint64);
  static void products(const Row row) {
    row("MatMul", "g (float[2,3] a, float[3,5] b) => (y) { [n] y = MatMul (a, b) }", 2 * 2 * 5 * 3);
    row("MatMul of vectors", "g (float[7] a, float[7] b) => (y) { [n] y = MatMul (a, b) }", 2 * 7);
    row("MatMul that broadcasts", "g (float[4,1,2,3] a, float[6,3,5] b) => (y) { [n] y = MatMul (a, b) }",
        2 * (4 * 6 * 2 * 5) * 3);
    row("MatMul of nothing", "g (float[0,3] a, float[3,5] b) => (y) { [n] y = MatMul (a, b) }", 0);
    row("MatMulInteger", "g (uint8[2,3] a, uint8[3,5] b) => (y) { [n] y = MatMulInteger (a, b) }", 2 * 10 * 3);
    row("FusedMatMul",
        "g (float[3,2] a, float[3,5] b) => (y) { [n] y = com.microsoft.FusedMatMul <transA = 1> (a, b) }", 2 * 10 * 3);
    row("MatMulNBits",
        "g (float[4,64] a, uint8[16,2,16] b, float[32] s) => (y) { [n] y = com.microsoft.MatMulNBits <K = 64, N = 16, "
        "bits = 4, block_size = 32> (a, b, s) }",
        2 * 4 * 16 * 64);
    row("Gemm with bias", "g (float[2,3] a, float[5,3] b, float[5] c) => (y) { [n] y = Gemm <transB = 1> (a, b, c) }",
        10 * (2 * 3 + 1));
    row("Gemm turned round", "g (float[3,2] a, float[3,5] b) => (y) { [n] y = Gemm <transA = 1> (a, b) }", 10 * 2 * 3);
    row("Einsum as a product",
        "g (float[2,3] a, float[3,5] b) => (y) { [n] y = Einsum <equation = \"ij,jk->ik\"> (a, b) }", 2 * 2 * 3 * 5);
    row("Einsum with dots",
        "g (float[4,2,3] a, float[1,3,5] b) => (y) { [n] y = Einsum <equation = \"...ij,...jk->...ik\"> (a, b) }",
        2 * 4 * 2 * 3 * 5);
    row("Einsum that only multiplies",
        "g (float[2] a, float[5] b) => (y) { [n] y = Einsum <equation = \"i,j->ij\"> (a, b) }", 10);
    row("Einsum that only turns", "g (float[2,5] a) => (y) { [n] y = Einsum <equation = \"ij->ji\"> (a) }", 0);
    row("Conv", "g (float[1,3,8,8] x, float[4,3,3,3] w, float[4] b) => (y) { [n] y = Conv (x, w, b) }",
        4 * 6 * 6 * (2 * 27 + 1));
    row("Conv by groups",
        "g (float[1,4,8,8] x, float[4,1,3,3] w) => (y) { [n] y = Conv <group = 4, pads = [1,1,1,1]> (x, w) }",
        4 * 64 * 2 * 9);
    row("ConvTranspose",
        "g (float[1,2,4,4] x, float[2,3,2,2] w, float[3] b) => (y) { [n] y = ConvTranspose <strides = [2,2]> (x, w, b) "
        "}",
        2 * (2 * 16) * (3 * 4) + 3 * 64);
    row("QLinearConv",
        "g (uint8[1,1,4,4] x, float s, uint8 z, uint8[2,1,3,3] w, float t, uint8 u, float v, uint8 a) => (y) { [n] y = "
        "QLinearConv (x, s, z, w, t, u, v, a) }",
        2 * 4 * 2 * 9);
    row("ConvInteger", "g (uint8[1,1,4,4] x, uint8[2,1,3,3] w) => (y) { [n] y = ConvInteger (x, w) }", 2 * 4 * 2 * 9);
    row("Det", "g (float[5,3,3] x) => (y) { [n] y = Det (x) }", 5 * 9 * 3 * 2 / 3);
    row("LinearRegressor",
        "g (float[4,3] x) => (y) { [n] y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 2.0, 3.0]> (x) }",
        2 * 4 * 3);
  }
  static void attention(const Row row) {
    // B 2, heads 3, S 4, D 5; keys of length 6, values of size 7: scores 2*6*(2*3*4*5), sum 2*6*(2*3*4*7), 13 for each
    // of 2*3*4*6 scores.
    row("Attention", "g (float[2,3,4,5] q, float[2,3,6,5] k, float[2,3,6,7] v) => (y) { [n] y = Attention (q, k, v) }",
        2 * 6 * 120 + 2 * 6 * 168 + 13 * 144);
    row("Attention over three axes",
        "g (float[2,4,15] q, float[2,6,15] k, float[2,6,21] v) => (y) { [n] y = Attention <q_num_heads = 3, "
        "kv_num_heads = 3> (q, k, v) }",
        2 * 6 * 120 + 2 * 6 * 168 + 13 * 144);
    // tokens 8, hidden 6 in, 6 out: 8*18 values of 2*6+1; scores and sums 2*4*48 each; 13 for each of 2*2*4*4.
    row("com.microsoft Attention",
        "g (float[2,4,6] x, float[6,18] w, float[18] b) => (y) { [n] y = com.microsoft.Attention <num_heads = 2> (x, "
        "w, b) }",
        8 * 18 * 13 + 2 * 2 * 4 * 48 + 13 * 64);
    row("MultiHeadAttention",
        "g (float[2,4,6] q, float[2,5,6] k, float[2,5,6] v) => (y) { [n] y = com.microsoft.MultiHeadAttention "
        "<num_heads = 2> (q, k, v) }",
        2 * 2 * 5 * 48 + 13 * 2 * 2 * 4 * 5);
    row("MultiHeadAttention with a cache",
        "g (float[1,1,6] q, float[1,1,6] k, float[1,1,6] v, float[1,2,9,3] p, float[1,2,9,3] o) => (y, a, b) { [n] y, "
        "a, b = com.microsoft.MultiHeadAttention <num_heads = 2> (q, k, v, \"\", \"\", \"\", p, o) }",
        2 * 2 * 10 * 6 + 13 * 2 * 10);
    row("GroupQueryAttention",
        "g (float[1,2,8] q, float[1,2,4] k, float[1,2,4] v, float[1,1,6,4] p, float[1,1,6,4] o, int32[1] s, int32 t) "
        "=> (y, a, b) { [n] y, a, b = com.microsoft.GroupQueryAttention <num_heads = 2, kv_num_heads = 1> (q, k, v, p, "
        "o, s, t) }",
        4 * 8 * 16 + 13 * 4 * 8);
  }
  static void recurrence(const Row row) {
    // 3 steps of 2: weights 1*16*5 + 1*16*4 elements, twice; 4 units of 8 + 39 + 16 + 4 operations.
    row("LSTM",
        "g (float[3,2,5] x, float[1,16,5] w, float[1,16,4] r) => (y) { [n] y = LSTM <hidden_size = 4> (x, w, r) }",
        6 * (2 * (80 + 64) + 4 * 67));
    row("GRU both ways",
        "g (float[3,2,5] x, float[2,12,5] w, float[2,12,4] r) => (y) { [n] y = GRU <hidden_size = 4, direction = "
        "\"bidirectional\"> (x, w, r) }",
        6 * (2 * (120 + 96) + 2 * 4 * 45));
    row("RNN", "g (float[3,2,5] x, float[1,4,5] w, float[1,4,4] r) => (y) { [n] y = RNN <hidden_size = 4> (x, w, r) }",
        6 * (2 * (20 + 16) + 4 * 10));
  }
  static void windows(const Row row) {
    row("MaxPool", "g (float[1,2,8,8] x) => (y) { [n] y = MaxPool <kernel_shape = [2,2], strides = [2,2]> (x) }",
        2 * 16 * 4);
    row("LpPool of squares",
        "g (float[1,2,8,8] x) => (y) { [n] y = LpPool <kernel_shape = [2,2], strides = [2,2]> (x) }", 2 * 16 * 4);
    row("LpPool of cubes",
        "g (float[1,2,8,8] x) => (y) { [n] y = LpPool <kernel_shape = [2,2], strides = [2,2], p = 3> (x) }",
        2 * 16 * 4 * 17);
    row("GlobalLpPool", "g (float[1,2,8,8] x) => (y) { [n] y = GlobalLpPool (x) }", 2 * 128);
    row("GlobalLpPool of cubes", "g (float[1,2,8,8] x) => (y) { [n] y = GlobalLpPool <p = 3> (x) }", 17 * 128);
    row("CDist", "g (float[4,3] a, float[5,3] b) => (float[4,5] y) { [n] y = com.microsoft.CDist (a, b) }", 20 * 9);
    row("GlobalAveragePool", "g (float[1,2,8,8] x) => (y) { [n] y = GlobalAveragePool (x) }", 128);
    row("ReduceSum", "g (float[2,3,4] x) => (y) <int64[1] a = {1}> { [n] y = ReduceSum (x, a) }", 24);
    row("ReduceL2", "g (float[2,3,4] x) => (y) { [n] y = ReduceL2 (x) }", 48);
    row("LayerNormalization", "g (float[2,3] x, float[3] s) => (y) { [n] y = LayerNormalization (x, s) }", 48);
    row("SkipLayerNormalization with bias",
        "g (float[1,2,3] x, float[1,2,3] k, float[3] s, float[3] b, float[3] c) => (y) { [n] y = "
        "com.microsoft.SkipLayerNormalization (x, k, s, b, c) }",
        6 * 10);
    row("SkipSimplifiedLayerNormalization",
        "g (float[1,2,3] x, float[1,2,3] k, float[3] s) => (y) { [n] y = "
        "com.microsoft.SkipSimplifiedLayerNormalization (x, k, s) }",
        6 * 5);
    row("LRN", "g (float[1,4,2,2] x) => (y) { [n] y = LRN <size = 3> (x) }", 16 * (6 + 2 + 16 + 4));
    row("Softmax", "g (float[2,5] x) => (y) { [n] y = Softmax (x) }", 10 * 12);
    row("TopK", "g (float[2,100] x) => (v, i) <int64[1] k = {8}> { [n] v, i = TopK (x, k) }", 200 * 4);
    row("Resize nearest",
        "g (float[1,1,4,4] x) => (y) <float[4] s = {1,1,2,2}> { [n] y = Resize <mode = \"nearest\"> (x, \"\", s) }", 0);
    row("Resize linear",
        "g (float[1,1,4,4] x) => (y) <float[4] s = {1,1,2,2}> { [n] y = Resize <mode = \"linear\"> (x, \"\", s) }",
        64 * 8);
    row("Resize cubic along one axis",
        "g (float[1,1,4,4] x) => (y) <float[4] s = {1,1,1,2}> { [n] y = Resize <mode = \"cubic\"> (x, \"\", s) }",
        32 * 8);
    row("GridSample", "g (float[1,2,4,4] x, float[1,3,3,2] p) => (y) { [n] y = GridSample <mode = \"linear\"> (x, p) }",
        18 * 8);
    row("RoiAlign",
        "g (float[1,2,4,4] x, float[3,4] b, int64[3] i) => (y) { [n] y = RoiAlign <output_height = 5, output_width = "
        "7, sampling_ratio = 2> (x, b, i) }",
        3 * 2 * 5 * 7 * 4 * 9);
    row("DFT", "g (float[1,16,1] x) => (y) <int64 a = {1}> { [n] y = DFT (x, \"\", a) }", 5 * 16 * 4);
  }
  static void elementwise(const Row row) {
    row("Add", "g (float[2,3] x, float[3] z) => (y) { [n] y = Add (x, z) }", 6);
    row("Div", "g (float[2,3] x, float[3] z) => (y) { [n] y = Div (x, z) }", 24);
    row("Sum of three", "g (float[2] a, float[2] b, float[2] c) => (y) { [n] y = Sum (a, b, c) }", 4);
    row("Sigmoid", "g (float[5] x) => (y) { [n] y = Sigmoid (x) }", 65);
    row("Gelu of either domain", "g (float[5] x) => (y) { [n] y = com.microsoft.Gelu (x) }", 60);
    row("QLinearAdd",
        "g (uint8[5] a, float s, uint8 z, uint8[5] b, float t, uint8 u, float v, uint8 w) => (y) { [n] y = "
        "com.microsoft.QLinearAdd (a, s, z, b, t, u, v, w) }",
        5 * 8);
    row("Transpose", "g (float[2,3] x) => (y) { [n] y = Transpose (x) }", 0);
    row("a scalar", "g (float[] x) => (float[] y) { [n] y = Sqrt (x) }", 4);
  }
  static void open(const Row row) {
    row("an open batch", "g (float[n,3] a, float[3,5] b) => (y) { [n] y = MatMul (a, b) }", -1);
    row("an open shape does not matter to movement", "g (float[n,3] a) => (y) { [n] y = Transpose (a) }", 0);
    row("an unknown operator", "g (float[2,3] a) => (float[2,3] y) { [n] y = strange.Thing (a) }", -1);
    row("ai.onnx's name in a strange domain", "g (float[2,3] a) => (float[2,3] y) { [n] y = strange.Relu (a) }", -1);
    row("a count beyond 64 bits", "g (float[4000000000,2] a, float[2,4000000000] b) => (y) { [n] y = MatMul (a, b) }",
        -1);
  }
};

QTEST_GUILESS_MAIN(TestNodeCost)
#include "tst_node_cost.moc"
