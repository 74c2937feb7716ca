#include "engine/runtime/session.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <unordered_map>

#include "engine/base/clock.h"
#include "engine/base/parallel.h"
#include "engine/runtime/dataflow_choice.h"
#include "engine/runtime/dataflow_executor.h"
#include "engine/runtime/executor.h"
#include "engine/runtime/feed_check.h"
#include "engine/runtime/frame_bodies.h"
#include "engine/runtime/run_recorder.h"
#include "engine/runtime/walk.h"

namespace cutaway {
namespace {

// A main frame with what checking its feeds needs.
struct RunFrame {
  RunFrame(const GraphProgram& program, MemoryMeter& meter) : frame(program, meter) {}
  Frame frame;
  FeedMatch match;
  std::unique_ptr<RunRecorder> recorder;  // from the first profiled run on
};

class SessionImpl final : public Session {
 public:
  explicit SessionImpl(Walk& walk)
      : m_model(std::move(walk.model)),
        m_providers(std::move(walk.providers)),
        m_compiled(std::move(walk.compiled)),
        m_plans(std::move(walk.plans)),
        m_program(std::move(walk.program)),
        m_optimized(std::move(walk.optimizedModel)),
        m_report(walk.report),
        m_threads(walk.config.threads),
        m_useMemoryPattern(walk.config.memoryPattern),
        m_feeds(m_model->graph) {
    m_choice = walk.executor;
    if (m_choice.workers > 1 && m_program != nullptr) m_dataflow = std::make_unique<DataflowExecutor>(mainProgram(), DataflowOptions{m_choice.workers, threads()});
    if (m_report->pattern == nullptr) return;
    m_plannedPeakBytes = m_report->pattern->peakBytes;
    m_lowerBoundBytes = m_report->pattern->lowerBoundBytes;
  }

  std::shared_ptr<const WalkReport> report() const override { return m_report; }
  const Model& model() const override { return *m_model; }
  std::shared_ptr<const Model> optimizedModel() const override { return m_optimized; }
  std::vector<NamedType> inputs() const override { return m_feeds.inputs(); }
  std::vector<NamedType> outputs() const override {
    std::vector<NamedType> result;
    for (ValueId id : m_model->graph.outputs()) result.push_back({m_model->graph.value(id).name, m_model->graph.value(id).type, true});
    return result;
  }
  std::string executor() const override { return m_dataflow == nullptr ? "sequential" : fmt::format("dataflow, {} workers", workers()); }
  std::string executorReason() const override { return m_choice.reason; }
  int workers() const override { return m_dataflow == nullptr ? 1 : m_dataflow->workers(); }
  int threads() const override { return m_threads > 0 ? m_threads : availableThreads(); }
  int64_t plannedPeakBytes() const override { return m_plannedPeakBytes; }
  int64_t lowerBoundBytes() const override { return m_lowerBoundBytes; }
  int64_t measuredPeakBytes() const override { return m_meter.peakBytes(); }

  Result<RunResult> run(const std::vector<Feed>& feeds, const RunOptions& options) override {
    if (m_program == nullptr) return fail(ErrorCode::kFail, "this session was made to look at the model only; it is not prepared to run");
    if (options.cancel.cancelled()) return fail(ErrorCode::kFail, "the run was cancelled");
    try {
      std::unique_ptr<RunFrame> held = takeFrame();
      Result<RunResult> result = runOn(*held, feeds, options);
      giveBackFrame(std::move(held));
      return result;
    } catch (const std::exception& exception) {
      return fail(ErrorCode::kRuntimeException, "{}", exception.what());
    }
  }

  Result<RunResult> run(IoBinding&, const RunOptions&) override { return fail(ErrorCode::kNotImplemented, "bindings"); }

 private:
  const GraphProgram& mainProgram() const { return *m_program->graphs.front(); }

  std::unique_ptr<RunFrame> takeFrame() {
    {
      const std::scoped_lock lock(m_mutex);
      if (!m_idle.empty()) {
        std::unique_ptr<RunFrame> frame = std::move(m_idle.back());
        m_idle.pop_back();
        return frame;
      }
    }
    return std::make_unique<RunFrame>(mainProgram(), m_meter);
  }
  void giveBackFrame(std::unique_ptr<RunFrame> frame) {
    const std::scoped_lock lock(m_mutex);
    m_idle.push_back(std::move(frame));
  }

