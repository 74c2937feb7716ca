#pragma once
// The list of passes in the order they run, and why each stands where it stands.
//
// Thread rule: pure. Example: for (const Pass& pass : pipeline()) fmt::print("{}\n", pass.name);

#include <vector>

#include "engine/stages/optimize/pass.h"

namespace cutaway {

std::vector<Pass> pipeline();

}  // namespace cutaway
