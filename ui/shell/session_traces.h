#pragma once
// The latest profiles of all open models, gathered on the GUI thread and written as traces on another.
//
// Example: const SessionTraces traces(window);  pool->start([traces, session] { traces.addTo(*session); });

#include <memory>
#include <vector>

#include "ui/shell/session_file.h"

namespace cutaway::ui {

class MainWindow;

class SessionTraces {
 public:
  explicit SessionTraces(const MainWindow& window);  // GUI thread
  void addTo(SessionState& session) const;           // any thread

 private:
  std::vector<std::shared_ptr<const WalkReport>> m_walks;  // in the order of the tabs
};

}  // namespace cutaway::ui
