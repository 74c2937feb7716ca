#pragma once
// What ends a partitioning that has given every node its answers: CPU fallback that the user forbids, nodes that nobody
// takes.
//
// Thread rule: pure. Example: CUTAWAY_CHECK(checkPlacements(model, partition, options, "cpu"));

#include "engine/stages/partition/partition.h"

namespace cutaway::partition {

// FAIL (by policy) naming the first node that would run on the CPU; NOT_IMPLEMENTED naming the first node nobody took
// and every provider's reason, when options.runnable.
// last: the provider that takes the rest.
Result<void> checkPlacements(const Model& model, const Partition& partition, const PartitionOptions& options,
                             const std::string& last);

}  // namespace cutaway::partition
