#pragma once
// What an exception of a library says, in words for people: memory is named, nothing else is changed.
//
// Thread rule: pure. Example: catch (const std::exception& error) { return fail(code, "{}", exceptionText(error)); }

#include <exception>
#include <new>
#include <string>

namespace cutaway {

inline std::string exceptionText(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? "out of memory" : error.what();
}

}  // namespace cutaway
