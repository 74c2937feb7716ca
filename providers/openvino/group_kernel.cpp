// Inputs and outputs are bound to the frame's memory when they move, and left alone when they stay; only outputs whose shape the run decides are copied.
#include "providers/openvino/group_kernel.h"

#include <algorithm>
#include <cstring>

namespace cutaway::openvino {

namespace {

struct Bound {
  const void* data = nullptr;
  Dims dims;
  bool isBound = false;
  bool same(const Tensor& tensor) const { return isBound && data == tensor.data() && dims == tensor.dims(); }
  void set(const Tensor& tensor) {
    data = tensor.data();
    dims = tensor.dims();
    isBound = true;
  }
};

class GroupState final : public KernelState {
 public:
  std::unique_ptr<Request> request;
  std::string problem;
  std::vector<Bound> inputs;
  std::vector<Bound> outputs;
};

TensorView viewOf(const Tensor& tensor) {
  return {static_cast<int32_t>(tensor.type()), tensor.dims().data(), tensor.dims().size(), const_cast<void*>(tensor.data())};
}

class GroupKernel final : public Kernel {
 public:
  GroupKernel(std::shared_ptr<Compiled> compiled, std::vector<Tensor> weights, std::vector<bool> fixed, std::string device)
      : m_compiled(std::move(compiled)), m_weights(std::move(weights)), m_fixed(std::move(fixed)), m_variant("openvino:" + device) {}

  std::unique_ptr<KernelState> createState() const override {
    auto state = std::make_unique<GroupState>();
    state->request = m_compiled->makeRequest(state->problem);
    state->inputs.resize(m_compiled->inputs().size());
    state->outputs.resize(m_compiled->outputs().size());
    return state;
  }

  std::string_view variant() const override { return m_variant; }

  Result<void> run(KernelContext& context) const override {
    auto& state = static_cast<GroupState&>(*context.state());
    if (state.request == nullptr) return fail(ErrorCode::kEpFail, "OpenVINO made no request for this group: {}", state.problem);
    if (context.cancelled()) return fail(cancelledError());
    CUTAWAY_CHECK(bindInputs(context, state));
    CUTAWAY_CHECK(bindOutputs(context, state));
    state.request->run(state.problem);
    if (!state.problem.empty()) return fail(ErrorCode::kEpFail, "OpenVINO could not run this group: {}", state.problem);
    return fetchOpenOutputs(context, state);
  }

 private:
  Result<void> bindInputs(KernelContext& context, GroupState& state) const {
    for (size_t slot = 0; slot < state.inputs.size(); ++slot) {
      const Tensor* tensor = context.input(slot);
      if (tensor == nullptr) return fail(ErrorCode::kEpFail, "input {} of an OpenVINO group has no tensor", slot);
      if (state.inputs[slot].same(*tensor)) continue;
      state.request->bindInput(slot, viewOf(*tensor), state.problem);
      if (!state.problem.empty()) return fail(ErrorCode::kEpFail, "OpenVINO does not take input {} with dims {}: {}", slot, dimsToText(tensor->dims()), state.problem);
      state.inputs[slot].set(*tensor);
    }
    return {};
  }

  Result<void> bindOutputs(KernelContext& context, GroupState& state) const {
    for (size_t slot = 0; slot < state.outputs.size(); ++slot) {
      if (!m_fixed[slot] || !context.hasOutput(slot)) continue;
      CUTAWAY_TRY(Tensor* const tensor, context.output(slot, m_compiled->outputs()[slot].dims));
      if (state.outputs[slot].same(*tensor)) continue;
      state.request->bindOutput(slot, viewOf(*tensor), state.problem);
      if (!state.problem.empty()) return fail(ErrorCode::kEpFail, "OpenVINO does not write output {}: {}", slot, state.problem);
      state.outputs[slot].set(*tensor);
    }
    return {};
  }

  Result<void> fetchOpenOutputs(KernelContext& context, GroupState& state) const {
    for (size_t slot = 0; slot < state.outputs.size(); ++slot) {
      if (m_fixed[slot] || !context.hasOutput(slot)) continue;
      const TensorView view = state.request->output(slot, state.problem);
      if (!state.problem.empty()) return fail(ErrorCode::kEpFail, "OpenVINO gave no output {}: {}", slot, state.problem);
      CUTAWAY_TRY(Tensor* const tensor, context.output(slot, {view.dims, view.rank}));
      if (static_cast<int32_t>(tensor->type()) != view.element) return fail(ErrorCode::kEpFail, "OpenVINO gave output {} another element type", slot);
      if (tensor->sizeBytes() > 0) std::memcpy(tensor->mutableData(), view.data, static_cast<size_t>(tensor->sizeBytes()));
    }
    return {};
  }

  std::shared_ptr<Compiled> m_compiled;
  std::vector<Tensor> m_weights;
  std::vector<bool> m_fixed;  // by output slot: the shape is known before the run
  std::string m_variant;
};

Result<void> checkPorts(const std::vector<Port>& ports, const Graph& group, std::span<const ValueId> values, const char* what) {
  if (ports.size() != values.size()) return fail(ErrorCode::kEpFail, "OpenVINO compiled {} {}s, and the group has {}", ports.size(), what, values.size());
  for (size_t slot = 0; slot < ports.size(); ++slot) {
    const Value& value = group.value(values[slot]);
    if (ports[slot].element != static_cast<int32_t>(value.type.element)) {
      return fail(ErrorCode::kEpFail, "OpenVINO gives {} '{}' another element type than {}", what, value.name, elementTypeName(value.type.element));
    }
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const Kernel>> makeGroupKernel(std::shared_ptr<Compiled> compiled, const Graph& group, std::string device) {
  CUTAWAY_CHECK(checkPorts(compiled->inputs(), group, group.inputs(), "input"));
  CUTAWAY_CHECK(checkPorts(compiled->outputs(), group, group.outputs(), "output"));
  std::vector<Tensor> weights;
  for (const ValueId id : group.initializers()) weights.push_back(*group.value(id).initializer);
  std::vector<bool> fixed;
  for (const Port& port : compiled->outputs()) fixed.push_back(port.isStatic);
  return std::make_shared<GroupKernel>(std::move(compiled), std::move(weights), std::move(fixed), std::move(device));
}

}  // namespace cutaway::openvino
