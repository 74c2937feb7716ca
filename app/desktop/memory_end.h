#pragma once
// What the window says when memory ends where nobody catches it: in Qt, or in its own code on the GUI thread.
//
// The engine's threads catch it themselves (ui/document/engine_worker.h). What was open is offered at the next start,
// as after every end that was none of the user's. Thread rule: the GUI thread, once, before anything is made.

namespace cutaway {

// From here on: a line on stderr and EXIT_FAILURE instead of abort().
void tellEndOfMemory();

}  // namespace cutaway
