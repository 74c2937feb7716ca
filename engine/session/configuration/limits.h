#pragma once
// What nobody may ask for more of.

namespace cutaway::session {

// Each thread is a stack, and a library that cannot have one ends the program.
inline constexpr int kMostThreads = 4096;

}  // namespace cutaway::session
