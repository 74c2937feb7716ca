// The plug-in's side of the recorder: what ONNX Runtime sees is the vendor's own factories, whose questions lead
// through here.
//
// This module has no part of the program in it: ONNX Runtime opens it as it opens any plug-in.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <unordered_map>

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <unistd.h>

#include "engine/base/per_thread.h"
#include "providers/onnxruntime/abi/plugin_interface.h"
#include "providers/onnxruntime/recorder/call_recorder.h"
#include "providers/onnxruntime/refusals/log_lines.h"

namespace cutaway::onnxruntime {

namespace {

using namespace abi;

// The library's table, called by slot.
struct Table {
  const void* const* functions = nullptr;
  template <typename Function>
  Function* at(const Slot<Function>& slot) const {
    return reinterpret_cast<Function*>(const_cast<void*>(functions[slot.index]));
  }
};

// What the process was in when it ended: written by a signal handler, so it lies in plain memory.
std::array<char, 256> inCall{};

struct InCall {
  InCall(const char* provider, const char* function) {
    std::snprintf(inCall.data(), inCall.size(), "it was in %s of %s\n", function, provider == nullptr ? "?" : provider);
  }
  ~InCall() { inCall[0] = 0; }
};

void tellAndEnd(int signal) {
  if (inCall[0] != 0) {
    const ssize_t ignored = write(STDERR_FILENO, inCall.data(), std::strlen(inCall.data()));
    static_cast<void>(ignored);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// A question in work, on the thread that asks it.
struct Question {
  CapabilityCall call;
  std::unordered_map<size_t, uint32_t> placeOfNode;  // by the node's number in its graph
};
thread_local Question* question = nullptr;

class Recorder final : public CallRecorder {
 public:
  void serve(const std::string& registration, const std::string& library) override {
    const std::lock_guard lock(m_mutex);
    m_libraries[registration] = library;
  }
  void listen(std::vector<CapabilityCall>* calls, MayCompile what) override {
    const std::lock_guard lock(m_mutex);
    m_calls = calls;
    m_mayCompile = what;
    m_hasCompiled = false;
  }
  bool hasCompiled() const override {
    const std::lock_guard lock(m_mutex);
    return m_hasCompiled;
  }

  Status* createFactories(const char* registration, const ApiBase* base, const Logger* logger, Factory** factories,
                          size_t most, size_t* count);
  Status* releaseFactory(Factory* factory);
  Status* createProvider(Factory* self, const HardwareDevice* const* devices, const KeyValuePairs* const* metadata,
                         size_t count, const SessionOptions* options, const Logger* logger, Provider** provider);
  void releaseProvider(Factory* self, Provider* provider);
  Status* capability(Provider* self, const Graph* graph, GraphSupportInfo* info);
  Status* compile(Provider* self, const Graph** graphs, const Node** fused, size_t count, NodeComputeInfo** infos,
                  Node** contexts);
  void wanted(const Node* const* nodes, size_t count, bool together);
  void withoutKernel(const Node* node);

  Table m_api;    // the library's own
  Table m_epApi;  // likewise
  // What plug-ins are given instead.
  std::vector<const void*> m_functions, m_epFunctions;
  ApiBase m_base{};
  const ApiBase* m_ownBase = nullptr;
  uint32_t m_refusedVersion = 0;  // of the interface, that a plug-in asked for in vain

 private:
  struct Behind {  // the vendor's functions that ours stand before
    void* create = nullptr;
    void* release = nullptr;
    ReleaseFactory* releaseFactory = nullptr;
  };
  struct BehindProvider {
    void* capability = nullptr;
    void* compile = nullptr;
  };

  Status* problem(const std::string& text) const { return m_api.at(kCreateStatus)(11 /* EP_FAIL */, text.c_str()); }
  bool mayCompile();
  // A refusal where it wants less than the whole, and that is all that was asked for.
  Status* endUnlessWhole(const CapabilityCall& call) const;
  // What a plug-in says of a library that is too old for it, and both versions.
  Status* withVersions(Status* status) const;
  bool prepare(const ApiBase* base);
  void describe(const Graph* graph, Question& asked) const;
  using CountOfNode = Status*(const Node*, size_t*);
  using ValuesOfNode = Status*(const Node*, const ValueInfo**, size_t);
  std::vector<const ValueInfo*> valuesOf(const Slot<CountOfNode>& count, const Slot<ValuesOfNode>& values,
                                         const Node* node) const;
  std::vector<std::string> namesOf(std::span<const ValueInfo* const> values) const;
  void describeShapes(std::span<const ValueInfo* const> outputs, std::vector<KnownShape>& shapes) const;
  std::string textOf(const Slot<TextOfNode>& slot, const Node* node) const;
  bool placeOf(const Node* node, uint32_t& place) const;

  mutable std::mutex m_mutex;
  std::map<std::string, std::string> m_libraries;
  std::map<const Factory*, Behind> m_factories;
  std::map<const Provider*, BehindProvider> m_providers;
  std::vector<CapabilityCall>* m_calls = nullptr;
  MayCompile m_mayCompile = MayCompile::kAnything;
  bool m_hasCompiled = false;
};

Recorder& recorder() {
  static auto* const instance = new Recorder;  // providers may be released when the process ends
  return *instance;
}

template <typename Function>
void replace(PluginStruct* filled, const Field<Function>& field, Function* function) {
  filled->slots[field.index] = reinterpret_cast<void*>(function);
}

// What the library's tables have instead of their own.

Status* addNodesToFuse(GraphSupportInfo* info, const Node* const* nodes, size_t count, const FusionOptions* options) {
  recorder().wanted(nodes, count, true);
  return recorder().m_epApi.at(kAddNodesToFuse)(info, nodes, count, options);
}

Status* addSingleNode(GraphSupportInfo* info, const Node* node) {
  recorder().wanted(&node, 1, false);
  return recorder().m_epApi.at(kAddSingleNode)(info, node);
}

Status* lookUpKernel(GraphSupportInfo* info, const Node* node, const KernelDefinition** kernel) {
  Status* const status = recorder().m_epApi.at(kLookUpKernel)(info, node, kernel);
  if (status != nullptr || kernel == nullptr || *kernel == nullptr) recorder().withoutKernel(node);
  return status;
}

Status* logMessage(const Logger* logger, LogLevel level, const char* message, const char* file, int number,
                   const char* function) {
  static const PerThread<LineFilter> filters;
  LineFilter* const filter = filters.find();
  const auto write = recorder().m_api.at(kLogMessage);
  if (filter == nullptr || message == nullptr || file == nullptr || function == nullptr)
    return write(logger, level, message, file, number, function);
  if (level == kVerbose) {
    if (filter->isHeld(function, message)) {
      filter->hold(message, file, number, function);
      return nullptr;
    }
    if (!filter->isKept(function, message)) return nullptr;
  }
  if (const auto held = filter->takeHeld(function)) {
    Status* const status =
        write(logger, kVerbose, held->message.c_str(), held->file.c_str(), held->number, held->function.c_str());
    if (status != nullptr) return status;
  }
  return write(logger, level, message, file, number, function);
}

const void* const* epTable() {
  return recorder().m_epFunctions.data();
}

const void* const* tableOf(uint32_t version) {
  // A version that the library does not have: it says so itself, to the error output.
  if (recorder().m_ownBase->tableOf(version) == nullptr) {
    recorder().m_refusedVersion = version;
    return nullptr;
  }
  return recorder().m_functions.data();
}

// The factories' and providers' functions that ours stand before.

Status* createProvider(Factory* self, const HardwareDevice* const* devices, const KeyValuePairs* const* metadata,
                       size_t count, const SessionOptions* options, const Logger* logger, Provider** provider) {
  return recorder().createProvider(self, devices, metadata, count, options, logger, provider);
}

void releaseProvider(Factory* self, Provider* provider) {
  recorder().releaseProvider(self, provider);
}

Status* capability(Provider* self, const Graph* graph, GraphSupportInfo* info) {
  return recorder().capability(self, graph, info);
}

Status* compile(Provider* self, const Graph** graphs, const Node** fused, size_t count, NodeComputeInfo** infos,
                Node** contexts) {
  return recorder().compile(self, graphs, fused, count, infos, contexts);
}

const TableSize* sizeFor(uint32_t version) {
  const TableSize* size = nullptr;
  for (const TableSize& each : kTableSizes) {
    if (each.version <= version) size = &each;
  }
  return size;
}

// The loader names what a library needs; what is here is added.
std::string whyNotOpened(const char* said) {
  std::string text = said == nullptr ? "the loader does not say why" : said;
  if (text.find("GLIBC_") != std::string::npos)
    text += std::string("; this system has glibc ") + gnu_get_libc_version();
  return text;
}

Status* Recorder::withVersions(Status* status) const {
  std::string text = m_api.at(kGetErrorMessage)(status);
  m_api.at(kReleaseStatus)(status);
  text += "; it asked for version " + std::to_string(m_refusedVersion) +
          " of ONNX Runtime's interface, and ONNX Runtime " + m_ownBase->version() +
          " does not have that: take a newer ONNX Runtime, or an older plug-in";
  return problem(text);
}

bool Recorder::prepare(const ApiBase* base) {
  if (m_ownBase != nullptr) return true;
  unsigned major = 0;
  unsigned minor = 0;
  if (std::sscanf(base->version(), "%u.%u", &major, &minor) != 2) return false;
  const uint32_t version = std::min<uint32_t>(minor, kNewestVersion);
  const TableSize* const size = sizeFor(version);
  m_api.functions = base->tableOf(version);
  if (size == nullptr || m_api.functions == nullptr) return false;
  m_epApi.functions = m_api.at(kEpApi)();
  m_functions.assign(m_api.functions, m_api.functions + size->functions);
  m_epFunctions.assign(m_epApi.functions, m_epApi.functions + size->epFunctions);
  m_functions[kEpApi.index] = reinterpret_cast<const void*>(&epTable);
  m_functions[kLogMessage.index] = reinterpret_cast<const void*>(&logMessage);
  m_epFunctions[kAddNodesToFuse.index] = reinterpret_cast<const void*>(&addNodesToFuse);
  m_epFunctions[kAddSingleNode.index] = reinterpret_cast<const void*>(&addSingleNode);
  m_epFunctions[kLookUpKernel.index] = reinterpret_cast<const void*>(&lookUpKernel);
  m_base = {.tableOf = &tableOf, .version = base->version};
  m_ownBase = base;
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
    std::signal(signal, tellAndEnd);
  return true;
}

Status* Recorder::createFactories(const char* registration, const ApiBase* base, const Logger* logger,
                                  Factory** factories, size_t most, size_t* count) {
  std::string library;
  {
    const std::lock_guard lock(m_mutex);
    library = m_libraries[registration];
  }
  // Without the library's functions no words can be given back either.
  if (!prepare(base)) std::abort();
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return problem(whyNotOpened(dlerror()));
  const auto create = reinterpret_cast<CreateFactories*>(dlsym(opened, kCreateFactories));
  const auto release = reinterpret_cast<ReleaseFactory*>(dlsym(opened, kReleaseFactory));
  if (create == nullptr || release == nullptr)
    return problem(library + " is no library of plug-in providers: it lacks " +
                   (create == nullptr ? kCreateFactories : kReleaseFactory));
  // A library newer than what this program knows has longer tables: it gets them as they are, and its questions are
  // not kept.
  unsigned minor = 0;
  std::sscanf(base->version(), "%*u.%u", &minor);
  const InCall call(registration, kCreateFactories);
  m_refusedVersion = 0;
  Status* const status = create(registration, minor > kNewestVersion ? base : &m_base, logger, factories, most, count);
  if (status != nullptr) return m_refusedVersion == 0 ? status : withVersions(status);
  const std::lock_guard lock(m_mutex);
  for (size_t i = 0; i < std::min(most, *count); ++i) {
    Factory* const factory = factories[i];
    if (factory == nullptr || factory->version < kFactoryCreate.since) continue;
    Behind behind{};
    behind.create = factory->slots[kFactoryCreate.index];
    behind.release = factory->slots[kFactoryRelease.index];
    behind.releaseFactory = release;
    m_factories[factory] = behind;
    replace(factory, kFactoryCreate, &onnxruntime::createProvider);
    replace(factory, kFactoryRelease, &onnxruntime::releaseProvider);
  }
  return nullptr;
}

Status* Recorder::releaseFactory(Factory* factory) {
  ReleaseFactory* release = nullptr;
  {
    const std::lock_guard lock(m_mutex);
    const auto known = m_factories.find(factory);
    if (known == m_factories.end()) return nullptr;
    release = known->second.releaseFactory;
    m_factories.erase(known);
  }
  return release(factory);
}

Status* Recorder::createProvider(Factory* self, const HardwareDevice* const* devices,
                                 const KeyValuePairs* const* metadata, size_t count, const SessionOptions* options,
                                 const Logger* logger, Provider** provider) {
  void* behind = nullptr;
  {
    const std::lock_guard lock(m_mutex);
    behind = m_factories.at(self).create;
  }
  const auto create = reinterpret_cast<decltype(&onnxruntime::createProvider)>(behind);
  const InCall call(field(self, kFactoryName)(self), "CreateEp");
  Status* const status = create(self, devices, metadata, count, options, logger, provider);
  if (status != nullptr || *provider == nullptr || (*provider)->version < kProviderCapability.since) return status;
  const std::lock_guard lock(m_mutex);
  m_providers[*provider] = {(*provider)->slots[kProviderCapability.index], (*provider)->slots[kProviderCompile.index]};
  replace(*provider, kProviderCapability, &onnxruntime::capability);
  // Providers of kernels have nothing to compile.
  if ((*provider)->slots[kProviderCompile.index] != nullptr)
    replace(*provider, kProviderCompile, &onnxruntime::compile);
  return nullptr;
}

void Recorder::releaseProvider(Factory* self, Provider* provider) {
  void* behind = nullptr;
  {
    const std::lock_guard lock(m_mutex);
    behind = m_factories.at(self).release;
    m_providers.erase(provider);
  }
  const InCall call("a provider", "ReleaseEp");
  reinterpret_cast<decltype(&onnxruntime::releaseProvider)>(behind)(self, provider);
}

std::string Recorder::textOf(const Slot<TextOfNode>& slot, const Node* node) const {
  const char* text = nullptr;
  if (Status* const status = m_api.at(slot)(node, &text); status != nullptr) {
    m_api.at(kReleaseStatus)(status);
    return {};
  }
  return text == nullptr ? std::string() : text;
}

void Recorder::describe(const Graph* graph, Question& asked) const {
  size_t count = 0;
  const Node* parent = nullptr;
  if (m_api.at(kGraphNodeCount)(graph, &count) != nullptr) return;
  if (m_api.at(kGraphParent)(graph, &parent) != nullptr) return;
  std::vector<const Node*> nodes(count, nullptr);
  if (count > 0 && m_api.at(kGraphNodes)(graph, nodes.data(), count) != nullptr) return;
  asked.call.nested = parent != nullptr;
  for (const Node* const node : nodes) {
    size_t number = 0;
    if (m_api.at(kNodeId)(node, &number) != nullptr) return;
    asked.placeOfNode[number] = static_cast<uint32_t>(asked.call.nodes.size());
    asked.call.nodes.push_back({textOf(kNodeName, node), textOf(kNodeDomain, node), textOf(kNodeOperator, node)});
    const std::vector<const ValueInfo*> outputs = valuesOf(kNodeOutputCount, kNodeOutputs, node);
    asked.call.ports.push_back({namesOf(valuesOf(kNodeInputCount, kNodeInputs, node)), namesOf(outputs)});
    describeShapes(outputs, asked.call.shapes);
  }
}

std::vector<const ValueInfo*> Recorder::valuesOf(const Slot<CountOfNode>& count, const Slot<ValuesOfNode>& values,
                                                 const Node* node) const {
  size_t number = 0;
  if (m_api.at(count)(node, &number) != nullptr || number == 0) return {};
  std::vector<const ValueInfo*> found(number, nullptr);
  if (m_api.at(values)(node, found.data(), number) != nullptr) return {};
  return found;
}

std::vector<std::string> Recorder::namesOf(std::span<const ValueInfo* const> values) const {
  std::vector<std::string> names;
  for (const ValueInfo* const value : values) {
    const char* name = nullptr;
    const bool isNamed = value != nullptr && m_api.at(kValueName)(value, &name) == nullptr && name != nullptr;
    names.emplace_back(isNamed ? name : "");
  }
  return names;
}

void Recorder::describeShapes(std::span<const ValueInfo* const> outputs, std::vector<KnownShape>& shapes) const {
  for (const ValueInfo* const output : outputs) {
    const char* name = nullptr;
    const TypeInfo* type = nullptr;
    const TensorInfo* tensor = nullptr;
    size_t rank = 0;
    if (output == nullptr || m_api.at(kValueName)(output, &name) != nullptr || name == nullptr) continue;
    if (m_api.at(kValueType)(output, &type) != nullptr || type == nullptr) continue;
    if (m_api.at(kTensorInfoOf)(type, &tensor) != nullptr || tensor == nullptr) continue;
    if (!m_api.at(kHasShape)(tensor) || m_api.at(kRank)(tensor, &rank) != nullptr) continue;
    KnownShape shape{name, std::vector<int64_t>(rank)};
    if (m_api.at(kDimensions)(tensor, shape.dims.data(), rank) != nullptr) continue;
    if (std::ranges::all_of(shape.dims, [](int64_t size) { return size >= 0; })) shapes.push_back(std::move(shape));
  }
}

Status* Recorder::capability(Provider* self, const Graph* graph, GraphSupportInfo* info) {
  void* behind = nullptr;
  {
    const std::lock_guard lock(m_mutex);
    behind = m_providers.at(self).capability;
  }
  Question asked;
  const char* const name = field(self, kProviderName)(self);
  asked.call.provider = name == nullptr ? "" : name;
  describe(graph, asked);
  const InCall inside(name, "GetCapability");
  question = &asked;
  const auto start = std::chrono::steady_clock::now();
  Status* status = reinterpret_cast<decltype(&onnxruntime::capability)>(behind)(self, graph, info);
  asked.call.tookNs =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
  question = nullptr;
  if (status != nullptr) asked.call.error = m_api.at(kGetErrorMessage)(status);
  const std::lock_guard lock(m_mutex);
  if (status == nullptr) status = endUnlessWhole(asked.call);
  if (m_calls != nullptr) m_calls->push_back(std::move(asked.call));
  return status;
}

bool isWhole(const CapabilityCall& call) {
  return !call.nested && call.groups.size() == 1 && call.groups.front().size() == call.nodes.size();
}

Status* Recorder::endUnlessWhole(const CapabilityCall& call) const {
  if (m_calls == nullptr || m_mayCompile != MayCompile::kWholeAtFirst || call.nested || isWhole(call)) return nullptr;
  return m_api.at(kCreateStatus)(13 /* MODEL_REQUIRES_COMPILATION */, kAskedOnly);
}

// Of a whole model the last question is about all of it, its bodies included.
bool Recorder::mayCompile() {
  const std::lock_guard lock(m_mutex);
  const CapabilityCall* const last = m_calls == nullptr || m_calls->empty() ? nullptr : &m_calls->back();
  if (m_mayCompile != MayCompile::kAnything && (last == nullptr || !isWhole(*last))) return false;
  m_hasCompiled = true;
  return true;
}

Status* Recorder::compile(Provider* self, const Graph** graphs, const Node** fused, size_t count,
                          NodeComputeInfo** infos, Node** contexts) {
  if (!mayCompile()) return m_api.at(kCreateStatus)(13 /* MODEL_REQUIRES_COMPILATION */, kAskedOnly);
  void* behind = nullptr;
  {
    const std::lock_guard lock(m_mutex);
    behind = m_providers.at(self).compile;
  }
  const InCall inside(field(self, kProviderName)(self), "Compile");
  return reinterpret_cast<decltype(&onnxruntime::compile)>(behind)(self, graphs, fused, count, infos, contexts);
}

bool Recorder::placeOf(const Node* node, uint32_t& place) const {
  size_t number = 0;
  if (question == nullptr || node == nullptr || m_api.at(kNodeId)(node, &number) != nullptr) return false;
  const auto known = question->placeOfNode.find(number);
  if (known == question->placeOfNode.end()) return false;
  place = known->second;
  return true;
}

void Recorder::wanted(const Node* const* nodes, size_t count, bool together) {
  std::vector<uint32_t> places;
  for (size_t i = 0; i < count; ++i) {
    uint32_t place = 0;
    if (placeOf(nodes[i], place)) places.push_back(place);
  }
  if (question == nullptr) return;
  if (together) {
    question->call.groups.push_back(std::move(places));
  } else {
    question->call.singles.insert(question->call.singles.end(), places.begin(), places.end());
  }
}

void Recorder::withoutKernel(const Node* node) {
  uint32_t place = 0;
  if (placeOf(node, place)) question->call.withoutKernel.push_back(place);
}

}  // namespace

}  // namespace cutaway::onnxruntime

extern "C" {

__attribute__((visibility("default"))) cutaway::onnxruntime::CallRecorder* cutawayCallRecorder(int version) {
  using namespace cutaway::onnxruntime;
  return version == kRecorderVersion ? &recorder() : nullptr;
}

__attribute__((visibility("default"))) cutaway::onnxruntime::abi::Status* CreateEpFactories(
    const char* registration, const cutaway::onnxruntime::abi::ApiBase* base,
    const cutaway::onnxruntime::abi::Logger* logger, cutaway::onnxruntime::abi::Factory** factories, size_t most,
    size_t* count) {
  return cutaway::onnxruntime::recorder().createFactories(registration, base, logger, factories, most, count);
}

__attribute__((visibility("default"))) cutaway::onnxruntime::abi::Status* ReleaseEpFactory(
    cutaway::onnxruntime::abi::Factory* factory) {
  return cutaway::onnxruntime::recorder().releaseFactory(factory);
}
}
