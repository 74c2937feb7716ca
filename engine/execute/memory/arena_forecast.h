#pragma once
// What arenas would hold if every buffer of a plan came from them: the figures of runs without a memory pattern.
//
// The real arena is played the requests and returns of one sequential run of a graph, over addresses that nothing
// stands behind. Left out are the frames of bodies (they have arenas of their own) and kernels' scratch memory. Thread
// rule: pure. Example: for (const ArenaForecast& each : forecastArenas(planned, sizes, options)) show(each.heldBytes);

#include <span>
#include <string>
#include <vector>

#include "engine/execute/memory/arena.h"
#include "engine/plan/planned_graph.h"

namespace cutaway::execute {

struct ArenaForecast {
  std::string device;
  int64_t heldBytes = 0;       // of all regions when the run ends
  int64_t peakInUseBytes = 0;  // most bytes handed out at once
  int64_t requests = 0;
  int64_t regions = 0;
  int64_t openBuffers = 0;  // of unknown size: left out, so that the other figures are least amounts
};

// One for each device that has buffers of the run's own, in the order in which they first ask. sizes: bytes by value
// index, -1 not known.
std::vector<ArenaForecast> forecastArenas(const plan::PlannedGraph& planned, std::span<const int64_t> sizes,
                                          const ArenaOptions& options);
// "cpu: 4.0 MiB in 3 regions, at most 3.2 MiB of it in use at once"; what is open is said.
std::string forecastText(const ArenaForecast& forecast);

}  // namespace cutaway::execute
