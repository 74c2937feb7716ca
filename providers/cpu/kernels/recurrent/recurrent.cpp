// RNN, GRU and LSTM, all versions. Version 1 and 3 differ by the attribute output_sequence only, 14 adds layout, 22
// bfloat16; shapes and equations are the same throughout.

#include "engine/base/mapped_pages.h"
#include "providers/cpu/kernels/floats_on_use.h"
#include "providers/cpu/kernels/recurrent/fast_recurrence.h"
#include "providers/cpu/kernels/recurrent/half_recurrence.h"
#include "providers/cpu/kernels/recurrent/reference_recurrence.h"
#include "providers/cpu/kernels/shared_constant.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

class ReferenceRecurrence final : public Kernel {
 public:
  explicit ReferenceRecurrence(RecurrentSettings settings) : m_settings(std::move(settings)) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const RecurrentInputs inputs, readRecurrentInputs(m_settings, context, ElementType::kDouble));
    CUTAWAY_TRY(const RecurrentOutputs outputs, makeRecurrentOutputs(m_settings, inputs.shape, context));
    return runReferenceRecurrence(m_settings, inputs, outputs, context);
  }

 private:
  RecurrentSettings m_settings;
};

// The packed form of constant weights, made by the first run.
struct PackedConstants {
  PackedWeightsPlan plan;
  std::unique_ptr<const FloatsOnUse> panels;  // nullptr: one of the weights may change
};

class FastRecurrence final : public Kernel {
 public:
  FastRecurrence(RecurrentSettings settings, PackedConstants packed)
      : m_settings(std::move(settings)), m_packed(std::move(packed)) {}
  std::string_view variant() const override { return m_packed.panels != nullptr ? "highway:packed" : "highway"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const RecurrentInputs inputs, readRecurrentInputs(m_settings, context, ElementType::kFloat));
    CUTAWAY_TRY(const RecurrentOutputs outputs, makeRecurrentOutputs(m_settings, inputs.shape, context));
    if (m_packed.panels != nullptr) {
      CUTAWAY_TRY(const float* panels, m_packed.panels->get());
      return runFastRecurrence(m_settings, m_packed.plan, panels, inputs, outputs, context);
    }
    CUTAWAY_TRY(const PackedWeightsPlan plan, planWeights(m_settings, inputs.shape, inputs.weights.p != nullptr));
    return runFastRecurrence(m_settings, plan, nullptr, inputs, outputs, context);
  }

 private:
  RecurrentSettings m_settings;
  PackedConstants m_packed;
};

class HalfRecurrence final : public Kernel {
 public:
  HalfRecurrence(RecurrentSettings settings, PackedConstants packed, ElementType type)
      : m_settings(std::move(settings)), m_packed(std::move(packed)), m_type(type) {}
  std::string_view variant() const override { return "highway:packed halves"; }
  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const float* panels, m_packed.panels->get());
    return runHalfRecurrence(m_settings, m_packed.plan, panels, m_type, context);
  }

 private:
  RecurrentSettings m_settings;
  PackedConstants m_packed;
  ElementType m_type;
};

// Constant weights: W, R, B, P. All are invalid when one of them may change.
using ConstantWeights = std::array<Tensor, 4>;

RecurrentWeightTensors pointersTo(const ConstantWeights& weights) {
  const auto given = [&](size_t i) { return weights[i].valid() ? &weights[i] : nullptr; };
  return {.w = given(0), .r = given(1), .b = given(2), .p = given(3)};
}

ConstantWeights constantWeights(const KernelInfo& info, RecurrentKind kind) {
  constexpr size_t kSlots[] = {1, 2, 3, 7};
  ConstantWeights weights;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (!info.hasInput(kSlots[i]) || (i == 3 && kind != RecurrentKind::kLstm)) continue;
    const Tensor* constant = info.constantInput(kSlots[i]);
    if (constant == nullptr) return {};
    weights[i] = *constant;
  }
  return weights;
}

template <RecurrentKind kind>
Result<std::unique_ptr<Kernel>> createReference(const KernelInfo& info) {
  CUTAWAY_TRY(RecurrentSettings settings, readRecurrentSettings(info, kind));
  return std::make_unique<ReferenceRecurrence>(std::move(settings));
}

