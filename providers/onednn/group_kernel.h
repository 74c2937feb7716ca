#pragma once
// A compiled group as a kernel: plans by shapes and number of threads, made when first needed and shared by all frames.
//
// Thread rule: as Kernel. A steady run (same shapes, same number of threads) takes no lock and allocates nothing.
// Example: CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, GroupKernel::create(std::move(graph), options));

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/provider/kernel.h"
#include "providers/onednn/options.h"
#include "providers/onednn/plan.h"
#include "providers/onednn/weight_store.h"

namespace cutaway::onednn {

class GroupKernel final : public Kernel {
 public:
  // graph: the group with its constants. Builds the plan at once where all shapes are known; NOT_IMPLEMENTED when the library cannot.
  static Result<std::shared_ptr<const Kernel>> create(Graph graph, const Options& options);

  Result<void> run(KernelContext& context) const override;
  std::unique_ptr<KernelState> createState() const override;
  std::string_view variant() const override { return m_variant; }

 private:
  GroupKernel(Graph graph, const Options& options);
  using InputDims = std::vector<std::vector<int64_t>>;
  Result<std::shared_ptr<const Plan>> planFor(const InputDims& dims, int threads) const;

  Graph m_graph;
  std::vector<NodeId> m_order;
  Options m_options;
  std::string m_variant;
  mutable WeightStore m_weights;
  mutable std::mutex m_mutex;
  mutable std::vector<std::shared_ptr<const Plan>> m_plans;  // most recently made last
};

}  // namespace cutaway::onednn
