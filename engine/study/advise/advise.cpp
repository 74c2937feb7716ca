#include "engine/study/advise/advise.h"

#include <algorithm>
#include <array>

#include "engine/base/clock.h"
#include "engine/stages/load/load.h"
#include "engine/study/advise/advisor.h"
#include "engine/study/advise/figures.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::study {

#define CUTAWAY_UNIT(name) const Advisor& advisor_##name();
#include "advisor_table.inc"
#undef CUTAWAY_UNIT

std::span<const Advisor* const> advisors() {
  static const std::array kAdvisors = {
#define CUTAWAY_UNIT(name) &advisor_##name(),
#include "advisor_table.inc"
#undef CUTAWAY_UNIT
  };
  return kAdvisors;
}

namespace {

constexpr double kLeastShare = 0.01;  // a gain below this is none

bool isSimulated(const WalkReport& walk) {
  return std::ranges::any_of(walk.partition->providers,
                             [](const ProviderSummary& each) { return each.simulated && each.claimedNodes > 0; });
}

double aimedShare(const Advice& advice, const std::vector<AdviceMeasure>& aims) {
  double share = 0;
  for (const AdviceFigure& gain : advice.gains)
    if (std::ranges::find(aims, gain.measure) != aims.end()) share = std::max(share, shareOf(gain));
  return share;
}

class Adviser {
 public:
  Adviser(const AdviseRequest& request, const ProviderTable& table, Progress& progress)
      : m_request(request), m_table(table), m_progress(progress), m_last(lastResort(table)) {}

  Result<Advised> run() {
    const Stopwatch watch;
    m_progress.begin("Advice", "walking the model as it is");
    Progress quiet(m_progress.token());
    CUTAWAY_TRY(load::LoadResult loaded, load::load(m_request.source, {}, quiet));
    m_model = std::make_shared<const Model>(std::move(loaded.model));
    CUTAWAY_TRY(const auto session, walk(m_request.options));
    const std::shared_ptr<const WalkReport> now = session->report();
    m_figures = adviceFigures(*now, m_last);
    AdviceReport& report = m_advised.report;
    report.settings = session::configurationLine(session::configurationOf(m_request.options), m_table);
    report.figures = m_figures;
    CUTAWAY_CHECK(askAdvisors(*session, *now));
    if (m_request.cure && now->partition->providers.size() > 1 && m_figures.front().before > 0)
      CUTAWAY_CHECK(addCure());
    std::ranges::stable_sort(report.advice, std::greater<>(), &Advice::share);
    report.timeNs = watch.elapsedNs();
    return std::move(m_advised);
  }

 private:
  Result<std::unique_ptr<session::Session>> walk(session::SessionOptions options) {
    options.lastStage = Stage::kPattern;
    options.prepareRun = false;
    options.keepOptimized = false;
    Progress quiet(m_progress.token());  // its stages are not those that the user waits for
    return session::Session::create(load::ModelSource::loaded(m_model), options, m_table, quiet);
  }

  Result<void> askAdvisors(const session::Session& session, const WalkReport& now) {
    const AdviceContext context{.options = m_request.options,
                                .model = session.model(),
                                .walk = now,
                                .last = m_last,
                                .othersAsked = now.partition->providers.size() > 1};
    std::vector<std::pair<const Advisor*, std::vector<Suggestion>>> all;
    size_t count = 0;
    for (const Advisor* advisor : advisors()) {
      all.emplace_back(advisor, advisor->suggest(context));
      count += all.back().second.size();
    }
    size_t done = 0;
    for (const auto& [advisor, suggestions] : all) {
      std::vector<Advice> found;
      for (const Suggestion& suggestion : suggestions) {
        if (m_progress.cancelled()) return fail(cancelledError());
        m_progress.begin("Advice", fmt::format("{} of {}: {}", done + 1, count, suggestion.title));
        m_progress.update(done++, count);
        if (std::optional<Advice> advice = tryOne(*advisor, suggestion)) found.push_back(*std::move(advice));
      }
      if (m_progress.cancelled()) return fail(cancelledError());
      keep(*advisor, std::move(found));
    }
    m_progress.update(count, count);
    return {};
  }

  std::optional<Advice> tryOne(const Advisor& advisor, const Suggestion& suggestion) {
    const auto attempt = [&](std::string outcome) {
      m_advised.report.attempts.push_back({std::string(advisor.name), suggestion.title, std::move(outcome)});
      return std::optional<Advice>();
    };
    session::SessionOptions options = m_request.options;
    if (const Result<void> applied = suggestion.change.applyTo(options, m_table); !applied)
      return attempt("not possible: " + applied.error().message);
    ++m_advised.report.walks;
    const auto session = walk(options);
    if (!session) return attempt("the walk failed: " + session.error().message);
    const std::shared_ptr<const WalkReport> walk = (*session)->report();
    if (!walk->partition) return attempt("the walk has no partition");
    Advice advice{.advisor = std::string(advisor.name),
                  .title = suggestion.title,
                  .reason = suggestion.reason,
                  .consequence = suggestion.consequence,
                  .settings = session::configurationLine(suggestion.change, m_table),
                  .assumed = suggestion.assumed,
                  .simulated = isSimulated(*walk),
                  .gains = {},
                  .costs = {},
                  .proof = "the model was walked again with it"};
    compareFigures(m_figures, adviceFigures(*walk, m_last), advice);
    advice.share = aimedShare(advice, suggestion.aims);
    if (advice.share < kLeastShare) return attempt("nothing gained");
    return advice;
  }

