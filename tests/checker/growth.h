#pragma once
// How the work of a function grows with the size that it is given.
//
// Thread rule: counts the processor time of the whole process: nothing else may run in it meanwhile.
// Example: const Growth growth = growthOf([](int nodes) { return timeOfPlanning(nodes); }, 4'000, 40'000, 40);
//          QVERIFY2(growth.ratio < 40, growth.words().c_str());

#include <algorithm>
#include <ctime>
#include <string>

#include <fmt/format.h>

namespace cutaway {

struct Growth {
  double ratio = 0;
  std::clock_t small = 0, large = 0;  // least processor time of any round
  int rounds = 0;

  std::string words() const {
    return fmt::format("{} ticks, {} ticks for the larger one, {:.1f} times, {} rounds", small, large, ratio, rounds);
  }
};

/// Processor time of one call of `work`, in ticks of std::clock(), at least 1. Other programs do not count in it, but
/// they still cost caches, and a virtual machine counts what its host takes away.
template <typename Work>
std::clock_t ticksOf(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return std::max<std::clock_t>(std::clock() - start, 1);
}

/// Ratio of the least times of `ticksFor(large)` and `ticksFor(small)`. Disturbance only ever adds time, so the least
/// of several rounds is nearest to the work itself; rounds end as soon as the ratio is below `enough`, at most ten of
/// them.
template <typename TicksFor>
Growth growthOf(const TicksFor& ticksFor, int small, int large, double enough) {
  constexpr int kMostRounds = 10;
  Growth growth;
  while (growth.rounds < kMostRounds && (growth.rounds == 0 || growth.ratio >= enough)) {
    const std::clock_t less = ticksFor(small), more = ticksFor(large);
    growth.small = growth.rounds == 0 ? less : std::min(growth.small, less);
    growth.large = growth.rounds == 0 ? more : std::min(growth.large, more);
    growth.ratio = static_cast<double>(growth.large) / static_cast<double>(growth.small);
    ++growth.rounds;
  }
  return growth;
}

}  // namespace cutaway
