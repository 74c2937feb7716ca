#pragma once
// Which part of a parallel loop the calling thread works on: an index for memory that each part has of its own.
//
// A part may call its body several times (a loop is cut into pieces so that it can be stopped), always one after
// another on one thread. Thread rule: inside the body of parallelFor. Example: std::byte* own = scratch.data() +
// loopPart() * each;   // scratch: each * currentThreads(), asked before the loop

namespace cutaway {

// 0 to currentThreads() - 1 as it was before the loop; 0 outside of loops.
int loopPart();

}  // namespace cutaway
