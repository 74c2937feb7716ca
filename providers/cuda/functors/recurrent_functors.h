#pragma once
// Cells of RNN, GRU and LSTM: one thread for each unit of each item and direction, after the products of the step.
//
// Step i of an item of length n is its row i, or n - 1 - i where the direction runs backwards; past its length Y is
// zero and the state stays. Sums that enter gates are clipped, the cell state is not. Thread rule: as shared.h.
// Example: LstmCell<float>{p}(index); see kernels/recurrent/recurrent.cpp.

#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

enum class CellKind : int32_t {
  kSigmoid,
  kTanh,
  kRelu,
  kAffine,
  kLeakyRelu,
  kThresholdedRelu,
  kScaledTanh,
  kHardSigmoid,
  kElu,
  kSoftsign,
  kSoftplus
};
struct CellFunction {
  CellKind kind = CellKind::kTanh;
  float alpha = 0, beta = 0;
};

struct CellParameters {
  const void* input = nullptr;       // X W^T: [directions, rows of X, gates x hidden]
  const void* products = nullptr;    // H R^T of this step: [directions, batch, productGates x hidden]
  const void* candidate = nullptr;   // GRU that resets first: (r H) R^T [directions, batch, hidden]
  const void* bias = nullptr;        // [directions, 2 x gates x hidden]; may be absent
  const void* peephole = nullptr;    // LSTM [directions, 3 x hidden]; may be absent
  const int32_t* lengths = nullptr;  // [batch]; may be absent
  const void* firstHidden = nullptr;
  const void* firstCell = nullptr;  // initial states; may be absent
  void* hidden = nullptr;           // [directions, batch, hidden]
  void* cell = nullptr;             // the same, in the type that arithmetic has
  void* reset = nullptr;            // GRU that resets first: r H
  void* y = nullptr;                // may be absent, as the next two
  void* lastHidden = nullptr;
  void* lastCell = nullptr;
  int64_t steps = 0, batch = 0, size = 0, directions = 1;
  int64_t step = 0, gates = 1, productGates = 1;
  bool batchFirst = false, reverseOnly = false, inputForget = false, linearBeforeReset = false;
  float clip = 0;  // 0: none
  CellFunction functions[2][3];
  int64_t count() const { return directions * batch * size; }
};

template <typename C>
CUTAWAY_SHARED C cellExponential(C x) {
  if constexpr (sizeof(C) == 4)
    return expf(x);
  else
    return exp(x);
}
template <typename C>
CUTAWAY_SHARED C cellTangent(C x) {
  if constexpr (sizeof(C) == 4)
    return tanhf(x);
  else
    return tanh(x);
}
template <typename C>
CUTAWAY_SHARED C cellLogarithm(C x) {
  if constexpr (sizeof(C) == 4)
    return log1pf(x);
  else
    return log1p(x);
}

template <typename C>
CUTAWAY_SHARED C cellValue(const CellFunction& f, C x) {
  const C alpha = C(f.alpha), beta = C(f.beta);
  switch (f.kind) {
    case CellKind::kSigmoid:
      return C(1) / (C(1) + cellExponential(-x));
    case CellKind::kTanh:
      return cellTangent(x);
    case CellKind::kRelu:
      return x > C(0) || x != x ? x : C(0);
    case CellKind::kAffine:
      return alpha * x + beta;
    case CellKind::kLeakyRelu:
      return x < C(0) ? alpha * x : x;
    case CellKind::kThresholdedRelu:
      return x < alpha ? C(0) : x;
    case CellKind::kScaledTanh:
      return alpha * cellTangent(beta * x);
    case CellKind::kHardSigmoid: {
      const C y = alpha * x + beta;
      return y < C(0) ? C(0) : (y > C(1) ? C(1) : y);
    }
    case CellKind::kElu:
      return x < C(0) ? alpha * (cellExponential(x) - C(1)) : x;
    case CellKind::kSoftsign:
      return x / (C(1) + (x < C(0) ? -x : x));
    case CellKind::kSoftplus:
      return x > C(0) ? x + cellLogarithm(cellExponential(-x)) : cellLogarithm(cellExponential(x));
  }
  return x;
}

// One unit of one item in one direction, and what it reads.
template <typename T>
struct CellUnit {
  using C = Compute<T>;
  const CellParameters& p;
  int64_t index, direction, item, unit, length, row;

