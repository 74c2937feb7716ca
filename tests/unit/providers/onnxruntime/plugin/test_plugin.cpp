// A plug-in execution provider that does what CUTAWAY_TEST_PLUGIN says, by name of the function: "crash:Compile",
// "abort:GetCapability", "hang:CreateEp", "fail:GetCapability"; every function of the interface that ONNX Runtime calls
// here can be named. "GetCapability2" is its second question about a graph, after the layout change, "Compile2" its
// second call in the process. "first:Conv" takes Conv before the layout change alone, "stranger" claims nodes one by
// one without having kernels, "fail:version" and "crash:version" want an interface that no library has. Otherwise it
// takes every Relu, and computes it; "whole" all nodes as one group. "channels" takes Conv before the layout change and
// after it, and computes nothing. "parts" takes Neg too, neighbours together in a model with a Conv and one by one in a
// model without. Contexts are EPContext nodes, whose binaries are the first letters of their operators.
//
// Made from the same public facts as the program, and nothing else.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include "providers/onnxruntime/abi/plugin_interface.h"
#include "tests/program/crash.h"

using namespace cutaway::onnxruntime::abi;
using cutaway::test::crash;

namespace {

constexpr Slot<Status*(Factory*, const HardwareDevice*, const KeyValuePairs*, const KeyValuePairs*, EpDevice**)>
    kCreateEpDevice{0, 22, "CreateEpDevice"};
struct KernelContext;
constexpr Slot<Status*(const KernelContext*, size_t, const Value**)> kKernelInput{90, 1, "KernelContext_GetInput"};
constexpr Slot<Status*(KernelContext*, size_t, const int64_t*, size_t, Value**)> kKernelOutput{
    91, 1, "KernelContext_GetOutput"};

struct Attribute;
constexpr int32_t kNumberAttribute = 1;
constexpr int32_t kTextAttribute = 5;
constexpr Slot<Status*(const char*, const void*, int, int32_t, Attribute**)> kCreateAttribute{211, 12, "CreateOpAttr"};
constexpr Slot<Status*(const SessionOptions*, const char*, int*)> kHasSessionKey{237, 14, "HasSessionConfigEntry"};
constexpr Slot<Status*(const SessionOptions*, const char*, char*, size_t*)> kSessionKey{238, 14,
                                                                                        "GetSessionConfigEntry"};
constexpr Slot<Status*(const Attribute*, int32_t, void*, size_t, size_t*)> kReadAttribute{272, 17, "ReadOpAttr"};
constexpr Slot<const void* const*()> kEditorApi{291, 22, "GetModelEditorApi"};
constexpr Slot<Status*(const Node*, const char*, const Attribute**)> kAttribute{361, 23, "Node_GetAttributeByName"};
constexpr Slot<Status*(const char*, const char*, const char*, const char* const*, size_t, const char* const*, size_t,
                       Attribute**, size_t, Node**)>
    kCreateNode{6, 22, "CreateNode"};
constexpr uint32_t kFutureVersion = 999;

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
  if (how == "crash") crash();
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
  bool writesContexts = false;
};
struct TestCompute {
  uint32_t version = 23;
  uint32_t padding = 0;
  void* slots[3];
  std::string operators;  // R: Relu, N: Neg, one after another
};

const char* factoryName(const void* /*self*/) {
  misbehaveIn("FactoryGetName");
  return "CutawayTestProvider";
}
const char* providerName(const void* /*self*/) {
  misbehaveIn("GetName");
  return "CutawayTestProvider";
}

// The layout change is asked for, so that there are two questions.
bool wantsChannelsLast() {
  return behaviour() == "first:Conv" || behaviour() == "channels" || behaviour().ends_with("GetCapability2");
}

float computed(const std::string& operators, float value) {
  for (const char op : operators)
    value = op == 'R' ? std::max(0.0F, value) : -value;
  return value;
}

Status* compute(void* self, void* /*state*/, KernelContext* context) {
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
  const std::string& operators = static_cast<const TestCompute*>(self)->operators;
  for (size_t i = 0; i < count; ++i)
    static_cast<float*>(to)[i] = computed(operators, static_cast<const float*>(from)[i]);
  return nullptr;
}

Status* createState(void* /*self*/, void* /*context*/, void** state) {
  *state = nullptr;
  return misbehaveIn("CreateState");
}
void releaseState(void* /*self*/, void* /*state*/) {
  misbehaveIn("ReleaseState");
}

