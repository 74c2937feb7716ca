// com.microsoft AttnLSTM: LSTM whose cell gets, beside the step's row of X, what attention over a memory made of the
// hidden row before.

#include <algorithm>
#include <utility>

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/recurrent/memory_attention.h"
#include "providers/cpu/kernels/recurrent/panel_product.h"
#include "providers/cpu/kernels/recurrent/recurrent_part.h"
#include "providers/cpu/kernels/recurrent/reference_recurrence.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kGates = 4;

struct AttnLstmInputs {
  RecurrentInputs cell;
  MemoryAttentionInputs attention;
};

Result<AttnLstmInputs> readInputs(const RecurrentSettings& settings, const KernelContext& context, ElementType type) {
  AttnLstmInputs inputs;
  CUTAWAY_TRY(inputs.cell, gatherRecurrentInputs(settings, context));
  CUTAWAY_CHECK(checkRecurrentWeights(settings, inputs.cell.weights, type, inputs.cell.shape));
  CUTAWAY_TRY(inputs.attention,
              readMemoryAttention(settings, context, type, inputs.cell.shape.batch, inputs.cell.shape.hidden));
  inputs.cell.feedback = inputs.attention.result;
  CUTAWAY_CHECK(checkRecurrentSequence(settings, context, type, inputs.cell));
  return inputs;
}

class AttentionFeedback final : public ReferenceFeedback {
 public:
  // row: the cell's input, feedback at its end.
  AttentionFeedback(MemoryAttention<double>& attention, int64_t width, int64_t feedback, double* row)
      : m_attention(attention), m_width(width), m_feedback(feedback), m_row(row) {}

  void start(int64_t direction, int64_t item) override {
    m_item = item;
    if (m_result && item == 0) m_result = m_attention.start(direction);
    std::fill_n(m_row + m_width, m_feedback, 0.0);
  }
  const double* input(const double* x) override {
    std::copy_n(x, m_width, m_row);
    return m_row;
  }
  void after(const double* hidden) override {
    if (m_result) m_result = m_attention.attend(m_item, hidden, m_row + m_width);
  }
  Result<void>& result() { return m_result; }

 private:
  MemoryAttention<double>& m_attention;
  int64_t m_width, m_feedback, m_item = 0;
  double* m_row;
  Result<void> m_result;
};

class ReferenceAttnLstm final : public Kernel {
 public:
  explicit ReferenceAttnLstm(RecurrentSettings settings) : m_settings(std::move(settings)) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const AttnLstmInputs inputs, readInputs(m_settings, context, ElementType::kDouble));
    CUTAWAY_TRY(const RecurrentOutputs outputs, makeRecurrentOutputs(m_settings, inputs.cell.shape, context));
    CUTAWAY_TRY(MemoryAttention<double> attention, MemoryAttention<double>::make(inputs.attention, context));
    CUTAWAY_TRY(const std::span<std::byte> row,
                context.scratch(static_cast<size_t>(inputs.cell.shape.input) * sizeof(double)));
    AttentionFeedback feedback(attention, inputs.cell.x->dims()[2], inputs.attention.result,
                               reinterpret_cast<double*>(row.data()));
    CUTAWAY_CHECK(runReferenceRecurrence(m_settings, inputs.cell, outputs, context, &feedback));
    return feedback.result();
  }

 private:
  RecurrentSettings m_settings;
};

// Packed weights of one direction: W for X, W for the feedback, R.
struct AttnPanels {
  float *input, *feedback, *recurrent;
};

struct AttnWeights {
  const Tensor *w = nullptr, *r = nullptr;
  int64_t input = 0, hidden = 0, feedback = 0, padded = 0;

  int64_t panelFloats() const { return kGates * padded * (input + hidden); }  // of one direction
};

AttnPanels panelsAt(const AttnWeights& weights, float* memory) {
  const int64_t rowFloats = kGates * weights.padded;
  return {.input = memory,
          .feedback = memory + (weights.input - weights.feedback) * rowFloats,
          .recurrent = memory + weights.input * rowFloats};
}

