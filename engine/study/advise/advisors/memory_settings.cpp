// Settings that were switched off and cost memory or nodes.
#include "engine/study/advise/advisor.h"

namespace cutaway::study {
namespace {

bool isOff(const session::SessionOptions& options, const char* key) {
  const auto found = options.config.find(key);
  return found != options.config.end() && found->second == "0";
}

std::vector<Suggestion> suggest(const AdviceContext& context) {
  std::vector<Suggestion> suggestions;
  if (!context.options.inPlace) {
    suggestions.push_back({.title = "write in place",
                           .reason = "an output that may be written over its input needs no buffer of its own",
                           .change = {},
                           .aims = {AdviceMeasure::kPeakBytes}});
    suggestions.back().change.inPlace = true;
  }
  if (isOff(context.options, "session.enable_mem_reuse")) {
    suggestions.push_back({.title = "session.enable_mem_reuse = 1",
                           .reason = "a buffer that nobody needs any more can serve the next value",
                           .change = {},
                           .aims = {AdviceMeasure::kPeakBytes}});
    suggestions.back().change.keys["session.enable_mem_reuse"] = "1";
  }
  if (context.options.optimizationLevel < 3) {
    suggestions.push_back({.title = "opt-level = 3",
                           .reason = "passes of higher levels are switched off",
                           .change = {},
                           .aims = {AdviceMeasure::kNodes, AdviceMeasure::kPeakBytes, AdviceMeasure::kLeftNodes}});
    suggestions.back().change.optimizationLevel = 3;
  }
  return suggestions;
}

constexpr Advisor kAdvisor{.name = "settings switched off",
                           .purpose = "switches on what a setting keeps from saving memory or nodes",
                           .suggest = suggest};

}  // namespace

const Advisor& advisor_memory_settings() {
  return kAdvisor;
}

}  // namespace cutaway::study
