#pragma once
// Leaves a call for the GUI thread.
//
// Thread rule: called on any thread; `owner` was made on the GUI thread, and the call is dropped when it is gone by
// then. Example: callOnGuiThread(QPointer(controller), [job, content](TensorController& controller) {
// controller.end(job, content); });

#include <utility>

#include <QCoreApplication>
#include <QPointer>

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

}  // namespace cutaway::ui
