#include "engine/session/session.h"

#include <algorithm>
#include <exception>
#include <limits>

#include "engine/base/clock.h"
#include "engine/base/exception_text.h"
#include "engine/base/parallel.h"
#include "engine/base/read_mark.h"
#include "engine/base/short_memory.h"
#include "engine/base/signal_stack.h"
#include "engine/execute/dataflow/dataflow_choice.h"
#include "engine/execute/dataflow/dataflow_executor.h"
#include "engine/execute/frame/memory_budget.h"
#include "engine/profile/recorded_run.h"
#include "engine/session/called_from.h"
#include "engine/session/device_figures.h"
#include "engine/session/feed_check.h"
#include "engine/session/overridable_session.h"
#include "engine/session/run_frames.h"
#include "engine/session/run_outputs.h"
#include "engine/session/run_patterns.h"
#include "engine/session/walk/walk.h"
#include "engine/stages/partition/copies.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::session {
namespace {

class SessionImpl final : public InnerSession {
 public:
  // budget: nullptr without a memory limit.
  SessionImpl(Walk& walk, std::shared_ptr<const ReadMark> mark, const std::shared_ptr<HeapBudget>& budget)
      : m_readMark(std::move(mark)),
        m_model(std::move(walk.model)),
        m_providers(std::move(walk.providers)),
        m_compiled(std::move(walk.compiled)),
        m_plans(std::move(walk.plans)),
        m_program(std::move(walk.program)),
        m_loadedModel(std::move(walk.loadedModel)),
        m_optimized(std::move(walk.optimizedModel)),
        m_report(walk.report),
        m_packs(walk.packs),
        m_threads(walk.config.threads),
        m_shrinkAlways(walk.config.shrinkMemory),
        m_feeds(namedInputs(m_model->graph)),
        m_budget(budget),
        m_meter(budget) {
    if (m_program == nullptr) return;
    m_choice = walk.executor;
    if (m_choice.workers > 1)
      m_dataflow = std::make_unique<execute::DataflowExecutor>(
          mainProgram(), execute::DataflowOptions{m_choice.workers, threads(), m_choice.leastNodeNs});
    const bool planned = m_report->pattern != nullptr && m_report->pattern->eligible;
    m_frames = std::make_unique<RunFrames>(mainProgram(), m_meter);
    m_fetches = std::make_unique<execute::FetchPlans>(mainProgram());
    m_patterns = std::make_unique<RunPatterns>(mainProgram(), m_plans->graphs(), m_feeds.symbolNames(),
                                               walk.usesPattern(), planned ? m_report->pattern->peakBytes : 0,
                                               planned ? m_report->pattern->lowerBoundBytes : 0);
  }

  std::shared_ptr<const WalkReport> report() const override { return m_report; }
  const Model& model() const override { return *m_model; }
  std::shared_ptr<const Model> optimizedModel() const override {
    return m_optimized == nullptr ? nullptr : std::make_shared<const Model>(m_optimized->unpack());
  }
  std::vector<execute::NamedType> inputs() const override { return m_feeds.inputs(); }
  std::vector<execute::NamedType> outputs() const override { return namedOutputs(m_model->graph); }
  std::string executor() const override {
    return m_dataflow == nullptr ? "sequential" : fmt::format("dataflow, {} workers", workers());
  }
  std::string executorReason() const override { return m_choice.reason; }
  int workers() const override { return m_dataflow == nullptr ? 1 : m_dataflow->workers(); }
  int threads() const override { return m_threads > 0 ? m_threads : availableThreads(); }
  int64_t plannedPeakBytes() const override {
    if (m_patterns != nullptr) return m_patterns->peakBytes();
    return m_report->pattern != nullptr && m_report->pattern->eligible ? m_report->pattern->peakBytes : 0;
  }
  int64_t lowerBoundBytes() const override {
    return m_patterns != nullptr          ? m_patterns->lowerBoundBytes()
           : m_report->pattern != nullptr ? m_report->pattern->lowerBoundBytes
                                          : 0;
  }
  int64_t measuredPeakBytes() const override { return m_meter.peakBytes(); }
  execute::DeviceFigures devices() const override {
    return m_frames == nullptr || mainProgram().runs.empty() ? execute::DeviceFigures{}
                                                             : describeDevices(*m_program, *m_frames);
  }
  std::shared_ptr<HeapBudget> memoryBudget() const override { return m_budget; }
  MemoryBreakdown memory() const override {
    return m_program == nullptr ? MemoryBreakdown{} : execute::describeMemory(*m_program, m_meter, *m_packs);
  }
  ArenaStatistics arena() const override { return m_meter.arena(); }
  PatternCacheStatistics patternCache() const override {
    return m_program == nullptr ? PatternCacheStatistics{} : mainProgram().patterns->statistics();
  }

