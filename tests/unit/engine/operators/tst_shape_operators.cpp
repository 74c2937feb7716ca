// What operators that move or rename dims mean: a row a case.
#include <vector>

#include <QtTest/QtTest>

#include "engine/operators/constants.h"
#include "engine/operators/depth_to_space.h"
#include "engine/operators/dims.h"
#include "engine/operators/join_and_split.h"
#include "engine/operators/pad.h"
#include "engine/operators/repeat.h"
#include "engine/operators/reshape.h"
#include "engine/operators/reverse_sequence.h"
#include "engine/operators/slice.h"
#include "engine/operators/transpose.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

using List = std::vector<int64_t>;

List listOf(std::span<const int64_t> dims) {
  return List(dims.begin(), dims.end());
}
template <typename T>
Tensor tensorOf(std::vector<T> values) {
  return Tensor::of(std::span<const T>(values));
}
Tensor floatsOf(const List& dims) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::fill_n(tensor.span<float>().data(), tensor.elementCount(), 0.0f);
  return tensor;
}
bool says(const Error& error, const QString& text) {
  return QString::fromStdString(error.message).contains(text);
}
// Which input places a move reads, in the order of its dims.
List placesRead(const StridedMove& move, int64_t offset = 0) {
  List places;
  const int64_t count = elementCount(move.dims);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, place = offset;
    for (size_t axis = move.dims.size(); axis-- > 0; rest /= move.dims[axis])
      place += rest % move.dims[axis] * move.fromStrides[axis];
    places.push_back(place);
  }
  return places;
}

}  // namespace

class TestShapeOperators : public QObject {
  Q_OBJECT

 private slots:
  void slices_data() {
    QTest::addColumn<List>("starts");
    QTest::addColumn<List>("ends");
    QTest::addColumn<List>("axes");
    QTest::addColumn<List>("steps");
    QTest::addColumn<List>("places");  // read of [2, 4]
    QTest::addColumn<QString>("refusal");
    const auto row = [](const char* name, List starts, List ends, List axes, List steps, List places,
                        const char* refusal = "") {
      QTest::newRow(name) << starts << ends << axes << steps << places << refusal;
    };
    row("a range", {1}, {3}, {1}, {1}, {1, 2, 5, 6});
    row("from the end", {-2}, {100}, {-1}, {1}, {2, 3, 6, 7});
    row("backwards", {-1}, {-100}, {1}, {-1}, {3, 2, 1, 0, 7, 6, 5, 4});
    row("every other", {0}, {4}, {1}, {2}, {0, 2, 4, 6});
    row("every third backwards", {3}, {0}, {1}, {-3}, {3, 7});
    row("nothing", {3}, {1}, {1}, {1}, {});
    row("largest step", {0}, {4}, {1}, {INT64_MAX}, {0, 4});
    row("smallest step", {3}, {-100}, {1}, {INT64_MIN}, {3, 7});
    row("far below", {INT64_MIN}, {INT64_MAX}, {0}, {1}, {0, 1, 2, 3, 4, 5, 6, 7});
    row("step of 0", {0}, {1}, {1}, {0}, {}, "the step of axis 1 is 0");
    row("lengths differ", {0, 0}, {1}, {1}, {1}, {}, "differ in length");
    row("axis twice", {0, 0}, {1, 1}, {1, -1}, {1, 1}, {}, "axis 1 is given twice");
  }
  void slices() {
    QFETCH(List, starts);
    QFETCH(List, ends);
    QFETCH(List, axes);
    QFETCH(List, steps);
    QFETCH(List, places);
    QFETCH(QString, refusal);
    Node node;
    node.opType = "Slice";
    node.sinceVersion = 13;
    const Tensor s = tensorOf(starts), e = tensorOf(ends), a = tensorOf(axes), p = tensorOf(steps);
    const auto part = SliceRanges(node).partOf(List{2, 4}, {&s, &e, &a, &p});
    QCOMPARE(part.has_value(), refusal.isEmpty());
    if (!part) {
      QVERIFY2(says(part.error(), refusal), part.error().message.c_str());
      return;
    }
    QCOMPARE(placesRead(part->move, part->offset), places);
    QCOMPARE(listOf(part->move.toStrides), listOf(rowMajorStrides(part->move.dims)));
  }
  void slicesOfVersionOne() {
    Node node;
    node.opType = "Slice";
    node.sinceVersion = 1;
    node.setAttribute("starts", List{1});
    node.setAttribute("ends", List{2});
    QCOMPARE(placesRead(SliceRanges(node).partOf(List{2, 4}, {})->move, 4), (List{4, 5, 6, 7}));
    node.sinceVersion = 10;
    QVERIFY(says(SliceRanges(node).partOf(List{2, 4}, {}).error(), "starts of Slice must be a tensor"));
  }

