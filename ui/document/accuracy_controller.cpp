// Two configurations compared on the document's worker, with the inputs of the latest run.
#include "ui/document/accuracy_controller.h"

#include "engine/study/accuracy/accuracy.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

Result<AccuracyReport> compared(const WorkPlace& place, const AccuracyOptions& options, const RunRequest& run,
                                Progress& progress) {
  study::AccuracyRequest request{.source = place.source, .a = options.a, .b = options.b};
  request.titleA = options.titleA.toStdString();
  request.titleB = options.titleB.toStdString();
  request.tolerance.relative = options.relativeTolerance;
  request.tolerance.absolute = options.absoluteTolerance;
  request.seed = options.seed;
  request.everyLayer = options.everyLayer;
  request.failingFolder = options.failingFolder.toStdString();
  for (session::SessionOptions* side : {&request.a, &request.b}) {
    side->keepOptimized = false;
    side->lastStage = Stage::kPattern;
    side->prepareRun = true;
  }
  if (place.session && !run.files.empty()) {
    CUTAWAY_TRY(request.feeds, makeFeeds(*place.session, run, place.options.dims));
  }
  progress.begin("Compare", "making both sessions");
  return study::compareConfigurations(request, place.host.providers, progress);
}

}  // namespace

AccuracyController::AccuracyController(Document* document) : QObject(document), m_document(document) {}

bool AccuracyController::can() const {
  return m_document->service().host().hasEngine() && m_document->walk()->partition && !m_document->path().isEmpty() &&
         !m_document->planOnly();
}

void AccuracyController::compare(const AccuracyOptions& options) {
  if (!m_document->service().host().hasEngine()) {
    m_error = Error{ErrorCode::kNotImplemented, "This window was built without comparing configurations.", {}};
    emit changed();
    return;
  }
  m_error.reset();
  m_document->service().perform(
      Job::kAccuracy, tr("Comparing %1 with %2").arg(options.titleA, options.titleB),
      [this, options, run = m_document->request()](const WorkPlace& place, Progress& progress) {
        return [this, report = compared(place, options, run, progress)] { end(report); };
      },
      [this] { emit changed(); });
  emit changed();
}

bool AccuracyController::busy() const {
  return m_document->service().job() == Job::kAccuracy;
}

void AccuracyController::end(const Result<AccuracyReport>& report) {
  if (report)
    m_report = std::make_shared<const AccuracyReport>(*report);
  else
    m_error = report.error();
  emit changed();
}

void AccuracyController::drop() {
  m_report.reset();
  m_error.reset();
  emit changed();
}

}  // namespace cutaway::ui
