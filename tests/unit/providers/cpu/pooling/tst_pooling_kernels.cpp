// Poolings of every rank against sums and maxima taken cell by cell; MaxUnpool, MaxRoiPool and DeformConv refuse what
// does not fit.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <QTest>

#include "engine/base/parallel.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

using Ints = std::vector<int64_t>;

Tensor randomInput(const Ints& dims, uint32_t seed) {
  Tensor x = *Tensor::create(ElementType::kDouble, std::span<const int64_t>(dims));
  std::mt19937 random(seed);
  for (double& value : x.span<double>())
    value = static_cast<double>(random() % 2000) / 100.0 - 10;
  return x;
}

struct Setting {
  Ints input, kernel, strides, pads, dilations;
  bool ceil = false;
};

// Every output cell on its own, from the formula of the standard; `visit` sees (output cell, values, places) in order.
template <typename Visit>
void eachWindow(const Setting& s, const Tensor& x, const Dims& out, Visit&& visit) {
  const size_t axes = s.kernel.size();
  const double* data = x.span<double>().data();
  int64_t cells = 1, inCells = 1, kernelCells = 1;
  for (size_t a = 0; a < axes; ++a)
    cells *= out[a + 2], inCells *= s.input[a + 2], kernelCells *= s.kernel[a];
  for (int64_t plane = 0; plane < s.input[0] * s.input[1]; ++plane) {
    for (int64_t cell = 0; cell < cells; ++cell) {
      std::vector<double> values;
      Ints places;
      for (int64_t k = 0; k < kernelCells; ++k) {
        int64_t outRest = cell, kRest = k, place = 0, step = 1;
        bool inside = true;
        for (size_t a = axes; a-- > 0;) {
          const int64_t at = outRest % out[a + 2] * s.strides[a] - s.pads[a] + kRest % s.kernel[a] * s.dilations[a];
          outRest /= out[a + 2];
          kRest /= s.kernel[a];
          inside = inside && at >= 0 && at < s.input[a + 2];
          place += at * step;
          step *= s.input[a + 2];
        }
        if (!inside) continue;
        values.push_back(data[plane * inCells + place]);
        places.push_back(plane * inCells + place);
      }
      visit(static_cast<size_t>(plane * cells + cell), values, places);
    }
  }
}

const std::vector<Setting>& settings() {
  static const std::vector<Setting> list = {
      {{2, 3, 11}, {3}, {2}, {1, 1}, {1}},
      {{1, 2, 9, 7}, {3, 2}, {1, 1}, {1, 0, 1, 1}, {1, 1}},
      {{1, 2, 9, 7}, {2, 3}, {3, 2}, {0, 1, 1, 1}, {2, 2}},
      {{1, 1, 5, 6, 4}, {2, 3, 2}, {2, 1, 2}, {0, 1, 0, 1, 1, 1}, {1, 1, 1}, true},
      {{1, 2, 4, 5, 3, 6}, {2, 2, 2, 3}, {2, 1, 1, 2}, {0, 1, 0, 1, 0, 0, 1, 1}, {1, 1, 1, 1}},
  };
  return list;
}

}  // namespace

class TestPoolingKernels : public QObject {
  Q_OBJECT
 private slots:
  void everyRank_data();
  void everyRank();
  void maximaOfFloats_data();
  void maximaOfFloats();
  void maximaOfOddNumbers();
  void unpoolRefuses();
  void roiPoolRefuses();
  void deformConvRefuses();
};

void TestPoolingKernels::everyRank_data() {
  QTest::addColumn<int>("setting");
  for (size_t i = 0; i < settings().size(); ++i)
    QTest::newRow(qPrintable(QString::number(i))) << static_cast<int>(i);
}

