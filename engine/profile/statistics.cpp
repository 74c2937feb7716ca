#include "engine/profile/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::profile {
namespace {

constexpr double kNormal95 = 1.959963984540054;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Probability that a binomial variable (n, 1/2) is k.
double binomialHalf(int64_t n, int64_t k) {
  return std::exp(std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(k) + 1) -
                  std::lgamma(static_cast<double>(n - k) + 1) - static_cast<double>(n) * std::log(2.0));
}

// Regularised incomplete beta function by its continued fraction (DLMF 8.17.22), evaluated with Lentz's method.
double betaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double value = d;
  for (int m = 1; m < 500; ++m) {
    for (const bool even : {true, false}) {
      const double term = even ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                               : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 + term * d;
      d = 1 / (std::abs(d) < kTiny ? kTiny : d);
      c = 1 + term / c;
      if (std::abs(c) < kTiny) c = kTiny;
      value *= c * d;
    }
    if (std::abs(c * d - 1) < 1e-14) break;
  }
  return value;
}

double incompleteBeta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return front * betaFraction(a, b, x) / a;
}

// How many of the arrangements of n and m have each U: one row of the classic recurrence f(n, m, u) = f(n - 1, m, u -
// m) + f(n, m - 1, u).
double exactTail(size_t n, size_t m, double u) {
  std::vector<std::vector<double>> row(m + 1);  // for the current n, by m
  for (size_t j = 0; j <= m; ++j)
    row[j].assign(1, 1.0);
  for (size_t i = 1; i <= n; ++i) {
    for (size_t j = 0; j <= m; ++j) {
      std::vector<double> next(i * j + 1, 0.0);
      for (size_t k = 0; k < row[j].size(); ++k)
        next[k + j] += row[j][k];
      if (j > 0) {
        for (size_t k = 0; k < row[j - 1].size(); ++k)
          next[k] += row[j - 1][k];
      }
      row[j] = std::move(next);
    }
  }
  double below = 0;
  double all = 0;
  for (size_t k = 0; k < row[m].size(); ++k) {
    all += row[m][k];
    if (static_cast<double>(k) <= u) below += row[m][k];
  }
  return below / all;
}

std::vector<double> thinned(std::span<const double> series) {
  std::vector<double> sorted(series.begin(), series.end());
  std::ranges::sort(sorted);
  constexpr size_t kMost = 1000;
  if (sorted.size() <= kMost) return sorted;
  std::vector<double> some(kMost);
  for (size_t i = 0; i < kMost; ++i)
    some[i] = sorted[i * (sorted.size() - 1) / (kMost - 1)];
  return some;
}

}  // namespace

double percentile(std::span<const double> sorted, double share) {
  if (sorted.empty()) return 0;
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - static_cast<double>(below));
}

double mean(std::span<const double> series) {
  double sum = 0;
  for (const double each : series)
    sum += each;
  return series.empty() ? 0 : sum / static_cast<double>(series.size());
}

double deviation(std::span<const double> series) {
  if (series.size() < 2) return 0;
  const double middle = mean(series);
  double squares = 0;
  for (const double each : series)
    squares += (each - middle) * (each - middle);
  return std::sqrt(squares / static_cast<double>(series.size() - 1));
}

Interval medianInterval(std::span<const double> sorted) {
  if (sorted.empty()) return {};
  const auto n = static_cast<int64_t>(sorted.size());
  int64_t below = -1;  // the lower rank, from 0; -1: none has 2.5 % or less below it
  if (n <= 1000) {
    double share = binomialHalf(n, 0);
    while (below + 1 < n / 2 && share <= 0.025)
      share += binomialHalf(n, ++below + 1);
  } else {
    below =
        static_cast<int64_t>(std::floor((static_cast<double>(n) - kNormal95 * std::sqrt(static_cast<double>(n))) / 2)) -
        1;
  }
  const auto rank = static_cast<size_t>(std::max<int64_t>(0, below));
  return {sorted[rank], sorted[sorted.size() - 1 - rank]};
}

