// Inputs and outputs are bound to the frame's memory when they move, and left alone when they stay; only outputs whose
// shape the run decides are copied.
#include "providers/openvino/group_kernel.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "providers/openvino/narrowed_integers.h"
#include "providers/openvino/questions.h"

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
  std::shared_ptr<const void> keepAlive;  // of weights that the request uses
  std::unique_ptr<Request> request;
  std::string problem;
  std::vector<Bound> inputs;
  std::vector<Bound> outputs;
};

TensorView viewOf(const Tensor& tensor) {
  return {static_cast<int32_t>(tensor.type()), tensor.dims().data(), tensor.dims().size(),
          const_cast<void*>(tensor.data())};
}

class GroupKernel final : public Kernel {
 public:
  GroupKernel(std::shared_ptr<Compiled> compiled, std::shared_ptr<const void> keepAlive, GroupSlots slots,
              std::string device)
      : m_keepAlive(std::move(keepAlive)),
        m_compiled(std::move(compiled)),
        m_slots(std::move(slots)),
        m_variant("openvino:" + device) {}

  GroupParts parts() const { return {m_compiled.get(), &m_slots}; }

  std::unique_ptr<KernelState> createState() const override {
    auto state = std::make_unique<GroupState>();
    state->keepAlive = m_keepAlive;
    state->request = m_compiled->makeRequest(state->problem);
    state->inputs.resize(m_compiled->inputs().size());
    state->outputs.resize(m_compiled->outputs().size());
    return state;
  }

  std::string_view variant() const override { return m_variant; }

  Result<void> run(KernelContext& context) const override {
    auto& state = static_cast<GroupState&>(*context.state());
    if (state.request == nullptr)
      return fail(ErrorCode::kEpFail, "OpenVINO made no request for this group: {}", state.problem);
    if (context.cancelled()) return fail(cancelledError());
    CUTAWAY_CHECK(bindInputs(context, state));
    CUTAWAY_CHECK(bindOutputs(context, state));
    state.request->run(state.problem);
    if (!state.problem.empty())
      return fail(ErrorCode::kEpFail, "OpenVINO could not run this group: {}", shortened(state.problem));
    return fetchOtherOutputs(context, state);
  }

 private:
  Result<void> bindInputs(KernelContext& context, GroupState& state) const {
    for (size_t port = 0; port < state.inputs.size(); ++port) {
      const size_t slot = m_slots.inputs[port];
      const Tensor* tensor = context.input(slot);
      if (tensor == nullptr) return fail(ErrorCode::kEpFail, "input {} of an OpenVINO group has no tensor", slot);
      if (const std::optional<int64_t> number = tooWide(*tensor, m_slots.integerBits))
        return fail(ErrorCode::kNotImplemented,
                    "'{}' holds {}, and OpenVINO's devices compute int64 in 32 bits{}: run this group on another "
                    "provider",
                    nameOf(port), *number,
                    m_slots.integerBits < kDeviceIntegerBits ? ", which sums or products in this group may leave" : "");
      if (state.inputs[port].same(*tensor)) continue;
      state.request->bindInput(port, viewOf(*tensor), state.problem);
      if (!state.problem.empty())
        return fail(ErrorCode::kEpFail, "OpenVINO does not take input {} with dims {}: {}", slot,
                    dimsToText(tensor->dims()), state.problem);
      state.inputs[port].set(*tensor);
    }
    return {};
  }

  std::string_view nameOf(size_t input) const {
    const std::vector<std::string>& names = m_compiled->inputs()[input].names;
    return names.empty() ? std::string_view("an input") : std::string_view(names[0]);
  }

  // The shape is known before the run, and OpenVINO writes to memory of ours.
  bool isBound(size_t port) const {
    return m_compiled->outputs()[port].isStatic && !m_compiled->outputs()[port].isPassed;
  }

  Result<void> bindOutputs(KernelContext& context, GroupState& state) const {
    for (size_t port = 0; port < state.outputs.size(); ++port) {
      const size_t slot = m_slots.outputs[port];
      if (!isBound(port) || !context.hasOutput(slot)) continue;
      CUTAWAY_TRY(Tensor* const tensor, context.output(slot, m_compiled->outputs()[port].dims));
      if (state.outputs[port].same(*tensor)) continue;
      state.request->bindOutput(port, viewOf(*tensor), state.problem);
      if (!state.problem.empty())
        return fail(ErrorCode::kEpFail, "OpenVINO does not write output {}: {}", slot, state.problem);
      state.outputs[port].set(*tensor);
    }
    return {};
  }

