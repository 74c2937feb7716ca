#pragma once
// Where handlers of signals run. oneDNN's products keep their data where the system puts a handler's frame - below the
// stack pointer, which they lend to themselves - so that a handler on the stack of an interrupted product breaks the
// heap.
//
// A thread that a caller brought gets a stack for handlers, which they use when they ask for it (SA_ONSTACK: ours do,
// and so do Python's); threads of our own take no signals at all, but for their own faults.
// Thread rule: the calling thread only. Example: giveThreadSignalStack();  session.run(feeds);

namespace cutaway {

// Once for each thread, and only where it has none; goes with the thread.
void giveThreadSignalStack();

// First thing that a thread of ours does: signals of the process go to those that the program began with.
void leaveSignalsToOthers();

}  // namespace cutaway
