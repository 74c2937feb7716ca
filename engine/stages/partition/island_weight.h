#pragma once
// Is a device worth its transfers? Islands of nodes that a provider with memory of its own claims, weighed against the
// host: used where the program chose the provider and not the user.
//
// An island is a set of claims that hand values to each other. On the device it takes the roofline time of its nodes
// and launches, and carrying over what crosses its border, each value once; on the host the roofline time of its nodes
// (S. Williams, A. Waterman, D. Patterson, "Roofline", 2009). All figures are rough, so the device must be estimated
// faster by a margin; where a size is open or the device says nothing of its speed, the island goes back. Thread rule:
// pure. Near-linear in the claims. Example: released = weighIslands({graph, provider, threads}, said.claims, wanted);

#include <span>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway::partition {

struct IslandQuestion {
  const Graph& graph;
  const ExecutionProvider& provider;  // nothing happens when its values lie in host memory
  int threads = 1;                    // of the host
};

// Refusals (Verdict::kReleased) for the nodes of islands that go back; wanted becomes 0 for their claims.
std::vector<Refusal> weighIslands(const IslandQuestion& question, std::span<const ComputeCapability> claims,
                                  std::vector<char>& wanted);

}  // namespace cutaway::partition
