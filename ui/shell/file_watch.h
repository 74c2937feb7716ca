#pragma once
// Watches the file of one open model: offers to read it again when it changed, says so when it is gone.
//
// Thread rule: GUI thread. Example: new FileWatch(page, viewState);

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace cutaway::ui {

class DocumentPage;
class ViewState;

inline constexpr const char* kReloadKey = "files/alwaysReload";  // bool: without asking

class FileWatch : public QObject {
  Q_OBJECT
 public:
  FileWatch(DocumentPage* page, ViewState* viewState);

 private:
  struct Stamp {
    bool exists = false;
    qint64 size = -1;
    QDateTime time;
    bool operator==(const Stamp&) const = default;
  };
  Stamp stamp() const;
  void follow();
  void look();

  DocumentPage* m_page;
  ViewState* m_viewState;
  QFileSystemWatcher m_watcher;
  QTimer m_settle;  // writers write in several steps
  QString m_path;
  Stamp m_known;  // of what is on screen
  Stamp m_seen;   // at the latest look
};

}  // namespace cutaway::ui
