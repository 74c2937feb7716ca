// What was asked last, and what came of it.
#include "ui/document/plan_studies.h"

#include "engine/study/what_if/compare_plans.h"
#include "ui/document/document.h"

namespace cutaway::ui {

PlanStudies::PlanStudies(Document* document, EngineService* service)
    : QObject(document), m_document(document), m_service(service) {}

bool PlanStudies::can(Kind kind) const {
  const EngineHost& host = m_service->host();
  const bool built = kind == kOrders ? static_cast<bool>(host.compareOrders) : host.hasEngine();
  return built && m_document->walk()->optimizedGraphs && m_document->stageState(Stage::kPattern) == StageState::kDone;
}

bool PlanStudies::running(Kind kind) const {
  return m_service->job() == (kind == kOrders ? Job::kCompareOrders : Job::kSweep);
}

void PlanStudies::compareOrders() {
  plan(kOrders, Job::kCompareOrders, tr("Comparing orders"),
       [options = m_document->options()](const EngineHost& host, const Model& optimized, Progress& progress) {
         return host.compareOrders(optimized, options, progress);
       });
}

void PlanStudies::sweep(const QString& dimension, const std::vector<int64_t>& values) {
  const Result<session::SessionOptions> options = m_document->draftOptions();
  if (!options) return end(kSweep, fail(options.error()));
  plan(kSweep, Job::kSweep, tr("Planning sizes of %1").arg(dimension),
       [options = *options, name = dimension.toStdString(), values](const EngineHost& host, const Model& optimized,
                                                                    Progress& progress) {
         return study::sweepDimension(optimized, options, host.providers, name, values, progress);
       });
}

void PlanStudies::plan(Kind kind, Job job, const QString& what, Study study) {
  m_errors[kind].reset();
  m_service->perform(
      job, what,
      [this, kind, study = std::move(study)](const WorkPlace& place, Progress& progress) {
        return [this, kind, table = tableOf(place, study, progress)] { end(kind, table); };
      },
      [this] { emit changed(); });
  emit changed();
}

PlanStudies::Table PlanStudies::tableOf(const WorkPlace& place, const Study& study, Progress& progress) {
  CUTAWAY_TRY(const std::shared_ptr<const Model> optimized, place.optimizedModel("plan again"));
  CUTAWAY_TRY(PlanTable table, study(place.host, *optimized, progress));
  return std::make_shared<const PlanTable>(std::move(table));
}

void PlanStudies::end(Kind kind, const Table& table) {
  if (table)
    m_tables[kind] = *table;
  else
    m_errors[kind] = table.error();
  emit changed();
}

void PlanStudies::drop() {
  m_tables = {};
  m_errors = {};
  emit changed();
}

}  // namespace cutaway::ui
