// Shape operators against brute force: what element of the input each place of the output shows.

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include <QtTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

using Index = std::vector<int64_t>;

Tensor counting(const std::vector<int64_t>& dims) {
  Tensor tensor = *Tensor::create(ElementType::kInt32, dims);
  std::iota(tensor.span<int32_t>().begin(), tensor.span<int32_t>().end(), 1);
  return tensor;
}

Tensor integers(const std::vector<int64_t>& values) {
  return Tensor::of<int64_t>(values);
}

Index indexOf(int64_t place, const Dims& dims) {
  Index index(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    index[i] = place % dims[i];
    place /= dims[i];
  }
  return index;
}

// The input's element at an index; `otherwise` outside.
int32_t at(const Tensor& tensor, const Index& index, int32_t otherwise = 0) {
  int64_t place = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0 || index[i] >= tensor.dims()[i]) return otherwise;
    place = place * tensor.dims()[i] + index[i];
  }
  return tensor.span<int32_t>()[static_cast<size_t>(place)];
}

// Every element of `output` is what `shown` says for its index.
bool shows(const Tensor& output, const std::vector<int64_t>& dims, const std::function<int32_t(const Index&)>& shown) {
  if (!output.valid() || !(output.dims() == Dims(std::span<const int64_t>(dims)))) return false;
  for (int64_t i = 0; i < output.elementCount(); ++i) {
    if (output.span<int32_t>()[static_cast<size_t>(i)] != shown(indexOf(i, output.dims()))) return false;
  }
  return true;
}

// By the kernel, or by shape inference before it.
bool refused(const OperatorCall& call, const std::vector<Tensor>& inputs) {
  const Result<std::vector<Tensor>> outputs = tryOperator(call, inputs);
  return !outputs && outputs.error().code != ErrorCode::kNotImplemented && !outputs.error().message.empty();
}

}  // namespace

class TestShapeKernels : public QObject {
  Q_OBJECT
 private slots:
  void reshape() {
    const Tensor x = counting({2, 3, 4});
    const auto same = [&](const Tensor& y, const std::vector<int64_t>& dims) {
      return y.dims() == Dims(std::span<const int64_t>(dims)) && valuesOf<int32_t>(y) == valuesOf<int32_t>(x);
    };
    QVERIFY(same(callOperator({.opType = "Reshape"}, {x, integers({0, -1})}), {2, 12}));
    QVERIFY(same(callOperator({.opType = "Reshape"}, {x, integers({4, 0, 2})}), {4, 3, 2}));
    QVERIFY(same(callOperator({.opType = "Flatten", .attributes = {{"axis", int64_t{-1}}}}, {x}), {6, 4}));
    QVERIFY(same(callOperator({.opType = "Unsqueeze"}, {x, integers({0, -1})}), {1, 2, 3, 4, 1}));
    QVERIFY(same(
        callOperator({.opType = "Unsqueeze", .version = 11, .attributes = {{"axes", std::vector<int64_t>{1}}}}, {x}),
        {2, 1, 3, 4}));
    QVERIFY(callOperator({.opType = "Squeeze"}, {counting({1, 3, 1})}).dims() == Dims{3});
    QVERIFY(callOperator({.opType = "Squeeze"}, {counting({1, 3, 1}), integers({-1})}).dims() == (Dims{1, 3}));
    QVERIFY(callOperator({.opType = "Reshape", .attributes = {{"allowzero", int64_t{1}}}},
                         {counting({0, 3}), integers({3, 0})})
                .dims() == (Dims{3, 0}));
    for (const std::vector<int64_t>& bad : {std::vector<int64_t>{-1, -1},
                                            {5},
                                            {-2, 12},
                                            {0, 0, 0, 0},
                                            {7, -1},
                                            {std::numeric_limits<int64_t>::max(), 4}}) {
      QVERIFY(refused({.opType = "Reshape"}, {x, integers(bad)}));
    }
    QVERIFY(refused({.opType = "Squeeze"}, {x, integers({0})}));
    QVERIFY(refused({.opType = "Unsqueeze"}, {x, integers({0, 0})}));
  }

  void shapeAndSize() {
    const Tensor x = counting({2, 3, 4});
    QCOMPARE(valuesOf<int64_t>(callOperator({.opType = "Shape"}, {x})), (std::vector<int64_t>{2, 3, 4}));
    QCOMPARE(valuesOf<int64_t>(
                 callOperator({.opType = "Shape", .attributes = {{"start", int64_t{-2}}, {"end", int64_t{-1}}}}, {x})),
             std::vector<int64_t>{3});
    QCOMPARE(valuesOf<int64_t>(
                 callOperator({.opType = "Shape", .attributes = {{"start", int64_t{2}}, {"end", int64_t{-9}}}}, {x})),
             std::vector<int64_t>{});
    QCOMPARE(valuesOf<int64_t>(callOperator({.opType = "Size"}, {x})), std::vector<int64_t>{24});
  }

