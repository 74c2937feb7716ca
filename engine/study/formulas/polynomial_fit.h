#pragma once
// Polynomials through counts that were made for some sizes: degree two at most in each dimension.
//
// Sizes are multiples of a unit, so that what strides and poolings round is whole; each dimension is counted at 1, 2
// and 3 units. Thread rule: pure. Example: const Grid grid{{"batch", "height"}, {1, 1}, 32};
// for (const Point& point : grid.points()) counts.push_back(countAt(point));   const CostFormula f = fit(grid, counts);

#include <map>
#include <string>
#include <vector>

#include "engine/report/cost_formula.h"

namespace cutaway::study {

using Point = std::vector<int64_t>;  // units of each dimension

struct Grid {
  std::vector<std::string> dims;
  std::vector<int> degrees;  // of each dimension: 0, 1 or 2
  int64_t unit = 1;

  std::vector<Point> points() const;  // 1 .. degree + 1 in each dimension, the last changing first
  std::map<std::string, int64_t> sizes(const Point& point) const;
};

// 0: does not change, 1: by the same amount twice, 2: otherwise; of the counts at 1, 2 and 3 units.
int degreeOf(int64_t first, int64_t second, int64_t third);

// counts: at grid.points().
CostFormula fit(const Grid& grid, std::vector<double> counts);

}  // namespace cutaway::study
