// AttnLSTM: floats against the reference in double, no attention against LSTM, and what bad input is told.

#include <cmath>
#include <random>

#include <QtTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

constexpr int64_t kSteps = 4, kBatch = 3, kInput = 5, kHidden = 18, kMemory = 6, kDepth = 7, kKeys = 4, kLayer = 9;

Tensor randomValues(const std::vector<int64_t>& dims, uint32_t seed) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::mt19937 generator(seed);
  for (float& value : tensor.span<float>())
    value = (static_cast<float>(generator()) / 2147483648.0f - 1.0f) / 2;
  return tensor;
}

Tensor toDouble(const Tensor& tensor) {
  if (tensor.type() != ElementType::kFloat) return tensor;
  Tensor result = *Tensor::create(ElementType::kDouble, tensor.dims());
  std::ranges::copy(tensor.span<float>(), result.span<double>().begin());
  return result;
}

std::vector<Tensor> inputsFor(int64_t directions, bool layer) {
  const int64_t fed = layer ? kLayer : kDepth;
  return {randomValues({kSteps, kBatch, kInput}, 1),
          randomValues({directions, 4 * kHidden, kInput + fed}, 2),
          randomValues({directions, 4 * kHidden, kHidden}, 3),
          randomValues({directions, 8 * kHidden}, 4),
          tensorOf<int32_t>({kBatch}, {4, 2, 0}),
          randomValues({directions, kBatch, kHidden}, 5),
          randomValues({directions, kBatch, kHidden}, 6),
          randomValues({directions, 3 * kHidden}, 7),
          randomValues({directions, kHidden, kKeys}, 8),
          randomValues({directions, kDepth, kKeys}, 9),
          randomValues({directions, kKeys}, 10),
          randomValues({kBatch, kMemory, kDepth}, 11),
          tensorOf<int32_t>({kBatch}, {3, 0, 6}),
          layer ? randomValues({directions, kDepth + kHidden, kLayer}, 12) : Tensor{}};
}

OperatorCall callFor(const std::string& direction) {
  return {.opType = "AttnLSTM",
          .domain = "com.microsoft",
          .version = 1,
          .attributes = {{"direction", direction}, {"hidden_size", kHidden}},
          .outputs = 3};
}

std::string difference(const std::vector<Tensor>& got, const std::vector<Tensor>& wanted) {
  for (size_t slot = 0; slot < got.size(); ++slot) {
    if (!(got[slot].dims() == wanted[slot].dims()))
      return fmt::format("output {} is {}", slot, dimsToText(got[slot].dims()));
    for (size_t i = 0; i < got[slot].span<float>().size(); ++i) {
      if (!(std::abs(got[slot].span<float>()[i] - wanted[slot].span<double>()[i]) < 1e-5))
        return fmt::format("output {} differs at {}", slot, i);
    }
  }
  return {};
}

std::vector<Tensor> allDouble(const std::vector<Tensor>& inputs) {
  std::vector<Tensor> wide;
  for (const Tensor& input : inputs)
    wide.push_back(input.valid() ? toDouble(input) : Tensor{});
  return wide;
}

}  // namespace

class TestAttnLstm : public QObject {
  Q_OBJECT
 private slots:
  void againstReference() {
    for (const char* direction : {"forward", "reverse", "bidirectional"}) {
      for (const bool layer : {false, true}) {
        const std::vector<Tensor> inputs = inputsFor(std::string(direction) == "bidirectional" ? 2 : 1, layer);
        const auto fast = tryOperator(callFor(direction), inputs),
                   reference = tryOperator(callFor(direction), allDouble(inputs));
        QVERIFY2(fast && reference, fast ? "" : describe(fast.error()).c_str());
        QCOMPARE(difference(*fast, *reference), std::string());
      }
    }
  }

  // A memory without valid steps feeds zeros back: LSTM over X alone is left.
  void emptyMemory() {
    std::vector<Tensor> inputs = inputsFor(1, false);
    inputs[12] = tensorOf<int32_t>({kBatch}, {0, 0, 0});
    std::vector<Tensor> plain = allDouble({inputs.begin(), inputs.begin() + 8});
    Tensor narrow = *Tensor::create(ElementType::kDouble, {1, 4 * kHidden, kInput});
    for (int64_t row = 0; row < 4 * kHidden; ++row)
      std::copy_n(plain[1].span<double>().data() + row * (kInput + kDepth), kInput,
                  narrow.span<double>().data() + row * kInput);
    plain[1] = narrow;
    const auto got = tryOperator(callFor("forward"), inputs),
               wanted = tryOperator({.opType = "LSTM", .outputs = 3}, plain);
    QVERIFY(got && wanted);
    QCOMPARE(difference(*got, *wanted), std::string());
  }

  void badShapes() {
    const std::vector<Tensor> good = inputsFor(1, true);
    for (size_t slot = 0; slot < good.size(); ++slot) {
      const std::vector<int64_t> dims(good[slot].dims().begin(), good[slot].dims().end());
      for (size_t axis = 0; axis < dims.size(); ++axis) {
        for (const int64_t change : {-1, 1}) {
          // Free: the steps of X, and those of M as far as memory_seq_lens allows.
          if ((slot == 0 && axis == 0) || (slot == 11 && axis == 1 && change > 0)) continue;
          std::vector<int64_t> other = dims;
          other[axis] += change;
          std::vector<Tensor> inputs = good;
          inputs[slot] = *Tensor::create(good[slot].type(), other);
          std::ranges::fill(inputs[slot].mutableBytes(), std::byte{0});
          QVERIFY2(!tryOperator(callFor("forward"), inputs),
                   fmt::format("input {} as {}", slot, dimsToText(other)).c_str());
        }
      }
    }
    for (const size_t needed : {8, 9, 10, 11}) {
      std::vector<Tensor> inputs = good;
      inputs[needed] = Tensor{};
      QVERIFY(!tryOperator(callFor("forward"), inputs));
    }
    std::vector<Tensor> inputs = good;
    inputs[12] = tensorOf<int32_t>({kBatch}, {1, -1, 2});
    const auto negative = tryOperator(callFor("forward"), inputs);
    QVERIFY(!negative && negative.error().message.find("memory_seq_lens") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestAttnLstm)
#include "tst_attn_lstm.moc"
