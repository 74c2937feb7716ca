#include "engine/stages/optimize/optimize.h"

#include "engine/base/clock.h"
#include "engine/stages/optimize/pass_runner.h"
#include "engine/stages/optimize/pipeline.h"

namespace cutaway {

namespace {

// As often as the reference repeats its list; real models settle in two or three.
constexpr int kMostRounds = 10;

int64_t countNodes(const Model& model) {
  int64_t count = 0;
  forEachGraph(model.graph, [&](const Graph& graph) { count += static_cast<int64_t>(graph.nodeCount()); });
  return count;
}

class Optimizer {
 public:
  Optimizer(Model& model, const OptimizeOptions& options, Progress& progress) : m_model(model), m_options(options), m_progress(progress), m_passes(pipeline()) {}

  Result<OptimizeReport> run() {
    const Stopwatch watch;
    m_report.level = m_options.level;
    m_report.nodesBefore = countNodes(m_model);
    for (const Pass& pass : m_passes) m_report.passes.push_back(describePass(pass));
    for (int round = 0; round < kMostRounds; ++round) {
      CUTAWAY_TRY(const bool changed, runRound());
      if (!changed) break;
    }
    m_report.nodesAfter = countNodes(m_model);
    m_report.timeNs = watch.elapsedNs();
    return std::move(m_report);
  }

 private:
  PassReport describePass(const Pass& pass) const {
    PassReport report{.name = std::string(pass.name), .purpose = std::string(pass.purpose), .level = pass.level};
    report.skipped = pass.level > m_options.level || m_options.disabled.contains(report.name);
    return report;
  }

  Result<bool> runRound() {
    bool changed = false;
    for (size_t i = 0; i < m_passes.size(); ++i) {
      PassReport& report = m_report.passes[i];
      if (report.skipped) continue;
      m_progress.begin("Optimize", report.name);
      CUTAWAY_TRY(const int64_t rewrites, runOne(m_passes[i], report));
      changed = changed || rewrites > 0;
    }
    return changed;
  }

  Result<int64_t> runOne(const Pass& pass, PassReport& report) {
    const Stopwatch watch;
    const int64_t before = countNodes(m_model);
    if (report.rounds++ == 0) report.nodesBefore = before;
    PassRun run;
    Result<void> state;
    int32_t graphIndex = 0;
    forEachGraph(m_model.graph, [&](Graph& graph) {
      if (state) state = runPass(pass, m_model, graph, graphIndex, m_options, m_progress, run);
      ++graphIndex;
    });
    CUTAWAY_CHECK(std::move(state));
    report.rewrites += run.rewrites;
    report.nodesAfter = countNodes(m_model);
    report.timeNs += watch.elapsedNs();
    for (RewriteReport& rewrite : run.reports) m_report.rewrites.push_back(std::move(rewrite));
    for (std::string& warning : run.warnings) m_report.warnings.push_back(std::move(warning));
    return run.rewrites;
  }

  Model& m_model;
  const OptimizeOptions& m_options;
  Progress& m_progress;
  std::vector<Pass> m_passes;
  OptimizeReport m_report;
};

}  // namespace

Result<OptimizeReport> optimize(Model& model, const OptimizeOptions& options, Progress& progress) { return Optimizer(model, options, progress).run(); }

}  // namespace cutaway
