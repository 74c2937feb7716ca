// Windows over inputs: a row a case, checked against plain counting of places.
#include <vector>

#include <QtTest/QtTest>

#include "engine/operators/max_unpool.h"
#include "engine/operators/window.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

using List = std::vector<int64_t>;

struct WindowCase {
  const char* name;
  List input, kernel, strides, dilations, pads;
  const char* autoPad;
  bool ceilMode;
  WindowFit fit;
  List output, padsBegin, padsEnd;  // output empty: refused with `refusal`
  const char* refusal;
};

constexpr WindowFit kMust = WindowFit::kMustFit, kMay = WindowFit::kMayExceed;
const WindowCase kCases[] = {
    {"plain", {5}, {3}, {}, {}, {}, "", false, kMust, {3}, {0}, {0}, ""},
    {"stride and pads", {224, 224}, {7, 7}, {2, 2}, {}, {3, 3, 3, 3}, "", false, kMust, {112, 112}, {3, 3}, {3, 3}, ""},
    {"pads differ", {5, 6}, {3, 3}, {1, 2}, {}, {1, 0, 0, 2}, "NOTSET", false, kMust, {4, 3}, {1, 0}, {0, 2}, ""},
    {"dilated", {9}, {3}, {}, {2}, {}, "", false, kMust, {5}, {0}, {0}, ""},
    {"same upper, odd", {5}, {2}, {}, {}, {}, "SAME_UPPER", false, kMust, {5}, {0}, {1}, ""},
    {"same lower, odd", {5}, {2}, {}, {}, {}, "SAME_LOWER", false, kMust, {5}, {1}, {0}, ""},
    {"same, stride above the window", {7}, {1}, {3}, {}, {}, "SAME_UPPER", false, kMust, {3}, {0}, {0}, ""},
    {"same, dilated", {8}, {3}, {2}, {2}, {}, "SAME_UPPER", false, kMust, {4}, {1}, {2}, ""},
    {"valid ignores pads", {5}, {3}, {}, {}, {1, 1}, "VALID", false, kMust, {3}, {0}, {0}, ""},
    {"rounded up", {4}, {3}, {2}, {}, {}, "", true, kMay, {2}, {0}, {0}, ""},
    {"rounded up, but the window starts in the padding", {3}, {1}, {2}, {}, {0, 1}, "", true, kMay, {2}, {0}, {1}, ""},
    {"too large, less than a stride", {2}, {3}, {2}, {}, {}, "", false, kMay, {1}, {0}, {0}, ""},
    {"too large by a stride", {2}, {4}, {2}, {}, {}, "", false, kMay, {0}, {0}, {0}, ""},
    {"too large by two strides", {2}, {6}, {2}, {}, {}, "", false, kMay, {}, {}, {}, "does not fit an input of 2"},
    {"too large", {2}, {3}, {}, {}, {}, "", false, kMust, {}, {}, {}, "window of 3 does not fit an input of 2"},
    {"lists of another length", {5, 5}, {3, 3}, {1}, {}, {}, "", false, kMust, {}, {}, {}, "do not fit 2 spatial axes"},
    {"pads of one side", {5}, {3}, {}, {}, {1}, "", false, kMust, {}, {}, {}, "do not fit 1 spatial axes"},
    {"no axis", {}, {}, {}, {}, {}, "", false, kMust, {}, {}, {}, "0 spatial axes are not supported (1 to 6 are)"},
    {"seven axes",
     List(7, 3),
     List(7, 1),
     {},
     {},
     {},
     "",
     false,
     kMust,
     {},
     {},
     {},
     "7 spatial axes are not supported"},
    {"negative size", {-1}, {1}, {}, {}, {}, "", false, kMust, {}, {}, {}, "spatial sizes are out of range"},
    {"empty window", {5}, {0}, {}, {}, {}, "", false, kMust, {}, {}, {}, "spatial sizes are out of range"},
};

List listOf(const WindowDims& dims, size_t rank) {
  return List(dims.begin(), dims.begin() + static_cast<ptrdiff_t>(rank));
}

bool says(const Error& error, const char* text) {
  return QString::fromStdString(error.message).contains(QString::fromUtf8(text));
}

