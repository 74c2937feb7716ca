#pragma once
// The end of a program that has no memory where nothing can be undone: in a destructor, in a thread's function, in a
// library that lets no exception through. The C++ library would abort it; it says what was wanted, and ends.
//
// Thread rule: once, by main's thread. Example: tellEndOfMemory({.program = "cutaway-cli", .exitCode = kInternal});

#include <string_view>

#include "engine/base/memory_advice.h"

namespace cutaway {

struct MemoryEnd {
  std::string_view program;
  std::string_view advice = kMemoryAdvice;
  int exitCode = 1;
  // Whoever watches the others keeps the program alive (engine/base/crash_guard.h).
  bool onlyThisThread = false;
};

// Texts live as long as the program.
void tellEndOfMemory(const MemoryEnd& end);

}  // namespace cutaway
