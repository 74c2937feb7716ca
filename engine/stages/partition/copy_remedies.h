#pragma once
// What would make a copy unnecessary: the cheapest single move of the nodes around it that leaves fewer copies than
// before.
//
// For each value that crosses, four moves are tried: the nodes that want it to where it is made, the node that makes it
// to where it is wanted, and the same with the small islands these nodes stand in. Each is judged by the copies of all
// values it touches, before and after; of those that save any, the one of fewest nodes wins, then the one that saves
// most. Thread rule: pure; made before copies are inserted. Linear in crossing values times the degree of the nodes
// around them. Example: const CopyRemedies remedies(graph, places, answers);  copy.remedy = remedies.of(value, "npu");

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "engine/stages/partition/copies.h"

namespace cutaway::partition {

// Why a provider did not take a node; empty when it did, was not asked, or nothing is known of the node.
using RefusalLookup = std::function<std::string(NodeId, const std::string& provider)>;

class CopyRemedies {
 public:
  CopyRemedies(const Graph& graph, const NodePlaces& places, RefusalLookup refusals);

  // to: the device's name. Empty: no single move helps.
  std::string of(ValueId value, const Device& to) const;

 private:
  struct Copies {
    int64_t count = 0;
    int64_t bytes = 0;
  };
  struct Move {
    std::vector<NodeId> nodes;
    Device to;
  };

  Device homeOf(ValueId id, const Move& move) const;
  // Devices other than its home that want the value, each once; over the host when neither end is the host.
  std::vector<Device> wantedAt(ValueId id, const Move& move) const;
  Copies copiesAround(const Move& move, const Move& applied) const;
  std::vector<NodeId> island(NodeId start) const;
  bool mayMove(const std::vector<NodeId>& nodes) const;
  std::vector<Move> candidates(ValueId id, const Device& to) const;
  std::string sentence(const Move& move, const Copies& saved) const;

  const Graph& m_graph;
  const NodePlaces& m_places;
  RefusalLookup m_refusals;
};

}  // namespace cutaway::partition
