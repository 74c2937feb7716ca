// The activation functions that RNN, GRU and LSTM may name.

#include "providers/cpu/kernels/recurrent/cell_function.h"

#include <cmath>

namespace cutaway::cpu {
namespace {

using cpu::PointwiseOp;
using Kind = CellFunction::Kind;

struct Implementation {
  Kind kind = Kind::kPointwise;
  PointwiseOp op = PointwiseOp::kTanh;
};

Implementation implementationOf(operators::CellFunctionKind kind) {
  using operators::CellFunctionKind;
  switch (kind) {
    case CellFunctionKind::kSigmoid:
      return {Kind::kPointwise, PointwiseOp::kSigmoid};
    case CellFunctionKind::kTanh:
      return {Kind::kPointwise, PointwiseOp::kTanh};
    case CellFunctionKind::kRelu:
      return {Kind::kPointwise, PointwiseOp::kRelu};
    case CellFunctionKind::kAffine:
      return {Kind::kAffine};
    case CellFunctionKind::kLeakyRelu:
      return {Kind::kPointwise, PointwiseOp::kLeakyRelu};
    case CellFunctionKind::kThresholdedRelu:
      return {Kind::kThresholdedRelu};
    case CellFunctionKind::kScaledTanh:
      return {Kind::kScaledTanh};
    case CellFunctionKind::kHardSigmoid:
      return {Kind::kPointwise, PointwiseOp::kHardSigmoid};
    case CellFunctionKind::kElu:
      return {Kind::kPointwise, PointwiseOp::kElu};
    case CellFunctionKind::kSoftsign:
      return {Kind::kPointwise, PointwiseOp::kSoftsign};
    case CellFunctionKind::kSoftplus:
      return {Kind::kPointwise, PointwiseOp::kSoftplus};
  }
  return {};
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

cpu::FloatLoop loopOf(const Implementation& entry) {
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

CellFunction cellFunction(const operators::CellFunctionChoice& choice) {
  const Implementation made = implementationOf(choice.kind);
  CellFunction function{.kind = made.kind, .op = made.op, .parameters = {}, .loop = loopOf(made)};
  function.parameters.alpha = static_cast<double>(choice.alpha);
  function.parameters.beta = static_cast<double>(choice.beta);
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

}  // namespace cutaway::cpu
