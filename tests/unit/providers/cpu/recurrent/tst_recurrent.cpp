// RNN, GRU and LSTM: the float path against the reference in double over sizes, layouts and attributes; a step worked
// out by hand; and what bad input is told.

#include <cmath>
#include <random>

#include <QtTest>

#include "engine/base/parallel.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

struct Sizes {
  int64_t steps = 5, batch = 3, input = 4, hidden = 6, directions = 1;
  bool batchFirst = false;
};

int64_t gatesOf(const std::string& opType) {
  return opType == "LSTM" ? 4 : opType == "GRU" ? 3 : 1;
}

Tensor randomValues(const std::vector<int64_t>& dims, uint32_t seed, float most = 1.0f) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::mt19937 generator(seed);
  for (float& value : tensor.span<float>())
    value = (static_cast<float>(generator()) / 2147483648.0f - 1.0f) * most;
  return tensor;
}

Tensor toDouble(const Tensor& tensor) {
  if (tensor.type() != ElementType::kFloat) return tensor;
  Tensor result = *Tensor::create(ElementType::kDouble, tensor.dims());
  std::ranges::copy(tensor.span<float>(), result.span<double>().begin());
  return result;
}

// X, W, R, B, sequence_lens, initial_h, and for LSTM initial_c and P.
std::vector<Tensor> inputsFor(const std::string& opType, const Sizes& sizes, bool optional = true) {
  const int64_t rows = gatesOf(opType) * sizes.hidden, directions = sizes.directions;
  // Larger recurrent weights make small differences grow from step to step.
  const float recurrent = 1.0f / std::sqrt(static_cast<float>(std::max<int64_t>(sizes.hidden, 1)));
  const std::vector<int64_t> state = sizes.batchFirst ? std::vector{sizes.batch, directions, sizes.hidden}
                                                      : std::vector{directions, sizes.batch, sizes.hidden};
  std::vector<Tensor> inputs{randomValues(sizes.batchFirst ? std::vector{sizes.batch, sizes.steps, sizes.input}
                                                           : std::vector{sizes.steps, sizes.batch, sizes.input},
                                          1),
                             randomValues({directions, rows, sizes.input}, 2),
                             randomValues({directions, rows, sizes.hidden}, 3, recurrent)};
  if (!optional) return inputs;
  Tensor lengths = *Tensor::create(ElementType::kInt32, {sizes.batch});
  for (int64_t item = 0; item < sizes.batch; ++item)
    lengths.span<int32_t>()[static_cast<size_t>(item)] =
        static_cast<int32_t>((item * 3 + sizes.steps) % (sizes.steps + 1));
  inputs.push_back(randomValues({directions, 2 * rows}, 4));
  inputs.push_back(lengths);
  inputs.push_back(randomValues(state, 5));
  if (opType == "LSTM") {
    inputs.push_back(randomValues(state, 6));
    inputs.push_back(randomValues({directions, 3 * sizes.hidden}, 7));
  }
  return inputs;
}

// Empty when the outputs for floats are those for doubles.
std::string compare(OperatorCall call, const std::vector<Tensor>& inputs) {
  call.outputs = call.opType == "LSTM" ? 3 : 2;
  std::vector<Tensor> wide;
  for (const Tensor& input : inputs)
    wide.push_back(input.valid() ? toDouble(input) : Tensor{});
  const auto fast = tryOperator(call, inputs), reference = tryOperator(call, wide);
  if (!fast) return describe(fast.error());
  if (!reference) return describe(reference.error());
  for (size_t slot = 0; slot < fast->size(); ++slot) {
    const Tensor &got = (*fast)[slot], &wanted = (*reference)[slot];
    if (got.type() != ElementType::kFloat || wanted.type() != ElementType::kDouble || !(got.dims() == wanted.dims()))
      return fmt::format("output {}: shapes or types differ", slot);
    for (size_t i = 0; i < got.span<float>().size(); ++i) {
      const double value = got.span<float>()[i], expected = wanted.span<double>()[i];
      if (!(std::abs(value - expected) <= 2e-5 + 1e-4 * std::abs(expected)))
        return fmt::format("output {} element {}: {} instead of {}", slot, i, value, expected);
    }
  }
  return {};
}

}  // namespace

