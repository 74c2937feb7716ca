#include "providers/skeleton/device.h"

namespace cutaway {

// A provider with memory of its own returns its own Device here (type, index, a name for people) and brings an
// Allocator and ExecutionProvider::copy().
const Device& skeletonDevice() {
  return heapAllocator().device();
}

}  // namespace cutaway
