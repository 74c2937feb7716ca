#include "ui/shell/session_keeper.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QThreadPool>

#include "ui/base/file_writing.h"
#include "ui/base/format.h"
#include "ui/base/style_rules.h"
#include "ui/base/view_state.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/document/crash_watch.h"
#include "ui/document/engine_host.h"
#include "ui/document/gui_call.h"
#include "ui/document/window_words.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/page_state.h"
#include "ui/shell/session_traces.h"

namespace cutaway::ui {
namespace {

constexpr int kJudgeMs = 250;
constexpr int kAutosaveMs = 15'000;
const QString kFolderKey = QStringLiteral("session/folder");

}  // namespace

SessionKeeper::SessionKeeper(MainWindow* window) : QObject(window), m_window(window) {
  static int count = 0;
  const QDir folder(window->viewState()->folder() + QStringLiteral("/autosave"));
  folder.mkpath(QStringLiteral("."));
  const QString name = folder.filePath(QStringLiteral("%1-%2").arg(QCoreApplication::applicationPid()).arg(++count));
  m_autosave = name + QStringLiteral(".cutaway");
  m_lock = std::make_unique<QLockFile>(name + QStringLiteral(".lock"));
  m_lock->setStaleLockTime(0);
  m_lock->tryLock(0);
  m_judge.setSingleShot(true);
  m_judge.setInterval(kJudgeMs);
  connect(&m_judge, &QTimer::timeout, this, &SessionKeeper::judge);
  m_autosaveTimer.setInterval(kAutosaveMs);
  connect(&m_autosaveTimer, &QTimer::timeout, this, &SessionKeeper::autosave);
  m_autosaveTimer.start();
  connect(&CrashWatch::instance(), &CrashWatch::crashed, this, &SessionKeeper::autosave);
  watch();
}

SessionKeeper::~SessionKeeper() {
  QFile::remove(m_autosave);
  m_lock->unlock();
}

void SessionKeeper::watch() {
  const auto soon = [this] { m_judge.start(); };
  connect(m_window, &MainWindow::pageOpened, this, [this, soon](DocumentPage* page) {
    Document* document = page->document();
    connect(document, &Document::walkChanged, this, soon);
    connect(&document->edits(), &EditController::changed, this, soon);
    connect(&document->bookmarks(), &Bookmarks::changed, this, soon);
    soon();
  });
  connect(m_window, &MainWindow::pageClosing, this, soon);
}

void SessionKeeper::judge() {
  const bool dirty = !m_file.isEmpty() && !m_busy && sessionContent(gather()) != m_saved;
  if (dirty == m_dirty) return;
  m_dirty = dirty;
  emit changed();
}

QString SessionKeeper::title() const {
  return m_file.isEmpty() ? QString() : QFileInfo(m_file).completeBaseName();
}

void SessionKeeper::openDialog() {
  const QString file =
      QFileDialog::getOpenFileName(m_window, tr("Open a session"), m_window->viewState()->get(kFolderKey).toString(),
                                   tr("Sessions (*.cutaway);;All files (*)"));
  if (!file.isEmpty()) open(file);
}

void SessionKeeper::open(const QString& file) {
  const QString absolute = QFileInfo(file).absoluteFilePath();
  elsewhere(
      this,
      [absolute, host = m_window->host()]() -> Result<SessionState> {
        CUTAWAY_TRY(const QByteArray bytes, readWholeFile(absolute));
        return sessionFromJson(bytes, absolute, host->providers);
      },
      [absolute](SessionKeeper& owner, const Result<SessionState>& session) { owner.opened(absolute, session); });
}

void SessionKeeper::opened(const QString& file, const Result<SessionState>& session) {
  const QString name = QDir::toNativeSeparators(file);
  if (!session) {
    const QString why = told(session.error().message);
    // Only what cannot be read as a session is damaged; a file that is missing, locked or newer stays where it is.
    const QString aside = session.error().code == ErrorCode::kInvalidArgument ? putAside(file) : QString();
    m_window->notices()->tell(
        {.id = QStringLiteral("session"),
         .words =
             aside.isEmpty()
                 ? tr("The session was not opened: %1").arg(why)
                 : tr("The session is damaged and was renamed to %1. %2").arg(QDir::toNativeSeparators(aside), why),
         .warning = true,
         .answers = {}});
    return;
  }
  if (!mayClose()) return;
  m_window->viewState()->put(kFolderKey, QFileInfo(file).path());
  m_window->viewState()->addRecentFile(file);
  for (DocumentPage* page : m_window->pages())
    m_window->removePage(page);
  m_file = file;
  apply(*session);
  m_saved = sessionContent(*session);
  m_dirty = false;
  emit changed();
  m_window->message(tr("Session opened: %1").arg(name));
}

void SessionKeeper::apply(const SessionState& session) {
  DocumentPage* current = nullptr;
  for (size_t i = 0; i < session.models.size(); ++i) {
    const SessionModel& model = session.models[i];
    DocumentPage* page = m_window->openModel(model.path, &model.options);
    Document* document = page->document();
    for (int digit = Bookmarks::kFirst; digit <= Bookmarks::kLast; ++digit)
      if (const auto& place = model.bookmarks[static_cast<size_t>(digit)]) document->bookmarks().set(digit, place);
    if (!model.edits.empty()) document->edits().set(model.edits);
    document->setStage(model.stage);
    if (!session.styleRules.isEmpty()) ReadingController::of(document).setRules(styleRulesFromJson(session.styleRules));
    new PageRestorer(page, model);
    if (static_cast<int>(i) == session.current) current = page;
  }
  if (current) m_window->showModel(current);
  m_window->restoreArrangement(session.arrangement);
}

SessionState SessionKeeper::gather() const {
  SessionState session;
  for (DocumentPage* page : m_window->pages()) {
    if (page == m_window->currentPage()) session.current = static_cast<int>(session.models.size());
    session.models.push_back(pageState(*page));
  }
  if (DocumentPage* page = m_window->currentPage())
    session.styleRules = toJson(ReadingController::of(page->document()).rules());
  session.arrangement = m_window->arrangement();
  return session;
}

void SessionKeeper::save(Done done) {
  m_file.isEmpty() ? saveAs(std::move(done)) : saveTo(m_file, std::move(done));
}

void SessionKeeper::saveAs(Done done) {
  const QString folder =
      m_file.isEmpty() ? m_window->viewState()->get(kFolderKey).toString() : QFileInfo(m_file).path();
  // The dialog asks before an existing file is replaced.
  QString file = QFileDialog::getSaveFileName(
      m_window, tr("Save the session"),
      QDir(folder).filePath(m_file.isEmpty() ? tr("session.cutaway") : QFileInfo(m_file).fileName()),
      tr("Sessions (*.cutaway)"));
  if (file.isEmpty()) {
    if (done) done(false);
    return;
  }
  if (QFileInfo(file).suffix().isEmpty()) {
    file += QStringLiteral(".cutaway");
    if (QFileInfo::exists(file) &&
        QMessageBox::question(m_window, tr("Save the session"), tr("%1 already exists. Replace it?").arg(file)) !=
            QMessageBox::Yes) {
      if (done) done(false);
      return;
    }
  }
  saveTo(file, std::move(done));
}

void SessionKeeper::saveTo(const QString& file, Done done) {
  auto session = std::make_shared<SessionState>(gather());
  const SessionTraces traces(*m_window);
  const QByteArray content = sessionContent(*session);
  m_busy = true;
  elsewhere(
      this,
      [session, traces, file] {
        traces.addTo(*session);
        return writeFileSafely(file, sessionToJson(*session, file));
      },
      [file, content, done](SessionKeeper& owner, const Result<void>& written) {
        owner.endSaving(file, content, written, done);
      });
}

void SessionKeeper::endSaving(const QString& file, const QByteArray& content, const Result<void>& written,
                              const Done& done) {
  m_busy = false;
  if (!written) return failed(file, written.error(), done);
  m_file = file;
  m_saved = content;
  m_dirty = false;
  m_window->viewState()->put(kFolderKey, QFileInfo(file).path());
  m_window->viewState()->addRecentFile(file);
  m_window->message(tr("Session saved: %1").arg(QDir::toNativeSeparators(file)));
  emit changed();
  m_judge.start();
  if (done) done(true);
}

void SessionKeeper::failed(const QString& file, const Error& error, Done done) {
  QMessageBox box(QMessageBox::Warning, tr("Session not saved"), told(error.message), QMessageBox::NoButton, m_window);
  box.setObjectName(QStringLiteral("saveFailed"));
  box.setInformativeText(tr("What was saved before is still there, and nothing in the window is lost."));
  QPushButton* again = box.addButton(tr("Try again"), QMessageBox::AcceptRole);
  QPushButton* elsewhereButton = box.addButton(tr("Save elsewhere \u2026"), QMessageBox::ActionRole);
  box.addButton(QMessageBox::Cancel);
  box.exec();
  if (box.clickedButton() == again) return saveTo(file, std::move(done));
  if (box.clickedButton() == elsewhereButton) return saveAs(std::move(done));
  if (done) done(false);
}

bool SessionKeeper::mayClose() {
  judge();
  QStringList edited;
  for (DocumentPage* page : m_window->pages())
    if (page->document()->edits().unsaved()) edited << QFileInfo(page->document()->path()).fileName();
  if (!m_dirty && (edited.isEmpty() || !m_file.isEmpty())) return true;  // edits are in the session's file
  QMessageBox box(QMessageBox::Question, tr("Unsaved changes"),
                  m_dirty ? tr("The session %1 has changes that are not saved.").arg(title())
                          : tr("Edits of %1 are not saved.").arg(edited.join(QStringLiteral(", "))),
                  QMessageBox::NoButton, m_window);
  box.setObjectName(QStringLiteral("unsaved"));
  box.setInformativeText(m_dirty ? QString() : tr("A session keeps them; saving the model is in the panel of edits."));
  QPushButton* saved = box.addButton(tr("Save session"), QMessageBox::AcceptRole);
  QPushButton* dropped = box.addButton(tr("Discard"), QMessageBox::DestructiveRole);
  box.addButton(QMessageBox::Cancel);
  box.setDefaultButton(saved);
  box.exec();
  if (box.clickedButton() == dropped) {
    m_file.clear();
    m_dirty = false;
    return true;
  }
  if (box.clickedButton() == saved)
    save([this](bool through) {
      if (through) m_window->close();
    });
  return false;
}

void SessionKeeper::autosave() {
  const SessionState session = gather();
  if (session.models.empty()) {
    QFile::remove(m_autosave);
    m_autosaved.clear();
    return;
  }
  const QByteArray bytes = sessionToJson(session, m_autosave);
  if (bytes == m_autosaved) return;
  m_autosaved = bytes;
  QThreadPool::globalInstance()->start([bytes, file = m_autosave] {
    // There is nobody to tell, and the next try follows.
    [[maybe_unused]] const Result<void> written = withinMemory([&] { return writeFileSafely(file, bytes); });
  });
}

void SessionKeeper::offerRestore() {
  const QDir folder = QFileInfo(m_autosave).dir();
  for (const QString& name : folder.entryList({QStringLiteral("*.cutaway")}, QDir::Files, QDir::Time)) {
    const QString file = folder.filePath(name);
    if (file == m_autosave) continue;
    QLockFile lock(folder.filePath(QFileInfo(name).completeBaseName() + QStringLiteral(".lock")));
    lock.setStaleLockTime(0);
    if (!lock.tryLock(0)) continue;  // another window is alive and writes it
    const Result<QByteArray> bytes = readWholeFile(file);
    const Result<SessionState> session =
        bytes ? sessionFromJson(*bytes, file, m_window->host()->providers) : Result<SessionState>(fail(bytes.error()));
    if (!session || session->models.empty()) {
      QFile::remove(file);
      continue;
    }
    QStringList models;
    for (const SessionModel& model : session->models)
      models << QFileInfo(model.path).fileName();
    m_window->notices()->tell({.id = QStringLiteral("restore"),
                               .words = tr("Cutaway did not end properly. What was open can be restored: %1.")
                                            .arg(models.join(QStringLiteral(", "))),
                               .warning = false,
                               .answers = {{tr("Restore"),
                                            [this, file, session = *session] {
                                              apply(session);
                                              QFile::remove(file);
                                            }},
                                           {tr("Discard"), [file] { QFile::remove(file); }}}});
    return;
  }
}

}  // namespace cutaway::ui
