#include "ui/document/work_ticket.h"

#include <QCoreApplication>
#include <QPointer>

namespace cutaway::ui {

WorkTicket::WorkTicket(QObject* owner, std::function<void()> over)
    : m_end(nullptr, [owner = QPointer<QObject>(owner), over = std::move(over)](void*) {
        QCoreApplication* application = QCoreApplication::instance();
        if (!application) return;
        QMetaObject::invokeMethod(
            application,
            [owner, over] {
              if (owner) over();
            },
            Qt::QueuedConnection);
      }) {}

}  // namespace cutaway::ui
