#include "ui/base/theme_follower.h"

#include <utility>

#include <QEvent>
#include <QVariant>

#include "ui/base/theme_store.h"

namespace cutaway::ui {

ThemeFollower::ThemeFollower(QObject* widget, const ThemeStore* themes, std::function<void()> dress)
    : QObject(widget), m_dress(std::move(dress)) {
  widget->installEventFilter(this);
  connect(themes, &ThemeStore::changed, this, [this] {
    m_stale = !parent()->property("visible").toBool();  // nothing here knows widgets
    if (!m_stale) m_dress();
  });
}

bool ThemeFollower::eventFilter(QObject* object, QEvent* event) {
  if (object == parent() && event->type() == QEvent::Show && std::exchange(m_stale, false)) m_dress();
  return QObject::eventFilter(object, event);
}

}  // namespace cutaway::ui