void packAttnWeights(const AttnWeights& weights, int64_t direction, float* memory) {
  const int64_t hidden = weights.hidden, rows = kGates * hidden, width = weights.input - weights.feedback;
  const AttnPanels panels = panelsAt(weights, memory);
  const float* w = weights.w->span<float>().data() + direction * rows * weights.input;
  packPanels({w, weights.input, kGates, hidden, weights.padded, width}, panels.input);
  packPanels({w + width, weights.input, kGates, hidden, weights.padded, weights.feedback}, panels.feedback);
  packPanels(
      {weights.r->span<float>().data() + direction * rows * hidden, hidden, kGates, hidden, weights.padded, hidden},
      panels.recurrent);
}

class AttentionPart final : public RecurrentPart {
 public:
  // attended: [items, feedback].
  AttentionPart(const RecurrentSettings& settings, const AttnLstmInputs& inputs, const RecurrentOutputs& outputs,
                const RecurrentPartPlan& plan, const AttnPanels& panels, const float* bias,
                MemoryAttention<float>& attention, float* attended)
      : RecurrentPart(settings, inputs.cell, outputs, plan),
        m_panels(panels),
        m_bias(bias),
        m_attention(attention),
        m_feedback(inputs.attention.result),
        m_attended(attended) {}

  Result<void>& result() { return m_result; }

 private:
  void project(int64_t first, int64_t count) override {
    const int64_t width = m_shape.input - m_feedback;
    multiplyPanels({.rows = count * m_items,
                    .depth = width,
                    .columns = m_rowFloats,
                    .a = m_inputs.x->span<float>().data() + first * m_items * width,
                    .strideA = width,
                    .panels = m_panels.input,
                    .start = m_bias,
                    .strideStart = 0,
                    .out = m_sums,
                    .strideOut = m_rowFloats});
  }

  void advance(int64_t item, int64_t count, float* sums) override {
    PanelProduct product{.rows = count,
                         .depth = m_shape.hidden,
                         .columns = m_rowFloats,
                         .a = m_hidden + item * m_padded,
                         .strideA = m_padded,
                         .panels = m_panels.recurrent,
                         .start = sums,
                         .strideStart = m_rowFloats,
                         .out = sums,
                         .strideOut = m_rowFloats};
    multiplyPanels(product);
    product.depth = product.strideA = m_feedback;
    product.a = m_attended + item * m_feedback;
    product.panels = m_panels.feedback;
    multiplyPanels(product);
    for (int64_t i = item; i < item + count; ++i, sums += m_rowFloats) {
      float* hidden = m_hidden + i * m_padded;
      lstm(sums, hidden, m_cell + i * m_padded, m_spare + i * m_padded);
      if (m_result) m_result = m_attention.attend(i, hidden, m_attended + i * m_feedback);
    }
  }

  AttnPanels m_panels;
  const float* m_bias;
  MemoryAttention<float>& m_attention;
  int64_t m_feedback;
  float* m_attended;
  Result<void> m_result;
};

