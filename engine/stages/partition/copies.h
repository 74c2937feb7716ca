#pragma once
// Inserts a Memcpy node wherever a value crosses from one device's memory to another's, once per value and direction.
//
// A value that the host needs under its own name (a graph output, a value captured by a body) keeps the name on the
// host side; the device side is called "<name>@<device>". From one device to another it goes over the host, because
// providers copy between their own device and the host. Initializers are not copied by nodes: a session uploads them
// once. One that is read on several sides, a device that works on its own among them, becomes a value for each. Thread
// rule: edits the graph in hand. Linear. Example: insertCopies(graph, places, graphIndex, report.copies);

#include <functional>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/provider/execution_provider.h"
#include "engine/report/partition_report.h"

namespace cutaway::partition {

// Where a node wants an input and leaves an output: its provider's device, or the host for slots that its kernel
// declares so.
struct NodePlaces {
  std::function<const Device&(NodeId, size_t inputSlot)> input;
  std::function<const Device&(NodeId, size_t outputSlot)> output;
  std::function<std::string(const Device&)> providerOf;  // who executes a copy that touches this device
  std::string fallback{};                                // the provider that takes what the others leave, on the host
};

inline constexpr const char* kCopyOperator = "Memcpy";
inline constexpr const char* kEngineDomain = "cutaway";

// What would make the copy of a value to a device unnecessary, one sentence; asked with the ids of the graph as it was
// before any copy. Empty function: nobody is asked.
using CopyAdvice = std::function<std::string(ValueId, const Device& to)>;

void insertCopies(Graph& graph, const NodePlaces& places, int32_t graphIndex, std::vector<CopyReport>& copies,
                  const CopyAdvice& advice = {});

}  // namespace cutaway::partition
