#pragma once
// Work beside the GUI thread, and calls that are left for it.
//
// Thread rule: callOnGuiThread on any thread, elsewhere on the GUI thread; `owner` was made on the GUI thread, and what
// was left for it is dropped when it is gone by then. Example:
//   elsewhere(this, [file]() -> Result<Trace> { return readTrace(file); },
//             [job](Panel& panel, const Result<Trace>& trace) { panel.end(job, trace); });
//   m_watcher.setFuture(promised([graphs]() -> Result<Sums> { return sumsOf(*graphs); }));

#include <memory>
#include <new>
#include <utility>

#include <QCoreApplication>
#include <QFuture>
#include <QPointer>
#include <QPromise>
#include <QThreadPool>

#include "engine/base/short_memory.h"

namespace cutaway::ui {

template <typename Owner, typename Call>
void callOnGuiThread(QPointer<Owner> owner, Call call) {
  QMetaObject::invokeMethod(
      QCoreApplication::instance(),
      [owner = std::move(owner), call = std::move(call)]() mutable {
        if (owner) call(*owner);
      },
      Qt::QueuedConnection);
}

// What work() gives, a Result, and what is said where memory ran out in it: threads of the pool end with no exception.
template <typename Work>
auto withinMemory(Work&& work) -> decltype(work()) {
  try {
    return heedShortMemory(work);
  } catch (const std::bad_alloc& refused) {
    return fail(outOfMemory(refused));
  }
}

// work() on a thread of the pool, within memory, then done(*owner, its result) on the GUI thread.
template <typename Owner, typename Work, typename Done>
void elsewhere(Owner* owner, Work work, Done done) {
  QThreadPool::globalInstance()->start(
      [owner = QPointer<Owner>(owner), work = std::move(work), done = std::move(done)] {
        callOnGuiThread(owner, [done, result = withinMemory(work)](Owner& alive) { done(alive, result); });
      });
}

// The same for a QFutureWatcher, which hears of the latest work alone and can wait for it. Any thread.
template <typename Work>
auto promised(Work work) -> QFuture<decltype(work())> {
  const auto promise = std::make_shared<QPromise<decltype(work())>>();
  promise->start();
  QThreadPool::globalInstance()->start([promise, work = std::move(work)] {
    promise->addResult(withinMemory(work));
    promise->finish();
  });
  return promise->future();
}

}  // namespace cutaway::ui
