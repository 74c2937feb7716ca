// ai.onnx.ml given attributes and inputs that are wrong; many rows against one row at a time.

#include <random>

#include <QtTest>

#include "engine/graph/text.h"
#include "providers/cpu/kernels/kernel_table.h"
#include "tests/unit/providers/cpu/graph_interpreter.h"

using namespace cutaway;

namespace {

Result<std::vector<RuntimeValue>> runText(const std::string& text, std::span<const RuntimeValue> inputs,
                                          int opset = 4) {
  CUTAWAY_TRY(
      Model model,
      parseModelText(fmt::format("<ir_version: 10, opset_import: [\"\" : 21, \"ai.onnx.ml\" : {}]>\n", opset) + text));
  CUTAWAY_CHECK(testing::prepareForKernels(model));
  testing::GraphInterpreter interpreter(cpu::cpuKernels());
  return interpreter.run(model.graph, inputs);
}

Tensor floats(std::initializer_list<int64_t> dims, float value = 1.0f) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::ranges::fill(tensor.span<float>(), value);
  return tensor;
}

std::string numbers(size_t count, std::mt19937& random) {
  std::string text;
  std::normal_distribution<double> normal;
  for (size_t i = 0; i < count; ++i)
    text += fmt::format("{}{:.5f}", i == 0 ? "" : ", ", normal(random));
  return "[" + text + "]";
}

}  // namespace

