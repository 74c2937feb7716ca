// Convolutions, poolings and resizing on the emulator against cpu, channels first and last; and what a convolution
// takes in of what follows it.
#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Typed {
  ElementType type;
  const char* name;
};
constexpr Typed kTypes[] = {{ElementType::kFloat, "float"},
                            {ElementType::kFloat16, "float16"},
                            {ElementType::kBfloat16, "bfloat16"},
                            {ElementType::kDouble, "double"}};
using List = std::vector<int64_t>;

void agrees(const CudaCase& each) {
  QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
}

// In both layouts.
void agreesInBoth(CudaCase each) {
  each.options = "strict=1,nhwc=0";
  agrees(each);
  each.options = "strict=1,nhwc=1";
  each.onProvider = "";
  agrees(each);
}

}  // namespace

class TestCudaConvolution : public QObject {
  Q_OBJECT
 private slots:
  void forward_data() {
    QTest::addColumn<QString>("attributes");
    QTest::addColumn<std::vector<int64_t>>("x");
    QTest::addColumn<std::vector<int64_t>>("w");
    QTest::newRow("3x3 padded") << "<pads = [1, 1, 1, 1]>" << List{2, 3, 7, 9} << List{5, 3, 3, 3};
    QTest::newRow("strided, dilated") << "<strides = [2, 1], dilations = [1, 2], pads = [0, 1, 2, 3]>"
                                      << List{1, 4, 9, 8} << List{6, 4, 3, 2};
    QTest::newRow("groups") << "<group = 2, pads = [1, 1, 1, 1]>" << List{1, 6, 5, 5} << List{10, 3, 3, 3};
    QTest::newRow("depthwise") << "<group = 6, strides = [2, 2], pads = [1, 1, 1, 1]>" << List{2, 6, 8, 7}
                               << List{6, 1, 3, 3};
    QTest::newRow("depth multiplier") << "<group = 3>" << List{1, 3, 5, 5} << List{6, 1, 2, 2};
    QTest::newRow("one axis") << "<auto_pad = \"SAME_UPPER\", strides = [2]>" << List{2, 3, 11} << List{4, 3, 4};
    QTest::newRow("three axes") << "<pads = [1, 0, 1, 1, 1, 0]>" << List{1, 2, 4, 5, 6} << List{3, 2, 3, 2, 3};
    QTest::newRow("pointwise") << "" << List{1, 8, 4, 4} << List{9, 8, 1, 1};
  }
  void forward() {
    QFETCH(QString, attributes);
    QFETCH(std::vector<int64_t>, x);
    QFETCH(std::vector<int64_t>, w);
    for (const Typed& typed : kTypes) {
      const auto bias = randomOf(typed.type, {w[0]}, 3);
      agreesInBoth({.nodes = "y = Conv " + attributes.toStdString() + " (x, w, b)",
                    .inputs = {{"x", randomOf(typed.type, x, 1)}},
                    .outputs = std::string(typed.name) + " y",
                    .weights = {{"w", randomOf(typed.type, w, 2)}, {"b", bias}}});
    }
  }

  void transposed() {
    for (const char* attributes :
         {"<strides = [2, 2]>", "<strides = [2, 3], pads = [1, 0, 0, 1], output_padding = [1, 2]>",
          "<group = 2, dilations = [2, 1]>", "<strides = [2, 2], auto_pad = \"SAME_LOWER\">"}) {
      for (const Typed& typed : kTypes) {
        agreesInBoth({.nodes = std::string("y = ConvTranspose ") + attributes + " (x, w)",
                      .inputs = {{"x", randomOf(typed.type, {2, 4, 5, 3}, 1)}},
                      .outputs = std::string(typed.name) + " y",
                      .weights = {{"w", randomOf(typed.type, {4, 3, 3, 2}, 2)}}});
      }
    }
  }

  void pools() {
    for (const char* node : {"MaxPool <kernel_shape = [3, 2], strides = [2, 1], pads = [1, 0, 1, 1]>",
                             "MaxPool <kernel_shape = [2, 2], ceil_mode = 1, strides = [2, 2], dilations = [2, 1]>",
                             "AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]>",
                             "AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1], count_include_pad = 1, "
                             "ceil_mode = 1, strides = [2, 2]>",
                             "LpPool <kernel_shape = [2, 3], p = 3>", "GlobalAveragePool", "GlobalMaxPool",
                             "GlobalLpPool <p = 2>", "LRN <size = 3, alpha = 0.5, beta = 0.7, bias = 1.5>"}) {
      for (const Typed& typed : kTypes)
        agreesInBoth({.nodes = std::string("y = ") + node + " (x)",
                      .inputs = {{"x", randomOf(typed.type, {2, 5, 9, 7}, 1)}},
                      .outputs = std::string(typed.name) + " y"});
    }
  }

