#pragma once
// One model under many bindings of its open dimensions: what each is planned to take, and how long it runs.
//
// Thread rule: immutable once published. Example: for (const ShapeRow& row : sweep.rows) point(row.dims,
// row.peakBytes);

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cutaway {

using ShapeBinding = std::map<std::string, int64_t>;

struct ShapeRow {
  ShapeBinding dims;       // of those that are swept
  int64_t peakBytes = -1;  // planned; -1: not known
  int64_t lowerBoundBytes = -1;
  int64_t unplannedBuffers = 0;                          // above 0: the peak is a least amount
  int64_t groups = -1;                                   // of all providers
  int64_t leftNodes = -1;                                // that only the provider of last resort takes
  int64_t runs = 0;                                      // 0: not run
  double medianMs = 0, lowMs = 0, highMs = 0;            // 95 % interval of the median
  std::vector<std::pair<std::string, int64_t>> assumed;  // that the run took for dimensions which stayed open
  std::vector<std::string> simulated;  // providers whose hardware is not here: the times are not theirs
  std::string problem;                 // why there are no figures
};

struct ShapeSweep {
  std::vector<std::string> dims;  // as the rows' bindings are ordered
  std::vector<ShapeRow> rows;     // the last dimension changes first
  int64_t timeNs = 0;
};

}  // namespace cutaway
