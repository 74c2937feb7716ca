// Sizes, scales and refusals of Resize and Upsample.
#include <cmath>
#include <vector>

#include <QtTest/QtTest>

#include "engine/operators/resize.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

using List = std::vector<int64_t>;
using Floats = std::vector<float>;

template <typename T>
Tensor tensorOf(const std::vector<T>& values) {
  return Tensor::of(std::span<const T>(values));
}

}  // namespace

class TestResizeGeometry : public QObject {
  Q_OBJECT

 private slots:
  void geometries_data() {
    QTest::addColumn<Floats>("scales");
    QTest::addColumn<List>("sizes");
    QTest::addColumn<List>("axes");
    QTest::addColumn<QString>("policy");
    QTest::addColumn<List>("output");  // of [1, 10, 4]
    QTest::addColumn<QString>("refusal");
    const auto row = [](const char* name, Floats scales, List sizes, List axes, const char* policy, List output,
                        const char* refusal = "") {
      QTest::newRow(name) << scales << sizes << axes << policy << output << refusal;
    };
    row("scales", {1, 2, 0.5f}, {}, {}, "stretch", {1, 20, 2});
    row("in floats, 10 x 0.7f is 7", {1, 0.7f, 1}, {}, {}, "stretch", {1, 7, 4});
    row("sizes", {}, {1, 5, 8}, {}, "stretch", {1, 5, 8});
    row("named axes", {}, {8}, {-1}, "stretch", {1, 10, 8});
    row("not larger", {}, {5, 8}, {1, 2}, "not_larger", {1, 5, 2});
    row("not smaller", {}, {5, 8}, {1, 2}, "not_smaller", {1, 20, 8});
    row("neither", {}, {}, {}, "stretch", {}, "either scales or sizes");
    row("both", {1, 1, 1}, {1, 1, 1}, {}, "stretch", {}, "either scales or sizes");
    row("too few", {1, 1}, {}, {}, "stretch", {}, "do not fit 3 axes");
    row("scale of 0", {1, 0, 1}, {}, {}, "stretch", {}, "Resize: scale 0");
    row("scale of nan", {1, std::nanf(""), 1}, {}, {}, "stretch", {}, "Resize: scale nan");
    row("huge", {1, 1e30f, 1}, {}, {}, "stretch", {}, "the scale or size of axis 1");
    row("negative size", {}, {1, -1, 1}, {}, "stretch", {}, "the scale or size of axis 1");
    row("no such axis", {}, {8}, {3}, "stretch", {}, "axis 3 of a tensor of rank 3");
    row("no such policy", {}, {8}, {1}, "bent", {}, "'bent' is not supported");
  }
  void geometries() {
    QFETCH(Floats, scales);
    QFETCH(List, sizes);
    QFETCH(List, axes);
    QFETCH(QString, policy);
    QFETCH(List, output);
    QFETCH(QString, refusal);
    Node node;
    node.opType = "Resize";
    node.sinceVersion = 19;
    if (!axes.empty()) node.setAttribute("axes", axes);
    node.setAttribute("keep_aspect_ratio_policy", policy.toStdString());
    const Tensor scaleTensor = tensorOf(scales), sizeTensor = tensorOf(sizes);
    const auto attributes = readResizeAttributes(node);
    const auto geometry = attributes ? resizeGeometry(*attributes, List{1, 10, 4}, {nullptr, &scaleTensor, &sizeTensor})
                                     : Result<ResizeGeometry>(tl::unexpected<Error>(attributes.error()));
    QCOMPARE(geometry.has_value(), refusal.isEmpty());
    if (!geometry) {
      QVERIFY2(QString::fromStdString(geometry.error().message).contains(refusal), geometry.error().message.c_str());
      return;
    }
    QCOMPARE(List(geometry->output.begin(), geometry->output.begin() + 3), output);
    for (size_t axis = 0; axis < 3; ++axis)
      QCOMPARE(geometry->identity(axis, *attributes), output[axis] == geometry->input[axis]);
  }

  void oldVersions() {
    Node node;
    node.opType = "Upsample";
    node.sinceVersion = 7;
    node.setAttribute("scales", Floats{1, 2});
    const ResizeAttributes attributes = *readResizeAttributes(node);
    QCOMPARE(attributes.nearest, NearestMode::kLegacy);
    QCOMPARE(resizeGeometry(attributes, List{3, 4}, {})->output[1], 8);
    QVERIFY(!resizeGeometry(attributes, List(9, 1), {}));
    node.setAttribute("mode", std::string("cubic"));
    QCOMPARE(readResizeAttributes(node).error().code, ErrorCode::kNotImplemented);
  }

  void regions() {
    Node node;
    node.opType = "Resize";
    node.sinceVersion = 13;
    node.setAttribute("coordinate_transformation_mode", std::string("tf_crop_and_resize"));
    const ResizeAttributes attributes = *readResizeAttributes(node);
    const Tensor sizes = tensorOf(List{2, 2}), roi = tensorOf(Floats{0, 0.25f, 1, 0.75f});
    const auto geometry = resizeGeometry(attributes, List{4, 4}, {&roi, nullptr, &sizes});
    QCOMPARE(geometry->roiStart[1], 0.25);
    QCOMPARE(geometry->roiEnd[1], 0.75);
    QVERIFY(!resizeGeometry(attributes, List{4, 4}, {nullptr, nullptr, &sizes}));
    QVERIFY(!resizeGeometry(attributes, List{0, 4}, {&roi, nullptr, &sizes}));
  }
};

QTEST_GUILESS_MAIN(TestResizeGeometry)
#include "tst_resize_geometry.moc"