void TestPoolingKernels::everyRank() {
  QFETCH(int, setting);
  const Setting& s = settings()[static_cast<size_t>(setting)];
  const Tensor x = randomInput(s.input, static_cast<uint32_t>(setting));
  const std::vector<Attribute> common{{"kernel_shape", s.kernel},
                                      {"strides", s.strides},
                                      {"pads", s.pads},
                                      {"dilations", s.dilations},
                                      {"ceil_mode", int64_t{s.ceil}}};
  const auto maxima = tryOperator({.opType = "MaxPool", .attributes = common, .outputs = 2}, {x});
  QVERIFY2(maxima.has_value(), maxima ? "" : maxima.error().message.c_str());
  const Tensor onlyMaxima = callOperator({.opType = "MaxPool", .attributes = common}, {x});
  const Tensor average = callOperator({.opType = "AveragePool", .attributes = common}, {x});
  std::vector<Tensor> norms;
  for (const int64_t p : {1, 2, 3, 5}) {
    auto attributes = common;
    attributes.push_back({"p", p});
    norms.push_back(callOperator({.opType = "LpPool", .attributes = attributes}, {x}));
  }
  const Tensor& best = maxima->at(0);
  eachWindow(s, x, best.dims(), [&](size_t cell, const std::vector<double>& values, const Ints& places) {
    const size_t at = static_cast<size_t>(std::ranges::max_element(values) - values.begin());
    QCOMPARE(best.span<double>()[cell], values[at]);
    QCOMPARE(onlyMaxima.span<double>()[cell], values[at]);
    QCOMPARE(maxima->at(1).span<int64_t>()[cell], places[at]);
    double sum = 0;
    for (const double value : values)
      sum += value;
    QVERIFY(std::abs(average.span<double>()[cell] - sum / static_cast<double>(values.size())) < 1e-9);
    for (size_t i = 0; i < norms.size(); ++i) {
      const double p = std::array{1.0, 2.0, 3.0, 5.0}[i];
      double powers = 0;
      for (const double value : values)
        powers += std::pow(std::abs(value), p);
      QVERIFY(std::abs(norms[i].span<double>()[cell] - std::pow(powers, 1 / p)) < 1e-9);
    }
  });
}

// By vectors, as doubles give them one by one: rows narrower than a vector, as wide, wider, and wider than what is
// folded at once; planes of more rows than that; planes so small and so many that several are worked on together.
void TestPoolingKernels::maximaOfFloats_data() {
  QTest::addColumn<std::vector<int64_t>>("input");
  for (const int64_t width : {1, 2, 5, 13, 15, 16, 17, 28, 33, 112, 700, 5000})
    QTest::addRow("%d columns", static_cast<int>(width)) << Ints{2, 3, width > 100 ? 5 : 29, width};
  QTest::addRow("a row alone") << Ints{2, 3, 37};
  for (const int64_t edge : {3, 7, 8, 14, 27})
    QTest::addRow("many planes of %d", static_cast<int>(edge)) << Ints{3, 23, edge, edge + edge % 3};
}

void TestPoolingKernels::maximaOfFloats() {
  QFETCH(std::vector<int64_t>, input);
  const Tensor exact = randomInput(input, 3);
  Tensor x = *Tensor::create(ElementType::kFloat, input);
  Tensor rounded = *Tensor::create(ElementType::kDouble, input);
  for (size_t i = 0; i < exact.span<double>().size(); ++i)
    rounded.span<double>()[i] = x.span<float>()[i] = static_cast<float>(exact.span<double>()[i]);
  const size_t axes = input.size() - 2;
  // ahead, behind: pads of each axis
  const auto call = [&](const Tensor& from, int64_t kernel, int64_t stride, int64_t dilation, int64_t ahead,
                        int64_t behind) {
    Ints pads(axes, ahead);
    pads.resize(2 * axes, behind);
    return callOperator({.opType = "MaxPool",
                         .attributes = {{"kernel_shape", Ints(axes, kernel)},
                                        {"strides", Ints(axes, stride)},
                                        {"dilations", Ints(axes, dilation)},
                                        {"pads", pads},
                                        {"ceil_mode", int64_t{1}}}},
                        {from});
  };
  const auto compare = [&](int64_t kernel, int64_t stride, int64_t dilation, int64_t ahead, int64_t behind) {
    const Tensor wanted = call(rounded, kernel, stride, dilation, ahead, behind);
    for (const int threads : {1, 3}) {
      const ThreadShare share(threads);
      const Tensor seen = call(x, kernel, stride, dilation, ahead, behind);
      QCOMPARE(seen.dims(), wanted.dims());
      for (size_t i = 0; i < seen.span<float>().size(); ++i)
        QCOMPARE(static_cast<double>(seen.span<float>()[i]), wanted.span<double>()[i]);
    }
  };
  for (const int64_t kernel : {2, 3, 5}) {
    for (const int64_t stride : {1, 2, 3, 4}) {
      for (const int64_t dilation : {1, 2}) {
        const int64_t pad = std::min(kernel - 1, kernel / 2 * dilation);
        compare(kernel, stride, dilation, pad, pad);
        if (QTest::currentTestFailed()) return;
      }
    }
    // As many results as cells, whichever side the pads are on.
    for (const int64_t ahead : {int64_t{0}, kernel - 1}) {
      compare(kernel, 1, 1, ahead, kernel - 1 - ahead);
      if (QTest::currentTestFailed()) return;
    }
  }
}

