#include "engine/execute/frame/frame_bodies.h"

#include "engine/execute/executor.h"

namespace cutaway::execute {

void FrameBodies::begin(const RunControl& control) {
  m_control = &control;
  m_captured.assign(m_captured.size(), 0);
  m_placed.assign(m_placed.size(), 0);
}

// The outer pattern may be another one than at the last call.
void FrameBodies::place(Frame& frame) {
  const GraphProgram& program = frame.program();
  m_rooms.resize(program.devices.size());
  for (size_t device = 0; device < m_rooms.size(); ++device)
    m_rooms[device] = m_parent.bodyRoom(m_index, program.devices[device].device);
  frame.placeIn(m_rooms);
}

void FrameBodies::end() {
  for (size_t i = 0; i < m_frames.size(); ++i) {
    if (m_frames[i] == nullptr || m_captured[i] == 0) continue;
    for (const CapturedValue& captured : m_step.bodies[i].captured)
      m_frames[i]->value(captured.inBody).reset();
  }
}

const ValueType& FrameBodies::outputType(size_t body, size_t slot) const {
  static const ValueType unknown;
  const GraphProgram& program = *m_step.bodies[body].program;
  return slot < program.outputs.size() ? program.graph->value(ValueId{program.outputs[slot]}).type : unknown;
}

Result<void> FrameBodies::bind(const BodyProgram& body, Frame& frame, size_t index,
                               std::span<const RuntimeValue> inputs) {
  const GraphProgram& program = *body.program;
  size_t next = 0;
  const bool all = inputs.size() == program.inputs.size();
  for (uint32_t input : program.inputs) {
    // A caller may leave out inputs that have defaults.
    if (!all && program.values[input].kind == AllocKind::kAllocateStatically) continue;
    if (next == inputs.size())
      return fail(ErrorCode::kInvalidArgument, "the body '{}' takes {} inputs and got {}", program.graph->name(),
                  program.inputs.size(), inputs.size());
    frame.value(input) = inputs[next++];
  }
  if (next != inputs.size())
    return fail(ErrorCode::kInvalidArgument, "the body '{}' takes {} inputs and got {}", program.graph->name(),
                program.inputs.size(), inputs.size());
  if (m_captured[index] != 0) return {};
  for (const CapturedValue& captured : body.captured)
    frame.value(captured.inBody) = m_parent.value(captured.inParent);
  m_captured[index] = 1;
  return {};
}

Result<void> FrameBodies::run(size_t index, std::span<const RuntimeValue> inputs, std::vector<RuntimeValue>& outputs) {
  if (index >= m_step.bodies.size()) return fail(ErrorCode::kEngineError, "the node has no body {}", index);
  const BodyProgram& body = m_step.bodies[index];
  if (m_frames[index] == nullptr) {
    m_frames[index] = std::make_unique<Frame>(*body.program, m_meter, &m_parent);
    m_frames[index]->keepOutputMemory();
  }
  Frame& frame = *m_frames[index];
  if (m_placed[index] == 0) place(frame);
  m_placed[index] = 1;
  CUTAWAY_CHECK(bind(body, frame, index, inputs));
  Result<void> done = runFrame(frame, *m_control);
  for (size_t i = 0; done && i < body.program->outputs.size(); ++i)
    done = frame.awaitCopies(body.program->outputs[i]);
  // Copies must not write into memory that the frame gives up.
  for (size_t i = 0; !done && i < frame.runCount(); ++i) {
    if (ProviderRun* run = frame.run(static_cast<int32_t>(i)); run != nullptr) std::ignore = run->end(false);
  }
  if (done) {
    outputs.resize(body.program->outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i)
      outputs[i] = frame.value(body.program->outputs[i]);
  }
  frame.finish(done.has_value());
  // finish() dropped inputs and outputs; a captured value that is an output must be bound again.
  if (!done) m_captured[index] = 0;
  for (uint32_t output : body.program->outputs) {
    if (body.program->values[output].kind == AllocKind::kPreExisting) m_captured[index] = 0;
  }
  return done;
}

}  // namespace cutaway::execute
