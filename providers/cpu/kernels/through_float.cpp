#include "providers/cpu/kernels/through_float.h"

#include <algorithm>
#include <bit>
#include <string>

#include "engine/base/parallel.h"
#include "engine/provider/kernel_contexts.h"
#include "providers/cpu/kernels/shared_constant.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kGrain = 1 << 14;

bool isHalf(ElementType type) {
  return type == ElementType::kFloat16 || type == ElementType::kBfloat16;
}

// Bfloat16 as bits, in loops that compilers turn into vectors: the upper half of a float, rounded to nearest even; what
// is not a number stays so.
void widenRun(const Bfloat16* from, float* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = std::bit_cast<float>(static_cast<uint32_t>(from[i].bits) << 16);
}

void narrowRun(const float* from, Bfloat16* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<uint32_t>(from[i]);
    const uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16, kept = bits >> 16 | 0x40;
    to[i].bits = static_cast<uint16_t>((bits & 0x7FFFFFFF) > 0x7F800000 ? kept : rounded);
  }
}

void widen(const Tensor& from, float* to) {
  if (from.type() == ElementType::kFloat16) {
    const Float16* source = from.span<Float16>().data();
    parallelFor(from.elementCount(), kGrain,
                [&](int64_t begin, int64_t end) { halfToFloat(source + begin, to + begin, end - begin); });
    return;
  }
  const Bfloat16* source = from.span<Bfloat16>().data();
  parallelFor(from.elementCount(), kGrain,
              [&](int64_t begin, int64_t end) { widenRun(source + begin, to + begin, end - begin); });
}

void narrow(const float* from, Tensor& to) {
  if (to.type() == ElementType::kFloat16) {
    Float16* target = to.span<Float16>().data();
    parallelFor(to.elementCount(), kGrain,
                [&](int64_t begin, int64_t end) { floatToHalf(from + begin, target + begin, end - begin); });
    return;
  }
  Bfloat16* target = to.span<Bfloat16>().data();
  parallelFor(to.elementCount(), kGrain,
              [&](int64_t begin, int64_t end) { narrowRun(from + begin, target + begin, end - begin); });
}

// One widened value: a tensor over scratch of the call, which all kernels of a run share; or of a constant.
struct FloatSlot {
  RuntimeValue value;
  bool used = false;

  Result<Tensor*> bind(KernelContext& context, std::span<const int64_t> dims) {
    const size_t bytes = static_cast<size_t>(elementCount(dims)) * sizeof(float);
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(std::max(bytes, sizeof(float))));
    value.asTensor().rebind(ElementType::kFloat, dims, memory.data());
    used = true;
    return &value.tensor();
  }
};

struct ThroughFloatState final : KernelState {
  std::vector<FloatSlot> inputs, outputs;
  std::unique_ptr<KernelState> inner;
};

class FloatContext final : public PassingContext {
 public:
  FloatContext(KernelContext& outer, ThroughFloatState& state, std::span<const ElementType> outputTypes)
      : PassingContext(outer), m_state(state), m_outputTypes(outputTypes) {}

  const RuntimeValue* inputValue(size_t slot) const override {
    return slot < m_state.inputs.size() && m_state.inputs[slot].used ? &m_state.inputs[slot].value
                                                                     : m_outer.inputValue(slot);
  }
  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) override {
    if (slot < m_outputTypes.size() && isHalf(m_outputTypes[slot])) return m_state.outputs[slot].bind(m_outer, dims);
    return m_outer.output(slot, dims);
  }
  Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) override {
    return slot < m_outputTypes.size() && isHalf(m_outputTypes[slot]) ? output(slot, dims)
                                                                      : m_outer.output(slot, type, dims);
  }
  KernelState* state() override { return m_state.inner.get(); }

 private:
  ThroughFloatState& m_state;
  std::span<const ElementType> m_outputTypes;
};

class ThroughFloatKernel final : public Kernel {
 public:
  // constants: of each input, widened; without a value where the run gives it.
  ThroughFloatKernel(std::unique_ptr<Kernel> inner, const KernelInfo& info, std::vector<RuntimeValue> constants)
      : m_inner(std::move(inner)), m_constants(std::move(constants)) {
    m_variant = std::string(m_inner->variant()) + " through float";
    for (size_t slot = 0; slot < info.outputCount(); ++slot) {
      const ElementType declared = info.hasOutput(slot) ? info.outputType(slot).element : ElementType::kUndefined;
      // Without inferred types, an output has the type of the first input.
      m_outputTypes.push_back(declared == ElementType::kUndefined ? info.inputElement(0) : declared);
    }
  }

  std::string_view variant() const override { return m_variant; }

  std::unique_ptr<KernelState> createState() const override {
    auto state = std::make_unique<ThroughFloatState>();
    state->inputs.resize(m_constants.size());
    for (size_t slot = 0; slot < m_constants.size(); ++slot)
      state->inputs[slot] = {m_constants[slot], m_constants[slot].isTensor()};
    state->outputs.resize(m_outputTypes.size());
    state->inner = m_inner->createState();
    return state;
  }

  Result<void> run(KernelContext& context) const override {
    auto& state = static_cast<ThroughFloatState&>(*context.state());
    for (size_t slot = 0; slot < state.inputs.size(); ++slot) {
      if (m_constants[slot].isTensor()) continue;
      const Tensor* input = context.input(slot);
      state.inputs[slot].used = false;
      if (input == nullptr || !isHalf(input->type())) continue;
      CUTAWAY_TRY(Tensor * wide, state.inputs[slot].bind(context, input->dims()));
      widen(*input, wide->span<float>().data());
    }
    for (FloatSlot& slot : state.outputs)
      slot.used = false;
    FloatContext inner(context, state, m_outputTypes);
    CUTAWAY_CHECK(m_inner->run(inner));
    for (size_t slot = 0; slot < state.outputs.size(); ++slot) {
      if (!state.outputs[slot].used) continue;
      const Tensor& result = state.outputs[slot].value.tensor();
      CUTAWAY_TRY(Tensor * target, context.output(slot, m_outputTypes[slot], result.dims()));
      narrow(result.span<float>().data(), *target);
    }
    return {};
  }

 private:
  std::unique_ptr<Kernel> m_inner;
  std::vector<RuntimeValue> m_constants;
  std::vector<ElementType> m_outputTypes;
  std::string m_variant;
};

}  // namespace

Result<std::unique_ptr<Kernel>> makeThroughFloat(std::unique_ptr<Kernel> inner, const KernelInfo& info) {
  std::vector<RuntimeValue> constants(info.inputCount());
  for (size_t slot = 0; slot < constants.size(); ++slot) {
    const Tensor* constant = info.constantInput(slot);
    if (constant == nullptr || !isHalf(constant->type())) continue;
    CUTAWAY_TRY(constants[slot], widenedConstant(*constant));
  }
  return std::make_unique<ThroughFloatKernel>(std::move(inner), info, std::move(constants));
}

Result<Tensor> widened(const Tensor& tensor) {
  if (tensor.type() == ElementType::kFloat) return tensor;
  CUTAWAY_TRY(Tensor result, Tensor::create(ElementType::kFloat, tensor.dims()));
  float* target = result.span<float>().data();
  if (isHalf(tensor.type())) {
    widen(tensor, target);
  } else if (tensor.type() == ElementType::kDouble) {
    std::ranges::transform(tensor.span<double>(), target, [](double value) { return static_cast<float>(value); });
  } else {
    return fail(ErrorCode::kNotImplemented, "{} values cannot be widened to float", elementTypeName(tensor.type()));
  }
  return result;
}

}  // namespace cutaway::cpu
