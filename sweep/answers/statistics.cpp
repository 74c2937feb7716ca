#include <algorithm>
#include <cmath>

#include "sweep/answers/gate.h"
#include "sweep/answers/matrix.h"

namespace cutaway::sweep {

namespace {

constexpr size_t kMostRepeats = 20;

// U, doubled so that ties stay whole: for every pair 2 where b is larger, 1 where both are equal.
int64_t doubledU(const std::vector<double>& a, const std::vector<double>& b) {
  int64_t sum = 0;
  for (const double x : a) {
    for (const double y : b)
      sum += y > x ? 2 : y == x ? 1 : 0;
  }
  return sum;
}

}  // namespace

double robustDeviation(const std::vector<double>& values) {
  const double median = medianOf(values);
  std::vector<double> deviations;
  for (const double value : values)
    deviations.push_back(std::abs(value - median));
  return 1.4826 * medianOf(deviations);
}

// How many of the arrangements of all values into two sides of these sizes have each U, without ties: the recurrence
// count(n, m, u) = count(n - 1, m, u - m) + count(n, m - 1, u).
double mannWhitney(std::vector<double> a, std::vector<double> b) {
  a.resize(std::min(a.size(), kMostRepeats));
  b.resize(std::min(b.size(), kMostRepeats));
  const size_t n = a.size(), m = b.size();
  if (n == 0 || m == 0) return 1;
  std::vector<std::vector<std::vector<double>>> count(
      n + 1, std::vector<std::vector<double>>(m + 1, std::vector<double>(n * m + 1, 0)));
  for (size_t i = 0; i <= n; ++i) {
    for (size_t j = 0; j <= m; ++j) {
      if (i == 0 || j == 0) {
        count[i][j][0] = 1;
        continue;
      }
      for (size_t u = 0; u <= i * j; ++u)
        count[i][j][u] = (u >= j ? count[i - 1][j][u - j] : 0) + count[i][j - 1][u];
    }
  }
  const auto least = static_cast<size_t>(doubledU(a, b) / 2);  // half a tie is given to the side of "no difference"
  double above = 0, all = 0;
  for (size_t u = 0; u <= n * m; ++u) {
    all += count[n][m][u];
    above += u >= least ? count[n][m][u] : 0;
  }
  return above / all;
}

}  // namespace cutaway::sweep
