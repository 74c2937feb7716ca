#pragma once
// A compiled group as a kernel: plans by shapes and number of threads, made when first needed and shared by all frames.
//
// Thread rule: as Kernel. A steady run (same shapes, same number of threads) takes no lock and allocates nothing.
// Example: CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, GroupKernel::create({.graph = std::move(graph), .options =
// options}));

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/provider/kernel.h"
#include "providers/onednn/options.h"
#include "providers/onednn/plan.h"
#include "providers/onednn/weight_store.h"

namespace cutaway::onednn {

// What a group is made of; the last four come from a context.
struct GroupSource {
  Graph graph{};  // with its constants; in a restored group some have no numbers (hasNumbers)
  Options options;
  std::vector<StoredWeight> stored{};  // keys: value indexes
  std::shared_ptr<const void> keepAlive{};
  std::vector<uint8_t> fusedLinks{};  // of the plan that was exported
  bool trusted = true;
};

class GroupKernel final : public Kernel {
 public:
  // Builds the plan at once where all shapes are known; NOT_IMPLEMENTED when the library cannot.
  static Result<std::shared_ptr<const GroupKernel>> create(GroupSource source);

  Result<void> run(KernelContext& context) const override;
  std::unique_ptr<KernelState> createState() const override;
  std::string_view variant() const override { return m_variant; }
  int64_t packedBytes() const override { return m_weights.packedBytes(); }

  // What a context keeps of it.
  const Graph& graph() const { return m_graph; }
  const Options& options() const { return m_options; }
  std::vector<WeightStore::Entry> packedConstants() const { return m_weights.entries(); }
  // Of the plan made first; nullptr: none was made yet, because shapes are open.
  std::shared_ptr<const Plan> firstPlan() const;

 private:
  explicit GroupKernel(GroupSource source);
  using InputDims = std::vector<std::vector<int64_t>>;
  Result<std::shared_ptr<const Plan>> planFor(const InputDims& dims, int threads) const;

  Result<std::shared_ptr<const Plan>> buildPlan(const InputDims& dims, int threads) const;

  Graph m_graph;
  std::vector<NodeId> m_order;
  Options m_options;
  std::string m_variant;
  std::vector<uint8_t> m_fusedLinks;
  bool m_trusted = true;
  mutable WeightStore m_weights;
  mutable std::mutex m_mutex;
  mutable std::vector<std::shared_ptr<const Plan>> m_plans;  // most recently made last
  mutable std::shared_ptr<const Plan> m_firstPlan;
};

}  // namespace cutaway::onednn