class FastAttnLstm final : public Kernel {
 public:
  // packed: panels of every direction, split where `feedback` numbers of W belong to the attention; not valid where
  // weights may change.
  FastAttnLstm(RecurrentSettings settings, Tensor packed, int64_t feedback)
      : m_settings(std::move(settings)), m_packed(std::move(packed)), m_feedback(feedback) {}
  std::string_view variant() const override { return m_packed.valid() ? "highway:packed" : "highway"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const AttnLstmInputs inputs, readInputs(m_settings, context, ElementType::kFloat));
    const RecurrentShape& shape = inputs.cell.shape;
    CUTAWAY_TRY(const RecurrentOutputs outputs, makeRecurrentOutputs(m_settings, shape, context));
    if (shape.hidden == 0 || shape.batch == 0) return {};
    CUTAWAY_TRY(MemoryAttention<float> attention, MemoryAttention<float>::make(inputs.attention, context));
    CUTAWAY_TRY(Memory memory, book(inputs, context));
    for (int64_t direction = 0; direction < shape.directions; ++direction) {
      prepare(inputs, direction, memory);
      CUTAWAY_CHECK(attention.start(direction));
      const RecurrentPartPlan plan{.padded = memory.padded,
                                   .rowFloats = kGates * memory.padded,
                                   .stepsAtOnce = memory.stepsAtOnce,
                                   .peephole = inputs.cell.weights.p != nullptr ? memory.peephole : nullptr};
      AttentionPart part(m_settings, inputs, outputs, plan, memory.panels, memory.bias, attention, memory.attended);
      part.run(direction, 0, shape.batch, memory.part, context);
      CUTAWAY_CHECK(part.result());
    }
    if (context.cancelled()) return fail(cancelledError());
    return {};
  }

 private:
  struct Memory {
    int64_t padded = 0, stepsAtOnce = 1;
    AttnWeights weights;
    AttnPanels panels{};
    float* panelMemory = nullptr;  // nullptr: packed before
    float *bias = nullptr, *peephole = nullptr, *attended = nullptr, *part = nullptr;
  };

  Result<Memory> book(const AttnLstmInputs& inputs, KernelContext& context) const {
    const RecurrentShape& shape = inputs.cell.shape;
    Memory memory;
    memory.padded = alignUp(shape.hidden, panelLanes());
    const int64_t rowFloats = kGates * memory.padded;
    CUTAWAY_TRY(const int64_t stepFloats, checkedMultiply(rowFloats, shape.batch));
    memory.stepsAtOnce = std::max<int64_t>(std::min(RecurrentPart::kProjectedFloats / stepFloats, shape.steps), 1);
    CUTAWAY_TRY(const int64_t sums, checkedMultiply(stepFloats, memory.stepsAtOnce + 1));
    CUTAWAY_TRY(const int64_t depth, checkedAdd(shape.input, shape.hidden));
    CUTAWAY_TRY(const int64_t panels, checkedMultiply(rowFloats, depth));
    const bool packed = m_packed.valid() && m_feedback == inputs.attention.result;
    CUTAWAY_TRY(const int64_t attended, checkedMultiply(inputs.attention.result, shape.batch));
    CUTAWAY_TRY(const int64_t rows, checkedAdd(sums, (kGates + 3) * memory.padded));
    CUTAWAY_TRY(const int64_t large, checkedAdd(packed ? 0 : panels, attended));
    CUTAWAY_TRY(const int64_t floats, checkedAdd(rows, large));
    CUTAWAY_TRY(const int64_t sizeBytes, checkedMultiply(floats, static_cast<int64_t>(sizeof(float))));
    CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(static_cast<size_t>(sizeBytes)));
    float* at = reinterpret_cast<float*>(scratch.data());
    const auto take = [&](int64_t count) { return std::exchange(at, at + count); };
    memory.weights = {.w = inputs.cell.weights.w,
                      .r = inputs.cell.weights.r,
                      .input = shape.input,
                      .hidden = shape.hidden,
                      .feedback = inputs.attention.result,
                      .padded = memory.padded};
    if (!packed) memory.panelMemory = take(panels);
    memory.bias = take(rowFloats);
    memory.peephole = take(3 * memory.padded);
    memory.part = take(sums);  // the states are as long as one step's sums
    memory.attended = take(attended);
    return memory;
  }

  // Makes ready the weights of a direction and forgets what the direction before fed back.
  void prepare(const AttnLstmInputs& inputs, int64_t direction, Memory& memory) const {
    const RecurrentShape& shape = inputs.cell.shape;
    const RecurrentWeightTensors& weights = inputs.cell.weights;
    const int64_t hidden = shape.hidden, padded = memory.padded;
    if (memory.panelMemory != nullptr) packAttnWeights(memory.weights, direction, memory.panelMemory);
    float* panels = memory.panelMemory != nullptr
                        ? memory.panelMemory
                        : const_cast<float*>(m_packed.span<float>().data()) + direction * memory.weights.panelFloats();
    memory.panels = panelsAt(memory.weights, panels);
    std::fill_n(memory.bias, (kGates + 3) * padded, 0.0f);
    std::fill_n(memory.attended, inputs.attention.result * shape.batch, 0.0f);
    if (weights.b != nullptr) {
      const float *wBias = weights.b->span<float>().data() + direction * 2 * kGates * hidden,
                  *rBias = wBias + kGates * hidden;
      for (int64_t i = 0; i < kGates * hidden; ++i)
        memory.bias[i / hidden * padded + i % hidden] = wBias[i] + rBias[i];
    }
    if (weights.p != nullptr) {
      const float* p = weights.p->span<float>().data() + direction * 3 * hidden;
      for (int64_t i = 0; i < 3 * hidden; ++i)
        memory.peephole[i / hidden * padded + i % hidden] = p[i];
    }
  }

  RecurrentSettings m_settings;
  Tensor m_packed;
  int64_t m_feedback;
};

