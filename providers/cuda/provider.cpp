#include "providers/cuda/provider.h"

#include <algorithm>

#include "providers/cuda/artifact_file.h"
#include "providers/cuda/artifact_memory.h"
#include "providers/cuda/context.h"
#include "providers/cuda/device.h"
#include "providers/cuda/emulator/emulator.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/groups.h"
#include "providers/cuda/kernels/kernel_table.h"
#include "providers/cuda/library.h"
#include "providers/cuda/rewrite/rewrite_table.h"

namespace cutaway {
namespace cuda {
namespace {

constexpr const char* kName = "cuda";
// Where no device says its own figures: those of an H100 (SXM), so that plans made without a GPU mean something.
constexpr DeviceSpeed kH100{.flopsPerSecond = 67e12,
                            .memoryBytesPerSecond = 3.35e12,
                            .linkBytesPerSecond = 50e9,
                            .launchNs = 4000,
                            .transferNs = 8000};

DeviceSpeed speedOf(const DeviceBackend* backend) {
  if (backend == nullptr || backend->facts().emulated) return kH100;
  const DeviceFacts& facts = backend->facts();
  const auto known = [](double said, double otherwise) { return said > 0 ? said : otherwise; };
  return {.flopsPerSecond = known(facts.flopsPerSecond, kH100.flopsPerSecond),
          .memoryBytesPerSecond = known(facts.memoryBytesPerSecond, kH100.memoryBytesPerSecond),
          .linkBytesPerSecond = known(facts.linkBytesPerSecond, kH100.linkBytesPerSecond),
          .launchNs = kH100.launchNs,
          .transferNs = kH100.transferNs};
}

class CudaProvider final : public ExecutionProvider {
 public:
  // unusable: why nothing can run here; empty: it can.
  CudaProvider(std::shared_ptr<GpuResources> resources, std::string unusable)
      : m_resources(std::move(resources)),
        m_unusable(std::move(unusable)),
        m_looking(std::make_shared<GpuResources>(nullptr, m_resources->options(), std::make_shared<ArtifactMemory>())),
        m_allocator(m_resources),
        m_kernels(kernelTables(), m_resources.get()),
        m_rules(kernelTables(), m_looking.get()) {}

  const std::string& name() const override { return m_name; }
  const Device& device() const override { return m_allocator.device(); }
  Allocator& allocator() override { return m_allocator; }
  std::vector<std::string> deviceWords() const override { return {"gpu", "cuda", "gpu:nvidia"}; }
  const KernelRegistry* kernels() const override { return &m_kernels; }
  LayoutPreference preferredLayout() const override {
    return m_resources->options().nhwc ? LayoutPreference::kNhwc : LayoutPreference::kNchw;
  }
  std::optional<DeviceSpeed> speed() const override { return speedOf(m_resources->backend()); }

  // A kernel's factory is its rule: what it refuses is refused here, with its words.
  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    CUTAWAY_TRY(CapabilityAnswer answer, ExecutionProvider::capability(request));
    std::vector<ComputeCapability> claims;
    for (ComputeCapability& claim : answer.claims) {
      if (request.progress.cancelled()) return fail(cancelledError());
      const NodeId id = claim.subGraph.nodes.front();
      if (std::optional<Refusal> no = objection(request.graph, id)) {
        answer.refusals.push_back(*std::move(no));
      } else {
        claims.push_back(std::move(claim));
      }
    }
    answer.claims = std::move(claims);
    if (!m_resources->options().groups) return answer;
    return groupAnswer(request, m_rules, std::move(answer));
  }

  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override {
    std::vector<CompiledNode> compiled;
    for (const FusedSubGraph& group : groups) {
      if (progress.cancelled()) return fail(cancelledError());
      auto kernel = GroupKernel::create(group.graph, *m_resources, std::make_shared<ArtifactMemory>());
      if (!kernel)
        return fail(ErrorCode::kEpFail, "the group '{}' cannot be compiled: {}", group.fusedName,
                    kernel.error().message);
      compiled.push_back({.kernel = *std::move(kernel), .inplace = {}});
    }
    return compiled;
  }

  ContextSupport contextSupport() const override {
    if (m_resources->backend() == nullptr)
      return {.kind = ContextKind::kNone,
              .reason = fmt::format("cuda cannot run here: {}", m_unusable),
              .sdkVersion = {},
              .hardware = {}};
    return cuda::contextSupport(m_resources->backend()->facts());
  }
  Result<context_binary::ContextPartition> exportContext(const ContextExport& compiled, const Progress&) override {
    return exportGroup(compiled);
  }
  Result<CompiledNode> restoreContext(const ContextRestore& stored, const Progress& progress) override {
    return restoreGroup(stored, *m_resources, progress);
  }
  std::string compatibilityInfo() const override {
    return m_resources->backend() == nullptr ? std::string() : cuda::compatibilityInfo(m_resources->backend()->facts());
  }
  CompatibilityVerdict checkCompatibility(std::string_view info) const override {
    if (m_resources->backend() == nullptr)
      return {ContextCompatibility::kUnsupported, fmt::format("cuda cannot run here: {}", m_unusable)};
    return cuda::checkCompatibility(info, m_resources->backend()->facts());
  }

