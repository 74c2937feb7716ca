#pragma once
// The walk from source to plans, publishing a snapshot after every stage.
//
// Thread rule: one thread. Example: Walk walk(source, options, table, progress, listener);  CUTAWAY_CHECK(walk.run());

#include <memory>
#include <optional>

#include "engine/base/span_log.h"
#include "engine/execute/dataflow/dataflow_choice.h"
#include "engine/execute/program/graph_program.h"
#include "engine/plan/plan_walk.h"
#include "engine/session/choice/auto_choice.h"
#include "engine/session/configuration/session_config.h"
#include "engine/session/session.h"
#include "engine/session/walk/context_walk.h"
#include "engine/tensor/packed_weight.h"

namespace cutaway::session {

class Walk {
 public:
  Walk(const load::ModelSource& source, const SessionOptions& options, const ProviderTable& table, Progress& progress,
       const WalkListener& listener, bool mayFixDefaults = false)
      : m_source(source),
        m_options(options),
        m_table(table),
        m_progress(progress),
        m_listener(listener),
        m_mayFixDefaults(mayFixDefaults) {}

  // Up to options.lastStage. On failure the last snapshot carries the error.
  // A context model that cannot be used here is walked again from its original when ep.context_recompile=1.
  Result<void> run();

  // What the stages made.
  std::unique_ptr<Model> model;  // of the original when that was opened in the place of a context model
  std::vector<std::unique_ptr<ExecutionProvider>> providers;  // order of priority, cpu last
  std::map<std::string, CompiledNode> compiled;
  std::shared_ptr<const PackedModel> loadedModel;     // what WalkReport::loadedModel points at
  std::shared_ptr<const PackedModel> optimizedModel;  // with SessionOptions::keepOptimized
  std::unique_ptr<plan::PlanWalk> plans;
  SessionConfig config;
  std::shared_ptr<const WalkReport> report = std::make_shared<const WalkReport>();
  // The model as it stands and its inputs, where defaults of inputs became constants (overridable_session.h).
  std::shared_ptr<const PackedModel> modelWithDefaults;
  std::vector<execute::NamedType> inputsWithDefaults;
  std::unique_ptr<execute::Program> program;  // when a run is to be prepared
  execute::ExecutorChoice executor;           // likewise
  // Whether runs use the memory pattern: it is switched on, and the rules of planning know one.
  bool usesPattern() const { return report->pattern != nullptr ? report->pattern->eligible : config.memoryPattern; }
  std::shared_ptr<PackAccount> packs =
      std::make_shared<PackAccount>();  // constants that providers and kernels have packed for this session

 private:
  template <typename Work>
  Result<void> stage(Stage which, Work&& work);
  Result<void> work(Stage which, WalkReport& snapshot);
  std::optional<Stage> next(Stage which) const;
  Result<void> load(WalkReport& snapshot);
  void describeWithoutWeights(WalkReport& snapshot) const;
  Result<void> checkModel(WalkReport& snapshot);
  Result<void> resolve(WalkReport& snapshot);
  void fixDefaults();
  Result<void> optimize(WalkReport& snapshot);
  Result<void> partition(WalkReport& snapshot);
  void noteWhoOnlyLooks(WalkReport& snapshot) const;
  Result<void> exportContext(WalkReport& snapshot);
  Result<void> later(Stage which, WalkReport& snapshot);
  bool exports() const { return config.context.enable && (m_options.prepareRun || config.context.compileOnly); }
  Error explainContext(Error error);
  void startAgain(const Error& cause);
  Result<void> prepare();
  Result<void> settleProviders();
  Result<void> makeProviders();
  Error place(Error error) const;
  void publish(std::shared_ptr<const WalkReport> snapshot);
  Result<void> walkStages();
  void publishCreation();

  load::ModelSource m_source;
  SessionOptions m_options;
  const ProviderTable& m_table;
  Progress& m_progress;
  const WalkListener& m_listener;
  bool m_mayFixDefaults;
  SpanLog m_spans;
  std::shared_ptr<const partition::CapturedGroups> m_captured;  // from partition to the export
  std::optional<ProviderChoice> m_choice;                       // of a list that says auto or all
  std::string m_listWord;                                       // which of them
  std::string m_choiceWarning;
  std::vector<ContextMention> m_contextNodes;
  std::shared_ptr<const ContextReport> m_context;   // warnings of the walk so far
  bool m_contextFailed = false;                     // what failed is the context model, not what is done with it
  std::optional<std::filesystem::path> m_original;  // to be opened in its place
};

}  // namespace cutaway::session
