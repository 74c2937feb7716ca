// Softmax and log-softmax: the vector loop against the plain one in double, special values, and axes.

#include <cmath>
#include <limits>

#include <QTest>

#include "providers/cpu/kernels/softmax/softmax_row.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"
#include "tests/unit/providers/cpu/random_tensor.h"

using namespace cutaway;

class TestSoftmax : public QObject {
  Q_OBJECT

 private slots:
  void rowsAgreeWithTheDefinition_data() {
    QTest::addColumn<int>("length");
    QTest::addColumn<float>("spread");
    for (const int length : {1, 2, 7, 8, 15, 16, 17, 31, 64, 129, 1000}) {
      for (const float spread : {0.01f, 1.0f, 20.0f, 300.0f})
        QTest::addRow("%d times %g", length, static_cast<double>(spread)) << length << spread;
    }
  }

  void rowsAgreeWithTheDefinition() {
    QFETCH(int, length);
    QFETCH(float, spread);
    Tensor x = randomTensor({length}, 5);
    for (float& value : x.span<float>())
      value *= spread;
    std::vector<double> wide(x.span<float>().begin(), x.span<float>().end()), wanted(wide.size());
    std::vector<float> got(wide.size());
    for (const cpu::SoftmaxKind kind : {cpu::SoftmaxKind::kSoftmax, cpu::SoftmaxKind::kLogSoftmax}) {
      cpu::softmaxReference(wide.data(), wanted.data(), length, 1, kind);
      cpu::softmaxRow(x.span<float>().data(), got.data(), length, kind);
      for (size_t i = 0; i < got.size(); ++i) {
        const double allowed = 1e-6 + 2e-6 * std::abs(wanted[i]) +
                               (kind == cpu::SoftmaxKind::kLogSoftmax ? 1e-7 * static_cast<double>(spread) : 0.0);
        QVERIFY2(std::abs(static_cast<double>(got[i]) - wanted[i]) <= allowed,
                 qPrintable(QString("%1: %2 instead of %3").arg(i).arg(static_cast<double>(got[i])).arg(wanted[i])));
      }
      std::vector<float> inPlace(x.span<float>().begin(), x.span<float>().end());
      cpu::softmaxRow(inPlace.data(), inPlace.data(), length, kind);
      QCOMPARE(inPlace, got);
    }
  }

  // Rows of two to four stand in the lanes of vectors; the last ones fill none.
  void shortRowsAgreeWithTheDefinition() {
    for (const int64_t length : {2, 3, 4}) {
      for (const int64_t rows : {1, 5, 16, 37, 9000}) {
        std::vector<float> x(static_cast<size_t>(length * rows)), wanted(x.size());
        for (size_t i = 0; i < x.size(); ++i)
          x[i] = static_cast<float>((i * 37) % 101) * 0.3f - 20.0f;
        x[0] = -std::numeric_limits<float>::infinity();
        for (int64_t row = 0; row < rows; ++row)
          cpu::softmaxReference(x.data() + row * length, wanted.data() + row * length, length, 1,
                                cpu::SoftmaxKind::kSoftmax);
        const Tensor y = callOperator({.opType = "Softmax"}, {tensorOf<float>({rows, length}, x)});
        for (size_t i = 0; i < x.size(); ++i)
          QVERIFY(std::fabs(y.span<float>()[i] - wanted[i]) < 1e-6f);
      }
    }
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Tensor odd = callOperator({.opType = "Softmax"}, {tensorOf<float>({2, 2}, {nan, 1, 2, 2})});
    QVERIFY(std::isnan(odd.span<float>()[0]) && std::isnan(odd.span<float>()[1]));
    QCOMPARE(odd.span<float>()[2], 0.5f);
  }

  void columnsAgreeWithTheDefinition_data() {
    QTest::addColumn<int>("length");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("step");
    for (const int length : {1, 2, 16, 127, 128, 129, 1000}) {
      for (const int count : {1, 3, 16, 17, 64}) {
        for (const int more : {0, 5})
          QTest::addRow("%d of %d, %d apart", count, length, count + more) << length << count << count + more;
      }
    }
  }

