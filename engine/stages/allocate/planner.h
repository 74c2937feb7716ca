#pragma once
// The planner of one graph: walks the order once and places every value by the first rule that fits.
//
// Thread rule: one thread. Example: return Planner(graph, order, hints, options).run();

#include <utility>

#include "engine/stages/allocate/destinations.h"
#include "engine/stages/allocate/extents.h"
#include "engine/stages/allocate/free_buffers.h"

namespace cutaway::allocate {

class Planner {
 public:
  Planner(const Graph& graph, const schedule::SequentialExecutionPlan& order, const MemoryHints& hints,
          const AllocateOptions& options);
  Result<AllocationPlan> run();

 private:
  struct FirstUse {
    NodeId node;
    uint32_t slot = 0;
  };

  // --- before the walk (allocate.cpp)
  void readHints(const MemoryHints& hints);
  Result<void> countUses();
  void placeOuterValues();
  Device locationOf(const NodeMemoryHints& hints, size_t outputSlot) const;
  Device locationOfFeed(ValueId value) const;
  int32_t numberOf(const Device& device);

  // --- the walk
  void placeStep(int32_t step);
  void endStep(int32_t step);
  void release(ValueId value, int32_t step);
  void keepUnreadBuffers();

  // --- one value (placement.cpp): the rules in their order
  void place(NodeId node, size_t slot, int32_t step);
  bool placeGraphOutput(NodeId node, ValueId value);
  bool placeView(NodeId node, size_t slot, std::string& obstacle);
  bool placeSplitPart(NodeId node, size_t slot, std::string& obstacle);
  bool placeAtDestination(ValueId value, int32_t step, std::string& obstacle);
  bool placeOver(NodeId node, size_t slot, int32_t step, bool onlyAtDestination, std::string& obstacle);
  bool placeInFreeBuffer(ValueId value);
  void placeInNewBuffer(ValueId value, const std::string& obstacle);
  void takeOver(ValueId value, ValueId buffer, AllocKind kind, AllocRule rule);
  void openBuffer(ValueId value, AllocKind kind, AllocRule rule);
  // Gives a value that is made later its place now, because a part of it is made now.
  bool reserve(ValueId target);
  int32_t partExtent(const Destination& place);
  bool isPending(int32_t extent) const;
  bool isOnnxruntimeInParallel() const {
    return m_options.rules == AllocRules::kOnnxruntime && !m_order.endOfStep.empty();
  }
  bool sameSize(ValueId a, ValueId b) const;
  // Empty when `output` may be written over `input`; otherwise the obstacle ("-" when nobody reads reasons).
  std::string whyNotOver(ValueId input, ValueId output, NodeId node, int32_t step) const;
  std::string whyStillUsed(ValueId input, NodeId node, int32_t step) const;
  std::string whyNoFreeBuffer(ValueId value);

  AllocPlanPerValue& planOf(ValueId value) { return m_plan.values[value.index()]; }
  const AllocPlanPerValue& planOf(ValueId value) const { return m_plan.values[value.index()]; }
  int32_t& extentOf(ValueId value) { return m_extent[value.index()]; }
  int32_t extentOf(ValueId value) const { return m_extent[value.index()]; }
  const NodeMemoryHints& hintsOf(NodeId node) const { return m_hints[node.index()]; }
  template <typename... Args>
  void because(ValueId value, fmt::format_string<Args...> format, Args&&... args) {
    if (m_options.traceReasons) planOf(value).reason = m_texts.of(fmt::format(format, std::forward<Args>(args)...));
  }

  const Graph& m_graph;
  const schedule::SequentialExecutionPlan& m_order;
  const AllocateOptions& m_options;
  int32_t m_lastStep;
  AllocationPlan m_plan;
  std::vector<NodeMemoryHints> m_hints;  // by node index
  std::vector<Device> m_devices;         // by value index, of produced values
  SizeTable m_sizes;
  std::optional<Destinations> m_destinations;
  Extents m_extents;
  FreeBuffers m_free;
  std::vector<int64_t> m_uses;                   // by value: readers, definition, places among the outputs
  std::vector<int32_t> m_lastUse;                // by value: step
  std::vector<FirstUse> m_firstUse;              // by value
  std::vector<int32_t> m_extent;                 // by value; -1: no place yet
  std::vector<bool> m_isReserved;                // by value: placed before it is made
  std::vector<int32_t> m_freedStep;              // by root; the last time nobody used it any more, -1: never
  std::vector<std::vector<ValueId>> m_endingAt;  // by step: values with a use less after it
  std::unordered_map<uint64_t, int32_t> m_partExtents;
  std::vector<Device> m_knownDevices;
  TextPool m_texts;    // reasons
  NodeId m_splitNode;  // whose obstacles these are
  std::vector<std::string> m_splitObstacles;
};

}  // namespace cutaway::allocate
