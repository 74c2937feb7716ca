#pragma once
// Results that OpenVINO would compute while it compiles, because they follow from constants and static shapes, and that
// are too much for it: a few bytes of a model may ask for all memory there is, or for hours.
//
// Compiling happens inside of the program, where nothing can bound what OpenVINO takes. Thread rule: one request, one
// thread; nodes in topological order. Example:
//   LargeFolds folds(request.graph);   for (const NodeId id : request.free) if (auto no = folds.refusalOf(id)) ...

#include <optional>
#include <vector>

#include "engine/graph/graph.h"
#include "providers/openvino/questions.h"

namespace cutaway::openvino {

class LargeFolds {
 public:
  explicit LargeFolds(const Graph& graph);

  // To be asked once for every node that the provider would take. A node that is refused stays a node, so what reads it
  // is folded no more.
  std::optional<Answer> refusalOf(NodeId id);

 private:
  bool isFolded(const Node& node) const;

  const Graph& m_graph;
  std::vector<char> m_isFolded;  // by value index
  int64_t m_most;                // no more than the memory limit
  int64_t m_bytes = 0;
  int64_t m_mostOperations;
  int64_t m_operations = 0;
};

}  // namespace cutaway::openvino
