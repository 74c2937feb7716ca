#include "providers/cpu/kernels/recurrent/half_recurrence.h"

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/recurrent/fast_recurrence.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {
namespace {

// A float tensor of these dims in the run's scratch.
Result<Tensor> floatTensor(std::span<const int64_t> dims, KernelContext& context) {
  CUTAWAY_TRY(const int64_t sizeBytes, checkedMultiply(elementCount(dims), static_cast<int64_t>(sizeof(float))));
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(sizeBytes)));
  return Tensor::wrap(ElementType::kFloat, dims, memory.data());
}

Result<void> widenInto(const Tensor* half, Tensor& wide, const Tensor*& given, KernelContext& context) {
  if (half == nullptr) return {};
  CUTAWAY_TRY(wide, floatTensor(half->dims(), context));
  cpu::dispatchType(cpu::HalfFloats{}, half->type(), [&]<typename T>(cpu::TypeTag<T>) {
    cpu::widenRun(half->span<T>().data(), wide.span<float>().data(), half->elementCount());
  });
  given = &wide;
  return {};
}

void narrowInto(const Tensor& wide, Tensor* half) {
  if (half == nullptr) return;
  cpu::dispatchType(cpu::HalfFloats{}, half->type(), [&]<typename T>(cpu::TypeTag<T>) {
    cpu::narrowRun(wide.span<float>().data(), half->span<T>().data(), half->elementCount());
  });
}

}  // namespace

Result<void> runHalfRecurrence(const RecurrentSettings& settings, const PackedWeightsPlan& plan, const float* packed,
                               ElementType type, KernelContext& context) {
  CUTAWAY_TRY(RecurrentInputs inputs, gatherRecurrentInputs(settings, context));
  inputs.shape.input = plan.shape.input;
  inputs.shape.hidden = plan.shape.hidden;
  CUTAWAY_CHECK(checkRecurrentSequence(settings, context, type, inputs));
  CUTAWAY_TRY(const RecurrentOutputs outputs, makeRecurrentOutputs(settings, inputs.shape, context));
  Tensor x, hidden, cell, wide[3];
  CUTAWAY_CHECK(widenInto(inputs.x, x, inputs.x, context));
  CUTAWAY_CHECK(widenInto(inputs.initialHidden, hidden, inputs.initialHidden, context));
  CUTAWAY_CHECK(widenInto(inputs.initialCell, cell, inputs.initialCell, context));
  RecurrentOutputs floats;
  Tensor* const halves[] = {outputs.y, outputs.hidden, outputs.cell};
  Tensor** const targets[] = {&floats.y, &floats.hidden, &floats.cell};
  for (size_t i = 0; i < 3; ++i) {
    if (halves[i] == nullptr) continue;
    CUTAWAY_TRY(wide[i], floatTensor(halves[i]->dims(), context));
    *targets[i] = &wide[i];
  }
  CUTAWAY_CHECK(runFastRecurrence(settings, plan, packed, inputs, floats, context));
  for (size_t i = 0; i < 3; ++i)
    narrowInto(wide[i], halves[i]);
  return {};
}

}  // namespace cutaway::cpu