  Result<void> fetchOtherOutputs(KernelContext& context, GroupState& state) const {
    for (size_t port = 0; port < state.outputs.size(); ++port) {
      const size_t slot = m_slots.outputs[port];
      if (isBound(port) || !context.hasOutput(slot)) continue;
      const TensorView view = state.request->output(port, state.problem);
      if (!state.problem.empty())
        return fail(ErrorCode::kEpFail, "OpenVINO gave no output {}: {}", slot, state.problem);
      CUTAWAY_TRY(Tensor* const tensor, context.output(slot, {view.dims, view.rank}));
      if (static_cast<int32_t>(tensor->type()) != view.element)
        return fail(ErrorCode::kEpFail, "OpenVINO gave output {} another element type", slot);
      if (tensor->sizeBytes() > 0)
        std::memcpy(tensor->mutableData(), view.data, static_cast<size_t>(tensor->sizeBytes()));
    }
    return {};
  }

  std::shared_ptr<const void> m_keepAlive;  // goes after what uses it
  std::shared_ptr<Compiled> m_compiled;
  GroupSlots m_slots;
  std::string m_variant;
};

// By the names of values, each once. Where no port is missing one may have only the name of another value that it is
// one with: of its other end, passed through, or of another output with nothing but a Dropout between them. Then it is
// the one in its place, or one that is left.
std::optional<size_t> slotOf(const std::vector<Port>& compiled, size_t index, const std::vector<GroupPort>& ports,
                             const std::vector<size_t>& taken) {
  const std::vector<std::string>& names = compiled[index].names;
  const auto isFree = [&](size_t slot) { return std::find(taken.begin(), taken.end(), slot) == taken.end(); };
  for (size_t slot = 0; slot < ports.size(); ++slot) {
    if (isFree(slot) && std::find(names.begin(), names.end(), ports[slot].name) != names.end()) return slot;
  }
  if (compiled.size() != ports.size()) return std::nullopt;
  size_t slot = index;
  for (size_t left = 0; !isFree(slot) && left < ports.size(); ++left)
    slot = left;
  return slot;
}

// EP_FAIL when a port is no value of the group or has another element type.
Result<std::vector<size_t>> slotsOf(const std::vector<Port>& compiled, const std::vector<GroupPort>& ports,
                                    const char* what) {
  std::vector<size_t> slots;
  for (size_t index = 0; index < compiled.size(); ++index) {
    const std::optional<size_t> slot = slotOf(compiled, index, ports, slots);
    if (!slot)
      return fail(ErrorCode::kEpFail, "OpenVINO compiled {} '{}', which the group does not have", what,
                  compiled[index].names.empty() ? "" : compiled[index].names[0]);
    const GroupPort& port = ports[*slot];
    if (compiled[index].element != static_cast<int32_t>(port.element))
      return fail(ErrorCode::kEpFail, "OpenVINO gives {} '{}' another element type than {}", what, port.name,
                  elementTypeName(port.element));
    slots.push_back(*slot);
  }
  return slots;
}

std::vector<GroupPort> portsOf(const Graph& group, std::span<const ValueId> values) {
  std::vector<GroupPort> ports;
  for (const ValueId id : values)
    ports.push_back({group.value(id).name, group.value(id).type.element});
  return ports;
}

}  // namespace

GroupPorts portsOf(const Graph& group) {
  return {portsOf(group, group.inputs()), portsOf(group, group.outputs()), bitsOfEntering(group)};
}

std::shared_ptr<const void> weightsOf(const Graph& group) {
  std::vector<Tensor> weights;
  for (const ValueId id : group.initializers())
    weights.push_back(*group.value(id).initializer);
  return std::make_shared<const std::vector<Tensor>>(std::move(weights));
}

Result<std::shared_ptr<const Kernel>> makeGroupKernel(std::shared_ptr<Compiled> compiled, const GroupPorts& ports,
                                                      std::shared_ptr<const void> keepAlive, std::string device) {
  GroupSlots slots{.inputs = {}, .outputs = {}, .integerBits = ports.integerBits};
  CUTAWAY_TRY(slots.inputs, slotsOf(compiled->inputs(), ports.inputs, "input"));
  CUTAWAY_TRY(slots.outputs, slotsOf(compiled->outputs(), ports.outputs, "output"));
  // Inputs that nothing needs have no port; an output without one would never be written.
  if (slots.outputs.size() != ports.outputs.size())
    return fail(ErrorCode::kEpFail, "OpenVINO compiled {} outputs, and the group has {}", slots.outputs.size(),
                ports.outputs.size());
  return makeGroupKernel(std::move(compiled), std::move(slots), std::move(keepAlive), std::move(device));
}

std::shared_ptr<const Kernel> makeGroupKernel(std::shared_ptr<Compiled> compiled, GroupSlots slots,
                                              std::shared_ptr<const void> keepAlive, std::string device) {
  return std::make_shared<GroupKernel>(std::move(compiled), std::move(keepAlive), std::move(slots), std::move(device));
}

GroupParts partsOf(const Kernel& kernel) {
  const auto* group = dynamic_cast<const GroupKernel*>(&kernel);
  return group == nullptr ? GroupParts{} : group->parts();
}

}  // namespace cutaway::openvino
