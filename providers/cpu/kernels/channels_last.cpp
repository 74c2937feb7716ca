#include "providers/cpu/kernels/channels_last.h"

#include <algorithm>

#include "engine/provider/kernel_contexts.h"

namespace cutaway::cpu {

bool liesChannelsLast(const KernelInfo& info) {
  return (info.hasInput(0) && info.inputType(0).layout == Layout::kChannelsLast) ||
         (info.hasOutput(0) && info.outputType(0).layout == Layout::kChannelsLast);
}

Dims channelsLastDims(std::span<const int64_t> dims, size_t rank) {
  std::array<int64_t, Dims::kInlineRank> made{};
  const size_t missing = rank - dims.size();
  const auto at = [&](size_t axis) { return axis < missing ? int64_t{1} : dims[axis - missing]; };
  made[0] = at(0);
  for (size_t axis = 2; axis < rank; ++axis)
    made[axis - 1] = at(axis);
  made[rank - 1] = at(1);
  return {std::span<const int64_t>(made.data(), rank)};
}

Dims channelsFirstDims(std::span<const int64_t> dims) {
  std::array<int64_t, Dims::kInlineRank> made{};
  made[0] = dims[0];
  made[1] = dims.back();
  std::copy(dims.begin() + 1, dims.end() - 1, made.begin() + 2);
  return {std::span<const int64_t>(made.data(), dims.size())};
}

namespace {

struct TurnedState final : KernelState {
  std::vector<RuntimeValue> inputs, outputs;
  std::unique_ptr<KernelState> inner;
};

class TurnedContext final : public PassingContext {
 public:
  TurnedContext(KernelContext& outer, TurnedState& state, size_t rank)
      : PassingContext(outer), m_state(state), m_rank(rank) {
    for (size_t slot = 0; slot < m_state.inputs.size(); ++slot) {
      const Tensor* tensor = outer.input(slot);
      if (tensor == nullptr || tensor->rank() > rank) continue;
      m_state.inputs[slot].asTensor().rebind(tensor->type(), channelsLastDims(tensor->dims(), rank),
                                             const_cast<void*>(tensor->data()));
    }
  }

  const RuntimeValue* inputValue(size_t slot) const override {
    const Tensor* tensor = m_outer.input(slot);
    return tensor == nullptr || tensor->rank() > m_rank ? m_outer.inputValue(slot) : &m_state.inputs[slot];
  }
  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) override {
    CUTAWAY_TRY(Tensor * made, m_outer.output(slot, channelsFirstDims(dims)));
    return shown(slot, *made, dims);
  }
  Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) override {
    CUTAWAY_TRY(Tensor * made, m_outer.output(slot, type, channelsFirstDims(dims)));
    return shown(slot, *made, dims);
  }
  KernelState* state() override { return m_state.inner.get(); }

 private:
  Tensor* shown(size_t slot, Tensor& made, std::span<const int64_t> dims) {
    Tensor& view = m_state.outputs[slot].asTensor();
    view.rebind(made.type(), dims, made.mutableData());
    return &view;
  }

  TurnedState& m_state;
  size_t m_rank;
};

class TurnedKernel final : public Kernel {
 public:
  TurnedKernel(std::unique_ptr<Kernel> inner, const KernelInfo& info)
      : m_inner(std::move(inner)),
        m_inputs(info.inputCount()),
        m_outputs(info.outputCount()),
        m_rank(info.outputType(0).shape->rank()) {}

  std::string_view variant() const override { return m_inner->variant(); }
  int64_t packedBytes() const override { return m_inner->packedBytes(); }
  std::unique_ptr<KernelState> createState() const override {
    auto state = std::make_unique<TurnedState>();
    state->inputs.resize(m_inputs);
    state->outputs.resize(m_outputs);
    state->inner = m_inner->createState();
    return state;
  }
  Result<void> run(KernelContext& context) const override {
    TurnedContext turned(context, static_cast<TurnedState&>(*context.state()), m_rank);
    return m_inner->run(turned);
  }

 private:
  std::unique_ptr<Kernel> m_inner;
  size_t m_inputs, m_outputs, m_rank;
};

}  // namespace

std::unique_ptr<Kernel> inChannelsLastOrder(std::unique_ptr<Kernel> kernel, const KernelInfo& info) {
  if (!liesChannelsLast(info)) return kernel;
  return std::make_unique<TurnedKernel>(std::move(kernel), info);
}

}  // namespace cutaway::cpu
