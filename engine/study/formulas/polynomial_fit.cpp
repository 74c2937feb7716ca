#include "engine/study/formulas/polynomial_fit.h"

#include <algorithm>
#include <cmath>

namespace cutaway::study {
namespace {

// Values at 1, 2 (and 3) in the place of the coefficients of 1, x (and x squared).
void solve(double* value, size_t stride, int degree) {
  const double a = value[0], b = degree > 0 ? value[stride] : 0, c = degree > 1 ? value[2 * stride] : 0;
  if (degree == 1) {
    value[0] = 2 * a - b;
    value[stride] = b - a;
  } else if (degree == 2) {
    value[0] = 3 * a - 3 * b + c;
    value[stride] = (-5 * a + 8 * b - 3 * c) / 2;
    value[2 * stride] = (a - 2 * b + c) / 2;
  }
}

}  // namespace

std::vector<Point> Grid::points() const {
  std::vector<Point> all{{}};
  for (const int degree : degrees) {
    std::vector<Point> more;
    for (const Point& point : all)
      for (int64_t units = 1; units <= degree + 1; ++units) {
        more.push_back(point);
        more.back().push_back(units);
      }
    all = std::move(more);
  }
  return all;
}

std::map<std::string, int64_t> Grid::sizes(const Point& point) const {
  std::map<std::string, int64_t> sizes;
  for (size_t dim = 0; dim < dims.size(); ++dim)
    sizes[dims[dim]] = point[dim] * unit;
  return sizes;
}

int degreeOf(int64_t first, int64_t second, int64_t third) {
  if (first == second && second == third) return 0;
  return third - second == second - first ? 1 : 2;
}

CostFormula fit(const Grid& grid, std::vector<double> counts) {
  size_t stride = 1;
  for (size_t dim = grid.dims.size(); dim-- > 0;) {
    const size_t size = static_cast<size_t>(grid.degrees[dim]) + 1;
    for (size_t at = 0; at < counts.size(); ++at)
      if (at / stride % size == 0) solve(&counts[at], stride, grid.degrees[dim]);
    stride *= size;
  }
  CostFormula formula;
  const std::vector<Point> points = grid.points();
  for (size_t i = 0; i < points.size(); ++i) {
    std::vector<std::string> symbols;
    double coefficient = counts[i];
    for (size_t dim = 0; dim < grid.dims.size(); ++dim)
      for (int64_t power = 1; power < points[i][dim]; ++power) {
        symbols.push_back(grid.dims[dim]);
        coefficient /= static_cast<double>(grid.unit);
      }
    std::ranges::sort(symbols);
    if (coefficient != 0) formula.terms.emplace(std::move(symbols), coefficient);
  }
  return formula;
}

}  // namespace cutaway::study
