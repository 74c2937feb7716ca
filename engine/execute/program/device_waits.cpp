#include "engine/execute/program/device_waits.h"

#include <algorithm>

namespace cutaway::execute {
namespace {

class WaitPlanner {
 public:
  explicit WaitPlanner(GraphProgram& program)
      : m_program(program),
        m_copiesOfValue(program.values.size()),
        m_copiesOfRoot(program.values.size()),
        m_tenants(program.values.size()),
        m_waits(program.steps.size()) {}

  void plan() {
    for (const ValueProgram& value : m_program.values) {
      if (!value.isView && value.root < m_tenants.size()) ++m_tenants[value.root];
    }
    bool any = false;
    for (size_t step = 0; step < m_program.steps.size(); ++step) {
      if (m_anyCopy) addWaits(step);
      StepProgram& each = m_program.steps[step];
      if (each.copyNumber < 0 || each.run < 0) continue;
      noteCopy(each);
      any = true;
    }
    if (any) store();
  }

 private:
  bool onHost(uint32_t value) const {
    const DeviceType type = m_program.devices[m_program.values[value].device].device.type;
    return type == DeviceType::kCpu || type == DeviceType::kSimulated;
  }

  void noteCopy(StepProgram& copy) {
    m_anyCopy = true;
    for (const std::span<const int32_t> list : {copy.inputs, copy.outputs}) {
      for (const int32_t index : list) {
        if (index == kAbsent) continue;
        const auto value = static_cast<uint32_t>(index);
        const bool reads = list.data() == copy.inputs.data();
        // The host's source is free at once.
        if (reads && onHost(value)) continue;
        const StepWait wait{copy.run, copy.copyNumber, onHost(value)};
        if (!reads) m_copiesOfValue[value].push_back(wait);
        const uint32_t root = m_program.values[value].root;
        m_copiesOfRoot[root].push_back(wait);
        // Only what this graph allocates is released by its steps.
        if (!wait.onHost && m_program.values[root].kind != AllocKind::kAllocate &&
            m_program.values[root].kind != AllocKind::kAllocateStatically)
          copy.settle = true;
        // Between two values of one buffer a memory pattern may put a third there, of another buffer: nobody waits for
        // this copy on its behalf.
        if (reads && m_tenants[root] > 1) copy.settle = true;
      }
    }
  }

  void add(size_t step, const StepWait& wait) {
    std::vector<StepWait>& waits = m_waits[step];
    const bool known = std::ranges::any_of(
        waits, [&](const StepWait& each) { return each.number == wait.number && each.onHost == wait.onHost; });
    if (!known) waits.push_back(wait);
  }

  void addReader(size_t step, uint32_t value) {
    for (const StepWait& wait : m_copiesOfValue[value])
      add(step, wait);
  }

  // A value that lies in the buffer of another is copied with it: what reads a view waits for the buffer.
  void addWaits(size_t step) {
    const StepProgram& each = m_program.steps[step];
    for (const int32_t input : each.inputs) {
      if (input == kAbsent) continue;
      addReader(step, static_cast<uint32_t>(input));
      const uint32_t root = m_program.values[static_cast<size_t>(input)].root;
      for (const StepWait& wait : m_copiesOfRoot[root]) {
        if (wait.onHost) add(step, wait);
      }
    }
    for (const BodyProgram& body : each.bodies) {
      for (const CapturedValue& captured : body.captured) {
        addReader(step, captured.inParent);
        for (const StepWait& wait : m_copiesOfRoot[m_program.values[captured.inParent].root])
          add(step, wait);
      }
    }
    for (const int32_t output : each.outputs) {
      if (output == kAbsent) continue;
      const ValueProgram& value = m_program.values[static_cast<size_t>(output)];
      if (value.kind != AllocKind::kReuse || value.isView) continue;
      for (const StepWait& wait : m_copiesOfRoot[value.root])
        add(step, wait);
    }
  }

  // Spans point into one list: it does not grow below.
  void store() {
    size_t count = 0;
    for (const auto& each : m_waits)
      count += each.size();
    for (const auto& each : m_copiesOfRoot)
      count += each.size();
    std::vector<StepWait>& list = m_program.waitList;
    list.reserve(count);
    const auto append = [&](const std::vector<StepWait>& waits) {
      const size_t first = list.size();
      list.insert(list.end(), waits.begin(), waits.end());
      return std::span<const StepWait>(list.data() + first, waits.size());
    };
    for (size_t i = 0; i < m_waits.size(); ++i) {
      if (!m_waits[i].empty()) m_program.steps[i].waits = append(m_waits[i]);
    }
    for (size_t i = 0; i < m_copiesOfRoot.size(); ++i) {
      if (!m_copiesOfRoot[i].empty()) m_program.values[i].copies = append(m_copiesOfRoot[i]);
    }
  }

  GraphProgram& m_program;
  bool m_anyCopy = false;
  std::vector<std::vector<StepWait>> m_copiesOfValue;  // copies that make it
  std::vector<std::vector<StepWait>> m_copiesOfRoot;   // copies that read or write its buffer
  std::vector<uint32_t> m_tenants;                     // by root: values that lie there one after the other
  std::vector<std::vector<StepWait>> m_waits;          // by step
};

}  // namespace

void planDeviceWaits(GraphProgram& program) {
  WaitPlanner(program).plan();
}

}  // namespace cutaway::execute
