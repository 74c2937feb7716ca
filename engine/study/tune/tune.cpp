#include "engine/study/tune/tune.h"

#include <algorithm>
#include <ctime>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "engine/base/clock.h"
#include "engine/profile/statistics.h"
#include "engine/session/choice/auto_choice.h"
#include "engine/session/choice/model_key.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::study {
namespace {

constexpr int kMostRounds = 400, kRoundsBeforeDropping = 5;
constexpr double kWorthwhile = 0.98;  // another library takes longer to load and more memory
constexpr double kFarBehind = 1.5;    // its fastest run against the best median

struct Candidate {
  std::unique_ptr<session::Session> session;
  bool isDropped = false;
};

std::string nowText() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

class Tuner {
 public:
  Tuner(const TuneRequest& request, const ProviderTable& table, Progress& progress)
      : m_request(request), m_table(table), m_progress(progress), m_last(lastResort(table)) {}

  Result<session::TunedPlan> run() {
    CUTAWAY_TRY(session::TunedPlan plan, describePlan());
    CUTAWAY_CHECK(makeSessions());
    CUTAWAY_CHECK(measure());
    const size_t taken = fastestList(m_lists, m_runsMs);
    plan.providers = m_lists[taken].providers;
    plan.measured = std::move(m_lists);
    plan.measuredAt = nowText();
    return plan;
  }

 private:
  Result<session::TunedPlan> describePlan() {
    CUTAWAY_TRY(const load::LoadResult loaded, load::load(m_request.source, {}, m_progress));
    session::TunedPlan plan;
    plan.key = session::tunedKey(m_request.options, session::modelKey(loaded.model));
    plan.title = m_request.title;
    return plan;
  }

  Result<std::unique_ptr<session::Session>> sessionOf(const std::vector<std::string>& providers) {
    session::SessionOptions options = m_request.options;
    options.providers = providers;
    options.prepareRun = true;
    options.lastStage = Stage::kPattern;
    return session::Session::create(m_request.source, options, m_table, m_progress);
  }

  // The last provider alone comes first, and must run. One that takes nothing is the same list once more.
  Result<void> makeSessions() {
    CUTAWAY_TRY(auto alone, sessionOf({m_last}));
    CUTAWAY_TRY(m_feeds, session::randomFeeds(*alone, m_request.seed, m_request.options.dims, m_progress.token()));
    m_candidates.push_back({.session = std::move(alone)});
    m_lists.push_back({.providers = {m_last}});
    for (const std::string& name : session::measurableProviders(m_table)) {
      MeasuredList list{.providers = {name, m_last}};
      auto made = sessionOf(list.providers);
      if (m_progress.cancelled()) return fail(cancelledError());
      Candidate candidate;
      if (!made) {
        list.problem = describe(made.error());
      } else if ((*made)->report()->partition->providers.front().claimedNodes == 0) {
        list.problem = fmt::format("{} takes no node of this model", name);
      } else {
        candidate.session = *std::move(made);
      }
      m_candidates.push_back(std::move(candidate));
      m_lists.push_back(std::move(list));
    }
    m_runsMs.resize(m_lists.size());
    if (m_lists.size() == 1)
      return fail(ErrorCode::kInvalidArgument,
                  "there is nothing to measure: besides {} no provider that auto may choose can be used here", m_last);
    return {};
  }

  Result<void> runOnce(size_t which, bool isMeasured) {
    Candidate& candidate = m_candidates[which];
    if (candidate.session == nullptr || candidate.isDropped) return {};
    execute::RunOptions options;
    options.cancel = m_progress.token();
    const auto result = candidate.session->run(m_feeds, options);
    if (m_progress.cancelled()) return fail(cancelledError());
    if (!result && which == 0) return fail(result.error());
    if (!result) {
      m_lists[which].problem = describe(result.error());
      candidate.session.reset();
      m_runsMs[which].clear();
    } else if (isMeasured) {
      m_runsMs[which].push_back(static_cast<double>(result->timeNs) * 1e-6);
    }
    return {};
  }

  Result<void> measure() {
    const size_t count = m_candidates.size();
    for (size_t i = 0; i < 2 * count; ++i)
      CUTAWAY_CHECK(runOnce(i % count, false));
    const Stopwatch watch;
    for (int round = 0; round < kMostRounds; ++round) {
      const bool isLong = static_cast<double>(watch.elapsedNs()) * 1e-9 > m_request.seconds;
      if (isLong && round >= kLeastRounds) break;
      m_progress.begin("Tune", fmt::format("round {}", round + 1));
      for (size_t i = 0; i < count; ++i)
        CUTAWAY_CHECK(runOnce((i + static_cast<size_t>(round)) % count, true));
      if (round + 1 == kRoundsBeforeDropping) dropFarBehind();
    }
    return {};
  }

  void dropFarBehind() {
    double best = profile::statisticsOf(m_runsMs.front()).median;
    for (const std::vector<double>& runs : m_runsMs)
      if (!runs.empty()) best = std::min(best, profile::statisticsOf(runs).median);
    for (size_t i = 1; i < m_candidates.size(); ++i) {
      if (m_runsMs[i].empty() || *std::ranges::min_element(m_runsMs[i]) < kFarBehind * best) continue;
      m_candidates[i].isDropped = true;
      m_candidates[i].session.reset();
    }
  }

  const TuneRequest& m_request;
  const ProviderTable& m_table;
  Progress& m_progress;
  std::string m_last;
  std::vector<execute::Feed> m_feeds;
  std::vector<Candidate> m_candidates;
  std::vector<MeasuredList> m_lists;          // parallel to the candidates
  std::vector<std::vector<double>> m_runsMs;  // likewise
};

}  // namespace

size_t fastestList(std::vector<MeasuredList>& lists, std::span<const std::vector<double>> runsMs) {
  size_t taken = 0;
  const auto tried = std::ranges::count_if(runsMs, [](const auto& runs) { return !runs.empty(); }) - 1;
  for (size_t i = 0; i < lists.size(); ++i) {
    if (runsMs[i].empty()) continue;
    const profile::Statistics times = profile::statisticsOf(runsMs[i]);
    MeasuredList& list = lists[i];
    list.medianMs = times.median;
    list.lowMs = times.medianInterval.low;
    list.highMs = times.medianInterval.high;
    list.runs = times.count;
    if (i == 0) continue;
    list.pValue = profile::mannWhitneyP(runsMs[0], runsMs[i]);
    const bool beyondChance = list.pValue * static_cast<double>(std::max<int64_t>(tried, 1)) < 0.05;
    if (beyondChance && list.medianMs < kWorthwhile * lists[0].medianMs && list.medianMs < lists[taken].medianMs)
      taken = i;
  }
  return taken;
}

Result<session::TunedPlan> tune(const TuneRequest& request, const ProviderTable& table, Progress& progress) {
  const HeapLimit limit(request.options.memoryLimitBytes);  // all lists that are tried lie in memory together
  return Tuner(request, table, progress).run();
}

}  // namespace cutaway::study
