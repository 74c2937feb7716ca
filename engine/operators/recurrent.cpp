#include "engine/operators/recurrent.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "engine/base/checked_math.h"

namespace cutaway::operators {
namespace {

using Kind = CellFunctionKind;

struct CellFunctionRow {
  std::string_view name;  // lower case
  Kind kind;
  bool takesAlpha = false, takesBeta = false;
  float alpha = 0, beta = 0;  // defaults of the standard
};

constexpr CellFunctionRow kFunctions[] = {
    {"sigmoid", Kind::kSigmoid},
    {"tanh", Kind::kTanh},
    {"relu", Kind::kRelu},
    {"affine", Kind::kAffine, true, true, 1, 0},
    {"leakyrelu", Kind::kLeakyRelu, true, false, 0.01f, 0},
    {"thresholdedrelu", Kind::kThresholdedRelu, true, false, 1, 0},
    {"scaledtanh", Kind::kScaledTanh, true, true, 1, 1},
    {"hardsigmoid", Kind::kHardSigmoid, true, true, 0.2f, 0.5f},
    {"elu", Kind::kElu, true, false, 1, 0},
    {"softsign", Kind::kSoftsign},
    {"softplus", Kind::kSoftplus},
};

// Names are compared without regard to case, as files of several exporters need it.
Result<const CellFunctionRow*> rowOf(std::string_view opType, std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  const CellFunctionRow* found = std::ranges::find(kFunctions, lower, &CellFunctionRow::name);
  if (found == std::end(kFunctions)) {
    return fail(ErrorCode::kInvalidArgument,
                "{}: '{}' is none of the activations Sigmoid, Tanh, Relu, Affine, LeakyRelu, ThresholdedRelu, "
                "ScaledTanh, HardSigmoid, Elu, Softsign, Softplus",
                opType, name);
  }
  return found;
}

std::vector<std::string> defaultNames(RecurrentKind kind, int64_t directions) {
  std::vector<std::string> names;
  for (int64_t direction = 0; direction < directions; ++direction) {
    if (kind != RecurrentKind::kRnn) names.push_back("Sigmoid");
    names.push_back("Tanh");
    if (kind == RecurrentKind::kLstm) names.push_back("Tanh");
  }
  return names;
}

Result<void> readDirection(const Node& node, RecurrentSettings& settings) {
  const std::string direction = node.attributeOr<std::string>("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    return fail(ErrorCode::kInvalidArgument, "{}: direction is '{}', but must be forward, reverse or bidirectional",
                settings.opType, direction);
  settings.reverseOnly = direction == "reverse";
  settings.directions = direction == "bidirectional" ? 2 : 1;
  return {};
}

// activation_alpha and activation_beta are used up in the order of the functions, each by those that have such a
// parameter.
Result<void> readFunctions(const Node& node, RecurrentSettings& settings) {
  const size_t each = settings.functionCount(), directions = static_cast<size_t>(settings.directions);
  std::vector<std::string> names = node.attributeOr<std::vector<std::string>>("activations", {});
  // The schema of RNN has two functions as its default, one for each direction there may be.
  if (settings.kind == RecurrentKind::kRnn && directions == 1 && names == std::vector<std::string>{"Tanh", "Tanh"})
    names.pop_back();
  if (names.empty()) names = defaultNames(settings.kind, settings.directions);
  if (names.size() != each * directions)
    return fail(ErrorCode::kInvalidArgument, "{}: {} activations for {} direction(s), but it needs {}", settings.opType,
                names.size(), directions, each * directions);
  const std::vector<float> alphas = node.attributeOr<std::vector<float>>("activation_alpha", {}),
                           betas = node.attributeOr<std::vector<float>>("activation_beta", {});
  size_t nextAlpha = 0, nextBeta = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    CUTAWAY_TRY(const CellFunctionRow* row, rowOf(settings.opType, names[i]));
    CellFunctionChoice& choice = settings.choices[i / each][i % each];
    choice = {.kind = row->kind, .alpha = row->alpha, .beta = row->beta};
    if (row->takesAlpha && nextAlpha < alphas.size()) choice.alpha = alphas[nextAlpha++];
    if (row->takesBeta && nextBeta < betas.size()) choice.beta = betas[nextBeta++];
  }
  return {};
}

Result<void> readNumbers(const Node& node, RecurrentSettings& settings) {
  settings.clip = node.attributeOr<float>("clip", settings.clip);
  if (std::isnan(settings.clip) || settings.clip < 0)
    return fail(ErrorCode::kInvalidArgument, "{}: clip is {}, but must not be negative", settings.opType,
                settings.clip);
  const int64_t layout = node.attributeOr<int64_t>("layout", 0);
  if (layout != 0 && layout != 1)
    return fail(ErrorCode::kInvalidArgument, "{}: layout is {}, but must be 0 or 1", settings.opType, layout);
  settings.batchFirst = layout == 1;
  settings.inputForget = settings.kind == RecurrentKind::kLstm && node.attributeOr<int64_t>("input_forget", 0) != 0;
  settings.linearBeforeReset =
      settings.kind == RecurrentKind::kGru && node.attributeOr<int64_t>("linear_before_reset", 0) != 0;
  settings.hiddenSize = node.attributeOr<int64_t>("hidden_size", -1);
  if (settings.hiddenSize < -1)
    return fail(ErrorCode::kInvalidArgument, "{}: hidden_size is {}", settings.opType, settings.hiddenSize);
  return {};
}

}  // namespace

