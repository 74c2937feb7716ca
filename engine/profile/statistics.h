#pragma once
// Statistics of run times: what a series comes to, percentiles, intervals, and tests of whether two series differ by
// more than chance.
//
// Thread rule: pure. Series need not be sorted unless said so.
// Example: const Statistics times = statisticsOf(runsMs);  const double p = mannWhitneyP(runsA, runsB);

#include <cstdint>
#include <span>
#include <vector>

namespace cutaway::profile {

struct Interval {
  double low = 0, high = 0;
};

// Nearest ranks with linear interpolation between them; share in [0, 1]. 0 for an empty series.
double percentile(std::span<const double> sorted, double share);
double mean(std::span<const double> series);
// Sample standard deviation (n - 1 below the line); 0 with fewer than two.
double deviation(std::span<const double> series);

// 95 % confidence interval of the median by order statistics: the ranks between which the binomial distribution with
// one half puts at least 95 %. No distribution of the times is assumed. With fewer than six runs no two ranks reach 95
// %: smallest and largest are given.
Interval medianInterval(std::span<const double> sorted);

// What a series of times comes to: the one place where figures, colours, tables and texts about runs are taken from.
struct Statistics {
  int64_t count = 0;
  double median = 0;
  Interval medianInterval;  // as medianInterval() says
  double minimum = 0, maximum = 0, p90 = 0, p99 = 0;
  double mean = 0, deviation = 0;
};
Statistics statisticsOf(std::span<const double> series);

// Probability that |T| is larger, for Student's distribution; degrees > 0.
double studentTail(double t, double degrees);
// The value that |T| exceeds with probability 0.05.
double studentQuantile95(double degrees);

struct Summary {
  double mean = 0;
  double deviation = 0;
  int64_t count = 0;
};
// 95 % confidence interval of mean(b) - mean(a) for unequal variances (B. L. Welch, 1947; degrees of freedom by Welch
// and Satterthwaite). Without deviations (fewer than two runs on a side) nothing can be said: an infinite interval.
Interval welchInterval(const Summary& a, const Summary& b);

// Two-sided p of the Mann-Whitney U test (1947): exact for up to 20 runs a side without ties, else the normal
// approximation with corrections for ties and continuity. 1 when a side is empty.
double mannWhitneyP(std::span<const double> a, std::span<const double> b);

// Whether two series of runs differ by more than chance: p of the test above below 0.05. What is called faster or
// slower must pass it.
bool differBeyondChance(std::span<const double> a, std::span<const double> b);

// 95 % confidence interval of the shift from a to b: ranks of the pairwise differences (J. L. Hodges and E. L. Lehmann,
// 1963). Above 1,000 runs a side, evenly spaced ones of the sorted series are taken.
Interval shiftInterval(std::span<const double> a, std::span<const double> b);

}  // namespace cutaway::profile
