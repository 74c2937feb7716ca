#pragma once
// Some items of one direction, all steps: what every way of computing the sums shares. States, lengths, Y, and the
// gates of LSTM.
//
// Steps run in the order of time for a forward direction and against it for a backward one; an item takes part in the
// steps below its length, which for a backward direction means that it joins late. So no sequence has to be turned
// around. Thread rule: a part belongs to one thread; parts of one run write to different rows. Example: a class derives
// from it and says how sums are made (project, advance); see fast_recurrence.cpp.

#include "providers/cpu/kernels/recurrent/recurrent_inputs.h"

namespace cutaway::cpu {

struct RecurrentPartPlan {
  int64_t padded = 0;     // hidden, rounded up to whole vectors
  int64_t rowFloats = 0;  // gates x padded
  int64_t stepsAtOnce = 1;
  const float* peephole = nullptr;  // [3, padded]; nullptr: none
};

class RecurrentPart {
 public:
  // Floats of projected input that are kept at a time: they stay in the second-level cache.
  static constexpr int64_t kProjectedFloats = int64_t{1} << 18;
  static constexpr int64_t kStateRows = 4;  // rows of `padded` floats an item needs beside its sums

  RecurrentPart(const RecurrentSettings& settings, const RecurrentInputs& inputs, const RecurrentOutputs& outputs,
                const RecurrentPartPlan& plan);
  virtual ~RecurrentPart() = default;

  // memory: items x (kStateRows x padded + stepsAtOnce x rowFloats) floats.
  void run(int64_t direction, int64_t firstItem, int64_t items, float* memory, const KernelContext& context);

 protected:
  // Fills m_sums with the input's part of the sums of `count` steps from `first` on, bias included.
  virtual void project(int64_t first, int64_t count) = 0;
  // Before the items of a step advance.
  virtual void startStep(int64_t step) { static_cast<void>(step); }
  // Adds the recurrent part for neighbouring items that have this step and moves their states on. sums: their rows.
  virtual void advance(int64_t item, int64_t count, float* sums) = 0;

  int64_t length(int64_t item) const { return m_inputs.length(m_firstItem + item); }
  void clip(float* row, int64_t count) const;
  void activate(const CellFunction& function, float* row, int64_t count) const;  // clipped first
  void lstm(float* sums, float* hidden, float* cell, float* spare) const;        // one row

  const RecurrentSettings& m_settings;
  const RecurrentInputs& m_inputs;
  const RecurrentOutputs& m_outputs;
  const RecurrentShape& m_shape;
  const float* m_peephole;
  int64_t m_padded, m_rowFloats, m_stepsAtOnce;
  int64_t m_direction = 0, m_firstItem = 0, m_items = 0;
  const std::array<CellFunction, 3>* m_functions = nullptr;
  float *m_hidden = nullptr, *m_cell = nullptr, *m_spare = nullptr, *m_candidate = nullptr;  // [items, padded] each
  float* m_sums = nullptr;  // [steps at once, items, gates x padded]

 private:
  void loadState(const Tensor* initial, float* rows) const;
  void storeState(const float* rows, Tensor* state) const;
  float* yRow(int64_t step, int64_t item) const;
  void clearTail() const;
  void step(int64_t step, float* sums);
};

}  // namespace cutaway::cpu
