#include "ui/panels/cure/cure_search.h"

#include <QThreadPool>

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

struct CureJob {
  std::shared_ptr<const EngineHost> host;
  std::string path;
  std::vector<edit::ModelEdit> edits;
  session::SessionOptions options;
};

Result<std::shared_ptr<const study::Cure>> searched(const CureJob& job, Progress& progress) {
  CUTAWAY_TRY(const std::shared_ptr<const Model> model, session::loadModelFile(job.path, progress));
  CUTAWAY_TRY(Model edited, edit::applyEdits(*model, job.edits));
  const study::CureRequest request{
      .source = load::ModelSource::loaded(std::make_shared<const Model>(std::move(edited))),
      .options = job.options,
      .provider = {}};
  CUTAWAY_TRY(study::Cure cure, study::findCure(request, job.host->providers, progress));
  return std::make_shared<const study::Cure>(std::move(cure));
}

}  // namespace

// What the search is at, told to the GUI thread.
class CureSearch::Teller final : public Progress {
 public:
  Teller(CancelToken token, QPointer<CureSearch> owner, quint64 job)
      : Progress(std::move(token)), m_owner(std::move(owner)), m_job(job) {}

  void begin(std::string_view, std::string_view detail) override { tell(text(detail), -1); }
  void update(uint64_t done, uint64_t total) override {
    if (total > 0) tell({}, static_cast<double>(done) / static_cast<double>(total));
  }

 private:
  void tell(const QString& state, double share) {
    callOnGuiThread(m_owner, [job = m_job, state, share](CureSearch& owner) {
      if (job != owner.m_job || !owner.m_busy) return;
      if (!state.isEmpty()) owner.m_state = state;
      owner.m_share = share;
      emit owner.changed();
    });
  }

  QPointer<CureSearch> m_owner;
  quint64 m_job;
};

CureSearch::CureSearch(Document* document, QObject* parent) : QObject(parent), m_document(document) {
  connect(&CrashWatch::instance(), &CrashWatch::crashed, this, [this](const CrashNotice& notice) {
    if (m_busy && notice.work == m_work) end(m_job, fail(crashError(notice, m_state)));
  });
}

CureSearch::~CureSearch() {
  m_token.cancel();
}

QString CureSearch::whyNot() const {
  if (!m_document->service().host().hasEngine() || m_document->path().isEmpty()) return tr("Open a model first.");
  if (m_document->options().providers.empty())
    return tr("Only the provider that takes every node is chosen: put another one before it in the settings.");
  return {};
}

// What an answer depends on.
QString CureSearch::situation() const {
  return m_document->path() + QLatin1Char('\n') + text(edit::editsToJson(m_document->edits().walked())) +
         text(session::configurationToJson(session::configurationOf(m_document->options())));
}

bool CureSearch::stale() const {
  return m_cure && situation() != m_for;
}

void CureSearch::start() {
  if (m_busy || !whyNot().isEmpty()) return;
  m_token = CancelToken();
  m_work = CrashWatch::instance().newWork();
  m_busy = true;
  m_state = tr("Starting \u2026");
  m_share = -1;
  m_cure.reset();
  m_error.reset();
  m_for = situation();
  const CureJob job{m_document->service().sharedHost(), m_document->path().toStdString(), m_document->edits().walked(),
                    m_document->options()};
  QThreadPool::globalInstance()->start(
      [owner = QPointer<CureSearch>(this), number = ++m_job, work = m_work, token = m_token, job] {
        const WorkScope scope(work);
        Teller teller(token, owner, number);
        Result<std::shared_ptr<const study::Cure>> cure = searched(job, teller);
        callOnGuiThread(owner, [number, cure = std::move(cure)](CureSearch& search) { search.end(number, cure); });
      });
  emit changed();
}

void CureSearch::cancel() {
  if (!m_busy) return;
  m_token.cancel();
  end(m_job, fail(cancelledError()));
}

void CureSearch::end(quint64 job, Result<std::shared_ptr<const study::Cure>> cure) {
  if (job != m_job || !m_busy) return;
  m_token.cancel();
  m_busy = false;
  m_state.clear();
  if (cure)
    m_cure = *std::move(cure);
  else if (cure.error().code != ErrorCode::kModelLoadCanceled)
    m_error = cure.error();
  emit changed();
}

}  // namespace cutaway::ui
