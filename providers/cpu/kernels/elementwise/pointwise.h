#pragma once
// Functions of one number, applied to runs of elements: the reference in double, and the vectorised fp32 loops.
//
// Every activation and unary float operator is one PointwiseOp with up to two parameters. The reference is
// `pointwiseReference`; `floatLoop` gives the fast loop where there is one. In place (from == to) is fine everywhere.
// Thread rule: pure functions. Example:
//   FloatLoop loop = floatLoop(PointwiseOp::kSigmoid);
//   loop(data, data, count, {});

#include <cstdint>

namespace cutaway::cpu {

enum class PointwiseOp : uint8_t {
  kAbs,
  kNeg,
  kSign,
  kFloor,
  kCeil,
  kRound,
  kReciprocal,
  kSqrt,
  kExp,
  kLog,
  kErf,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kAsinh,
  kAcosh,
  kAtanh,
  kRelu,
  kLeakyRelu,
  kElu,
  kSelu,
  kCelu,
  kThresholdedRelu,
  kSigmoid,
  kHardSigmoid,
  kHardSwish,
  kSwish,
  kMish,
  kSoftplus,
  kSoftsign,
  kGelu,
  kGeluTanh,
  kClip,
  kShrink,
};

// alpha, beta: as the operator names them. Selu: alpha, gamma. Clip: min, max. Shrink: lambd, bias.
struct PointwiseParameters {
  double alpha = 0;
  double beta = 0;
};

using FloatLoop = void (*)(const float* from, float* to, int64_t count, const PointwiseParameters& parameters);
using DoubleLoop = void (*)(const double* from, double* to, int64_t count, const PointwiseParameters& parameters);

// One element, in double. The definition of every operator; loops are tested against it.
double pointwiseReference(PointwiseOp op, double x, const PointwiseParameters& parameters);

// Vectorised with Highway, for the processor at hand; nullptr where the operator has only the scalar loop.
FloatLoop vectorLoop(PointwiseOp op);
// Scalar loops, for every operator.
FloatLoop scalarFloatLoop(PointwiseOp op);
DoubleLoop scalarDoubleLoop(PointwiseOp op);
// The vector loop, else the scalar one.
FloatLoop floatLoop(PointwiseOp op);

// Elements below which a loop is not worth splitting over threads.
int64_t pointwiseGrain(PointwiseOp op);

}  // namespace cutaway::cpu
