// Two configurations compared on the document's worker, with the inputs of the latest run.
#include "ui/document/accuracy_desk.h"

#include "engine/study/accuracy/accuracy.h"
#include "ui/document/document.h"

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
    CUTAWAY_TRY(request.feeds, makeFeeds(*place.session, run, place.options.dims));
  }
  progress.begin("Compare", "making both sessions");
  return compareConfigurations(request, place.host.providers, progress);
}

}  // namespace

AccuracyDesk::AccuracyDesk(Document* document) : QObject(document), m_document(document) {}

bool AccuracyDesk::can() const {
  return m_document->service().host().hasEngine() && m_document->walk()->partition && !m_document->path().isEmpty() &&
         !m_document->lookOnly();
}

void AccuracyDesk::compare(const AccuracyWish& wish) {
  if (!m_document->service().host().hasEngine()) {
    m_error = Error{ErrorCode::kNotImplemented, "This window was built without comparing configurations.", {}};
    emit changed();
    return;
  }
  m_error.reset();
  m_document->service().perform(
      Job::kAccuracy, tr("Comparing %1 with %2").arg(wish.titleA, wish.titleB),
      [this, wish, run = m_document->request()](const WorkPlace& place, Progress& progress) {
        return [this, report = compared(place, wish, run, progress)] { end(report); };
      },
      [this] { emit changed(); });
  emit changed();
}

bool AccuracyDesk::busy() const {
  return m_document->service().job() == Job::kAccuracy;
}

void AccuracyDesk::end(const Result<AccuracyReport>& report) {
  if (report)
    m_report = std::make_shared<const AccuracyReport>(*report);
  else
    m_error = report.error();
  emit changed();
}

void AccuracyDesk::drop() {
  m_report.reset();
  m_error.reset();
  emit changed();
}

}  // namespace cutaway::ui