  Result<RunResult> runOn(RunFrame& held, const std::vector<Feed>& feeds, const RunOptions& options) {
    const int64_t startNs = nowNs();
    CUTAWAY_CHECK(m_feeds.check(feeds, held.match));
    CUTAWAY_TRY(const std::vector<size_t> wanted, wantedOutputs(options));
    RunControl control;
    control.cancel = options.cancel;
    if (options.deadlineNs > 0) control.deadlineNs = std::min(options.deadlineNs, std::numeric_limits<int64_t>::max() / 2) + nowNs();
    CUTAWAY_CHECK(selectKept(options, control));

    const ThreadShare share(m_threads);
    Frame& frame = held.frame;
    bindFeeds(held, feeds);
    choosePattern(frame);
    if (options.profile) {
      control.recorder = beginRecording(held, startNs);
      control.lanes = held.recorder.get();
    }
    std::vector<KeptValue> kept;
    Result<void> done = m_dataflow != nullptr ? m_dataflow->run(frame, control, kept) : runMainFrame(frame, control, kept);
    if (options.profile) held.recorder->end(nowNs());
    RunResult result;
    if (done) done = collectOutputs(frame, wanted, result);
    const bool traced = done.has_value() && frame.tracing();
    frame.finish(done.has_value());
    if (!done) return fail(std::move(done).error());
    if (traced) planTraced(frame);
    ownOutputs(result);
    result.timeNs = nowNs() - startNs;
    if (options.profile) held.recorder->collect(result);
    for (KeptValue& each : kept) result.kept.push_back({m_model->graph.value(ValueId{each.value}).name, std::move(each.copy)});
    return result;
  }

  LaneRecorder* beginRecording(RunFrame& held, int64_t startNs) const {
    const int64_t boundNs = nowNs();
    if (held.recorder == nullptr) held.recorder = std::make_unique<RunRecorder>(*m_program, m_meter);
    held.recorder->begin(held.frame, workers(), startNs);
    LaneRecorder& lane = held.recorder->lane(0);
    lane.engineSpan("check and bind feeds", startNs, boundNs);
    lane.engineSpan("prepare the profile", boundNs, nowNs(), true);
    return &lane;
  }

  Result<std::vector<size_t>> wantedOutputs(const RunOptions& options) const {
    const Graph& graph = m_model->graph;
    std::vector<size_t> wanted;
    wanted.reserve(graph.outputs().size());
    if (options.outputs.empty()) {
      for (size_t i = 0; i < graph.outputs().size(); ++i) wanted.push_back(i);
      return wanted;
    }
    for (const std::string& name : options.outputs) {
      size_t found = graph.outputs().size();
      for (size_t i = 0; i < graph.outputs().size(); ++i) {
        if (graph.value(graph.outputs()[i]).name == name) found = i;
      }
      if (found == graph.outputs().size()) return fail(atValue(Error{ErrorCode::kInvalidArgument, fmt::format("the model has no output '{}'", name), {}}, name));
      wanted.push_back(found);
    }
    return wanted;
  }

  Result<void> selectKept(const RunOptions& options, RunControl& control) const {
    if (options.keepValues.empty()) return {};
    const Graph& graph = m_model->graph;
    control.keep.assign(graph.valueSlots(), false);
    for (const std::string& name : options.keepValues) {
      if (name == "all") {
        control.keep.assign(graph.valueSlots(), true);
        continue;
      }
      const ValueId id = graph.findValue(name);
      if (!id.valid() || !graph.value(id).producer.valid()) {
        return fail(atValue(Error{ErrorCode::kInvalidArgument, fmt::format("value '{}' cannot be kept: no node of the graph that runs makes it (it may have been fused or folded away)", name), {}}, name));
      }
      control.keep[id.index()] = true;
    }
    return {};
  }

