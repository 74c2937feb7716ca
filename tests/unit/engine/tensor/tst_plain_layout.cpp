// Tensors of other memory layouts in the plain order.
#include <QtTest/QtTest>

#include "engine/tensor/plain_layout.h"

using namespace cutaway;

class TestPlainLayout : public QObject {
  Q_OBJECT

 private slots:
  void channelsLast() {
    // [1, 3, 2, 2]: cell after cell, three channels each.
    const std::vector<int32_t> stored{0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23};
    const Tensor from =
        Tensor::of<int32_t>(std::span<const int32_t>(stored)).reshaped(std::vector<int64_t>{1, 3, 2, 2});
    const Result<Tensor> plain = inPlainLayout(from, Layout::kChannelsLast);
    QVERIFY(plain);
    QVERIFY(plain->dims() == from.dims());
    const std::vector<int32_t> wanted{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23};
    QVERIFY(std::ranges::equal(plain->span<int32_t>(), wanted));
  }

  void blocksArePadded() {
    // [2, 9, 1, 2] in blocks of 8: the second block of an image has one channel and seven zeros.
    std::vector<float> stored(2 * 2 * 2 * 8, -1.0f);
    std::vector<float> wanted;
    for (int image = 0; image < 2; ++image) {
      for (int channel = 0; channel < 9; ++channel) {
        for (int cell = 0; cell < 2; ++cell) {
          const float value = static_cast<float>(100 * image + 10 * channel + cell);
          stored[static_cast<size_t>(((image * 2 + channel / 8) * 2 + cell) * 8 + channel % 8)] = value;
          wanted.push_back(value);
        }
      }
    }
    const Tensor from = Tensor::wrapConst(ElementType::kFloat, std::vector<int64_t>{2, 9, 1, 2}, stored.data());
    const Result<Tensor> plain = inPlainLayout(from, Layout::kBlocked8);
    QVERIFY(plain);
    QVERIFY(std::ranges::equal(plain->span<float>(), wanted));
  }

  void emptyStaysEmpty() {
    const Result<Tensor> from = Tensor::create(ElementType::kFloat, {0, 3, 2, 2});
    const Result<Tensor> plain = inPlainLayout(*from, Layout::kChannelsLast);
    QVERIFY(plain);
    QCOMPARE(plain->elementCount(), int64_t{0});
  }

  void vectorsHaveNoOtherLayout() {
    const Tensor vector = Tensor::scalar<float>(1.0f);
    const Result<Tensor> plain = inPlainLayout(vector, Layout::kChannelsLast);
    QVERIFY(!plain);
    QCOMPARE(plain.error().code, ErrorCode::kNotImplemented);
    QVERIFY(inPlainLayout(vector, Layout::kPlain));
  }
};

QTEST_GUILESS_MAIN(TestPlainLayout)
#include "tst_plain_layout.moc"