template <typename T>
Tensor tensorOf(const List& dims) {
  Tensor tensor = *Tensor::create(ElementTypeOf<T>::value, dims);
  std::fill_n(tensor.span<T>().data(), tensor.elementCount(), T{});
  return tensor;
}

}  // namespace

class TestWindow : public QObject {
  Q_OBJECT

 private slots:
  void places_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const WindowCase& each : kCases)
      QTest::newRow(each.name) << index++;
  }
  void places() {
    QFETCH(int, index);
    const WindowCase& each = kCases[index];
    const WindowAttributes attributes{.kernel = {},
                                      .strides = each.strides,
                                      .dilations = each.dilations,
                                      .pads = each.pads,
                                      .autoPad = *parseAutoPad(each.autoPad),
                                      .ceilMode = each.ceilMode};
    const auto window = placeWindow(attributes, each.input, each.kernel, each.fit);
    if (each.output.empty()) {
      QVERIFY(!window);
      QVERIFY2(says(window.error(), each.refusal), window.error().message.c_str());
      return;
    }
    QVERIFY2(window.has_value(), window ? "" : window.error().message.c_str());
    QCOMPARE(listOf(window->output, window->rank), each.output);
    QCOMPARE(listOf(window->padsBegin, window->rank), each.padsBegin);
    QCOMPARE(listOf(window->padsEnd, window->rank), each.padsEnd);
    for (size_t axis = 0; axis < window->rank; ++axis) {
      QCOMPARE(window->start(axis, 0), -each.padsBegin[axis]);
      const int64_t past = window->start(axis, window->output[axis] - 1) + window->extent(axis);
      QCOMPARE(window->overhang(axis), past - each.input[axis]);
    }
  }

  void attributesAreChecked_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<List>("values");
    QTest::addColumn<bool>("good");
    QTest::newRow("strides") << "strides" << List{1, 2} << true;
    QTest::newRow("stride of 0") << "strides" << List{1, 0} << false;
    QTest::newRow("negative dilation") << "dilations" << List{-1} << false;
    QTest::newRow("pads") << "pads" << List{0, 3} << true;
    QTest::newRow("negative pads") << "pads" << List{0, -1} << false;
    QTest::newRow("huge pads") << "pads" << List{0, (1LL << 31) + 1} << false;
    QTest::newRow("kernel of 0") << "kernel_shape" << List{0} << false;
  }
  void attributesAreChecked() {
    QFETCH(QString, name);
    QFETCH(List, values);
    QFETCH(bool, good);
    Node node;
    node.setAttribute(name.toStdString(), values);
    const auto attributes = readWindowAttributes(node);
    QCOMPARE(attributes.has_value(), good);
    if (!good) QCOMPARE(attributes.error().code, ErrorCode::kInvalidArgument);
  }

  void autoPadIsAWordOfFour() {
    Node node;
    node.setAttribute("auto_pad", std::string("SAME"));
    QVERIFY(says(readWindowAttributes(node).error(), "auto_pad is 'SAME'"));
    node.setAttribute("auto_pad", std::string("SAME_LOWER"));
    QCOMPARE(readWindowAttributes(node)->autoPad, AutoPad::kSameLower);
    QCOMPARE(*parseAutoPad(""), AutoPad::kNotSet);
  }

  // What a transposed convolution makes, a convolution with the same numbers leads back.
  void transposed_data() {
    QTest::addColumn<List>("pads");
    QTest::addColumn<List>("outputPadding");
    QTest::addColumn<List>("outputShape");
    QTest::addColumn<QString>("autoPad");
    QTest::addColumn<int64_t>("output");
    QTest::addColumn<int64_t>("padsBegin");
    QTest::newRow("plain") << List{} << List{} << List{} << "" << int64_t{9} << int64_t{0};
    QTest::newRow("pads") << List{1, 2} << List{} << List{} << "" << int64_t{6} << int64_t{1};
    QTest::newRow("output padding") << List{1, 2} << List{1} << List{} << "" << int64_t{7} << int64_t{1};
    QTest::newRow("output shape") << List{} << List{} << List{8} << "" << int64_t{8} << int64_t{1};
    QTest::newRow("output shape, upper") << List{} << List{} << List{8} << "SAME_UPPER" << int64_t{8} << int64_t{0};
    QTest::newRow("with batch and channels") << List{} << List{} << List{2, 3, 7} << "" << int64_t{7} << int64_t{1};
    QTest::newRow("larger than reached") << List{} << List{} << List{12} << "" << int64_t{12} << int64_t{0};
    QTest::newRow("same lower") << List{} << List{} << List{} << "SAME_LOWER" << int64_t{8} << int64_t{1};
    QTest::newRow("valid") << List{1, 1} << List{} << List{} << "VALID" << int64_t{9} << int64_t{0};
  }
  void transposed() {
    QFETCH(List, pads);
    QFETCH(List, outputPadding);
    QFETCH(List, outputShape);
    QFETCH(QString, autoPad);
    QFETCH(int64_t, output);
    QFETCH(int64_t, padsBegin);
    Node node;
    node.setAttribute("strides", List{2});
    node.setAttribute("pads", pads);
    node.setAttribute("output_padding", outputPadding);
    node.setAttribute("output_shape", outputShape);
    node.setAttribute("auto_pad", autoPad.toStdString());
    const auto attributes = readTransposedWindowAttributes(node);
    QVERIFY(attributes.has_value());
    const auto window = placeTransposedWindow(*attributes, attributes->window.pads, List{4}, List{3});
    QVERIFY2(window.has_value(), window ? "" : window.error().message.c_str());
    QCOMPARE(window->output[0], output);
    QCOMPARE(window->padsBegin[0], padsBegin);
    QCOMPARE(window->transposedOverhang(0), 3 * 2 + 3 - padsBegin - output);
  }

  void transposedRefusals() {
    TransposedWindowAttributes attributes;
    QVERIFY(says(placeTransposedWindow(attributes, List{-1, 0}, List{4}, List{3}).error(), "pads has the value -1"));
    QVERIFY(says(placeTransposedWindow(attributes, List{9, 9}, List{4}, List{3}).error(), "output size -12"));
    QVERIFY(says(placeTransposedWindow(attributes, {}, List{4}, List{3, 3}).error(), "do not fit 1 spatial axes"));
    QVERIFY(says(placeTransposedWindow(attributes, {}, List(4, 4), List(4, 1), 3).error(), "(1 to 3 are)"));
    Node node;
    node.setAttribute("output_padding", List{-1});
    QVERIFY(!readTransposedWindowAttributes(node));
  }

  void unpooled() {
    Node node;
    QVERIFY(says(readMaxUnpoolAttributes(node).error(), "needs kernel_shape"));
    node.setAttribute("kernel_shape", List{2, 2});
    node.setAttribute("strides", List{2});
    QVERIFY(says(readMaxUnpoolAttributes(node).error(), "do not fit 2 axes"));
    node.setAttribute("strides", List{2, 2});
    const WindowAttributes attributes = *readMaxUnpoolAttributes(node);
    const Tensor x = tensorOf<float>({1, 3, 2, 2}), indices = tensorOf<int64_t>({1, 3, 2, 2});
    const auto dims = unpooledDims(attributes, x, indices, nullptr);
    QVERIFY(dims.has_value());
    QCOMPARE(dims->inner, (Dims{1, 3, 4, 4}));
    QCOMPARE(dims->outer, dims->inner);
    const List large{1, 3, 5, 4}, small{1, 3, 3, 4};
    const Tensor wanted = Tensor::of(std::span<const int64_t>(large)),
                 refused = Tensor::of(std::span<const int64_t>(small));
    QCOMPARE(unpooledDims(attributes, x, indices, &wanted)->outer, (Dims{1, 3, 5, 4}));
    QVERIFY(says(unpooledDims(attributes, x, indices, &refused).error(), "does not hold"));
    QVERIFY(says(unpooledDims(attributes, x, tensorOf<float>({1, 3, 2, 2}), nullptr).error(), "not int64"));
    QVERIFY(says(unpooledDims(attributes, x, tensorOf<int64_t>({1, 3, 4}), nullptr).error(), "differ in shape"));
    QVERIFY(says(unpooledDims(attributes, tensorOf<float>({2, 2}), tensorOf<int64_t>({2, 2}), nullptr).error(),
                 "kernel_shape with 2 axes"));
  }
};

QTEST_GUILESS_MAIN(TestWindow)
#include "tst_window_places.moc"