  void slice_data() {
    QTest::addColumn<int>("start");
    QTest::addColumn<int>("end");
    QTest::addColumn<int>("step");
    for (const int start : {-9, -3, 0, 2, 6, 9}) {
      for (const int end : {-9, -2, 0, 3, 6, 9}) {
        for (const int step : {1, 2, 5, -1, -2, -7})
          QTest::newRow(qPrintable(QString("%1:%2:%3").arg(start).arg(end).arg(step))) << start << end << step;
      }
    }
  }
  void slice() {
    QFETCH(int, start);
    QFETCH(int, end);
    QFETCH(int, step);
    const Tensor x = counting({3, 6});
    // Python's rule, except that ONNX clamps a start before the first element to it, also when stepping back.
    std::vector<int64_t> kept;
    const int64_t n = 6;
    int64_t from = start < 0 ? start + n : start;
    int64_t to = end < 0 ? end + n : end;
    from = step > 0 ? std::clamp<int64_t>(from, 0, n) : std::clamp<int64_t>(from, 0, n - 1);
    to = step > 0 ? std::clamp<int64_t>(to, 0, n) : std::clamp<int64_t>(to, -1, n - 1);
    for (int64_t i = from; step > 0 ? i < to : i > to; i += step)
      kept.push_back(i);
    const Tensor y =
        callOperator({.opType = "Slice"}, {x, integers({start}), integers({end}), integers({-1}), integers({step})});
    QVERIFY(shows(y, {3, static_cast<int64_t>(kept.size())},
                  [&](const Index& i) { return at(x, {i[0], kept[static_cast<size_t>(i[1])]}); }));
  }
  void sliceLimits() {
    const Tensor x = counting({4});
    const int64_t most = std::numeric_limits<int64_t>::max();
    const int64_t least = std::numeric_limits<int64_t>::min();
    QCOMPARE(valuesOf<int32_t>(callOperator({.opType = "Slice"},
                                            {x, integers({most}), integers({least}), integers({0}), integers({-1})})),
             (std::vector<int32_t>{4, 3, 2, 1}));
    QCOMPARE(valuesOf<int32_t>(callOperator({.opType = "Slice"},
                                            {x, integers({least}), integers({most}), integers({0}), integers({most})})),
             std::vector<int32_t>{1});
    QCOMPARE(valuesOf<int32_t>(callOperator({.opType = "Slice"},
                                            {x, integers({-1}), integers({least}), integers({0}), integers({least})})),
             std::vector<int32_t>{4});
    QVERIFY(refused({.opType = "Slice"}, {x, integers({0}), integers({1}), integers({0}), integers({0})}));
    QVERIFY(refused({.opType = "Slice"}, {x, integers({0}), integers({1}), integers({1})}));
  }

  void pad_data() {
    QTest::addColumn<QString>("mode");
    for (const char* mode : {"constant", "edge", "reflect", "wrap"})
      QTest::newRow(mode) << mode;
  }
  void pad() {
    QFETCH(QString, mode);
    const Tensor x = counting({2, 4});
    const auto shown = [&](int64_t place, int64_t n) -> int64_t {
      if (mode == "constant") return place;
      if (mode == "edge") return std::clamp<int64_t>(place, 0, n - 1);
      // Walked step by step: the other way round than the kernel's arithmetic.
      int64_t position = 0;
      int64_t direction = place < 0 ? -1 : 1;
      for (int64_t i = 0; i < std::abs(place); ++i) {
        if (mode == "wrap") {
          position = (position + direction + n) % n;
        } else {
          if (position + direction < 0 || position + direction >= n) direction = -direction;
          position += n > 1 ? direction : 0;
        }
      }
      return position;
    };
    for (const std::vector<int64_t>& pads :
         {std::vector<int64_t>{1, 2, 0, 3}, {0, -1, 1, 6}, {3, 9, 2, -2}, {0, 0, 0, 0}}) {
      const Tensor y = callOperator({.opType = "Pad", .attributes = {{"mode", mode.toStdString()}}},
                                    {x, integers(pads), Tensor::scalar<int32_t>(-7)});
      const auto expected = [&](const Index& i) {
        return at(x, {shown(i[0] - pads[0], 2), shown(i[1] - pads[1], 4)}, -7);
      };
      QVERIFY2(shows(y, {2 + pads[0] + pads[2], 4 + pads[1] + pads[3]}, expected), qPrintable(mode));
    }
    QVERIFY(refused({.opType = "Pad", .attributes = {{"mode", mode.toStdString()}}}, {x, integers({0, -3, 0, -3})}));
    QVERIFY(refused({.opType = "Pad", .attributes = {{"mode", mode.toStdString()}}},
                    {x, integers({0, std::numeric_limits<int64_t>::max(), 0, 1})}));
  }

