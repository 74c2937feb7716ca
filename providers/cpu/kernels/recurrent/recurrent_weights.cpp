#include "providers/cpu/kernels/recurrent/recurrent_weights.h"

#include <algorithm>

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/recurrent/panel_product.h"

namespace cutaway::cpu {
namespace {

void padRows(const float* from, int64_t count, int64_t units, int64_t padded, float* to) {
  for (int64_t row = 0; row < count; ++row, to += padded) {
    std::copy_n(from + row * units, units, to);
    std::fill(to + units, to + padded, 0.0f);
  }
}

struct Biases {
  float* summed;
  float* candidate;
};

void packBiases(const PackedWeightsPlan& plan, const RecurrentSettings& settings, const float* w, Biases to) {
  const int64_t hidden = plan.shape.hidden, padded = plan.padded;
  std::fill_n(to.summed, plan.gates * padded, 0.0f);
  std::fill_n(to.candidate, settings.kind == RecurrentKind::kGru ? padded : 0, 0.0f);
  if (w == nullptr) return;
  const float* r = w + plan.gates * hidden;
  for (int64_t gate = 0; gate < plan.gates; ++gate) {
    const bool apart = settings.linearBeforeReset && gate == 2;
    for (int64_t u = 0; u < hidden; ++u)
      to.summed[gate * padded + u] = w[gate * hidden + u] + (apart ? 0.0f : r[gate * hidden + u]);
  }
  if (settings.linearBeforeReset) std::copy_n(r + 2 * hidden, hidden, to.candidate);
}

}  // namespace

PackedWeights PackedWeightsPlan::of(const float* memory, int64_t direction) const {
  PackedWeights weights{};
  const float* at = memory + direction * floatsPerDirection;
  const auto take = [&](int64_t count) {
    const float* taken = at;
    at += count;
    return taken;
  };
  weights.input = take(shape.input * gates * padded);
  weights.recurrent = take(shape.hidden * recurrentGates * padded);
  weights.candidate = take(shape.hidden * (gates - recurrentGates) * padded);
  weights.bias = take(gates * padded);
  weights.candidateBias = take((gates - recurrentGates) * padded);
  weights.peephole = peephole ? take(3 * padded) : nullptr;
  return weights;
}

Result<PackedWeightsPlan> planWeights(const RecurrentSettings& settings, const RecurrentShape& shape, bool peephole) {
  PackedWeightsPlan plan;
  plan.shape = shape;
  plan.gates = settings.gates;
  plan.recurrentGates = settings.kind == RecurrentKind::kGru ? 2 : settings.gates;
  plan.peephole = peephole;
  plan.padded = alignUp(shape.hidden, panelLanes());
  // A row of W, R, the biases and the peepholes, for each gate at most.
  CUTAWAY_TRY(const int64_t depth, checkedAdd(shape.input, shape.hidden));
  CUTAWAY_TRY(const int64_t rows, checkedMultiply(plan.gates, plan.padded));
  CUTAWAY_TRY(const int64_t rough, checkedAdd(depth, 8));
  CUTAWAY_TRY(const int64_t bound, checkedMultiply(rows, rough));
  CUTAWAY_CHECK(checkedMultiply(bound, 2 * static_cast<int64_t>(sizeof(float))));
  plan.floatsPerDirection =
      rows * (depth + 1) + (plan.gates - plan.recurrentGates) * plan.padded + (peephole ? 3 * plan.padded : 0);
  return plan;
}

void packWeights(const PackedWeightsPlan& plan, const RecurrentSettings& settings,
                 const RecurrentWeightTensors& tensors, float* memory) {
  const int64_t hidden = plan.shape.hidden, input = plan.shape.input, rows = plan.gates * hidden;
  for (int64_t direction = 0; direction < plan.shape.directions; ++direction) {
    const PackedWeights to = plan.of(memory, direction);
    const auto writable = [](const float* part) { return const_cast<float*>(part); };
    const float* r = tensors.r->span<float>().data() + direction * rows * hidden;
    packPanels(
        {tensors.w->span<float>().data() + direction * rows * input, input, plan.gates, hidden, plan.padded, input},
        writable(to.input));
    packPanels({r, hidden, plan.recurrentGates, hidden, plan.padded, hidden}, writable(to.recurrent));
    packPanels({r + plan.recurrentGates * hidden * hidden, hidden, plan.gates - plan.recurrentGates, hidden,
                plan.padded, hidden},
               writable(to.candidate));
    packBiases(plan, settings, tensors.b != nullptr ? tensors.b->span<float>().data() + direction * 2 * rows : nullptr,
               {writable(to.bias), writable(to.candidateBias)});
    if (plan.peephole)
      padRows(tensors.p->span<float>().data() + direction * 3 * hidden, 3, hidden, plan.padded, writable(to.peephole));
  }
}

}  // namespace cutaway::cpu
