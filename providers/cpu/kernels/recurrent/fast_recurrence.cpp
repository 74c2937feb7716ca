// Steps run in the order of time for a forward direction and against it for a backward one; an item takes part in the steps below its length, which for a backward direction means that it
// joins late. So no sequence has to be turned around.

#include "providers/cpu/kernels/recurrent/fast_recurrence.h"

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/recurrent/gate_loops.h"
#include "providers/cpu/kernels/recurrent/panel_product.h"

namespace cutaway {
namespace {

// Floats of projected input that are kept at a time: they stay in the second-level cache.
constexpr int64_t kProjectedFloats = int64_t{1} << 18;
// Items below which a group is not split further: a product reads all weights however few rows it has.
constexpr int64_t kItemsPerGroup = 4;

// How a run is cut up, and what each part (one direction of one group of items) needs.
struct Division {
  int64_t groups = 1;
  int64_t itemsPerGroup = 1;
  int64_t stepsAtOnce = 1;
  int64_t rowFloats = 0;        // one row of sums
  int64_t floatsPerPart = 0;
};

Result<Division> divide(const PackedWeightsPlan& plan, const RecurrentShape& shape) {
  Division division;
  const int64_t threads = std::max<int64_t>(1, currentThreads() / shape.directions);
  division.groups = std::clamp<int64_t>(std::min(threads, shape.batch / kItemsPerGroup), 1, shape.batch);
  division.itemsPerGroup = (shape.batch + division.groups - 1) / division.groups;
  division.groups = (shape.batch + division.itemsPerGroup - 1) / division.itemsPerGroup;
  division.rowFloats = plan.gates * plan.padded;
  CUTAWAY_TRY(const int64_t stepFloats, checkedMultiply(division.rowFloats, division.itemsPerGroup));
  division.stepsAtOnce = std::max<int64_t>(std::min(kProjectedFloats / stepFloats, shape.steps), 1);
  CUTAWAY_TRY(const int64_t projected, checkedMultiply(stepFloats, division.stepsAtOnce));
  CUTAWAY_TRY(const int64_t states, checkedMultiply(4 * plan.padded, division.itemsPerGroup));
  CUTAWAY_TRY(division.floatsPerPart, checkedAdd(projected, states));
  CUTAWAY_TRY(const int64_t total, checkedMultiply(division.floatsPerPart, division.groups * shape.directions));
  CUTAWAY_CHECK(checkedMultiply(total, static_cast<int64_t>(sizeof(float))));
  return division;
}

// Some items of one direction, all steps.
class Part {
 public:
  Part(const RecurrentSettings& settings, const PackedWeightsPlan& plan, const PackedWeights& weights, const RecurrentInputs& inputs, const RecurrentOutputs& outputs, const Division& division)
      : m_settings(settings), m_weights(weights), m_inputs(inputs), m_outputs(outputs), m_shape(inputs.shape), m_padded(plan.padded), m_rowFloats(division.rowFloats),
        m_stepsAtOnce(division.stepsAtOnce) {}

  void run(int64_t direction, int64_t firstItem, int64_t items, float* memory, const KernelContext& context) {
    m_direction = direction;
    m_firstItem = firstItem;
    m_items = items;
    m_functions = &m_settings.functions[static_cast<size_t>(direction)];
    m_hidden = memory;
    m_cell = m_hidden + items * m_padded;
    m_spare = m_cell + items * m_padded;
    m_candidate = m_spare + items * m_padded;
    m_sums = m_candidate + items * m_padded;
    loadState(m_inputs.initialHidden, m_hidden);
    loadState(m_inputs.initialCell, m_cell);
    int64_t last = 0;
    for (int64_t item = 0; item < items; ++item) last = std::max(last, length(item));
    const bool backwards = m_settings.backwards(direction);
    for (int64_t done = 0; done < last && !context.cancelled(); done += m_stepsAtOnce) {
      const int64_t count = std::min(m_stepsAtOnce, last - done), first = backwards ? last - done - count : done;
      project(first, count);
      for (int64_t i = 0; i < count; ++i) {
        const int64_t place = backwards ? count - 1 - i : i;
        step(first + place, m_sums + place * items * m_rowFloats);
      }
    }
    clearTail();
    storeState(m_hidden, m_outputs.hidden);
    storeState(m_cell, m_outputs.cell);
  }

 private:
  int64_t length(int64_t item) const { return m_inputs.length(m_firstItem + item); }

