#include "providers/onnxruntime/device.h"

namespace cutaway {

const Device& onnxruntimeDevice() {
  return heapAllocator().device();
}

}  // namespace cutaway