  void repeats() {
    const Tensor x = counting({2, 1, 3});
    QVERIFY(shows(callOperator({.opType = "Expand"}, {x, integers({4, 1, 5, 1})}), {4, 2, 5, 3},
                  [&](const Index& i) { return at(x, {i[1], 0, i[3]}); }));
    QVERIFY(shows(callOperator({.opType = "Tile"}, {x, integers({2, 3, 2})}), {4, 3, 6},
                  [&](const Index& i) { return at(x, {i[0] % 2, 0, i[2] % 3}); }));
    QVERIFY(callOperator({.opType = "Tile"}, {x, integers({0, 3, 2})}).dims() == (Dims{0, 3, 6}));
    QVERIFY(refused({.opType = "Tile"}, {x, integers({1, -1, 1})}));
    QVERIFY(refused({.opType = "Expand"}, {x, integers({2, 2, 2})}));
  }

  void joinsAndCuts() {
    const Tensor x = counting({3, 2, 4});
    const Tensor wide =
        callOperator({.opType = "Concat", .attributes = {{"axis", int64_t{-2}}}}, {x, counting({3, 1, 4}), x});
    QVERIFY(shows(wide, {3, 5, 4}, [&](const Index& i) {
      return i[1] == 2 ? at(counting({3, 1, 4}), {i[0], 0, i[2]}) : at(x, {i[0], i[1] % 3, i[2]});
    }));
    const auto pieces =
        tryOperator({.opType = "Split", .attributes = {{"axis", int64_t{2}}}, .outputs = 3}, {x, integers({1, 0, 3})});
    QVERIFY(pieces && pieces->size() == 3);
    QVERIFY(shows((*pieces)[0], {3, 2, 1}, [&](const Index& i) { return at(x, {i[0], i[1], 0}); }));
    QVERIFY(shows((*pieces)[1], {3, 2, 0}, [](const Index&) { return 0; }));
    QVERIFY(shows((*pieces)[2], {3, 2, 3}, [&](const Index& i) { return at(x, {i[0], i[1], i[2] + 1}); }));
    const auto uneven =
        tryOperator({.opType = "Split", .attributes = {{"num_outputs", int64_t{2}}}, .outputs = 2}, {x});
    QVERIFY(uneven && (*uneven)[0].dims()[0] == 2 && (*uneven)[1].dims()[0] == 1);
    QVERIFY(refused({.opType = "Split", .outputs = 2}, {x, integers({1, 1})}));
    QVERIFY(refused({.opType = "Split", .outputs = 2}, {x, integers({4, -1})}));
    QVERIFY(refused({.opType = "Concat", .attributes = {{"axis", int64_t{0}}}}, {x, counting({3, 1, 4})}));
    QVERIFY(refused({.opType = "Concat", .attributes = {{"axis", int64_t{3}}}}, {x, x}));
  }

  void strings() {
    const Tensor x = tensorOf<std::string>({2, 2}, {"a", "a string too long for its short form", "", "d"});
    QCOMPARE(valuesOf<std::string>(callOperator({.opType = "Transpose"}, {x})),
             (std::vector<std::string>{"a", "", "a string too long for its short form", "d"}));
    QCOMPARE(
        valuesOf<std::string>(callOperator({.opType = "Concat", .attributes = {{"axis", int64_t{0}}}}, {x, x})).size(),
        size_t{8});
    QCOMPARE(valuesOf<std::string>(callOperator({.opType = "Tile"}, {x, integers({1, 2})}))[3],
             std::string("a string too long for its short form"));
  }

  void packedElements() {
    Tensor x = *Tensor::create(ElementType::kInt4, {3, 3});
    const std::vector<uint8_t> packed{0x21, 0x43, 0x65, 0x87, 0x09};  // 1..9
    std::copy(packed.begin(), packed.end(), static_cast<uint8_t*>(x.mutableData()));
    const Tensor y = callOperator({.opType = "Transpose"}, {x});
    const std::vector<uint8_t> turned{0x41, 0x27, 0x85, 0x63, 0x09};  // 1 4 7 2 5 8 3 6 9
    QVERIFY(y.valid() && std::equal(turned.begin(), turned.end(), static_cast<const uint8_t*>(y.data())));
  }

