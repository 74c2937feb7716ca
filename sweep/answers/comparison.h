#pragma once
// Two sweeps, cell by cell: what is worse, what is better, and what does not differ beyond noise. The gate's rules,
// asked both ways.
//
// Thread rule: pure apart from the stores. Example:
//   CUTAWAY_TRY(const SweepComparison comparison, compareSweeps(before, now, matrix, placements, settings));

#include "sweep/answers/gate.h"
#include "sweep/answers/matrix.h"

namespace cutaway::sweep {

struct CellChange {
  bool isCompared = false;
  // A text of `better` says what the side before had and this one has not: "14 ms instead of 10 ms".
  std::vector<GateFinding> worse, better;
};

struct SweepComparison {
  std::vector<CellChange> cells;                // in the order of matrix.cells
  std::vector<std::string> notes;               // what could not be compared, and why
  int64_t worse = 0, better = 0, compared = 0;  // cells of the matrix
};

// matrix: of `now`.
Result<SweepComparison> compareSweeps(const std::vector<CellResult>& before, const std::vector<CellResult>& now,
                                      const Matrix& matrix, const ReadPlacements& placements,
                                      const GateSettings& settings);

}  // namespace cutaway::sweep