  void columnsAgreeWithTheDefinition() {
    QFETCH(int, length);
    QFETCH(int, count);
    QFETCH(int, step);
    const Tensor x = randomTensor({length, step}, 7);
    std::vector<double> wide(x.span<float>().begin(), x.span<float>().end()), wanted = wide;
    for (const cpu::SoftmaxKind kind : {cpu::SoftmaxKind::kSoftmax, cpu::SoftmaxKind::kLogSoftmax}) {
      for (int column = 0; column < count; ++column)
        cpu::softmaxReference(wide.data() + column, wanted.data() + column, length, step, kind);
      std::vector<float> got(x.span<float>().begin(), x.span<float>().end());
      cpu::softmaxColumns(got.data(), got.data(), length, step, count, kind);
      for (size_t i = 0; i < got.size(); ++i) {
        if (static_cast<int>(i) % step >= count) {
          QCOMPARE(got[i], x.span<float>()[i]);  // what lies between the columns is somebody else's
        } else {
          QVERIFY2(std::abs(static_cast<double>(got[i]) - wanted[i]) <= 1e-6 + 2e-6 * std::abs(wanted[i]),
                   qPrintable(QString("%1: %2 instead of %3").arg(i).arg(static_cast<double>(got[i])).arg(wanted[i])));
        }
      }
      // Alone or among others: the same bits.
      std::vector<float> alone(x.span<float>().begin(), x.span<float>().end());
      cpu::softmaxColumns(alone.data() + count - 1, alone.data() + count - 1, length, step, 1, kind);
      for (int i = 0; i < length; ++i)
        QCOMPARE(alone[static_cast<size_t>(i * step + count - 1)], got[static_cast<size_t>(i * step + count - 1)]);
    }
  }

  void columnsOfSpecialValues() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> x{-kInfinity, kNan, 1, 2, 1, 2, -kInfinity, 3, 2};
    cpu::softmaxColumns(x.data(), x.data(), 3, 3, 3, cpu::SoftmaxKind::kSoftmax);
    QCOMPARE(std::vector<float>({x[0], x[3], x[6]}), (std::vector<float>{0, 1, 0}));
    QVERIFY(std::isnan(x[1]) && std::isnan(x[4]) && std::isnan(x[7]));
    QVERIFY(std::abs(x[5] + x[2] + x[8] - 1) < 1e-6f);
  }

  void minusInfinityTakesNoPart() {
    std::vector<float> x(37, -std::numeric_limits<float>::infinity()), y(37);
    x[5] = x[33] = 2.0f;
    cpu::softmaxRow(x.data(), y.data(), 37, cpu::SoftmaxKind::kSoftmax);
    for (size_t i = 0; i < y.size(); ++i)
      QCOMPARE(y[i], i == 5 || i == 33 ? 0.5f : 0.0f);
  }

  void notANumberSpreads() {
    std::vector<float> x(37, 1.0f), y(37);
    x[20] = std::numeric_limits<float>::quiet_NaN();
    cpu::softmaxRow(x.data(), y.data(), 37, cpu::SoftmaxKind::kSoftmax);
    for (const float value : y)
      QVERIFY(std::isnan(value));
  }

  // Before version 13 the axes from `axis` on are one row; from 13 on the axis stands alone.
  void axisBeforeAndAfterThirteen() {
    const Tensor x = tensorOf<float>({1, 2, 2}, {0, 0, 0, 0});
    const std::vector<Attribute> axis{{"axis", int64_t{1}}};
    QCOMPARE(valuesOf<float>(callOperator({.opType = "Softmax", .version = 11, .attributes = axis}, {x})),
             std::vector<float>(4, 0.25f));
    QCOMPARE(valuesOf<float>(callOperator({.opType = "Softmax", .version = 13, .attributes = axis}, {x})),
             std::vector<float>(4, 0.5f));
  }

  void stridedAxisAgreesWithTheLast() {
    const Tensor x = randomTensor({6, 5}, 3);
    Tensor turned = *Tensor::create(ElementType::kFloat, {5, 6});
    for (size_t i = 0; i < 6; ++i) {
      for (size_t j = 0; j < 5; ++j)
        turned.span<float>()[j * 6 + i] = x.span<float>()[i * 5 + j];
    }
    const Tensor y = callOperator({.opType = "Softmax", .attributes = {{"axis", int64_t{-1}}}}, {x}),
                 z = callOperator({.opType = "Softmax", .attributes = {{"axis", int64_t{0}}}}, {turned});
    for (size_t i = 0; i < 6; ++i) {
      for (size_t j = 0; j < 5; ++j)
        QVERIFY(std::abs(y.span<float>()[i * 5 + j] - z.span<float>()[j * 6 + i]) < 1e-6f);
    }
  }

  void refusesAnAxisThatIsNotThere() {
    QVERIFY(!tryOperator({.opType = "Softmax", .version = 13, .attributes = {{"axis", int64_t{2}}}},
                         {randomTensor({2, 3}, 1)})
                 .has_value());
  }
};

QTEST_GUILESS_MAIN(TestSoftmax)
#include "tst_softmax.moc"
