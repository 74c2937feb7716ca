#include "engine/session/run_outputs.h"

#include <algorithm>
#include <cstring>

namespace cutaway::session {
namespace {

const std::string& outputName(const execute::Frame& frame, uint32_t place) {
  const execute::GraphProgram& program = frame.program();
  return program.graph->value(ValueId{program.outputs[place]}).name;
}

bool isHostMemory(const Tensor& tensor) {
  return tensor.device().type == DeviceType::kCpu || tensor.device().type == DeviceType::kSimulated;
}

Result<void> copyTensor(const Tensor& from, Tensor& to, const DeviceCopy& copy) {
  if (!isHostMemory(from) || !isHostMemory(to)) return copy(from, to);
  if (from.type() == ElementType::kString) {
    std::ranges::copy(from.span<std::string>(), to.span<std::string>().begin());
  } else if (from.sizeBytes() > 0 && from.data() != to.data()) {
    std::memmove(to.mutableData(), from.data(), static_cast<size_t>(from.sizeBytes()));
  }
  return {};
}

Result<void> intoBuffer(const std::string& name, const Tensor& made, Tensor& buffer, const DeviceCopy& copy) {
  if (made.data() == buffer.data() && made.dims() == buffer.dims()) return {};
  if (made.type() != buffer.type() || !(made.dims() == buffer.dims())) {
    return fail(atValue(
        Error{
            ErrorCode::kInvalidArgument,
            fmt::format("output '{}' is bound to {}{}, and the run made {}{}; bind a buffer of that shape, or a device",
                        name, elementTypeName(buffer.type()), dimsToText(buffer.dims()), elementTypeName(made.type()),
                        dimsToText(made.dims())),
            {}},
        name));
  }
  return copyTensor(made, buffer, copy);
}

}  // namespace

void collectOutputs(execute::Frame& frame, const execute::FetchPlan& plan, std::vector<execute::Feed>& outputs) {
  outputs.reserve(plan.places.size());
  for (const uint32_t place : plan.places)
    outputs.push_back({outputName(frame, place), frame.value(frame.program().outputs[place])});
}

Result<void> ownOutputs(std::vector<execute::Feed>& outputs, const execute::Frame& frame) {
  for (execute::Feed& output : outputs) {
    if (!output.value.isTensor()) continue;
    Tensor& tensor = output.value.tensor();
    const auto holders = tensor.keepAlive() != nullptr ? tensor.keepAlive().use_count() : 0;
    if (holders == 1 || (holders == 2 && frame.keepsOutput(tensor)) || !isHostMemory(tensor)) continue;
    auto copy = tensor.clone();
    if (!copy) return fail(atValue(std::move(copy).error(), output.name));
    tensor = *std::move(copy);
  }
  return {};
}

void bindTargets(execute::Frame& frame, IoBinding::State& binding) {
  const execute::GraphProgram& program = frame.program();
  for (size_t i = 0; i < binding.outputs.size(); ++i) {
    BoundOutput& output = *binding.outputs[i];
    binding.results[i].value.reset();
    const execute::ValueProgram& value = program.values[program.outputs[output.place]];
    execute::OutputTarget& target = frame.target(static_cast<size_t>(value.outputPlace));
    if (target.bound != nullptr || target.memory != nullptr) continue;  // an output twice
    if (output.buffer.valid() && output.buffer.device() == program.devices[value.device].device) {
      target.bound = &output.buffer;
    } else {
      target.memory = &output.memory;
    }
  }
}

Result<void> collectBound(execute::Frame& frame, IoBinding::State& binding, const DeviceCopy& copy) {
  const execute::GraphProgram& program = frame.program();
  for (size_t i = 0; i < binding.outputs.size(); ++i) {
    BoundOutput& output = *binding.outputs[i];
    const RuntimeValue& value = frame.value(program.outputs[output.place]);
    execute::Feed& result = binding.results[i];
    if (!value.isTensor()) {
      result.value = value;
      continue;
    }
    const Tensor& made = value.tensor();
    if (output.buffer.valid()) {
      CUTAWAY_CHECK(intoBuffer(result.name, made, output.buffer, copy));
      result.value = output.buffer;
    } else if (output.memory.holds(made) || made.type() == ElementType::kString) {
      result.value = made;
    } else {
      // A feed, a weight, another output, or memory of the kernel's own.
      CUTAWAY_TRY(Tensor own,
                  output.memory.take(made.type(), made.dims(),
                                     *program.devices[program.values[program.outputs[output.place]].device].allocator,
                                     frame.meter()));
      CUTAWAY_CHECK(copyTensor(made, own, copy));
      result.value = std::move(own);
    }
  }
  return {};
}

}  // namespace cutaway::session