  Result<execute::RunResult> run(const std::vector<execute::Feed>& feeds, const execute::RunOptions& options) override {
    return guarded(options, [&](RunFrame& held) -> Result<execute::RunResult> {
      CUTAWAY_CHECK(m_feeds.check(feeds, held.match));
      CUTAWAY_TRY(held.fetch, m_fetches->find(options.outputs, options.keepValues, held.fetch));
      return runOn(held, held.match, nullptr, options);
    });
  }

  Result<execute::RunResult> run(IoBinding& binding, const execute::RunOptions& options) override {
    IoBinding::State& state = binding.state();
    if (&state.session != m_outer) return fail(ErrorCode::kInvalidArgument, "the binding belongs to another session");
    return guarded(options, [&](RunFrame& held) -> Result<execute::RunResult> {
      CUTAWAY_CHECK(state.prepare());
      CUTAWAY_TRY(held.fetch, m_fetches->find(state.wanted, options.keepValues, held.fetch));
      if (m_outer == this) return runOn(held, state.match, &state, options);
      held.match.values.resize(m_places.size());
      for (size_t i = 0; i < m_places.size(); ++i)
        held.match.values[i] = state.match.values[m_places[i]];
      CUTAWAY_CHECK(m_feeds.checkValues(held.match));
      return runOn(held, held.match, &state, options);
    });
  }

  void belongTo(const Session& outer, std::vector<size_t> places) override {
    m_outer = &outer;
    m_places = std::move(places);
  }

 private:
  const execute::GraphProgram& mainProgram() const { return *m_program->graphs.front(); }

  template <typename Work>
  Result<execute::RunResult> guarded(const execute::RunOptions& options, Work&& work) {
    Result<execute::RunResult> result = inFrame(options, work);
    if (result) return result;
    Error error = tellCall(std::move(result).error(), *m_model);
    if (options.tag.empty()) return fail(std::move(error));
    error.message = fmt::format("run '{}': {}", options.tag, error.message);
    return fail(std::move(error));
  }

  template <typename Work>
  Result<execute::RunResult> inFrame(const execute::RunOptions& options, Work&& work) {
    if (m_program == nullptr) return fail(ErrorCode::kFail, "this session is plan-only: it was not prepared to run");
    if (options.cancel.cancelled()) return fail(ErrorCode::kFail, "the run was cancelled");
    giveThreadSignalStack();
    try {
      std::unique_ptr<RunFrame> held = m_frames->take();
      try {
        Result<execute::RunResult> result = heedShortMemory([&] { return work(*held); });
        if (options.shrinkMemory || m_shrinkAlways) held->frame.shrink(true);
        m_frames->giveBack(std::move(held));
        if (options.shrinkMemory) m_frames->shrink();
        return result;
      } catch (...) {
        // Nobody knows how far it came: the frame goes, with its memory.
        held.reset();
        m_frames->lose();
        throw;
      }
    } catch (const std::bad_alloc& refused) {
      return fail(outOfMemory(refused, "in the run, which gave back what it held"));
    } catch (const std::exception& exception) {
      return fail(ErrorCode::kRuntimeException, "{}", exceptionText(exception));
    }
  }