// "parts": neighbours together in a model with a Conv, and one by one in a model without.
template <typename AddGroup>
Status* addParts(const std::vector<const Node*>& nodes, AddGroup addGroup) {
  const bool isModel =
      std::ranges::any_of(nodes, [](const Node* node) { return textOf(kNodeOperator, node) == "Conv"; });
  std::vector<const Node*> run;
  const auto end = [&]() -> Status* {
    Status* const status = run.empty() ? nullptr : addGroup(run);
    run.clear();
    return status;
  };
  for (const Node* const node : nodes) {
    const std::string op = textOf(kNodeOperator, node);
    const bool isWanted = op == "Relu" || op == "Neg" || op == "EPContext";
    if (!isWanted || !isModel) {
      if (Status* const status = end(); status != nullptr) return status;
    }
    if (isWanted) run.push_back(node);
  }
  return end();
}

Status* capability(Provider* self, const Graph* graph, GraphSupportInfo* info) {
  if (Status* const told = misbehaveIn("GetCapability"); told != nullptr) return told;
  auto& provider = *static_cast<TestProvider*>(self);
  const bool isFirst = provider.questions++ == 0;
  if (Status* const told = isFirst ? nullptr : misbehaveIn("GetCapability2"); told != nullptr) return told;
  size_t count = 0;
  if (Status* const status = at(kGraphNodeCount)(graph, &count); status != nullptr) return status;
  std::vector<const Node*> nodes(count);
  if (Status* const status = at(kGraphNodes)(graph, nodes.data(), count); status != nullptr) return status;
  const auto addGroup = [&](const std::vector<const Node*>& group) -> Status* {
    return reinterpret_cast<decltype(kAddNodesToFuse)::Type*>(const_cast<void*>(epFunctions[kAddNodesToFuse.index]))(
        info, group.data(), group.size(), nullptr);
  };
  const auto add = [&](const Node* node) -> Status* {
    if (behaviour() != "stranger") return addGroup({node});
    return reinterpret_cast<decltype(kAddSingleNode)::Type*>(const_cast<void*>(epFunctions[kAddSingleNode.index]))(
        info, node);
  };
  if (behaviour() == "parts") return addParts(nodes, addGroup);
  if (behaviour() == "whole") return addGroup(nodes);
  for (const Node* const node : nodes) {
    const std::string op = textOf(kNodeOperator, node);
    const bool isWanted = wantsChannelsLast() ? (op == "Conv" && (isFirst || behaviour() == "channels")) || op == "Relu"
                                              : op == "Relu" || op == "EPContext";
    if (!isWanted) continue;
    if (Status* const status = add(node); status != nullptr) return status;
  }
  return nullptr;
}

// What the node of a group does, as operators of TestCompute.
Status* operatorsOf(const Graph* graph, std::string& operators) {
  size_t count = 0;
  if (Status* const status = at(kGraphNodeCount)(graph, &count); status != nullptr) return status;
  std::vector<const Node*> nodes(count);
  if (Status* const status = at(kGraphNodes)(graph, nodes.data(), count); status != nullptr) return status;
  for (const Node* const node : nodes) {
    const std::string op = textOf(kNodeOperator, node);
    if (op != "EPContext") {
      operators += op.substr(0, 1);
      continue;
    }
    const Attribute* attribute = nullptr;
    if (Status* const status = at(kAttribute)(node, "ep_cache_context", &attribute); status != nullptr) return status;
    char text[64] = {};
    size_t length = 0;
    if (Status* const status = at(kReadAttribute)(attribute, kTextAttribute, text, sizeof text - 1, &length);
        status != nullptr)
      return status;
    operators += text;
  }
  return nullptr;
}

Status* namesOf(const Slot<Status*(const Node*, size_t*)>& countSlot,
                const Slot<Status*(const Node*, const ValueInfo**, size_t)>& slot, const Node* node,
                std::vector<const char*>& names) {
  size_t count = 0;
  if (Status* const status = at(countSlot)(node, &count); status != nullptr) return status;
  std::vector<const ValueInfo*> values(count);
  if (Status* const status = at(slot)(node, values.data(), count); status != nullptr) return status;
  names.resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (Status* const status = at(kValueName)(values[i], &names[i]); status != nullptr) return status;
  }
  return nullptr;
}