size_t RecurrentSettings::functionCount() const {
  return kind == RecurrentKind::kLstm ? 3 : kind == RecurrentKind::kGru ? 2 : 1;
}

Result<RecurrentSettings> readRecurrent(const Node& node, RecurrentKind kind) {
  RecurrentSettings settings;
  settings.kind = kind;
  settings.opType = node.opType;
  settings.gates = kind == RecurrentKind::kLstm ? 4 : kind == RecurrentKind::kGru ? 3 : 1;
  CUTAWAY_CHECK(readDirection(node, settings));
  CUTAWAY_CHECK(readFunctions(node, settings));
  CUTAWAY_CHECK(readNumbers(node, settings));
  return settings;
}

std::array<int64_t, 4> RecurrentShape::outputDims() const {
  return batchFirst ? std::array{batch, steps, directions, hidden} : std::array{steps, directions, batch, hidden};
}

std::array<int64_t, 3> RecurrentShape::stateDims() const {
  return batchFirst ? std::array{batch, directions, hidden} : std::array{directions, batch, hidden};
}

Result<RecurrentShape> recurrentSequenceShape(const RecurrentSettings& settings, const Tensor& x) {
  if (x.rank() != 3)
    return fail(ErrorCode::kInvalidArgument, "{}: X is {}, but must have three axes", settings.opType,
                dimsToText(x.dims()));
  return RecurrentShape{.steps = x.dims()[settings.batchFirst ? 1 : 0],
                        .batch = x.dims()[settings.batchFirst ? 0 : 1],
                        .directions = settings.directions,
                        .batchFirst = settings.batchFirst};
}

Result<void> checkRecurrentTensor(const RecurrentSettings& settings, const Tensor& tensor, ElementType type,
                                  std::string_view name, std::string_view meaning, std::span<const int64_t> wanted) {
  if (tensor.type() != type)
    return fail(ErrorCode::kInvalidArgument, "{}: {} holds {}, but must hold {}", settings.opType, name,
                elementTypeName(tensor.type()), elementTypeName(type));
  if (!std::ranges::equal(tensor.dims(), wanted)) {
    return fail(ErrorCode::kInvalidArgument, "{}: {} is {}, but must be {} [{}]", settings.opType, name,
                dimsToText(tensor.dims()), dimsToText(wanted), meaning);
  }
  return {};
}

