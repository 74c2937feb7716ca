#include "providers/cuda/emulator/emulated_stream.h"

namespace cutaway::cuda {

// The depth is at most the number of streams: what a stream waits for was enqueued before, so waits form no circle.
void runUntil(EmulatedStream& stream, int64_t ticket) {
  while (stream.done < ticket && !stream.pending.empty()) {
    EmulatedWork& next = stream.pending.front();
    if (next.waitsFor != nullptr) runUntil(*next.waitsFor, next.ticket);
    if (next.run) next.run();
    stream.pending.pop_front();
    ++stream.done;
  }
}

}  // namespace cutaway::cuda
