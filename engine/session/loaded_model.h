#pragma once
// The model as it was loaded, behind a snapshot of its walk: who studies it need not read the file again.
//
// Sessions that are looked at (plan-only ones, and those that keep the optimised model) have it where a cost of the
// main graph is open, as long as they live. Thread rule: any thread. Example:
//   if (const auto model = session::loadedModelOf(*walk)) CUTAWAY_TRY(formulas, study::modelFormulas(*model, {}, p));

#include <map>
#include <memory>
#include <mutex>

#include "engine/graph/model.h"
#include "engine/report/walk_report.h"

namespace cutaway::session {

// Held by the session: the model can be asked for by every snapshot with these costs while it stands.
class KeptModel {
 public:
  KeptModel(std::shared_ptr<const CostReport> costs, std::shared_ptr<const Model> model) : m_costs(std::move(costs)) {
    const std::lock_guard lock(all().mutex);
    all().models.emplace(m_costs.get(), std::move(model));
  }
  ~KeptModel() {
    Models::node_type last;  // goes behind the lock
    const std::lock_guard lock(all().mutex);
    last = all().models.extract(m_costs.get());
  }
  KeptModel(const KeptModel&) = delete;
  KeptModel& operator=(const KeptModel&) = delete;

  static std::shared_ptr<const Model> find(const CostReport* costs) {
    const std::lock_guard lock(all().mutex);
    const auto found = all().models.find(costs);
    return found == all().models.end() ? nullptr : found->second;
  }

 private:
  using Models = std::map<const CostReport*, std::shared_ptr<const Model>>;
  struct All {
    std::mutex mutex;
    Models models;
  };
  static All& all() {
    static All all;
    return all;
  }

  std::shared_ptr<const CostReport> m_costs;  // no other report gets this address meanwhile
};

// Without binaries of context nodes; weights are shared. nullptr: nobody keeps it.
inline std::shared_ptr<const Model> loadedModelOf(const WalkReport& walk) {
  return KeptModel::find(walk.loadedCosts.get());
}

}  // namespace cutaway::session
