#pragma once
// Bodies of one step in one frame: each body keeps one frame of its own, reused by every iteration. It lies in the room
// that the outer graph's pattern sets aside for it, where its own fits.
//
// Thread rule: as Frame. Example: context.bodies().run(0, inputs, outputs);

#include <memory>
#include <vector>

#include "engine/execute/frame/frame.h"

namespace cutaway::execute {

class FrameBodies final : public BodyRunner {
 public:
  FrameBodies(Frame& parent, const StepProgram& step, size_t index, MemoryMeter& meter)
      : m_parent(parent),
        m_step(step),
        m_index(index),
        m_meter(meter),
        m_frames(step.bodies.size()),
        m_captured(step.bodies.size(), 0),
        m_placed(step.bodies.size(), 0) {}

  // A new call of the node: captured values are bound again before the next run of a body.
  void begin(const RunControl& control);
  size_t inputCount(size_t body) const override { return m_step.bodies[body].program->inputs.size(); }
  size_t outputCount(size_t body) const override { return m_step.bodies[body].program->outputs.size(); }
  const ValueType& outputType(size_t body, size_t slot) const override;
  Result<void> run(size_t body, std::span<const RuntimeValue> inputs, std::vector<RuntimeValue>& outputs) override;
  // Drops what bodies hold of the parent's values.
  void end();

  template <typename Visit>
  void forEachFrame(Visit&& visit) {
    for (const auto& frame : m_frames) {
      if (frame != nullptr) visit(*frame);
    }
  }

 private:
  void place(Frame& frame);
  Result<void> bind(const BodyProgram& body, Frame& frame, size_t index, std::span<const RuntimeValue> inputs);

  Frame& m_parent;
  const StepProgram& m_step;
  size_t m_index;
  MemoryMeter& m_meter;
  const RunControl* m_control = nullptr;
  std::vector<std::unique_ptr<Frame>> m_frames;
  std::vector<uint8_t> m_captured;  // by body: captured values are bound
  std::vector<uint8_t> m_placed;    // by body: its memory was chosen in this call of the node
  std::vector<std::span<std::byte>> m_rooms;
};

template <typename Visit>
void Frame::forEachBodyFrame(Visit&& visit) {
  for (const auto& bodies : m_bodies) {
    if (bodies != nullptr) bodies->forEachFrame(visit);
  }
}

}  // namespace cutaway::execute
