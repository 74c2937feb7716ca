#pragma once
// Report of running: outputs in short, times per node and per thread, planned against measured memory.
//
// Thread rule: immutable once published. Times in nanoseconds from the start of the run.
// Example: for (const NodeTiming& timing : report.nodes) paint(timing.node, timing.totalNs);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

// A named part of one call of a kernel: "pack", "scores", "softmax".
struct SubStepTiming {
  std::string name;
  int64_t totalNs = 0;  // per run; they share the node's median as their means do
  int64_t calls = 0;
};

struct NodeTiming {
  int32_t graph = 0;
  int32_t node = 0;  // in the partitioned graph; kNone: an event of a foreign trace that no node carries
  int32_t step = 0;
  int64_t startNs = 0;  // of its first call in the last profiled run
  int64_t totalNs = 0;  // median of the runs, bodies' own nodes counted separately
  int64_t minNs = 0;
  int64_t maxNs = 0;
  double deviationNs = 0;  // standard deviation of a run's total over the runs
  int64_t calls = 0;       // per run (bodies run often)
  int32_t thread = 0;      // lane: 0 is the thread that called run
  std::string variant;     // kernel variant that ran
  std::string provider;
  int64_t inputBytes = 0;  // activations and weights read, each once
  int64_t outputBytes = 0;
  int64_t flops = -1;          // of one call with the shapes of the run; -1: not known
  int64_t scratchBytes = 0;    // most workspace the kernel booked
  int64_t allocatedBytes = 0;  // taken from the arena while it ran (values whose place was not planned)
  int64_t hostNs = -1;  // of a node on a device that works on its own: what enqueueing it took in the last profiled
                        // run, while the times above are the device's; -1: they are the host's
  std::vector<std::string> inputShapes;  // "float[1,3,224,224]"
  std::vector<std::string> outputShapes;
  std::vector<SubStepTiming> subSteps;
};

// One bar of the timeline: a call of a node in the fastest profiled run, or a span of the engine itself.
struct TraceSpan {
  std::string name;      // of a node: empty, its label is known by index
  std::string category;  // "Node", "Session", "Api", "Engine"; on lanes of devices "Device", "Copy", "Replay"
  int32_t graph = kNone;
  int32_t node = kNone;
  int32_t thread = 0;
  int32_t depth = 0;  // nesting within its thread
  int64_t startNs = 0;
  int64_t durationNs = 0;
  int64_t bytes = -1;  // of a copy
};

// A stream of a device that works on its own, shown beside the host's lanes.
struct DeviceLane {
  int32_t thread = 0;  // TraceSpan::thread of its spans: behind those of the host
  std::string name;    // "cuda:0 compute", "cuda:0 to device"
  std::string device;  // "cuda:0"
};

// Planned against measured memory at one moment of the fastest profiled run.
struct MemorySample {
  int64_t timeNs = 0;
  int32_t step = 0;           // of the main graph; the sample was taken when it ended
  int64_t plannedBytes = 0;   // live by the plan
  int64_t measuredBytes = 0;  // live in blocks and arena
  int64_t heldBytes = 0;      // blocks, arena and workspace, in use or not
};

// Memory of one device that works on its own.
struct DeviceMemoryReport {
  struct Sample {
    int64_t timeNs = 0;
    int32_t step = 0;
    int64_t plannedBytes = 0;   // live by the plan
    int64_t measuredBytes = 0;  // live in blocks and arena
  };
  std::string device;             // "cuda:0"
  int64_t plannedPeakBytes = -1;  // of values, without weights and workspace; -1: not planned
  int64_t lowerBoundBytes = -1;
  int64_t measuredPeakBytes = 0;
  int64_t heldBytes = 0;     // by this session's runs: blocks and arenas
  int64_t scratchBytes = 0;  // most workspace of kernels
  int64_t weightsBytes =
      0;                   // uploaded once per session, by the engine (kernels' own packed weights are not among them)
  int64_t poolBytes = -1;  // what the device's own allocator holds, all sessions of this process; -1: not known
  double linkBytesPerSecond = 0;  // of the bus to the host, one direction; 0: not known
  std::vector<Sample> samples;    // of the last profiled run
};

