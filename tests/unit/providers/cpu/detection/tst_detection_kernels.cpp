// NonMaxSuppression against a greedy search written the other way round; sampling where the answer is known without
// interpolating.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include <QtTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

constexpr int kBoxes = 40;

Tensor randomBoxes(uint32_t seed) {
  Tensor boxes = *Tensor::create(ElementType::kFloat, {2, kBoxes, 4});
  std::mt19937 generator(seed);
  for (float& value : boxes.span<float>())
    value = static_cast<float>(generator() % 1000) / 1000.0f;
  return boxes;
}

double overlap(const float* a, const float* b) {
  const auto low = [](const float* box, int axis) { return double(std::min(box[axis], box[axis + 2])); };
  const auto high = [](const float* box, int axis) { return double(std::max(box[axis], box[axis + 2])); };
  double shared = 1;
  double areaA = 1;
  double areaB = 1;
  for (int axis = 0; axis < 2; ++axis) {
    shared *= std::max(0.0, std::min(high(a, axis), high(b, axis)) - std::max(low(a, axis), low(b, axis)));
    areaA *= high(a, axis) - low(a, axis);
    areaB *= high(b, axis) - low(b, axis);
  }
  return shared == 0 ? 0 : shared / (areaA + areaB - shared);
}

}  // namespace

class TestDetectionKernels : public QObject {
  Q_OBJECT
 private slots:
  // Bilinear fp32 goes by vectors, double by the definition: the same places, inside and far outside, with a cell that
  // is not a number where nothing reads it.
  void linearSampling_data() {
    QTest::addColumn<QString>("padding");
    QTest::addColumn<qint64>("align");
    for (const char* padding : {"zeros", "border", "reflection"}) {
      for (const qint64 align : {0, 1})
        QTest::addRow("%s %d", padding, int(align)) << QString(padding) << align;
    }
  }
  void linearSampling() {
    QFETCH(QString, padding);
    QFETCH(qint64, align);
    std::mt19937 generator(4);
    const auto fill = [&](Tensor& single, Tensor& twice, float range) {
      for (size_t i = 0; i < single.span<float>().size(); ++i)
        twice.span<double>()[i] = single.span<float>()[i] =
            (static_cast<float>(generator()) / 2147483648.0f - 1.0f) * range;
    };
    Tensor x = *Tensor::create(ElementType::kFloat, {2, 3, 7, 5}),
           wideX = *Tensor::create(ElementType::kDouble, x.dims());
    Tensor grid = *Tensor::create(ElementType::kFloat, {2, 9, 15, 2}),
           wideGrid = *Tensor::create(ElementType::kDouble, grid.dims());
    fill(x, wideX, 1);
    fill(grid, wideGrid, 2.5f);
    grid.span<float>()[0] = std::nanf("");
    wideGrid.span<double>()[0] = std::nan("");
    if (padding == "zeros") {
      // Seen by grids that come near the first cell only; places outside the plane must not read it.
      for (size_t i = 0; i < grid.span<float>().size(); ++i)
        wideGrid.span<double>()[i] = grid.span<float>()[i] =
            grid.span<float>()[i] < 0 ? grid.span<float>()[i] - 1.5f : grid.span<float>()[i];
      x.span<float>()[0] = std::nanf("");
      wideX.span<double>()[0] = std::nan("");
    }
    const OperatorCall call{.opType = "GridSample",
                            .attributes = {{"mode", std::string("linear")},
                                           {"padding_mode", padding.toStdString()},
                                           {"align_corners", int64_t{align}}}};
    const Tensor fast = callOperator(call, {x, grid}), plain = callOperator(call, {wideX, wideGrid});
    QVERIFY(fast.valid() && plain.valid() && fast.dims() == plain.dims());
    for (size_t i = 0; i < fast.span<float>().size(); ++i) {
      const double wanted = plain.span<double>()[i];
      QVERIFY2(std::abs(fast.span<float>()[i] - wanted) < 2e-5,
               qPrintable(QString("%1: %2, not %3").arg(i).arg(fast.span<float>()[i]).arg(wanted)));
    }
  }

