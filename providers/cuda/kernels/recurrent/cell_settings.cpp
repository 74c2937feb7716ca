#include "providers/cuda/kernels/recurrent/cell_settings.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace cutaway::cuda {
namespace {

struct Entry {
  std::string_view name;  // lower case
  CellKind kind;
  bool takesAlpha = false, takesBeta = false;
  float alpha = 0, beta = 0;  // defaults of the standard
};

constexpr Entry kFunctions[] = {
    {"sigmoid", CellKind::kSigmoid},
    {"tanh", CellKind::kTanh},
    {"relu", CellKind::kRelu},
    {"affine", CellKind::kAffine, true, true, 1, 0},
    {"leakyrelu", CellKind::kLeakyRelu, true, false, 0.01f, 0},
    {"thresholdedrelu", CellKind::kThresholdedRelu, true, false, 1, 0},
    {"scaledtanh", CellKind::kScaledTanh, true, true, 1, 1},
    {"hardsigmoid", CellKind::kHardSigmoid, true, true, 0.2f, 0.5f},
    {"elu", CellKind::kElu, true, false, 1, 0},
    {"softsign", CellKind::kSoftsign},
    {"softplus", CellKind::kSoftplus},
};

std::vector<std::string> defaultNames(RecurrentKind kind, int64_t directions) {
  std::vector<std::string> names;
  for (int64_t d = 0; d < directions; ++d) {
    if (kind != RecurrentKind::kRnn) names.push_back("Sigmoid");
    names.push_back("Tanh");
    if (kind == RecurrentKind::kLstm) names.push_back("Tanh");
  }
  return names;
}

// activation_alpha and activation_beta are used up in the order of the functions, each by those that have such a
// parameter.
Result<void> readFunctions(const KernelInfo& info, CellSettings& settings) {
  const size_t each = settings.kind == RecurrentKind::kLstm  ? 3
                      : settings.kind == RecurrentKind::kGru ? 2
                                                             : 1,
               wanted = each * static_cast<size_t>(settings.cell.directions);
  std::vector<std::string> names = info.attribute<std::vector<std::string>>("activations", {});
  // The schema of RNN has two functions as its default, one for each direction there may be.
  if (settings.kind == RecurrentKind::kRnn && wanted == 1 && names == std::vector<std::string>{"Tanh", "Tanh"})
    names.pop_back();
  if (names.empty()) names = defaultNames(settings.kind, settings.cell.directions);
  if (names.size() != wanted)
    return fail(ErrorCode::kInvalidArgument, "{}: {} activations, but {} are needed", settings.opType, names.size(),
                wanted);
  const std::vector<float> alphas = info.attribute<std::vector<float>>("activation_alpha", {}),
                           betas = info.attribute<std::vector<float>>("activation_beta", {});
  size_t nextAlpha = 0, nextBeta = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    std::string lower = names[i];
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    const Entry* entry = std::ranges::find(kFunctions, lower, &Entry::name);
    if (entry == std::end(kFunctions))
      return fail(ErrorCode::kInvalidArgument, "{}: '{}' is none of the activations of recurrent operators",
                  settings.opType, names[i]);
    CellFunction& function = settings.cell.functions[i / each][i % each];
    function = {.kind = entry->kind, .alpha = entry->alpha, .beta = entry->beta};
    if (entry->takesAlpha && nextAlpha < alphas.size()) function.alpha = alphas[nextAlpha++];
    if (entry->takesBeta && nextBeta < betas.size()) function.beta = betas[nextBeta++];
  }
  return {};
}

}  // namespace

Result<CellSettings> readCellSettings(const KernelInfo& info) {
  CellSettings settings;
  settings.opType = info.node().opType;
  settings.kind = settings.opType == "LSTM"  ? RecurrentKind::kLstm
                  : settings.opType == "GRU" ? RecurrentKind::kGru
                                             : RecurrentKind::kRnn;
  CellParameters& cell = settings.cell;
  cell.gates = settings.kind == RecurrentKind::kLstm ? 4 : settings.kind == RecurrentKind::kGru ? 3 : 1;
  const std::string direction = info.attribute<std::string>("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    return fail(ErrorCode::kInvalidArgument, "{}: direction is '{}', but must be forward, reverse or bidirectional",
                settings.opType, direction);
  cell.reverseOnly = direction == "reverse";
  cell.directions = direction == "bidirectional" ? 2 : 1;
  CUTAWAY_CHECK(readFunctions(info, settings));
  const float clip = info.attribute<float>("clip", std::numeric_limits<float>::infinity());
  if (std::isnan(clip) || clip < 0)
    return fail(ErrorCode::kInvalidArgument, "{}: clip is {}, but must not be negative", settings.opType, clip);
  if (clip == 0) return fail(ErrorCode::kNotImplemented, "{}: a clip of 0", settings.opType);
  cell.clip = std::isinf(clip) ? 0 : clip;
  const int64_t layout = info.attribute<int64_t>("layout", 0);
  if (layout != 0 && layout != 1)
    return fail(ErrorCode::kInvalidArgument, "{}: layout is {}, but must be 0 or 1", settings.opType, layout);
  cell.batchFirst = layout == 1;
  cell.inputForget = settings.kind == RecurrentKind::kLstm && info.attribute<int64_t>("input_forget", 0) != 0;
  cell.linearBeforeReset =
      settings.kind == RecurrentKind::kGru && info.attribute<int64_t>("linear_before_reset", 0) != 0;
  cell.productGates = settings.kind == RecurrentKind::kGru && !cell.linearBeforeReset ? 2 : cell.gates;
  settings.hiddenSize = info.attribute<int64_t>("hidden_size", -1);
  return settings;
}

}  // namespace cutaway::cuda
