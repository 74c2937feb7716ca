// Lists of integers from tensors and attributes, and the operands of a call.
#include <vector>

#include <QtTest/QtTest>

#include "engine/operators/integer_list.h"
#include "engine/operators/operands.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

using List = std::vector<int64_t>;

List listOf(const Dims& dims) {
  return List(dims.begin(), dims.end());
}

template <typename T>
Tensor tensorOf(std::vector<T> values) {
  return Tensor::of(std::span<const T>(values));
}

// A call with these operands.
struct Call {
  std::vector<const Tensor*> operands;
  size_t inputCount() const { return operands.size(); }
  const Tensor* input(size_t slot) const { return operands[slot]; }
};

}  // namespace

class TestIntegerList : public QObject {
  Q_OBJECT

 private slots:
  void shortAndLongLists() {
    for (const size_t count : {0, 1, 8, 16, 17, 40}) {
      const Dims list = filledList(count, -3);
      QCOMPARE(listOf(list), List(count, -3));
    }
  }

  void tensorsOfIntegers() {
    QCOMPARE(listOf(*readIntegers(tensorOf<int64_t>({4, -1, 1LL << 40}))), (List{4, -1, 1LL << 40}));
    QCOMPARE(listOf(*readIntegers(tensorOf<int32_t>({4, -1}))), (List{4, -1}));
    QCOMPARE(listOf(*readIntegers(tensorOf<int64_t>({}))), List{});
    QCOMPARE(readIntegers(tensorOf<float>({1})).error().code, ErrorCode::kInvalidArgument);
    QCOMPARE(*readInteger(tensorOf<int64_t>({7})), 7);
    QCOMPARE(*readInteger(Tensor::scalar<int32_t>(-7)), -7);
    QCOMPARE(QString::fromStdString(readInteger(tensorOf<int64_t>({1, 2})).error().message),
             QStringLiteral("one integer is needed, 2 are given"));
    QVERIFY(!readInteger(tensorOf<int64_t>({})));
    QVERIFY(!readInteger(Tensor::scalar<float>(1)));
  }

  void attributes() {
    Node node;
    node.setAttribute("axes", List{3, -1});
    node.setAttribute("axis", int64_t{3});
    QCOMPARE(listOf(listAttribute(node, "axes")), (List{3, -1}));
    QCOMPARE(listOf(listAttribute(node, "axis")), List{});
    QCOMPARE(listOf(listAttribute(node, "missing")), List{});
  }

  void operandsThatMustBeThere() {
    const Tensor tensor = Tensor::scalar<float>(1);
    const Call call{{&tensor, nullptr}};
    QCOMPARE(*requireTensor(call, 0), &tensor);
    QCOMPARE(optionalTensor(call, 0), &tensor);
    for (const size_t slot : {1, 2}) {
      QCOMPARE(optionalTensor(call, slot), nullptr);
      QCOMPARE(requireTensor(call, slot).error().code, ErrorCode::kInvalidArgument);
    }
  }
};

QTEST_GUILESS_MAIN(TestIntegerList)
#include "tst_integer_list.moc"
