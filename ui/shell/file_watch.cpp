#include "ui/shell/file_watch.h"

#include <QFileInfo>

#include "ui/base/view_state.h"
#include "ui/shell/document_page.h"
#include "ui/shell/notice_bar.h"

namespace cutaway::ui {
namespace {
constexpr int kSettleMs = 300;
const QString kNotice = QStringLiteral("file");
}  // namespace

FileWatch::FileWatch(DocumentPage* page, ViewState* viewState) : QObject(page), m_page(page), m_viewState(viewState) {
  m_settle.setSingleShot(true);
  m_settle.setInterval(kSettleMs);
  connect(&m_settle, &QTimer::timeout, this, &FileWatch::look);
  const auto soon = [this] { m_settle.start(); };
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, soon);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, soon);
  connect(page->document(), &Document::titleChanged, this, &FileWatch::follow);
  // A walk that begins reads the file as it is now.
  connect(&page->document()->service(), &EngineService::activityChanged, this, [this] {
    if (m_page->document()->service().busy() && !m_page->document()->walk()->load &&
        m_path == m_page->document()->path()) {
      m_known = m_seen = stamp();
      m_page->notices()->withdraw(kNotice);
    }
  });
  follow();
}

FileWatch::Stamp FileWatch::stamp() const {
  const QFileInfo file(m_path);
  return file.exists() ? Stamp{true, file.size(), file.lastModified()} : Stamp{};
}

// The folder is watched too: many programs write beside a file and rename.
void FileWatch::follow() {
  if (!m_watcher.files().isEmpty()) m_watcher.removePaths(m_watcher.files());
  if (!m_watcher.directories().isEmpty()) m_watcher.removePaths(m_watcher.directories());
  m_path = m_page->document()->path();
  if (m_path.isEmpty()) return;
  m_known = m_seen = stamp();
  m_watcher.addPath(QFileInfo(m_path).path());
  if (m_known.exists) m_watcher.addPath(m_path);
}

void FileWatch::look() {
  const Stamp now = stamp();
  if (now.exists && !m_watcher.files().contains(m_path)) m_watcher.addPath(m_path);
  if (now == m_known) return m_page->notices()->withdraw(kNotice);  // it came back as it was
  if (now.exists && now != m_seen) {
    m_seen = now;
    m_settle.start();  // still being written, perhaps
    return;
  }
  m_seen = now;
  const QString name = QFileInfo(m_path).fileName();
  if (!now.exists) {
    if (m_known.exists)
      m_page->notices()->tell(
          {.id = kNotice,
           .words = tr("%1 was deleted or moved. What is open stays; reading it again is not possible.").arg(name),
           .warning = true,
           .answers = {}});
    return;
  }
  if (m_viewState->get(QLatin1String(kReloadKey), false).toBool()) return m_page->reload();
  m_page->notices()->tell({.id = kNotice,
                           .words = tr("%1 changed on disk.").arg(name),
                           .warning = false,
                           .answers = {{tr("Reload"), [this] { m_page->reload(); }},
                                       {tr("Always reload"),
                                        [this] {
                                          m_viewState->put(QLatin1String(kReloadKey), true);
                                          m_page->reload();
                                        }}},
                           .dismissed = [this] { m_known = m_seen; }});
}

}  // namespace cutaway::ui