  // Items of length zero start, and so end, with zero.
  void loadState(const Tensor* initial, float* rows) const {
    std::fill_n(rows, m_items * m_padded, 0.0f);
    if (initial == nullptr) return;
    const float* from = initial->span<float>().data();
    for (int64_t item = 0; item < m_items; ++item) {
      if (length(item) > 0) std::copy_n(from + m_shape.stateRow(m_direction, m_firstItem + item) * m_shape.hidden, m_shape.hidden, rows + item * m_padded);
    }
  }

  void storeState(const float* rows, Tensor* state) const {
    if (state == nullptr) return;
    float* to = state->span<float>().data();
    for (int64_t item = 0; item < m_items; ++item) std::copy_n(rows + item * m_padded, m_shape.hidden, to + m_shape.stateRow(m_direction, m_firstItem + item) * m_shape.hidden);
  }

  float* yRow(int64_t step, int64_t item) const { return m_outputs.y->span<float>().data() + m_shape.yRow(step, m_direction, m_firstItem + item) * m_shape.hidden; }

  void clearTail() const {
    if (m_outputs.y == nullptr) return;
    for (int64_t item = 0; item < m_items; ++item) {
      for (int64_t step = length(item); step < m_shape.steps; ++step) std::fill_n(yRow(step, item), m_shape.hidden, 0.0f);
    }
  }

  // X W^T + bias for `count` steps: rows of sums lie step by step.
  void project(int64_t first, int64_t count) const {
    const float* x = m_inputs.x->span<float>().data();
    PanelProduct product{.depth = m_shape.input, .columns = m_rowFloats, .panels = m_weights.input, .start = m_weights.bias, .strideStart = 0};
    const auto multiply = [&](int64_t rows, int64_t xRow, int64_t strideA, int64_t sumRow, int64_t strideOut) {
      product.rows = rows;
      product.a = x + xRow * m_shape.input;
      product.strideA = strideA * m_shape.input;
      product.out = m_sums + sumRow * m_rowFloats;
      product.strideOut = strideOut * m_rowFloats;
      multiplyPanels(product);
    };
    if (m_items == m_shape.batch && !m_shape.batchFirst) return multiply(count * m_items, m_shape.xRow(first, 0), 1, 0, 1);
    // Item by item, the rows of X are a constant way apart in both layouts.
    const int64_t stride = m_shape.batchFirst ? 1 : m_shape.batch;
    for (int64_t item = 0; item < m_items; ++item) multiply(count, m_shape.xRow(first, m_firstItem + item), stride, item, m_items);
  }

  // One step of all items that have it, run by run of neighbours.
  void step(int64_t step, float* sums) const {
    for (int64_t begin = 0; begin < m_items;) {
      if (length(begin) <= step) {
        ++begin;
        continue;
      }
      int64_t end = begin + 1;
      while (end < m_items && length(end) > step) ++end;
      advance(begin, end - begin, sums + begin * m_rowFloats);
      if (m_outputs.y != nullptr) {
        for (int64_t item = begin; item < end; ++item) std::copy_n(m_hidden + item * m_padded, m_shape.hidden, yRow(step, item));
      }
      begin = end;
    }
  }

  void advance(int64_t item, int64_t count, float* sums) const {
    float* hidden = m_hidden + item * m_padded;
    const int64_t gates = m_settings.kind == RecurrentKind::kGru ? 2 : m_settings.gates;
    multiplyPanels({.rows = count, .depth = m_shape.hidden, .columns = gates * m_padded, .a = hidden, .strideA = m_padded, .panels = m_weights.recurrent, .start = sums,
                    .strideStart = m_rowFloats, .out = sums, .strideOut = m_rowFloats});
    switch (m_settings.kind) {
      case RecurrentKind::kRnn:
        for (int64_t i = 0; i < count; ++i) {
          clip(sums + i * m_rowFloats, m_padded);
          const CellFunction& f = (*m_functions)[0];
          f.loop(sums + i * m_rowFloats, hidden + i * m_padded, m_padded, f.parameters);
        }
        return;
      case RecurrentKind::kGru: return gru(item, count, sums);
      case RecurrentKind::kLstm:
        for (int64_t i = 0; i < count; ++i) lstm(sums + i * m_rowFloats, hidden + i * m_padded, m_cell + (item + i) * m_padded, m_spare + (item + i) * m_padded);
        return;
    }
  }

