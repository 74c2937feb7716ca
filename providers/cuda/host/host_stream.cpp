#include "providers/cuda/host/host_stream.h"

namespace cutaway::cuda {

// The depth is at most the number of streams: what a stream waits for was told before, so waits form no circle.
void runUntil(HostStream& stream, int64_t ticket) {
  while (stream.done < ticket && !stream.pending.empty()) {
    HostWork& next = stream.pending.front();
    if (next.waitsFor != nullptr) runUntil(*next.waitsFor, next.ticket);
    if (next.run) next.run();
    stream.pending.pop_front();
    ++stream.done;
  }
}

}  // namespace cutaway::cuda
