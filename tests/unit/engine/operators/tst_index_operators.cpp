// What operators that pick, place, rank and convert elements mean.
#include <vector>

#include <QtTest/QtTest>

#include "engine/operators/broadcast.h"
#include "engine/operators/cast.h"
#include "engine/operators/gather.h"
#include "engine/operators/grid_sample.h"
#include "engine/operators/integer_list.h"
#include "engine/operators/non_max_suppression.h"
#include "engine/operators/one_hot.h"
#include "engine/operators/residual.h"
#include "engine/operators/scatter.h"
#include "engine/operators/top_k.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

using List = std::vector<int64_t>;

List listOf(std::span<const int64_t> dims) {
  return List(dims.begin(), dims.end());
}
Tensor floatsOf(const List& dims) {
  return *Tensor::create(ElementType::kFloat, dims);
}
Tensor indicesOf(const List& dims) {
  return *Tensor::create(ElementType::kInt64, dims);
}
Tensor numbersOf(const List& values) {
  return Tensor::of(std::span<const int64_t>(values));
}
bool says(const Error& error, const QString& text) {
  return QString::fromStdString(error.message).contains(text);
}

}  // namespace

class TestIndexOperators : public QObject {
  Q_OBJECT

 private slots:
  void gathers() {
    QCOMPARE(listOf(gatheredDims(List{2, 3, 4}, List{5, 6}, 1)), (List{2, 5, 6, 4}));
    QCOMPARE(listOf(gatheredDims(List{2, 3}, {}, 0)), (List{3}));
    QVERIFY(checkElementIndices(indicesOf({1, 9}), List{2, 3}, 1).has_value());
    QVERIFY(says(checkElementIndices(indicesOf({3, 1}), List{2, 3}, 1).error(), "on axis 0"));
    QVERIFY(says(checkElementIndices(indicesOf({3}), List{2, 3}, 1).error(), "indices of rank 1"));
    QVERIFY(says(checkIndexType(floatsOf({1})).error(), "indices have elements of type"));
  }

  void tupleGathers_data() {
    QTest::addColumn<List>("data");
    QTest::addColumn<List>("indices");
    QTest::addColumn<int64_t>("batchDims");
    QTest::addColumn<List>("dims");
    QTest::addColumn<QString>("refusal");
    QTest::newRow("elements") << List{2, 3} << List{4, 2} << int64_t{0} << List{4} << "";
    QTest::newRow("slices") << List{2, 3, 5} << List{4, 1} << int64_t{0} << List{4, 3, 5} << "";
    QTest::newRow("batched") << List{2, 3, 5} << List{2, 1} << int64_t{1} << List{2, 5} << "";
    QTest::newRow("batch differs") << List{2, 3} << List{3, 1} << int64_t{1} << List{} << "batch axis 0 differs";
    QTest::newRow("too long") << List{2, 3} << List{1, 3} << int64_t{0} << List{} << "tuples of 3 numbers";
    QTest::newRow("batch of all") << List{2} << List{2} << int64_t{1} << List{} << "batch_dims 1 does not fit";
  }
  void tupleGathers() {
    QFETCH(List, data);
    QFETCH(List, indices);
    QFETCH(int64_t, batchDims);
    QFETCH(List, dims);
    QFETCH(QString, refusal);
    const auto placed = placeTupleGather(floatsOf(data), indicesOf(indices), batchDims);
    QCOMPARE(placed.has_value(), refusal.isEmpty());
    if (placed)
      QCOMPARE(listOf(placed->dims), dims);
    else
      QVERIFY2(says(placed.error(), refusal), placed.error().message.c_str());
  }

  void scatters() {
    Node node;
    QCOMPARE(*scatterReductionOf(node), ScatterReduction::kNone);
    node.setAttribute("reduction", std::string("max"));
    QCOMPARE(*scatterReductionOf(node), ScatterReduction::kMaximum);
    node.setAttribute("reduction", std::string("median"));
    QVERIFY(says(scatterReductionOf(node).error(), "reduction is 'median'"));
    QVERIFY(checkScatterElements(floatsOf({4}), indicesOf({2}), floatsOf({2})).has_value());
    QVERIFY(!checkScatterElements(floatsOf({4}), indicesOf({2}), floatsOf({3})));
    QVERIFY(!checkScatterElements(floatsOf({4}), indicesOf({2}), indicesOf({2})));
    const auto placed = placeTupleScatter(floatsOf({4, 3, 2}), indicesOf({5, 1}), floatsOf({5, 3, 2}));
    QCOMPARE(placed->tuples, 5);
    QCOMPARE(placed->sliceCells, 6);
    QVERIFY(!placeTupleScatter(floatsOf({4}), indicesOf({1, 1}), floatsOf({3})));
    QVERIFY(!placeTupleScatter(floatsOf({4}), indicesOf({1, 2}), floatsOf({1})));
    QVERIFY(!placeTupleScatter(floatsOf({4}), indicesOf({}), floatsOf({})));
  }

