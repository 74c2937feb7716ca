#include "ui/document/study_job.h"

#include <exception>

#include <QThreadPool>

#include "engine/base/freed_memory.h"
#include "engine/base/thread_work.h"
#include "engine/edit/model_edit.h"
#include "engine/session/configuration/configuration.h"
#include "engine/session/model_files.h"
#include "ui/base/format.h"
#include "ui/document/crash_watch.h"
#include "ui/document/document.h"
#include "ui/document/gui_call.h"

namespace cutaway::ui {
namespace {

struct Work {
  std::shared_ptr<const EngineHost> host;
  std::string path;
  std::vector<edit::ModelEdit> edits;
  std::shared_ptr<const PackedModel> walked;  // with the edits; nullptr: the file is read
  session::SessionOptions options;
  StudyJob::Study study;
};

Result<std::shared_ptr<Model>> modelOf(const Work& work, Progress& progress) {
  if (work.walked) return session::keptModel(*work.walked);
  CUTAWAY_TRY(const std::shared_ptr<const Model> model, session::loadModelFile(work.path, progress));
  CUTAWAY_TRY(Model edited, edit::applyEdits(*model, work.edits));
  return std::make_shared<Model>(std::move(edited));
}

StudyJob::Outcome studyNow(const Work& work, Progress& progress) {
  CUTAWAY_TRY(std::shared_ptr<Model> model, modelOf(work, progress));
  StudyJob::Input input{.source = load::ModelSource::loaded(model),
                        .options = work.options,
                        .table = work.host->providers,
                        .own = std::move(model)};
  return work.study(input, progress);
}

StudyJob::Outcome studied(const Work& work, Progress& progress) {
  try {
    return withinMemory([&] { return studyNow(work, progress); });
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kRuntimeException, "{}", exception.what());
  }
}

}  // namespace

Model StudyJob::Input::takeModel() {
  Model taken = std::move(*own);
  own.reset();
  source = {};
  return taken;
}

// What the study is at, told to the GUI thread.
class StudyJob::Teller final : public Progress {
 public:
  Teller(CancelToken token, QPointer<StudyJob> owner, quint64 job)
      : Progress(std::move(token)), m_owner(std::move(owner)), m_job(job) {}

  void begin(std::string_view, std::string_view detail) override { tell(text(detail), -1); }
  void update(uint64_t done, uint64_t total) override {
    if (total > 0) tell({}, static_cast<double>(done) / static_cast<double>(total));
  }

 private:
  void tell(const QString& state, double share) {
    callOnGuiThread(m_owner, [job = m_job, state, share](StudyJob& owner) {
      if (job != owner.m_job || !owner.m_busy) return;
      if (!state.isEmpty()) owner.m_state = state;
      owner.m_share = share;
      emit owner.changed();
    });
  }

  QPointer<StudyJob> m_owner;
  quint64 m_job;
};

StudyJob::StudyJob(Document* document, Study study, QObject* parent)
    : QObject(parent), m_document(document), m_study(std::move(study)) {
  connect(&CrashWatch::instance(), &CrashWatch::crashed, this, [this](const CrashNotice& notice) {
    if (m_busy && notice.work == m_work) end(m_job, fail(crashError(notice, m_state)));
  });
}

StudyJob::~StudyJob() {
  m_token.cancel();
}

QString StudyJob::whyNot() const {
  if (!m_document->service().host().hasEngine() || m_document->path().isEmpty()) return tr("Open a model first.");
  if (m_needsProvider && m_document->options().providers.empty())
    return tr("Only the provider that takes every node is chosen: put another one before it in the settings.");
  return {};
}

// What an answer depends on.
QString StudyJob::situation() const {
  return m_document->path() + QLatin1Char('\n') + text(edit::editsToJson(m_document->edits().walked())) +
         text(session::configurationToJson(session::configurationOf(m_document->options())));
}

bool StudyJob::stale() const {
  return m_result && situation() != m_for;
}

void StudyJob::start() {
  if (m_busy || !whyNot().isEmpty()) return;
  m_token = CancelToken();
  m_work = CrashWatch::instance().newWork();
  m_busy = true;
  m_state = tr("Starting \u2026");
  m_share = -1;
  m_result.reset();
  m_error.reset();
  m_for = situation();
  const Work work{m_document->service().sharedHost(),
                  m_document->path().toStdString(),
                  m_document->edits().walked(),
                  m_usesWalkedModel ? m_document->walk()->loadedModel.lock() : nullptr,
                  m_document->options(),
                  m_study};
  QThreadPool::globalInstance()->start(
      [owner = QPointer<StudyJob>(this), number = ++m_job, crashWork = m_work, token = m_token, work] {
        const WorkScope scope(crashWork);
        Teller teller(token, owner, number);
        Outcome outcome = studied(work, teller);
        giveBackFreedMemory();
        callOnGuiThread(owner, [number, outcome = std::move(outcome)](StudyJob& job) { job.end(number, outcome); });
      });
  emit changed();
}

void StudyJob::cancel() {
  if (!m_busy) return;
  m_token.cancel();
  end(m_job, fail(cancelledError()));
}

void StudyJob::end(quint64 job, Outcome outcome) {
  if (job != m_job || !m_busy) return;
  m_token.cancel();
  m_busy = false;
  m_state.clear();
  if (outcome)
    m_result = *std::move(outcome);
  else if (outcome.error().code != ErrorCode::kModelLoadCanceled)
    m_error = outcome.error();
  emit changed();
}

}  // namespace cutaway::ui
