#pragma once
// The session of a window: opening and saving .cutaway files, what is unsaved, and what survives a crash.
//
// Every window autosaves into a file of its own beside the settings and holds a lock on it; a file whose lock nobody
// holds belonged to a program that did not end properly, and is offered. Thread rule: GUI thread; files are read and
// written elsewhere. Example: keeper->open("work.cutaway");  keeper->save([](bool saved) { ... });  if
// (!keeper->mayClose()) event->ignore();

#include <functional>
#include <memory>

#include <QLockFile>
#include <QObject>
#include <QTimer>

#include "ui/shell/session_file.h"

namespace cutaway::ui {

class MainWindow;

class SessionKeeper : public QObject {
  Q_OBJECT
 public:
  explicit SessionKeeper(MainWindow* window);
  ~SessionKeeper() override;  // a proper end: the autosaved file goes

  using Done = std::function<void(bool saved)>;

  void open(const QString& file);
  void openDialog();
  void save(Done done = {});  // asks for a name when there is none
  void saveAs(Done done = {});
  void saveTo(const QString& file, Done done = {});  // replaces what is there: it was asked before
  const QString& file() const { return m_file; }     // empty: the session has no name
  QString title() const;
  bool dirty() const { return m_dirty; }
  bool busy() const { return m_busy; }
  // Asks what is to become of unsaved things; false: stay open (it may close later on its own, when saving is through).
  bool mayClose();

  void autosave();      // now; also what is called after a background crash
  void offerRestore();  // sessions of programs that did not end properly
  QString autosaveFile() const { return m_autosave; }
  SessionState gather() const;
  void apply(const SessionState& session);

 signals:
  void changed();  // name or dirty

 private:
  void watch();
  void judge();
  void opened(const QString& file, const Result<SessionState>& session);
  void endSaving(const QString& file, const QByteArray& content, const Result<void>& written, const Done& done);
  void failed(const QString& file, const Error& error, Done done);

  MainWindow* m_window;
  QString m_file;
  QByteArray m_saved;  // content of the file
  bool m_dirty = false;
  bool m_busy = false;
  QTimer m_judge;
  QTimer m_autosaveTimer;
  QString m_autosave;
  QByteArray m_autosaved;
  std::unique_ptr<QLockFile> m_lock;
};

}  // namespace cutaway::ui
