// The strided move against one assignment for each index, over element sizes, ranks, permutations, repeats and steps
// backwards.

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include <QtTest>

#include "providers/cpu/kernels/shape/strided_copy.h"
#include "providers/cpu/kernels/shape/sub_byte.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

Tensor numbered(ElementType type, const Dims& dims) {
  Tensor tensor = *Tensor::create(type, dims);
  std::mt19937 generator(17);
  if (type == ElementType::kString) {
    for (std::string& text : tensor.span<std::string>())
      text = "a string too long for its short form " + std::to_string(generator());
  } else {
    uint8_t* bytes = static_cast<uint8_t*>(tensor.mutableData());
    for (int64_t i = 0; i < tensor.sizeBytes(); ++i)
      bytes[i] = static_cast<uint8_t>(generator());
  }
  return tensor;
}

bool sameElement(ElementType type, const void* a, int64_t i, const void* b, int64_t k) {
  const void* left = cpu::elementAt(type, a, i);
  const void* right = cpu::elementAt(type, b, k);
  if (type == ElementType::kString)
    return *static_cast<const std::string*>(left) == *static_cast<const std::string*>(right);
  return std::memcmp(left, right, static_cast<size_t>(cpu::elementBytes(type))) == 0;
}

// Checks every index of the move: element at `from` offset stands at `to` offset.
bool isMoved(ElementType type, const StridedMove& move, const void* from, const void* to) {
  const int64_t count = elementCount(move.dims);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    int64_t fromOffset = 0;
    int64_t toOffset = 0;
    for (size_t axis = move.dims.size(); axis-- > 0;) {
      const int64_t index = rest % move.dims[axis];
      rest /= move.dims[axis];
      fromOffset += index * move.fromStrides[axis];
      toOffset += index * move.toStrides[axis];
    }
    if (!sameElement(type, from, fromOffset, to, toOffset)) return false;
  }
  return true;
}

}  // namespace

class TestStridedCopy : public QObject {
  Q_OBJECT
 private slots:
  void permutations_data() {
    QTest::addColumn<int>("type");
    for (const ElementType type : {ElementType::kUint8, ElementType::kFloat16, ElementType::kFloat,
                                   ElementType::kDouble, ElementType::kComplex128, ElementType::kString}) {
      QTest::newRow(std::string(elementTypeName(type)).c_str()) << static_cast<int>(type);
    }
  }
  void permutations() {
    QFETCH(int, type);
    const ElementType element = static_cast<ElementType>(type);
    for (const Dims& dims :
         {Dims{3, 5, 2, 7}, Dims{1, 33, 1, 65}, Dims{2, 2, 2, 2}, Dims{4, 1, 19, 4}, Dims{0, 3, 2, 2}}) {
      const Tensor from = numbered(element, dims);
      std::vector<size_t> order(dims.size());
      std::iota(order.begin(), order.end(), size_t{0});
      do {
        StridedMove move{dims, dims, dims};
        for (size_t i = 0; i < order.size(); ++i) {
          move.dims[i] = dims[order[i]];
          move.fromStrides[i] = rowMajorStrides(dims)[order[i]];
        }
        move.toStrides = rowMajorStrides(move.dims);
        Tensor to = *Tensor::create(element, move.dims);
        cpu::moveStrided(element, move, from.data(), to.mutableData());
        QVERIFY2(isMoved(element, move, from.data(), to.data()), dimsToText(move.dims).c_str());
      } while (std::next_permutation(order.begin(), order.end()));
    }
  }

  void repeatsAndStepsBack() {
    const Tensor from = numbered(ElementType::kFloat, Dims{6, 8});
    Tensor to = *Tensor::create(ElementType::kFloat, Dims{3, 4, 5});
    const StridedMove repeated{Dims{3, 4, 5}, Dims{16, 0, 1}, Dims{20, 5, 1}};
    cpu::moveStrided(ElementType::kFloat, repeated, from.data(), to.mutableData());
    QVERIFY(isMoved(ElementType::kFloat, repeated, from.data(), to.data()));
    const StridedMove backwards{Dims{3, 4}, Dims{-16, -2}, Dims{4, 1}};
    cpu::moveStrided(ElementType::kFloat, backwards, cpu::elementAt(ElementType::kFloat, from.data(), 47),
                     to.mutableData());
    QVERIFY(isMoved(ElementType::kFloat, backwards, cpu::elementAt(ElementType::kFloat, from.data(), 47), to.data()));
  }

  void manyAxesOfOne() {
    const Dims dims(std::vector<int64_t>(70, 1));
    const Tensor from = numbered(ElementType::kFloat, dims);
    Tensor to = *Tensor::create(ElementType::kFloat, dims);
    cpu::moveStrided(ElementType::kFloat, {dims, dims, dims}, from.data(), to.mutableData());
    QVERIFY(sameElement(ElementType::kFloat, from.data(), 0, to.data(), 0));
  }

  void bitsThereAndBack() {
    const std::vector<uint8_t> packed{0x1b, 0xe4, 0x07};
    for (const int bits : {2, 4}) {
      const int64_t count = 24 / bits - 1;
      std::vector<uint8_t> bytes(static_cast<size_t>(count));
      cpu::unpackBits(bits, packed.data(), bytes.data(), count);
      QCOMPARE(int(bytes[0]), 0x1b & ((1 << bits) - 1));
      QCOMPARE(int(bytes[1]), (0x1b >> bits) & ((1 << bits) - 1));
      std::vector<uint8_t> again(3, 0xff);
      cpu::packBits(bits, bytes.data(), again.data(), count);
      QVERIFY(again == packed);  // the last element of 0x07 is zero in both widths
    }
  }
};

QTEST_GUILESS_MAIN(TestStridedCopy)
#include "tst_strided_copy.moc"