Result<void> checkRecurrentWeights(const RecurrentSettings& settings, const RecurrentWeightTensors& weights,
                                   ElementType type, RecurrentShape& shape) {
  const Tensor &w = *weights.w, &r = *weights.r;
  if (w.rank() != 3 || r.rank() != 3)
    return fail(ErrorCode::kInvalidArgument, "{}: W is {} and R {}, but both need three axes", settings.opType,
                dimsToText(w.dims()), dimsToText(r.dims()));
  shape.directions = settings.directions;
  shape.input = w.dims()[2];
  shape.hidden = r.dims()[2];
  if (settings.hiddenSize >= 0 && settings.hiddenSize != shape.hidden) {
    return fail(ErrorCode::kInvalidArgument, "{}: hidden_size is {}, but R is {}", settings.opType, settings.hiddenSize,
                dimsToText(r.dims()));
  }
  CUTAWAY_TRY(const int64_t rows, checkedMultiply(settings.gates * 2, shape.hidden));
  CUTAWAY_CHECK(checkRecurrentTensor(settings, w, type, "W", "directions, gates x hidden, input",
                                     std::array{shape.directions, rows / 2, shape.input}));
  CUTAWAY_CHECK(checkRecurrentTensor(settings, r, type, "R", "directions, gates x hidden, hidden",
                                     std::array{shape.directions, rows / 2, shape.hidden}));
  return checkRecurrentBiases(settings, weights, type, shape);
}

Result<void> checkRecurrentBiases(const RecurrentSettings& settings, const RecurrentWeightTensors& weights,
                                  ElementType type, const RecurrentShape& shape) {
  const int64_t rows = 2 * settings.gates * shape.hidden;
  if (weights.b != nullptr)
    CUTAWAY_CHECK(checkRecurrentTensor(settings, *weights.b, type, "B", "directions, 2 x gates x hidden",
                                       std::array{shape.directions, rows}));
  if (weights.p != nullptr)
    CUTAWAY_CHECK(checkRecurrentTensor(settings, *weights.p, type, "P", "directions, 3 x hidden",
                                       std::array{shape.directions, 3 * shape.hidden}));
  return {};
}

Result<void> checkRecurrentTensors(const RecurrentSettings& settings, const RecurrentShape& shape, ElementType type,
                                   const RecurrentSequenceTensors& tensors, int64_t feedback) {
  const Tensor& x = *tensors.x;
  if (x.type() != type)
    return fail(ErrorCode::kInvalidArgument, "{}: X holds {}, but must hold {}", settings.opType,
                elementTypeName(x.type()), elementTypeName(type));
  if (x.dims()[2] + feedback != shape.input) {
    return fail(ErrorCode::kInvalidArgument, "{}: X is {}, but W takes {} numbers a step", settings.opType,
                dimsToText(x.dims()), shape.input - feedback);
  }
  if (const Tensor* lengths = tensors.lengths;
      lengths != nullptr &&
      (lengths->type() != ElementType::kInt32 || lengths->rank() != 1 || lengths->dims()[0] != shape.batch)) {
    return fail(ErrorCode::kInvalidArgument, "{}: sequence_lens is {} {}, but must be int32 [{}]", settings.opType,
                elementTypeName(lengths->type()), dimsToText(lengths->dims()), shape.batch);
  }
  const std::string_view meaning = shape.batchFirst ? "batch, directions, hidden" : "directions, batch, hidden";
  if (tensors.initialHidden != nullptr)
    CUTAWAY_CHECK(
        checkRecurrentTensor(settings, *tensors.initialHidden, type, "initial_h", meaning, shape.stateDims()));
  if (tensors.initialCell != nullptr)
    CUTAWAY_CHECK(checkRecurrentTensor(settings, *tensors.initialCell, type, "initial_c", meaning, shape.stateDims()));
  return {};
}

}  // namespace cutaway::operators
