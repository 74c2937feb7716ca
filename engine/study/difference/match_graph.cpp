#include "engine/study/difference/match_graph.h"

#include <algorithm>

#include "engine/base/hash.h"

namespace cutaway::study {
namespace {

constexpr uint64_t kAbsent = 1, kGraphInput = 2, kConstant = 3, kOuter = 4, kOutput = 5, kNobody = 6;

}  // namespace

// The finisher of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014) over both.
uint64_t mixHash(uint64_t seed, uint64_t value) {
  uint64_t mixed = seed * 0x9E3779B97F4A7C15u + value + 0x2545F4914F6CDD1Du;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

MatchGraph::MatchGraph(const GraphReport& graph) : m_graph(graph) {
  connect();
  sort();
  label();
}

void MatchGraph::connect() {
  const size_t count = m_graph.nodes.size();
  std::vector<int32_t> slots(m_graph.values.size(), 0);
  for (const NodeReport& node : m_graph.nodes)
    for (size_t slot = 0; slot < node.outputs.size(); ++slot)
      if (node.outputs[slot] != kNone) slots[static_cast<size_t>(node.outputs[slot])] = static_cast<int32_t>(slot);
  const auto inputOf = [&](int32_t value) -> MatchInput {
    if (value == kNone) return {kNone, 0, kAbsent};
    const ValueReport& report = m_graph.values[static_cast<size_t>(value)];
    if (report.producer != kNone) return {report.producer, slots[static_cast<size_t>(value)], 0};
    if (report.isInitializer) return {kNone, 0, mixHash(kConstant, hash64(report.type))};
    return {kNone, 0, mixHash(isFromOutside(report) ? kOuter : kGraphInput, hash64(report.elementType))};
  };
  m_inputStarts.assign(1, 0);
  m_useStarts.assign(count + 1, 0);
  for (const NodeReport& node : m_graph.nodes) {
    for (const int32_t value : node.inputs)
      m_inputs.push_back(inputOf(value));
    for (const int32_t value : node.implicitInputs)
      m_inputs.push_back(inputOf(value));
    m_inputStarts.push_back(m_inputs.size());
  }
  for (const MatchInput& input : m_inputs)
    if (input.producer != kNone) ++m_useStarts[static_cast<size_t>(input.producer) + 1];
  for (size_t i = 0; i < count; ++i)
    m_useStarts[i + 1] += m_useStarts[i];
  m_uses.resize(m_useStarts.back());
  std::vector<size_t> next(m_useStarts.begin(), m_useStarts.end());
  for (int32_t node = 0; node < nodeCount(); ++node) {
    const auto all = inputs(node);
    for (size_t slot = 0; slot < all.size(); ++slot)
      if (all[slot].producer != kNone)
        m_uses[next[static_cast<size_t>(all[slot].producer)]++] = {node, static_cast<int32_t>(slot),
                                                                   all[slot].producerSlot};
  }
}

void MatchGraph::sort() {
  std::vector<int32_t> waits(m_graph.nodes.size(), 0);
  for (int32_t node = 0; node < nodeCount(); ++node)
    for (const MatchInput& input : inputs(node))
      waits[static_cast<size_t>(node)] += input.producer != kNone ? 1 : 0;
  for (int32_t node = 0; node < nodeCount(); ++node)
    if (waits[static_cast<size_t>(node)] == 0) m_order.push_back(node);
  for (size_t at = 0; at < m_order.size(); ++at)
    for (const MatchUse& use : uses(m_order[at]))
      if (--waits[static_cast<size_t>(use.node)] == 0) m_order.push_back(use.node);
  for (int32_t node = 0; node < nodeCount(); ++node)
    if (waits[static_cast<size_t>(node)] > 0) m_order.push_back(node);
}

void MatchGraph::label() {
  for (int32_t at = 0; at < nodeCount(); ++at) {
    const NodeReport& node = m_graph.nodes[static_cast<size_t>(at)];
    const uint64_t kind = hash64(node.opType, hash64(node.domain == "ai.onnx" ? std::string_view() : node.domain));
    uint64_t whole = kind;
    uint64_t attributes = 0;  // in any order
    for (const AttributeReport& attribute : node.attributes)
      attributes += mixHash(hash64(attribute.name), attribute.kind.starts_with("GRAPH") ? 0 : hash64(attribute.text));
    whole = mixHash(whole, attributes);
    const auto all = inputs(at);
    for (size_t slot = 0; slot < all.size(); ++slot)
      whole = mixHash(whole, all[slot].producer == kNone ? all[slot].leaf : 0);
    m_operators.push_back(kind);
    m_labels.push_back(whole);
  }
}

Fingerprints MatchGraph::up(const Fingerprints& labels) const {
  Fingerprints prints(labels.size(), kNobody);
  for (const int32_t node : m_order) {
    uint64_t print = labels[static_cast<size_t>(node)];
    for (const MatchInput& input : inputs(node))
      print = mixHash(print, input.producer == kNone ? input.leaf
                                                     : mixHash(prints[static_cast<size_t>(input.producer)],
                                                               static_cast<uint64_t>(input.producerSlot)));
    prints[static_cast<size_t>(node)] = print;
  }
  return prints;
}

Fingerprints MatchGraph::down(const Fingerprints& labels) const {
  Fingerprints prints(labels.size(), kNobody);
  for (size_t at = m_order.size(); at-- > 0;) {
    const int32_t node = m_order[at];
    uint64_t readers = 0;  // in any order
    for (const MatchUse& use : uses(node))
      readers += mixHash(prints[static_cast<size_t>(use.node)],
                         static_cast<uint64_t>(use.slot) * 1024 + static_cast<uint64_t>(use.outputSlot));
    for (const int32_t output : m_graph.nodes[static_cast<size_t>(node)].outputs)
      if (output != kNone && m_graph.values[static_cast<size_t>(output)].isOutput) readers += mixHash(kOutput, 0);
    prints[static_cast<size_t>(node)] = mixHash(labels[static_cast<size_t>(node)], readers);
  }
  return prints;
}

Fingerprints MatchGraph::around(const Fingerprints& labels, int radius) const {
  Fingerprints prints = labels;
  for (int round = 0; round < radius; ++round) {
    Fingerprints next(prints.size());
    for (int32_t node = 0; node < nodeCount(); ++node) {
      uint64_t print = prints[static_cast<size_t>(node)];
      for (const MatchInput& input : inputs(node))
        print = mixHash(print, input.producer == kNone ? input.leaf
                                                       : mixHash(prints[static_cast<size_t>(input.producer)],
                                                                 static_cast<uint64_t>(input.producerSlot)));
      uint64_t readers = 0;
      for (const MatchUse& use : uses(node))
        readers += mixHash(prints[static_cast<size_t>(use.node)],
                           static_cast<uint64_t>(use.slot) * 1024 + static_cast<uint64_t>(use.outputSlot));
      next[static_cast<size_t>(node)] = mixHash(print, readers);
    }
    prints = std::move(next);
  }
  return prints;
}

}  // namespace cutaway::study
