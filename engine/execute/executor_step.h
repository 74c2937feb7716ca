#pragma once
// One step of a run: what its kernel sees, and what follows the kernel. Both executors run their steps through this.
//
// Thread rule: a StepContext belongs to one thread; several threads may run different steps of one frame at once, each
// with its own context and scratch. Example: StepContext context(frame, frame.scratch(), currentStopSignal());
// CUTAWAY_CHECK(runStep(frame, index, context));

#include <utility>

#include "engine/base/cancel_scope.h"
#include "engine/base/short_memory.h"
#include "engine/base/thread_work.h"
#include "engine/execute/executor.h"
#include "engine/execute/frame/frame_bodies.h"
#include "engine/execute/run_recorder.h"
#include "engine/provider/kernel_contexts.h"

namespace cutaway::execute {

class StepContext final : public KernelContext {
 public:
  // scratch and recorder (nullptr: not profiled): of the thread that runs the steps.
  StepContext(Frame& frame, ScratchMemory& scratch, const StopSignal* stop, LaneRecorder* recorder)
      : m_frame(frame), m_scratch(scratch), m_stop(stop), m_recorder(recorder), m_doing(&tellStep, &frame.program()) {}

  void begin(size_t index) {
    m_index = index;
    setDoing(index);
    m_step = &m_frame.program().steps[index];
    for (int32_t output : m_step->outputs) {
      if (output != kAbsent) m_frame.slot(static_cast<size_t>(output)).given = nullptr;
    }
  }
  // Whether the kernel set a value itself; the question is answered once.
  bool tookOver() { return std::exchange(m_setByKernel, false); }
  void end() {
    if (std::exchange(m_usedScratch, false)) m_scratch.reset();
  }

  size_t inputCount() const override { return m_step->inputs.size(); }
  size_t outputCount() const override { return m_step->outputs.size(); }
  const RuntimeValue* inputValue(size_t slot) const override {
    if (slot >= m_step->inputs.size() || m_step->inputs[slot] == kAbsent) return nullptr;
    const RuntimeValue& value = m_frame.value(static_cast<size_t>(m_step->inputs[slot]));
    return value.empty() ? nullptr : &value;
  }
  bool hasOutput(size_t slot) const override {
    return slot < m_step->outputs.size() && m_step->outputs[slot] != kAbsent;
  }

  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) override {
    if (!hasOutput(slot)) return absentOutput(slot);
    return output(slot, m_frame.program().values[static_cast<size_t>(m_step->outputs[slot])].element, dims);
  }
  Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) override {
    if (!hasOutput(slot)) return absentOutput(slot);
    const auto value = static_cast<uint32_t>(m_step->outputs[slot]);
    if (type == ElementType::kString) [[unlikely]]
      CUTAWAY_CHECK(m_frame.allowStrings(m_index, value, dims));
    return m_frame.prepareOutput(value, type, dims);
  }
  RuntimeValue* outputValue(size_t slot) override {
    if (!hasOutput(slot)) return nullptr;
    m_setByKernel = true;
    return &m_frame.value(static_cast<size_t>(m_step->outputs[slot]));
  }
  Result<std::span<std::byte>> scratch(size_t sizeBytes) override {
    m_usedScratch = true;
    std::byte* data = m_scratch.take(static_cast<int64_t>(sizeBytes));
    if (data == nullptr) return fail(noScratch(sizeBytes));
    if (m_recorder != nullptr) m_recorder->addScratch(static_cast<int64_t>(sizeBytes));
    return std::span<std::byte>(data, sizeBytes);
  }
  KernelState* state() override { return m_frame.state(m_index); }
  BodyRunner& bodies() override {
    if (m_step->bodies.empty()) return m_noBodies;
    return m_frame.bodies(m_index);
  }
  bool cancelled() const override { return m_stop != nullptr && m_stop->requested(); }
  ProviderRun* providerRun() override { return m_frame.run(m_step->run); }
  void subStep(const char* name) override {
    if (m_recorder != nullptr) [[unlikely]]
      m_recorder->subStep(name);
  }

 private:
  Error noScratch(size_t sizeBytes) const {
    const MemoryMeter& meter = m_frame.meter();
    return noMemoryFor("scratch of a kernel", meter.askedBytes(static_cast<int64_t>(sizeBytes)),
                       {.heldBytes = meter.heldBytes(), .limitBytes = meter.limitBytes()});
  }

  // Operator and name of a step's node, for a fault.
  static size_t tellStep(const void* program, size_t index, char* out, size_t room);
  Result<Tensor*> absentOutput(size_t slot) const {
    return fail(ErrorCode::kEngineError, "the kernel wrote output {}, which the node does not have", slot);
  }

  Frame& m_frame;
  ScratchMemory& m_scratch;
  const StopSignal* m_stop;
  LaneRecorder* m_recorder;
  const StepProgram* m_step = nullptr;
  size_t m_index = 0;
  bool m_setByKernel = false;
  bool m_usedScratch = false;
  NoBodies m_noBodies;
  DoingScope m_doing;
};

// What a step of a graph with devices of their own waits for, and what a copy's step leaves to wait for.
Result<void> waitBefore(Frame& frame, const StepProgram& step);
// The buffer of a root that copies use is free after them.
void waitBeforeRelease(Frame& frame, uint32_t root);

// The step's kernel, and making its values own their bytes. Bodies are prepared before and let go after.
inline Result<void> runStep(Frame& frame, size_t index, const RunControl& control, StepContext& context) {
  const StepProgram& step = frame.program().steps[index];
  context.begin(index);
  if (!step.bodies.empty()) [[unlikely]]
    frame.bodies(index).begin(control);
  DeviceRun* const device = frame.run(step.run);
  if (!step.waits.empty()) [[unlikely]]
    CUTAWAY_CHECK(waitBefore(frame, step));
  if (device != nullptr) [[unlikely]]
    device->beginStep(frame.program().firstStep + static_cast<int32_t>(index));
  Result<void> done = step.kernel->run(context);
  if (device != nullptr) [[unlikely]] {
    device->endStep();
    if (done && step.settle) done = device->waitOnDevice(step.copyNumber);
  }
  if (!done) [[unlikely]]
    return done;
  if (context.tookOver()) [[unlikely]] {
    for (int32_t output : step.outputs) {
      if (output != kAbsent) CUTAWAY_CHECK(frame.adopt(static_cast<uint32_t>(output)));
    }
  }
  if (!step.bodies.empty()) [[unlikely]]
    frame.bodies(index).end();
  context.end();
  return done;
}

// A kernel's error with operator and node named.
Error stepError(const GraphProgram& program, size_t index, Error error);
// Why a run that was asked to stop ends: cancelled, or longer than its deadline.
Error stoppedError(const StopSignal& stop);
// The exception in flight as an error. One of memory says what the run holds and what the step was given.
Error exceptionError(Frame& frame, size_t index);
// Copies what RunControl::keep names of this step's outputs.
Result<void> keepOutputs(Frame& frame, size_t index, const RunControl& control, std::vector<KeptValue>& kept);

}  // namespace cutaway::execute