class TestRecurrent : public QObject {
  Q_OBJECT
 private slots:
  void fastPath_data() {
    QTest::addColumn<QString>("opType");
    QTest::addColumn<QString>("direction");
    QTest::addColumn<bool>("batchFirst");
    for (const char* opType : {"RNN", "GRU", "LSTM"}) {
      for (const char* direction : {"forward", "reverse", "bidirectional"}) {
        for (const bool batchFirst : {false, true})
          QTest::addRow("%s %s layout %d", opType, direction, batchFirst) << opType << direction << batchFirst;
      }
    }
  }
  void fastPath() {
    QFETCH(QString, opType);
    QFETCH(QString, direction);
    QFETCH(bool, batchFirst);
    const std::string name = opType.toStdString();
    const int64_t directions = direction == "bidirectional" ? 2 : 1;
    const Sizes all[] = {{5, 3, 4, 6},    {1, 1, 1, 1}, {3, 19, 5, 33}, {2, 8, 3, 64}, {300, 2, 2, 5},
                         {4, 40, 7, 130}, {0, 2, 3, 4}, {3, 0, 2, 4},   {3, 2, 0, 4},  {2, 2, 3, 0}};
    for (Sizes sizes : all) {
      sizes.directions = directions;
      sizes.batchFirst = batchFirst;
      const OperatorCall call{
          .opType = name,
          .version = 22,
          .attributes = {
              {"direction", direction.toStdString()}, {"layout", int64_t{batchFirst}}, {"hidden_size", sizes.hidden}}};
      for (const bool optional : {false, true}) {
        const std::string difference = compare(call, inputsFor(name, sizes, optional));
        QVERIFY2(
            difference.empty(),
            fmt::format("{}x{}x{}x{}: {}", sizes.steps, sizes.batch, sizes.input, sizes.hidden, difference).c_str());
      }
    }
  }

  // Groups of items, directions and the panels of a single row on threads of their own.
  void threads() {
    const ThreadShare share(5);
    for (const char* opType : {"RNN", "GRU", "LSTM"}) {
      for (const char* direction : {"forward", "bidirectional"}) {
        for (Sizes sizes : {Sizes{3, 23, 40, 130}, Sizes{2, 1, 300, 700}, Sizes{40, 50, 8, 33}}) {
          sizes.directions = std::string(direction) == "bidirectional" ? 2 : 1;
          const std::string difference = compare(
              {.opType = opType, .version = 22, .attributes = {{"direction", direction}}}, inputsFor(opType, sizes));
          QVERIFY2(difference.empty(), fmt::format("{} {}: {}", opType, direction, difference).c_str());
        }
      }
    }
  }

  void attributes_data() {
    QTest::addColumn<QString>("opType");
    for (const char* opType : {"RNN", "GRU", "LSTM"})
      QTest::addRow("%s", opType) << opType;
  }
  void attributes() {
    QFETCH(QString, opType);
    const std::string name = opType.toStdString();
    const std::vector<Tensor> inputs = inputsFor(name, {.steps = 3, .hidden = 20});
    const size_t count = name == "LSTM" ? 3 : name == "GRU" ? 2 : 1;
    for (const char* function : {"Sigmoid", "Tanh", "Relu", "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh",
                                 "HardSigmoid", "Elu", "Softsign", "Softplus"}) {
      const std::vector<float> alphas(count, 0.3f), betas(count, 0.4f);
      const OperatorCall call{.opType = name,
                              .attributes = {{"activations", std::vector<std::string>(count, function)},
                                             {"activation_alpha", alphas},
                                             {"activation_beta", betas},
                                             {"clip", 0.7f}}};
      const std::string difference = compare(call, inputs);
      QVERIFY2(difference.empty(), (function + (": " + difference)).c_str());
    }
    for (const char* flag : {"linear_before_reset", "input_forget"}) {
      if ((name == "GRU") != (std::string(flag) == "linear_before_reset") || name == "RNN") continue;
      QCOMPARE(compare({.opType = name, .attributes = {{flag, int64_t{1}}}}, inputs), std::string());
    }
  }

