#include "engine/runtime/executor.h"

#include <algorithm>
#include <exception>

#include "engine/base/clock.h"
#include "engine/runtime/frame_bodies.h"

namespace cutaway {
namespace {

class NoBodies final : public BodyRunner {
 public:
  size_t inputCount(size_t) const override { return 0; }
  size_t outputCount(size_t) const override { return 0; }
  const ValueType& outputType(size_t, size_t) const override { return m_unknown; }
  Result<void> run(size_t, std::span<const RuntimeValue>, std::vector<RuntimeValue>&) override { return fail(ErrorCode::kEngineError, "this node has no bodies"); }

 private:
  ValueType m_unknown;
};

class StepContext final : public KernelContext {
 public:
  StepContext(Frame& frame, const RunControl& control) : m_frame(frame), m_control(control) {}

  void begin(size_t index) {
    m_index = index;
    m_step = &m_frame.program().steps[index];
    m_setByKernel = false;
    for (int32_t output : m_step->outputs) {
      if (output != kAbsent) m_frame.slot(static_cast<size_t>(output)).given = nullptr;
    }
  }
  bool setByKernel() const { return m_setByKernel; }

  size_t inputCount() const override { return m_step->inputs.size(); }
  size_t outputCount() const override { return m_step->outputs.size(); }
  const RuntimeValue* inputValue(size_t slot) const override {
    if (slot >= m_step->inputs.size() || m_step->inputs[slot] == kAbsent) return nullptr;
    const RuntimeValue& value = m_frame.value(static_cast<size_t>(m_step->inputs[slot]));
    return value.empty() ? nullptr : &value;
  }
  bool hasOutput(size_t slot) const override { return slot < m_step->outputs.size() && m_step->outputs[slot] != kAbsent; }

  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) override {
    if (!hasOutput(slot)) return absentOutput(slot);
    const auto value = static_cast<uint32_t>(m_step->outputs[slot]);
    return m_frame.prepareOutput(value, m_frame.program().values[value].element, dims);
  }
  Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) override {
    if (!hasOutput(slot)) return absentOutput(slot);
    return m_frame.prepareOutput(static_cast<uint32_t>(m_step->outputs[slot]), type, dims);
  }
  RuntimeValue* outputValue(size_t slot) override {
    if (!hasOutput(slot)) return nullptr;
    m_setByKernel = true;
    return &m_frame.value(static_cast<size_t>(m_step->outputs[slot]));
  }
  Result<std::span<std::byte>> scratch(size_t sizeBytes) override {
    std::byte* data = m_frame.scratch().take(static_cast<int64_t>(sizeBytes));
    if (data == nullptr) return fail(ErrorCode::kFail, "no memory for {} bytes of scratch", sizeBytes);
    return std::span<std::byte>(data, sizeBytes);
  }
  KernelState* state() override { return m_frame.state(m_index); }
  BodyRunner& bodies() override {
    if (m_step->bodies.empty()) return m_noBodies;
    return m_frame.bodies(m_index);
  }
  bool cancelled() const override { return m_control.cancel.cancelled(); }

 private:
  Result<Tensor*> absentOutput(size_t slot) const { return fail(ErrorCode::kEngineError, "the kernel wrote output {}, which the node does not have", slot); }

  Frame& m_frame;
  const RunControl& m_control;
  const StepProgram* m_step = nullptr;
  size_t m_index = 0;
  bool m_setByKernel = false;
  NoBodies m_noBodies;
};

Error stepError(const GraphProgram& program, const StepProgram& step, Error error) {
  const Node& node = program.graph->node(step.node);
  const std::string label = node.name.empty() ? fmt::format("{}_{}", node.opType, step.node.index()) : node.name;
  // The deepest node is named; the nodes whose bodies it runs in add nothing but their place.
  if (error.where.node.empty()) error.message = fmt::format("{} '{}': {}", node.opType, label, error.message);
  return atNode(std::move(error), label);
}

std::string shapeText(const RuntimeValue& value) {
  if (value.isTensor()) return fmt::format("{}{}", elementTypeName(value.tensor().type()), dimsToText(value.tensor().dims()));
  if (value.isSequence()) return fmt::format("seq of {}", value.sequence().items.size());
  return value.isMap() ? "map" : "absent";
}

