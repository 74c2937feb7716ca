#pragma once
// The weight matrices of the experts of one layer, [experts, rows, depth], as floats when they are wanted: stored as
// floats, halves, or 2-, 4- or 8-bit numbers with scales.
//
// Thread rule: reading is safe from several threads, each with its own memory.
// Example: CUTAWAY_TRY(const ExpertWeights layer, openExpertWeights(context, slots, experts));  const float* w =
// layer.expand(3, memory);

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/weight_quantized/float_values.h"

namespace cutaway::cpu {

struct ExpertSlots {
  size_t weights = 0, scales = 0, bias = 0, zeros = 0;
  bool quantized = false;
  int bits = 4;
  int64_t blockSize = 0;  // 0: one scale a row
};

struct ExpertWeights {
  const Tensor *weights = nullptr, *scales = nullptr, *zeros = nullptr, *bias = nullptr;
  int64_t rows = 0, depth = 0, blocks = 1;
  int bits = 32;

  // Scratch that expand() wants.
  int64_t floats() const {
    return weights != nullptr && weights->type() != ElementType::kFloat ? rows * depth + blocks * rows : 0;
  }
  // The matrix of one expert: in place when it is stored as floats, else in memory.
  const float* expand(int64_t expert, float* memory) const;
  void expandBias(int64_t expert, float* to) const;
};

// Shapes and types checked; the bias may be absent.
Result<ExpertWeights> openExpertWeights(const KernelContext& context, const ExpertSlots& slots, int64_t experts);

}  // namespace cutaway::cpu
