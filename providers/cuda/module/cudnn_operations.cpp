// cuDNN's plans: made from a graph or restored from the bytes of an earlier one, and run.
//
// libcudnn is opened by module/libraries.h; the front end takes its functions from that handle. A handle of cuDNN
// serves one thread at a time: each thread borrows one a device, and gives it back when it ends. Without a device
// (plansOnly) plans are made for the properties in cudnn_device.h: everything but running.
#include "providers/cuda/module/cudnn_operations.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <span>
#include <utility>

#include <cuda_runtime_api.h>

#include "engine/base/per_thread.h"
#include "providers/cuda/module/cudnn_device.h"
#include "providers/cuda/module/cudnn_graph_parts.h"
#include "providers/cuda/module/errors.h"
#include "providers/cuda/module/libraries.h"

// The front end's own place for the library, in its mode of dynamic loading.
namespace cudnn_frontend {
void* cudnn_dlhandle = nullptr;
}

namespace cutaway::cuda {
namespace {

Status openCudnn() {
  static const std::string reason = [] {
    const OpenedLibrary& library = cudnnLibrary();
    if (!library) return library.reason;
    // The front end looks libcudart up by name; opened by path before, it is found wherever it lies.
    static_cast<void>(cudartLibrary());
    fe::cudnn_dlhandle = library.handle;
    return std::string();
  }();
  return reason.empty() ? Status{} : Status::unsupported(reason);
}

// --- Handles

class HandlePool {
 public:
  static HandlePool& instance() {
    static HandlePool& pool = *new HandlePool;  // outlives the threads that give handles back when the process ends
    return pool;
  }
  Status borrow(int device, cudnnHandle_t& handle) {
    {
      const std::lock_guard<std::mutex> lock(m_mutex);
      for (size_t i = 0; i < m_free.size(); ++i) {
        if (m_free[i].first != device) continue;
        handle = m_free[i].second;
        m_free.erase(m_free.begin() + static_cast<std::ptrdiff_t>(i));
        return {};
      }
      m_free.reserve(++m_made);  // giving back needs no memory
    }
    const cudnnStatus_t status = fe::detail::create_handle(&handle);
    if (status != CUDNN_STATUS_SUCCESS)
      return Status::unsupported(std::string("cudnnCreate: ") + fe::detail::get_error_string(status));
    return {};
  }
  void giveBack(int device, cudnnHandle_t handle) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_free.emplace_back(device, handle);
  }

 private:
  std::mutex m_mutex;
  std::vector<std::pair<int, cudnnHandle_t>> m_free;
  size_t m_made = 0;
};

// The handles of one thread.
class ThreadHandles {
 public:
  ~ThreadHandles() {
    for (const auto& [device, handle] : m_own)
      HandlePool::instance().giveBack(device, handle);
  }
  Status get(int device, cudnnHandle_t& handle) {
    for (const auto& [owner, own] : m_own) {
      if (owner != device) continue;
      handle = own;
      return {};
    }
    m_own.reserve(m_own.size() + 1);
    if (Status failure = HandlePool::instance().borrow(device, handle); !failure.ok()) return failure;
    m_own.emplace_back(device, handle);
    return {};
  }

 private:
  std::vector<std::pair<int, cudnnHandle_t>> m_own;
};

Status threadHandle(int device, cudnnHandle_t& handle) {
  static const PerThread<ThreadHandles> handles;
  ThreadHandles* const own = handles.find();
  if (own == nullptr) return {StatusCode::kOutOfMemory, "no memory for the thread's handles of cuDNN"};
  return own->get(device, handle);
}

// --- Plans

struct DeviceMemory {
  void* block = nullptr;
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() {
    if (block != nullptr) cudaFree(block);
  }
};

// A graph with a plan, and the engine's name, which a restored graph does not know.
struct Plan {
  CudnnGraph graph;
  std::string name;
};

class CudnnOperation final : public Operation {
 public:
  CudnnOperation(Plan plan, int device, size_t operands, bool plansOnly)
      : m_graph(std::move(plan.graph)),
        m_device(device),
        m_operands(operands),
        m_plansOnly(plansOnly),
        m_workspace(static_cast<size_t>(std::max<int64_t>(m_graph->get_workspace_size(), 0))),
        m_variant("cudnn " + plan.name) {}

  size_t workspaceBytes() const override { return m_workspace; }
  std::string_view variant() const override { return m_variant; }

