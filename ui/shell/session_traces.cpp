#include "ui/shell/session_traces.h"

#include "engine/profile/profiles.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"

namespace cutaway::ui {

SessionTraces::SessionTraces(const MainWindow& window) {
  for (DocumentPage* page : window.pages())
    m_walks.push_back(page->document()->walk());
}

void SessionTraces::addTo(SessionState& session) const {
  for (size_t i = 0; i < m_walks.size() && i < session.models.size(); ++i)
    if (m_walks[i]->run) session.models[i].trace = QByteArray::fromStdString(profile::chromeTrace(*m_walks[i]));
}

}  // namespace cutaway::ui
