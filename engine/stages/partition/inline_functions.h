#pragma once
// Functions are expanded only when no provider wants the call as it stands (Graph::InlineFunction in
// onnxruntime/core/graph/graph.cc).
//
// Thread rule: edits the graphs in hand; one thread. Example: CUTAWAY_TRY(const bool done, inliner.inlineCall(graph,
// call));

#include <unordered_map>

#include "engine/graph/model.h"

namespace cutaway::partition {

// Inlines calls of one round: those that stand in the graphs when it begins. Calls that come out of them are the next
// round's. The functions of the model stay as they are while it lives.
class Inliner {
 public:
  explicit Inliner(const Model& model) : m_model(model) {}

  void beginRound() { m_bytes = 0; }

  // Inlines this call when it has a function body (model-local first, then the schema's); false when it has none. Types
  // of the new values are the caller's business. FAIL, naming the call, when the functions behind local calls would
  // make more nodes, or copy more names and lists, than any real model has: a small file can call its functions
  // without end.
  Result<bool> inlineCall(Graph& graph, NodeId call);

 private:
  // What a call becomes once every call inside is inlined, too: known before the first is, so that functions that
  // double at each level cost nothing.
  struct Size {
    size_t nodes = 0;
    size_t bytes = 0;                                    // as copiedBytes counts; the function's defaults filled in
    std::unordered_map<std::string, size_t> references;  // how often an attribute of the call is filled in
  };

  void findLimits();
  Result<void> checkSize(const Graph& graph, const Function& function, NodeId call);
  const Size& sizeOf(const Function& function, int depth);
  void addGraph(Size& size, const Graph& graph, int depth);
  void addCall(Size& size, const Node& call, const Function& function, int depth);
  void add(Size& size, size_t nodes, size_t bytes) const;
  bool isTooMuch(const Size& size) const { return size.nodes > m_mostNodes || size.bytes > m_mostBytes; }

  const Model& m_model;
  size_t m_mostNodes = 0;  // 0: not known yet
  size_t m_mostBytes = 0;
  Size m_tooMuch;
  size_t m_bytes = 0;  // of this round so far
  std::unordered_map<const Function*, Size> m_sizes;
};

}  // namespace cutaway::partition
