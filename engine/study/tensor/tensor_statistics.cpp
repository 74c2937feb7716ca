// Two passes: the first finds range, sums and what is no number; the second, knowing them, counts into bins and adds
// squared distances from the mean.
//
// Elements are taken in blocks of fixed size whose results are combined in order, so that figures do not depend on
// threads. Inner loops keep eight lanes, which compilers turn into vector instructions without leave to reorder sums. A
// run is checked for infinities and NaNs as a whole (x - x is zero only where x is finite); only runs that have some
// are looked at one by one.

#include "engine/study/tensor/tensor_statistics.h"

#include <array>
#include <cmath>
#include <limits>
#include <mutex>

#include "engine/base/parallel.h"
#include "engine/study/tensor/number_run.h"

namespace cutaway::study {
namespace {

constexpr int64_t kBlock = 64 * kNumberRun;
constexpr size_t kLanes = 8;
constexpr int64_t kBins = 64;                                  // shown
constexpr int64_t kFineBins = 4096;                            // a multiple of kBins; for the median
constexpr double kLargeSquare = 1e150, kSmallSquare = 1e-140;  // beyond, squares would overflow or vanish

using Lanes = std::array<double, kLanes>;

struct Sums {
  double smallest = std::numeric_limits<double>::infinity(), largest = -std::numeric_limits<double>::infinity();
  double sum = 0, absolute = 0, squares = 0;
  int64_t zeros = 0, infinite = 0, notNumbers = 0;

  void add(const Sums& other) {
    smallest = std::min(smallest, other.smallest);
    largest = std::max(largest, other.largest);
    sum += other.sum;
    absolute += other.absolute;
    squares += other.squares;
    zeros += other.zeros;
    infinite += other.infinite;
    notNumbers += other.notNumbers;
  }
};

double addLanes(const Lanes& lanes) {
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

bool allFinite(const double* numbers, int64_t count) {
  Lanes differences{};
  int64_t i = 0;
  for (; i + static_cast<int64_t>(kLanes) <= count; i += kLanes)
    for (size_t lane = 0; lane < kLanes; ++lane)
      differences[lane] += numbers[i + static_cast<int64_t>(lane)] - numbers[i + static_cast<int64_t>(lane)];
  double rest = 0;
  for (; i < count; ++i)
    rest += numbers[i] - numbers[i];
  return addLanes(differences) + rest == 0;
}

// Leaves the finite ones, and counts the others.
int64_t keepFinite(double* numbers, int64_t count, Sums& sums) {
  int64_t kept = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (std::isfinite(numbers[i]))
      numbers[kept++] = numbers[i];
    else if (std::isnan(numbers[i]))
      ++sums.notNumbers;
    else
      ++sums.infinite;
  }
  return kept;
}

void addRun(const double* numbers, int64_t count, double scale, Sums& sums) {
  Lanes smallest, largest, sum{}, absolute{}, squares{};
  smallest.fill(sums.smallest);
  largest.fill(sums.largest);
  std::array<int64_t, kLanes> zeros{};
  const auto take = [&](size_t lane, double number) {
    smallest[lane] = number < smallest[lane] ? number : smallest[lane];
    largest[lane] = number > largest[lane] ? number : largest[lane];
    zeros[lane] += number == 0 ? 1 : 0;
    const double scaled = number * scale;
    sum[lane] += scaled;
    absolute[lane] += std::fabs(scaled);
    squares[lane] += scaled * scaled;
  };
  int64_t i = 0;
  for (; i + static_cast<int64_t>(kLanes) <= count; i += kLanes)
    for (size_t lane = 0; lane < kLanes; ++lane)
      take(lane, numbers[i + static_cast<int64_t>(lane)]);
  for (; i < count; ++i)
    take(0, numbers[i]);
  for (size_t lane = 0; lane < kLanes; ++lane) {
    sums.smallest = std::min(sums.smallest, smallest[lane]);
    sums.largest = std::max(sums.largest, largest[lane]);
    sums.zeros += zeros[lane];
  }
  sums.sum += addLanes(sum);
  sums.absolute += addLanes(absolute);
  sums.squares += addLanes(squares);
}

// The numbers of a block, run after run, without what is not finite.
template <typename Visit>
void visitRuns(const Tensor& tensor, int64_t block, Sums& odd, Visit&& visit) {
  alignas(64) std::array<double, kNumberRun> numbers;
  const int64_t total = tensor.elementCount();
  const int64_t end = std::min(total, (block + 1) * kBlock);
  for (int64_t begin = block * kBlock; begin < end; begin += kNumberRun) {
    int64_t count = std::min(kNumberRun, end - begin);
    readNumbers(tensor, begin, count, numbers.data());
    if (!allFinite(numbers.data(), count)) count = keepFinite(numbers.data(), count, odd);
    visit(numbers.data(), count);
  }
}

// work(block) for all of them, on several threads, until cancelled.
template <typename Work>
Result<void> forEachBlock(int64_t blocks, const CancelToken& cancel, Work&& work) {
  parallelFor(blocks, 4, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end && !cancel.cancelled(); ++block)
      work(block);
  });
  if (cancel.cancelled()) return fail(cancelledError());
  return {};
}

