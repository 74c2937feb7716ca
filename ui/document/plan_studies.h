#pragma once
// Tables over many plans of the open model, made on demand: the same model under every order, and one open dimension
// over a range.
//
// Thread rule: GUI thread; the engine works on the document's worker, and Cancel is the service's.
// Example: studies.compareOrders();  connect(&studies, &PlanStudies::changed, ...);
// show(studies.table(PlanStudies::kOrders));

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "engine/base/result.h"
#include "engine/report/plan_comparison.h"
#include "ui/document/engine_service.h"

namespace cutaway::ui {

class Document;

class PlanStudies : public QObject {
  Q_OBJECT
 public:
  enum Kind { kOrders, kSweep, kKindCount };

  PlanStudies(Document* document, EngineService* service);

  void compareOrders();                                                      // of the session as it is
  void sweep(const QString& dimension, const std::vector<int64_t>& values);  // of the draft
  bool can(Kind kind) const;  // the program has it, and the walk came far enough
  bool running(Kind kind) const;
  std::shared_ptr<const PlanTable> table(Kind kind) const { return m_tables[kind]; }  // null: none yet
  const std::optional<Error>& error(Kind kind) const { return m_errors[kind]; }       // of the latest try
  void drop();                                                                        // another walk begins

 signals:
  void changed();

 private:
  using Study = std::function<Result<PlanTable>(const EngineHost& host, const Model& optimized, Progress& progress)>;
  using Table = Result<std::shared_ptr<const PlanTable>>;
  void plan(Kind kind, Job job, const QString& what, Study study);
  static Table tableOf(const WorkPlace& place, const Study& study, Progress& progress);
  void end(Kind kind, const Table& table);

  Document* m_document;
  EngineService* m_service;
  std::array<std::shared_ptr<const PlanTable>, kKindCount> m_tables;
  std::array<std::optional<Error>, kKindCount> m_errors;
};

}  // namespace cutaway::ui
