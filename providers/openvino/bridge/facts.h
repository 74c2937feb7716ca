#pragma once
// What OpenVINO says about a device.
//
// Thread rule: any thread. Throws what OpenVINO throws. Example: DeviceFacts facts = factsOf(core, "CPU");

#include <openvino/runtime/core.hpp>

#include "providers/openvino/bridge/bridge.h"

namespace cutaway::openvino {

DeviceFacts factsOf(ov::Core& core, const std::string& device);

}  // namespace cutaway::openvino