// What is not a number is the maximum of every window that holds it, and of minus infinities alone minus infinity is.
void TestPoolingKernels::maximaOfOddNumbers() {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
  Tensor x = *Tensor::create(ElementType::kFloat, Ints{1, 20, 6, 6});
  for (size_t i = 0; i < x.span<float>().size(); ++i)
    x.span<float>()[i] = static_cast<float>(i % 11) - 5;
  std::fill_n(x.span<float>().begin() + 36, 36, -kInfinity);
  const size_t bad = 3 * 36 + 2 * 6 + 3;
  x.span<float>()[bad] = kNan;
  const std::vector<Attribute> attributes{{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}};
  const Tensor y = callOperator({.opType = "MaxPool", .attributes = attributes}, {x});
  const auto both = tryOperator({.opType = "MaxPool", .attributes = attributes, .outputs = 2}, {x});
  QVERIFY(both.has_value());
  for (size_t cell = 0; cell < y.span<float>().size(); ++cell) {
    for (const float value : {y.span<float>()[cell], both->at(0).span<float>()[cell]}) {
      QCOMPARE(std::isnan(value), cell == 3 * 9 + 1 * 3 + 1);
      QCOMPARE(value == -kInfinity, cell / 9 == 1);
    }
  }
  QCOMPARE(both->at(1).span<int64_t>()[3 * 9 + 4], static_cast<int64_t>(bad));
  // With stride 1 every window that sees the number that is none.
  for (const int64_t kernel : {2, 3, 5}) {
    const std::vector<Attribute> dense{{"kernel_shape", Ints{kernel, kernel}}, {"pads", Ints(4, kernel / 2)}};
    const Tensor near = callOperator({.opType = "MaxPool", .attributes = dense}, {x});
    const auto places = tryOperator({.opType = "MaxPool", .attributes = dense, .outputs = 2}, {x});
    QVERIFY(places.has_value());
    const auto wanted = places->at(0).span<float>(), seen = near.span<float>();
    for (size_t cell = 0; cell < seen.size(); ++cell) {
      QCOMPARE(std::isnan(seen[cell]), std::isnan(wanted[cell]));
      QVERIFY(std::isnan(wanted[cell]) || seen[cell] == wanted[cell]);
    }
    QCOMPARE(std::ranges::count_if(seen, [](float each) { return std::isnan(each); }), kernel * kernel);
  }
  const Tensor whole = callOperator({.opType = "GlobalMaxPool"}, {x});
  for (size_t channel = 0; channel < 20; ++channel) {
    QCOMPARE(std::isnan(whole.span<float>()[channel]), channel == 3);
    QCOMPARE(whole.span<float>()[channel] == -kInfinity, channel == 1);
  }
}

