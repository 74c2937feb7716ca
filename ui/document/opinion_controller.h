#pragma once
// ONNX Runtime asked about the open model, beside what this engine makes of it: the latest answer and what came of
// asking.
//
// Thread rule: GUI thread; the work is done on the document's worker, and Cancel is the service's.
// Example: controller.ask();  connect(&controller, &OpinionController::changed, ...);  if (auto opinion =
// controller.opinion()) paint(*opinion);

#include <memory>
#include <optional>

#include <QObject>

#include "engine/base/result.h"
#include "engine/report/opinion_report.h"

namespace cutaway::ui {

class Document;

class OpinionController : public QObject {
  Q_OBJECT
 public:
  explicit OpinionController(Document* document);

  // Why it cannot be asked now, in a sentence; empty: it can.
  QString whyNot() const;
  // With the session's settings and the inputs of the latest run.
  void ask();
  bool busy() const;
  bool on() const { return busy() || m_opinion; }                             // the window's switch; an error: off
  std::shared_ptr<const SecondOpinion> opinion() const { return m_opinion; }  // null: none yet
  const std::optional<Error>& error() const { return m_error; }  // of the latest question; the answer before is gone
  void drop();                                                   // switched off, or another walk begins

 signals:
  void changed();

 private:
  void end(const Result<SecondOpinion>& opinion);

  Document* m_document;
  std::shared_ptr<const SecondOpinion> m_opinion;
  std::optional<Error> m_error;
};

}  // namespace cutaway::ui
