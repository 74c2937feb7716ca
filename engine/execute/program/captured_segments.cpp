#include "engine/execute/program/captured_segments.h"

#include <algorithm>

#include "engine/execute/program/graph_program.h"

namespace cutaway::execute {
namespace {

bool isHostMemory(const Device& device) {
  return device.type == DeviceType::kCpu || device.type == DeviceType::kSimulated;
}

class CapturedSegmentFinder {
 public:
  explicit CapturedSegmentFinder(GraphProgram& program)
      : m_program(program), m_madeAt(program.values.size(), kOutside) {}

  int32_t find(int32_t number) {
    const auto count = static_cast<uint32_t>(m_program.steps.size());
    const int64_t last = lastOnDevice();
    if (last == kNowhere) return number;
    int64_t open = kNowhere;
    bool met = false;
    for (uint32_t step = 0; step < count; ++step) {
      std::string reason = obstacle(step);
      const bool continues = reason.empty() && open != kNowhere &&
                             m_program.steps[static_cast<size_t>(open)].run == m_program.steps[step].run;
      if (open != kNowhere && !continues) number = close(static_cast<uint32_t>(open), step, number);
      if (!continues) open = kNowhere;
      if (reason.empty()) {
        if (open == kNowhere) open = step;
        met = true;
        continue;
      }
      const bool onDevice = m_program.steps[step].run >= 0;
      met = met || onDevice;
      // Host steps count where they stand between steps of a device.
      if (onDevice || (met && step < last))
        m_program.segmentBreaks.push_back({m_program.graphIndex,
                                           static_cast<int32_t>(m_program.steps[step].node.index()),
                                           static_cast<int32_t>(step), std::move(reason)});
    }
    return open == kNowhere ? number : close(static_cast<uint32_t>(open), count, number);
  }

 private:
  static constexpr int32_t kOutside = -1;
  static constexpr int64_t kNowhere = -1;

  int64_t lastOnDevice() const {
    for (size_t i = m_program.steps.size(); i-- > 0;) {
      if (m_program.steps[i].run >= 0) return static_cast<int64_t>(i);
    }
    return kNowhere;
  }

  const Value& valueOf(uint32_t index) const { return m_program.graph->value(ValueId{index}); }
  const Device& deviceOf(uint32_t index) const { return m_program.devices[m_program.values[index].device].device; }
  bool isConstant(uint32_t index) const { return m_program.graph->isConstant(ValueId{index}); }

  // Why the step cannot be part of a segment; empty: it can.
  std::string obstacle(uint32_t step) const {
    const StepProgram& each = m_program.steps[step];
    if (each.run < 0) return fmt::format("it runs on {}", m_program.graph->node(each.node).provider);
    if (!each.bodies.empty()) return "its bodies are run one by one";
    if (const std::string_view why = each.kernel->notReplayable(); !why.empty()) return std::string(why);
    for (const int32_t input : each.inputs) {
      if (input == kAbsent) continue;
      if (std::string why = obstacleOfInput(static_cast<uint32_t>(input)); !why.empty()) return why;
    }
    for (const int32_t output : each.outputs) {
      if (output == kAbsent) continue;
      if (std::string why = obstacleOfOutput(static_cast<uint32_t>(output)); !why.empty()) return why;
    }
    return {};
  }

  std::string obstacleOfInput(uint32_t index) const {
    if (isConstant(index)) return {};
    if (isHostMemory(deviceOf(index)))
      return fmt::format("it reads '{}' on the host, which may differ from run to run", valueOf(index).name);
    if (m_program.staticSizes[index] < 0)
      return fmt::format("the shape of '{}' is known only in a run", valueOf(index).name);
    return {};
  }

  std::string obstacleOfOutput(uint32_t index) const {
    const std::string& name = valueOf(index).name;
    if (isHostMemory(deviceOf(index))) return fmt::format("it writes '{}' on the host", name);
    if (m_program.staticSizes[index] < 0) return fmt::format("the shape of '{}' is known only in a run", name);
    const uint32_t root = m_program.values[index].root;
    if (m_program.values[root].kind != AllocKind::kAllocate) return {};
    if (m_program.staticPattern == nullptr)
      return fmt::format("'{}' has no planned place: there is no memory pattern", name);
    if (m_program.staticPattern->blocks[root].offset < 0) return fmt::format("'{}' has no planned place", name);
    return {};
  }

  int32_t close(uint32_t first, uint32_t end, int32_t number) {
    if (end - first < kFewestSteps) return number;
    CapturedSegment segment{.number = number,
                            .run = m_program.steps[first].run,
                            .first = first,
                            .count = end - first,
                            .reads = {},
                            .leaving = {},
                            .released = {}};
    for (uint32_t step = first; step < end; ++step)
      addStep(segment, step, number);
    m_program.capturedSegments.push_back(std::move(segment));
    return number + 1;
  }

  void addStep(CapturedSegment& segment, uint32_t step, int32_t number) {
    const StepProgram& each = m_program.steps[step];
    for (const int32_t input : each.inputs) {
      if (input == kAbsent) continue;
      const auto index = static_cast<uint32_t>(input);
      if (m_madeAt[index] == number || isConstant(index)) continue;
      if (std::ranges::find(segment.reads, index) == segment.reads.end()) segment.reads.push_back(index);
    }
    for (const int32_t output : each.outputs) {
      if (output == kAbsent) continue;
      const auto index = static_cast<uint32_t>(output);
      m_madeAt[index] = number;
      if (m_program.values[m_program.values[index].root].kind == AllocKind::kAllocate) continue;
      const ValueType& type = valueOf(index).type;
      CapturedSegment::Leaving leaving{.value = index, .type = type.element, .dims = {}};
      for (size_t axis = 0; axis < type.shape->rank(); ++axis)
        leaving.dims.push_back((*type.shape)[axis].value());
      segment.leaving.push_back(std::move(leaving));
    }
    for (const uint32_t root : each.released) {
      if (m_madeAt[root] != number) segment.released.push_back(root);
    }
  }

  GraphProgram& m_program;
  std::vector<int32_t> m_madeAt;  // by value: number of the segment that makes it
};

}  // namespace

int32_t findCapturedSegments(GraphProgram& program, int32_t firstNumber) {
  return CapturedSegmentFinder(program).find(firstNumber);
}

}  // namespace cutaway::execute
