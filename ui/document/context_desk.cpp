// Exports with the document's settings, and what came of them.
#include "ui/document/context_desk.h"

#include "ui/document/document.h"

namespace cutaway::ui {

ContextDesk::ContextDesk(Document* document, EngineService* service)
    : QObject(document), m_document(document), m_service(service) {
  connect(service, &EngineService::exported, this, [this](std::shared_ptr<const Compiled> compiled) {
    m_state = State::kIdle;
    take(*compiled);
    if (m_wishes.verify && m_written && m_service->host().verifyContext) return verify();
    emit changed();
  });
  connect(service, &EngineService::exportedLate, this, [this](std::shared_ptr<const Compiled> compiled) {
    m_late = true;
    take(*compiled);
    emit changed();
  });
  connect(service, &EngineService::verified, this, [this](std::shared_ptr<const ContextVerification> verification) {
    m_state = State::kIdle;
    m_verification = std::move(verification);
    emit changed();
  });
  const auto failed = [this](const Error& error) {
    m_state = State::kIdle;
    m_error = error;
    emit changed();
  };
  connect(service, &EngineService::exportFailed, this, failed);
  connect(service, &EngineService::verifyFailed, this, failed);
}

bool ContextDesk::can() const {
  const WalkReport& walk = *m_document->walk();
  return m_service->host().compileModel && walk.partition && !m_document->lookOnly() &&
         !(walk.context && !walk.context->nodes.empty());
}

CompileRequest ContextDesk::request() const {
  CompileRequest request;
  request.input = ModelSource::file(m_document->path().toStdString());
  request.session = m_document->options();
  request.session.keepOptimized = false;
  request.hasLevel = true;  // as the session has it: without, the compile interface does not optimise
  request.outputFile = m_wishes.file.toStdString();
  request.embed = m_wishes.embed;
  request.initializersFile = m_wishes.initializersFile.toStdString();
  request.initializersThresholdBytes = m_wishes.thresholdBytes;
  request.failWhenNothingCompiled = true;
  request.failWhenOutputExists = !m_wishes.overwrite;
  if (!m_wishes.prefix.isEmpty()) request.session.config["ep.context_node_name_prefix"] = m_wishes.prefix.toStdString();
  return request;
}

void ContextDesk::exportModel(const ContextWishes& wishes) {
  m_wishes = wishes;
  m_state = State::kExporting;
  m_written.reset();
  m_verification.reset();
  m_error.reset();
  m_cancelled = m_late = false;
  m_service->exportContext(request());
  emit changed();
}

void ContextDesk::verify() {
  m_state = State::kVerifying;
  m_verification.reset();
  m_error.reset();
  m_cancelled = false;
  VerifyRequest request{.original = ModelSource::file(m_document->path().toStdString()),
                        .context = ModelSource::file(m_wishes.file.toStdString()),
                        .session = m_document->options()};
  request.session.keepOptimized = false;
  request.dims = m_document->options().dims;
  m_service->verifyContext(std::move(request));
  emit changed();
}

void ContextDesk::take(const Compiled& compiled) {
  if (!compiled.walk || !compiled.walk->context || compiled.walk->context->written.empty()) return;
  m_written = std::make_shared<const ContextWritten>(compiled.walk->context->written.front());
}

StageState ContextDesk::stageState() const {
  if (m_state == State::kExporting) return StageState::kRunning;
  if (m_written) return StageState::kDone;
  if (m_error) return StageState::kFailed;
  return m_cancelled ? StageState::kCancelled : StageState::kWaiting;
}

std::shared_ptr<const WalkReport> ContextDesk::merged(std::shared_ptr<const WalkReport> walk) const {
  if (!walk || !walk->context || !m_written) return walk;
  auto both = std::make_shared<WalkReport>(*walk);
  auto context = std::make_shared<ContextReport>(*walk->context);
  context->written = {*m_written};
  if (m_verification) context->verified = {*m_verification};
  both->context = std::move(context);
  both->stages[static_cast<size_t>(Stage::kContext)] = {StageState::kDone, m_written->timeNs};
  return both;
}

void ContextDesk::stopped() {
  m_cancelled = true;
  m_state = State::kIdle;
  emit changed();
}

void ContextDesk::drop() {
  m_state = State::kIdle;
  m_written.reset();
  m_verification.reset();
  m_error.reset();
  m_cancelled = m_late = false;
  emit changed();
}

}  // namespace cutaway::ui
