// Two configurations compared on the document's worker, with the inputs of the latest run.
#include "ui/document/accuracy_controller.h"

#include <algorithm>

#include "engine/study/accuracy/accuracy.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

constexpr qsizetype kMostFiles = 500;  // all are held at once

// One input of the model from each file.
Result<std::vector<std::vector<execute::Feed>>> samplesOf(const session::Session& session, const InputFiles& inputs,
                                                          Progress& progress) {
  const std::vector<execute::NamedType> types = session.inputs();
  const auto type = std::ranges::find_if(types, [&](const execute::NamedType& each) {
    return inputs.input.isEmpty() ? each.required : each.name == inputs.input.toStdString();
  });
  if (type == types.end())
    return fail(ErrorCode::kInvalidArgument, "the model has no input '{}': choose another one for the files",
                inputs.input.toStdString());
  if (inputs.files.size() > kMostFiles)
    return fail(ErrorCode::kInvalidArgument, "{} files are too many to be compared at once: give at most {}",
                inputs.files.size(), kMostFiles);
  std::vector<std::vector<execute::Feed>> samples;
  progress.begin("Compare", "reading inputs");
  for (const QString& file : inputs.files) {
    if (progress.cancelled()) return fail(cancelledError());
    CUTAWAY_TRY(RuntimeValue value, readInputFile(file, type->type, inputs.recipe));
    samples.push_back({{type->name, std::move(value)}});
    progress.update(samples.size(), static_cast<size_t>(inputs.files.size()));
  }
  return samples;
}

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
  if (!options.other.isEmpty()) {
    request.other = load::ModelSource::file(options.other.toStdString());
    request.everyLayer = true;
  }
  if (place.session && !options.inputs.files.isEmpty()) {
    CUTAWAY_TRY(request.samples, samplesOf(*place.session, options.inputs, progress));
  } else if (place.session && !run.files.empty()) {
    CUTAWAY_TRY(request.feeds, makeFeeds(*place.session, run, place.options.dims, progress.token()));
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
