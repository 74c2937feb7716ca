// Between: what lies below one chosen node and above another one (two searches over the edges).
#include "ui/panels/edit/extract_bounds.h"

#include <algorithm>

namespace cutaway::ui {
namespace {

template <typename Next>
std::vector<bool> reach(const GraphReport& graph, const std::vector<int>& from, Next next) {
  std::vector<bool> seen(graph.nodes.size());
  std::vector<int> open = from;
  for (const int node : from)
    seen[static_cast<size_t>(node)] = true;
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    next(node, [&](int other) {
      if (other < 0 || seen[static_cast<size_t>(other)]) return;
      seen[static_cast<size_t>(other)] = true;
      open.push_back(other);
    });
  }
  return seen;
}

}  // namespace

ExtractBounds extractBounds(const GraphReport& graph, const std::vector<int>& chosen) {
  ExtractBounds part;
  if (chosen.empty()) return part;
  const auto down = reach(graph, chosen, [&](int node, const auto& visit) {
    for (const int32_t output : graph.nodes[static_cast<size_t>(node)].outputs)
      if (output >= 0)
        for (const int32_t reader : graph.values[static_cast<size_t>(output)].consumers)
          visit(reader);
  });
  const auto up = reach(graph, chosen, [&](int node, const auto& visit) {
    const NodeReport& report = graph.nodes[static_cast<size_t>(node)];
    for (const auto* list : {&report.inputs, &report.implicitInputs})
      for (const int32_t input : *list)
        if (input >= 0) visit(graph.values[static_cast<size_t>(input)].producer);
  });
  const auto inside = [&](int node) {
    return node >= 0 && down[static_cast<size_t>(node)] && up[static_cast<size_t>(node)];
  };
  const auto put = [](std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  };
  for (int n = 0; n < static_cast<int>(graph.nodes.size()); ++n) {
    if (!inside(n)) continue;
    ++part.nodes;
    const NodeReport& node = graph.nodes[static_cast<size_t>(n)];
    for (const auto* list : {&node.inputs, &node.implicitInputs})
      for (const int32_t input : *list)
        if (input >= 0 && !graph.values[static_cast<size_t>(input)].isInitializer &&
            !inside(graph.values[static_cast<size_t>(input)].producer))
          put(part.names, graph.values[static_cast<size_t>(input)].name);
    for (const int32_t output : node.outputs) {
      if (output < 0) continue;
      const ValueReport& value = graph.values[static_cast<size_t>(output)];
      if (value.isOutput ||
          std::any_of(value.consumers.begin(), value.consumers.end(), [&](int32_t reader) { return !inside(reader); }))
        put(part.outputs, value.name);
    }
  }
  if (part.outputs.empty())  // nobody reads it: the chosen nodes' own
    for (const int n : chosen)
      for (const int32_t output : graph.nodes[static_cast<size_t>(n)].outputs)
        if (output >= 0) put(part.outputs, graph.values[static_cast<size_t>(output)].name);
  return part;
}

}  // namespace cutaway::ui
