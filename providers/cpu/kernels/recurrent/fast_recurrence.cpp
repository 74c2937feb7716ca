#include "providers/cpu/kernels/recurrent/fast_recurrence.h"

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/recurrent/gate_loops.h"
#include "providers/cpu/kernels/recurrent/panel_product.h"
#include "providers/cpu/kernels/recurrent/recurrent_part.h"

namespace cutaway::cpu {
namespace {

// Items below which a group is not split further: a product reads all weights however few rows it has.
constexpr int64_t kItemsPerGroup = 4;
// Multiply-adds below which a part is not worth a thread.
constexpr int64_t kWorkPerPart = int64_t{1} << 19;

// Multiply-adds of `items` items in one direction; a rough figure, far from overflow.
int64_t workOf(const PackedWeightsPlan& plan, const RecurrentShape& shape, int64_t items) {
  const double work = static_cast<double>(plan.gates * plan.padded) *
                      static_cast<double>(plan.shape.input + plan.shape.hidden) * static_cast<double>(shape.steps) *
                      static_cast<double>(items);
  return static_cast<int64_t>(std::clamp(work, 1.0, 1e15));
}

// How a run is cut up, and what each part (one direction of one group of items) needs.
struct Division {
  int64_t groups = 1;
  int64_t itemsPerGroup = 1;
  int64_t stepsAtOnce = 1;
  int64_t rowFloats = 0;  // one row of sums
  int64_t floatsPerPart = 0;
};

Result<Division> divide(const PackedWeightsPlan& plan, const RecurrentShape& shape) {
  Division division;
  const int64_t threads = std::max<int64_t>(1, currentThreads() / shape.directions);
  const int64_t worthwhile = std::min(shape.batch / kItemsPerGroup, workOf(plan, shape, shape.batch) / kWorkPerPart);
  division.groups = std::clamp<int64_t>(std::min(threads, worthwhile), 1, shape.batch);
  division.itemsPerGroup = (shape.batch + division.groups - 1) / division.groups;
  division.groups = (shape.batch + division.itemsPerGroup - 1) / division.itemsPerGroup;
  division.rowFloats = plan.gates * plan.padded;
  CUTAWAY_TRY(const int64_t stepFloats, checkedMultiply(division.rowFloats, division.itemsPerGroup));
  division.stepsAtOnce = std::max<int64_t>(std::min(RecurrentPart::kProjectedFloats / stepFloats, shape.steps), 1);
  CUTAWAY_TRY(const int64_t projected, checkedMultiply(stepFloats, division.stepsAtOnce));
  CUTAWAY_TRY(const int64_t states, checkedMultiply(RecurrentPart::kStateRows * plan.padded, division.itemsPerGroup));
  CUTAWAY_TRY(division.floatsPerPart, checkedAdd(projected, states));
  CUTAWAY_TRY(const int64_t total, checkedMultiply(division.floatsPerPart, division.groups * shape.directions));
  CUTAWAY_CHECK(checkedMultiply(total, static_cast<int64_t>(sizeof(float))));
  return division;
}

class FloatPart final : public RecurrentPart {
 public:
  FloatPart(const RecurrentSettings& settings, const PackedWeightsPlan& plan, const PackedWeights& weights,
            const RecurrentInputs& inputs, const RecurrentOutputs& outputs, int64_t stepsAtOnce)
      : RecurrentPart(settings, inputs, outputs,
                      {.padded = plan.padded,
                       .rowFloats = plan.gates * plan.padded,
                       .stepsAtOnce = stepsAtOnce,
                       .peephole = weights.peephole}),
        m_weights(weights) {}

 private:
  // X W^T + bias for `count` steps: rows of sums lie step by step.
  void project(int64_t first, int64_t count) override {
    const float* x = m_inputs.x->span<float>().data();
    PanelProduct product{.depth = m_shape.input,
                         .columns = m_rowFloats,
                         .panels = m_weights.input,
                         .start = m_weights.bias,
                         .strideStart = 0};
    const auto multiply = [&](int64_t rows, int64_t xRow, int64_t strideA, int64_t sumRow, int64_t strideOut) {
      product.rows = rows;
      product.a = x + xRow * m_shape.input;
      product.strideA = strideA * m_shape.input;
      product.out = m_sums + sumRow * m_rowFloats;
      product.strideOut = strideOut * m_rowFloats;
      multiplyPanels(product);
    };
    if (m_items == m_shape.batch && !m_shape.batchFirst)
      return multiply(count * m_items, m_shape.xRow(first, 0), 1, 0, 1);
    // Item by item, the rows of X are a constant way apart in both layouts.
    const int64_t stride = m_shape.batchFirst ? 1 : m_shape.batch;
    for (int64_t item = 0; item < m_items; ++item)
      multiply(count, m_shape.xRow(first, m_firstItem + item), stride, item, m_items);
  }