  // binding: where outputs go; nullptr: fresh memory.
  Result<execute::RunResult> runOn(RunFrame& held, const FeedMatch& match, IoBinding::State* binding,
                                   const execute::RunOptions& options) {
    const int64_t startNs = nowNs();
    // Made from the caller's token: one of its own would be memory from the heap.
    execute::RunControl control{.cancel = options.cancel};
    if (options.deadlineNs > 0)
      control.deadlineNs = std::min(options.deadlineNs, std::numeric_limits<int64_t>::max() / 2) + nowNs();
    if (!held.fetch->kept.empty()) control.keep = held.fetch->kept;

    const ThreadShare share(m_threads);
    const HeapLimit limit(m_budget);
    execute::Frame& frame = held.frame;
    frame.useSteps(held.fetch->steps());
    Result<void> done = bindInputs(frame, match);
    if (binding != nullptr) bindTargets(frame, *binding);
    if (done) done = choosePattern(held, match);
    if (options.profile) {
      control.recorder = beginRecording(held, startNs);
      control.lanes = held.recorder.get();
    }
    std::vector<execute::KeptValue> kept;
    if (done)
      done =
          m_dataflow != nullptr ? m_dataflow->run(frame, control, kept) : execute::runMainFrame(frame, control, kept);
    if (options.profile) {
      held.recorder->end(nowNs());
      held.recorder->addDevices(frame);
    }
    execute::RunResult result;
    if (done && binding != nullptr) done = collectBound(frame, *binding, m_copy);
    if (done && binding == nullptr) collectOutputs(frame, *held.fetch, result.outputs);
    frame.finish(done.has_value());
    if (!done) return fail(std::move(done).error());
    m_patterns->learn(frame, match);
    CUTAWAY_CHECK(ownOutputs(result.outputs, frame));
    result.timeNs = nowNs() - startNs;
    if (options.profile) profile::collectRun(*held.recorder, result);
    for (execute::KeptValue& each : kept)
      result.kept.push_back({m_model->graph.value(ValueId{each.value}).name, std::move(each.copy)});
    return result;
  }

  // Idle frames give way when the limit leaves no room for the planned blocks beside them.
  Result<void> choosePattern(RunFrame& held, const FeedMatch& match) {
    CUTAWAY_CHECK(m_patterns->choose(held, match));
    if (m_meter.limitBytes() == 0 || held.frame.pattern() != nullptr || held.frame.tracing()) return {};
    m_frames->shrink();
    return m_patterns->choose(held, match);
  }

  execute::LaneRecorder* beginRecording(RunFrame& held, int64_t startNs) const {
    const int64_t boundNs = nowNs();
    if (held.recorder == nullptr) held.recorder = std::make_unique<execute::RunRecorder>(*m_program, m_meter);
    held.recorder->begin(held.frame, workers(), startNs);
    execute::LaneRecorder& lane = held.recorder->lane(0);
    lane.engineSpan("check and bind feeds", startNs, boundNs);
    lane.engineSpan("prepare the profile", boundNs, nowNs(), true);
    return &lane;
  }

  // Whether somebody reads this input where it was bound: a device's memory is read by copies of that device only.
  bool isReadWhereItLies(uint32_t input, const Tensor& tensor) const {
    if (tensor.device().type == DeviceType::kCpu || tensor.device().type == DeviceType::kSimulated) return true;
    const Graph& graph = *mainProgram().graph;
    const Value& value = graph.value(ValueId{input});
    return value.outputCount == 0 && std::ranges::all_of(value.uses, [&](const Use& use) {
             const Node& node = graph.node(use.node);
             const auto provider =
                 std::ranges::find_if(m_providers, [&](const auto& each) { return each->name() == node.provider; });
             return node.opType == partition::kCopyOperator && node.domain == partition::kEngineDomain &&
                    provider != m_providers.end() && (*provider)->device() == tensor.device();
           });
  }

  Result<void> bindInputs(execute::Frame& frame, const FeedMatch& match) const {
    for (size_t i = 0; i < mainProgram().inputs.size(); ++i) {
      const uint32_t value = mainProgram().inputs[i];
      if (match.values[i] == nullptr) {
        frame.bindDefault(value);
      } else {
        frame.value(value) = *match.values[i];
        if (!frame.value(value).isTensor() || isReadWhereItLies(value, frame.value(value).tensor())) continue;
        const Tensor& from = frame.value(value).tensor();
        CUTAWAY_TRY(Tensor onHost, Tensor::create(from.type(), from.dims()));
        CUTAWAY_CHECK(copyBetweenDevices(from, onHost));
        frame.value(value) = std::move(onHost);
      }
    }
    return {};
  }