  Status run(const OperationCall& call, Stream stream) const override {
    if (m_plansOnly) return Status::unsupported("this plan was made without a device");
    if (call.pointers.size() != m_operands)
      return {StatusCode::kOther, "cuDNN: " + std::to_string(call.pointers.size()) + " operands for a plan of " +
                                      std::to_string(m_operands)};
    cudnnHandle_t handle = nullptr;
    if (Status failure = threadHandle(m_device, handle); !failure.ok()) return failure;
    if (fe::detail::set_stream(handle, reinterpret_cast<cudaStream_t>(stream)) != CUDNN_STATUS_SUCCESS)
      return {StatusCode::kOther, "cudnnSetStream was refused"};
    void* pointers[kMostOperands];
    std::memcpy(pointers, call.pointers.data(), call.pointers.size() * sizeof(void*));
    int count = static_cast<int>(call.pointers.size());
    if (m_queryLengths.block != nullptr) pointers[count++] = m_queryLengths.block;
    try {
      fe::error_t error = m_graph->execute(handle, pointers, count, call.workspace);
      if (error.is_good()) return {};
      if (Status failure = statusOf(cudaGetLastError(), "cuDNN"); !failure.ok()) return failure;
      return {StatusCode::kOther, "cuDNN: " + error.get_message()};
    } catch (const std::exception& thrown) {
      return {StatusCode::kOther, std::string("cuDNN: ") + thrown.what()};
    }
  }

