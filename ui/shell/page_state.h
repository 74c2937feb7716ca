#pragma once
// What a page shows, as a session keeps it, and bringing a page back there: settings at once, the rest as soon as the
// walk has come far enough.
//
// Thread rule: GUI thread.
// Example: const SessionModel before = pageState(*page);  page->document()->reload();  new PageRestorer(page, before);

#include <QObject>

#include "ui/shell/session_file.h"

namespace cutaway::ui {

class DocumentPage;

SessionModel pageState(DocumentPage& page);  // without the trace, which is made elsewhere

// Waits for the page's walk and scene, then restores selection, overlay, place and profile, and is gone. A walk that
// fails ends it too.
class PageRestorer : public QObject {
  Q_OBJECT
 public:
  PageRestorer(DocumentPage* page, SessionModel wanted);

 private:
  void step();
  void showTrace();

  DocumentPage* m_page;
  SessionModel m_wanted;
  bool m_prepared = false;  // stage, graph and groups were chosen; their scene may be on its way
};

}  // namespace cutaway::ui
