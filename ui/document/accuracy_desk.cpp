// Two configurations compared on the document's worker, with the inputs of the latest run.
#include "ui/document/accuracy_desk.h"

#include <QPointer>

#include "ui/document/document.h"
#include "ui/document/run_feeds.h"
#include "ui/document/work_ticket.h"

namespace cutaway::ui {
namespace {

Result<AccuracyReport> compared(const WorkPlace& place, const AccuracyWish& wish, const RunRequest& run,
                                Progress& progress) {
  AccuracyRequest request{.source = place.source, .a = wish.a, .b = wish.b};
  request.titleA = wish.titleA.toStdString();
  request.titleB = wish.titleB.toStdString();
  request.tolerance.relative = wish.relativeTolerance;
  request.tolerance.absolute = wish.absoluteTolerance;
  request.seed = wish.seed;
  request.everyLayer = wish.everyLayer;
  request.failingFolder = wish.failingFolder.toStdString();
  for (SessionOptions* side : {&request.a, &request.b}) {
    side->keepOptimized = false;
    side->lastStage = Stage::kPattern;
    side->prepareRun = true;
  }
  if (place.session && !run.files.empty()) {
    CUTAWAY_TRY(request.feeds, makeFeeds(*place.session, run, place.host, place.options.dims));
  }
  progress.begin("Compare", "making both sessions");
  return place.host.compareAccuracy(request, place.host.providers, progress);
}

}  // namespace

AccuracyDesk::AccuracyDesk(Document* document) : QObject(document), m_document(document) {}

bool AccuracyDesk::can() const {
  return m_document->service().host().compareAccuracy && m_document->walk()->partition &&
         !m_document->path().isEmpty() && !m_document->lookOnly();
}

void AccuracyDesk::compare(const AccuracyWish& wish) {
  if (!m_document->service().host().compareAccuracy) {
    m_error = Error{ErrorCode::kNotImplemented, "This window was built without comparing configurations.", {}};
    emit changed();
    return;
  }
  m_busy = true;
  m_error.reset();
  const quint64 job = ++m_job;
  const WorkTicket ticket(this, [this, job] {
    if (job == m_job && m_busy) stopped();
  });
  const QPointer<AccuracyDesk> desk(this);
  m_document->service().perform(
      tr("Comparing %1 with %2").arg(wish.titleA, wish.titleB),
      [desk, job, ticket, wish, run = m_document->request()](const WorkPlace& place, Progress& progress) {
        Result<AccuracyReport> report = compared(place, wish, run, progress);
        return [desk, job, ticket, report = std::move(report)] {
          if (desk) desk->end(job, report);
        };
      });
  emit changed();
}

void AccuracyDesk::end(quint64 job, const Result<AccuracyReport>& report) {
  if (job != m_job) return;
  m_busy = false;
  if (report)
    m_report = std::make_shared<const AccuracyReport>(*report);
  else
    m_error = report.error();
  emit changed();
}

void AccuracyDesk::stopped() {
  m_busy = false;
  ++m_job;
  emit changed();
}

void AccuracyDesk::drop() {
  m_busy = false;
  ++m_job;
  m_report.reset();
  m_error.reset();
  emit changed();
}

}  // namespace cutaway::ui
