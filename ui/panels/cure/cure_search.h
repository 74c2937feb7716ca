#pragma once
// The search for a cure of a document, on a thread of its own: the model stays usable meanwhile.
//
// The result is that of the model and settings at the start; it says when they are others now. Thread rule: GUI thread.
// Example: search.start();  connect(&search, &CureSearch::changed, this, [&] { if (search.cure()) show(*search.cure());
// });

#include <memory>
#include <optional>

#include <QObject>
#include <QString>

#include "engine/base/progress.h"
#include "engine/study/cure/cure.h"

namespace cutaway::ui {

class Document;

class CureSearch : public QObject {
  Q_OBJECT
 public:
  explicit CureSearch(Document* document, QObject* parent = nullptr);
  ~CureSearch() override;

  QString whyNot() const;  // why it cannot start; empty: it can
  void start();
  void cancel();
  bool busy() const { return m_busy; }
  QString state() const { return m_state; }                           // what it is at
  double share() const { return m_share; }                            // of the present step's questions; -1: unknown
  std::shared_ptr<const study::Cure> cure() const { return m_cure; }  // null: none yet
  const std::optional<Error>& error() const { return m_error; }       // of the latest search
  bool stale() const;  // the model or its settings are others than those it was made for

 signals:
  void changed();

 private:
  class Teller;
  void end(quint64 job, Result<std::shared_ptr<const study::Cure>> cure);
  QString situation() const;

  Document* m_document;
  CancelToken m_token;
  quint64 m_job = 0;
  quint64 m_work = 0;  // its number for the CrashGuard
  bool m_busy = false;
  QString m_state;
  double m_share = -1;
  std::shared_ptr<const study::Cure> m_cure;
  std::optional<Error> m_error;
  QString m_for;  // the situation that the result belongs to
};

}  // namespace cutaway::ui
