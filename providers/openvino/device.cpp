// OpenVINO reads and writes host memory, whatever device it computes on.
#include "providers/openvino/device.h"

namespace cutaway {

const Device& openvinoDevice() {
  return heapAllocator().device();
}

}  // namespace cutaway
