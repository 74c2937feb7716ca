// Attributes of RNN, GRU and LSTM in all versions. output_sequence (versions 1 and 3) needs nothing: Y is computed
// where it has a name.

#include "providers/cpu/kernels/recurrent/recurrent_settings.h"

#include <cmath>

namespace cutaway {
namespace {

size_t functionCount(RecurrentKind kind) {
  return kind == RecurrentKind::kLstm ? 3 : kind == RecurrentKind::kGru ? 2 : 1;
}

std::vector<std::string> defaultFunctions(RecurrentKind kind) {
  switch (kind) {
    case RecurrentKind::kLstm:
      return {"Sigmoid", "Tanh", "Tanh"};
    case RecurrentKind::kGru:
      return {"Sigmoid", "Tanh"};
    case RecurrentKind::kRnn:
      break;
  }
  return {"Tanh"};
}

Result<void> readDirection(const KernelInfo& info, RecurrentSettings& settings) {
  const std::string direction = info.attribute<std::string>("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional") {
    return fail(ErrorCode::kInvalidArgument, "{}: direction is '{}', but must be forward, reverse or bidirectional",
                settings.opType, direction);
  }
  settings.reverseOnly = direction == "reverse";
  settings.directions = direction == "bidirectional" ? 2 : 1;
  return {};
}

// activation_alpha and activation_beta are used up in the order of the functions, each by those that have such a
// parameter.
Result<void> readFunctions(const KernelInfo& info, RecurrentSettings& settings) {
  const size_t each = functionCount(settings.kind), directions = static_cast<size_t>(settings.directions);
  std::vector<std::string> names = info.attribute<std::vector<std::string>>("activations", {});
  // The schema of RNN has two functions as its default, one for each direction there may be.
  if (settings.kind == RecurrentKind::kRnn && directions == 1 && names == std::vector<std::string>{"Tanh", "Tanh"})
    names.pop_back();
  if (names.empty()) {
    for (size_t direction = 0; direction < directions; ++direction) {
      for (const std::string& name : defaultFunctions(settings.kind))
        names.push_back(name);
    }
  }
  if (names.size() != each * directions) {
    return fail(ErrorCode::kInvalidArgument, "{}: {} activations for {} direction(s), but it needs {}", settings.opType,
                names.size(), directions, each * directions);
  }
  const std::vector<float> alphas = info.attribute<std::vector<float>>("activation_alpha", {}),
                           betas = info.attribute<std::vector<float>>("activation_beta", {});
  size_t nextAlpha = 0, nextBeta = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    CUTAWAY_TRY(const CellFunctionNeeds needs, cellFunctionNeeds(settings.opType, names[i]));
    const float* alpha = needs.alpha && nextAlpha < alphas.size() ? &alphas[nextAlpha++] : nullptr;
    const float* beta = needs.beta && nextBeta < betas.size() ? &betas[nextBeta++] : nullptr;
    CUTAWAY_TRY(settings.functions[i / each][i % each], cellFunction(settings.opType, names[i], alpha, beta));
  }
  return {};
}

Result<void> readNumbers(const KernelInfo& info, RecurrentSettings& settings) {
  settings.clip = info.attribute<float>("clip", settings.clip);
  if (std::isnan(settings.clip) || settings.clip < 0)
    return fail(ErrorCode::kInvalidArgument, "{}: clip is {}, but must not be negative", settings.opType,
                settings.clip);
  const int64_t layout = info.attribute<int64_t>("layout", 0);
  if (layout != 0 && layout != 1)
    return fail(ErrorCode::kInvalidArgument, "{}: layout is {}, but must be 0 or 1", settings.opType, layout);
  settings.batchFirst = layout == 1;
  settings.inputForget = settings.kind == RecurrentKind::kLstm && info.attribute<int64_t>("input_forget", 0) != 0;
  settings.linearBeforeReset =
      settings.kind == RecurrentKind::kGru && info.attribute<int64_t>("linear_before_reset", 0) != 0;
  settings.hiddenSize = info.attribute<int64_t>("hidden_size", -1);
  if (settings.hiddenSize < -1)
    return fail(ErrorCode::kInvalidArgument, "{}: hidden_size is {}", settings.opType, settings.hiddenSize);
  return {};
}

}  // namespace

Result<RecurrentSettings> readRecurrentSettings(const KernelInfo& info, RecurrentKind kind) {
  RecurrentSettings settings;
  settings.kind = kind;
  settings.opType = info.node().opType;
  settings.gates = kind == RecurrentKind::kLstm ? 4 : kind == RecurrentKind::kGru ? 3 : 1;
  CUTAWAY_CHECK(readDirection(info, settings));
  CUTAWAY_CHECK(readFunctions(info, settings));
  CUTAWAY_CHECK(readNumbers(info, settings));
  return settings;
}

}  // namespace cutaway