  void advance(int64_t item, int64_t count, float* sums) override {
    float* hidden = m_hidden + item * m_padded;
    const int64_t gates = m_settings.kind == RecurrentKind::kGru ? 2 : m_settings.gates;
    multiplyPanels({.rows = count,
                    .depth = m_shape.hidden,
                    .columns = gates * m_padded,
                    .a = hidden,
                    .strideA = m_padded,
                    .panels = m_weights.recurrent,
                    .start = sums,
                    .strideStart = m_rowFloats,
                    .out = sums,
                    .strideOut = m_rowFloats});
    switch (m_settings.kind) {
      case RecurrentKind::kRnn:
        for (int64_t i = 0; i < count; ++i) {
          clip(sums + i * m_rowFloats, m_padded);
          const CellFunction& f = (*m_functions)[0];
          f.loop(sums + i * m_rowFloats, hidden + i * m_padded, m_padded, f.parameters);
        }
        return;
      case RecurrentKind::kGru:
        return gru(item, count, sums);
      case RecurrentKind::kLstm:
        for (int64_t i = 0; i < count; ++i)
          lstm(sums + i * m_rowFloats, hidden + i * m_padded, m_cell + (item + i) * m_padded,
               m_spare + (item + i) * m_padded);
        return;
    }
  }

  void gru(int64_t item, int64_t count, float* sums) const {
    const auto& [f, g, unused] = *m_functions;
    float *hidden = m_hidden + item * m_padded, *reset = m_spare + item * m_padded,
          *recurrent = m_candidate + item * m_padded;
    PanelProduct product{.rows = count,
                         .depth = m_shape.hidden,
                         .columns = m_padded,
                         .strideA = m_padded,
                         .panels = m_weights.candidate};
    if (m_settings.linearBeforeReset) {
      product.a = hidden;
      product.start = m_weights.candidateBias;
      product.out = recurrent;
      product.strideOut = m_padded;
    } else {
      product.a = reset;
      product.start = product.out = sums + 2 * m_padded;
      product.strideStart = product.strideOut = m_rowFloats;
    }
    for (int64_t i = 0; i < count; ++i) {
      float* gates = sums + i * m_rowFloats;
      activate(f, gates, 2 * m_padded);
      if (!m_settings.linearBeforeReset)
        multiplyRows(gates + m_padded, hidden + i * m_padded, reset + i * m_padded, m_padded);
    }
    multiplyPanels(product);
    for (int64_t i = 0; i < count; ++i) {
      float *update = sums + i * m_rowFloats, *resetGate = update + m_padded, *candidate = resetGate + m_padded;
      if (m_settings.linearBeforeReset) addProduct(resetGate, recurrent + i * m_padded, candidate, m_padded);
      activate(g, candidate, m_padded);
      mixHidden(hidden + i * m_padded, update, candidate, m_padded);
    }
  }

  const PackedWeights& m_weights;
};

}  // namespace

Result<void> runFastRecurrence(const RecurrentSettings& settings, const PackedWeightsPlan& plan, const float* packed,
                               const RecurrentInputs& inputs, const RecurrentOutputs& outputs, KernelContext& context) {
  const RecurrentShape& shape = inputs.shape;
  if (shape.hidden == 0 || shape.batch == 0) return {};
  CUTAWAY_TRY(const Division division, divide(plan, shape));
  const int64_t parts = shape.directions * division.groups, own = packed == nullptr ? plan.totalFloats() : 0;
  CUTAWAY_TRY(const int64_t floats, checkedAdd(own, division.floatsPerPart * parts));
  CUTAWAY_TRY(const int64_t sizeBytes, checkedMultiply(floats, static_cast<int64_t>(sizeof(float))));
  CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(static_cast<size_t>(sizeBytes)));
  float* memory = reinterpret_cast<float*>(scratch.data());
  if (packed == nullptr) {
    context.subStep("pack weights");
    packWeights(plan, settings, inputs.weights, memory);
    packed = memory;
    memory += own;
  }
  context.subStep("input products and recurrence");
  const int64_t grain = std::max<int64_t>(1, kWorkPerPart / workOf(plan, shape, division.itemsPerGroup));
  parallelFor(parts, grain, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) {
      const int64_t direction = at / division.groups, first = at % division.groups * division.itemsPerGroup;
      const PackedWeights weights = plan.of(packed, direction);
      FloatPart part(settings, plan, weights, inputs, outputs, division.stepsAtOnce);
      part.run(direction, first, std::min(division.itemsPerGroup, shape.batch - first),
               memory + at * division.floatsPerPart, context);
    }
  });
  if (context.cancelled()) return fail(cancelledError());
  return {};
}

}  // namespace cutaway::cpu
