#pragma once
// A provider called "cpu" with a dozen plain kernels, enough for branchingText(): tests of the runtime that must build
// quickly (thread sanitizer) use it instead of the real one.
//
// Elementwise kernels are loops within loops on the pool. All declare the same in-place, view, join and split hints as
// the real ones, so that plans reuse memory as they do there. Thread rule: as any provider. Example:
//   auto session = plainSession(branchingText(3), options);

#include <memory>
#include <string>

#include "engine/session/session.h"

namespace cutaway {

ProviderTable plainTable();
Result<std::unique_ptr<session::Session>> plainSession(const std::string& text, const session::SessionOptions& options);

}  // namespace cutaway
