#pragma once
// A graph as matching sees it: edges without names, and fingerprints of what stands above, below and around each node.
//
// Thread rule: immutable after construction. Near-linear. Example: const MatchGraph a(report.graphs[0]);  a.up()[node]
// == b.up()[other];

#include <cstdint>
#include <span>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway::study {

// Given by a graph around. The role says so only once a model is resolved; what is loaded alone has it, too.
inline bool isFromOutside(const ValueReport& value) {
  return value.producer == kNone && !value.isInitializer && value.role != ValueRole::kInput;
}

struct MatchInput {
  int32_t producer = kNone;  // node; kNone: `leaf` says what it is
  int32_t producerSlot = 0;
  uint64_t leaf = 0;  // constants by type and shape, graph inputs by element type, absent ones
};
struct MatchUse {
  int32_t node = kNone;
  int32_t slot = 0;        // of the reader's inputs, implicit ones behind the others
  int32_t outputSlot = 0;  // of this node
};
using Fingerprints = std::vector<uint64_t>;

class MatchGraph {
 public:
  explicit MatchGraph(const GraphReport& graph);

  const GraphReport& graph() const { return m_graph; }
  int32_t nodeCount() const { return static_cast<int32_t>(m_graph.nodes.size()); }
  std::span<const MatchInput> inputs(int32_t node) const {
    return {m_inputs.data() + m_inputStarts[static_cast<size_t>(node)],
            m_inputs.data() + m_inputStarts[static_cast<size_t>(node) + 1]};
  }
  std::span<const MatchUse> uses(int32_t node) const {
    return {m_uses.data() + m_useStarts[static_cast<size_t>(node)],
            m_uses.data() + m_useStarts[static_cast<size_t>(node) + 1]};
  }
  const std::vector<int32_t>& order() const { return m_order; }  // producers first; what lies on a cycle last
  uint64_t operatorOf(int32_t node) const { return m_operators[static_cast<size_t>(node)]; }
  const Fingerprints& labels() const { return m_labels; }  // operator, attributes, types of constants

  // Everything a node depends on; everything that depends on it. `labels`: what nodes themselves count as.
  Fingerprints up(const Fingerprints& labels) const;
  Fingerprints down(const Fingerprints& labels) const;
  // Everything within so many edges in both directions (colour refinement, as B. Weisfeiler and A. Leman, 1968).
  Fingerprints around(const Fingerprints& labels, int radius) const;
  const Fingerprints& operators() const { return m_operators; }

 private:
  void connect();
  void sort();
  void label();

  const GraphReport& m_graph;
  std::vector<MatchInput> m_inputs;
  std::vector<MatchUse> m_uses;
  std::vector<size_t> m_inputStarts, m_useStarts;
  std::vector<int32_t> m_order;
  Fingerprints m_operators, m_labels;
};

uint64_t mixHash(uint64_t seed, uint64_t value);

}  // namespace cutaway::study
