#pragma once
// One window for a user and a screen: a program that is started again hands its files to the one that runs, as tabs.
//
// The two meet at a local socket in the user's run-time folder, which nobody else can reach. What comes through it is
// hostile all the same: a message has a largest size, and is a list of absolute paths or nothing. A window that does
// not answer in time is left alone, and the program opens a window of its own. Thread rule: GUI thread. Example:
//   if (SingleWindow::handOver(SingleWindow::place("0.2.0"), files)) return 0;
//   SingleWindow single(SingleWindow::place("0.2.0"));
//   QObject::connect(&single, &SingleWindow::asked, &window, &MainWindow::openFiles);

#include <memory>

#include <QObject>
#include <QStringList>

class QLocalServer;
class QLocalSocket;

namespace cutaway::ui {

class SingleWindow : public QObject {
  Q_OBJECT
 public:
  // Listens there. Nothing comes where somebody listens already, or the socket cannot be made.
  explicit SingleWindow(const QString& place, QObject* parent = nullptr);
  ~SingleWindow() override;
  bool listens() const;

  // The socket of this user, version, platform and screen; empty where there is no run-time folder.
  static QString place(const QString& version);
  // True when a running window took the files (none: it comes to the front).
  static bool handOver(const QString& place, const QStringList& files);

 signals:
  void asked(const QStringList& files);  // absolute paths; none: come to the front

 private:
  void greet();
  void read(QLocalSocket* from);

  std::unique_ptr<QLocalServer> m_server;
};

}  // namespace cutaway::ui
