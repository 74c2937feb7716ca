#pragma once
// The edits that give nodes channels last, with what is needed to take them back exactly.
//
// A value keeps its name for its channels-first order; with channels last it is another value, "x@nhwc". Where both are
// needed a Transpose stands between them; constants are turned here. Thread rule: one partitioning; between applying
// and undoing, others may edit other nodes of the graph. Linear in the nodes touched. Example:
//   LayoutEdits edits(graph, opset);
//   CUTAWAY_CHECK(edits.apply(plan));
//   if (!confirmed) edits.undo();

#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "engine/stages/partition/layout_plan.h"

namespace cutaway::partition {

class LayoutEdits {
 public:
  // opset: the version of ai.onnx that new Transposes are of.
  LayoutEdits(Graph& graph, int64_t opset) : m_graph(&graph), m_opset(opset) {}

  // On an error (no memory for a constant) the graph is as before.
  Result<void> apply(const LayoutPlan& plan);
  void undo();

  // One node on images back in its own domain, with Transposes where its neighbours have channels last.
  void putBack(NodeId id);
  // Transposes of nobody's whose result nobody reads.
  void dropIdleTransposes();
  // Values that nothing makes or reads any more. The edits cannot be undone after that.
  void dropIdleValues();

  const std::vector<NodeId>& sensitive() const { return m_sensitive; }
  bool anyTakenBy(const std::string& provider) const;

 private:
  struct InputSet {
    NodeId node;
    size_t slot;
    ValueId before;
  };
  struct OutputSet {
    NodeId node;
    size_t slot;
    ValueId before;
  };
  struct NodeChange {
    NodeId node;
    std::string domain;
    std::string rewrite;
    std::optional<int64_t> axis;
    bool setAxis;
  };
  struct NodeAdded {
    NodeId node;
  };
  struct ValueAdded {
    ValueId value;
  };
  using Edit = std::variant<InputSet, OutputSet, NodeChange, NodeAdded, ValueAdded>;

  Result<void> turnNode(NodeId id, const LayoutRole& role);
  ValueId lastOf(ValueId plain, NodeId reader);
  Result<ValueId> turnedConstant(ValueId plain, size_t rank);
  ValueId addPermuted(ValueId like, std::string_view suffix, const std::vector<int64_t>& perm);
  void addTranspose(ValueId from, ValueId to, NodeId around, std::vector<int64_t> perm);
  void setInput(NodeId id, size_t slot, ValueId value);
  void setOutput(NodeId id, size_t slot, ValueId value);
  void change(NodeId id, std::string domain, const std::optional<int64_t>& axis);
  bool isDefined(ValueId id) const;
  void takeBack(const Edit& edit);

  Graph* m_graph;
  int64_t m_opset;
  std::vector<Edit> m_edits;
  std::vector<NodeId> m_sensitive;
  std::unordered_map<ValueId, ValueId> m_lastOf;   // by channels-first value
  std::unordered_map<ValueId, ValueId> m_plainOf;  // and back
};

}  // namespace cutaway::partition