  // A step of one unit, by hand.
  void oneStep() {
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    const Tensor x = tensorOf<double>({1, 1, 1}, {0.5});
    const Tensor h = tensorOf<double>({1, 1, 1}, {0.25}), c = tensorOf<double>({1, 1, 1}, {-0.75});
    const auto lstm =
        tryOperator({.opType = "LSTM", .outputs = 3},
                    {x, tensorOf<double>({1, 4, 1}, {1, 2, 3, 4}), tensorOf<double>({1, 4, 1}, {5, 6, 7, 8}),
                     tensorOf<double>({1, 8}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}), Tensor{}, h, c,
                     tensorOf<double>({1, 3}, {2, 3, 4})});
    QVERIFY(lstm);
    const double in = sigmoid(0.5 + 1.25 + 0.6 - 1.5), forget = sigmoid(1.5 + 1.75 + 1.0 - 3.0),
                 cell = forget * -0.75 + in * std::tanh(2 + 2 + 1.2);
    const double out = sigmoid(1.0 + 1.5 + 0.8 + 3 * cell);
    QCOMPARE((*lstm)[2].span<double>()[0], cell);
    QCOMPARE((*lstm)[0].span<double>()[0], out * std::tanh(cell));
    QCOMPARE((*lstm)[1].span<double>()[0], out * std::tanh(cell));
    const auto gru = [&](int64_t linear) {
      return callOperator({.opType = "GRU", .attributes = {{"linear_before_reset", linear}}, .outputs = 2},
                          {x, tensorOf<double>({1, 3, 1}, {1, 2, 3}), tensorOf<double>({1, 3, 1}, {4, 5, 6}),
                           tensorOf<double>({1, 6}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}), Tensor{}, h});
    };
    const double update = sigmoid(0.5 + 1 + 0.5), reset = sigmoid(1 + 1.25 + 0.7);
    const double before = std::tanh(1.5 + 0.3 + reset * (1.5 + 0.6)),
                 after = std::tanh(1.5 + 0.3 + reset * 0.25 * 6 + 0.6);
    QCOMPARE(gru(1).span<double>()[0], (1 - update) * before + update * 0.25);
    QCOMPARE(gru(0).span<double>()[0], (1 - update) * after + update * 0.25);
    QCOMPARE(callOperator({.opType = "RNN", .outputs = 2}, {x, tensorOf<double>({1, 1, 1}, {3}),
                                                            tensorOf<double>({1, 1, 1}, {2}), Tensor{}, Tensor{}, h})
                 .span<double>()[0],
             std::tanh(2.0));
  }

  // Past its length an item gives zeros; a backward direction starts at its last step.
  void lengths() {
    std::vector<Tensor> inputs = inputsFor("RNN", {.steps = 4, .batch = 3, .hidden = 2});
    inputs[4] = tensorOf<int32_t>({3}, {2, 0, 4});
    for (const char* direction : {"forward", "reverse"}) {
      const auto results =
          tryOperator({.opType = "RNN", .attributes = {{"direction", direction}}, .outputs = 2}, inputs);
      QVERIFY(results);
      const auto y = (*results)[0].span<float>(), last = (*results)[1].span<float>();
      for (size_t step = 0; step < 4; ++step) {
        for (size_t unit = 0; unit < 2; ++unit) {
          QCOMPARE(y[(step * 3 + 0) * 2 + unit] != 0, step < 2);
          QCOMPARE(y[(step * 3 + 1) * 2 + unit], 0.0f);
        }
      }
      const size_t final = std::string(direction) == "forward" ? 1 : 0;
      for (size_t unit = 0; unit < 2; ++unit)
        QCOMPARE(last[unit], y[final * 3 * 2 + unit]);
      QCOMPARE(last[2], 0.0f);
    }
  }

  void badInput_data() {
    QTest::addColumn<QString>("opType");
    QTest::addColumn<int>("slot");  // -1: an attribute
    for (const char* opType : {"RNN", "GRU", "LSTM"}) {
      for (int slot = 0; slot < (std::string(opType) == "LSTM" ? 8 : 6); ++slot)
        QTest::addRow("%s input %d", opType, slot) << opType << slot;
    }
  }
  void badInput() {
    QFETCH(QString, opType);
    QFETCH(int, slot);
    const std::string name = opType.toStdString();
    const std::vector<Tensor> good = inputsFor(name, {});
    QVERIFY(tryOperator({.opType = name, .outputs = 2}, good));
    const Tensor& given = good[static_cast<size_t>(slot)];
    const auto refuses = [&](const std::vector<int64_t>& dims) {
      std::vector<Tensor> inputs = good;
      Tensor changed = *Tensor::create(given.type(), dims);
      std::ranges::fill(changed.mutableBytes(), std::byte{0});
      inputs[static_cast<size_t>(slot)] = changed;
      const auto result = tryOperator({.opType = name, .outputs = 2}, inputs);
      if (result) fmt::print(stderr, "input {} {} was taken\n", slot, dimsToText(dims));
      return !result;
    };
    std::vector<int64_t> dims(given.dims().begin(), given.dims().end());
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      // X alone may have any number of steps, but its batch must fit the states.
      if (slot == 0 && axis == 0) continue;
      std::vector<int64_t> more = dims, less = dims;
      ++more[axis];
      --less[axis];
      QVERIFY(refuses(more));
      QVERIFY(refuses(less));
    }
    std::vector<int64_t> deeper = dims, flatter(dims.begin() + 1, dims.end());
    deeper.push_back(1);
    QVERIFY(refuses(deeper));
    QVERIFY(refuses(flatter));
  }

  void badValues() {
    for (const int32_t length : {-1, 6, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
      std::vector<Tensor> inputs = inputsFor("GRU", {});
      inputs[4] = tensorOf<int32_t>({3}, {1, length, 2});
      const auto result = tryOperator({.opType = "GRU", .outputs = 2}, inputs);
      QVERIFY(!result && result.error().message.find("sequence_lens") != std::string::npos);
    }
    std::vector<Tensor> mixed = inputsFor("LSTM", {});
    mixed[2] = toDouble(mixed[2]);
    QVERIFY(!tryOperator({.opType = "LSTM", .outputs = 3}, mixed));
  }

  void badAttributes() {
    const std::vector<Tensor> inputs = inputsFor("LSTM", {});
    const std::pair<Attribute, const char*> bad[] = {
        {{"direction", "backward"}, "direction"},
        {{"activations", std::vector<std::string>{"Sigmoid", "Tanh"}}, "activations"},
        {{"activations", std::vector<std::string>{"Sigmoid", "Tanh", "Swish"}}, "Swish"},
        {{"activations", std::vector<std::string>(6, "Tanh")}, "activations"},
        {{"clip", -1.0f}, "clip"},
        {{"clip", std::numeric_limits<float>::quiet_NaN()}, "clip"},
        {{"layout", int64_t{2}}, "layout"},
        {{"hidden_size", int64_t{7}}, "hidden_size"},
        {{"hidden_size", int64_t{-7}}, "hidden_size"},
        {{"direction", "bidirectional"}, "W"},
    };
    for (const auto& [attribute, word] : bad) {
      const auto result = tryOperator({.opType = "LSTM", .attributes = {attribute}, .outputs = 3}, inputs);
      QVERIFY2(!result, word);
      QVERIFY2(result.error().message.find(word) != std::string::npos, result.error().message.c_str());
    }
  }
};

QTEST_GUILESS_MAIN(TestRecurrent)
#include "tst_recurrent.moc"
