#include "sweep/answers/comparison.h"

#include <algorithm>

namespace cutaway::sweep {

namespace {

using Places = std::map<std::pair<std::string, std::string>, size_t>;

Places placesOf(const Matrix& matrix) {
  Places places;
  for (size_t m = 0; m < matrix.models.size(); ++m) {
    for (size_t c = 0; c < matrix.configurations.size(); ++c)
      places[{matrix.models[m], matrix.configurations[c]}] = m * matrix.configurations.size() + c;
  }
  return places;
}

}  // namespace

Result<SweepComparison> compareSweeps(const std::vector<CellResult>& before, const std::vector<CellResult>& now,
                                      const Matrix& matrix, const ReadPlacements& placements,
                                      const GateSettings& settings) {
  const ReadPlacements turned = [&](bool baseline, const std::string& key) { return placements(!baseline, key); };
  CUTAWAY_TRY(GateReport forth, gate(before, now, placements, settings));
  CUTAWAY_TRY(GateReport back, gate(now, before, turned, settings));
  const Places places = placesOf(matrix);
  SweepComparison comparison;
  comparison.cells.resize(matrix.cells.size());
  comparison.notes = std::move(forth.notes);
  const auto changeOf = [&](const Cell& cell) -> CellChange* {
    const auto found = places.find({cell.model, cell.configuration});
    return found == places.end() ? nullptr : &comparison.cells[found->second];
  };
  for (const Cell& cell : forth.cells) {
    if (CellChange* change = changeOf(cell)) change->isCompared = true;
  }
  for (GateFinding& finding : forth.worse) {
    if (CellChange* change = changeOf(finding.cell)) change->worse.push_back(std::move(finding));
  }
  for (GateFinding& finding : back.worse) {
    if (CellChange* change = changeOf(finding.cell)) change->better.push_back(std::move(finding));
  }
  for (const CellChange& change : comparison.cells) {
    comparison.compared += change.isCompared ? 1 : 0;
    comparison.worse += change.worse.empty() ? 0 : 1;
    comparison.better += change.better.empty() ? 0 : 1;
  }
  return comparison;
}

}  // namespace cutaway::sweep
