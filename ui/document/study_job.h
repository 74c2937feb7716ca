#pragma once
// A study of a document's model, on a thread of its own: the model stays usable meanwhile.
//
// The result is that of the model and settings at the start; it says when they are others now. Thread rule: GUI thread;
// the study runs on a worker. Example:
//   auto* job = new StudyJob(document, [](StudyJob::Input& input, Progress& progress) -> StudyJob::Outcome
//   {...}); job->start();  connect(job, &StudyJob::changed, this, [=] { if (job->result()) show(*job->result<Cure>());
//   });

#include <functional>
#include <memory>
#include <optional>

#include <QObject>
#include <QString>

#include "engine/base/progress.h"
#include "engine/session/session.h"

namespace cutaway::ui {

class Document;

class StudyJob : public QObject {
  Q_OBJECT
 public:
  // What the study is of: the model with the document's edits, its settings, and the providers of the program.
  struct Input {
    load::ModelSource source;
    session::SessionOptions options;
    const ProviderTable& table;
    std::shared_ptr<Model> own;  // source's, which nobody else has

    Model takeModel();  // for a study that changes it: of a large model there is no room for two; ends `source`
  };
  using Outcome = Result<std::shared_ptr<const void>>;
  using Study = std::function<Outcome(Input& input, Progress& progress)>;

  StudyJob(Document* document, Study study, QObject* parent = nullptr);
  ~StudyJob() override;

  // Studies that are about other providers than the one that takes every node cannot start without one.
  void requireProvider() { m_needsProvider = true; }
  // Studies of the loaded model alone may be of the session's own copy: the file is not read again.
  void useWalkedModel() { m_usesWalkedModel = true; }
  QString whyNot() const;  // why it cannot start; empty: it can
  void start();
  void cancel();
  bool busy() const { return m_busy; }
  QString state() const { return m_state; }  // what it is at
  double share() const { return m_share; }   // of the present step; -1: unknown
  // Of the type that the study gives; null: none yet.
  template <typename T = void>
  std::shared_ptr<const T> result() const {
    return std::static_pointer_cast<const T>(m_result);
  }
  const std::optional<Error>& error() const { return m_error; }  // of the latest start
  bool stale() const;  // the model or its settings are others than those it was made for

 signals:
  void changed();

 private:
  class Teller;
  void end(quint64 job, Outcome outcome);
  QString situation() const;

  Document* m_document;
  Study m_study;
  bool m_needsProvider = false;
  bool m_usesWalkedModel = false;
  CancelToken m_token;
  quint64 m_job = 0;
  quint64 m_work = 0;  // its number for the CrashGuard
  bool m_busy = false;
  QString m_state;
  double m_share = -1;
  std::shared_ptr<const void> m_result;
  std::optional<Error> m_error;
  QString m_for;  // the situation that the result belongs to
};

}  // namespace cutaway::ui
