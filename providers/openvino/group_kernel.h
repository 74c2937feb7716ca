#pragma once
// Runs one compiled group: a request per frame over the frame's own memory.
//
// Thread rule: the kernel is immutable; each frame has its own state.
// Example: compiled.kernel = makeGroupKernel(std::move(compiledModel), portsOf(group.graph), weightsOf(group.graph),
// "CPU");

#include <memory>
#include <vector>

#include "engine/context_binary/context_partition.h"
#include "engine/graph/graph.h"
#include "engine/provider/kernel.h"
#include "providers/openvino/bridge/bridge.h"
#include "providers/openvino/narrowed_integers.h"

namespace cutaway::openvino {

struct GroupPort {
  std::string name;
  ElementType element = ElementType::kUndefined;
};
struct GroupPorts {
  std::vector<GroupPort> inputs, outputs;
  int integerBits = kDeviceIntegerBits;  // bitsOfEntering()
};
GroupPorts portsOf(const Graph& group);
// Keeps the group's weights alive, which OpenVINO may use where they lie.
std::shared_ptr<const void> weightsOf(const Graph& group);

// Which slot of the fused node each port of the compiled model stands for.
struct GroupSlots {
  std::vector<size_t> inputs;
  std::vector<size_t> outputs;
  int integerBits = kDeviceIntegerBits;
};

// EP_FAIL when the compiled model's inputs and outputs are not the group's.
Result<std::shared_ptr<const Kernel>> makeGroupKernel(std::shared_ptr<Compiled> compiled, const GroupPorts& ports,
                                                      std::shared_ptr<const void> keepAlive, std::string device);
// The same where the slots are known, and have been checked.
std::shared_ptr<const Kernel> makeGroupKernel(std::shared_ptr<Compiled> compiled, GroupSlots slots,
                                              std::shared_ptr<const void> keepAlive, std::string device);

// What a kernel made here runs; nullptr for kernels of somebody else.
struct GroupParts {
  Compiled* compiled = nullptr;
  const GroupSlots* places = nullptr;
};
GroupParts partsOf(const Kernel& kernel);

}  // namespace cutaway::openvino
