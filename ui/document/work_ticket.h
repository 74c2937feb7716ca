#pragma once
// Tells somebody that work which was handed to the engine's worker is over in any way: done, cancelled, or dropped for
// something else.
//
// Every copy of the ticket goes with the work; when the last one is gone, `over` is called on the GUI thread, unless
// its owner is gone by then. Whoever has had the answer before that ignores it. Thread rule: made on the GUI thread;
// copies may die on any thread. Example: const WorkTicket ticket(this, [this, job] { lost(job); });
// service.perform(what, [ticket, ...](const WorkPlace&, Progress&) { return [ticket, ...] { ... }; });

#include <functional>
#include <memory>

#include <QObject>

namespace cutaway::ui {

class WorkTicket {
 public:
  WorkTicket(QObject* owner, std::function<void()> over);

 private:
  std::shared_ptr<void> m_end;
};

}  // namespace cutaway::ui
