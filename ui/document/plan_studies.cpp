// What was asked last, and what came of it.
#include "ui/document/plan_studies.h"

#include "ui/document/document.h"

namespace cutaway::ui {

PlanStudies::PlanStudies(Document* document, EngineService* service)
    : QObject(document), m_document(document), m_service(service) {
  connect(service, &EngineService::studied, this,
          [this](int kind, std::shared_ptr<const PlanTable> table) { end(kind, std::move(table), std::nullopt); });
  connect(service, &EngineService::studyFailed, this,
          [this](int kind, const Error& error) { end(kind, m_tables[static_cast<size_t>(kind)], error); });
}

bool PlanStudies::can(Kind kind) const {
  const EngineHost& host = m_service->host();
  const bool built = kind == kOrders ? static_cast<bool>(host.compareOrders) : static_cast<bool>(host.sweepDimension);
  return built && m_document->walk()->optimizedGraphs && m_document->stageState(Stage::kPattern) == StageState::kDone;
}

void PlanStudies::compareOrders() {
  m_running = kOrders;
  m_errors[kOrders].reset();
  m_service->study(
      kOrders, tr("Comparing orders"),
      [options = m_document->options()](const EngineHost& host, const Model& optimized, Progress& progress) {
        return host.compareOrders(optimized, options, progress);
      });
  emit changed();
}

void PlanStudies::sweep(const QString& dimension, const std::vector<int64_t>& values) {
  const Result<SessionOptions> options = m_document->draftOptions();
  if (!options) return end(kSweep, m_tables[kSweep], options.error());
  m_running = kSweep;
  m_errors[kSweep].reset();
  m_service->study(kSweep, tr("Planning sizes of %1").arg(dimension),
                   [options = *options, name = dimension.toStdString(), values](
                       const EngineHost& host, const Model& optimized, Progress& progress) {
                     return host.sweepDimension(optimized, options, name, values, progress);
                   });
  emit changed();
}

void PlanStudies::end(int kind, std::shared_ptr<const PlanTable> table, std::optional<Error> error) {
  m_running = -1;
  m_tables[static_cast<size_t>(kind)] = std::move(table);
  m_errors[static_cast<size_t>(kind)] = std::move(error);
  emit changed();
}

void PlanStudies::stopped() {
  m_running = -1;
  emit changed();
}

void PlanStudies::drop() {
  m_running = -1;
  m_tables = {};
  m_errors = {};
  emit changed();
}

}  // namespace cutaway::ui
