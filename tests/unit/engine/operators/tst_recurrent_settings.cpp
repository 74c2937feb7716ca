// RNN, GRU and LSTM: attributes, function defaults and sizes, a case a line.

#include "engine/operators/recurrent.h"
#include "tests/unit/engine/operators/operator_case.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

constexpr ElementType kF = ElementType::kFloat;
using Names = std::vector<std::string>;
using Numbers = std::vector<float>;
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

Result<RecurrentSettings> read(RecurrentKind kind, Attributes list) {
  const char* name = kind == RecurrentKind::kLstm ? "LSTM" : kind == RecurrentKind::kGru ? "GRU" : "RNN";
  return readRecurrent(nodeOf(name, std::move(list)).node(), kind);
}

std::string settings(RecurrentKind kind, Attributes list) {
  return textOf<RecurrentSettings>(read(kind, std::move(list)), [](const RecurrentSettings& s) {
    return fmt::format("{} gates, {} directions{}{}{}{}{}", s.gates, s.directions, s.reverseOnly ? ", backwards" : "",
                       s.batchFirst ? ", batch first" : "", s.inputForget ? ", coupled" : "",
                       s.linearBeforeReset ? ", linear first" : "", s.clips() ? fmt::format(", clip {}", s.clip) : "");
  });
}

std::string functions(RecurrentKind kind, Attributes list) {
  return textOf<RecurrentSettings>(read(kind, std::move(list)), [](const RecurrentSettings& s) {
    std::string text;
    for (int64_t direction = 0; direction < s.directions; ++direction) {
      for (size_t i = 0; i < s.functionCount(); ++i) {
        const CellFunctionChoice& f = s.choices[static_cast<size_t>(direction)][i];
        text += fmt::format("{}{}/{}/{}", text.empty() ? "" : " ", static_cast<int>(f.kind), f.alpha, f.beta);
      }
    }
    return text;
  });
}

std::string shape(Attributes list, const Dims& x, const Dims& w, const Dims& r, std::optional<Dims> b = {},
                  std::optional<Dims> state = {}) {
  const RecurrentSettings s = *read(RecurrentKind::kGru, std::move(list));
  const Tensor xs = *Tensor::create(kF, x), ws = *Tensor::create(kF, w), rs = *Tensor::create(kF, r),
               bs = *Tensor::create(kF, b.value_or(Dims{})), first = *Tensor::create(kF, state.value_or(Dims{}));
  auto found = recurrentSequenceShape(s, xs);
  if (!found) return "! " + found.error().message;
  if (auto checked = checkRecurrentWeights(s, {.w = &ws, .r = &rs, .b = b ? &bs : nullptr}, kF, *found); !checked)
    return textOf(checked);
  if (auto checked = checkRecurrentTensors(s, *found, kF, {.x = &xs, .initialHidden = state ? &first : nullptr});
      !checked)
    return textOf(checked);
  return fmt::format("{} steps of {}x{} to {}, {} and {}", found->steps, found->batch, found->input, found->hidden,
                     dimsToText(found->outputDims()), dimsToText(found->stateDims()));
}

}  // namespace

class TestRecurrentSettings : public QObject {
  Q_OBJECT

 private slots:
  void attributes() {
    using enum RecurrentKind;
    compareTexts({
        {"LSTM", settings(kLstm, {}), "4 gates, 1 directions"},
        {"GRU", settings(kGru, {{"linear_before_reset", int64_t{1}}}), "3 gates, 1 directions, linear first"},
        {"RNN", settings(kRnn, {{"linear_before_reset", int64_t{1}}}), "1 gates, 1 directions"},
        {"coupled gates", settings(kLstm, {{"input_forget", int64_t{1}}}), "4 gates, 1 directions, coupled"},
        {"reverse", settings(kLstm, {{"direction", "reverse"}}), "4 gates, 1 directions, backwards"},
        {"both", settings(kLstm, {{"direction", "bidirectional"}}), "4 gates, 2 directions"},
        {"layout", settings(kGru, {{"layout", int64_t{1}}}), "3 gates, 1 directions, batch first"},
        {"clip", settings(kGru, {{"clip", 2.0f}}), "3 gates, 1 directions, clip 2"},
        {"clip of 0", settings(kGru, {{"clip", 0.0f}}), "3 gates, 1 directions, clip 0"},
        {"negative clip", settings(kGru, {{"clip", -1.0f}}), "! clip is -1, but must not be negative"},
        {"another layout", settings(kGru, {{"layout", int64_t{2}}}), "! layout is 2, but must be 0 or 1"},
        {"another direction", settings(kGru, {{"direction", "up"}}), "! direction is 'up'"},
        {"hidden size", settings(kGru, {{"hidden_size", int64_t{-2}}}), "! hidden_size is -2"},
    });
  }