  void bindFeeds(RunFrame& held, const std::vector<Feed>& feeds) const {
    Frame& frame = held.frame;
    frame.key.clear();
    for (size_t i = 0; i < mainProgram().inputs.size(); ++i) {
      const uint32_t value = mainProgram().inputs[i];
      const int32_t feed = held.match.feedOfInput[i];
      if (feed < 0) {
        frame.bindDefault(value);
      } else {
        frame.value(value) = feeds[static_cast<size_t>(feed)].value;
      }
      const RuntimeValue& bound = frame.value(value);
      const bool isTensor = bound.isTensor();
      frame.key.push_back(isTensor ? static_cast<int64_t>(bound.tensor().rank()) : -1);
      if (isTensor) frame.key.insert(frame.key.end(), bound.tensor().dims().begin(), bound.tensor().dims().end());
    }
  }

  // Types that tell every size need no trace. Otherwise sizes are traced once for each set of feed shapes.
  void choosePattern(Frame& frame) const {
    if (!m_useMemoryPattern || mainProgram().patternComplete) return;
    if (frame.key == frame.lastKey && frame.pattern() != nullptr) return;
    auto pattern = mainProgram().patterns->find(frame.key);
    if (pattern == nullptr) {
      frame.lastKey.clear();
      frame.usePattern(mainProgram().staticPattern);
      frame.startTrace();
      return;
    }
    frame.trimArena();
    frame.usePattern(std::move(pattern));
    frame.lastKey = frame.key;
  }

  void planTraced(Frame& frame) {
    const GraphProgram& program = mainProgram();
    std::vector<int64_t> sizes = program.staticSizes;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const bool isString = program.values[i].element == ElementType::kString;
      sizes[i] = isString ? -1 : std::max(sizes[i], frame.tracedSizes()[i]);
    }
    frame.stopTrace();
    auto group = planPattern(*program.graph, *program.order, *program.allocation, sizes);
    if (!group) return;
    int64_t peakBytes = 0;
    int64_t lowerBoundBytes = 0;
    for (const GraphPattern& pattern : describePattern(*program.graph, *program.order, *program.allocation, *group, program.graphIndex)) {
      peakBytes += pattern.peakBytes;
      lowerBoundBytes += pattern.lowerBoundBytes;
    }
    m_plannedPeakBytes = peakBytes;
    m_lowerBoundBytes = lowerBoundBytes;
    program.patterns->insert(frame.key, std::make_shared<const MemoryPatternGroup>(*std::move(group)));
  }

  Result<void> collectOutputs(Frame& frame, const std::vector<size_t>& wanted, RunResult& result) const {
    result.outputs.reserve(wanted.size());
    for (size_t i : wanted) {
      const uint32_t value = mainProgram().outputs[i];
      result.outputs.push_back({m_model->graph.value(ValueId{value}).name, frame.value(value)});
    }
    return {};
  }

  // What the caller gets must be the caller's alone: not a feed's bytes, not a weight's, not another output's.
  static void ownOutputs(RunResult& result) {
    for (Feed& output : result.outputs) {
      if (!output.value.isTensor()) continue;
      Tensor& tensor = output.value.tensor();
      if (tensor.keepAlive() != nullptr && tensor.keepAlive().use_count() == 1) continue;
      if (auto copy = tensor.clone()) tensor = *std::move(copy);
    }
  }

  // Members die in reverse: frames before the program, the program before plans, kernels before their providers.
  std::unique_ptr<Model> m_model;
  std::vector<std::unique_ptr<ExecutionProvider>> m_providers;
  std::map<std::string, CompiledNode> m_compiled;
  std::unique_ptr<PlanWalk> m_plans;
  std::unique_ptr<Program> m_program;
  std::shared_ptr<const Model> m_optimized;
  std::shared_ptr<const WalkReport> m_report;
  int m_threads;
  bool m_useMemoryPattern;
  FeedChecker m_feeds;
  std::atomic<int64_t> m_plannedPeakBytes{0};
  std::atomic<int64_t> m_lowerBoundBytes{0};
  MemoryMeter m_meter;
  std::mutex m_mutex;
  std::vector<std::unique_ptr<RunFrame>> m_idle;
  ExecutorChoice m_choice;
  std::unique_ptr<DataflowExecutor> m_dataflow;
};

}  // namespace

Result<std::unique_ptr<Session>> Session::create(const ModelSource& source, const SessionOptions& options, const ProviderTable& table, Progress& progress, const WalkListener& listener) {
  const ThreadShare share(options.threads);
  Walk walk(source, options, table, progress, listener);
  CUTAWAY_CHECK(walk.run());
  return std::make_unique<SessionImpl>(walk);
}

}  // namespace cutaway
