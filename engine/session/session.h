#pragma once
// Session: the walk from file to plans, and the state that running needs. What the windows and the command line embed.
//
// Thread rule: create on one thread; run() from many threads at once. Reports are immutable snapshots.
// Example:
//   CUTAWAY_TRY(auto session, Session::create(ModelSource::file(path), options, providerTable, progress,
//   [](std::shared_ptr<const WalkReport> walk) { show(walk); })); CUTAWAY_TRY(RunResult result, session->run(feeds,
//   {}));

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/progress.h"
#include "engine/execute/run_types.h"
#include "engine/provider/execution_provider.h"
#include "engine/report/walk_report.h"
#include "engine/stages/load/load.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::session {}  // namespace cutaway::session

namespace cutaway::context {
struct ContextOptions;
}  // namespace cutaway::context

namespace cutaway::session {

// Where a list of providers that says `auto` finds what was measured (choice/tuned_plans.h). An empty folder: nowhere.
struct TunedPlans {
  std::filesystem::path folder;
  std::string version;  // of the program: what another version measured is not used
};

struct SessionOptions {
  std::vector<std::string> providers;  // order of priority, each as provider_spec.h says; cpu is appended when missing.
                                       // {"auto"}: the best that is known; {"all"}: what is here (choice/auto_choice.h)
  TunedPlans tuned;                    // for auto
  std::vector<NodePin> pins;           // --pin
  int64_t minimumGroupNodes = 1;       // smaller compiled groups go to the next provider
  std::map<std::string, int64_t> dims;  // --dim
  int optimizationLevel = 3;            // --opt-level
  int threads = 0;                      // --threads; 0: all
  int interThreads = 0;                 // --inter-threads: workers of the dataflow executor; 0: as many as pay
  std::string executor = "sequential";  // --executor: "sequential", "dataflow" (independent nodes at the same time)
  std::string order = "default";        // --order
  std::string planRules = "cutaway";  // --plan: "cutaway", "onnxruntime", "onnxruntime-counters" (its training builds)
  bool inPlace = true;                // false: nothing is written over its input
  int64_t memoryLimitBytes = 0;       // --memory-limit: refuse to run above it; 0: none
  std::map<std::string, std::string> config;          // --set: onnxruntime's session keys
  std::vector<std::filesystem::path> profileFolders;  // --profile-dir: support profiles
  Stage lastStage = Stage::kPattern;                  // stop after this stage (inspect needs no kernels made)
  bool keepOptimized = false;  // keep the optimised model, so that what-if can partition it again
  std::shared_ptr<const context::ContextOptions>
      context;               // of the compile interface: replaces what the ep.context_* keys say,
                             // and has what no key can (bytes, streams, callbacks)
  bool contextOnly = false;  // stop when the context model is written (session.compile_only)
  bool prepareRun = true;    // make kernels and frames; false: plan-only, unassigned nodes are reported, not refused
};

using WalkListener = std::function<void(std::shared_ptr<const WalkReport>)>;

class IoBinding;

class Session {
 public:
  // Runs the walk up to options.lastStage. The listener gets a new snapshot after every stage, the last one (also on
  // failure) with the error in it.
  static Result<std::unique_ptr<Session>> create(const load::ModelSource& source, const SessionOptions& options,
                                                 const ProviderTable& table, Progress& progress,
                                                 const WalkListener& listener = {});
  virtual ~Session() = default;

  virtual std::shared_ptr<const WalkReport> report() const = 0;
  virtual const Model& model() const = 0;  // after partition
  // As optimize left it; nullptr without SessionOptions::keepOptimized. Kept packed: each call makes the model anew.
  virtual std::shared_ptr<const Model> optimizedModel() const { return nullptr; }
  virtual std::vector<execute::NamedType> inputs() const = 0;
  virtual std::vector<execute::NamedType> outputs() const = 0;
  // Checks feeds before anything runs (InferenceSession::ValidateInputs in
  // onnxruntime/core/session/inference_session.cc, and equal symbols across inputs). INVALID_ARGUMENT, FAIL when
  // cancelled, or the kernel's error with its node.
  virtual Result<execute::RunResult> run(const std::vector<execute::Feed>& feeds,
                                         const execute::RunOptions& options) = 0;
  // As above with inputs and outputs bound before (io_binding.h); results lie in the binding. RunOptions::outputs is
  // not used.
  virtual Result<execute::RunResult> run(IoBinding& binding, const execute::RunOptions& options) = 0;
  // Memory and captured segments of devices that work on their own, over the runs so far.
  virtual execute::DeviceFigures devices() const { return {}; }
  // What it and all that is made for it count in: inputs, too. nullptr: no memory limit.
  virtual std::shared_ptr<HeapBudget> memoryBudget() const { return nullptr; }
  // What it holds now, by purpose.
  virtual MemoryBreakdown memory() const { return {}; }
  virtual ArenaStatistics arena() const { return {}; }
  // Of the main graph, over the runs so far.
  virtual PatternCacheStatistics patternCache() const { return {}; }
  // "dataflow, 2 workers" or "sequential"; and why.
  virtual std::string executor() const { return "sequential"; }
  virtual std::string executorReason() const { return {}; }
  virtual int workers() const { return 1; }
  // Threads that loops of a run may use.
  virtual int threads() const { return 0; }
  // Peak and lower bound of the newest memory pattern of the main graph: that of the walk, or, with open dimensions,
  // the one traced for the latest feed shapes. 0: none yet.
  virtual int64_t plannedPeakBytes() const { return 0; }
  virtual int64_t lowerBoundBytes() const { return 0; }
  // High-water mark of everything runs allocated (pattern blocks and arena), bytes.
  virtual int64_t measuredPeakBytes() const = 0;
};

// Seeded feeds for every required input: floats in [-1, 1), integers in a small range that suits index inputs, open
// dims bound by `dims` or 1. Documented in engine/session/README.md. They count in the session's memory budget: FAIL,
// by policy, naming the input that passes it. MODEL_LOAD_CANCELED when cancelled. `given`: inputs that are there
// already; none is made for them, and the others are the same as without them.
Result<std::vector<execute::Feed>> randomFeeds(const Session& session, uint64_t seed,
                                               const std::map<std::string, int64_t>& dims, const CancelToken& cancel,
                                               std::span<const execute::Feed> given = {});

struct BenchmarkOptions {
  int runs = 10;  // used when seconds is 0
  double seconds = 0;
  int warmups = 1;
  bool profile = false;
};
// Runs repeatedly and fills a RunReport (and a walk snapshot with it through withRun). FAIL when cancelled.
Result<RunReport> measure(Session& session, const std::vector<execute::Feed>& feeds, const BenchmarkOptions& options,
                          const CancelToken& cancel);
std::shared_ptr<const WalkReport> withRun(const WalkReport& walk, RunReport run);

}  // namespace cutaway::session
