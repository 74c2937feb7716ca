#include "engine/study/what_if/machine_speed.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <mutex>

#include "engine/base/clock.h"
#include "engine/graph/text.h"
#include "engine/session/session.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::study {
namespace {

// Per measurement, after one run that warms up: of the clock and of the processor, which other programs may keep away.
constexpr int64_t kBudgetNs = 15'000'000, kMostNs = 10 * kBudgetNs;
constexpr int kChainLength = 64;

std::string chain() {
  std::string text = "chain (float[1] x0) => (float[1] x" + std::to_string(kChainLength) + ") {";
  for (int i = 0; i < kChainLength; ++i)
    text += fmt::format(" x{} = Add (x{}, x{})", i + 1, i, i);
  return text + " }";
}

MachineSpeed measureMachine(const ProviderTable& table, int threads) {
  const CountedElsewhere machine;  // its memory is none of the model's
  constexpr double kSide = 384, kElements = 4 * 1024 * 1024;
  const double product = shortestRunNs(
      table, threads, "product (float[384,384] a, float[384,384] b) => (float[384,384] y) { y = MatMul (a, b) }");
  const double stream = shortestRunNs(
      table, threads, "stream (float[4194304] a, float[4194304] b) => (float[4194304] y) { y = Add (a, b) }");
  const double nodes = shortestRunNs(table, threads, chain());
  MachineSpeed result;
  if (product <= 0 || stream <= 0 || nodes <= 0) {
    result.basis = "this machine could not be measured";
    return result;
  }
  result.speed.flopsPerSecond = 2 * kSide * kSide * kSide / product * 1e9;
  result.speed.memoryBytesPerSecond = 3 * 4 * kElements / stream * 1e9;
  result.speed.linkBytesPerSecond = result.speed.memoryBytesPerSecond / 2;  // a copy reads and writes
  result.speed.launchNs = nodes / kChainLength;
  result.basis = fmt::format(
      "{:.0f} GFLOP/s, {:.1f} GB/s, {:.2f} µs a node, measured here{}", result.speed.flopsPerSecond / 1e9,
      result.speed.memoryBytesPerSecond / 1e9, result.speed.launchNs / 1e3,
      threads > 0 ? fmt::format(" on {} thread{}", threads, threads == 1 ? "" : "s") : std::string(" on all threads"));
  return result;
}

}  // namespace

double shortestRunNs(const ProviderTable& table, int threads, const std::string& modelText) {
  Result<Model> model = parseModelText(modelText);
  return model ? shortestRunNs(table, threads, *std::move(model)) : -1;
}

double shortestRunNs(const ProviderTable& table, int threads, Model model) {
  session::SessionOptions options;
  options.threads = threads;
  options.optimizationLevel = 0;
  Progress progress;
  const auto session = session::Session::create(
      load::ModelSource::loaded(std::make_shared<const Model>(std::move(model))), options, table, progress);
  if (!session) return -1;
  const auto feeds = session::randomFeeds(**session, 1, {}, {});
  if (!feeds || !(*session)->run(*feeds, {})) return -1;
  double best = -1;
  const Stopwatch watch;
  const std::clock_t begin = std::clock();
  const auto processorNs = [begin] {
    return static_cast<double>(std::clock() - begin) * (1e9 / static_cast<double>(CLOCKS_PER_SEC));
  };
  do {
    const auto result = (*session)->run(*feeds, {});
    if (!result) return -1;
    const auto took = static_cast<double>(std::max<int64_t>(result->timeNs, 1));
    best = best < 0 ? took : std::min(best, took);
  } while (watch.elapsedNs() < kBudgetNs || (processorNs() < kBudgetNs && watch.elapsedNs() < kMostNs));
  return best;
}

MachineSpeed machineSpeed(const ProviderTable& table, int threads) {
  static std::mutex mutex;
  static std::map<int, MachineSpeed> known;
  const std::scoped_lock lock(mutex);
  const auto found = known.find(threads);
  if (found != known.end()) return found->second;
  return known.emplace(threads, measureMachine(table, threads)).first->second;
}

}  // namespace cutaway::study