void TestPoolingKernels::unpoolRefuses() {
  const Tensor x = tensorOf<float>({1, 1, 1, 2}, {1, 2});
  const auto code = [&](const std::vector<int64_t>& indices, const std::vector<Attribute>& attributes,
                        const Tensor& shape = {}) {
    std::vector<Tensor> inputs{x, tensorOf<int64_t>({1, 1, 1, 2}, indices)};
    if (shape.valid()) inputs.push_back(shape);
    const auto result = tryOperator({.opType = "MaxUnpool", .attributes = attributes}, inputs);
    return result ? 0 : static_cast<int>(result.error().code);
  };
  const Attribute kernel{"kernel_shape", Ints{2, 2}}, strides{"strides", Ints{2, 2}};
  constexpr int kRefused = static_cast<int>(ErrorCode::kInvalidArgument);
  QCOMPARE(code({0, 7}, {kernel, strides}), 0);
  QCOMPARE(code({0, 8}, {kernel, strides}), kRefused);
  QCOMPARE(code({-1, 0}, {kernel, strides}), kRefused);
  QCOMPARE(code({0, 7}, {kernel, strides}, tensorOf<int64_t>({4}, {1, 1, 2, 3})), kRefused);
  QVERIFY(code({0, 7}, {kernel, strides}, tensorOf<int64_t>({3}, {1, 2, 4})) != 0);
}

void TestPoolingKernels::roiPoolRefuses() {
  const Tensor x = tensorOf<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  const auto accepted = [&](std::vector<float> roi, Ints pooled = {1, 1}) {
    return tryOperator({.opType = "MaxRoiPool", .attributes = {{"pooled_shape", std::move(pooled)}}},
                       {x, tensorOf<float>({1, 5}, roi)})
        .has_value();
  };
  QVERIFY(accepted({0, 0, 0, 1, 1}));
  QVERIFY(!accepted({1, 0, 0, 1, 1}));
  QVERIFY(!accepted({-1, 0, 0, 1, 1}));
  QVERIFY(!accepted({std::numeric_limits<float>::quiet_NaN(), 0, 0, 1, 1}));
  QVERIFY(!accepted({0, 0, 0, std::numeric_limits<float>::infinity(), 1}));
  QVERIFY(!accepted({0, 0, 0, 1, 1}, {0, 1}));
}

void TestPoolingKernels::deformConvRefuses() {
  const auto filled = [](Ints dims) {
    Tensor tensor = *Tensor::create(ElementType::kFloat, std::span<const int64_t>(dims));
    std::ranges::fill(tensor.span<float>(), 1.0f);
    return tensor;
  };
  const auto accepted = [&](Ints offset, Ints weights = {2, 2, 2, 2}, std::vector<Attribute> attributes = {}) {
    return tryOperator({.opType = "DeformConv", .version = 22, .attributes = std::move(attributes)},
                       {filled({1, 2, 3, 3}), filled(weights), filled(offset)})
        .has_value();
  };
  QVERIFY(accepted({1, 8, 2, 2}));
  QVERIFY(!accepted({1, 7, 2, 2}));
  QVERIFY(!accepted({1, 8, 2, 3}));
  QVERIFY(!accepted({2, 8, 2, 2}));
  QVERIFY(!accepted({1, 8, 2, 2}, {2, 1, 2, 2}));
  QVERIFY(!accepted({1, 8, 2, 2}, {2, 2, 2, 2}, {{"group", int64_t{0}}}));
  QVERIFY(!accepted({1, 24, 2, 2}, {2, 2, 2, 2}, {{"offset_group", int64_t{3}}}));
  // Offsets that are no numbers, or far away, read zero.
  Tensor offset = filled({1, 8, 2, 2});
  std::ranges::fill(offset.span<float>(), std::numeric_limits<float>::quiet_NaN());
  offset.span<float>()[0] = 1e30f;
  const Tensor y =
      callOperator({.opType = "DeformConv", .version = 22}, {filled({1, 2, 3, 3}), filled({2, 2, 2, 2}), offset});
  QVERIFY(std::ranges::all_of(y.span<float>(), [](float value) { return value == 0; }));
}

QTEST_APPLESS_MAIN(TestPoolingKernels)
#include "tst_pooling_kernels.moc"