  void clip(float* row, int64_t count) const {
    if (m_settings.clips()) cpu::floatLoop(cpu::PointwiseOp::kClip)(row, row, count, {.alpha = -double{m_settings.clip}, .beta = double{m_settings.clip}});
  }
  void activate(const CellFunction& function, float* row, int64_t count) const {
    clip(row, count);
    function.loop(row, row, count, function.parameters);
  }

  void lstm(float* sums, float* hidden, float* cell, float* spare) const {
    const auto& [f, g, h] = *m_functions;
    float *in = sums, *out = in + m_padded, *forget = out + m_padded, *candidate = forget + m_padded;
    activate(g, candidate, m_padded);
    if (m_weights.peephole == nullptr) {
      activate(f, in, 3 * m_padded);
    } else {
      addProduct(m_weights.peephole, cell, in, m_padded);
      addProduct(m_weights.peephole + 2 * m_padded, cell, forget, m_padded);
      activate(f, in, m_padded);
      activate(f, forget, m_padded);
    }
    if (m_settings.inputForget) oneMinus(in, forget, m_padded);
    updateCell(cell, forget, in, candidate, m_padded);
    if (m_weights.peephole != nullptr) {
      addProduct(m_weights.peephole + m_padded, cell, out, m_padded);
      activate(f, out, m_padded);
    }
    h.loop(cell, spare, m_padded, h.parameters);
    multiplyRows(out, spare, hidden, m_padded);
  }

  void gru(int64_t item, int64_t count, float* sums) const {
    const auto& [f, g, unused] = *m_functions;
    float *hidden = m_hidden + item * m_padded, *reset = m_spare + item * m_padded, *recurrent = m_candidate + item * m_padded;
    PanelProduct product{.rows = count, .depth = m_shape.hidden, .columns = m_padded, .strideA = m_padded, .panels = m_weights.candidate};
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
      if (!m_settings.linearBeforeReset) multiplyRows(gates + m_padded, hidden + i * m_padded, reset + i * m_padded, m_padded);
    }
    multiplyPanels(product);
    for (int64_t i = 0; i < count; ++i) {
      float *update = sums + i * m_rowFloats, *resetGate = update + m_padded, *candidate = resetGate + m_padded;
      if (m_settings.linearBeforeReset) addProduct(resetGate, recurrent + i * m_padded, candidate, m_padded);
      activate(g, candidate, m_padded);
      mixHidden(hidden + i * m_padded, update, candidate, m_padded);
    }
  }

  const RecurrentSettings& m_settings;
  const PackedWeights& m_weights;
  const RecurrentInputs& m_inputs;
  const RecurrentOutputs& m_outputs;
  const RecurrentShape& m_shape;
  int64_t m_padded, m_rowFloats, m_stepsAtOnce;
  int64_t m_direction = 0, m_firstItem = 0, m_items = 0;
  const std::array<CellFunction, 3>* m_functions = nullptr;
  float *m_hidden = nullptr, *m_cell = nullptr, *m_spare = nullptr, *m_candidate = nullptr;  // [items, padded] each
  float* m_sums = nullptr;  // [steps at once, items, gates x padded]
};

}  // namespace

Result<void> runFastRecurrence(const RecurrentSettings& settings, const PackedWeightsPlan& plan, const float* packed, const RecurrentInputs& inputs, const RecurrentOutputs& outputs,
                               KernelContext& context) {
  const RecurrentShape& shape = inputs.shape;
  if (shape.hidden == 0 || shape.batch == 0) return {};
  CUTAWAY_TRY(const Division division, divide(plan, shape));
  const int64_t parts = shape.directions * division.groups, own = packed == nullptr ? plan.totalFloats() : 0;
  CUTAWAY_TRY(const int64_t floats, checkedAdd(own, division.floatsPerPart * parts));
  CUTAWAY_TRY(const int64_t sizeBytes, checkedMultiply(floats, static_cast<int64_t>(sizeof(float))));
  CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(static_cast<size_t>(sizeBytes)));
  float* memory = reinterpret_cast<float*>(scratch.data());
  if (packed == nullptr) {
    packWeights(plan, settings, inputs.weights, memory);
    packed = memory;
    memory += own;
  }
  parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) {
      const int64_t direction = at / division.groups, first = at % division.groups * division.itemsPerGroup;
      const PackedWeights weights = plan.of(packed, direction);
      Part part(settings, plan, weights, inputs, outputs, division);
      part.run(direction, first, std::min(division.itemsPerGroup, shape.batch - first), memory + at * division.floatsPerPart, context);
    }
  });
  if (context.cancelled()) return fail(cancelledError());
  return {};
}

}  // namespace cutaway
