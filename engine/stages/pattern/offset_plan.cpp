// Strategies in turn, the smallest peak wins, the first on a tie; nothing more is tried once the lower bound is
// reached.
//
// Placing buffers with known lifetimes is dynamic storage allocation, which is NP-hard (Garey and Johnson, SR2); greedy
// orders come close on inference graphs (Pisarchyk and Lee 2020; Sekiyama et al., "Profile-guided memory optimization
// for deep neural networks", 2018), and the lower bound tells when one of them is the best there can be.

#include "engine/stages/pattern/offset_plan.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "engine/base/clock.h"
#include "engine/stages/pattern/dense_placement.h"
#include "engine/stages/pattern/local_search.h"

namespace cutaway::pattern {
namespace {

// Pairs of blocks that live at once, up to which they are listed: 50 MB at the most.
constexpr size_t kMostPairs = 2'000'000;
// Conflicts that the strategies may look at together: about a tenth of a second.
constexpr int64_t kMostVisits = 4'000'000;
// With more conflicts than this a peak within half a percent of the bound is good enough: what is left is not worth the
// time.
constexpr int64_t kManyVisits = 200'000;

class OffsetPlanner {
 public:
  OffsetPlanner(std::span<const TimedBlock> blocks, const OffsetOptions& options, const LiveProfile& profile)
      : m_blocks(blocks), m_options(options), m_profile(profile) {
    m_plan.lowerBoundBytes = profile.lowerBoundBytes;
    m_plan.placement.peakBytes = std::numeric_limits<int64_t>::max();
  }

  Result<OffsetPlan> run() {
    // Without pauses the index of gaps gives the very same offsets as looking at all conflicts.
    const bool pauses = std::any_of(m_blocks.begin(), m_blocks.end(),
                                    [](const TimedBlock& block) { return block.life.starts.size() > 1; });
    if (!pauses) attempt("best fit by time", [&] { return placeByTimeWithGaps(m_blocks); });
    if (!finished()) {
      const auto conflicts = Conflicts::build(m_blocks, kMostPairs);
      if (conflicts) m_visitsOfOne = static_cast<int64_t>(conflicts->pairs() * 2 + m_blocks.size());
      if (conflicts && m_visitsOfOne <= kMostVisits) {
        exact(*conflicts, pauses);
      } else {
        dense(pauses);
      }
    }
    if (cancelled()) return fail(cancelledError());
    if (m_chosen < m_plan.strategies.size()) m_plan.strategies[m_chosen].chosen = true;
    return std::move(m_plan);
  }

 private:
  bool cancelled() const { return m_options.progress != nullptr && m_options.progress->cancelled(); }
  bool atBound() const {
    return m_plan.placement.peakBytes - m_profile.lowerBoundBytes <=
           (m_visitsOfOne > kManyVisits ? m_profile.lowerBoundBytes / 200 : 0);
  }
  bool finished() const { return cancelled() || atBound() || (m_options.onlyByTime && !m_plan.strategies.empty()); }

  void attempt(const char* name, const std::function<Placement()>& work) {
    if (finished()) return;
    const Stopwatch watch;
    Placement made = work();
    m_plan.strategies.push_back({name, made.peakBytes, watch.elapsedNs(), false});
    if (made.peakBytes >= m_plan.placement.peakBytes) return;
    m_plan.placement = std::move(made);
    m_chosen = m_plan.strategies.size() - 1;
  }

  void exact(const Conflicts& conflicts, bool pauses) {
    Placer placer(m_blocks, conflicts);
    const auto tryOrder = [&](const char* name, auto&& order, Fit fit) {
      if (placer.visits() + m_visitsOfOne > kMostVisits) return;
      attempt(name, [&] {
        placer.place(order(), 0, fit);
        return placer.placement();
      });
    };
    if (pauses) tryOrder("best fit by time", [&] { return orderByTime(m_blocks); }, Fit::kBest);
    tryOrder("greedy by size", [&] { return orderBySize(m_blocks); }, Fit::kFirst);
    tryOrder("greedy by breadth", [&] { return orderByBreadth(m_blocks, m_profile.liveBytes); }, Fit::kFirst);
    tryOrder("around the peak", [&] { return orderAroundPeak(m_blocks, m_profile.peakStep); }, Fit::kFirst);
    tryOrder("greedy by size times lifetime", [&] { return orderByArea(m_blocks); }, Fit::kFirst);
    tryOrder("greedy by lifetime", [&] { return orderByLifetime(m_blocks); }, Fit::kFirst);
    tryOrder("first fit by time", [&] { return orderByTime(m_blocks); }, Fit::kFirst);
    tryOrder("best fit by size", [&] { return orderBySize(m_blocks); }, Fit::kBest);
    tryOrder("best fit by breadth", [&] { return orderByBreadth(m_blocks, m_profile.liveBytes); }, Fit::kBest);
    tryOrder("best fit by lifetime", [&] { return orderByLifetime(m_blocks); }, Fit::kBest);
    if (m_options.effort <= 0) return;
    attempt("local search", [&] {
      Placement improved = m_plan.placement;
      improvePlacement(m_blocks, conflicts, m_profile.lowerBoundBytes, m_options.effort, m_options.progress, improved);
      return improved;
    });
  }

  void dense(bool pauses) {
    if (pauses) attempt("best fit by time", [&] { return placeByTimeWithGaps(m_blocks); });
    attempt("skyline by lifetime", [&] { return placeOnSkyline(m_blocks, orderByLifetime(m_blocks)); });
    attempt("skyline by size times lifetime", [&] { return placeOnSkyline(m_blocks, orderByArea(m_blocks)); });
    attempt("skyline by size", [&] { return placeOnSkyline(m_blocks, orderBySize(m_blocks)); });
    attempt("skyline by breadth",
            [&] { return placeOnSkyline(m_blocks, orderByBreadth(m_blocks, m_profile.liveBytes)); });
  }

  std::span<const TimedBlock> m_blocks;
  const OffsetOptions& m_options;
  const LiveProfile& m_profile;
  OffsetPlan m_plan;
  size_t m_chosen = 0;
  int64_t m_visitsOfOne = 0;  // conflicts that one strategy looks at
};

}  // namespace

Result<OffsetPlan> planOffsets(std::span<const TimedBlock> blocks, const OffsetOptions& options) {
  CUTAWAY_TRY(const LiveProfile profile, liveProfile(blocks));
  if (blocks.empty()) return OffsetPlan{};
  return OffsetPlanner(blocks, options, profile).run();
}

}  // namespace cutaway::pattern