class TestMlKernels : public QObject {
  Q_OBJECT
 private slots:
  void wrongNodesAreRefused_data() {
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("word");
    const auto row = [](const char* name, const char* node, const char* word) {
      QTest::newRow(name) << QString(node) << QString(word);
    };
    row("no coefficients",
        "l, y = ai.onnx.ml.LinearClassifier <coefficients: floats = [], classlabels_ints = [1, 2]> (x)",
        "coefficients");
    row("both labels",
        "l, y = ai.onnx.ml.LinearClassifier <coefficients = [1.0, 1.0, 1.0], classlabels_ints = [1], "
        "classlabels_strings = [\"a\"]> (x)",
        "classlabels");
    row("few labels",
        "l, y = ai.onnx.ml.LinearClassifier <coefficients = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0], intercepts = [0.0, 0.0], "
        "classlabels_ints = [1]> (x)",
        "labels");
    row("few coefficients",
        "l, y = ai.onnx.ml.LinearClassifier <coefficients = [1.0, 1.0], intercepts = [0.0], classlabels_ints = [1, 2]> "
        "(x)",
        "features");
    row("post transform",
        "y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 1.0, 1.0], post_transform = \"SOFT\"> (x)",
        "post_transform");
    row("targets", "y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 1.0, 1.0], targets = 0> (x)", "targets");
    row("intercepts", "y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 1.0, 1.0], intercepts = [0.0, 1.0]> (x)",
        "intercepts");
    row("scaler lengths", "y = ai.onnx.ml.Scaler <offset = [0.0, 1.0], scale = [1.0, 1.0, 1.0]> (x)", "offset");
    row("scaler features", "y = ai.onnx.ml.Scaler <offset = [0.0, 1.0], scale = [1.0, 1.0]> (x)", "features");
    row("scaler empty", "y = ai.onnx.ml.Scaler (x)", "neither");
    row("norm", "y = ai.onnx.ml.Normalizer <norm = \"L3\"> (x)", "norm");
    row("imputer kind", "y = ai.onnx.ml.Imputer <imputed_value_int64s = [1]> (x)", "imputed_value_floats");
    row("imputer features", "y = ai.onnx.ml.Imputer <imputed_value_floats = [1.0, 2.0]> (x)", "features");
    row("vectorizer inputs", "y = ai.onnx.ml.FeatureVectorizer <inputdimensions = [3, 3]> (x)", "inputdimensions");
    row("vectorizer negative", "y = ai.onnx.ml.FeatureVectorizer <inputdimensions = [-3]> (x)", "inputdimensions");
    row("one hot kind", "y = ai.onnx.ml.OneHotEncoder <cats_strings = [\"a\"]> (x)", "categories");
    row("one hot unknown", "y = ai.onnx.ml.OneHotEncoder <cats_int64s = [5], zeros = 0> (x)", "zeros");
    row("zip map labels", "y = ai.onnx.ml.ZipMap <classlabels_int64s = [1, 2]> (x)", "labels");
    row("zip map none", "y = ai.onnx.ml.ZipMap (x)", "classlabels");
    row("encoder kind", "y = ai.onnx.ml.LabelEncoder <keys_int64s = [1], values_int64s = [1]> (x)", "");
    row("encoder lengths", "y = ai.onnx.ml.LabelEncoder <keys_floats = [1.0, 2.0], values_int64s = [1]> (x)", "");
    row("encoder no values", "y = ai.onnx.ml.LabelEncoder <keys_floats = [1.0, 2.0]> (x)", "");
    row("svm kernel",
        "l, y = ai.onnx.ml.SVMClassifier <classlabels_ints = [1, 2], coefficients = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0], "
        "rho = [0.0], kernel_type = \"COSINE\"> (x)",
        "kernel_type");
    row("svm parameters",
        "l, y = ai.onnx.ml.SVMClassifier <classlabels_ints = [1, 2], coefficients = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0], "
        "rho = [0.0], kernel_params = [1.0]> (x)",
        "kernel_params");
    row("svm rho",
        "l, y = ai.onnx.ml.SVMClassifier <classlabels_ints = [1, 2], coefficients = [1.0, 1.0], support_vectors = "
        "[1.0, 1.0, 1.0, 1.0, 1.0, 1.0], vectors_per_class = [1, 1], rho = [0.0, 1.0]> (x)",
        "rho");
    row("svm no rho",
        "l, y = ai.onnx.ml.SVMClassifier <classlabels_ints = [1, 2], coefficients = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> "
        "(x)",
        "rho");
    row("svm coefficients",
        "l, y = ai.onnx.ml.SVMClassifier <classlabels_ints = [1, 2], coefficients = [1.0, 1.0, 1.0], support_vectors = "
        "[1.0, 1.0, 1.0, 1.0, 1.0, 1.0], vectors_per_class = [1, 1], rho = [0.0]> (x)",
        "coefficients");
    row("svm classes",
        "l, y = ai.onnx.ml.SVMClassifier <classlabels_ints = [1, 2, 3], coefficients = [1.0, 1.0], support_vectors = "
        "[1.0, 1.0, 1.0, 1.0, 1.0, 1.0], vectors_per_class = [1, 1], rho = [0.0]> (x)",
        "vectors_per_class");
    row("svm negative class",
        "l, y = ai.onnx.ml.SVMClassifier <classlabels_ints = [1, 2], coefficients = [1.0, 1.0], support_vectors = "
        "[1.0, 1.0, 1.0], vectors_per_class = [2, -1], rho = [0.0]> (x)",
        "vectors_per_class");
    row("svm vectors",
        "l, y = ai.onnx.ml.SVMClassifier <classlabels_ints = [1, 2], coefficients = [1.0, 1.0], support_vectors = "
        "[1.0, 1.0, 1.0], vectors_per_class = [1, 1], rho = [0.0]> (x)",
        "support_vectors");
    row("svm features",
        "l, y = ai.onnx.ml.SVMClassifier <classlabels_ints = [1, 2], coefficients = [1.0, 1.0], support_vectors = "
        "[1.0, 1.0, 1.0, 1.0], vectors_per_class = [1, 1], rho = [0.0]> (x)",
        "features");
    row("svm probabilities",
        "l, y = ai.onnx.ml.SVMClassifier <classlabels_ints = [1, 2], coefficients = [1.0, 1.0], support_vectors = "
        "[1.0, 1.0, 1.0, 1.0, 1.0, 1.0], vectors_per_class = [1, 1], rho = [0.0], prob_a = [1.0], prob_b = [1.0, 2.0]> "
        "(x)",
        "prob_a");
    row("svr supports", "y = ai.onnx.ml.SVMRegressor <n_supports = -1, coefficients = [1.0], rho = [0.0]> (x)",
        "n_supports");
    row("svr coefficients",
        "y = ai.onnx.ml.SVMRegressor <n_supports = 2, coefficients = [1.0], support_vectors = [1.0, 1.0, 1.0, 1.0, "
        "1.0, 1.0], rho = [0.0]> (x)",
        "coefficients");
    row("svr features", "y = ai.onnx.ml.SVMRegressor <coefficients = [1.0], rho = [0.0]> (x)", "features");
  }
  void wrongNodesAreRefused() {
    QFETCH(QString, node);
    QFETCH(QString, word);
    const std::vector<RuntimeValue> inputs{floats({2, 3})};
    const auto result = runText("main (float[2,3] x) => (y) {\n  " + node.toStdString() + "\n}", inputs);
    QVERIFY(!result);
    QVERIFY2(result.error().message.find(word.toStdString()) != std::string::npos, result.error().message.c_str());
  }

