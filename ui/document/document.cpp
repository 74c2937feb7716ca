#include "ui/document/document.h"

#include <utility>

#include <QDir>
#include <QFileInfo>

#include "ui/base/format.h"
#include "ui/document/engine_host.h"

namespace cutaway::ui {
namespace {

Result<std::shared_ptr<const study::WhatIfResult>> evaluated(const WorkPlace& place,
                                                             const session::Configuration& change,
                                                             const WalkReport& present, Progress& progress,
                                                             int measureRuns) {
  CUTAWAY_TRY(const std::shared_ptr<const Model> optimized, place.optimizedModel("partition again"));
  if (!place.host.evaluateWhatIf) return fail(ErrorCode::kNotImplemented, "This window was built without what-if.");
  progress.begin("Compare", "asking providers again");
  CUTAWAY_TRY(study::WhatIfResult result,
              place.host.evaluateWhatIf(*optimized, place.options, change, present, progress, measureRuns));
  return std::make_shared<const study::WhatIfResult>(std::move(result));
}

// Figures of an earlier run stay: the stage's state says that they are not those of the last one.
std::shared_ptr<const WalkReport> withFailedRun(const WalkReport& walk) {
  auto failed = std::make_shared<WalkReport>(walk);
  failed->stages[static_cast<size_t>(Stage::kRun)].state = StageState::kFailed;
  return failed;
}

}  // namespace

Document::Document(std::shared_ptr<const EngineHost> host, session::SessionOptions options, QObject* parent)
    : QObject(parent),
      m_options(std::move(options)),
      m_service(host),
      m_studies(this, &m_service),
      m_contexts(this, &m_service),
      m_edits(this),
      m_tensors(this),
      m_accuracy(this),
      m_opinion(this),
      m_difference(this),
      m_selection(this),
      m_profiles(std::move(host), this),
      m_walk(std::make_shared<WalkReport>()) {
  m_options.keepOptimized = true;
  m_draft.start(m_options, text(lastResort(m_service.host().providers)));
  connectService();
}

void Document::connectService() {
  connect(&m_edits, &EditController::changed, this, &Document::titleChanged);
  connect(&m_contexts, &ContextController::changed, this,
          [this] { emit walkChanged(takeWalk(m_walk) | WalkPart::kStates); });
  connect(&m_service, &EngineService::walkPublished, this, &Document::setWalk);
  const auto ended = std::make_shared<Job>(Job::kNone);
  connect(&m_service, &EngineService::jobChanged, this, [ended](Job before) { *ended = before; });
  connect(&m_service, &EngineService::failed, this, [this, ended](const Error& error) {
    m_waitingRun.reset();
    if (*ended == Job::kRun) m_walk = withFailedRun(*m_walk);
    setError(error);
    emit walkChanged(WalkPart::kStates);
  });
  connect(&m_service, &EngineService::shownOnly, this, [this](const Error& why) {
    m_planOnly = true;
    setError(why);
  });
  connect(&m_service, &EngineService::finished, this, [this] {
    emit walkChanged(WalkPart::kStates);
    if (const auto request = std::exchange(m_waitingRun, std::nullopt)) m_service.run(*request);
  });
  connect(&m_service, &EngineService::cancelled, this, [this](Job job) {
    m_waitingRun.reset();
    if (job != Job::kWalk) return;
    m_cancelled = true;
    emit walkChanged(WalkPart::kStates);
  });
  // Stages are shown as they are worked at.
  connect(&m_service, &EngineService::jobChanged, this, [this](Job before) {
    if (before == Job::kRun || m_service.job() == Job::kRun) emit walkChanged(WalkPart::kStates);
  });
}

void Document::open(const QString& path) {
  m_path = QFileInfo(path).absoluteFilePath();
  m_edits.drop();
  emit titleChanged();
  startWalk();
}

void Document::reload() {
  if (!m_path.isEmpty()) startWalk();
}

void Document::run() {
  run(m_request, m_options);
}

void Document::run(const RunRequest& request, const session::SessionOptions& options) {
  m_request = request;
  const bool same = options.executor == m_options.executor && options.threads == m_options.threads &&
                    options.interThreads == m_options.interThreads;
  if (same) return m_service.run(request);
  setOptions(options);
  if (!m_path.isEmpty()) m_waitingRun = request;
}

void Document::setOptions(const session::SessionOptions& options) {
  m_options = options;
  m_options.keepOptimized = true;
  m_draft.start(m_options, text(lastResort(m_service.host().providers)));
  reload();
}

void Document::compare(int measureRuns) {
  m_whatIfError.reset();
  m_service.perform(
      Job::kCompare, EngineService::tr("Comparing"),
      [this, change = m_draft.configuration(), present = m_walk, measureRuns](const WorkPlace& place,
                                                                              Progress& progress) {
        return [this, result = evaluated(place, change, *present, progress, measureRuns)] {
          if (!result) return endComparison(m_whatIf, result.error());
          m_side = Side::kWhatIf;
          endComparison(*result, std::nullopt);
        };
      },
      [this] { emit whatIfChanged(); });
  emit whatIfChanged();
}

void Document::endComparison(std::shared_ptr<const study::WhatIfResult> result, std::optional<Error> error) {
  const bool other = result != m_whatIf;
  m_whatIf = std::move(result);
  m_whatIfError = std::move(error);
  emit whatIfChanged();
  if (other) emit walkChanged(WalkPart::kComparison);
}

void Document::dropComparison() {
  if (!comparing() && (m_whatIf || m_whatIfError)) endComparison(nullptr, std::nullopt);
}

Result<session::SessionOptions> Document::draftOptions() const {
  session::SessionOptions options = m_options;
  CUTAWAY_CHECK(m_draft.configuration().applyTo(options, m_service.host().providers));
  return options;
}

void Document::applyDraft() {
  Result<session::SessionOptions> options = draftOptions();
  if (!options) return endComparison(m_whatIf, options.error());
  setOptions(*options);
}

void Document::setSide(Side side) {
  if (m_side == side) return;
  m_side = side;
  emit whatIfChanged();
}

void Document::startWalk() {
  setError(std::nullopt);
  m_cancelled = false;
  m_planOnly = false;
  m_waitingRun.reset();
  const bool compared = m_whatIf || m_whatIfError;
  m_whatIf.reset();
  m_whatIfError.reset();
  m_walk = std::make_shared<WalkReport>();
  for (auto& index : m_indexes)
    index.reset();
  m_selection.clear();
  m_service.open(m_path, m_options, m_edits.walked());
  // What was found out about the walk before.
  m_studies.drop();
  m_contexts.drop();
  m_tensors.drop();
  m_accuracy.drop();
  m_opinion.drop();
  m_playhead.setCount(0);
  m_playhead.reset();
  if (compared) emit whatIfChanged();
  emit walkChanged(kWholeWalk);
}

void Document::setWalk(std::shared_ptr<const WalkReport> walk) {
  if (!walk) return;
  const WalkParts changed = takeWalk(std::move(walk));
  if (changed) emit walkChanged(changed);
}

WalkParts Document::takeWalk(std::shared_ptr<const WalkReport> walk) {
  const std::shared_ptr<const WalkReport> before = std::exchange(m_walk, m_contexts.merged(std::move(walk)));
  constexpr std::shared_ptr<const ModelGraphs> WalkReport::* kVersions[kGraphVersionCount] = {
      &WalkReport::loadedGraphs, &WalkReport::optimizedGraphs, &WalkReport::partitionedGraphs};
  for (int i = 0; i < kGraphVersionCount; ++i)
    if ((*before).*kVersions[i] != (*m_walk).*kVersions[i]) m_indexes[static_cast<size_t>(i)].reset();
  m_playhead.setCount(m_walk->schedule && m_walk->partitionedGraphs && !m_walk->schedule->graphs.empty()
                          ? static_cast<int>(m_walk->schedule->graphs[0].steps.size())
                          : 0);
  if (m_walk->error) setError(m_walk->error);
  return changedParts(*before, *m_walk);
}

void Document::setError(std::optional<Error> error) {
  m_error = std::move(error);
  emit errorChanged();
}

QString Document::title() const {
  const QFileInfo info(m_path);
  // "model.onnx" says little: the folder's name tells such files apart.
  const QString name = info.completeBaseName() == QLatin1String("model")
                           ? info.dir().dirName() + QLatin1Char('/') + info.fileName()
                           : info.fileName();
  return m_edits.unsaved() && !m_edits.edits().empty() ? tr("%1 (edited, not saved)").arg(name) : name;
}

StageState Document::stageState(Stage stage) const {
  const auto index = static_cast<size_t>(stage);
  if (stage == Stage::kRun && m_service.job() == Job::kRun) return StageState::kRunning;
  if (stage == Stage::kRun && m_planOnly) return StageState::kFailed;
  if (stage == Stage::kContext && m_contexts.stageState() != StageState::kWaiting) return m_contexts.stageState();
  const StageState state = m_walk->stages[index].state;
  if (state != StageState::kWaiting || stage > Stage::kPattern) return state;
  const bool first = index == 0 || m_walk->stages[index - 1].state == StageState::kDone;
  if (!first) return state;
  if (m_service.job() == Job::kWalk) return StageState::kRunning;
  if (m_cancelled) return StageState::kCancelled;
  return m_error && index == 0 ? StageState::kFailed : state;
}

void Document::setStage(Stage stage) {
  if (m_stage == stage) return;
  m_stage = stage;
  emit stageChanged();
}

const StepIndex& Document::steps() const {
  if (!m_steps.isFor(*m_walk)) m_steps = StepIndex(m_walk);
  return m_steps;
}

GraphVersion Document::versionFor(Stage stage) const {
  if (stage == Stage::kPartition && m_whatIf && m_walk->optimizedGraphs)
    return GraphVersion::kOptimized;  // nodes as providers were asked about them: the same on both sides
  // What an export would keep is said of the nodes that it would take in; a model with context nodes is shown with what
  // became of them.
  const bool previewed =
      stage == Stage::kContext && m_walk->optimizedGraphs && m_walk->context && m_walk->context->nodes.empty();
  if (previewed) return GraphVersion::kOptimized;
  if (stage >= Stage::kPartition && m_walk->partitionedGraphs) return GraphVersion::kPartitioned;
  if (stage >= Stage::kOptimize && m_walk->optimizedGraphs) return GraphVersion::kOptimized;
  return GraphVersion::kLoaded;
}

std::shared_ptr<const ModelGraphs> Document::graphs(GraphVersion version) const {
  switch (version) {
    case GraphVersion::kLoaded:
      return m_walk->loadedGraphs;
    case GraphVersion::kOptimized:
      return m_walk->optimizedGraphs;
    case GraphVersion::kPartitioned:
      return m_walk->partitionedGraphs;
  }
  return nullptr;
}

const GraphIndex* Document::index(GraphVersion version) const {
  auto& slot = m_indexes[static_cast<size_t>(version)];
  if (!slot)
    if (auto all = graphs(version)) slot = std::make_unique<GraphIndex>(std::move(all));
  return slot.get();
}

const NodeReport* Document::node(const NodeTarget& target) const {
  const auto all = graphs(target.version);
  if (!all || target.graph < 0 || target.graph >= static_cast<int>(all->graphs.size())) return nullptr;
  const GraphReport& graph = all->graphs[target.graph];
  return target.node >= 0 && target.node < static_cast<int>(graph.nodes.size()) ? &graph.nodes[target.node] : nullptr;
}

const ValueReport* Document::value(GraphVersion version, const ValueTarget& target) const {
  const GraphIndex* all = index(version);
  const int found = all ? all->valueIndex(target.graph, target.name.toStdString()) : kNone;
  return found < 0 ? nullptr : &all->graphs().graphs[target.graph].values[found];
}

NodeTarget Document::holderOf(const NodeTarget& target) const {
  const auto all = graphs(target.version);
  NodeTarget holder = target;
  // Inside graphs hold no further ones, but a file may claim so: no more steps than there are graphs.
  for (size_t steps = 0; all && steps < all->graphs.size(); ++steps) {
    if (holder.graph < 0 || holder.graph >= static_cast<int>(all->graphs.size()) || !all->graphs[holder.graph].isInside)
      break;
    holder = {target.version, all->graphs[holder.graph].parentGraph, all->graphs[holder.graph].parentNode};
  }
  return holder;
}

const ContextNodeReport* Document::contextNode(const NodeTarget& target) const {
  if (!m_walk->context) return nullptr;
  const NodeTarget holder = holderOf(target);
  const NodeReport* node = this->node(holder);
  if (!node) return nullptr;
  for (const ContextNodeReport& context : m_walk->context->nodes) {
    if (holder.version == GraphVersion::kLoaded && context.graph == holder.graph && context.node == holder.node)
      return &context;
    const NodeReport* loaded = this->node({GraphVersion::kLoaded, context.graph, context.node});
    if (loaded && !node->origins.empty() && loaded->origins == node->origins) return &context;
  }
  return nullptr;
}

NodeTarget Document::targetOf(const ContextNodeReport& context, GraphVersion version) const {
  const NodeTarget loaded{GraphVersion::kLoaded, context.graph, context.node};
  const NodeReport* node = this->node(loaded);
  const GraphIndex* all = index(version);
  if (version == GraphVersion::kLoaded || !node || !all) return loaded;
  for (const int32_t origin : node->origins)
    for (const NodePlace& place : all->nodesOf(origin))
      return {version, place.graph, place.node};
  return {};
}

}  // namespace cutaway::ui
