#pragma once
// EPContext nodes become kernels without compiling: each goes to the provider that its `source` names, and to nobody
// else.
//
// capability() never sees these nodes. A node without a source goes to the first provider with contexts that can
// restore it. What was looked at on the way is told as checks, in order. Thread rule: one partitioning; providers are
// called on the worker of ProviderCalls. Files are opened once, with the first node that a provider is to restore.
// Example:
//   ContextNodes contexts(model, providers, options, progress, calls);
//   CUTAWAY_CHECK(contexts.take(assignments));      // before the first question, and again whenever graphs have
//   changed result.contextNodes = contexts.reports(result.askedGraphs);   // before groups are fused

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/context_binary/context_catalog.h"
#include "engine/report/context_report.h"
#include "engine/stages/partition/assignment.h"
#include "engine/stages/partition/vendor_nodes.h"

namespace cutaway::partition {

class ContextNodes {
 public:
  ContextNodes(std::shared_ptr<Model> model, std::span<const std::unique_ptr<ExecutionProvider>> providers,
               const PartitionOptions& options, Progress& progress, ProviderCalls& calls);
  ~ContextNodes();

  // Restores the nodes that were not known before, marks all as taken by whoever restored them, and writes everybody's
  // answers. Without PartitionOptions::compile nothing is opened, and kernels refuse to run. When options.runnable:
  // NOT_IMPLEMENTED when no provider of the session is a node's source; INVALID_GRAPH, EP_FAIL, NOT_FOUND, DEVICE_RESET
  // ... when one cannot be restored; otherwise the checks tell and the node stays without a provider.
  // MODEL_LOAD_CANCELED.
  Result<void> take(std::span<GraphAssignment> assignments);

  // In order of graphs and nodes, with their places in the graphs as they are now, which `described` tells of.
  std::vector<ContextNodeReport> reports(const ModelGraphs& described) const;

 private:
  struct Entry;
  using Providers = std::span<const std::unique_ptr<ExecutionProvider>>;

  Result<void> restore(const Graph& graph, NodeId id, Entry& entry);
  Result<CompiledNode> restoreWith(const Graph& graph, NodeId id, ExecutionProvider& provider, Entry& entry);
  // nullopt: its bytes are not in the vendor's own form.
  Result<std::optional<CompiledNode>> restoreVendor(const Graph& graph, NodeId id, ExecutionProvider& provider,
                                                    Entry& entry);
  struct VendorProvider {  // one object, seen from both sides
    ExecutionProvider* provider = nullptr;
    VendorContexts* vendor = nullptr;
  };
  Result<CompiledNode> restoreFrom(const Graph& graph, NodeId id, VendorProvider provider, VendorPlace place,
                                   ContextNodeReport& report);
  Result<CompiledNode> callProvider(ExecutionProvider& provider, const context_binary::FoundContext& found,
                                    const Node& node);
  void take(GraphAssignment& assignment, NodeId id, const Entry& entry);
  std::string freeName(const std::string& wanted);

  std::shared_ptr<Model> m_model;  // shared with calls to providers, which may outlive this
  Providers m_providers;
  const PartitionOptions& m_options;
  Progress& m_progress;
  ProviderCalls& m_calls;
  std::vector<std::unique_ptr<context_binary::ContextCatalog>>
      m_catalogs;  // the last one knows every node that is still to be restored
  std::map<std::pair<const Graph*, size_t>, std::unique_ptr<Entry>> m_entries;
  std::map<std::string, int64_t> m_nodesOfName;
};

}  // namespace cutaway::partition
