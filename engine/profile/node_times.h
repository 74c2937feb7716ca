#pragma once
// Node timings of several profiled runs as one list: medians with mean and deviation over the runs, smallest and
// largest call.
//
// Thread rule: one thread. Example: NodeTimes times;  times.add(std::move(result.timings));  report.nodes =
// times.medians();

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/report/run_report.h"

namespace cutaway::profile {

class NodeTimes {
 public:
  void add(std::vector<NodeTiming> timings);
  // By graph and step. Start, lane, shapes, bytes and operations are those of the last run; a run in which a node was
  // not called counts as 0 ns.
  // Medians are exact up to 1,023 runs (fewer for very large graphs); beyond that, of every second run, fourth run ...,
  // so that memory is bounded.
  std::vector<NodeTiming> medians();

 private:
  struct Series {
    NodeTiming node;
    double squares = 0;  // of its distance from the mean so far (B. P. Welford, 1962)
    double mean = 0;
    int64_t runs = 0;
    int64_t calls = 0;
    std::vector<double> totals;  // of every m_stride-th run
  };
  void addRun(Series& series, double totalNs) const;
  void thin();
  void merge(Series& series, NodeTiming timing);

  int64_t m_runs = 0;
  int64_t m_stride = 1;
  std::unordered_map<int64_t, size_t> m_places;  // graph and step
  std::vector<Series> m_series;
};

// Runs, median with its interval, percentiles, mean and deviation, from runMs.
void fillRunFigures(RunReport& report);

}  // namespace cutaway::profile