  Result<void> copyBetweenDevices(const Tensor& from, Tensor& to) const {
    for (const auto& provider : m_providers) {
      if (provider->device() == from.device() || provider->device() == to.device()) return provider->copy(from, to);
    }
    return fail(ErrorCode::kInvalidArgument, "no provider copies from '{}' to '{}'", from.device().name,
                to.device().name);
  }

  // Members die in reverse: frames before the program, the program before plans, kernels before their providers.
  std::shared_ptr<const ReadMark> m_readMark;  // nobody writes over the model while it is open
  std::unique_ptr<Model> m_model;
  std::vector<std::unique_ptr<ExecutionProvider>> m_providers;
  std::map<std::string, CompiledNode> m_compiled;
  std::unique_ptr<plan::PlanWalk> m_plans;
  std::unique_ptr<execute::Program> m_program;
  std::shared_ptr<const PackedModel> m_loadedModel;  // what WalkReport::loadedModel points at
  std::shared_ptr<const PackedModel> m_optimized;
  std::shared_ptr<const WalkReport> m_report;
  std::shared_ptr<PackAccount> m_packs;
  int m_threads;
  bool m_shrinkAlways;  // memory.enable_memory_arena_shrinkage
  FeedChecker m_feeds;
  const Session* m_outer = this;  // the one that bindings are made for
  std::vector<size_t> m_places;   // of our inputs among those of m_outer, where it is another
  const DeviceCopy m_copy = [this](const Tensor& from, Tensor& to) { return copyBetweenDevices(from, to); };
  const std::shared_ptr<HeapBudget> m_budget;
  execute::MemoryMeter m_meter;
  std::unique_ptr<execute::FetchPlans> m_fetches;
  std::unique_ptr<RunPatterns> m_patterns;
  std::unique_ptr<RunFrames> m_frames;
  execute::ExecutorChoice m_choice;
  std::unique_ptr<execute::DataflowExecutor> m_dataflow;
};

struct Defaults {
  std::shared_ptr<const PackedModel> model;
  std::vector<execute::NamedType> inputs;
};

// defaults: what Walk found; nullptr: they stay inputs.
Result<std::unique_ptr<InnerSession>> walked(const load::ModelSource& source, const SessionOptions& options,
                                             const ProviderTable& table, Progress& progress,
                                             const WalkListener& listener, Defaults* defaults) {
  giveThreadSignalStack();
  const ThreadShare share(options.threads);
  const HeapLimit limit(options.memoryLimitBytes);
  auto mark = source.fromBytes ? nullptr : ReadMark::of(source.path);
  Walk walk(source, options, table, progress, listener, defaults != nullptr);
  CUTAWAY_CHECK(walk.run());
  if (defaults != nullptr) *defaults = {std::move(walk.modelWithDefaults), std::move(walk.inputsWithDefaults)};
  return std::unique_ptr<InnerSession>(std::make_unique<SessionImpl>(
      walk, std::move(mark), options.memoryLimitBytes > 0 ? HeapLimit::budget() : nullptr));
}

}  // namespace

Result<std::unique_ptr<Session>> Session::create(const load::ModelSource& source, const SessionOptions& options,
                                                 const ProviderTable& table, Progress& progress,
                                                 const WalkListener& listener) {
  Defaults defaults;
  CUTAWAY_TRY(std::unique_ptr<InnerSession> made, walked(source, options, table, progress, listener, &defaults));
  if (defaults.model == nullptr) return std::unique_ptr<Session>(std::move(made));
  return std::unique_ptr<Session>(std::make_unique<OverridableSession>(
      std::move(made), std::move(defaults.inputs), [model = std::move(defaults.model), options, table] {
        Progress quiet;
        const auto asItStands = load::ModelSource::loaded(std::make_shared<const Model>(model->unpack()));
        return walked(asItStands, options, table, quiet, {}, nullptr);
      }));
}

}  // namespace cutaway::session
