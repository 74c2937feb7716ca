#pragma once
// The open model under two configurations, or beside another model, compared value by value: what was asked last and
// what came of it.
//
// Thread rule: GUI thread; the engine works on the document's worker, and Cancel is the service's.
// Example: controller.compare({.a = options, .b = other, .titleA = "onednn", .titleB = "cpu"});  if (auto report =
// controller.report()) paint(*report);

#include <memory>
#include <optional>

#include <QObject>

#include "engine/report/accuracy_report.h"
#include "engine/session/session.h"
#include "ui/document/input_files.h"

namespace cutaway::ui {

class Document;

struct AccuracyOptions {
  session::SessionOptions a, b;
  QString titleA, titleB;
  double relativeTolerance = 1e-3, absoluteTolerance = 1e-5;
  bool everyLayer = false;
  uint64_t seed = 1;
  QString failingFolder;  // empty: the smallest failing submodel is not looked for
  QString other{};        // matched node by node; empty: the second side is the same model
  InputFiles inputs{};    // compared on each file; the largest errors of all are told
};

class AccuracyController : public QObject {
  Q_OBJECT
 public:
  explicit AccuracyController(Document* document);

  bool can() const;
  void compare(const AccuracyOptions& options);
  bool busy() const;
  std::shared_ptr<const AccuracyReport> report() const { return m_report; }  // null: none yet
  const std::optional<Error>& error() const { return m_error; }
  void drop();  // another walk begins

 signals:
  void changed();

 private:
  void end(const Result<AccuracyReport>& report);

  Document* m_document;
  std::shared_ptr<const AccuracyReport> m_report;
  std::optional<Error> m_error;
};

}  // namespace cutaway::ui