  void cacheUpdates() {
    Node node;
    const CacheUpdate settings = *CacheUpdate::read(node);
    const Tensor past = floatsOf({2, 8, 3}), two = numbersOf({0, 1}), three = numbersOf({0, 1, 2});
    QCOMPARE(*settings.place(past, floatsOf({2, 4, 3}), &two), size_t{1});
    QVERIFY(says(settings.place(past, floatsOf({2, 9, 3}), nullptr).error(), "does not fit a cache"));
    QVERIFY(says(settings.place(past, floatsOf({2, 4, 3}), &three).error(), "3 write indices are given for 2"));
    QVERIFY(!settings.place(floatsOf({2, 2}), floatsOf({2, 2}), nullptr));
    node.setAttribute("mode", std::string("spiral"));
    QCOMPARE(CacheUpdate::read(node).error().code, ErrorCode::kNotImplemented);
  }

  void oneHots() {
    const auto last = placeOneHot(List{2, 3}, -1, 4), first = placeOneHot(List{2, 3}, 0, 4);
    QCOMPARE(listOf(last->dims), (List{2, 3, 4}));
    QCOMPARE(last->inner, 1);
    QCOMPARE(listOf(first->dims), (List{4, 2, 3}));
    QCOMPARE(first->inner, 6);
    QVERIFY(says(placeOneHot(List{2}, 0, -3).error(), "the depth of OneHot is -3"));
    QVERIFY(!placeOneHot(List{2}, 2, 3));
    QVERIFY(says(checkOneHotOperands(numbersOf({1}), numbersOf({1, 2, 3})).error(), "one depth and two values"));
  }

  void suppressions() {
    const Tensor most = numbersOf({3}), overlap = Tensor::scalar(0.5f), pair = floatsOf({2});
    const auto settings = suppressionSettings(SuppressionOperands{&most, &overlap, nullptr});
    QCOMPARE(settings->mostPerClass, 3);
    QCOMPARE(settings->overlapThreshold, 0.5f);
    QVERIFY(!settings->hasScoreThreshold);
    QVERIFY(says(suppressionSettings(SuppressionOperands{&most, &pair, nullptr}).error(), "must be one float"));
    QVERIFY(checkSuppressedBoxes(floatsOf({1, 3, 4}), floatsOf({1, 2, 3})).has_value());
    QVERIFY(says(checkSuppressedBoxes(floatsOf({1, 3, 5}), floatsOf({1, 2, 3})).error(), "do not fit each other"));
    QVERIFY(!checkSuppressedBoxes(floatsOf({1, 3, 4}), floatsOf({1, 2, 2})));
  }

  void topKs() {
    Node node;
    node.setAttribute("axis", int64_t{-2});
    node.setAttribute("k", int64_t{2});
    QVERIFY(says(TopKSettings::read(node).error(), "both outputs are needed"));
    node.outputs = {ValueId(0), ValueId{}};
    QVERIFY(says(TopKSettings::read(node).error(), "both outputs are needed"));
    node.outputs = {ValueId(0), ValueId(1)};
    const TopKSettings settings = *TopKSettings::read(node);
    QVERIFY(settings.largest());
    const auto placed = settings.place(List{2, 5, 3}, nullptr);
    QCOMPARE(placed->axis, size_t{1});
    QCOMPARE(placed->inner, 3);
    QCOMPARE(listOf(placed->dims), (List{2, 2, 3}));
    const Tensor six = numbersOf({6}), two = numbersOf({1, 2});
    QVERIFY(says(settings.place(List{2, 5, 3}, &six).error(), "K is 6, the axis has 5"));
    QVERIFY(says(settings.place(List{2, 5, 3}, &two).error(), "K is one int64"));
    QVERIFY(says(settings.place(List{2}, nullptr).error(), "axis -2 is out of range for rank 1"));
    QCOMPARE(*readAxis(numbersOf({-1}), 3), size_t{2});
    QVERIFY(says(readAxis(numbersOf({5}), 2).error(), "axis 5 is out of range"));
    QVERIFY(says(readAxis(numbersOf({1, 1}), 2).error(), "the axis is one number"));
    QVERIFY(says(readAxis(Tensor::scalar(1.0f), 2).error(), "int32 or int64"));
  }

