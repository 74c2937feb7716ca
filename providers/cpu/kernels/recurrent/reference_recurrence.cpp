// The equations of the standard for one item after another. Where it leaves a choice, this does what other engines do:
// clip bounds the sums that enter the gates, not the cell state that enters h; past an item's length Y is zero; an item
// of length zero ends with zero states.

#include "providers/cpu/kernels/recurrent/reference_recurrence.h"

#include <algorithm>

#include "engine/base/checked_math.h"

namespace cutaway::cpu {
namespace {

// Weights of one direction.
struct Direction {
  const double *w, *r;
  const double *wBias, *rBias;  // nullptr: none
  const double* peephole;       // nullptr: none
  const std::array<CellFunction, 3>* functions;
};

// Memory of one item.
struct Item {
  double *hidden, *cell, *sums, *reset;  // [hidden], [hidden], [gates x hidden], [hidden]
};

double dot(const double* a, const double* b, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

class ReferenceCell {
 public:
  ReferenceCell(const RecurrentSettings& settings, const RecurrentShape& shape)
      : m_settings(settings), m_input(shape.input), m_hidden(shape.hidden) {}

  void step(const Direction& direction, const double* x, const Item& item) const {
    switch (m_settings.kind) {
      case RecurrentKind::kRnn:
        return rnn(direction, x, item);
      case RecurrentKind::kGru:
        return gru(direction, x, item);
      case RecurrentKind::kLstm:
        return lstm(direction, x, item);
    }
  }

 private:
  double apply(const CellFunction& function, double x) const {
    if (m_settings.clips())
      x = x < -m_settings.clip ? -double{m_settings.clip} : x > m_settings.clip ? double{m_settings.clip} : x;
    return cellValue(function, x);
  }
  // Row `unit` of gate `gate` of X W^T + Wb.
  double fromInput(const Direction& direction, const double* x, int64_t gate, int64_t unit) const {
    const int64_t row = gate * m_hidden + unit;
    return dot(direction.w + row * m_input, x, m_input) + (direction.wBias != nullptr ? direction.wBias[row] : 0.0);
  }
  // The same of H R^T + Rb.
  double fromHidden(const Direction& direction, const double* hidden, int64_t gate, int64_t unit) const {
    const int64_t row = gate * m_hidden + unit;
    return dot(direction.r + row * m_hidden, hidden, m_hidden) +
           (direction.rBias != nullptr ? direction.rBias[row] : 0.0);
  }
  double peephole(const Direction& direction, int64_t gate, int64_t unit, double cell) const {
    return direction.peephole != nullptr ? direction.peephole[gate * m_hidden + unit] * cell : 0.0;
  }

  void rnn(const Direction& direction, const double* x, const Item& item) const {
    for (int64_t u = 0; u < m_hidden; ++u)
      item.sums[u] =
          apply((*direction.functions)[0], fromInput(direction, x, 0, u) + fromHidden(direction, item.hidden, 0, u));
    std::copy_n(item.sums, m_hidden, item.hidden);
  }

  void gru(const Direction& direction, const double* x, const Item& item) const {
    const auto& [f, g, unused] = *direction.functions;
    double *update = item.sums, *reset = item.sums + m_hidden, *candidate = item.sums + 2 * m_hidden;
    for (int64_t u = 0; u < m_hidden; ++u) {
      update[u] = apply(f, fromInput(direction, x, 0, u) + fromHidden(direction, item.hidden, 0, u));
      reset[u] = apply(f, fromInput(direction, x, 1, u) + fromHidden(direction, item.hidden, 1, u));
      item.reset[u] = reset[u] * item.hidden[u];
    }
    for (int64_t u = 0; u < m_hidden; ++u) {
      const double recurrent = m_settings.linearBeforeReset ? reset[u] * fromHidden(direction, item.hidden, 2, u)
                                                            : fromHidden(direction, item.reset, 2, u);
      candidate[u] = apply(g, fromInput(direction, x, 2, u) + recurrent);
    }
    for (int64_t u = 0; u < m_hidden; ++u)
      item.hidden[u] = (1 - update[u]) * candidate[u] + update[u] * item.hidden[u];
  }

  void lstm(const Direction& direction, const double* x, const Item& item) const {
    const auto& [f, g, h] = *direction.functions;
    for (int64_t gate = 0; gate < 4; ++gate) {
      for (int64_t u = 0; u < m_hidden; ++u)
        item.sums[gate * m_hidden + u] = fromInput(direction, x, gate, u) + fromHidden(direction, item.hidden, gate, u);
    }
    const double *in = item.sums, *out = in + m_hidden, *forget = out + m_hidden, *candidate = forget + m_hidden;
    for (int64_t u = 0; u < m_hidden; ++u) {
      const double before = item.cell[u];
      const double inGate = apply(f, in[u] + peephole(direction, 0, u, before));
      const double forgetGate =
          m_settings.inputForget ? 1 - inGate : apply(f, forget[u] + peephole(direction, 2, u, before));
      item.cell[u] = forgetGate * before + inGate * apply(g, candidate[u]);
      const double outGate = apply(f, out[u] + peephole(direction, 1, u, item.cell[u]));
      item.hidden[u] = outGate * cellValue(h, item.cell[u]);
    }
  }

  const RecurrentSettings& m_settings;
  int64_t m_input, m_hidden;
};

Direction directionOf(const RecurrentSettings& settings, const RecurrentInputs& inputs, int64_t direction) {
  const RecurrentShape& shape = inputs.shape;
  const int64_t rows = settings.gates * shape.hidden;
  const auto from = [&](const Tensor* tensor, int64_t offset) {
    return tensor != nullptr ? tensor->span<double>().data() + offset : nullptr;
  };
  const RecurrentWeightTensors& weights = inputs.weights;
  return {.w = from(weights.w, direction * rows * shape.input),
          .r = from(weights.r, direction * rows * shape.hidden),
          .wBias = from(weights.b, direction * 2 * rows),
          .rBias = from(weights.b, (direction * 2 + 1) * rows),
          .peephole = from(weights.p, direction * 3 * shape.hidden),
          .functions = &settings.functions[static_cast<size_t>(direction)]};
}

// The first state of an item, zero where none is given.
void loadState(const Tensor* initial, int64_t row, int64_t hidden, double* state) {
  if (initial == nullptr)
    std::fill_n(state, hidden, 0.0);
  else
    std::copy_n(initial->span<double>().data() + row * hidden, hidden, state);
}

void runItem(const RecurrentSettings& settings, const RecurrentInputs& inputs, const RecurrentOutputs& outputs,
             int64_t direction, int64_t b, const Item& item, ReferenceFeedback* feedback) {
  const RecurrentShape& shape = inputs.shape;
  const int64_t hidden = shape.hidden, state = shape.stateRow(direction, b), length = inputs.length(b);
  const ReferenceCell cell(settings, shape);
  const Direction weights = directionOf(settings, inputs, direction);
  loadState(length > 0 ? inputs.initialHidden : nullptr, state, hidden, item.hidden);
  loadState(length > 0 ? inputs.initialCell : nullptr, state, hidden, item.cell);
  double* y = outputs.y != nullptr ? outputs.y->span<double>().data() : nullptr;
  if (feedback != nullptr) feedback->start(direction, b);
  for (int64_t i = 0; i < length; ++i) {
    const int64_t step = settings.backwards(direction) ? length - 1 - i : i;
    const double* x = inputs.x->span<double>().data() + shape.xRow(step, b) * inputs.x->dims()[2];
    cell.step(weights, feedback != nullptr ? feedback->input(x) : x, item);
    if (feedback != nullptr) feedback->after(item.hidden);
    if (y != nullptr) std::copy_n(item.hidden, hidden, y + shape.yRow(step, direction, b) * hidden);
  }
  for (int64_t step = length; y != nullptr && step < shape.steps; ++step)
    std::fill_n(y + shape.yRow(step, direction, b) * hidden, hidden, 0.0);
  if (outputs.hidden != nullptr)
    std::copy_n(item.hidden, hidden, outputs.hidden->span<double>().data() + state * hidden);
  if (outputs.cell != nullptr) std::copy_n(item.cell, hidden, outputs.cell->span<double>().data() + state * hidden);
}

}  // namespace

Result<void> runReferenceRecurrence(const RecurrentSettings& settings, const RecurrentInputs& inputs,
                                    const RecurrentOutputs& outputs, KernelContext& context,
                                    ReferenceFeedback* feedback) {
  const RecurrentShape& shape = inputs.shape;
  if (shape.hidden == 0) return {};
  CUTAWAY_TRY(const int64_t sizeBytes,
              checkedMultiply((settings.gates + 3) * static_cast<int64_t>(sizeof(double)), shape.hidden));
  CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(static_cast<size_t>(sizeBytes)));
  double* memory = reinterpret_cast<double*>(scratch.data());
  const Item item{.hidden = memory,
                  .cell = memory + shape.hidden,
                  .sums = memory + 3 * shape.hidden,
                  .reset = memory + 2 * shape.hidden};
  for (int64_t direction = 0; direction < shape.directions; ++direction) {
    for (int64_t b = 0; b < shape.batch; ++b) {
      if (context.cancelled()) return fail(cancelledError());
      runItem(settings, inputs, outputs, direction, b, item, feedback);
    }
  }
  return {};
}

}  // namespace cutaway::cpu
