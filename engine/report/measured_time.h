#pragma once
// A measured time as every text tells it: the median, of how many runs it is, and where it may lie.
//
// Thread rule: pure. Example: measuredText(measuredTime(*walk.run)) == "46.1 µs (10 runs, median between 38.7 µs and
// 95.1 µs)"

#include <cstdint>
#include <string>

#include "engine/report/run_report.h"

namespace cutaway {

// With fewer runs no two of them enclose the median with 95 %: the interval is that of all runs.
inline constexpr int64_t kLeastRunsFor95 = 6;

struct MeasuredTime {
  int64_t runs = 0;
  double medianMs = 0;
  double lowMs = 0, highMs = 0;  // of the median; equal: not known
};

MeasuredTime measuredTime(const RunReport& run);
std::string millisecondsText(double ms);  // as times are written: "46.1 µs"

// "1 run", "10 runs, median between 38.7 µs and 95.1 µs" (with 95 %), "3 runs, all between ...".
std::string spreadText(const MeasuredTime& time);
std::string measuredText(const MeasuredTime& time);  // the median, then its spread in brackets

// Of a run that was kept in parts (spans, memory): "run 4 of 10, the fastest"; empty where there is but one.
std::string fastestRunText(const RunReport& run);

}  // namespace cutaway
