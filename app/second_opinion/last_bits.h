#pragma once
// Inputs and weights moved by their last bit: what an engine makes of them tells how far rounding carries in a model.
//
// Every finite float other than zero becomes its neighbour, up or down at random. Thread rule: pure; the same seed
// gives the same bits. Example: nudgedFeeds(feeds, 1)

#include <cstdint>
#include <vector>

#include "engine/execute/run_types.h"
#include "engine/graph/model.h"

namespace cutaway {

// Inputs without floats stay as they are.
std::vector<execute::Feed> nudgedFeeds(const std::vector<execute::Feed>& feeds, uint64_t seed);
// The initializers of the graph and of its bodies; small ones, which may be sizes or limits, stay as they are.
void nudgeWeights(Graph& graph, uint64_t seed);

}  // namespace cutaway
