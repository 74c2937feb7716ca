#include "providers/onednn/device.h"

namespace cutaway {

const Device& onednnDevice() {
  return heapAllocator().device();
}

}  // namespace cutaway