  // Kinds: sigmoid 0, tanh 1, relu 2, affine 3, leaky relu 4, thresholded relu 5, scaled tanh 6, hard sigmoid 7.
  void cellFunctions() {
    using enum RecurrentKind;
    compareTexts({
        {"LSTM", functions(kLstm, {}), "0/0/0 1/0/0 1/0/0"},
        {"GRU", functions(kGru, {}), "0/0/0 1/0/0"},
        {"RNN", functions(kRnn, {}), "1/0/0"},
        {"RNN in the schema's default", functions(kRnn, {{"activations", Names{"Tanh", "Tanh"}}}), "1/0/0"},
        {"both directions", functions(kGru, {{"direction", "bidirectional"}}), "0/0/0 1/0/0 0/0/0 1/0/0"},
        {"defaults of the standard",
         functions(kLstm, {{"activations", Names{"HardSigmoid", "ScaledTanh", "LeakyRelu"}}}),
         "7/0.2/0.5 6/1/1 4/0.01/0"},
        {"used up in order",
         functions(kLstm, {{"activations", Names{"Relu", "affine", "HARDSIGMOID"}},
                           {"activation_alpha", Numbers{2, 3}},
                           {"activation_beta", Numbers{4}}}),
         "2/0/0 3/2/4 7/3/0.5"},
        {"too few", functions(kLstm, {{"activations", Names{"Tanh"}}}),
         "! 1 activations for 1 direction(s), but it needs 3"},
        {"unknown", functions(kRnn, {{"activations", Names{"Gelu"}}}), "! 'Gelu' is none of the activations"},
    });
  }

  void sizes() {
    compareTexts({
        {"time first", shape({}, {5, 2, 4}, {1, 9, 4}, {1, 9, 3}, Dims{1, 18}, Dims{1, 2, 3}),
         "5 steps of 2x4 to 3, [5,1,2,3] and [1,2,3]"},
        {"batch first", shape({{"layout", int64_t{1}}}, {2, 5, 4}, {1, 9, 4}, {1, 9, 3}, {}, Dims{2, 1, 3}),
         "5 steps of 2x4 to 3, [2,5,1,3] and [2,1,3]"},
        {"X", shape({}, {5, 4}, {1, 9, 4}, {1, 9, 3}), "! X is [5,4], but must have three axes"},
        {"W", shape({}, {5, 2, 4}, {1, 8, 4}, {1, 9, 3}), "! W is [1,8,4], but must be [1,9,4]"},
        {"R", shape({}, {5, 2, 4}, {1, 9, 4}, {2, 9, 3}), "! R is [2,9,3], but must be [1,9,3]"},
        {"ranks", shape({}, {5, 2, 4}, {9, 4}, {1, 9, 3}), "! both need three axes"},
        {"hidden_size", shape({{"hidden_size", int64_t{4}}}, {5, 2, 4}, {1, 9, 4}, {1, 9, 3}),
         "! hidden_size is 4, but R"},
        {"B", shape({}, {5, 2, 4}, {1, 9, 4}, {1, 9, 3}, Dims{1, 9}), "! B is [1,9], but must be [1,18]"},
        {"a step", shape({}, {5, 2, 5}, {1, 9, 4}, {1, 9, 3}), "! X is [5,2,5], but W takes 4 numbers a step"},
        {"state", shape({}, {5, 2, 4}, {1, 9, 4}, {1, 9, 3}, {}, Dims{2, 1, 3}), "! initial_h is [2,1,3]"},
    });
  }
};

QTEST_GUILESS_MAIN(TestRecurrentSettings)
#include "tst_recurrent_settings.moc"
