#pragma once
// What is kept of a compiled group beside OpenVINO's blob: what made it, what its results depend on, and which slot of
// the node each of its ports is. As lines of text.
//
//   cutaway-openvino 1
//   build 2026.4.1-22982-...
//   device CPU
//   precision f32
//   blob 102345678                    bytes of the section with the blob
//   integers 28                       bits of int64 that may come in, where it is fewer than the device has
//   input 0 1 static 1 3 224 224      slot, element type, whether the shape is known, dimensions (-1: open)
//   output 0 1 open - -1 1000         an output that is an input as it came says "passed" in place of "-"
// Read without trust: every number and word is checked here, and the ports again against what OpenVINO imports.
// Thread rule: pure. Example: CUTAWAY_TRY(const StoredGroup stored, readStoredGroup(text));

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "providers/openvino/group_kernel.h"

namespace cutaway::openvino {

struct StoredPort {
  size_t slot = 0;
  int32_t element = 0;
  bool isStatic = false;
  bool isPassed = false;
  std::vector<int64_t> dims;
};

struct StoredGroup {
  std::string build, device, precision;
  uint64_t blobBytes = 0;
  int integerBits = kDeviceIntegerBits;
  std::vector<StoredPort> inputs, outputs;
};

std::vector<StoredPort> storedPorts(const std::vector<Port>& compiled, const std::vector<size_t>& slots);
std::string writeStoredGroup(const StoredGroup& group);
// EP_FAIL naming the line.
Result<StoredGroup> readStoredGroup(std::string_view text);

}  // namespace cutaway::openvino