  void keep(const Advisor& advisor, std::vector<Advice> found) {
    std::ranges::stable_sort(found, std::greater<>(), &Advice::share);
    const std::string best = found.empty() ? std::string() : found.front().title;
    for (size_t i = 0; i < found.size(); ++i) {
      if (advisor.alternatives && i > 0)
        m_advised.report.attempts.push_back({found[i].advisor, found[i].title, "less than " + best});
      else
        m_advised.report.advice.push_back(std::move(found[i]));
    }
  }

  Result<void> addCure() {
    Result<Cure> cure = findCure({.source = load::ModelSource::loaded(m_model),
                                  .options = m_request.options,
                                  .provider = {},
                                  .seed = m_request.seed,
                                  .compile = false},
                                 m_table, m_progress);
    if (m_progress.cancelled()) return fail(cancelledError());
    if (!cure) {
      m_advised.report.warnings.push_back("changes of the model were not looked for: " + cure.error().message);
      return {};
    }
    const CureReport& report = cure->report;
    m_advised.report.walks += report.askings;
    for (size_t i = 0; i < report.proposals.size(); ++i)
      addProposal(report.proposals[i], static_cast<int32_t>(i), report.simulated);
    if (report.steps.size() > 1) addSteps(report);
    for (const CureAttempt& each : report.attempts)
      m_advised.report.attempts.push_back({"refused nodes", each.title, each.outcome});
    m_advised.cure = *std::move(cure);
    return {};
  }

  void addProposal(const CureProposal& proposal, int32_t number, bool simulated) {
    if (!proposal.proof.agrees) {
      m_advised.report.attempts.push_back({"refused nodes", proposal.title,
                                           proposal.proof.ran
                                               ? "the results differ: " + proposal.proof.note
                                               : "the results were not compared: " + proposal.proof.note});
      return;
    }
    // The same sizes as settings leave the model as it is.
    const bool given = std::ranges::any_of(m_advised.report.advice, [&](const Advice& each) {
      return each.title == proposal.title && !each.settings.empty();
    });
    if (given) return m_advised.report.attempts.push_back({"refused nodes", proposal.title, "settings do the same"});
    Advice advice = cureAdvice(proposal.before, proposal.after, simulated);
    advice.title = proposal.title;
    advice.consequence = proposal.consequence;
    advice.proposal = number;
    advice.assumed = proposal.assumed;
    m_advised.report.advice.push_back(std::move(advice));
  }

  void addSteps(const CureReport& report) {
    Advice advice = cureAdvice(report.before, report.after, report.simulated);
    std::vector<std::string> titles;
    for (const CureProposal& step : report.steps) {
      titles.push_back(step.title);
      advice.assumed = advice.assumed || step.assumed;
    }
    advice.title = fmt::format("{} changes: {}", titles.size(), fmt::join(titles, "; "));
    advice.allSteps = true;
    m_advised.report.advice.push_back(std::move(advice));
  }

  static Advice cureAdvice(const CureFigures& before, const CureFigures& after, bool simulated) {
    Advice advice{.advisor = "refused nodes",
                  .title = {},
                  .reason = "a provider refuses nodes that it takes in another form",
                  .simulated = simulated,
                  .gains = {},
                  .costs = {},
                  .proof = "the provider was asked again, and both models gave the same results on random inputs"};
    const auto figures = [](const CureFigures& each) {
      return std::vector<AdviceFigure>{{AdviceMeasure::kLeftNodes, each.left(), -1},
                                       {AdviceMeasure::kCopies, each.copies, -1}};
    };
    compareFigures(figures(before), figures(after), advice);
    advice.share = aimedShare(advice, {AdviceMeasure::kLeftNodes, AdviceMeasure::kCopies});
    return advice;
  }

  const AdviseRequest& m_request;
  const ProviderTable& m_table;
  Progress& m_progress;
  const std::string m_last;
  std::shared_ptr<const Model> m_model;
  std::vector<AdviceFigure> m_figures;
  Advised m_advised;
};

}  // namespace

Result<Advised> advise(const AdviseRequest& request, const ProviderTable& table, Progress& progress) {
  const HeapLimit limit(request.options.memoryLimitBytes);
  return Adviser(request, table, progress).run();
}

}  // namespace cutaway::study
