// What both executors do around a kernel beyond calling it: errors with their place, copies of values to keep.

#include "engine/execute/executor_step.h"

#include <exception>
#include <new>
#include <tuple>

#include "engine/base/exception_text.h"
#include "engine/base/format.h"
#include "engine/base/node_name.h"
#include "engine/base/short_memory.h"
#include "engine/graph/doing_node.h"
#include "engine/graph/node_label.h"
#include "engine/tensor/plain_layout.h"
#include "engine/tensor/shape.h"

namespace cutaway::execute {

size_t StepContext::tellStep(const void* program, size_t index, char* out, size_t room) {
  const GraphProgram& of = *static_cast<const GraphProgram*>(program);
  if (index >= of.steps.size()) return 0;
  return tellNode(of.graph->node(of.steps[index].node), out, room);
}

namespace {

constexpr size_t kMostInputsNamed = 4;

// "out of memory in the run, which holds 1.2 GB, and whose inputs here are float32 [1, 3, 224, 224]: give ..."
std::string outOfMemoryText(const std::bad_alloc& refused, Frame& frame, size_t index) try {
  std::string inputs;
  size_t count = 0;
  for (const int32_t each : frame.program().steps[index].inputs) {
    if (each == kAbsent || !frame.value(static_cast<size_t>(each)).isTensor()) continue;
    const Tensor& tensor = frame.value(static_cast<size_t>(each)).tensor();
    if (++count > kMostInputsNamed) {
      inputs += " ...";
      break;
    }
    inputs +=
        fmt::format("{}{} {}", inputs.empty() ? "" : ", ", elementTypeName(tensor.type()), dimsToText(tensor.dims()));
  }
  return outOfMemory(refused, fmt::format("in the run, which holds {}{}{}", formatBytes(frame.meter().heldBytes()),
                                          inputs.empty() ? "" : ", and whose inputs here are ", inputs))
      .message;
} catch (const std::bad_alloc&) {
  return "out of memory";  // short enough to need none
}

}  // namespace

Error stoppedError(const StopSignal& stop) {
  const bool late = stop.cause() == StopSignal::Cause::kDeadline;
  return {ErrorCode::kFail, late ? "the run took longer than its deadline" : "the run was cancelled", {}};
}

Error exceptionError(Frame& frame, size_t index) {
  try {
    throw;
  } catch (const std::bad_alloc& refused) {
    return {ErrorCode::kRuntimeException, outOfMemoryText(refused, frame, index), {}};
  } catch (const std::exception& exception) {
    return {ErrorCode::kRuntimeException, exceptionText(exception), {}};
  } catch (...) {
    return {ErrorCode::kRuntimeException, "the kernel threw something that is not an exception", {}};
  }
}

Error stepError(const GraphProgram& program, size_t index, Error error) {
  const StepProgram& step = program.steps[index];
  const Node& node = program.graph->node(step.node);
  const std::string label = nodeName(node.name, node.opType, step.node.index());
  // The deepest node is named; the nodes whose bodies it runs in add nothing but their place.
  if (error.where.node.empty())
    error.message = fmt::format("{}: {}", nodeLabel(*program.graph, step.node), error.message);
  return atNode(std::move(error), label);
}

Result<void> waitBefore(Frame& frame, const StepProgram& step) {
  for (const StepWait& wait : step.waits) {
    DeviceRun* const run = frame.run(wait.run);
    if (run != nullptr) CUTAWAY_CHECK(wait.onHost ? run->waitOnHost(wait.number) : run->waitOnDevice(wait.number));
  }
  return {};
}

// An error of the device comes back with the next thing that is enqueued, and at the latest at the end of the run.
void waitBeforeRelease(Frame& frame, uint32_t root) {
  for (const StepWait& wait : frame.program().values[root].copies) {
    DeviceRun* const run = frame.run(wait.run);
    if (run != nullptr) std::ignore = wait.onHost ? run->waitOnHost(wait.number) : run->waitOnDevice(wait.number);
  }
}

namespace {

bool isHostMemory(const Tensor& tensor) {
  return tensor.device().type == DeviceType::kCpu || tensor.device().type == DeviceType::kSimulated;
}

// The host's copy of a value that was just made, wherever it lies, in the model's layout.
Result<Tensor> copyOf(Frame& frame, uint32_t value, const Tensor& tensor) {
  CUTAWAY_CHECK(frame.awaitCopies(value));
  if (isHostMemory(tensor))
    return inPlainLayout(tensor, frame.program().graph->value(ValueId{size_t{value}}).type.layout);
  DeviceRun* const run = frame.runOf(value);
  if (run == nullptr)
    return fail(ErrorCode::kNotImplemented, "it lies on {}, which gives no way to copy it", tensor.device().name);
  CUTAWAY_TRY(Tensor copy, Tensor::create(tensor.type(), tensor.dims()));
  CUTAWAY_CHECK(run->copyAside(tensor, copy, kSpareNotification));
  CUTAWAY_CHECK(run->waitOnHost(kSpareNotification));
  return copy;
}

}  // namespace

Result<void> keepOutputs(Frame& frame, size_t index, const RunControl& control, std::vector<KeptValue>& kept) {
  const StepProgram& step = frame.program().steps[index];
  for (int32_t output : step.outputs) {
    if (output == kAbsent || !control.keep[static_cast<size_t>(output)]) continue;
    const RuntimeValue& value = frame.value(static_cast<size_t>(output));
    KeptValue each{static_cast<uint32_t>(output), value};
    if (value.isTensor()) {
      auto copy = copyOf(frame, static_cast<uint32_t>(output), value.tensor());
      if (!copy)
        return fail(
            atValue(std::move(copy).error(), frame.program().graph->value(ValueId{static_cast<size_t>(output)}).name));
      each.copy = *std::move(copy);
    }
    kept.push_back(std::move(each));
  }
  return {};
}

}  // namespace cutaway::execute
