#pragma once
// A session whose model has inputs with defaults (initializers that are inputs, too). Few callers ever feed one, and
// as constants they can be folded, fused and packed. So the session is made as if they were constants, and once a run
// feeds one, a second session is made of the model as it stands, which serves that run and all later ones.
//
// Thread rule: as Session. Example:
//   return std::make_unique<OverridableSession>(std::move(fixed), std::move(inputs), openAsItStands);

#include <atomic>
#include <functional>
#include <mutex>
#include <unordered_set>

#include "engine/session/session.h"

namespace cutaway::session {

// A session that serves the callers of another one.
class InnerSession : public Session {
 public:
  // Bindings are made for `outer`; places: where this session's inputs lie among those of `outer`.
  virtual void belongTo(const Session& outer, std::vector<size_t> places) = 0;
};

class OverridableSession final : public Session {
 public:
  using Open = std::function<Result<std::unique_ptr<InnerSession>>()>;

  // inputs: of the model as it stands, in its order; fixed knows those without a default only.
  OverridableSession(std::unique_ptr<InnerSession> fixed, std::vector<execute::NamedType> inputs, Open open);

  Result<execute::RunResult> run(const std::vector<execute::Feed>& feeds, const execute::RunOptions& options) override;
  Result<execute::RunResult> run(IoBinding& binding, const execute::RunOptions& options) override;

  std::vector<execute::NamedType> inputs() const override { return m_inputs; }
  std::shared_ptr<const WalkReport> report() const override { return now().report(); }
  const Model& model() const override { return now().model(); }
  std::shared_ptr<const Model> optimizedModel() const override { return now().optimizedModel(); }
  std::vector<execute::NamedType> outputs() const override { return now().outputs(); }
  execute::DeviceFigures devices() const override { return now().devices(); }
  std::shared_ptr<HeapBudget> memoryBudget() const override { return now().memoryBudget(); }
  MemoryBreakdown memory() const override { return now().memory(); }
  ArenaStatistics arena() const override { return now().arena(); }
  PatternCacheStatistics patternCache() const override { return now().patternCache(); }
  std::string executor() const override { return now().executor(); }
  std::string executorReason() const override { return now().executorReason(); }
  int workers() const override { return now().workers(); }
  int threads() const override { return now().threads(); }
  int64_t plannedPeakBytes() const override { return now().plannedPeakBytes(); }
  int64_t lowerBoundBytes() const override { return now().lowerBoundBytes(); }
  int64_t measuredPeakBytes() const override { return now().measuredPeakBytes(); }

 private:
  Session& now() const;
  bool isOpen() const { return m_now.load(std::memory_order_acquire) != m_fixed.get(); }
  bool isDefault(const std::string& name) const;
  Result<void> open();

  std::vector<execute::NamedType> m_inputs;
  std::unique_ptr<InnerSession> m_fixed;
  std::unordered_set<std::string> m_defaults;  // names of inputs that have one
  Open m_open;
  std::mutex m_opening;
  std::unique_ptr<InnerSession> m_asItStands;
  std::atomic<Session*> m_now;
};

}  // namespace cutaway::session