  // With a padding mask cuDNN wants a length for the queries, too: all of them.
  Status fillQueryLengths(int64_t batch, int64_t queries) {
    if (m_plansOnly) return {};
    const std::vector<int32_t> lengths(static_cast<size_t>(batch), static_cast<int32_t>(queries));
    const size_t bytes = lengths.size() * sizeof(int32_t);
    if (Status failure = statusOf(cudaMalloc(&m_queryLengths.block, bytes), "cudaMalloc"); !failure.ok())
      return failure;
    return statusOf(cudaMemcpy(m_queryLengths.block, lengths.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  }

 private:
  static constexpr size_t kMostOperands = 16;
  CudnnGraph m_graph;
  int m_device;
  size_t m_operands;
  bool m_plansOnly;
  size_t m_workspace;
  std::string m_variant;
  DeviceMemory m_queryLengths;
};

// What a plan is made with: a handle, or properties of a device that is not there.
struct PlanningGround {
  cudnnHandle_t handle = nullptr;
  std::shared_ptr<fe::DeviceProperties> properties;
};

Status openGround(const CudnnDevice& device, PlanningGround& ground) {
  if (Status failure = openCudnn(); !failure.ok()) return failure;
  if (!device.plansOnly) return threadHandle(device.facts->index, ground.handle);
  ground.properties = std::make_shared<fe::DeviceProperties>();
  const std::string text = kPlannedDevice;
  return statusOf(ground.properties->deserialize(std::vector<uint8_t>(text.begin(), text.end())),
                  "properties of the planned device");
}

std::string artifactKey(const CudnnDevice& device, const std::string& description) {
  return "cudnn " + std::to_string(fe::detail::get_backend_version()) + " frontend " +
         std::to_string(CUDNN_FRONTEND_VERSION) + " " + (device.plansOnly ? "planned H100" : device.facts->name) +
         ": " + description;
}

// An artifact is the engine's name, a zero, and the front end's bytes; of no bytes at all it says that cuDNN has no
// way. False: it does not fit here.
bool restorePlan(const PlanningGround& ground, const std::vector<std::byte>& bytes, Plan& plan) try {
  const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
  if (end == bytes.end()) return false;
  std::vector<uint8_t> data(static_cast<size_t>(bytes.end() - end) - 1);
  std::memcpy(data.data(), bytes.data() + (end - bytes.begin()) + 1, data.size());
  auto restored = std::make_shared<fe::graph::Graph>();
  if (ground.properties != nullptr) {
    restored->set_device_properties(ground.properties);
    if (restored->deserialize(data).is_bad()) return false;
  } else if (restored->deserialize(ground.handle, data, false, false).is_bad()) {
    return false;
  }
  plan = {std::move(restored),
          std::string(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(end - bytes.begin()))};
  return true;
} catch (const std::exception&) {
  return false;  // the front end parses the bytes, and throws where they are damaged
}

void keepPlan(const std::string& key, const Plan& plan, ArtifactStore& store) {
  std::vector<uint8_t> data;
  if (plan.graph->serialize(data, false).is_bad()) return;
  std::vector<uint8_t> bytes(plan.name.begin(), plan.name.end());
  bytes.push_back(0);
  bytes.insert(bytes.end(), data.begin(), data.end());
  store.keep(key, std::as_bytes(std::span(bytes)));
}

// precise: no engine that rounds its inputs to fewer bits than they have.
Status buildPlan(const PlanningGround& ground, fe::graph::Graph& graph, bool precise) {
  if (Status failure = statusOf(graph.validate(), "checking the graph"); !failure.ok()) return failure;
  if (Status failure = statusOf(
          ground.properties != nullptr ? graph.build_operation_graph() : graph.build_operation_graph(ground.handle),
          "describing the graph");
      !failure.ok())
    return failure;
  if (Status failure =
          statusOf(graph.create_execution_plans({fe::HeurMode_t::A, fe::HeurMode_t::FALLBACK}), "looking for plans");
      !failure.ok())
    return failure;
  graph.deselect_numeric_notes({fe::NumericalNote_t::DOWN_CONVERT_INPUTS,
                                fe::NumericalNote_t::REDUCED_PRECISION_REDUCTION,
                                fe::NumericalNote_t::NONDETERMINISTIC});
  if (precise) graph.deselect_numeric_notes({fe::NumericalNote_t::TENSOR_CORE});
  return statusOf(ground.properties != nullptr ? graph.build_plans() : graph.build_plans(ground.handle),
                  "making a plan");
}

template <typename Describe>
Status makePlan(const CudnnDevice& device, const std::string& description, bool precise, ArtifactStore& store,
                Describe describe, Plan& plan) {
  try {
    PlanningGround ground;
    if (Status failure = openGround(device, ground); !failure.ok()) return failure;
    const std::string key = artifactKey(device, description);
    std::vector<std::byte> bytes;
    if (store.find(key, bytes)) {
      if (bytes.empty()) return Status::unsupported("cuDNN has no plan for this");
      if (restorePlan(ground, bytes, plan)) return {};
    }
    if (store.sealed()) return Status::unsupported("the context has no cuDNN plan that fits here");
    plan.graph = std::make_shared<fe::graph::Graph>();
    if (ground.properties != nullptr)
      plan.graph->set_device_properties(ground.properties)
          .set_sm_version(kPlannedArchitecture)
          .set_sm_count(kPlannedMultiprocessors);
    Status failure = describe(*plan.graph);
    if (failure.ok()) failure = buildPlan(ground, *plan.graph, precise);
    if (!failure.ok()) {
      store.keep(key, {});
      return failure;
    }
    static_cast<void>(plan.graph->get_plan_name(plan.name));
    keepPlan(key, plan, store);
    return {};
  } catch (const std::exception& thrown) {
    return Status::unsupported(std::string("cuDNN: ") + thrown.what());
  }
}

int deviceIndex(const CudnnDevice& device) {
  return device.facts != nullptr ? device.facts->index : 0;
}

}  // namespace

std::string cudnnVersion(std::string& reason) {
  if (Status failure = openCudnn(); !failure.ok()) {
    reason = failure.text;
    return {};
  }
  const size_t version = fe::detail::get_backend_version();
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

Status makeCudnnConvolution(const CudnnDevice& device, const ConvolutionDescription& description, ArtifactStore& store,
                            std::unique_ptr<Operation>& operation) {
  Plan plan;
  const bool precise = description.type == ElementType::kFloat && description.math == MathMode::kPrecise;
  if (Status failure = makePlan(
          device, description.key(), precise, store,
          [&](fe::graph::Graph& made) { return convolutionGraph(description, made); }, plan);
      !failure.ok())
    return failure;
  operation = std::make_unique<CudnnOperation>(std::move(plan), deviceIndex(device),
                                               size_t{3} + description.epilogue.bias + description.epilogue.residual,
                                               device.plansOnly);
  return {};
}

Status makeCudnnAttention(const CudnnDevice& device, const AttentionDescription& description, ArtifactStore& store,
                          std::unique_ptr<Operation>& operation) {
  Plan plan;
  if (Status failure = makePlan(
          device, description.key(), false, store,
          [&](fe::graph::Graph& made) { return attentionGraph(description, made); }, plan);
      !failure.ok())
    return failure;
  auto made = std::make_unique<CudnnOperation>(std::move(plan), deviceIndex(device),
                                               size_t{4} + description.mask + description.keyLengths, device.plansOnly);
  if (description.keyLengths) {
    if (Status failure = made->fillQueryLengths(description.batch, description.queries); !failure.ok()) return failure;
  }
  operation = std::move(made);
  return {};
}

}  // namespace cutaway::cuda
