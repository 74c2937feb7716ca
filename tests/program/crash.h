#pragma once
// How tests have a process, or a thread of it, fault.

namespace cutaway::test {

// By a signal, also under sanitizers.
[[gnu::no_sanitize("address", "undefined")]] inline void crash() {
  volatile int* volatile nowhere = nullptr;  // which the compiler cannot know
  *nowhere = 1;
}

}  // namespace cutaway::test
