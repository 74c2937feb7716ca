#include "providers/cpu/kernels/recurrent/recurrent_part.h"

#include <algorithm>

#include "providers/cpu/kernels/recurrent/gate_loops.h"

namespace cutaway::cpu {

RecurrentPart::RecurrentPart(const RecurrentSettings& settings, const RecurrentInputs& inputs,
                             const RecurrentOutputs& outputs, const RecurrentPartPlan& plan)
    : m_settings(settings),
      m_inputs(inputs),
      m_outputs(outputs),
      m_shape(inputs.shape),
      m_peephole(plan.peephole),
      m_padded(plan.padded),
      m_rowFloats(plan.rowFloats),
      m_stepsAtOnce(plan.stepsAtOnce) {}

void RecurrentPart::run(int64_t direction, int64_t firstItem, int64_t items, float* memory,
                        const KernelContext& context) {
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
  for (int64_t item = 0; item < items; ++item)
    last = std::max(last, length(item));
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

// Items of length zero start, and so end, with zero.
void RecurrentPart::loadState(const Tensor* initial, float* rows) const {
  std::fill_n(rows, m_items * m_padded, 0.0f);
  if (initial == nullptr) return;
  const float* from = initial->span<float>().data();
  for (int64_t item = 0; item < m_items; ++item) {
    if (length(item) > 0)
      std::copy_n(from + m_shape.stateRow(m_direction, m_firstItem + item) * m_shape.hidden, m_shape.hidden,
                  rows + item * m_padded);
  }
}

void RecurrentPart::storeState(const float* rows, Tensor* state) const {
  if (state == nullptr) return;
  float* to = state->span<float>().data();
  for (int64_t item = 0; item < m_items; ++item)
    std::copy_n(rows + item * m_padded, m_shape.hidden,
                to + m_shape.stateRow(m_direction, m_firstItem + item) * m_shape.hidden);
}

float* RecurrentPart::yRow(int64_t step, int64_t item) const {
  return m_outputs.y->span<float>().data() + m_shape.yRow(step, m_direction, m_firstItem + item) * m_shape.hidden;
}

void RecurrentPart::clearTail() const {
  if (m_outputs.y == nullptr) return;
  for (int64_t item = 0; item < m_items; ++item) {
    for (int64_t step = length(item); step < m_shape.steps; ++step)
      std::fill_n(yRow(step, item), m_shape.hidden, 0.0f);
  }
}

// One step of all items that have it, run by run of neighbours.
void RecurrentPart::step(int64_t step, float* sums) {
  startStep(step);
  for (int64_t begin = 0; begin < m_items;) {
    if (length(begin) <= step) {
      ++begin;
      continue;
    }
    int64_t end = begin + 1;
    while (end < m_items && length(end) > step)
      ++end;
    advance(begin, end - begin, sums + begin * m_rowFloats);
    if (m_outputs.y != nullptr) {
      for (int64_t item = begin; item < end; ++item)
        std::copy_n(m_hidden + item * m_padded, m_shape.hidden, yRow(step, item));
    }
    begin = end;
  }
}

void RecurrentPart::clip(float* row, int64_t count) const {
  if (m_settings.clips())
    cpu::floatLoop(cpu::PointwiseOp::kClip)(row, row, count,
                                            {.alpha = -double{m_settings.clip}, .beta = double{m_settings.clip}});
}

void RecurrentPart::activate(const CellFunction& function, float* row, int64_t count) const {
  clip(row, count);
  function.loop(row, row, count, function.parameters);
}

void RecurrentPart::lstm(float* sums, float* hidden, float* cell, float* spare) const {
  const auto& [f, g, h] = *m_functions;
  float *in = sums, *out = in + m_padded, *forget = out + m_padded, *candidate = forget + m_padded;
  activate(g, candidate, m_padded);
  if (m_peephole == nullptr) {
    activate(f, in, 3 * m_padded);
  } else {
    addProduct(m_peephole, cell, in, m_padded);
    addProduct(m_peephole + 2 * m_padded, cell, forget, m_padded);
    activate(f, in, m_padded);
    activate(f, forget, m_padded);
  }
  if (m_settings.inputForget) oneMinus(in, forget, m_padded);
  updateCell(cell, forget, in, candidate, m_padded);
  if (m_peephole != nullptr) {
    addProduct(m_peephole + m_padded, cell, out, m_padded);
    activate(f, out, m_padded);
  }
  h.loop(cell, spare, m_padded, h.parameters);
  multiplyRows(out, spare, hidden, m_padded);
}

}  // namespace cutaway::cpu
