#include "ui/document/crash_watch.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSocketNotifier>

namespace cutaway::ui {

CrashWatch::CrashWatch() : QObject(QCoreApplication::instance()) {
  listen();
}

CrashWatch& CrashWatch::instance() {
  // Goes with the application object, whose event loop it needs.
  static QPointer<CrashWatch> watch;
  if (!watch) watch = new CrashWatch;
  watch->listen();
  return *watch;
}

void CrashWatch::listen() {
  if (m_notifier || CrashGuard::descriptor() < 0) return;
  m_notifier = new QSocketNotifier(CrashGuard::descriptor(), QSocketNotifier::Read, this);
  connect(m_notifier, &QSocketNotifier::activated, this, &CrashWatch::takeAll);
}

quint64 CrashWatch::newWork() {
  return ++m_work;
}

void CrashWatch::takeAll() {
  while (const auto notice = CrashGuard::take()) {
    ++m_crashes;
    emit crashed(*notice);
  }
}

Error crashError(const CrashNotice& notice, const QString& activity) {
  std::string message = "A task in the background crashed: " + CrashGuard::signalName(notice.signal);
  if (!notice.doing.empty()) message += " in " + notice.doing;
  if (!activity.isEmpty()) message += ", during " + activity.toStdString();
  message +=
      ". The window goes on without it; save what you need and start Cutaway anew soon. Load the model again to go on "
      "with it, without the provider that crashed if it does so again.";
  Error error{ErrorCode::kRuntimeException, std::move(message), {}};
  // "Conv 'conv1'": the node can be shown.
  const size_t open = notice.doing.find(" '");
  if (open != std::string::npos && notice.doing.ends_with('\''))
    error.where.node = notice.doing.substr(open + 2, notice.doing.size() - open - 3);
  return error;
}

}  // namespace cutaway::ui
