// Nodes may run in another order: what lives at the same time changes, and with it the peak.
#include <array>

#include "engine/study/advise/advisor.h"

namespace cutaway::study {
namespace {

constexpr std::array kOrders = {"default", "priority", "fifo", "memory"};

std::vector<Suggestion> suggest(const AdviceContext& context) {
  std::vector<Suggestion> suggestions;
  for (const char* order : kOrders) {
    if (context.options.order == order) continue;
    Suggestion suggestion{.title = fmt::format("order = {}", order),
                          .reason = "another order of the nodes keeps less alive at the same time",
                          .consequence = {},
                          .change = {},
                          .aims = {AdviceMeasure::kPeakBytes}};
    suggestion.change.order = order;
    suggestions.push_back(std::move(suggestion));
  }
  return suggestions;
}

constexpr Advisor kAdvisor{.name = "execution order",
                           .purpose = "tries the other orders that the engine knows",
                           .alternatives = true,
                           .suggest = suggest};

}  // namespace

const Advisor& advisor_execution_order() {
  return kAdvisor;
}

}  // namespace cutaway::study