  void pads() {
    Node node;
    node.sinceVersion = 18;
    node.setAttribute("mode", std::string("reflect"));
    const PadSettings settings = *PadSettings::read(node);
    QCOMPARE(settings.mode(), PadMode::kReflect);
    const Tensor data = floatsOf({2, 3});
    const Tensor amounts = tensorOf<int64_t>({1, -1, 0, 2}), axis = tensorOf<int64_t>({-1}),
                 two = tensorOf<int64_t>({4, 5}), wrong = tensorOf<int64_t>({1}),
                 cut = tensorOf<int64_t>({0, -2, 0, -2});
    const auto placed = settings.place(data, {&amounts, nullptr, nullptr});
    QCOMPARE(listOf(placed->dims), (List{3, 4}));
    QCOMPARE(listOf(placed->begin), (List{1, -1}));
    QCOMPARE(listOf(settings.place(data, {&two, nullptr, &axis})->dims), (List{2, 12}));
    QVERIFY(says(settings.place(data, {&wrong, nullptr, nullptr}).error(), "1 pads are given for 2 axes"));
    QVERIFY(says(settings.place(data, {&cut, nullptr, nullptr}).error(), "padding leaves -1 elements on axis 1"));
    QVERIFY(says(settings.place(data, {&amounts, &amounts, nullptr}).error(), "must be one float"));
    QVERIFY(says(settings.place(floatsOf({0, 3}), {&amounts, nullptr, nullptr}).error(), "nothing to repeat"));
    QVERIFY(says(settings.place(data, {}).error(), "must be a tensor"));
    node.setAttribute("mode", std::string("mirror"));
    QCOMPARE(PadSettings::read(node).error().code, ErrorCode::kNotImplemented);
    Node old;
    old.sinceVersion = 2;
    old.setAttribute("pads", List{1, 1, 1, 1});
    old.setAttribute("value", 2.5f);
    alignas(16) std::byte bytes[16] = {};
    PadSettings::read(old)->attributeValue(ElementType::kFloat, bytes);
    QCOMPARE(*reinterpret_cast<const float*>(bytes), 2.5f);
    QCOMPARE(listOf(PadSettings::read(old)->place(data, {})->dims), (List{4, 5}));
  }

  void reshapes_data() {
    QTest::addColumn<List>("wanted");
    QTest::addColumn<bool>("zeroIsZero");
    QTest::addColumn<List>("dims");  // of [2, 3, 4]
    QTest::addColumn<QString>("refusal");
    QTest::newRow("as it says") << List{4, 6} << false << List{4, 6} << "";
    QTest::newRow("open") << List{-1, 6} << false << List{4, 6} << "";
    QTest::newRow("taken over") << List{0, 0, 2, 2} << false << List{2, 3, 2, 2} << "";
    QTest::newRow("zero is zero") << List{0, 4} << true << List{} << "cannot be reshaped";
    QTest::newRow("two open") << List{-1, -1} << false << List{} << "two open dimensions";
    QTest::newRow("below") << List{-2, 12} << false << List{} << "dimension 0 of the new shape is -2";
    QTest::newRow("no such axis") << List{1, 1, 1, 0} << false << List{} << "is taken from an input of rank 3";
    QTest::newRow("no factor") << List{-1, 5} << false << List{} << "24 elements";
    QTest::newRow("overflow") << List{INT64_MAX, 2, 2} << false << List{} << "";
  }
  void reshapes() {
    QFETCH(List, wanted);
    QFETCH(bool, zeroIsZero);
    QFETCH(List, dims);
    QFETCH(QString, refusal);
    const auto reshaped = reshapedDims(List{2, 3, 4}, Dims(wanted), zeroIsZero);
    QCOMPARE(reshaped.has_value(), !dims.empty());
    if (reshaped)
      QCOMPARE(listOf(*reshaped), dims);
    else
      QVERIFY2(says(reshaped.error(), refusal), reshaped.error().message.c_str());
  }