  // Averages of listed taps against a thousand samples a bin, which go one by one, where the map is linear and sampling
  // finer changes nothing.
  void averagesOfRegions() {
    Tensor x = *Tensor::create(ElementType::kFloat, {1, 2, 20, 20});
    for (int64_t i = 0; i < x.elementCount(); ++i)
      x.span<float>()[static_cast<size_t>(i)] =
          static_cast<float>(i % 20) * 0.5f + static_cast<float>(i / 20 % 20) * 0.25f + static_cast<float>(i / 400);
    const Tensor regions = tensorOf<float>({2, 4}, {2, 3, 11, 15, 4.5f, 1.25f, 9.5f, 14}),
                 entries = tensorOf<int64_t>({2}, {0, 0});
    const auto pool = [&](int64_t samples) {
      return callOperator(
          {.opType = "RoiAlign",
           .attributes = {{"output_height", int64_t{5}}, {"output_width", int64_t{3}}, {"sampling_ratio", samples}}},
          {x, regions, entries});
    };
    const Tensor listed = pool(2), single = pool(1500);
    QVERIFY(listed.valid() && single.valid());
    for (size_t i = 0; i < listed.span<float>().size(); ++i)
      QVERIFY(std::abs(listed.span<float>()[i] - single.span<float>()[i]) < 1e-4f);
  }

  void suppression_data() {
    QTest::addColumn<int>("seed");
    QTest::addColumn<qint64>("most");
    for (int seed = 1; seed <= 5; ++seed) {
      for (const qint64 most : {qint64(0), qint64(3), std::numeric_limits<qint64>::max()})
        QTest::newRow(qPrintable(QString("%1 %2").arg(seed).arg(most))) << seed << most;
    }
  }
  void suppression() {
    QFETCH(int, seed);
    QFETCH(qint64, most);
    const Tensor boxes = randomBoxes(static_cast<uint32_t>(seed));
    Tensor scores = *Tensor::create(ElementType::kFloat, {2, 3, kBoxes});
    std::mt19937 generator(static_cast<uint32_t>(seed) + 100);
    for (float& value : scores.span<float>())
      value = static_cast<float>(generator() % 50) / 50.0f;  // ties are wanted
    const float limit = 0.3f;
    const float floor = 0.2f;
    std::vector<int64_t> wanted;
    for (int64_t entry = 0; entry < 2; ++entry) {
      for (int64_t label = 0; label < 3; ++label) {
        std::vector<bool> open(kBoxes);
        const float* score = scores.span<float>().data() + (entry * 3 + label) * kBoxes;
        const float* box = boxes.span<float>().data() + entry * kBoxes * 4;
        for (int i = 0; i < kBoxes; ++i)
          open[size_t(i)] = score[i] > floor;
        for (qint64 taken = 0; taken < most; ++taken) {
          int best = -1;
          for (int i = 0; i < kBoxes; ++i) {
            if (open[size_t(i)] && (best < 0 || score[i] > score[best])) best = i;
          }
          if (best < 0) break;
          wanted.insert(wanted.end(), {entry, label, best});
          open[size_t(best)] = false;
          for (int i = 0; i < kBoxes; ++i) {
            if (overlap(box + best * 4, box + i * 4) > double(limit)) open[size_t(i)] = false;
          }
        }
      }
    }
    const Tensor y =
        callOperator({.opType = "NonMaxSuppression"},
                     {boxes, scores, Tensor::of<int64_t>(std::vector<int64_t>{most}),
                      Tensor::of<float>(std::vector<float>{limit}), Tensor::of<float>(std::vector<float>{floor})});
    QVERIFY(y.valid() && y.dims()[1] == 3);
    QCOMPARE(valuesOf<int64_t>(y), wanted);
  }

