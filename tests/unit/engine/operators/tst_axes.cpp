// Axes, products and strides: a table of lists and what becomes of them.
#include <vector>

#include <QtTest/QtTest>

#include "engine/operators/axes.h"
#include "engine/operators/dims.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

using List = std::vector<int64_t>;

List listOf(const Dims& dims) {
  return List(dims.begin(), dims.end());
}

}  // namespace

class TestAxes : public QObject {
  Q_OBJECT

 private slots:
  void axesAreCountedFromBothEnds_data() {
    QTest::addColumn<List>("axes");
    QTest::addColumn<int>("rank");
    QTest::addColumn<List>("expected");
    QTest::addColumn<QString>("refusal");
    QTest::newRow("none") << List{} << 3 << List{} << "";
    QTest::newRow("front") << List{0, 2} << 3 << List{0, 2} << "";
    QTest::newRow("back, in the given order") << List{-1, -3} << 3 << List{2, 0} << "";
    QTest::newRow("all of a long rank") << List{9, 8, 7, 6, 5, 4, 3, 2, 1, 0} << 10
                                        << List{9, 8, 7, 6, 5, 4, 3, 2, 1, 0} << "";
    QTest::newRow("above") << List{3} << 3 << List{} << "axis 3 is outside [-3, 2]";
    QTest::newRow("below") << List{-4} << 3 << List{} << "axis -4 is outside [-3, 2]";
    QTest::newRow("smallest number") << List{INT64_MIN} << 3 << List{} << "is outside [-3, 2]";
    QTest::newRow("twice") << List{1, 1} << 3 << List{} << "axis 1 is given twice";
    QTest::newRow("twice, from both ends") << List{1, -2} << 3 << List{} << "axis 1 is given twice";
    QTest::newRow("too many") << List{0, 1, 0} << 2 << List{} << "3 axes are given for a tensor of rank 2";
    QTest::newRow("of a scalar") << List{0} << 0 << List{} << "1 axes are given for a tensor of rank 0";
  }
  void axesAreCountedFromBothEnds() {
    QFETCH(List, axes);
    QFETCH(int, rank);
    QFETCH(List, expected);
    QFETCH(QString, refusal);
    const auto resolved = resolveAxes(axes, static_cast<size_t>(rank));
    if (!refusal.isEmpty()) {
      QVERIFY(!resolved);
      QVERIFY2(QString::fromStdString(resolved.error().message).contains(refusal), resolved.error().message.c_str());
      return;
    }
    QVERIFY(resolved.has_value());
    QCOMPARE(listOf(*resolved), expected);
  }

  void oneAxis() {
    QCOMPARE(*resolveAxis(-1, 4), 3);
    QCOMPARE(*resolveAxis(3, 4), 3);
    QVERIFY(!resolveAxis(0, 0));
    QCOMPARE(resolveAxis(4, 4).error().code, ErrorCode::kInvalidArgument);
  }

  void productsAndStrides() {
    const List dims{2, 3, 4, 5};
    QCOMPARE(productOf(dims, 0, 4), 120);
    QCOMPARE(productOf(dims, 1, 3), 12);
    QCOMPARE(productOf(dims, 2, 2), 1);
    QCOMPARE(listOf(rowMajorStrides(dims)), (List{60, 20, 5, 1}));
    QCOMPARE(listOf(rowMajorStrides(List{7, 0, 2})), (List{0, 2, 1}));
    QCOMPARE(listOf(rowMajorStrides(List{})), List{});
  }
};

QTEST_GUILESS_MAIN(TestAxes)
#include "tst_axes.moc"