  void viewsOfOtherKinds() {
    QVERIFY(says(reshapedDims(List{1}, std::nullopt, false).error(), "Reshape needs a shape"));
    QCOMPARE(listOf(*flattenedDims(List{2, 3, 4}, 1)), (List{2, 12}));
    QCOMPARE(listOf(*flattenedDims(List{2, 3, 4}, -1)), (List{6, 4}));
    QCOMPARE(listOf(*flattenedDims(List{2, 3, 4}, 3)), (List{24, 1}));
    QVERIFY(says(flattenedDims(List{2}, 2).error(), "axis 2 is outside [-1, 1]"));
    QCOMPARE(listOf(*squeezedDims(List{1, 2, 1}, std::nullopt)), (List{2}));
    QCOMPARE(listOf(*squeezedDims(List{1, 2, 1}, Dims{-1})), (List{1, 2}));
    QVERIFY(says(squeezedDims(List{1, 2}, Dims{1}).error(), "cannot be squeezed"));
    QCOMPARE(listOf(*unsqueezedDims(List{2, 3}, Dims{0, -1})), (List{1, 2, 3, 1}));
    QVERIFY(says(unsqueezedDims(List{2}, std::nullopt).error(), "Unsqueeze needs axes"));
    QVERIFY(says(unsqueezedDims(List{2}, Dims{0, 0}).error(), "given twice"));
    QCOMPARE(listOf(dimsBetween(List{2, 3, 4}, -2, INT64_MAX)), (List{3, 4}));
    QCOMPARE(listOf(dimsBetween(List{2, 3, 4}, 2, 1)), List{});
  }
  void listsAreAttributesThenInputs() {
    Node node;
    node.setAttribute("axes", List{1});
    node.sinceVersion = 11;
    const Tensor given = tensorOf<int64_t>({0, 2});
    QCOMPARE(listOf(**squeezeAxes(node).read(&given)), (List{1}));
    node.sinceVersion = 13;
    QCOMPARE(listOf(**squeezeAxes(node).read(&given)), (List{0, 2}));
    QVERIFY(!*squeezeAxes(node).read(nullptr));
  }

