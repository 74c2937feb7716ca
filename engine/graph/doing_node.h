#pragma once
// The node that a thread works at, for whoever must tell it after a fault or where memory is refused
// (engine/base/thread_work.h).
//
// Thread rule: as DoingScope. The graph outlives the scope; its nodes may change. Example: const DoingNode doing(graph,
// id);

#include "engine/base/thread_work.h"
#include "engine/graph/graph.h"

namespace cutaway {

// "Conv 'stem'", without a name "Conv": at most `room` characters. Only reads memory.
size_t tellNode(const Node& node, char* out, size_t room);

class DoingNode {
 public:
  DoingNode(const Graph& graph, NodeId id);

 private:
  DoingScope m_scope;
};

}  // namespace cutaway