Result<RecurrentSettings> readSettings(const KernelInfo& info) {
  CUTAWAY_TRY(RecurrentSettings settings, readRecurrentSettings(info, RecurrentKind::kLstm));
  if (settings.batchFirst) return fail(ErrorCode::kInvalidArgument, "AttnLSTM has no layout 1");
  return settings;
}

Result<std::unique_ptr<Kernel>> createReference(const KernelInfo& info) {
  CUTAWAY_TRY(RecurrentSettings settings, readSettings(info));
  return std::make_unique<ReferenceAttnLstm>(std::move(settings));
}

// How many numbers are fed back: the columns of AW, or the depth of M. -1: only a run knows.
int64_t knownFeedback(const KernelInfo& info) {
  constexpr size_t kMemory = 11, kLayer = 13;
  const ValueType& type = info.inputType(info.hasInput(kLayer) ? kLayer : kMemory);
  const auto dims = type.shape ? type.shape->staticDims() : std::nullopt;
  return dims && dims->size() == 3 ? (*dims)[2] : -1;
}

Result<std::unique_ptr<Kernel>> createFast(const KernelInfo& info) {
  CUTAWAY_TRY(RecurrentSettings settings, readSettings(info));
  const Tensor *w = info.constantInput(1), *r = info.constantInput(2);
  const int64_t feedback = knownFeedback(info);
  if (w == nullptr || r == nullptr || feedback < 0)
    return std::make_unique<FastAttnLstm>(std::move(settings), Tensor{}, -1);
  CUTAWAY_TRY(const Tensor wide, widened(*w));
  CUTAWAY_TRY(const Tensor wideR, widened(*r));
  RecurrentShape shape;
  CUTAWAY_CHECK(checkRecurrentWeights(settings, {.w = &wide, .r = &wideR}, ElementType::kFloat, shape));
  if (feedback > shape.input)
    return fail(ErrorCode::kInvalidArgument, "AttnLSTM: W takes {} numbers a step, but the attention alone has {}",
                shape.input, feedback);
  const AttnWeights weights{.w = &wide,
                            .r = &wideR,
                            .input = shape.input,
                            .hidden = shape.hidden,
                            .feedback = feedback,
                            .padded = alignUp(shape.hidden, panelLanes())};
  CUTAWAY_TRY(const int64_t depth, checkedAdd(shape.input, shape.hidden));
  CUTAWAY_CHECK(checkedMultiply(2 * kGates * weights.padded, depth));
  CUTAWAY_TRY(Tensor packed, Tensor::create(ElementType::kFloat, {settings.directions, weights.panelFloats()}));
  for (int64_t direction = 0; direction < settings.directions; ++direction)
    packAttnWeights(weights, direction, packed.span<float>().data() + direction * weights.panelFloats());
  return std::make_unique<FastAttnLstm>(std::move(settings), std::move(packed), feedback);
}

constexpr KernelRow kRows[] = {
    {.opType = "AttnLSTM",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "highway",
     .create = createFast},
    {.opType = "AttnLSTM",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kDoubleInput,
     .create = createReference},
    {.opType = "AttnLSTM",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "highway",
     .create = createThroughFloat<createFast>},
};

}  // namespace

KernelRows kernel_attn_lstm() {
  return kRows;
}

}  // namespace cutaway::cpu