Statistics statisticsOf(std::span<const double> series) {
  if (series.empty()) return {};
  std::vector<double> sorted(series.begin(), series.end());
  std::ranges::sort(sorted);
  return {.count = std::ssize(sorted),
          .median = percentile(sorted, 0.5),
          .medianInterval = medianInterval(sorted),
          .minimum = sorted.front(),
          .maximum = sorted.back(),
          .p90 = percentile(sorted, 0.9),
          .p99 = percentile(sorted, 0.99),
          .mean = mean(sorted),
          .deviation = deviation(sorted)};
}

double studentTail(double t, double degrees) {
  return incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t));
}

double studentQuantile95(double degrees) {
  double low = kNormal95;
  double high = 1e6;
  for (int i = 0; i < 200 && high - low > 1e-10 * low; ++i) {
    const double middle = std::sqrt(low * high);
    (studentTail(middle, degrees) > 0.05 ? low : high) = middle;
  }
  return high;
}

Interval welchInterval(const Summary& a, const Summary& b) {
  if (a.count < 2 || b.count < 2) return {-kInfinity, kInfinity};
  const double shareA = a.deviation * a.deviation / static_cast<double>(a.count);
  const double shareB = b.deviation * b.deviation / static_cast<double>(b.count);
  const double difference = b.mean - a.mean;
  const double squared = shareA + shareB;
  if (squared <= 0) return {difference, difference};
  const double degrees =
      squared * squared /
      (shareA * shareA / static_cast<double>(a.count - 1) + shareB * shareB / static_cast<double>(b.count - 1));
  const double half = studentQuantile95(degrees) * std::sqrt(squared);
  return {difference - half, difference + half};
}

double mannWhitneyP(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return 1;
  std::vector<std::pair<double, bool>> all;  // value, is of a
  for (const double each : a)
    all.emplace_back(each, true);
  for (const double each : b)
    all.emplace_back(each, false);
  std::ranges::sort(all);
  double rankSum = 0;
  double ties = 0;
  for (size_t i = 0; i < all.size();) {
    size_t end = i;
    while (end < all.size() && all[end].first == all[i].first)
      ++end;
    const double rank = static_cast<double>(i + 1 + end) / 2;
    const auto group = static_cast<double>(end - i);
    ties += group * group * group - group;
    for (; i < end; ++i)
      rankSum += all[i].second ? rank : 0;
  }
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  const double u = rankSum - n * (n + 1) / 2;
  const double smaller = std::min(u, n * m - u);
  if (ties == 0 && a.size() <= 20 && b.size() <= 20) return std::min(1.0, 2 * exactTail(a.size(), b.size(), smaller));
  const double variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)));
  if (variance <= 0) return 1;
  const double z = std::max(0.0, n * m / 2 - smaller - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::sqrt(2.0));
}

bool differBeyondChance(std::span<const double> a, std::span<const double> b) {
  return mannWhitneyP(a, b) < 0.05;
}

Interval shiftInterval(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return {};
  const std::vector<double> fromA = thinned(a);
  const std::vector<double> fromB = thinned(b);
  std::vector<double> differences;
  differences.reserve(fromA.size() * fromB.size());
  for (const double each : fromA) {
    for (const double other : fromB)
      differences.push_back(other - each);
  }
  const auto n = static_cast<double>(fromA.size());
  const auto m = static_cast<double>(fromB.size());
  const double k = std::floor(n * m / 2 - kNormal95 * std::sqrt(n * m * (n + m + 1) / 12));
  const auto rank = static_cast<ptrdiff_t>(std::clamp(k, 0.0, std::floor((n * m - 1) / 2)));
  std::ranges::sort(differences);
  return {differences[static_cast<size_t>(rank)], differences[differences.size() - 1 - static_cast<size_t>(rank)]};
}

}  // namespace cutaway::profile
