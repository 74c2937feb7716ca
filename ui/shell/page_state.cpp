#include "ui/shell/page_state.h"

#include <QDir>
#include <QTemporaryFile>
#include <QTimer>

#include "ui/canvas/view/canvas_pane.h"
#include "ui/shell/document_page.h"
#include "ui/shell/page_place.h"

namespace cutaway::ui {

SessionModel pageState(DocumentPage& page) {
  const Document& document = *page.document();
  SessionModel state;
  state.path = document.path();
  state.options = document.options();
  state.edits = document.edits().edits();
  for (int digit = Bookmarks::kFirst; digit <= Bookmarks::kLast; ++digit)
    state.bookmarks[static_cast<size_t>(digit)] = document.bookmarks().at(digit);
  state.stage = document.stage();
  state.overlay = chosenOverlay(page);
  state.place = placeOf(page);
  state.selected = document.selection().origins();
  return state;
}

// Selections and bookmarks speak of original nodes: one that the changed file does not have is left out.
PageRestorer::PageRestorer(DocumentPage* page, SessionModel wanted)
    : QObject(page), m_page(page), m_wanted(std::move(wanted)) {
  connect(page->document(), &Document::walkChanged, this, &PageRestorer::step, Qt::QueuedConnection);
  connect(page->canvas(), &CanvasPane::sceneShown, this, &PageRestorer::step, Qt::QueuedConnection);
  connect(&page->document()->edits(), &EditController::changed, this, &PageRestorer::step, Qt::QueuedConnection);
}

void PageRestorer::step() {
  Document& document = *m_page->document();
  if (document.service().busy() || document.edits().trying()) return;
  if (!document.walk()->loadedGraphs) {
    if (document.error() || document.cancelled()) deleteLater();
    return;
  }
  if (m_page->canvas()->loading() || !m_page->canvas()->loaded().scene) return;
  if (!m_prepared) {
    m_prepared = true;
    document.setStage(m_wanted.stage);
    if (!m_wanted.overlay.isEmpty()) m_page->canvas()->setOverlay(m_wanted.overlay);
    if (m_wanted.place) unfoldPlace(*m_page, *m_wanted.place);
    QTimer::singleShot(0, this, &PageRestorer::step);  // at once when no other scene is needed
    return;
  }
  disconnect(m_page->document(), nullptr, this, nullptr);
  disconnect(m_page->canvas(), nullptr, this, nullptr);
  disconnect(&m_page->document()->edits(), nullptr, this, nullptr);
  const int count = static_cast<int>(document.walk()->load ? document.walk()->load->origins.size() : 0);
  std::erase_if(m_wanted.selected, [count](int origin) { return origin < 0 || origin >= count; });
  if (m_wanted.place) goToPlace(*m_page, *m_wanted.place);
  if (!m_wanted.selected.empty() && document.selection().empty()) document.selection().selectOrigins(m_wanted.selected);
  showTrace();
  deleteLater();
}

// Traces are read from files: the one inside a session lies in a file of its own while it is read.
void PageRestorer::showTrace() {
  if (m_wanted.trace.isEmpty() || !m_page->document()->profiles().canRead()) return;
  auto* file = new QTemporaryFile(QDir::temp().filePath(QStringLiteral("cutaway-profile-XXXXXX.json")), m_page);
  if (!file->open() || file->write(m_wanted.trace) != m_wanted.trace.size() || !file->flush()) return;
  m_page->document()->profiles().showTrace(file->fileName());
  connect(&m_page->document()->profiles(), &ProfileController::changed, file, [file, document = m_page->document()] {
    if (!document->profiles().busy()) file->deleteLater();
  });
}

}  // namespace cutaway::ui
