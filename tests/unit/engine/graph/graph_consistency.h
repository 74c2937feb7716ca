#pragma once
// What must hold in every graph after every edit, told from the nodes' lists alone: the other tables are derived anew
// here and compared.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace cutaway {

// The first thing found wrong; empty when nothing is.
inline std::string inconsistencyOf(const Graph& graph) {
  std::map<ValueId, std::vector<std::pair<NodeId, uint32_t>>> uses;
  std::map<ValueId, std::pair<NodeId, uint32_t>> producers;
  size_t live = 0;
  for (size_t i = 0; i < graph.nodeSlots(); ++i) {
    const NodeId id{i};
    const Node& node = graph.node(id);
    if (node.removed) {
      if (!node.inputs.empty() || !node.outputs.empty() || !node.implicitInputs.empty())
        return fmt::format("removed node {} still has edges", i);
      continue;
    }
    ++live;
    uint32_t slot = 0;
    for (const auto* list : {&node.inputs, &node.implicitInputs}) {
      for (const ValueId value : *list) {
        if (value.valid()) uses[value].emplace_back(id, slot);
        ++slot;
      }
    }
    for (uint32_t output = 0; output < node.outputs.size(); ++output) {
      if (node.outputs[output].valid() && !producers.emplace(node.outputs[output], std::pair(id, output)).second)
        return fmt::format("node {} makes what another makes", i);
    }
  }
  if (live != graph.nodeCount()) return "nodeCount is wrong";

  std::map<ValueId, uint32_t> outputPlaces;
  for (const ValueId id : graph.outputs())
    ++outputPlaces[id];
  const std::set<ValueId> inputs(graph.inputs().begin(), graph.inputs().end());
  for (size_t i = 0; i < graph.valueSlots(); ++i) {
    const ValueId id{i};
    const Value& value = graph.value(id);
    if (value.removed) {
      if (uses.contains(id) || producers.contains(id) || outputPlaces.contains(id) || inputs.contains(id))
        return fmt::format("removed value {} is still referred to", i);
      continue;
    }
    std::vector<std::pair<NodeId, uint32_t>> listed;
    for (const Use& use : value.uses)
      listed.emplace_back(use.node, use.slot);
    std::ranges::sort(listed);
    std::vector<std::pair<NodeId, uint32_t>> expected = uses[id];
    std::ranges::sort(expected);
    if (listed != expected) return fmt::format("uses of '{}' are wrong", value.name);
    const auto producer = producers.find(id);
    if (value.producer.valid() != (producer != producers.end()))
      return fmt::format("'{}' is wrong about having a producer", value.name);
    if (value.producer.valid() &&
        (value.producer != producer->second.first || value.producerSlot != producer->second.second))
      return fmt::format("producer of '{}' is wrong", value.name);
    if (value.isInput != inputs.contains(id)) return fmt::format("'{}' is wrong about being an input", value.name);
    if (value.outputCount != outputPlaces[id]) return fmt::format("outputCount of '{}' is wrong", value.name);
    if (!value.name.empty() && graph.findValue(value.name) != id)
      return fmt::format("'{}' is not found by its name", value.name);
  }
  return "";
}

// Bodies, too: each consistent, and what it captures an implicit input of its node under the same name.
inline std::string deepInconsistencyOf(const Graph& root) {
  std::string problem;
  forEachGraph(root, [&](const Graph& graph) {
    if (problem.empty()) problem = inconsistencyOf(graph);
    for (const NodeId id : graph.nodeIds()) {
      const Node& node = graph.node(id);
      std::set<std::string> implicit;
      for (const ValueId value : node.implicitInputs) {
        if (value.valid()) implicit.insert(graph.value(value).name);
      }
      forEachBody(node, [&](const std::string&, const Graph& body) {
        for (const ValueId value : body.valueIds()) {
          if (problem.empty() && body.value(value).outerScope && !implicit.contains(body.value(value).name)) {
            problem =
                fmt::format("'{}' is captured but is no implicit input of '{}'", body.value(value).name, node.name);
          }
        }
      });
    }
  });
  return problem;
}

}  // namespace cutaway
