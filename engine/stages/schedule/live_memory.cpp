#include "engine/stages/schedule/live_memory.h"

#include <algorithm>

namespace cutaway::schedule {
namespace {

// The buffer a value lies in when every mandatory view is followed to what it looks at.
std::vector<uint32_t> buffersOf(const Graph& graph, const std::vector<NodeMemoryHints>& hints) {
  std::vector<uint32_t> looksAt(graph.valueSlots());
  for (size_t i = 0; i < looksAt.size(); ++i)
    looksAt[i] = static_cast<uint32_t>(i);
  for (NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    for (const InplaceHint& hint : hints[id.index()].inplace) {
      if (hint.kind != AliasKind::kAlias || hint.input < 0 || hint.output < 0 ||
          static_cast<size_t>(hint.input) >= node.inputs.size() ||
          static_cast<size_t>(hint.output) >= node.outputs.size())
        continue;
      const ValueId input = node.inputs[static_cast<size_t>(hint.input)],
                    output = node.outputs[static_cast<size_t>(hint.output)];
      if (input.valid() && output.valid() && graph.value(output).outputCount == 0)
        looksAt[output.index()] = static_cast<uint32_t>(input.index());
    }
  }
  // Path halving; a cycle cannot come up, because each value has one producer and graphs with cycles are refused
  // before.
  for (size_t i = 0; i < looksAt.size(); ++i) {
    uint32_t at = static_cast<uint32_t>(i);
    for (size_t hops = 0; looksAt[at] != at && hops <= looksAt.size(); ++hops)
      at = looksAt[at] = looksAt[looksAt[at]];
    looksAt[i] = at;
  }
  return looksAt;
}

}  // namespace

LiveMemory::LiveMemory(const Graph& graph, const MemoryHints& hints, std::span<const int64_t> sizes)
    : m_bytes(graph.valueSlots(), 0), m_readers(graph.valueSlots(), 0), m_readerSum(graph.valueSlots(), 0) {
  std::vector<NodeMemoryHints> all(graph.nodeSlots());
  if (hints) {
    for (NodeId id : graph.nodeIds())
      all[id.index()] = hints(id);
  }
  const std::vector<uint32_t> bufferOf = buffersOf(graph, all);
  std::vector<bool> isOutput(graph.valueSlots(), false);
  for (ValueId value : graph.outputs()) {
    if (value.valid()) isOutput[bufferOf[value.index()]] = true;
  }
  for (ValueId id : graph.valueIds()) {
    const Value& value = graph.value(id);
    if (!value.producer.valid() || isOutput[id.index()] || bufferOf[id.index()] != id.index()) continue;
    const int64_t size = id.index() < sizes.size() ? sizes[id.index()] : -1;
    if (size < 0) m_complete = false;
    m_bytes[id.index()] = std::max<int64_t>(size, 0);
  }
  m_inputOffsets = m_outputOffsets = m_overwriteOffsets = {0};
  for (size_t index = 0; index < graph.nodeSlots(); ++index) {
    const Node& node = graph.node(NodeId{index});
    const size_t first = m_inputs.size();
    if (!node.removed) {
      for (const auto* list : {&node.inputs, &node.implicitInputs}) {
        for (ValueId value : *list) {
          if (value.valid()) m_inputs.push_back(bufferOf[value.index()]);
        }
      }
      const auto begin = m_inputs.begin() + static_cast<std::ptrdiff_t>(first);
      std::sort(begin, m_inputs.end());
      m_inputs.erase(std::unique(begin, m_inputs.end()), m_inputs.end());
      for (size_t i = first; i < m_inputs.size(); ++i) {
        ++m_readers[m_inputs[i]];
        m_readerSum[m_inputs[i]] += index;
      }
      for (ValueId value : node.outputs) {
        if (value.valid() && bufferOf[value.index()] == value.index())
          m_outputs.push_back(static_cast<uint32_t>(value.index()));
      }
      for (const InplaceHint& hint : all[index].inplace) {
        if (hint.kind != AliasKind::kMayInplace || hint.input < 0 || hint.output < 0 ||
            static_cast<size_t>(hint.input) >= node.inputs.size() ||
            static_cast<size_t>(hint.output) >= node.outputs.size())
          continue;
        const ValueId input = node.inputs[static_cast<size_t>(hint.input)],
                      output = node.outputs[static_cast<size_t>(hint.output)];
        if (input.valid() && output.valid() && m_bytes[output.index()] > 0)
          m_overwrites.push_back({bufferOf[input.index()], static_cast<uint32_t>(output.index())});
      }
    }
    m_inputOffsets.push_back(static_cast<uint32_t>(m_inputs.size()));
    m_outputOffsets.push_back(static_cast<uint32_t>(m_outputs.size()));
    m_overwriteOffsets.push_back(static_cast<uint32_t>(m_overwrites.size()));
  }
}

int64_t LiveWalk::run(uint32_t node) {
  const auto& bytes = m_memory.bytes();
  int64_t begun = 0, kept = 0;  // kept: an input's bytes that live on under the output's name
  for (uint32_t output : m_memory.outputs(node))
    begun += bytes[output];
  uint32_t lastInput = UINT32_MAX, lastOutput = UINT32_MAX;
  for (const LiveMemory::Overwrite& pair : m_memory.overwrites(node)) {
    if (pair.input == lastInput || pair.output == lastOutput || !isOverwritten(pair)) continue;
    kept += bytes[pair.output];
    lastInput = pair.input;
    lastOutput = pair.output;
  }
  m_live += begun - kept;
  const int64_t during = m_live;
  for (uint32_t input : m_memory.inputs(node)) {
    if (--m_left[input] == 0) m_live -= bytes[input];
  }
  m_live += kept;
  for (uint32_t output : m_memory.outputs(node)) {
    if (m_left[output] == 0) m_live -= bytes[output];
  }
  return during;
}

int64_t LiveWalk::change(uint32_t node) const {
  const auto& bytes = m_memory.bytes();
  int64_t change = 0;
  for (uint32_t output : m_memory.outputs(node))
    change += m_left[output] == 0 ? 0 : bytes[output];
  for (uint32_t input : m_memory.inputs(node))
    change -= m_left[input] == 1 ? bytes[input] : 0;
  return change;
}

OrderMemory OrderMemory::of(const LiveMemory& memory, std::span<const uint32_t> order, bool keepSteps) {
  OrderMemory profile;
  LiveWalk walk(memory);
  if (keepSteps) profile.live.reserve(order.size());
  for (size_t step = 0; step < order.size(); ++step) {
    const int64_t during = walk.run(order[step]);
    profile.areaBytes += static_cast<double>(during);
    if (during > profile.peakBytes) {
      profile.peakBytes = during;
      profile.peakStep = step;
    }
    if (keepSteps) profile.live.push_back(during);
  }
  return profile;
}

}  // namespace cutaway::schedule
