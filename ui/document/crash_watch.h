#pragma once
// Hears of threads that were parked by the CrashGuard and tells the GUI thread: services give up what the thread worked
// on, the window saves its session.
//
// Thread rule: GUI thread; instance() makes it with the first call. Without an installed guard it hears nothing.
// Example: connect(&CrashWatch::instance(), &CrashWatch::crashed, this, [this](const CrashNotice& notice) {
// saveSession(); });

#include <QObject>

#include "engine/base/crash_guard.h"

class QSocketNotifier;

namespace cutaway::ui {

class CrashWatch : public QObject {
  Q_OBJECT
 public:
  static CrashWatch& instance();

  int crashes() const { return m_crashes; }
  // A number for one piece of work, told apart from all others of the program; whoever does it opens a WorkScope with
  // it.
  quint64 newWork();

 signals:
  void crashed(const cutaway::CrashNotice& notice);

 private:
  CrashWatch();
  void listen();
  void takeAll();

  QSocketNotifier* m_notifier = nullptr;
  int m_crashes = 0;
  quint64 m_work = 0;
};

// "A task in the background crashed: SIGSEGV (...) in Conv 'conv1', while Run: 10 times." and what to do now.
Error crashError(const CrashNotice& notice, const QString& activity);

}  // namespace cutaway::ui