  void wrongRanksAreRefused_data() {
    QTest::addColumn<QString>("node");
    QTest::newRow("linear") << "y = ai.onnx.ml.LinearRegressor <coefficients = [1.0]> (x)";
    QTest::newRow("normalizer") << "y = ai.onnx.ml.Normalizer (x)";
    QTest::newRow("svm") << "y = ai.onnx.ml.SVMRegressor <coefficients = [1.0], rho = [0.0]> (x)";
    QTest::newRow("zip map") << "y = ai.onnx.ml.ZipMap <classlabels_int64s = [1]> (x)";
  }
  void wrongRanksAreRefused() {
    QFETCH(QString, node);
    for (const std::initializer_list<int64_t> dims :
         {std::initializer_list<int64_t>{}, std::initializer_list<int64_t>{1, 1, 1}}) {
      const std::vector<RuntimeValue> inputs{floats(dims)};
      const auto result = runText("main (float x) => (y) {\n  " + node.toStdString() + "\n}", inputs);
      QVERIFY(!result);
      QCOMPARE(result.error().code, ErrorCode::kInvalidArgument);
    }
  }

  void indicesAreChecked_data() {
    QTest::addColumn<qint64>("index");
    QTest::addColumn<bool>("fits");
    for (const int64_t index : {-4, -1, 0, 2, 3})
      QTest::newRow(qPrintable(QString::number(index))) << qint64(index) << (index >= 0 && index < 3);
    QTest::newRow("far") << (qint64(1) << 40) << false;
  }
  void indicesAreChecked() {
    QFETCH(qint64, index);
    QFETCH(bool, fits);
    const std::vector<RuntimeValue> inputs{floats({2, 3}), Tensor::of<int64_t>(std::vector<int64_t>{0, index})};
    QCOMPARE(
        runText("main (float[2,3] x, int64[2] i) => (y) {\n  y = ai.onnx.ml.ArrayFeatureExtractor (x, i)\n}", inputs)
            .has_value(),
        fits);
  }

  void mapsAreChecked() {
    const auto mapOf = [](Tensor keys, Tensor values) {
      return RuntimeValue(MapValue{std::move(keys), std::move(values)});
    };
    const Tensor integers = Tensor::of<int64_t>(std::vector<int64_t>{0, -2}),
                 texts = Tensor::of<std::string>(std::vector<std::string>{"1.5", "x"});
    const auto run = [](const std::string& type, const std::string& node, const RuntimeValue& value) {
      return runText("main (" + type + " x) => (y) {\n  y = ai.onnx.ml." + node + " (x)\n}",
                     std::vector<RuntimeValue>{value}, 3)
          .has_value();
    };
    QVERIFY(run("map(int64,float)", "CastMap", mapOf(integers, floats({2}))));
    QVERIFY(!run("map(int64,float)", "CastMap", mapOf(integers, floats({3}))));
    QVERIFY(!run("map(int64,float)", "CastMap", mapOf(texts, floats({2}))));
    QVERIFY(!run("map(int64,float)", "CastMap", RuntimeValue(integers)));
    QVERIFY(!run("map(int64,float)", "CastMap <map_form = \"SPARSE\", max_map = 3>",
                 mapOf(integers, floats({2}))));  // the key -2
    QVERIFY(!run("map(int64,float)", "CastMap <map_form = \"SPARSE\", max_map = 0>", mapOf(integers, floats({2}))));
    QVERIFY(!run("map(int64,float)", "CastMap <cast_to = \"TO_INT64\">", mapOf(integers, floats({2}, 1e30f))));
    QVERIFY(!run("map(int64,string)", "CastMap", mapOf(integers, texts)));  // "x" is no number
    QVERIFY(!run("map(int64,float)", "CastMap <cast_to = \"TO_MARS\">", mapOf(integers, floats({2}))));
    QVERIFY(run("map(int64,float)", "DictVectorizer <int64_vocabulary = [3, 0]>", mapOf(integers, floats({2}))));
    QVERIFY(!run("map(int64,float)", "DictVectorizer <string_vocabulary = [\"a\"]>", mapOf(integers, floats({2}))));
    QVERIFY(!run("map(int64,float)", "DictVectorizer", mapOf(integers, floats({2}))));
  }

