#include "engine/plan/plan_variants.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/base/format.h"
#include "engine/report/walk_report.h"

namespace cutaway::plan {
namespace {

bool uses(const allocate::AllocationPlan& plan, std::initializer_list<AllocRule> rules) {
  return std::any_of(plan.values.begin(), plan.values.end(), [&](const allocate::AllocPlanPerValue& value) {
    return std::find(rules.begin(), rules.end(), value.rule) != rules.end();
  });
}
bool takesFreeBuffers(const allocate::AllocationPlan& plan) {
  return uses(plan, {AllocRule::kFreeBuffer, AllocRule::kLargerBuffer}) ||
         std::any_of(plan.values.begin(), plan.values.end(), [](const allocate::AllocPlanPerValue& value) {
           return value.rule == AllocRule::kNone && value.kind == AllocKind::kReuse && !value.inPlace;
         });
}
bool hasParts(const allocate::AllocationPlan& plan) {
  return uses(plan, {AllocRule::kPart, AllocRule::kSplitPart});
}

size_t unplannedBuffers(const allocate::AllocationPlan& plan, const pattern::MemoryPatternGroup& pattern) {
  size_t count = 0;
  for (size_t i = 0; i < plan.values.size(); ++i)
    count +=
        plan.values[i].kind == AllocKind::kAllocate && plan.values[i].root == ValueId{i} && pattern.blocks[i].offset < 0
            ? 1
            : 0;
  return count;
}

struct Variant {
  bool reuse = true;
  bool parts = true;
};

class VariantPlanner {
 public:
  explicit VariantPlanner(const VariantRequest& request) : m_request(request) {}

  Result<VariantPlan> run() {
    const Variant asked{m_request.allocate.memoryReuse, m_request.allocate.parts};
    CUTAWAY_CHECK(attempt(asked));
    if (m_request.vary) CUTAWAY_CHECK(tryOthers(asked));
    CUTAWAY_CHECK(addReasons());
    m_best.trials = std::move(m_trials);
    m_best.trials[m_chosen].chosen = true;
    m_best.allocateNs = m_allocateNs;
    m_best.patternNs = m_patternNs;
    return std::move(m_best);
  }

 private:
  Result<void> tryOthers(Variant asked) {
    m_first = {takesFreeBuffers(m_best.allocation), hasParts(m_best.allocation)};
    const bool largerBuffers = uses(m_best.allocation, {AllocRule::kLargerBuffer});
    // At the bound, with buffers of just the size that is needed, lives that are tied together cost nothing.
    if (asked.reuse && m_first.reuse && (m_trials.back().peakBytes > m_trials.back().lowerBoundBytes || largerBuffers))
      CUTAWAY_CHECK(attempt({false, asked.parts}));
    if (!asked.parts || !m_first.parts) return {};
    CUTAWAY_CHECK(attempt({asked.reuse, false}));
    if (asked.reuse && m_first.reuse && m_trials.back().peakBytes > m_trials.back().lowerBoundBytes)
      CUTAWAY_CHECK(attempt({false, false}));
    return {};
  }

  allocate::AllocateOptions optionsFor(Variant variant) const {
    allocate::AllocateOptions options = m_request.allocate;
    options.memoryReuse = variant.reuse;
    options.sharedByOffsets = m_request.allocate.memoryReuse && !variant.reuse;
    options.parts = variant.parts;
    return options;
  }

  Result<void> attempt(Variant variant) {
    allocate::AllocateOptions options = optionsFor(variant);
    if (!m_trials.empty()) options.traceReasons = false;
    const Stopwatch allocating;
    CUTAWAY_TRY(allocate::AllocationPlan allocation,
                cutaway::allocate::allocate(m_request.graph, m_request.order, m_request.hints, options));
    m_allocateNs += allocating.elapsedNs();
    const Stopwatch placing;
    CUTAWAY_TRY(pattern::MemoryPatternGroup pattern,
                pattern::planPattern(m_request.graph, m_request.order, allocation, m_request.sizes, m_request.pattern));
    m_patternNs += placing.elapsedNs();
    VariantTrial trial;
    trial.takesFreeBuffers = variant.reuse;
    trial.joinsInPlace = variant.parts;
    for (const pattern::MemoryPattern& each : pattern.patterns) {
      trial.peakBytes += each.peakBytes;
      trial.lowerBoundBytes += each.lowerBoundBytes;
    }
    m_trials.push_back(trial);
    // Buffers of unknown size come from the arena: a plan with more of them only seems smaller.
    const size_t unplanned = unplannedBuffers(allocation, pattern);
    if (m_trials.size() > 1 && (trial.peakBytes >= m_best.peakBytes || unplanned > m_unplanned)) return {};
    m_unplanned = unplanned;
    m_best.allocation = std::move(allocation);
    m_best.pattern = std::move(pattern);
    m_best.peakBytes = trial.peakBytes;
    m_chosen = m_trials.size() - 1;
    m_chosenVariant = variant;
    return {};
  }

  // Trials are made without sentences; the plan that is kept gets them.
  Result<void> addReasons() {
    if (m_chosen == 0 || !m_request.allocate.traceReasons) return {};
    const Stopwatch watch;
    m_best.allocation = {};  // two of them at once would be the most that a walk of a large model holds
    CUTAWAY_TRY(m_best.allocation, cutaway::allocate::allocate(m_request.graph, m_request.order, m_request.hints,
                                                               optionsFor(m_chosenVariant)));
    m_allocateNs += watch.elapsedNs();
    return {};
  }

  const VariantRequest& m_request;
  VariantPlan m_best;
  Variant m_chosenVariant;
  Variant m_first;  // what the plan that was asked for makes use of
  std::vector<VariantTrial> m_trials;
  size_t m_chosen = 0;
  size_t m_unplanned = 0;  // buffers of the best plan that are not in its pattern
  int64_t m_allocateNs = 0;
  int64_t m_patternNs = 0;
};

}  // namespace

Result<VariantPlan> planBestVariant(const VariantRequest& request) {
  return VariantPlanner(request).run();
}

std::string describeTrials(const std::vector<VariantTrial>& trials) {
  if (trials.size() < 2) return {};
  // Only what differs is said.
  const bool reuseDiffers = std::any_of(trials.begin(), trials.end(), [&](const VariantTrial& trial) {
    return trial.takesFreeBuffers != trials.front().takesFreeBuffers;
  });
  const bool partsDiffer = std::any_of(trials.begin(), trials.end(), [&](const VariantTrial& trial) {
    return trial.joinsInPlace != trials.front().joinsInPlace;
  });
  const auto nameOf = [&](const VariantTrial& trial) {
    const std::string reuse =
        reuseDiffers ? (trial.takesFreeBuffers ? "reusing free buffers" : "a buffer for every value") : "";
    const std::string parts =
        partsDiffer ? (trial.joinsInPlace ? "joins and splits in place" : "joins and splits copied") : "";
    return reuse + (reuseDiffers && partsDiffer ? ", " : "") + parts;
  };
  std::string chosen, others;
  for (const VariantTrial& trial : trials) {
    std::string text = fmt::format("{} {}", formatBytes(trial.peakBytes), nameOf(trial));
    if (trial.chosen) {
      chosen = std::move(text);
    } else {
      others += "; " + text;
    }
  }
  return fmt::format("{} plans compared, the smallest chosen: {}{}", trials.size(), chosen, others);
}

}  // namespace cutaway::plan
