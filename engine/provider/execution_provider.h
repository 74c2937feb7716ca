#pragma once
// The contract every execution provider fulfils.
//
// The partition stage asks providers in the user's order: capability() says which of the free nodes a provider takes
// (single nodes by kernel, or groups with a MetaDef that it will compile) and why it refuses the others. Groups are
// taken whole or not at all. compile() turns claimed groups into kernels. Thread rule: one session calls a provider
// from one thread at a time while it is set up; kernels and copy() may run on many threads. Example: providers/skeleton
// is a commented provider to clone.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/provider/kernel.h"
#include "engine/provider/provider_context.h"
#include "engine/provider/provider_entry.h"
#include "engine/provider/provider_rewrite.h"
#include "engine/provider/provider_run.h"
#include "engine/report/partition_report.h"  // RefusalCause: the words of an answer are the words of the report

namespace cutaway {

class GroupNamer;

// Group of nodes offered to be fused. Values are those of the graph asked about.
struct MetaDef {
  std::string name;    // stable between runs and unique within the model; the partition stage appends a counter
  std::string domain;  // empty: the provider's name
  std::vector<ValueId>
      inputs;  // in the order the fused node will have; constants may be left out when they are embedded
  std::vector<ValueId> outputs;
};

struct IndexedSubGraph {
  std::vector<NodeId> nodes;
  Boxed<MetaDef> metaDef;  // none: a single node run by a registered kernel
};

struct ComputeCapability {
  IndexedSubGraph subGraph;
};

struct Refusal {
  NodeId node;
  RefusalCause cause = RefusalCause::kOther;
  std::string reason;
  std::string rule{};  // see ProviderAnswer
  std::string seen{};
  std::string remedy{};
};

struct CapabilityAnswer {
  std::vector<ComputeCapability> claims;
  std::vector<Refusal>
      refusals;  // nodes that are in neither list count as refused with kOther, "the provider gave no reason"
};

// What a provider is asked about. `free` are the nodes nobody has taken and this provider may take, in topological
// order.
struct CapabilityRequest {
  const Model& model;
  const Graph& graph;
  std::span<const NodeId> free;
  const Progress& progress;
  GroupNamer* names = nullptr;  // names for MetaDefs, stable between runs and unique over nested graphs
  // By node index: number of the group taken before that the node is in, -1 for none. Each such group becomes one node,
  // so paths lead through all of it. Empty: there is none.
  std::span<const int32_t> takenGroups{};
};

// A claimed group as compile() receives it: its nodes cut out as a graph of their own, whose inputs and outputs are the
// fused node's in MetaDef order; constants are initializers of it.
struct FusedSubGraph {
  std::string fusedName;  // name of the fused node
  const Model& model;
  Graph graph;
};

struct CompiledNode {
  std::shared_ptr<const Kernel> kernel;
  std::vector<InplaceHint> inplace;
};

// How operators with images prefer them. A provider that wants kNhwc is asked twice: about the graph as it is, and
// again with the layout-sensitive nodes it claimed moved to domain kChannelsLastDomain (channels last in and out,
// Transpose nodes around them where needed); what it does not claim again goes back to what it was.
enum class LayoutPreference : uint8_t { kNchw, kNhwc };
inline constexpr const char* kChannelsLastDomain = "com.ms.internal.nhwc";

// Rough figures for estimates; 0: not known.
struct DeviceSpeed {
  double flopsPerSecond = 0;
  double memoryBytesPerSecond = 0;
  double linkBytesPerSecond = 0;  // to and from the host
  double launchNs = 0;            // per node or fused group
  double transferNs = 0;          // per copy, beside its bytes
};

class ExecutionProvider {
 public:
  virtual ~ExecutionProvider() = default;

  virtual const std::string& name() const = 0;  // as users write it in --providers: "cpu"
  virtual const Device& device() const = 0;
  virtual Allocator& allocator() = 0;
  // What else its device is called in onnxruntime's layer assignment keys, beside its type: "cuda", "gpu:nvidia".
  virtual std::vector<std::string> deviceWords() const { return {}; }
  // nullptr: compiles everything it claims.
  virtual const KernelRegistry* kernels() const { return nullptr; }
  // The default claims every free node for which kernels() has a row of its operator, version and types, and refuses
  // the others with the reason.
  virtual Result<CapabilityAnswer> capability(const CapabilityRequest& request);
  // One result per group, in order. EP_FAIL gives the group back to the next provider.
  virtual Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress);
  // Called once after partitioning, on the graph with all assignments. Nodes of other providers must not be touched;
  // new nodes must carry this provider's name, and types of new values must be set.
  virtual Result<std::vector<ProviderRewrite>> rewriteAssigned(Model& model, Graph& graph, int optimizationLevel);
  virtual LayoutPreference preferredLayout() const { return LayoutPreference::kNchw; }
  // True: describes hardware that is not here; what it claims runs on the CPU kernels.
  virtual bool simulated() const { return false; }
  // False: its hardware is not here; it plans as if it were (ProviderEntry::plansWithout), and nothing of it can run.
  virtual bool canRun() const { return true; }
  virtual std::optional<DeviceSpeed> speed() const { return std::nullopt; }
  // The session's kernels of last resort (the cpu provider's), given before the first question; for providers that
  // interpret what they claim.
  virtual void useFallbackKernels(const KernelRegistry* /*kernels*/) {}
  // --- EPContext (provider_context.h). The defaults say that there is nothing to keep.
  virtual ContextSupport contextSupport() const;
  // Sections (and notes) of one compiled group; name, source, version, hardware and ports are filled by the caller.
  // EP_FAIL, ENGINE_ERROR, MODEL_LOAD_CANCELED.
  virtual Result<context_binary::ContextPartition> exportContext(const ContextExport& compiled,
                                                                 const Progress& progress);
  // A kernel without compiling. EP_FAIL: the bytes are not what this provider wrote, or its library refuses them;
  // DEVICE_RESET: the device was lost.
  virtual Result<CompiledNode> restoreContext(const ContextRestore& stored, const Progress& progress);
  // Goes into the model's metadata as ep_compatibility_info.<name>; empty: nothing to say.
  virtual std::string compatibilityInfo() const { return {}; }
  virtual CompatibilityVerdict checkCompatibility(std::string_view info) const;
  // Copies between this provider's device and the host (or within the device); sizes are equal.
  virtual Result<void> copy(const Tensor& from, Tensor& to) const;
  // What each frame keeps of a device that works on its own; nullptr: kernels are done when they return.
  virtual std::unique_ptr<ProviderRun> createRun() { return nullptr; }
};

}  // namespace cutaway
