#pragma once
// Which theme the window uses now: light, dark or what the system says.
//
// Thread rule: GUI thread.
// Example: connect(&themes, &ThemeStore::changed, this, [this] { update(); });  painter.setPen(themes.current().text);

#include <QObject>

#include "ui/base/theme.h"

namespace cutaway::ui {

enum class ThemeMode { kSystem, kLight, kDark };

class ThemeStore : public QObject {
  Q_OBJECT
 public:
  explicit ThemeStore(QObject* parent = nullptr);

  const Theme& current() const { return *m_theme; }
  ThemeMode mode() const { return m_mode; }
  void setMode(ThemeMode mode);
  // What the system's palette says; asked before our own palette is set.
  void setSystemIsDark(bool dark);

 signals:
  void changed();

 private:
  void choose();

  ThemeMode m_mode = ThemeMode::kSystem;
  bool m_systemIsDark = false;
  const Theme* m_theme;
};

}  // namespace cutaway::ui