  void placesOfMaxima() {
    for (const char* order : {"0", "1"}) {
      agrees(
          {.nodes =
               std::string(
                   "y, i = MaxPool <kernel_shape = [2, 3], strides = [1, 2], pads = [1, 1, 0, 1], storage_order = ") +
               order + "> (x)",
           .inputs = {{"x", randomOf(ElementType::kFloat, {2, 3, 6, 7}, 1)}},
           .outputs = "float y, int64 i"});
    }
  }

  void takesWhatFollows_data() {
    QTest::addColumn<QString>("nodes");
    QTest::newRow("relu") << "c = Conv <pads = [1, 1, 1, 1]> (x, w, b)\ny = Relu (c)";
    QTest::newRow("residual, relu") << "c = Conv <pads = [1, 1, 1, 1]> (x, w, b)\ns = Add (c, r)\ny = Relu (s)";
    QTest::newRow("residual first")
        << "c = Conv <pads = [1, 1, 1, 1]> (x, w)\ns = Add (r, c)\ny = LeakyRelu <alpha = 0.3> (s)";
    QTest::newRow("bias, residual, clip")
        << "c = Conv <pads = [1, 1, 1, 1]> (x, w)\nd = Add (c, v)\ns = Add (d, r)\ny = Clip (s, low, high)";
    QTest::newRow("silu") << "c = Conv <pads = [1, 1, 1, 1]> (x, w, b)\ng = Sigmoid (c)\ny = Mul (c, g)";
    QTest::newRow("hard swish") << "c = Conv <pads = [1, 1, 1, 1]> (x, w, b)\ny = HardSwish (c)";
  }
  void takesWhatFollows() {
    QFETCH(QString, nodes);
    for (const char* options : {"strict=1,nhwc=0", "strict=1,nhwc=1"}) {
      agrees({.nodes = nodes.toStdString(),
              .inputs = {{"x", randomOf(ElementType::kFloat, {1, 3, 6, 5}, 1)},
                         {"r", randomOf(ElementType::kFloat, {1, 4, 6, 5}, 2)}},
              .constants = "float low = {-0.25}, float high = {0.5}",
              .weights = {{"w", randomOf(ElementType::kFloat, {4, 3, 3, 3}, 3)},
                          {"b", randomOf(ElementType::kFloat, {4}, 4)},
                          {"v", randomOf(ElementType::kFloat, {4, 1, 1}, 5)}},
              .level = 3,
              .options = options,
              .onProvider = "",
              .fused = {"Conv"}});
    }
  }

  // What is read elsewhere, too, stays.
  void leavesWhatIsReadElsewhere() {
    agrees({.nodes = "c = Conv (x, w)\ny = Relu (c)\nz = Neg (c)",
            .inputs = {{"x", randomOf(ElementType::kFloat, {1, 3, 4, 4}, 1)}},
            .outputs = "float y, float z",
            .weights = {{"w", randomOf(ElementType::kFloat, {4, 3, 1, 1}, 3)}},
            .level = 3,
            .onProvider = ""});
  }

  void resize() {
    for (const char* attributes :
         {"mode = \"nearest\"", "mode = \"linear\"",
          "mode = \"cubic\", coordinate_transformation_mode = \"align_corners\"", "mode = \"linear\", antialias = 1",
          "mode = \"cubic\", exclude_outside = 1, cubic_coeff_a = -0.5",
          "mode = \"nearest\", nearest_mode = \"ceil\", coordinate_transformation_mode = \"asymmetric\""}) {
      for (const char* scales : {"{1, 1, 2, 1.5}", "{1, 1, 0.6, 0.8}"}) {
        agreesInBoth({.nodes = std::string("y = Resize <") + attributes + "> (x, \"\", s)",
                      .inputs = {{"x", randomOf(ElementType::kFloat, {1, 2, 7, 6}, 1)}},
                      .constants = std::string("float[4] s = ") + scales,
                      .opset = 19});
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestCudaConvolution)
#include "tst_cuda_convolution.moc"