// Consecutive steps that a device records once and replays as one thing.
struct CapturedSegmentReport {
  int32_t graph = 0;
  int32_t firstStep = 0;
  int32_t steps = 0;
  std::string provider;
  int64_t recordings = 0;
  int64_t replays = 0;
  std::string problem;  // why it is not replayed; empty: it is, or will be from the third run on
};

// A node of a device that cannot be replayed, or one that ends a segment.
struct SegmentBreak {
  int32_t graph = 0;
  int32_t node = 0;  // in the partitioned graph
  int32_t step = 0;
  std::string reason;
};

struct TensorSummary {
  std::string name;
  std::string type;  // "float[1,10]"
  int64_t sizeBytes = 0;
  std::string preview;                        // first values
  double minimum = 0, maximum = 0, mean = 0;  // of numeric tensors
  int64_t nanCount = 0, infCount = 0;
};

// What a session holds, by purpose.
struct MemoryBreakdown {
  int64_t weightsBytes = 0;           // initializers as the model has them
  int64_t residentWeightsBytes = -1;  // of these, in memory now; -1: not known
  int64_t packedBytes = 0;            // weights in the layouts kernels want, those shared with other sessions included
  int64_t sharedPackedBytes = 0;      // of these, shared with another session
  int64_t activationsBytes = 0;       // pattern blocks
  int64_t arenaBytes = 0;             // chunks for values of unknown size
  int64_t workspaceBytes = 0;         // kernels' scratch
  int64_t peakBytes = 0;              // high-water mark of the three lines above
};

struct ArenaStatistics {
  int64_t allocations = 0;  // requests served
  int64_t extensions = 0;   // times it asked the system for more
  int64_t shrinkages = 0;
  int64_t inUseBytes = 0;
  int64_t heldBytes = 0;
  int64_t peakInUseBytes = 0;
  int64_t largestRequestBytes = 0;
  int64_t limitBytes = 0;  // 0: none
};

// Memory patterns that a session with open dimensions keeps, by the dims of the feeds.
struct PatternCacheStatistics {
  int64_t hits = 0;       // runs whose dims differ from the last ones and had a pattern already
  int64_t misses = 0;     // runs whose dims had none: one was planned
  int64_t evictions = 0;  // patterns dropped for newer ones
  int64_t entries = 0;    // held now
};

// "3 hits, 2 misses, 0 evictions, 2 held"; empty where every size was known before running, so that nothing was looked
// up.
std::string patternCacheText(const PatternCacheStatistics& cache);

struct RunReport {
  int64_t runs = 0;
  int64_t warmups = 0;
  int32_t threads = 1;
  int32_t workers = 1;                  // lanes of the dataflow executor; 1: sequential
  std::string executor = "sequential";  // "sequential", "dataflow"
  std::string executorReason;           // why dataflow was or was not used
  std::string tag;
  uint64_t seed = 0;
  double medianMs = 0, minMs = 0, maxMs = 0, meanMs = 0, p90Ms = 0, p99Ms = 0;
  double medianLowMs = 0, medianHighMs = 0;  // 95 % confidence interval of the median
  double deviationMs = 0;
  double firstRunMs = 0;
  std::vector<double> runMs;
  std::vector<NodeTiming> nodes;
  std::vector<TraceSpan> spans;      // of the fastest profiled run, by start
  int64_t droppedSpans = 0;          // calls of that run that found no room among them
  std::vector<MemorySample> memory;  // of the fastest profiled run
  double engineNsPerNode = -1;       // time of a run outside kernels, per step; -1: not profiled
  std::vector<TensorSummary> inputs;
  std::vector<TensorSummary> outputs;
  int64_t plannedPeakBytes = 0;
  int64_t lowerBoundBytes = 0;
  int64_t weightsBytes = 0;
  int64_t measuredPeakBytes = 0;  // highest of pattern block plus arena in use
  int64_t peakRssBytes = 0;
  MemoryBreakdown breakdown;
  ArenaStatistics arena;
  PatternCacheStatistics patternCache;
  std::vector<DeviceLane> deviceLanes;  // of the fastest profiled run
  std::vector<DeviceMemoryReport> deviceMemory;
  std::vector<CapturedSegmentReport> capturedSegments;
  std::vector<SegmentBreak> segmentBreaks;
  bool profiled = false;
  std::string source;  // empty: run here; otherwise the trace file it was read from
};

}  // namespace cutaway
