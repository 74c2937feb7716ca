#pragma once
// What an exception of a library says, in words for people. Of memory, short_memory.h says it, and its scope hears of
// it.
//
// Thread rule: as short_memory.h. Example: catch (const std::exception& error) { return fail(code, "{}",
// exceptionText(error)); }

#include <exception>
#include <string>

#include "engine/base/short_memory.h"

namespace cutaway {

inline std::string exceptionText(const std::exception& error) {
  const auto* const refused = dynamic_cast<const std::bad_alloc*>(&error);
  return refused != nullptr ? outOfMemory(*refused).message : error.what();
}

}  // namespace cutaway
