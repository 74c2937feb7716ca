// A plug-in execution provider that does what CUTAWAY_TEST_PLUGIN says, by name of the function: "crash:Compile",
// "abort:GetCapability", "hang:CreateEp", "fail:GetCapability"; "first:Conv" takes Conv before the layout change alone,
// "stranger" claims nodes one by one without having kernels. Otherwise it takes every Relu and Neg, runs of neighbours
// together, and computes Relu.
//
// Made from the same public facts as the program, and nothing else.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include "providers/onnxruntime/abi/plugin_interface.h"

using namespace cutaway::onnxruntime::abi;

namespace {

constexpr Slot<Status*(Factory*, const HardwareDevice*, const KeyValuePairs*, const KeyValuePairs*, EpDevice**)>
    kCreateEpDevice{0, 22, "CreateEpDevice"};
struct KernelContext;
constexpr Slot<Status*(const KernelContext*, size_t, const Value**)> kKernelInput{90, 1, "KernelContext_GetInput"};
constexpr Slot<Status*(KernelContext*, size_t, const int64_t*, size_t, Value**)> kKernelOutput{
    91, 1, "KernelContext_GetOutput"};

const void* const* functions = nullptr;
const void* const* epFunctions = nullptr;

template <typename Function>
Function* at(const Slot<Function>& slot) {
  return reinterpret_cast<Function*>(const_cast<void*>(functions[slot.index]));
}

std::string behaviour() {
  const char* const text = std::getenv("CUTAWAY_TEST_PLUGIN");
  return text == nullptr ? "" : text;
}

// Returns what the function must give back, or not at all.
Status* misbehaveIn(const std::string& function) {
  const std::string wanted = behaviour();
  const size_t colon = wanted.find(':');
  if (colon == std::string::npos || wanted.substr(colon + 1) != function) return nullptr;
  const std::string how = wanted.substr(0, colon);
  if (how == "crash") {
    volatile int* const nowhere = nullptr;
    *nowhere = 1;
  }
  if (how == "abort") std::abort();
  if (how == "exit") _exit(3);
  while (how == "hang")
    sleep(1000);
  return how == "fail" ? at(kCreateStatus)(1, "the test plug-in was told to fail") : nullptr;
}

std::string textOf(const Slot<TextOfNode>& slot, const Node* node) {
  const char* text = nullptr;
  return at(slot)(node, &text) == nullptr && text != nullptr ? text : "";
}

// Structs with as many slots as their version has.
struct TestFactory : Factory {
  void* more[32];
};
struct TestProvider : Provider {
  void* more[32];
  int questions = 0;
};
struct TestCompute {
  uint32_t version = 23;
  uint32_t padding = 0;
  void* slots[3];
};

const char* providerName(const void* /*self*/) {
  return "CutawayTestProvider";
}

Status* computeRelu(void* /*self*/, void* /*state*/, KernelContext* context) {
  if (Status* const told = misbehaveIn("Compute"); told != nullptr) return told;
  const Value* input = nullptr;
  if (Status* const status = at(kKernelInput)(context, 0, &input); status != nullptr) return status;
  TensorInfo* info = nullptr;
  if (Status* const status = at(kTensorInfoOfValue)(input, &info); status != nullptr) return status;
  size_t rank = 0;
  size_t count = 0;
  if (Status* const status = at(kRank)(info, &rank); status != nullptr) return status;
  std::vector<int64_t> dims(rank);
  if (Status* const status = at(kDimensions)(info, dims.data(), rank); status != nullptr) return status;
  if (Status* const status = at(kElementCount)(info, &count); status != nullptr) return status;
  at(kReleaseTensorInfo)(info);
  Value* output = nullptr;
  if (Status* const status = at(kKernelOutput)(context, 0, dims.data(), rank, &output); status != nullptr)
    return status;
  void* from = nullptr;
  void* to = nullptr;
  if (Status* const status = at(kTensorData)(const_cast<Value*>(input), &from); status != nullptr) return status;
  if (Status* const status = at(kTensorData)(output, &to); status != nullptr) return status;
  for (size_t i = 0; i < count; ++i)
    static_cast<float*>(to)[i] = std::max(0.0F, static_cast<const float*>(from)[i]);
  return nullptr;
}

Status* createState(void* /*self*/, void* /*context*/, void** state) {
  *state = nullptr;
  return nullptr;
}
void releaseState(void* /*self*/, void* /*state*/) {}

Status* capability(Provider* self, const Graph* graph, GraphSupportInfo* info) {
  if (Status* const told = misbehaveIn("GetCapability"); told != nullptr) return told;
  auto& provider = *static_cast<TestProvider*>(self);
  const bool isFirst = provider.questions++ == 0;
  size_t count = 0;
  if (Status* const status = at(kGraphNodeCount)(graph, &count); status != nullptr) return status;
  std::vector<const Node*> nodes(count);
  if (Status* const status = at(kGraphNodes)(graph, nodes.data(), count); status != nullptr) return status;
  const auto add = [&](const Node* node) -> Status* {
    if (behaviour() == "stranger")
      return reinterpret_cast<decltype(kAddSingleNode)::Type*>(const_cast<void*>(epFunctions[kAddSingleNode.index]))(
          info, node);
    return reinterpret_cast<decltype(kAddNodesToFuse)::Type*>(const_cast<void*>(epFunctions[kAddNodesToFuse.index]))(
        info, &node, 1, nullptr);
  };
  for (const Node* const node : nodes) {
    const std::string op = textOf(kNodeOperator, node);
    const bool isWanted = behaviour() == "first:Conv" ? (op == "Conv" && isFirst) || op == "Relu" : op == "Relu";
    if (!isWanted) continue;
    if (Status* const status = add(node); status != nullptr) return status;
  }
  return nullptr;
}

Status* compile(Provider* /*self*/, const Graph** /*graphs*/, const Node** /*fused*/, size_t count,
                NodeComputeInfo** infos, Node** /*contexts*/) {
  if (Status* const told = misbehaveIn("Compile"); told != nullptr) return told;
  for (size_t i = 0; i < count; ++i) {
    auto* const compute = new TestCompute;
    compute->slots[0] = reinterpret_cast<void*>(&createState);
    compute->slots[1] = reinterpret_cast<void*>(&computeRelu);
    compute->slots[2] = reinterpret_cast<void*>(&releaseState);
    infos[i] = reinterpret_cast<NodeComputeInfo*>(compute);
  }
  return nullptr;
}

void releaseInfos(Provider* /*self*/, NodeComputeInfo** infos, size_t count) {
  for (size_t i = 0; i < count; ++i)
    delete reinterpret_cast<TestCompute*>(infos[i]);
}

Status* preferredLayout(Provider* /*self*/, int32_t* layout) {
  *layout = behaviour() == "first:Conv" ? 1 : 0;  // channels last, or first
  return nullptr;
}

const char* vendor(const Factory* /*self*/) {
  return "nobody";
}
uint32_t vendorId(const Factory* /*self*/) {
  return 0;
}
const char* version(const Factory* /*self*/) {
  return "1.2.3";
}

Status* noDataTransfer(Factory* /*self*/, void** transfer) {
  *transfer = nullptr;
  return nullptr;
}
bool isStreamAware(const Factory* /*self*/) {
  return false;
}

Status* supportedDevices(Factory* self, const HardwareDevice* const* devices, size_t count, EpDevice** supported,
                         size_t most, size_t* supportedCount) {
  if (Status* const told = misbehaveIn("GetSupportedDevices"); told != nullptr) return told;
  *supportedCount = 0;
  if (behaviour() == "nothing") return nullptr;
  for (size_t i = 0; i < count && *supportedCount < most; ++i) {
    if (at(kHardwareKind)(devices[i]) != kHardwareCpu) continue;
    const auto create =
        reinterpret_cast<decltype(kCreateEpDevice)::Type*>(const_cast<void*>(epFunctions[kCreateEpDevice.index]));
    if (Status* const status = create(self, devices[i], nullptr, nullptr, &supported[*supportedCount]);
        status != nullptr)
      return status;
    ++*supportedCount;
    return nullptr;
  }
  return nullptr;
}

Status* createProvider(Factory* /*self*/, const HardwareDevice* const* /*devices*/,
                       const KeyValuePairs* const* /*metadata*/, size_t /*count*/, const SessionOptions* /*options*/,
                       const Logger* /*logger*/, Provider** provider) {
  if (Status* const told = misbehaveIn("CreateEp"); told != nullptr) return told;
  auto* const made = new TestProvider{};
  made->version = 23;
  made->slots[0] = reinterpret_cast<void*>(&providerName);
  made->slots[1] = reinterpret_cast<void*>(&capability);
  void** const rest = made->slots;
  rest[2] = reinterpret_cast<void*>(&compile);
  rest[3] = reinterpret_cast<void*>(&releaseInfos);
  rest[4] = reinterpret_cast<void*>(&preferredLayout);
  *provider = made;
  return nullptr;
}

void releaseProvider(Factory* /*self*/, Provider* provider) {
  delete static_cast<TestProvider*>(provider);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) Status* CreateEpFactories(const char* /*registration*/, const ApiBase* base,
                                                                 const Logger* /*logger*/, Factory** factories,
                                                                 size_t most, size_t* count) {
  functions = base->tableOf(24);
  if (functions == nullptr || most == 0) std::abort();
  epFunctions = at(kEpApi)();
  if (Status* const told = misbehaveIn("CreateEpFactories"); told != nullptr) return told;
  auto* const factory = new TestFactory{};
  factory->version = 23;
  void** const slots = factory->slots;
  slots[0] = reinterpret_cast<void*>(&providerName);
  slots[1] = reinterpret_cast<void*>(&vendor);
  slots[2] = reinterpret_cast<void*>(&supportedDevices);
  slots[3] = reinterpret_cast<void*>(&createProvider);
  slots[4] = reinterpret_cast<void*>(&releaseProvider);
  slots[5] = reinterpret_cast<void*>(&vendorId);
  slots[6] = reinterpret_cast<void*>(&version);
  slots[10] = reinterpret_cast<void*>(&noDataTransfer);
  slots[11] = reinterpret_cast<void*>(&isStreamAware);
  factories[0] = factory;
  *count = 1;
  return nullptr;
}

__attribute__((visibility("default"))) Status* ReleaseEpFactory(Factory* factory) {
  delete static_cast<TestFactory*>(factory);
  return nullptr;
}
}