  void ranges() {
    QCOMPARE(
        valuesOf<int64_t>(callOperator({.opType = "Range"}, {Tensor::scalar<int64_t>(5), Tensor::scalar<int64_t>(-3),
                                                             Tensor::scalar<int64_t>(-3)})),
        (std::vector<int64_t>{5, 2, -1}));
    QCOMPARE(valuesOf<float>(
                 callOperator({.opType = "Range"}, {Tensor::scalar(0.0f), Tensor::scalar(1.0f), Tensor::scalar(0.4f)}))
                 .size(),
             size_t{3});
    QVERIFY(refused({.opType = "Range"},
                    {Tensor::scalar<int64_t>(0), Tensor::scalar<int64_t>(1), Tensor::scalar<int64_t>(0)}));
    QVERIFY(refused({.opType = "Range"}, {Tensor::scalar(0.0f), Tensor::scalar(1.0f), Tensor::scalar(0.0f)}));
  }

  void triangles() {
    const Tensor x = counting({2, 3, 4});
    for (const int64_t k : {-9, -1, 0, 2, 9}) {
      for (const bool upper : {false, true}) {
        const Tensor y = callOperator({.opType = "Trilu", .attributes = {{"upper", int64_t{upper}}}},
                                      {x, Tensor::scalar<int64_t>(k)});
        QVERIFY(shows(y, {2, 3, 4},
                      [&](const Index& i) { return (upper ? i[2] - i[1] >= k : i[2] - i[1] <= k) ? at(x, i) : 0; }));
      }
    }
  }

  void blocks() {
    const Tensor x = counting({2, 8, 2, 3});
    const Tensor dcr = callOperator({.opType = "DepthToSpace", .attributes = {{"blocksize", int64_t{2}}}}, {x});
    QVERIFY(shows(dcr, {2, 2, 4, 6}, [&](const Index& i) {
      return at(x, {i[0], (i[2] % 2 * 2 + i[3] % 2) * 2 + i[1], i[2] / 2, i[3] / 2});
    }));
    const Tensor crd = callOperator(
        {.opType = "DepthToSpace", .attributes = {{"blocksize", int64_t{2}}, {"mode", std::string("CRD")}}}, {x});
    QVERIFY(shows(crd, {2, 2, 4, 6}, [&](const Index& i) {
      return at(x, {i[0], i[1] * 4 + i[2] % 2 * 2 + i[3] % 2, i[2] / 2, i[3] / 2});
    }));
    const Tensor back =
        callOperator({.opType = "SpaceToDepth", .version = 13, .attributes = {{"blocksize", int64_t{2}}}}, {dcr});
    QVERIFY(shows(back, {2, 8, 2, 3}, [&](const Index& i) { return at(x, i); }));
    QVERIFY(refused({.opType = "DepthToSpace", .attributes = {{"blocksize", int64_t{3}}}}, {x}));
  }

  void centerCropPad() {
    const OperatorCall all{.opType = "CenterCropPad", .version = 18};
    const Tensor x = counting({5, 2});
    // Two of five rows go in front, so that the odd one goes behind; one column comes in front of two.
    const Tensor y = callOperator(all, {x, integers({2, 5})});
    QVERIFY(shows(y, {2, 5}, [&](const Index& i) { return at(x, {i[0] + 1, i[1] - 1}); }));
    const OperatorCall last{
        .opType = "CenterCropPad", .version = 18, .attributes = {{"axes", std::vector<int64_t>{-1}}}};
    QVERIFY(shows(callOperator(last, {x, integers({3})}), {5, 3}, [&](const Index& i) { return at(x, {i[0], i[1]}); }));
    QVERIFY(callOperator(all, {x, integers({0, 2})}).elementCount() == 0);
    QVERIFY(refused(all, {x, integers({2})}));
    QVERIFY(refused(all, {x, integers({2, -1})}));
    QVERIFY(refused(last, {x, integers({2, 2})}));
  }

  void triluOfText() {
    const OperatorCall call{.opType = "Trilu", .version = 14};
    const Tensor y = callOperator(call, {tensorOf<std::string>({2, 2}, {"a", "b", "c", "d"})});
    QVERIFY((valuesOf<std::string>(y) == std::vector<std::string>{"a", "b", "", "d"}));
  }

  void splitByFloats() {
    const OperatorCall call{.opType = "Split", .version = 1, .outputs = 2};
    const Tensor x = tensorOf<float>({3}, {1, 2, 3});
    const Result<std::vector<Tensor>> parts = tryOperator(call, {x, tensorOf<float>({2}, {1, 2})});
    QVERIFY(parts && (*parts)[1].elementCount() == 2);
    QVERIFY(refused(call, {x, tensorOf<float>({2}, {0.5f, 2.5f})}));
    QVERIFY(refused(call, {x, tensorOf<float>({2}, {-1, 4})}));
  }
};

QTEST_GUILESS_MAIN(TestShapeKernels)
#include "tst_shape_kernels.moc"
