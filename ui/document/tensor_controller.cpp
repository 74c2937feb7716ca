// Where the bytes of a value come from: the model's file, read on a thread of its own, or a run that keeps them, on the
// document's worker.
#include "ui/document/tensor_controller.h"

#include "ui/document/document.h"
#include "ui/document/gui_call.h"
#include "ui/document/weight_source.h"

namespace cutaway::ui {
namespace {

using Fetched = Result<std::shared_ptr<const study::TensorContent>>;

Fetched keptByRun(const WorkPlace& place, const RunRequest& request, const ValueTarget& value, Progress& progress) {
  const std::string name = value.name.toStdString();
  if (!place.session)
    return fail(ErrorCode::kFail, "there is nothing to run: the model did not load, or it cannot run here");
  // Constants that a pass made stand in no file, but in the session's model.
  if (Result<RuntimeValue> constant = study::constantValue(place.session->model(), value.graph, name))
    return study::TensorContent::make(name, *std::move(constant), progress.token());
  progress.begin("Run", "preparing inputs");
  CUTAWAY_TRY(const std::vector<execute::Feed> feeds,
              makeFeeds(*place.session, request, place.options.dims, progress.token()));
  for (const execute::Feed& feed : feeds)
    if (feed.name == name) return study::TensorContent::make(name, feed.value, progress.token());
  progress.begin("Run", "keeping " + name);
  execute::RunOptions options;
  options.cancel = progress.token();
  options.keepValues = {name};
  CUTAWAY_TRY(execute::RunResult result, place.session->run(feeds, options));
  for (auto* list : {&result.kept, &result.outputs})
    for (execute::Feed& feed : *list)
      if (feed.name == name) return study::TensorContent::make(name, std::move(feed.value), progress.token());
  return fail(
      atValue({ErrorCode::kFail, "the run did not make this value: nothing that was asked for needs it", {}}, name));
}

}  // namespace

TensorController::TensorController(Document* document)
    : QObject(document), m_document(document), m_weights(std::make_shared<WeightSource>()) {}
TensorController::~TensorController() {
  m_token.cancel();
}

TensorController::Way TensorController::wayTo(const ValueTarget& value) const {
  if (!whyNot(value).isEmpty()) return Way::kNone;
  const ValueReport* loaded = m_document->value(GraphVersion::kLoaded, value);
  return loaded && WeightSource::isConstant(*m_document->graphs(GraphVersion::kLoaded), value.graph, *loaded) &&
                 m_document->service().host().hasEngine()
             ? Way::kFile
             : Way::kRun;
}

QString TensorController::whyNot(const ValueTarget& value) const {
  const EngineHost& host = m_document->service().host();
  const ValueReport* loaded = m_document->value(GraphVersion::kLoaded, value);
  if (loaded && WeightSource::isConstant(*m_document->graphs(GraphVersion::kLoaded), value.graph, *loaded)) {
    if (!host.hasEngine()) return tr("This window was built without reading models.");
    if (!m_document->path().isEmpty()) return {};
  }
  const ValueReport* now = m_document->value(GraphVersion::kPartitioned, value);
  if (!loaded && !now && !m_document->value(GraphVersion::kOptimized, value))
    return tr("The model has no value of this name in this graph.");
  if (!m_document->graphs(GraphVersion::kPartitioned))
    return tr("The model is not ready to run yet: a run is needed to keep the value.");
  if (m_document->planOnly()) return tr("This model cannot run here; it can only be inspected.");
  if (m_document->path().isEmpty()) return tr("There is no model to run: this is a report only.");
  if (value.graph != 0 && !(now && now->isInitializer))
    return tr(
        "The value is inside a body or function, which may run many times or not at all; only values of the main graph "
        "are kept by a run.");
  if (!now)
    return tr(
        "The value is gone after optimising and fusing: no kernel writes it to memory. Open the model with level 0 and "
        "the CPU provider alone to see it.");
  if (now->role == ValueRole::kUnused) return tr("Nothing reads the value, so no run makes it.");
  if (m_document->service().busy() && !fetchingByRun())
    return tr("The engine is busy: the value can be fetched when it is done.");
  return {};
}

void TensorController::fetch(const ValueTarget& value) {
  cancel();
  m_value = value;
  m_content.reset();
  m_error.reset();
  const Way way = wayTo(value);
  if (way == Way::kNone) {
    m_error = Error{ErrorCode::kInvalidArgument, whyNot(value).toStdString(), {{}, {}, value.name.toStdString()}};
    m_state = State::kFailed;
    emit changed();
    return;
  }
  m_state = State::kFetching;
  m_token = CancelToken();
  ++m_job;
  if (way == Way::kFile)
    readFile();
  else
    keepByRun();
  emit changed();
}

void TensorController::readFile() {
  elsewhere(
      this,
      [token = m_token, weights = m_weights, path = m_document->path().toStdString(),
       edits = m_document->edits().edits(),
       value = m_value] { return weights->read(path, edits, value.graph, value.name.toStdString(), token); },
      [job = m_job](TensorController& owner, const Fetched& content) { owner.end(job, content); });
}

void TensorController::keepByRun() {
  m_document->service().perform(
      Job::kFetch, tr("Fetching %1").arg(m_value.name),
      [this, job = m_job, request = m_document->request(), value = m_value](const WorkPlace& place,
                                                                            Progress& progress) {
        return [this, job, content = keptByRun(place, request, value, progress)] { end(job, content); };
      },
      [this, job = m_job] { lost(job); });
}

void TensorController::cancel() {
  m_token.cancel();
  if (fetchingByRun()) m_document->service().cancel();
  if (m_state != State::kFetching) return;
  m_state = State::kIdle;
  ++m_job;
  emit changed();
}

bool TensorController::fetchingByRun() const {
  return m_document->service().job() == Job::kFetch;
}

// The service was cancelled, or has been given something else to do.
void TensorController::lost(quint64 job) {
  if (job != m_job || m_state != State::kFetching) return;
  m_state = State::kIdle;
  ++m_job;
  emit changed();
}

void TensorController::drop() {
  cancel();
  m_weights = std::make_shared<WeightSource>();
  m_content.reset();
  m_error.reset();
  m_state = State::kIdle;
  emit changed();
}

void TensorController::end(quint64 job, Result<std::shared_ptr<const study::TensorContent>> content) {
  if (job != m_job) return;
  if (content)
    m_content = *std::move(content);
  else
    m_error = content.error();
  m_state = m_content ? State::kReady : State::kFailed;
  emit changed();
}

}  // namespace cutaway::ui