  void nothingToSuppress() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Tensor y =
        callOperator({.opType = "NonMaxSuppression"},
                     {tensorOf<float>({1, 2, 4}, {0, 0, 1, 1, 0, 0, 1, 1}), tensorOf<float>({1, 1, 2}, {nan, 0.5f}),
                      Tensor::of<int64_t>(std::vector<int64_t>{9})});
    QCOMPARE(valuesOf<int64_t>(y), (std::vector<int64_t>{0, 0, 1}));
  }

  void samplingAtCells_data() {
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QString>("padding");
    for (const char* mode : {"nearest", "linear", "cubic"}) {
      for (const char* padding : {"zeros", "border", "reflection"})
        QTest::newRow(qPrintable(QString("%1 %2").arg(mode, padding))) << mode << padding;
    }
  }
  void samplingAtCells() {
    // At cell centres every mode gives the cell; beyond the edge the padding decides.
    QFETCH(QString, mode);
    QFETCH(QString, padding);
    const Tensor x = tensorOf<float>({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    Tensor grid = *Tensor::create(ElementType::kFloat, {1, 2, 8, 2});
    for (int row = 0; row < 2; ++row) {
      for (int column = 0; column < 8; ++column) {
        float* place = grid.span<float>().data() + (row * 8 + column) * 2;
        place[0] = (2.0f * float(column - 2) + 1.0f) / 4.0f - 1.0f;  // cells -2 .. 5 of the last axis
        place[1] = (2.0f * float(row) + 1.0f) / 2.0f - 1.0f;
      }
    }
    const Tensor y = callOperator(
        {.opType = "GridSample", .attributes = {{"mode", mode.toStdString()}, {"padding_mode", padding.toStdString()}}},
        {x, grid});
    QVERIFY(y.dims() == (Dims{1, 1, 2, 8}));
    for (int i = 0; i < 16; ++i) {
      const int cell = i % 8 - 2;
      int shown = cell;
      if (padding == "border") shown = std::clamp(cell, 0, 3);
      if (padding == "reflection") shown = cell < 0 ? -1 - cell : (cell > 3 ? 7 - cell : cell);
      const float wanted = shown < 0 || shown > 3 ? 0.0f : float(i / 8 * 4 + shown + 1);
      QVERIFY2(std::abs(y.span<float>()[size_t(i)] - wanted) < 1e-5f,
               qPrintable(QString("place %1: %2 instead of %3").arg(i).arg(y.span<float>()[size_t(i)]).arg(wanted)));
    }
  }

  void wildGridsAreSafe() {
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const char* padding : {"zeros", "border", "reflection"}) {
      for (const char* mode : {"nearest", "linear", "cubic"}) {
        const auto y =
            tryOperator({.opType = "GridSample",
                         .attributes = {{"mode", std::string(mode)}, {"padding_mode", std::string(padding)}}},
                        {tensorOf<float>({1, 1, 1, 1}, {1}),
                         tensorOf<float>({1, 1, 4, 2}, {inf, -inf, nan, 0, 1e30f, -1e30f, 1e9f, 1e9f})});
        QVERIFY(y.has_value());
      }
    }
  }

  void regionsOfAPlane() {
    // On a plane v = 10 row + column, bilinear averages over a bin give the value at its middle.
    Tensor x = *Tensor::create(ElementType::kFloat, {1, 1, 16, 16});
    for (int i = 0; i < 256; ++i)
      x.span<float>()[size_t(i)] = float(i / 16 * 10 + i % 16);
    const Tensor y = callOperator(
        {.opType = "RoiAlign",
         .attributes = {{"output_height", int64_t{2}}, {"output_width", int64_t{4}}, {"sampling_ratio", int64_t{2}}}},
        {x, tensorOf<float>({1, 4}, {2.5f, 4.5f, 10.5f, 8.5f}), tensorOf<int64_t>({1}, {0})});
    QVERIFY(y.dims() == (Dims{1, 1, 2, 4}));
    for (int i = 0; i < 8; ++i) {
      const float row = 4.0f + (float(i / 4) + 0.5f) * 2.0f;
      const float column = 2.0f + (float(i % 4) + 0.5f) * 2.0f;
      QVERIFY(std::abs(y.span<float>()[size_t(i)] - (row * 10 + column)) < 1e-3f);
    }
    QVERIFY(
        !tryOperator({.opType = "RoiAlign"}, {x, tensorOf<float>({1, 4}, {0, 0, 1, 1}), tensorOf<int64_t>({1}, {1})}));
    QVERIFY(!tryOperator({.opType = "RoiAlign"},
                         {x, tensorOf<float>({1, 4}, {0, 0, 1e30f, 1}), tensorOf<int64_t>({1}, {0})}));
  }

  void cropsRefuse() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto crop = [](const std::vector<float>& roi, int32_t image, const std::vector<int32_t>& size) {
      return tryOperator(
          {.opType = "CropAndResize",
           .domain = "com.microsoft",
           .version = 1,
           .attributes = {{"extrapolation_value", 7.0f}}},
          {tensorOf<float>({1, 1, 2, 2}, {1, 2, 3, 4}), tensorOf<float>({1, 4}, roi), tensorOf<int32_t>({1}, {image}),
           tensorOf<int32_t>({static_cast<int64_t>(size.size())}, size)});
    };
    const auto whole = crop({0, 0, 1, 1}, 0, {2, 2});
    QVERIFY(whole && valuesOf<float>(whole->at(0)) == (std::vector<float>{1, 2, 3, 4}));
    const auto far = crop({nan, 0, 1e30f, 1}, 0, {1, 1});
    QVERIFY(far && valuesOf<float>(far->at(0)) == std::vector<float>{7});
    QVERIFY(!crop({0, 0, 1, 1}, 1, {2, 2}));
    QVERIFY(!crop({0, 0, 1, 1}, -1, {2, 2}));
    QVERIFY(!crop({0, 0, 1, 1}, 0, {0, 2}));
    QVERIFY(!crop({0, 0, 1, 1}, 0, {2}));
  }
};

QTEST_GUILESS_MAIN(TestDetectionKernels)
#include "tst_detection_kernels.moc"