// An EPContext node in the place of a group; its binary is the text of its operators.
Status* contextNode(const Node* fused, const std::string& operators, Node** made) {
  std::vector<const char*> inputs;
  std::vector<const char*> outputs;
  if (Status* const status = namesOf(kNodeInputCount, kNodeInputs, fused, inputs); status != nullptr) return status;
  if (Status* const status = namesOf(kNodeOutputCount, kNodeOutputs, fused, outputs); status != nullptr) return status;
  const std::string name = textOf(kNodeName, fused);
  const std::string source = "CutawayTestProvider";
  const int64_t one = 1;
  Attribute* attributes[5] = {};
  const auto text = [&](const char* key, const std::string& value, Attribute** attribute) {
    return at(kCreateAttribute)(key, value.data(), static_cast<int>(value.size()), kTextAttribute, attribute);
  };
  if (Status* const status = text("ep_cache_context", operators, &attributes[0]); status != nullptr) return status;
  if (Status* const status = text("source", source, &attributes[1]); status != nullptr) return status;
  if (Status* const status = text("partition_name", name, &attributes[2]); status != nullptr) return status;
  if (Status* const status = at(kCreateAttribute)("main_context", &one, 1, kNumberAttribute, &attributes[3]);
      status != nullptr)
    return status;
  if (Status* const status = at(kCreateAttribute)("embed_mode", &one, 1, kNumberAttribute, &attributes[4]);
      status != nullptr)
    return status;
  const auto create =
      reinterpret_cast<decltype(kCreateNode)::Type*>(const_cast<void*>(at(kEditorApi)()[kCreateNode.index]));
  return create("EPContext", "com.microsoft", name.c_str(), inputs.data(), inputs.size(), outputs.data(),
                outputs.size(), attributes, 5, made);
}

Status* compile(Provider* self, const Graph** graphs, const Node** fused, size_t count, NodeComputeInfo** infos,
                Node** contexts) {
  static int times = 0;
  if (Status* const told = misbehaveIn("Compile"); told != nullptr) return told;
  if (Status* const told = ++times == 2 ? misbehaveIn("Compile2") : nullptr; told != nullptr) return told;
  for (size_t i = 0; i < count; ++i) {
    auto* const made = new TestCompute;
    made->slots[0] = reinterpret_cast<void*>(&createState);
    made->slots[1] = reinterpret_cast<void*>(&compute);
    made->slots[2] = reinterpret_cast<void*>(&releaseState);
    infos[i] = reinterpret_cast<NodeComputeInfo*>(made);
    if (Status* const status = operatorsOf(graphs[i], made->operators); status != nullptr) return status;
    if (!static_cast<TestProvider*>(self)->writesContexts) continue;
    if (Status* const status = contextNode(fused[i], made->operators, &contexts[i]); status != nullptr) return status;
  }
  return nullptr;
}

void releaseInfos(Provider* /*self*/, NodeComputeInfo** infos, size_t count) {
  misbehaveIn("ReleaseNodeComputeInfos");
  for (size_t i = 0; i < count; ++i)
    delete reinterpret_cast<TestCompute*>(infos[i]);
}

Status* preferredLayout(Provider* /*self*/, int32_t* layout) {
  *layout = wantsChannelsLast() ? 1 : 0;  // channels last, or first
  return misbehaveIn("GetPreferredDataLayout");
}

const char* vendor(const Factory* /*self*/) {
  misbehaveIn("GetVendor");
  return "nobody";
}
uint32_t vendorId(const Factory* /*self*/) {
  misbehaveIn("GetVendorId");
  return 0;
}
const char* version(const Factory* /*self*/) {
  misbehaveIn("GetVersion");
  return "1.2.3";
}

Status* noDataTransfer(Factory* /*self*/, void** transfer) {
  *transfer = nullptr;
  return misbehaveIn("CreateDataTransfer");
}
bool isStreamAware(const Factory* /*self*/) {
  misbehaveIn("IsStreamAware");
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
                       const KeyValuePairs* const* /*metadata*/, size_t /*count*/, const SessionOptions* options,
                       const Logger* /*logger*/, Provider** provider) {
  if (Status* const told = misbehaveIn("CreateEp"); told != nullptr) return told;
  auto* const made = new TestProvider{};
  int isSaid = 0;
  char value[8] = {};
  size_t size = sizeof value;
  made->writesContexts = at(kHasSessionKey)(options, "ep.context_enable", &isSaid) == nullptr && isSaid != 0 &&
                         at(kSessionKey)(options, "ep.context_enable", value, &size) == nullptr && value[0] == '1';
  made->version = 23;
  void** const slots = made->slots;
  slots[0] = reinterpret_cast<void*>(&providerName);
  slots[1] = reinterpret_cast<void*>(&capability);
  slots[2] = reinterpret_cast<void*>(&compile);
  slots[3] = reinterpret_cast<void*>(&releaseInfos);
  slots[4] = reinterpret_cast<void*>(&preferredLayout);
  *provider = made;
  return nullptr;
}

void releaseProvider(Factory* /*self*/, Provider* provider) {
  misbehaveIn("ReleaseEp");
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
  if (behaviour().ends_with(":version") && base->tableOf(kFutureVersion) == nullptr) {
    if (Status* const told = misbehaveIn("version"); told != nullptr) return told;
  }
  auto* const factory = new TestFactory{};
  factory->version = 23;
  void** const slots = factory->slots;
  slots[0] = reinterpret_cast<void*>(&factoryName);
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
