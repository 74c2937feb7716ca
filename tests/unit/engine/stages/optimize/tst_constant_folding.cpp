// Constant folding: what it computes, and where it stops.

#include "tests/unit/engine/stages/optimize/optimizing.h"

using namespace cutaway;

namespace {

Model folded(const QByteArray& text) {
  Model model = resolvedModel(text);
  Progress progress;
  if (const auto report = optimize::optimize(model, onlyPasses({"ConstantFolding"}), progress); !report)
    qFatal("%s", describe(report.error()).c_str());
  return model;
}

}  // namespace

class TestConstantFolding : public QObject {
  Q_OBJECT

 private slots:
  void valuesOfShapesAndConstants() {
    const Model model = folded(
        "g (float[2,3] x) => (y) <float[2] a = {1,2}, float[2] b = {3,4}> { s = Add (a, b) h = Shape (x) z = Cast "
        "<to = 1> (h) p = Add (s, z) y = MatMul (p, x) }");
    QCOMPARE(operatorsOf(model), QByteArray("MatMul"));
    const std::vector<float> expected{6, 9};  // {1,2} + {3,4} + {2,3}
    const Tensor& sum = *model.graph.value(model.graph.findValue("p")).initializer;
    QVERIFY(std::ranges::equal(sum.span<float>(), expected));
  }

  void bytesAreLimited() {
    Model model =
        resolvedModel("g (float[1000] x) => (y) <int64[1] n = {1000}> { c = ConstantOfShape (n) y = Add (x, c) }");
    optimize::OptimizeOptions options = onlyPasses({"ConstantFolding"});
    options.foldingLimitBytes = 3999;
    Progress progress;
    QVERIFY(optimize::optimize(model, options, progress).has_value());
    QCOMPARE(operatorsOf(model), QByteArray("ConstantOfShape Add"));
    options.foldingLimitBytes = 4000;
    QVERIFY(optimize::optimize(model, options, progress).has_value());
    QCOMPARE(operatorsOf(model), QByteArray("Add"));
  }

  // A few numbers may ask for hours: what is left is bounded by operations, too. Small nodes go on.
  void operationsAreLimited_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("left");
    // 4e6 outputs and windows of 1e6 are 4e12 operations.
    constexpr const char* kWindow =
        "g (float[1] x) => (y) <int64[4] d = {1,1,3000,3000}> { c = ConstantOfShape (d) p = %s (c) "
        "m = ReduceMax <keepdims = 0> (p) y = Add (x, m) }";
    for (const char* pool : {"MaxPool <kernel_shape = [1000,1000]>", "AveragePool <kernel_shape = [1000,1000]>",
                             "LpPool <kernel_shape = [1000,1000]>"})
      QTest::newRow(pool) << QByteArray(QString::asprintf(kWindow, pool).toUtf8())
                          << QByteArray(pool).split(' ').front() + " ReduceMax Add";
    QTest::newRow("LRN") << QByteArray(
                                "g (float[1] x) => (y) <int64[4] d = {1,5000,40,40}> { c = ConstantOfShape (d) p = LRN "
                                "<size = 4999> (c) m = ReduceMax <keepdims = 0> (p) y = Add (x, m) }")
                         << QByteArray("LRN ReduceMax Add");
    QTest::newRow("Conv") << QByteArray(
                                 "g (float[1] x) => (y) <int64[4] d = {1,1,3000,3000}, int64[4] k = {1,1,1000,1000}> { "
                                 "c = ConstantOfShape (d) w = ConstantOfShape (k) p = Conv (c, w) m = ReduceMax "
                                 "<keepdims = 0> (p) y = Add (x, m) }")
                          << QByteArray("Conv ReduceMax Add");
    QTest::newRow("MaxRoiPool")
        << QByteArray(
               "g (float[1] x) => (y) <int64[4] d = {1,1,1000,1000}, int64[2] t = {1000000,1}, float[1,5] r = "
               "{0,0,0,999,999}> { c = ConstantOfShape (d) b = Tile (r, t) p = MaxRoiPool <pooled_shape = [1,1]> (c, "
               "b) "
               "m = ReduceMax <keepdims = 0> (p) y = Add (x, m) }")
        << QByteArray("MaxRoiPool ReduceMax Add");
    QTest::newRow("TfIdfVectorizer")
        << QByteArray(
               "g (float[1] x) => (y) <int64[1] d = {8000000}> { c = ConstantOfShape <value = int64[1] {1}> (d) p = "
               "TfIdfVectorizer <mode = \"TF\", min_gram_length = 2, max_gram_length = 2, max_skip_count = 1000, "
               "ngram_counts = [0, 0], ngram_indexes = [0], pool_int64s = [1, 1]> (c) m = ReduceMax <keepdims = 0> (p) "
               "y = Add (x, m) }")
        << QByteArray("TfIdfVectorizer ReduceMax Add");
    // Each of four products (1.0e9) is allowed, and two of them together.
    QTest::newRow("together") << QByteArray(
                                     "g (float[1] x) => (y) <int64[2] d = {800,800}> { c = ConstantOfShape (d) a = "
                                     "MatMul (c, c) b = MatMul (a, c) e = MatMul (b, c) f = MatMul (e, c) y = Add (x, "
                                     "f) }")
                              << QByteArray("MatMul MatMul Add");
    QTest::newRow("small ones go on")
        << QByteArray(
               "g (float[1] x) => (y, n) <int64[2] d = {800,800}, int64[2] s = {1,2}> { c = ConstantOfShape (d) a = "
               "MatMul (c, c) b = MatMul (a, c) e = MatMul (b, c) y = Add (x, e) t = Add (s, s) n = Mul (t, s) }")
        << QByteArray("MatMul Add");
  }
  void operationsAreLimited() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, left);
    QCOMPARE(operatorsOf(folded(text)), left);
  }
};

QTEST_GUILESS_MAIN(TestConstantFolding)
#include "tst_constant_folding.moc"