Result<Sums> sumUp(const Tensor& tensor, double scale, const CancelToken& cancel) {
  std::vector<Sums> parts(static_cast<size_t>((tensor.elementCount() + kBlock - 1) / kBlock));
  CUTAWAY_CHECK(forEachBlock(static_cast<int64_t>(parts.size()), cancel, [&](int64_t block) {
    Sums& part = parts[static_cast<size_t>(block)];
    visitRuns(tensor, block, part, [&](const double* numbers, int64_t count) { addRun(numbers, count, scale, part); });
  }));
  Sums all;
  for (const Sums& part : parts)
    all.add(part);
  return all;
}

// 1 where squares are well inside what a double holds, else the power of two that brings the largest number near 1.
double scaleFor(const Sums& sums) {
  const double largest = std::max(std::fabs(sums.smallest), std::fabs(sums.largest));
  if (largest == 0 || !std::isfinite(largest) || (largest < kLargeSquare && largest > kSmallSquare)) return 1;
  return std::ldexp(1.0, std::min(-std::ilogb(largest), 1000));
}

using Bins = std::vector<int64_t>;

struct Spread {
  Bins bins = Bins(static_cast<size_t>(kFineBins));
  std::vector<double> squares;  // of distances from the mean, scaled; a block each
};

// Where a number's bin is. The range of extreme numbers may neither overflow nor vanish.
struct BinRule {
  explicit BinRule(const Sums& sums) {
    const double range = sums.largest - sums.smallest;
    if (!std::isfinite(range))
      factor = 0.5;
    else if (range < 1e-290)
      factor = 0x1p500;
    low = sums.smallest * factor;
    perUnit = static_cast<double>(kFineBins) / (sums.largest * factor - low);
  }
  size_t of(double number) const {
    return static_cast<size_t>(
        std::min<int64_t>(kFineBins - 1, static_cast<int64_t>((number * factor - low) * perUnit)));
  }
  double factor = 1, low = 0, perUnit = 0;
};

Result<Spread> spread(const Tensor& tensor, const Sums& sums, double scaledMean, double scale,
                      const CancelToken& cancel) {
  const BinRule rule(sums);
  Spread all;
  all.squares.resize(static_cast<size_t>((tensor.elementCount() + kBlock - 1) / kBlock));
  std::mutex mutex;
  CUTAWAY_CHECK(forEachBlock(static_cast<int64_t>(all.squares.size()), cancel, [&](int64_t block) {
    std::array<uint32_t, kFineBins> bins{};
    double squares = 0;
    Sums odd;
    visitRuns(tensor, block, odd, [&](const double* numbers, int64_t count) {
      Lanes lanes{};
      for (int64_t i = 0; i < count; ++i) {
        const double distance = numbers[i] * scale - scaledMean;
        lanes[static_cast<size_t>(i) % kLanes] += distance * distance;
        ++bins[rule.of(numbers[i])];
      }
      squares += addLanes(lanes);
    });
    all.squares[static_cast<size_t>(block)] = squares;
    const std::lock_guard lock(mutex);
    for (size_t i = 0; i < bins.size(); ++i)
      all.bins[i] += bins[i];
  }));
  return all;
}

// Inside the bin where the middle falls, as if its numbers were spread evenly.
double medianOf(const Bins& bins, int64_t count, double smallest, double largest) {
  const double middle = static_cast<double>(count) / 2;
  double before = 0;
  for (size_t i = 0; i < bins.size(); ++i) {
    const auto here = static_cast<double>(bins[i]);
    if (here > 0 && before + here >= middle) {
      const double share = (static_cast<double>(i) + (middle - before) / here) / static_cast<double>(bins.size());
      return smallest * (1 - share) + largest * share;
    }
    before += here;
  }
  return smallest;
}

Bins coarse(const Bins& fine) {
  Bins bins(static_cast<size_t>(kBins));
  for (size_t i = 0; i < fine.size(); ++i)
    bins[i / static_cast<size_t>(kFineBins / kBins)] += fine[i];
  return bins;
}

}  // namespace

Result<TensorStatistics> takeStatistics(const Tensor& tensor, const CancelToken& cancel) {
  TensorStatistics statistics;
  statistics.count = tensor.elementCount();
  if (statistics.count == 0 || !hasNumbers(tensor.type())) return statistics;
  CUTAWAY_TRY(Sums sums, sumUp(tensor, 1, cancel));
  statistics.zeros = sums.zeros;
  statistics.infinite = sums.infinite;
  statistics.notNumbers = sums.notNumbers;
  const int64_t finite = statistics.count - sums.infinite - sums.notNumbers;
  if (finite == 0) return statistics;
  const double scale = scaleFor(sums);
  if (scale != 1) {
    CUTAWAY_TRY(sums, sumUp(tensor, scale, cancel));
  }
  statistics.smallest = sums.smallest;
  statistics.largest = sums.largest;
  const double scaledMean = sums.sum / static_cast<double>(finite);
  statistics.mean = scaledMean / scale;
  statistics.absoluteMean = sums.absolute / static_cast<double>(finite) / scale;
  statistics.norm = std::sqrt(sums.squares) / scale;
  if (sums.smallest == sums.largest) {
    statistics.medianEstimate = sums.smallest;
    statistics.histogram = {finite};
    return statistics;
  }
  CUTAWAY_TRY(const Spread found, spread(tensor, sums, scaledMean, scale, cancel));
  double squares = 0;
  for (const double each : found.squares)
    squares += each;
  statistics.deviation = std::sqrt(squares / static_cast<double>(finite)) / scale;
  statistics.medianEstimate = medianOf(found.bins, finite, sums.smallest, sums.largest);
  statistics.histogram = coarse(found.bins);
  return statistics;
}

}  // namespace cutaway::study
