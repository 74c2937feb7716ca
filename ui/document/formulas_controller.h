#pragma once
// Costs over the dimensions that are open, of a document's model: made on a worker once a walk has ended and left
// figures open.
//
// Thread rule: GUI thread. Example: FormulasController& formulas = FormulasController::of(document);
// connect(&formulas, &FormulasController::changed, this, [=] { show(formulas.formulas()); });

#include <memory>
#include <optional>
#include <vector>

#include <QObject>

#include "engine/study/formulas/origin_formulas.h"
#include "engine/study/formulas/plan_formulas.h"
#include "ui/base/graph_target.h"
#include "ui/document/study_job.h"

namespace cutaway::ui {

class FormulasController : public QObject {
  Q_OBJECT
 public:
  // One for each document.
  static FormulasController& of(Document* document);
  // nullptr: nobody has asked for it yet.
  static const FormulasController* ifAny(const Document& document);

  // Of the model as it is, with formulas over its dimensions; null: none is open, or they are being made.
  std::shared_ptr<const study::ModelFormulas> formulas() const;
  // What its buffers need, a device each; empty without formulas.
  const std::vector<study::PlanFormulas>& plans() const;
  // Of the device, where a step or three need most whatever the sizes are; null: nobody can say.
  const study::PlanFormulas* boundedPlan(const std::string& device) const;
  // Why there are none though figures are open; null: nothing went wrong.
  const Error* error() const;
  // Operations of what the node was in the model as loaded, of the main graph; nullopt: nobody can say.
  std::optional<CostFormula> flopsOf(const NodeTarget& target) const;
  // Bytes that a node of the loaded model moves.
  std::optional<CostFormula> movedBytesOf(const NodeTarget& target) const;

 signals:
  void changed();

 private:
  explicit FormulasController(Document* document);
  void follow();
  void forget();
  void take();

  Document* m_document;
  StudyJob m_job;
  std::shared_ptr<const void> m_asked;                  // costs of the walk that the latest start was for
  std::shared_ptr<const study::ModelFormulas> m_known;  // of m_asked
  std::optional<study::OriginFormulas> m_origins;
  std::vector<study::PlanFormulas> m_plans;
};

}  // namespace cutaway::ui