  void moves() {
    QCOMPARE(placesRead(*transposeMove(List{2, 3}, List{1, 0}, false)), (List{0, 3, 1, 4, 2, 5}));
    QCOMPARE(listOf(transposeMove(List{2, 3, 4}, {}, true)->dims), (List{4, 3, 2}));
    QVERIFY(says(transposeMove(List{2, 3}, List{0}, false).error(), "does not fit an input of rank 2"));
    QVERIFY(says(transposeMove(List{2, 3}, List{0, 0}, false).error(), "given twice"));
    const Dims expanded = *expandedDims(List{3, 1}, List{2, 1, 2});
    QCOMPARE(listOf(expanded), (List{2, 3, 2}));
    QCOMPARE(placesRead(expandMove(List{3, 1}, expanded)), (List{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
    QVERIFY(says(expandedDims(List{3}, List{2}).error(), "cannot be expanded"));
    QVERIFY(!expandedDims(List{1}, List{-1}));
    const Dims tiled = *tiledDims(List{1, 2}, List{2, 2});
    QCOMPARE(listOf(tiled), (List{2, 4}));
    QCOMPARE(placesRead(tileMove(List{1, 2}, List{2, 2}, tiled)), (List{0, 1, 0, 1, 0, 1, 0, 1}));
    QVERIFY(says(tiledDims(List{1, 2}, List{2}).error(), "1 repeats are given for an input of rank 2"));
    QVERIFY(says(tiledDims(List{2}, List{-1}).error(), "axis 0 is repeated -1 times"));
    QVERIFY(!tiledDims(List{4}, List{INT64_MAX}));
  }

  void blocks() {
    Node node;
    node.opType = "DepthToSpace";
    QVERIFY(says(BlockSettings::read(node).error(), "blocksize 0 is outside"));
    node.setAttribute("blocksize", int64_t{2});
    const auto placed = BlockSettings::read(node)->place(List{1, 4, 1, 1});
    QCOMPARE(listOf(placed->dims), (List{1, 1, 2, 2}));
    QCOMPARE(placesRead(placed->move), (List{0, 1, 2, 3}));
    QVERIFY(says(BlockSettings::read(node)->place(List{1, 3, 1, 1}).error(), "blocks of 2 x 2"));
    node.opType = "SpaceToDepth";
    QCOMPARE(listOf(BlockSettings::read(node)->place(List{1, 1, 2, 4})->dims), (List{1, 4, 1, 2}));
    QVERIFY(!BlockSettings::read(node)->place(List{1, 1, 3, 4}));
    node.setAttribute("mode", std::string("XYZ"));
    QCOMPARE(BlockSettings::read(node).error().code, ErrorCode::kNotImplemented);
  }

  void partsBesideEachOther() {
    const Tensor a = floatsOf({2, 3}), b = floatsOf({2, 5}), c = floatsOf({3, 3});
    JoinedDims joined = *firstPart(a, -1);
    QVERIFY(addPart(joined, a, b, 1).has_value());
    QCOMPARE(listOf(joined.dims), (List{2, 8}));
    QVERIFY(says(addPart(joined, a, c, 2).error(), "input 2 of shape"));
    QVERIFY(!addPart(joined, a, tensorOf<int64_t>({1}), 2));
  }

  // Between the parts of a QLinearConcat lie scales and zero points, which fit nothing.
  void partsInTriples() {
    struct Call {
      std::vector<Tensor> inputs;
      size_t inputCount() const { return inputs.size(); }
      const Tensor* input(size_t slot) const { return &inputs[slot]; }
    };
    const Tensor one = tensorOf<int64_t>({1});
    Call call{{one, one, floatsOf({2, 3}), one, one, floatsOf({2, 5}), one, one}};
    QVERIFY(checkLinearConcat(call.inputCount()).has_value());
    QCOMPARE(listOf(joinedDims(call, 1, kLinearParts)->dims), (List{2, 8}));
    QVERIFY(says(joinedDims(call, 0, kLinearParts).error(), "input 5 of shape [2,5] cannot stand beside [2,3]"));
    QVERIFY(says(checkLinearConcat(2).error(), "not 2 inputs"));
    QVERIFY(says(checkLinearConcat(7).error(), "not 7 inputs"));
  }

  void pieces_data() {
    QTest::addColumn<int>("version");
    QTest::addColumn<List>("attribute");
    QTest::addColumn<List>("input");
    QTest::addColumn<List>("lengths");  // of 7, three outputs
    QTest::newRow("attribute") << 11 << List{1, 2, 4} << List{} << List{1, 2, 4};
    QTest::newRow("input goes first") << 13 << List{} << List{0, 7, 0} << List{0, 7, 0};
    QTest::newRow("equal, the last shorter") << 18 << List{} << List{} << List{3, 3, 1};
    QTest::newRow("equal, not allowed") << 13 << List{} << List{} << List{};
    QTest::newRow("too few") << 13 << List{} << List{3, 4} << List{};
    QTest::newRow("too long") << 13 << List{} << List{3, 4, 1} << List{};
    QTest::newRow("negative") << 13 << List{} << List{9, -1, -1} << List{};
    QTest::newRow("overflow") << 13 << List{} << List{INT64_MAX, INT64_MAX, 9} << List{};
  }
  void pieces() {
    QFETCH(int, version);
    QFETCH(List, attribute);
    QFETCH(List, input);
    QFETCH(List, lengths);
    Node node;
    node.sinceVersion = version;
    node.outputs.resize(3);
    if (!attribute.empty()) node.setAttribute("split", attribute);
    const Tensor given = tensorOf(input);
    const auto placed = SplitSettings(node).place(List{7, 2}, input.empty() ? nullptr : &given);
    QCOMPARE(placed.has_value(), !lengths.empty());
    if (placed) QCOMPARE(listOf(placed->lengths), lengths);
  }
  void piecesOfFloats() {
    Node node;
    node.sinceVersion = 1;
    node.outputs.resize(2);
    const Tensor whole = tensorOf<float>({3, 4}), half = tensorOf<float>({3.5f, 3.5f});
    QCOMPARE(listOf(SplitSettings(node).place(List{7}, &whole)->lengths), (List{3, 4}));
    QVERIFY(says(SplitSettings(node).place(List{7}, &half).error(), "no whole number"));
  }

  void constants() {
    Node node;
    QCOMPARE(constantOfShapeValue(node)->type(), ElementType::kFloat);
    node.setAttribute("value", tensorOf<int64_t>({1, 2}));
    QVERIFY(says(constantOfShapeValue(node).error(), "has 2 elements"));
    const Diagonal above = *diagonalOf(List{3, 4}, 1), below = *diagonalOf(List{3, 4}, -2);
    QCOMPARE(above.first, 1);
    QCOMPARE(above.count, 3);
    QCOMPARE(below.first, 8);
    QCOMPARE(below.count, 1);
    QCOMPARE(diagonalOf(List{3, 4}, 4)->count, 0);
    QCOMPARE(diagonalOf(List{3, 4}, INT64_MIN)->count, 0);
    QVERIFY(!diagonalOf(List{3}, 0));
    QCOMPARE(*countSteps(0.0, 1.0, 0.3), 4);
    QCOMPARE(*countSteps(1.0, 0.0, 0.3), 0);
    QVERIFY(!countSteps(0.0, 1.0, 0.0));
    QCOMPARE(*countSteps(int64_t{10}, int64_t{4}, int64_t{-3}), 2);
    QCOMPARE(*countSteps(INT64_MIN, INT64_MAX, INT64_MAX), 3);
    QVERIFY(!countSteps(int64_t{0}, int64_t{4}, int64_t{0}));
  }

  void reversedAxes() {
    Node node;
    const Tensor data = floatsOf({4, 2}), lengths = tensorOf<int64_t>({1, 2}), wrong = tensorOf<int64_t>({1});
    QCOMPARE(ReverseSettings(node).place(data, lengths)->batch, size_t{1});
    QVERIFY(says(ReverseSettings(node).place(data, wrong).error(), "1 lengths are given for 2 batch entries"));
    node.setAttribute("time_axis", int64_t{-1});
    QVERIFY(says(ReverseSettings(node).place(data, lengths).error(), "are both 1"));
  }
};

QTEST_GUILESS_MAIN(TestShapeOperators)
#include "tst_shape_operators.moc"
