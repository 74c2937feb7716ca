#pragma once
// What was asked about context models of the open model: exports, and comparisons of what was written with the
// original.
//
// An export takes the document's own settings (providers, pins, dimensions, level), so that what is written is what is
// open. Verifying may follow at once. Thread rule: GUI thread; the engine works on the document's worker, and Cancel is
// the service's. Example: controller.exportModel({.file = path, .verify = true});  connect(&controller,
// &ContextController::changed,
// ...);  show(controller.written());

#include <memory>
#include <optional>

#include <QObject>
#include <QString>

#include "engine/compile/compile.h"
#include "engine/compile/verify.h"
#include "engine/report/walk_report.h"

namespace cutaway::ui {

class Document;
class EngineService;

struct ContextExportOptions {
  QString file;
  bool embed = false;
  QString prefix = {};            // of context nodes and partitions
  QString initializersFile = {};  // name beside the model; empty: weights of nodes outside stay in it
  int64_t thresholdBytes = 0;
  bool overwrite = false;
  bool verify = true;
  bool operator==(const ContextExportOptions&) const = default;
};

class ContextController : public QObject {
  Q_OBJECT
 public:
  enum class State { kIdle, kExporting, kVerifying };

  ContextController(Document* document, EngineService* service);

  bool can() const;  // the program has it, and the model was partitioned
  void exportModel(const ContextExportOptions& exportOptions);
  void verify();  // what was written last, against the open model
  State state() const;
  bool busy() const { return state() != State::kIdle; }

  const ContextExportOptions& exportOptions() const { return m_exportOptions; }  // of the latest export
  std::shared_ptr<const ContextWritten> written() const { return m_written; }    // null: nothing yet
  std::shared_ptr<const ContextVerification> verification() const { return m_verification; }
  const std::optional<Error>& error() const { return m_error; }  // of the latest export or verification
  bool wasCancelled() const { return m_cancelled; }
  bool cameLate() const { return m_late; }  // cancelled, but it was through already

  StageState stageState() const;  // of the context stage as this controller knows it; kWaiting: nothing was asked
  // The walk with what was written in it.
  std::shared_ptr<const WalkReport> merged(std::shared_ptr<const WalkReport> walk) const;

  void drop();  // another walk begins

 signals:
  void changed();

 private:
  compile::CompileRequest request() const;
  void take(const compile::Compiled& compiled);
  void takeLate(const compile::Compiled& compiled);  // it was through when it was cancelled
  void endExport(const Result<compile::Compiled>& compiled);
  void endVerification(const Result<ContextVerification>& verification);
  void stopped();

  Document* m_document;
  EngineService* m_service;
  ContextExportOptions m_exportOptions;
  std::shared_ptr<const ContextWritten> m_written;
  std::shared_ptr<const ContextVerification> m_verification;
  std::optional<Error> m_error;
  bool m_cancelled = false;
  bool m_late = false;
};

}  // namespace cutaway::ui