  // A batch takes the library's products, one row the plain loop.
  void manyRowsAgreeWithSingleOnes_data() {
    QTest::addColumn<QString>("node");
    std::mt19937 random(3);
    const auto row = [](const char* name, const std::string& node) {
      QTest::newRow(name) << QString::fromStdString(node);
    };
    row("classifier", "l, y = ai.onnx.ml.LinearClassifier <coefficients = " + numbers(5 * 24, random) +
                          ", intercepts = " + numbers(5, random) +
                          ", classlabels_ints = [1, 2, 3, 4, 5], post_transform = \"SOFTMAX\"> (x)");
    row("regressor", "y = ai.onnx.ml.LinearRegressor <coefficients = " + numbers(24, random) + "> (x)");
    row("svm", "l, y = ai.onnx.ml.SVMClassifier <coefficients = " + numbers(2 * 9, random) + ", support_vectors = " +
                   numbers(9 * 24, random) + ", vectors_per_class = [3, 4, 2], rho = " + numbers(3, random) +
                   ", classlabels_ints = [1, 2, 3], kernel_type = \"RBF\", kernel_params = [0.01, 0.0, 0.0]> (x)");
    row("svr", "y = ai.onnx.ml.SVMRegressor <coefficients = " + numbers(9, random) +
                   ", support_vectors = " + numbers(9 * 24, random) +
                   ", n_supports = 9, rho = [0.5], kernel_type = \"POLY\", kernel_params = [0.1, 1.0, 3.0]> (x)");
  }
  void manyRowsAgreeWithSingleOnes() {
    QFETCH(QString, node);
    constexpr int64_t kRows = 150, kColumns = 24;
    Tensor all = floats({kRows, kColumns});
    std::mt19937 random(9);
    std::normal_distribution<float> normal;
    for (float& value : all.span<float>())
      value = normal(random);
    const std::string text = "main (float[n,24] x) => (y) {\n  " + node.toStdString() + "\n}";
    const auto together = runText(text, std::vector<RuntimeValue>{all});
    QVERIFY2(together.has_value(), together ? "" : together.error().message.c_str());
    const Tensor& batch = (*together)[0].tensor();
    const int64_t width = batch.dims()[1];
    for (int64_t row = 0; row < kRows; row += 29) {
      const std::vector<RuntimeValue> single{Tensor::wrap(ElementType::kFloat, std::array<int64_t, 2>{1, kColumns},
                                                          all.span<float>().data() + row * kColumns)};
      const auto alone = runText(text, single);
      QVERIFY(alone.has_value());
      for (int64_t i = 0; i < width; ++i) {
        const float got = batch.span<float>()[static_cast<size_t>(row * width + i)],
                    wanted = (*alone)[0].tensor().span<float>()[static_cast<size_t>(i)];
        QVERIFY2(std::abs(got - wanted) <= 2e-4f * std::max(1.0f, std::abs(wanted)),
                 qPrintable(QString("row %1: %2 and %3").arg(row).arg(got).arg(wanted)));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestMlKernels)
#include "tst_ml_kernels.moc"
