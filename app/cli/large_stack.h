#pragma once
// Work on a stack of the usual size where the shell gives less (ulimit -s): libraries that compile models need it, and
// die of a fault without it. Threads made from here on have such a stack, too.
//
// Thread rule: main's thread, once. Example: int main(int argc, char** argv) { return onLargeStack(work, argc, argv); }

namespace cutaway::cli {

int onLargeStack(int (*work)(int argc, char** argv), int argc, char** argv);

}  // namespace cutaway::cli
