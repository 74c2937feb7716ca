#pragma once
// Where values should be made so that a later node has nothing to copy: inside the output of a join, or in a graph
// output that is a view of them.
//
// Found by walking the order backwards: an input of a join may be made in its place there; what a value is a view of,
// or is written over as its only use, may be made where that value belongs. Example: q -> Relu -> p -> Concat(p, r) ->
// t: both q and p belong to part 0 of t. Thread rule: one thread. Example: const Destinations found(context);  if
// (const Destination* place = found.of(value)) ...

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/stages/allocate/size_class.h"

namespace cutaway::allocate {

struct Destination {
  ValueId target;
  int32_t part = -1;  // input of the join that makes `target`; -1: the whole of it
  bool operator==(const Destination&) const = default;
};

class Destinations {
 public:
  struct Context {
    const Graph& graph;
    const schedule::SequentialExecutionPlan& order;
    const std::vector<NodeMemoryHints>& hints;  // by node index
    const std::vector<Device>& devices;         // by value index
    const SizeTable& sizes;
    const AllocateOptions& options;
  };
  explicit Destinations(const Context& context);

  // nullptr: nowhere in particular.
  const Destination* of(ValueId value) const {
    return m_place[value.index()].target.valid() ? &m_place[value.index()] : nullptr;
  }
  // Why an input of a join or of a view does not lie there; empty when there is nothing to say.
  std::string obstacle(ValueId value) const;
  // For each output of a split: why it cannot be a view of its part of the input; empty: it can.
  static std::vector<std::string> splitObstacles(const Context& context, NodeId node);

 private:
  void visit(NodeId id);
  void visitJoin(const Node& node);
  void visitViewsAndOverwritten(NodeId id, const Node& node);
  bool belongs(ValueId value) const;
  void refuse(ValueId value, std::string why);
  bool endsInOutput(ValueId target) const;

  const Context m_context;
  std::vector<Destination> m_place;  // by value
  std::vector<int32_t> m_depth;      // by value: joins around it
  std::vector<bool> m_passedOn;      // by value: an input of its producer belongs there, too
  std::vector<bool> m_writtenOver;   // by value: something else is written over it where it belongs
  std::unordered_map<size_t, std::string> m_obstacles;
};

}  // namespace cutaway::allocate