void record(Frame& frame, const StepProgram& step, StepTiming& timing, int64_t startNs, int64_t timeNs) {
  timing.minNs = timing.calls == 0 ? timeNs : std::min(timing.minNs, timeNs);
  timing.maxNs = std::max(timing.maxNs, timeNs);
  timing.totalNs += timeNs;
  if (timing.calls++ > 0) return;
  timing.startNs = startNs;
  timing.outputBytes = 0;
  timing.inputShapes.clear();
  timing.outputShapes.clear();
  for (int32_t input : step.inputs) timing.inputShapes.push_back(input == kAbsent ? "absent" : shapeText(frame.value(static_cast<size_t>(input))));
  for (int32_t output : step.outputs) {
    if (output == kAbsent) continue;
    const RuntimeValue& value = frame.value(static_cast<size_t>(output));
    timing.outputShapes.push_back(shapeText(value));
    if (value.isTensor()) timing.outputBytes += value.tensor().sizeBytes();
  }
}

Result<void> keepOutputs(Frame& frame, const StepProgram& step, const RunControl& control, std::vector<KeptValue>& kept) {
  for (int32_t output : step.outputs) {
    if (output == kAbsent || !control.keep[static_cast<size_t>(output)]) continue;
    const RuntimeValue& value = frame.value(static_cast<size_t>(output));
    KeptValue each{static_cast<uint32_t>(output), value};
    if (value.isTensor()) {
      auto copy = value.tensor().clone();
      if (!copy) return fail(atValue(std::move(copy).error(), frame.program().graph->value(ValueId{static_cast<size_t>(output)}).name));
      each.copy = *std::move(copy);
    }
    kept.push_back(std::move(each));
  }
  return {};
}

Result<void> runStep(Frame& frame, const StepProgram& step, StepContext& context) {
  CUTAWAY_CHECK(step.kernel->run(context));
  if (context.setByKernel()) {
    for (int32_t output : step.outputs) {
      if (output != kAbsent) CUTAWAY_CHECK(frame.adopt(static_cast<uint32_t>(output)));
    }
  }
  return {};
}

Result<void> runSteps(Frame& frame, const RunControl& control, std::vector<KeptValue>* kept) {
  const GraphProgram& program = frame.program();
  StepContext context(frame, control);
  if (control.profile && frame.timings().size() != program.steps.size()) frame.timings().resize(program.steps.size());
  for (size_t index = 0; index < program.steps.size(); ++index) {
    if (control.cancel.cancelled()) return fail(ErrorCode::kFail, "the run was cancelled");
    const StepProgram& step = program.steps[index];
    context.begin(index);
    const int64_t begin = control.profile ? nowNs() : 0;
    if (!step.bodies.empty()) frame.bodies(index).begin(control);
    Result<void> done;
    try {
      done = runStep(frame, step, context);
    } catch (const std::bad_alloc&) {
      done = fail(ErrorCode::kRuntimeException, "memory is short");
    } catch (const std::exception& exception) {
      done = fail(ErrorCode::kRuntimeException, "{}", exception.what());
    }
    if (!done) {
      if (control.cancel.cancelled()) return fail(ErrorCode::kFail, "the run was cancelled");
      return fail(stepError(program, step, std::move(done).error()));
    }
    if (control.profile) record(frame, step, frame.timings()[index], begin - control.startNs, nowNs() - begin);
    if (!step.bodies.empty()) frame.bodies(index).end();
    if (kept != nullptr && !control.keep.empty()) CUTAWAY_CHECK(keepOutputs(frame, step, control, *kept));
    frame.scratch().reset();
    for (uint32_t root : step.released) frame.release(root);
  }
  return {};
}

}  // namespace

Result<void> runFrame(Frame& frame, const RunControl& control) { return runSteps(frame, control, nullptr); }

Result<void> runMainFrame(Frame& frame, const RunControl& control, std::vector<KeptValue>& kept) { return runSteps(frame, control, &kept); }

}  // namespace cutaway
