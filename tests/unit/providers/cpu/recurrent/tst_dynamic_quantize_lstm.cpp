// DynamicQuantizeLSTM: a step whose values are bytes as they stand must be that of LSTM; and what bad input is told.

#include <cmath>
#include <random>

#include <QtTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

constexpr int64_t kBatch = 3, kInput = 7, kHidden = 5;

struct Values {
  std::vector<Tensor> inputs;  // of DynamicQuantizeLSTM
  Tensor w, r;                 // the weights in double, as LSTM has them
};

// Bytes with a scale and zero point for each column or each direction, and what they stand for.
template <typename Byte>
Tensor byteWeights(int64_t depth, bool perColumn, std::mt19937& generator, std::vector<Tensor>& inputs, size_t slot,
                   size_t scaleSlot) {
  const int64_t columns = 4 * kHidden, count = perColumn ? columns : 1;
  Tensor bytes = *Tensor::create(ElementTypeOf<Byte>::value, {1, depth, columns}),
         wide = *Tensor::create(ElementType::kDouble, {1, columns, depth});
  const std::vector<int64_t> dims = perColumn ? std::vector<int64_t>{1, columns} : std::vector<int64_t>{1};
  Tensor scales = *Tensor::create(ElementType::kFloat, dims), zeros = *Tensor::create(ElementTypeOf<Byte>::value, dims);
  for (int64_t j = 0; j < count; ++j) {
    scales.span<float>()[static_cast<size_t>(j)] = std::ldexp(1.0f, -static_cast<int>(generator() % 3) - 8);
    zeros.span<Byte>()[static_cast<size_t>(j)] = static_cast<Byte>(generator() % 100);
  }
  for (int64_t k = 0; k < depth; ++k) {
    for (int64_t j = 0; j < columns; ++j) {
      const auto value = static_cast<Byte>(generator());
      const size_t place = static_cast<size_t>(perColumn ? j : 0);
      bytes.span<Byte>()[static_cast<size_t>(k * columns + j)] = value;
      wide.span<double>()[static_cast<size_t>(j * depth + k)] =
          (int{value} - int{zeros.span<Byte>()[place]}) * double{scales.span<float>()[place]};
    }
  }
  inputs[slot] = bytes;
  inputs[scaleSlot] = scales;
  inputs[scaleSlot + 1] = zeros;
  return wide;
}

// Multiples of 1/255 with both ends of the range in them: bringing them to bytes changes nothing but the last bits.
Tensor exactFloats(const std::vector<int64_t>& dims, std::mt19937& generator) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  for (float& value : tensor.span<float>())
    value = static_cast<float>(static_cast<int>(generator() % 256) - 100) / 255.0f;
  tensor.span<float>()[0] = -100 / 255.0f;
  tensor.span<float>()[1] = 155 / 255.0f;
  return tensor;
}

Tensor toDouble(const Tensor& tensor) {
  Tensor result = *Tensor::create(ElementType::kDouble, tensor.dims());
  std::ranges::copy(tensor.span<float>(), result.span<double>().begin());
  return result;
}

template <typename Byte>
Values makeValues(bool perColumn) {
  std::mt19937 generator(perColumn ? 3 : 4);
  Values values;
  values.inputs.resize(12);
  values.inputs[0] = exactFloats({1, kBatch, kInput}, generator);
  values.inputs[3] = exactFloats({1, 8 * kHidden}, generator);
  values.inputs[5] = exactFloats({1, kBatch, kHidden}, generator);
  values.inputs[6] = exactFloats({1, kBatch, kHidden}, generator);
  values.inputs[7] = exactFloats({1, 3 * kHidden}, generator);
  values.w = byteWeights<Byte>(kInput, perColumn, generator, values.inputs, 1, 8);
  values.r = byteWeights<Byte>(kHidden, perColumn, generator, values.inputs, 2, 10);
  return values;
}

const OperatorCall kCall{.opType = "DynamicQuantizeLSTM",
                         .domain = "com.microsoft",
                         .version = 1,
                         .attributes = {{"hidden_size", kHidden}},
                         .outputs = 3};

}  // namespace

class TestDynamicQuantizeLstm : public QObject {
  Q_OBJECT
 private slots:
  void oneStep() {
    for (const bool perColumn : {false, true}) {
      for (const Values& values : {makeValues<int8_t>(perColumn), makeValues<uint8_t>(perColumn)}) {
        const auto got = tryOperator(kCall, values.inputs);
        QVERIFY2(got, got ? "" : describe(got.error()).c_str());
        const std::vector<Tensor>& in = values.inputs;
        const auto wanted = tryOperator({.opType = "LSTM", .outputs = 3},
                                        {toDouble(in[0]), values.w, values.r, toDouble(in[3]), Tensor{},
                                         toDouble(in[5]), toDouble(in[6]), toDouble(in[7])});
        QVERIFY(wanted);
        for (size_t slot = 0; slot < 3; ++slot) {
          QVERIFY((*got)[slot].dims() == (*wanted)[slot].dims());
          for (size_t i = 0; i < (*got)[slot].span<float>().size(); ++i)
            QVERIFY(std::abs((*got)[slot].span<float>()[i] - (*wanted)[slot].span<double>()[i]) < 1e-5);
        }
      }
    }
  }

  void badShapes() {
    const std::vector<Tensor> good = makeValues<int8_t>(true).inputs;
    QVERIFY(tryOperator(kCall, good));
    for (size_t slot = 0; slot < good.size(); ++slot) {
      if (!good[slot].valid()) continue;
      std::vector<int64_t> dims(good[slot].dims().begin(), good[slot].dims().end());
      for (size_t axis = 0; axis < dims.size(); ++axis) {
        if (slot == 0 && axis == 0) continue;  // any number of steps
        for (const int64_t change : {-1, 1}) {
          std::vector<int64_t> other = dims;
          other[axis] += change;
          std::vector<Tensor> inputs = good;
          inputs[slot] = *Tensor::create(good[slot].type(), other);
          std::ranges::fill(inputs[slot].mutableBytes(), std::byte{0});
          QVERIFY2(!tryOperator(kCall, inputs), fmt::format("input {} as {}", slot, dimsToText(other)).c_str());
        }
      }
    }
  }

  void badValues() {
    std::vector<Tensor> inputs = makeValues<int8_t>(false).inputs;
    inputs[4] = tensorOf<int32_t>({kBatch}, {1, 2, 0});
    const auto longer = tryOperator(kCall, inputs);
    QVERIFY(!longer && longer.error().message.find("sequence_lens") != std::string::npos);
    inputs[4] = Tensor{};
    inputs[9] = tensorOf<uint8_t>({1}, {0});
    QVERIFY(!tryOperator(kCall, inputs));
    OperatorCall call = kCall;
    call.attributes = {{"hidden_size", kHidden + 1}};
    inputs[9] = tensorOf<int8_t>({1}, {0});
    QVERIFY(tryOperator(kCall, inputs));
    QVERIFY(!tryOperator(call, inputs));
    call.attributes = {{"direction", "bidirectional"}};
    QVERIFY(!tryOperator(call, inputs));
  }
};

QTEST_GUILESS_MAIN(TestDynamicQuantizeLstm)
#include "tst_dynamic_quantize_lstm.moc"
