#pragma once
// How long work may be deaf to Ctrl-C: a library in the middle of a run, a long list that is laid out, threads that are
// joined. Then the program ends all the same, as if Ctrl-C came twice.
//
// Files are published whole or not at all (engine/base/new_file.h), and host processes end with the program; what is
// gathered for a file until the end is given to keepAtForcedEnd(), so nothing is lost by it. Thread rule: startGrace()
// and endByForce() may be called from a signal handler. Example: see console_progress.cpp.

namespace cutaway::cli {

// Makes the timer; to be called before a handler may call startGrace().
void prepareGrace();
void startGrace();
// For work that has processes or a cluster's jobs to end in good order: it is waited for.
void waitForTheEnd();
// What a forced end does before it ends, on a thread of its own, beside work that goes on. The first one stays.
void keepAtForcedEnd(void (*keep)());
// Ends the program with this exit code: at once, or when what is to be kept is kept.
void endByForce(int code);

}  // namespace cutaway::cli