Result<Tensor> panelsOf(const ConstantWeights& constants, const RecurrentSettings& settings,
                        const PackedWeightsPlan& plan) {
  ConstantWeights floats;
  for (size_t i = 0; i < constants.size(); ++i) {
    if (!constants[i].valid()) continue;
    CUTAWAY_TRY(floats[i], widenedConstant(constants[i]));
  }
  CUTAWAY_TRY(Tensor panels, Tensor::create(ElementType::kFloat, {plan.totalFloats()}));
  packWeights(plan, settings, pointersTo(floats), panels.span<float>().data());
  // Four tensors went in: what came out is compared instead, and equal panels are held once.
  CUTAWAY_TRY(Tensor shared, sharedConstant(panels, "recurrent panels", panels.sizeBytes(),
                                            [&]() -> Result<Tensor> { return panels; }));
  for (const Tensor& source : constants) {
    if (source.valid()) releasePages(source.bytes());
  }
  return shared;
}

Result<PackedConstants> packedConstants(const KernelInfo& info, const RecurrentSettings& settings) {
  const ConstantWeights constants = constantWeights(info, settings.kind);
  const RecurrentWeightTensors weights = pointersTo(constants);
  if (weights.w == nullptr || weights.r == nullptr) return PackedConstants{};
  RecurrentShape shape;
  CUTAWAY_CHECK(checkRecurrentWeights(settings, weights, info.inputElement(0), shape));
  PackedConstants packed;
  CUTAWAY_TRY(packed.plan, planWeights(settings, shape, weights.p != nullptr));
  packed.panels = std::make_unique<const FloatsOnUse>(
      [constants, settings, plan = packed.plan] { return panelsOf(constants, settings, plan); });
  return packed;
}

template <RecurrentKind kind>
Result<std::unique_ptr<Kernel>> createFast(const KernelInfo& info) {
  CUTAWAY_TRY(RecurrentSettings settings, readRecurrentSettings(info, kind));
  CUTAWAY_TRY(PackedConstants packed, packedConstants(info, settings));
  return std::make_unique<FastRecurrence>(std::move(settings), std::move(packed));
}

// Halves with constant weights; other weights are left to the row that widens all inputs.
template <RecurrentKind kind>
Result<std::unique_ptr<Kernel>> createHalf(const KernelInfo& info) {
  CUTAWAY_TRY(RecurrentSettings settings, readRecurrentSettings(info, kind));
  CUTAWAY_TRY(PackedConstants packed, packedConstants(info, settings));
  if (packed.panels == nullptr) return fail(ErrorCode::kNotImplemented, "{}: weights that may change", settings.opType);
  return std::make_unique<HalfRecurrence>(std::move(settings), std::move(packed), info.inputElement(0));
}

constexpr KernelRow kRows[] = {
    {.opType = "RNN",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "highway",
     .create = createFast<RecurrentKind::kRnn>},
    {.opType = "RNN", .versions = {1}, .types = kDoubleInput, .create = createReference<RecurrentKind::kRnn>},
    {.opType = "RNN",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "highway",
     .create = createHalf<RecurrentKind::kRnn>},
    {.opType = "RNN",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "highway",
     .create = createThroughFloat<createFast<RecurrentKind::kRnn>>},
    {.opType = "GRU",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "highway",
     .create = createFast<RecurrentKind::kGru>},
    {.opType = "GRU", .versions = {1}, .types = kDoubleInput, .create = createReference<RecurrentKind::kGru>},
    {.opType = "GRU",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "highway",
     .create = createHalf<RecurrentKind::kGru>},
    {.opType = "GRU",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "highway",
     .create = createThroughFloat<createFast<RecurrentKind::kGru>>},
    {.opType = "LSTM",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "highway",
     .create = createFast<RecurrentKind::kLstm>},
    {.opType = "LSTM", .versions = {1}, .types = kDoubleInput, .create = createReference<RecurrentKind::kLstm>},
    {.opType = "LSTM",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "highway",
     .create = createHalf<RecurrentKind::kLstm>},
    {.opType = "LSTM",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "highway",
     .create = createThroughFloat<createFast<RecurrentKind::kLstm>>},
};

}  // namespace

KernelRows kernel_recurrent() {
  return kRows;
}

}  // namespace cutaway::cpu
