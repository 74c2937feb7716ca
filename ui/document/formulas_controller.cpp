#include "ui/document/formulas_controller.h"

#include <algorithm>

#include "engine/report/open_figures.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

StudyJob::Outcome made(StudyJob::Input& input, Progress& progress) {
  CUTAWAY_TRY(study::ModelFormulas formulas, study::modelFormulas(input.takeModel(), input.options.dims, progress));
  return std::make_shared<const study::ModelFormulas>(std::move(formulas));
}

}  // namespace

FormulasController& FormulasController::of(Document* document) {
  auto* controller = document->findChild<FormulasController*>(QString(), Qt::FindDirectChildrenOnly);
  return controller ? *controller : *new FormulasController(document);
}

FormulasController::FormulasController(Document* document)
    : QObject(document), m_document(document), m_job(document, made) {
  m_job.useWalkedModel();
  connect(document, &Document::stageChanged, this, &FormulasController::follow);
  connect(document, &Document::walkChanged, this, &FormulasController::follow);
  connect(&m_job, &StudyJob::changed, this, &FormulasController::take);
  follow();
}

const FormulasController* FormulasController::ifAny(const Document& document) {
  return document.findChild<FormulasController*>(QString(), Qt::FindDirectChildrenOnly);
}

void FormulasController::follow() {
  const auto walk = m_document->walk();
  if (!walk || m_job.busy() || m_document->service().busy() || walk->loadedCosts == m_asked) return;
  m_asked = walk->loadedCosts;
  forget();
  if (hasOpenFigures(*walk)) m_job.start();
}

void FormulasController::forget() {
  m_known.reset();
  m_origins.reset();
  m_plans.clear();
}

void FormulasController::take() {
  if (m_job.busy()) return;
  forget();
  m_known = m_job.result<study::ModelFormulas>();
  if (const auto known = formulas()) {
    m_origins.emplace(m_document->walk()->loadedGraphs->graphs.front(), known);
    m_plans = study::planFormulas(*m_document->walk(), known->sizes);
  }
  emit changed();
  if (!m_plans.empty()) emit m_document->walkChanged(WalkPart::kStates);  // figures of stages are among them
  follow();                                                               // the model may have changed meanwhile
}

std::shared_ptr<const study::ModelFormulas> FormulasController::formulas() const {
  const auto walk = m_document->walk();
  // Asked for every node of a graph. Another model and other settings are another walk, whose costs are others.
  if (!walk || !m_known || walk->loadedCosts != m_asked) return nullptr;
  const bool fits = m_known->isOpen() && walk->loadedGraphs &&
                    m_known->nodes.size() == walk->loadedGraphs->graphs.front().nodes.size();
  return fits ? m_known : nullptr;
}

const std::vector<study::PlanFormulas>& FormulasController::plans() const {
  static const std::vector<study::PlanFormulas> none;
  return formulas() ? m_plans : none;
}

const study::PlanFormulas* FormulasController::boundedPlan(const std::string& device) const {
  const auto plan = std::ranges::find(plans(), device, &study::PlanFormulas::device);
  return plan == plans().end() || plan->bounds.empty() ? nullptr : &*plan;
}

const Error* FormulasController::error() const {
  return m_job.error() && m_document->walk() && m_document->walk()->loadedCosts == m_asked ? &*m_job.error() : nullptr;
}

std::optional<CostFormula> FormulasController::flopsOf(const NodeTarget& target) const {
  const NodeReport* node = target.graph == 0 ? m_document->node(target) : nullptr;
  return node && m_origins && formulas() ? m_origins->flopsOf(node->origins) : std::nullopt;
}

std::optional<CostFormula> FormulasController::movedBytesOf(const NodeTarget& target) const {
  const auto known = formulas();
  if (!known || target.version != GraphVersion::kLoaded || target.graph != 0 || target.node < 0 ||
      static_cast<size_t>(target.node) >= known->nodes.size())
    return std::nullopt;
  const auto& movedBytes = known->nodes[static_cast<size_t>(target.node)].movedBytes;
  return movedBytes ? std::optional(*movedBytes) : std::nullopt;
}

}  // namespace cutaway::ui