  void residuals() {
    const auto type = [](ElementType element, std::initializer_list<Dim> dims) {
      return ValueType::tensor(element, Shape(dims));
    };
    const ValueType floats = type(ElementType::kFloat, {Dim("batch"), Dim(3)});
    QVERIFY(addsWithoutBroadcast(floats, type(ElementType::kFloat, {Dim("batch"), Dim(3)})));
    QVERIFY(!addsWithoutBroadcast(floats, type(ElementType::kFloat16, {Dim("batch"), Dim(3)})));
    QVERIFY(!addsWithoutBroadcast(floats, type(ElementType::kFloat, {Dim("other"), Dim(3)})));
    QVERIFY(!addsWithoutBroadcast(floats, type(ElementType::kFloat, {Dim("batch"), Dim(1)})));
    QVERIFY(!addsWithoutBroadcast(floats, type(ElementType::kFloat, {Dim(3)})));
    QVERIFY(!addsWithoutBroadcast(floats, ValueType::tensor(ElementType::kFloat, std::nullopt)));
  }

  void broadcasts() {
    const Dims a{2, 1, 3}, b{4, 1}, c{2}, zero{0};
    QCOMPARE(listOf(*broadcastDims({&a, &b})), (List{2, 4, 3}));
    QCOMPARE(listOf(*broadcastDims({&b, &zero})), (List{4, 0}));
    QVERIFY(says(broadcastDims({&a, &c}).error(), "do not broadcast"));
    Node node;
    const Dims whole{2, 3, 4}, part{3};
    QCOMPARE(listOf(*LegacyBroadcast::of(node, false).align(whole, part)), (List{3}));
    QVERIFY(says(LegacyBroadcast::of(node, true).align(whole, part).error(), "broadcast is 0"));
    node.setAttribute("broadcast", int64_t{1});
    QCOMPARE(listOf(*LegacyBroadcast::of(node, true).align(whole, part)), (List{3}));
    QVERIFY(says(LegacyBroadcast::of(node, true).align(part, whole).error(), "more axes"));
    node.setAttribute("axis", int64_t{1});
    QCOMPARE(listOf(*LegacyBroadcast::of(node, true).align(whole, part)), (List{1, 3, 1}));
    node.setAttribute("axis", int64_t{3});
    QVERIFY(says(LegacyBroadcast::of(node, true).align(whole, part).error(), "axis 3 does not fit"));
  }

  void samples() {
    Node node;
    node.setAttribute("mode", std::string("bicubic"));
    node.setAttribute("padding_mode", std::string("reflection"));
    const auto settings = readSampleSettings(node);
    QCOMPARE(settings->mode, SampleMode::kCubic);
    QCOMPARE(settings->padding, SamplePadding::kReflection);
    QVERIFY(!settings->tapsOnly);
    node.domain = "com.microsoft";
    QVERIFY(readSampleSettings(node)->tapsOnly);
    node.setAttribute("mode", std::string("quartic"));
    QCOMPARE(readSampleSettings(node).error().code, ErrorCode::kNotImplemented);
    QCOMPARE(listOf(*sampledDims(List{2, 3, 5, 6}, List{2, 7, 8, 2})), (List{2, 3, 7, 8}));
    QVERIFY(says(sampledDims(List{2, 3, 5, 6}, List{2, 7, 8, 3}).error(), "does not fit an input"));
    QVERIFY(says(sampledDims(List{2, 3, 0, 6}, List{2, 7, 8, 2}).error(), "nothing to sample"));
    QVERIFY(sampledDims(List{2, 3, 0, 6}, List{2, 0, 8, 2}).has_value());
  }

  void casts() {
    Node node;
    node.sinceVersion = 1;
    node.setAttribute("to", std::string("INT64"));
    QCOMPARE(*castTarget(node), ElementType::kInt64);
    node.setAttribute("to", std::string("INT65"));
    QVERIFY(says(castTarget(node).error(), "'int65' is no element type"));
    node.sinceVersion = 13;
    node.setAttribute("to", int64_t{1});
    QCOMPARE(*castTarget(node), ElementType::kFloat);
    QCOMPARE(*bitCastTarget(node, ElementType::kInt32), ElementType::kFloat);
    QVERIFY(says(bitCastTarget(node, ElementType::kInt64).error(), "differ in width"));
    node.setAttribute("to", int64_t{300});
    QCOMPARE(castTarget(node).error().code, ErrorCode::kNotImplemented);
    QVERIFY(!checkCastTarget(ElementType::kUndefined));
  }
};

QTEST_GUILESS_MAIN(TestIndexOperators)
#include "tst_index_operators.moc"
