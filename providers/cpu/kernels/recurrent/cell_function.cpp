// The activation functions that RNN, GRU and LSTM may name, with the standard's defaults for alpha and beta.

#include "providers/cpu/kernels/recurrent/cell_function.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

namespace cutaway {
namespace {

using cpu::PointwiseOp;
using Kind = CellFunction::Kind;

struct Entry {
  std::string_view name;  // lower case
  Kind kind;
  PointwiseOp op;
  CellFunctionNeeds needs;
  double alpha = 0, beta = 0;  // defaults
};

constexpr Entry kFunctions[] = {
    {"sigmoid", Kind::kPointwise, PointwiseOp::kSigmoid, {}},
    {"tanh", Kind::kPointwise, PointwiseOp::kTanh, {}},
    {"relu", Kind::kPointwise, PointwiseOp::kRelu, {}},
    {"affine", Kind::kAffine, PointwiseOp::kTanh, {true, true}, 1, 0},
    {"leakyrelu", Kind::kPointwise, PointwiseOp::kLeakyRelu, {true, false}, 0.01f, 0},
    {"thresholdedrelu", Kind::kThresholdedRelu, PointwiseOp::kTanh, {true, false}, 1, 0},
    {"scaledtanh", Kind::kScaledTanh, PointwiseOp::kTanh, {true, true}, 1, 1},
    {"hardsigmoid", Kind::kPointwise, PointwiseOp::kHardSigmoid, {true, true}, 0.2f, 0.5},
    {"elu", Kind::kPointwise, PointwiseOp::kElu, {true, false}, 1, 0},
    {"softsign", Kind::kPointwise, PointwiseOp::kSoftsign, {}},
    {"softplus", Kind::kPointwise, PointwiseOp::kSoftplus, {}},
};

Result<const Entry*> entryOf(std::string_view opType, std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  const Entry* found = std::ranges::find(kFunctions, lower, &Entry::name);
  if (found == std::end(kFunctions)) {
    return fail(ErrorCode::kInvalidArgument,
                "{}: '{}' is none of the activations Sigmoid, Tanh, Relu, Affine, LeakyRelu, ThresholdedRelu, "
                "ScaledTanh, HardSigmoid, Elu, Softsign, Softplus",
                opType, name);
  }
  return found;
}

void affine(const float* from, float* to, int64_t count, const cpu::PointwiseParameters& parameters) {
  const float alpha = static_cast<float>(parameters.alpha), beta = static_cast<float>(parameters.beta);
  for (int64_t i = 0; i < count; ++i)
    to[i] = alpha * from[i] + beta;
}

void scaledTanh(const float* from, float* to, int64_t count, const cpu::PointwiseParameters& parameters) {
  affine(from, to, count, {.alpha = parameters.beta, .beta = 0});
  cpu::floatLoop(PointwiseOp::kTanh)(to, to, count, {});
  affine(to, to, count, {.alpha = parameters.alpha, .beta = 0});
}

// Unlike the operator of that name, x == alpha passes. A NaN passes too.
void thresholdedRelu(const float* from, float* to, int64_t count, const cpu::PointwiseParameters& parameters) {
  const float alpha = static_cast<float>(parameters.alpha);
  for (int64_t i = 0; i < count; ++i)
    to[i] = from[i] < alpha ? 0.0f : from[i];
}

cpu::FloatLoop loopOf(const Entry& entry) {
  switch (entry.kind) {
    case Kind::kAffine:
      return affine;
    case Kind::kScaledTanh:
      return scaledTanh;
    case Kind::kThresholdedRelu:
      return thresholdedRelu;
    case Kind::kPointwise:
      break;
  }
  return cpu::floatLoop(entry.op);
}

}  // namespace

Result<CellFunctionNeeds> cellFunctionNeeds(std::string_view opType, std::string_view name) {
  CUTAWAY_TRY(const Entry* entry, entryOf(opType, name));
  return entry->needs;
}

Result<CellFunction> cellFunction(std::string_view opType, std::string_view name, const float* alpha,
                                  const float* beta) {
  CUTAWAY_TRY(const Entry* entry, entryOf(opType, name));
  CellFunction function{.kind = entry->kind, .op = entry->op, .parameters = {}, .loop = loopOf(*entry)};
  function.parameters.alpha = alpha != nullptr ? static_cast<double>(*alpha) : entry->alpha;
  function.parameters.beta = beta != nullptr ? static_cast<double>(*beta) : entry->beta;
  return function;
}

double cellValue(const CellFunction& function, double x) {
  const cpu::PointwiseParameters& parameters = function.parameters;
  switch (function.kind) {
    case Kind::kAffine:
      return parameters.alpha * x + parameters.beta;
    case Kind::kScaledTanh:
      return parameters.alpha * std::tanh(parameters.beta * x);
    case Kind::kThresholdedRelu:
      return x < parameters.alpha ? 0.0 : x;
    case Kind::kPointwise:
      break;
  }
  return cpu::pointwiseReference(function.op, x, parameters);
}

}  // namespace cutaway