  CUTAWAY_SHARED CellUnit(const CellParameters& parameters, int64_t number) : p(parameters), index(number) {
    const int64_t line = number / p.size;
    unit = number - line * p.size;
    direction = line / p.batch;
    item = line - direction * p.batch;
    length = p.lengths == nullptr ? p.steps : p.lengths[item];
    length = length < 0 ? 0 : (length > p.steps ? p.steps : length);
    const int64_t at = p.reverseOnly || direction == 1 ? length - 1 - p.step : p.step;
    row = p.step < length ? at : p.step;
  }
  CUTAWAY_SHARED bool runs() const { return p.step < length; }
  CUTAWAY_SHARED C bias(int64_t place) const {
    return p.bias == nullptr ? C(0) : load(static_cast<const T*>(p.bias)[direction * 2 * p.gates * p.size + place]);
  }
  CUTAWAY_SHARED C fromInput(int64_t gate) const {
    const int64_t rows = p.steps * p.batch, line = p.batchFirst ? item * p.steps + row : row * p.batch + item,
                  place = gate * p.size + unit;
    return load(static_cast<const T*>(p.input)[(direction * rows + line) * p.gates * p.size + place]) + bias(place);
  }
  CUTAWAY_SHARED C fromHidden(int64_t gate) const {
    return load(static_cast<const T*>(
               p.products)[(direction * p.batch + item) * p.productGates * p.size + gate * p.size + unit]) +
           bias((p.gates + gate) * p.size + unit);
  }
  CUTAWAY_SHARED C peephole(int64_t gate, C cell) const {
    return p.peephole == nullptr
               ? C(0)
               : load(static_cast<const T*>(p.peephole)[(direction * 3 + gate) * p.size + unit]) * cell;
  }
  CUTAWAY_SHARED C apply(int which, C x) const {
    const C clip = C(p.clip);
    if (p.clip > 0) x = x < -clip ? -clip : (x > clip ? clip : x);
    return cellValue<C>(p.functions[direction][which], x);
  }
  CUTAWAY_SHARED C hidden() const { return load(static_cast<const T*>(p.hidden)[index]); }
  CUTAWAY_SHARED void write(C value) const {
    static_cast<T*>(p.hidden)[index] = store<T>(value);
    writeY(value);
  }
  CUTAWAY_SHARED void writeY(C value) const {
    if (p.y == nullptr) return;
    const int64_t line = p.batchFirst ? (item * p.steps + row) * p.directions + direction
                                      : (row * p.directions + direction) * p.batch + item;
    static_cast<T*>(p.y)[line * p.size + unit] = store<T>(value);
  }
  CUTAWAY_SHARED int64_t stateAt() const {
    return (p.batchFirst ? item * p.directions + direction : direction * p.batch + item) * p.size + unit;
  }
};

template <typename T>
struct RnnCell {
  CellParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const CellUnit<T> u(p, index);
    if (!u.runs()) return u.writeY(0);
    u.write(u.apply(0, u.fromInput(0) + u.fromHidden(0)));
  }
};

template <typename T>
struct LstmCell {
  CellParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    using C = Compute<T>;
    const CellUnit<T> u(p, index);
    if (!u.runs()) return u.writeY(0);
    C* cell = static_cast<C*>(p.cell);
    const C before = cell[index];
    const C in = u.apply(0, u.fromInput(0) + u.fromHidden(0) + u.peephole(0, before));
    const C forget = p.inputForget ? C(1) - in : u.apply(0, u.fromInput(2) + u.fromHidden(2) + u.peephole(2, before));
    const C now = forget * before + in * u.apply(1, u.fromInput(3) + u.fromHidden(3));
    cell[index] = now;
    const C out = u.apply(0, u.fromInput(1) + u.fromHidden(1) + u.peephole(1, now));
    u.write(out * cellValue<C>(p.functions[u.direction][2], now));
  }
};

// GRU that resets before its product: r H, for the second product of the step.
template <typename T>
struct GruReset {
  CellParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const CellUnit<T> u(p, index);
    static_cast<T*>(p.reset)[index] =
        u.runs() ? store<T>(u.apply(0, u.fromInput(1) + u.fromHidden(1)) * u.hidden()) : store<T>(0);
  }
};

template <typename T>
struct GruCell {
  CellParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    using C = Compute<T>;
    const CellUnit<T> u(p, index);
    if (!u.runs()) return u.writeY(0);
    const C update = u.apply(0, u.fromInput(0) + u.fromHidden(0));
    C recurrent;
    if (p.linearBeforeReset)
      recurrent = u.apply(0, u.fromInput(1) + u.fromHidden(1)) * u.fromHidden(2);
    else
      recurrent = load(static_cast<const T*>(p.candidate)[index]) + u.bias((p.gates + 2) * p.size + u.unit);
    const C candidate = u.apply(1, u.fromInput(2) + recurrent);
    u.write((C(1) - update) * candidate + update * u.hidden());
  }
};

// First states in; last states out.
template <typename T>
struct FirstStates {
  CellParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    using C = Compute<T>;
    const CellUnit<T> u(p, index);
    const bool given = u.length > 0;
    static_cast<T*>(p.hidden)[index] =
        given && p.firstHidden != nullptr ? static_cast<const T*>(p.firstHidden)[u.stateAt()] : store<T>(0);
    if (p.cell != nullptr)
      static_cast<C*>(p.cell)[index] =
          given && p.firstCell != nullptr ? load(static_cast<const T*>(p.firstCell)[u.stateAt()]) : C(0);
  }
};

template <typename T>
struct LastStates {
  CellParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const CellUnit<T> u(p, index);
    if (p.lastHidden != nullptr) static_cast<T*>(p.lastHidden)[u.stateAt()] = static_cast<const T*>(p.hidden)[index];
    if (p.lastCell != nullptr)
      static_cast<T*>(p.lastCell)[u.stateAt()] = store<T>(static_cast<const Compute<T>*>(p.cell)[index]);
  }
};

}  // namespace cutaway::cuda
