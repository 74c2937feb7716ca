#pragma once
// Which inputs of joins are worth making in their places.
//
// A part saves a copy and the room of its second copy while the join runs, but opens the joined buffer early: with long
// lives in between that can cost more than it saves. Thread rule: pure. Example: const std::vector<ValueId> dropped =
// dropPartsThatCost(context, places);

#include "engine/stages/allocate/destinations.h"

namespace cutaway::allocate {

// Takes parts away from `places` (by value index) as long as that lowers the largest sum of live bytes; gives the
// values that lost their place. The sum counts views and certain in-place use; open dimensions count as a stand-in.
// Bounded work: large graphs with very many joins keep what is left when it is used up.
std::vector<ValueId> dropPartsThatCost(const Destinations::Context& context, std::vector<Destination>& places);

}  // namespace cutaway::allocate
