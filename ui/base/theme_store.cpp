#include "ui/base/theme_store.h"

namespace cutaway::ui {

ThemeStore::ThemeStore(QObject* parent) : QObject(parent), m_theme(&Theme::light()) {}

void ThemeStore::setMode(ThemeMode mode) {
  m_mode = mode;
  choose();
}

void ThemeStore::setSystemIsDark(bool dark) {
  m_systemIsDark = dark;
  choose();
}

void ThemeStore::choose() {
  const bool dark = m_mode == ThemeMode::kDark || (m_mode == ThemeMode::kSystem && m_systemIsDark);
  const Theme* theme = dark ? &Theme::darkTheme() : &Theme::light();
  if (theme == m_theme) return;
  m_theme = theme;
  emit changed();
}

}  // namespace cutaway::ui