  // Chains need a compiler on the backend, or the emulator's interpreter; to look, they are formed as if it were
  // there.
  Result<std::vector<ProviderRewrite>> rewriteAssigned(Model& model, Graph& graph, int optimizationLevel) override {
    const DeviceBackend* backend = m_resources->backend();
    const bool chains = backend == nullptr || backend->facts().emulated || !backend->facts().compilerVersion.empty();
    return rewriteGraph({.model = model,
                         .graph = graph,
                         .provider = m_name,
                         .level = optimizationLevel,
                         .options = m_resources->options(),
                         .kernels = &m_rules,
                         .chains = chains});
  }

  Result<void> copy(const Tensor& from, Tensor& to) const override {
    const bool up = from.device().type == DeviceType::kCpu, down = to.device().type == DeviceType::kCpu;
    const CopyKind kind = up ? CopyKind::kToDevice : down ? CopyKind::kToHost : CopyKind::kOnDevice;
    DeviceBackend* backend = m_resources->backend();
    if (backend == nullptr) return fail(ErrorCode::kEpFail, "there is no device to copy to: {}", m_unusable);
    if (Status status = backend->copy(to.mutableData(), from.data(), static_cast<size_t>(from.sizeBytes()), kind,
                                      m_resources->setupStream());
        !status.ok())
      return fail(asError(status, "a copy"));
    if (Status status = backend->synchronize(m_resources->setupStream()); !status.ok())
      return fail(asError(status, "a copy"));
    return {};
  }

  bool canRun() const override { return m_resources->backend() != nullptr; }
  std::unique_ptr<ProviderRun> createRun() override {
    if (m_resources->backend() == nullptr) return nullptr;
    return std::make_unique<GpuRun>(m_resources);
  }

 private:
  std::optional<Refusal> objection(const Graph& graph, NodeId id) const {
    if (!m_resources->options().planOnly && !m_unusable.empty())
      return Refusal{id,
                     RefusalCause::kOther,
                     fmt::format("cuda cannot run here: {}", m_unusable),
                     "device",
                     "none",
                     "a backend with an NVIDIA GPU, or looking without running"};
    const auto made = m_rules.create(KernelInfo(graph, id));
    if (made) return std::nullopt;
    return Refusal{id, RefusalCause::kOther, made.error().message, "kernels." + graph.node(id).opType, {}, {}};
  }

  std::string m_name = kName;
  std::shared_ptr<GpuResources> m_resources;
  std::string m_unusable;
  std::shared_ptr<GpuResources> m_looking;
  DeviceAllocator m_allocator;
  KernelRegistry m_kernels, m_rules;
};

Result<std::unique_ptr<ExecutionProvider>> create(const ProviderRequest& request) {
  CUTAWAY_TRY(CudaOptions options, readOptions(request.options));
  options.planOnly = request.purpose == ProviderPurpose::kPlan;
  options.groups = options.groups || request.exportsContexts;
  std::shared_ptr<DeviceBackend> backend;
  std::string unusable;
  if (options.backend == "emulator") {
    CUTAWAY_TRY(const InjectedFailures failures, readInjectedFailures(options.failures));
    const HostBlocks blocks = options.blocks == "forward"    ? HostBlocks::kForward
                              : options.blocks == "backward" ? HostBlocks::kBackward
                                                             : HostBlocks::kSingle;
    backend = makeEmulator({.device = options.device,
                            .strict = options.strict,
                            .blocks = blocks,
                            .memoryLimitBytes = options.memoryLimitBytes,
                            .libraries = options.libraries,
                            .failures = failures});
  } else if (const Library& library = cudaLibrary(); library.backends == nullptr || library.devices.empty()) {
    unusable = library.reason;
  } else {
    std::unique_ptr<DeviceBackend> opened;
    if (Status status = library.backends->open(options.device, opened); !status.ok())
      unusable = status.text;
    else
      opened->searchAlgorithms(options.search);
    backend = std::move(opened);
  }
  const bool kept = options.cacheFolder != "off" && options.backend != "emulator";
  auto artifacts =
      std::make_shared<ArtifactMemory>(!kept                         ? std::filesystem::path()
                                       : options.cacheFolder.empty() ? userArtifactFolder()
                                                                     : std::filesystem::path(options.cacheFolder));
  return std::make_unique<CudaProvider>(
      std::make_shared<GpuResources>(std::move(backend), std::move(options), std::move(artifacts)),
      std::move(unusable));
}

ProviderStatus probe() {
  const Library& library = cudaLibrary();
  if (library.devices.empty()) return {.usable = false, .version = {}, .reason = library.reason};
  const DeviceFacts& first = library.devices.front();
  return {.usable = true,
          .version = fmt::format("CUDA {}, {} ({})", first.runtimeVersion, first.name, first.architecture),
          .reason = {}};
}

}  // namespace
}  // namespace cuda

ProviderEntry cudaProvider() {
  return {.name = cuda::kName,
          .displayName = "CUDA",
          .description = "kernels, cuBLASLt and cuDNN on NVIDIA GPUs",
          .probe = cuda::probe,
          .create = cuda::create,
          .plansWithout = true,
          .onnxruntime = {{.name = "CUDAExecutionProvider", .device = "gpu"}},
          .contextSources = {{.name = cuda::kName, .title = "CUDA"}}};
}

}  // namespace cutaway
