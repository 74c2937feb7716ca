#pragma once
// The contract every execution provider fulfils.
//
// The partition stage asks providers in the user's order: capability() says which of the free nodes a provider takes (single nodes by kernel, or groups with a MetaDef that it will
// compile) and why it refuses the others. Groups are taken whole or not at all. compile() turns claimed groups into kernels.
// Thread rule: one session calls a provider from one thread at a time while it is set up; kernels and copy() may run on many threads.
// Example: providers/skeleton is a commented provider to clone.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/provider/kernel.h"
#include "engine/report/partition_report.h"  // RefusalCause: the words of an answer are the words of the report

namespace cutaway {

using ProviderOptions = std::map<std::string, std::string>;

// Group of nodes offered to be fused. Values are those of the graph asked about.
struct MetaDef {
  std::string name;    // stable between runs and unique within the model; the partition stage appends a counter
  std::string domain;  // empty: the provider's name
  std::vector<ValueId> inputs;     // in the order the fused node will have; constants may be left out when they are embedded
  std::vector<ValueId> outputs;
};

struct IndexedSubGraph {
  std::vector<NodeId> nodes;
  std::optional<MetaDef> metaDef;  // none: a single node run by a registered kernel
};

struct ComputeCapability {
  IndexedSubGraph subGraph;
};

struct Refusal {
  NodeId node;
  RefusalCause cause = RefusalCause::kOther;
  std::string reason;
};

struct CapabilityAnswer {
  std::vector<ComputeCapability> claims;
  std::vector<Refusal> refusals;  // nodes that are in neither list count as refused with kOther, "the provider gave no reason"
};

// What a provider is asked about. `free` are the nodes nobody has taken, in topological order.
struct CapabilityRequest {
  const Model& model;
  const Graph& graph;
  std::span<const NodeId> free;
  const Progress& progress;
};

// A claimed group as compile() receives it: its nodes cut out as a graph of their own, whose inputs and outputs are the fused node's in MetaDef order; constants are initializers of it.
struct FusedSubGraph {
  std::string fusedName;  // name of the fused node
  const Model& model;
  Graph graph;
};

struct CompiledNode {
  std::shared_ptr<const Kernel> kernel;
  std::vector<InplaceHint> inplace;
};

// An edit that a provider wants on nodes it has taken, before plans are made (fusing an activation into its convolution, choosing a blocked layout).
struct ProviderRewrite {
  std::string note;
  std::vector<OriginId> origins;
  std::string name;
};

class ExecutionProvider {
 public:
  virtual ~ExecutionProvider() = default;

  virtual const std::string& name() const = 0;  // as users write it in --providers: "cpu"
  virtual const Device& device() const = 0;
  virtual Allocator& allocator() = 0;
  // nullptr: compiles everything it claims.
  virtual const KernelRegistry* kernels() const { return nullptr; }
  // The default claims every free node for which kernels() has a row of its operator, version and types, and refuses the others with the reason.
  virtual Result<CapabilityAnswer> capability(const CapabilityRequest& request);
  // One result per group, in order. EP_FAIL gives the group back to the next provider.
  virtual Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress);
  // Called once after partitioning, on the graph with all assignments. Nodes of other providers must not be touched; new nodes must carry this provider's name, and types of new values must be set.
  virtual Result<std::vector<ProviderRewrite>> rewriteAssigned(Model& model, Graph& graph, int optimizationLevel);
  // Copies between this provider's device and the host (or within the device); sizes are equal.
  virtual Result<void> copy(const Tensor& from, Tensor& to) const;
};

struct ProviderStatus {
  bool usable = true;
  std::string version;
  std::string reason;  // why not usable, and what to do about it
};

struct ProviderEntry {
  std::string name;
  std::string displayName;
  std::string description;
  ProviderStatus (*probe)() = nullptr;
  Result<std::unique_ptr<ExecutionProvider>> (*create)(const ProviderOptions& options) = nullptr;
};

// The built providers; made in app/ only. `cpu` is always among them.
using ProviderTable = std::vector<ProviderEntry>;

}  // namespace cutaway
