// Exports with the document's settings, and what came of them.
#include "ui/document/context_controller.h"

#include "ui/document/document.h"
#include "ui/document/gui_call.h"

namespace cutaway::ui {
namespace {

Result<compile::Compiled> exported(const WorkPlace& place, const compile::CompileRequest& request, Progress& progress) {
  if (!place.host.compileModel) return fail(ErrorCode::kNotImplemented, "This window was built without exporting.");
  progress.begin("Context", "preparing");
  return place.host.compileModel(request, place.host.providers, progress);
}

Result<ContextVerification> verified(const WorkPlace& place, const compile::VerifyRequest& request,
                                     Progress& progress) {
  if (!place.host.verifyContext) return fail(ErrorCode::kNotImplemented, "This window was built without verifying.");
  progress.begin("Verify", "opening the context model");
  return place.host.verifyContext(request, place.host.providers, progress);
}

}  // namespace

ContextController::ContextController(Document* document, EngineService* service)
    : QObject(document), m_document(document), m_service(service) {}

bool ContextController::can() const {
  const WalkReport& walk = *m_document->walk();
  return m_service->host().compileModel && walk.partition && !m_document->planOnly() &&
         !(walk.context && !walk.context->nodes.empty());
}

compile::CompileRequest ContextController::request() const {
  compile::CompileRequest request;
  request.input = load::ModelSource::file(m_document->path().toStdString());
  request.session = m_document->options();
  request.session.keepOptimized = false;
  request.hasLevel = true;  // as the session has it: without, the compile interface does not optimise
  request.outputFile = m_exportOptions.file.toStdString();
  request.embed = m_exportOptions.embed;
  request.initializersFile = m_exportOptions.initializersFile.toStdString();
  request.initializersThresholdBytes = m_exportOptions.thresholdBytes;
  request.failWhenNothingCompiled = true;
  request.failWhenOutputExists = !m_exportOptions.overwrite;
  if (!m_exportOptions.prefix.isEmpty())
    request.session.config["ep.context_node_name_prefix"] = m_exportOptions.prefix.toStdString();
  return request;
}

void ContextController::exportModel(const ContextExportOptions& exportOptions) {
  m_exportOptions = exportOptions;
  m_written.reset();
  m_verification.reset();
  m_error.reset();
  m_cancelled = m_late = false;
  m_service->perform(
      Job::kExport, EngineService::tr("Exporting"),
      [this, controller = QPointer(this), request = request()](const WorkPlace& place,
                                                               Progress& progress) -> std::function<void()> {
        Result<compile::Compiled> compiled = exported(place, request, progress);
        // The file stands, although nobody waits for it any more.
        if (compiled && progress.cancelled())
          callOnGuiThread(controller,
                          [compiled = *std::move(compiled)](ContextController& owner) { owner.takeLate(compiled); });
        return [this, compiled = std::move(compiled)] { endExport(compiled); };
      },
      [this] { stopped(); });
  emit changed();
}

void ContextController::verify() {
  m_verification.reset();
  m_error.reset();
  m_cancelled = false;
  compile::VerifyRequest request{.original = load::ModelSource::file(m_document->path().toStdString()),
                                 .context = load::ModelSource::file(m_exportOptions.file.toStdString()),
                                 .session = m_document->options()};
  request.session.keepOptimized = false;
  request.dims = m_document->options().dims;
  m_service->perform(
      Job::kVerify, EngineService::tr("Verifying"),
      [this, request = std::move(request)](const WorkPlace& place, Progress& progress) {
        return [this, verification = verified(place, request, progress)] { endVerification(verification); };
      },
      [this] { stopped(); });
  emit changed();
}

ContextController::State ContextController::state() const {
  switch (m_service->job()) {
    case Job::kExport:
      return State::kExporting;
    case Job::kVerify:
      return State::kVerifying;
    default:
      return State::kIdle;
  }
}

void ContextController::endExport(const Result<compile::Compiled>& compiled) {
  if (compiled) {
    take(*compiled);
    if (m_exportOptions.verify && m_written && m_service->host().verifyContext) return verify();
  } else {
    m_error = compiled.error();
  }
  emit changed();
}

void ContextController::takeLate(const compile::Compiled& compiled) {
  m_late = true;
  take(compiled);
  emit changed();
}

void ContextController::endVerification(const Result<ContextVerification>& verification) {
  if (verification)
    m_verification = std::make_shared<const ContextVerification>(*verification);
  else
    m_error = verification.error();
  emit changed();
}

void ContextController::take(const compile::Compiled& compiled) {
  if (!compiled.walk || !compiled.walk->context || compiled.walk->context->written.empty()) return;
  m_written = std::make_shared<const ContextWritten>(compiled.walk->context->written.front());
}

StageState ContextController::stageState() const {
  if (state() == State::kExporting) return StageState::kRunning;
  if (m_written) return StageState::kDone;
  if (m_error) return StageState::kFailed;
  return m_cancelled ? StageState::kCancelled : StageState::kWaiting;
}

std::shared_ptr<const WalkReport> ContextController::merged(std::shared_ptr<const WalkReport> walk) const {
  if (!walk || !walk->context || !m_written) return walk;
  auto both = std::make_shared<WalkReport>(*walk);
  auto context = std::make_shared<ContextReport>(*walk->context);
  context->written = {*m_written};
  if (m_verification) context->verified = {*m_verification};
  both->context = std::move(context);
  both->stages[static_cast<size_t>(Stage::kContext)] = {StageState::kDone, m_written->timeNs};
  return both;
}

// Another export in its place is none that was cancelled.
void ContextController::stopped() {
  m_cancelled = !busy();
  emit changed();
}

void ContextController::drop() {
  m_written.reset();
  m_verification.reset();
  m_error.reset();
  m_cancelled = m_late = false;
  emit changed();
}

}  // namespace cutaway::ui
