#pragma once
// What a widget does for another theme, when somebody sees it: at once while it is shown, else when it is shown again.
// A window holds hundreds of widgets that dress themselves, and most of them are hidden when the theme changes.
//
// Thread rule: GUI thread. Example: new ThemeFollower(this, themes, [this] { paintIcons(); });   // belongs to the
// widget

#include <functional>

#include <QObject>

namespace cutaway::ui {

class ThemeStore;

class ThemeFollower : public QObject {
 public:
  // widget: owns the follower. dress is not called before the theme changes.
  ThemeFollower(QObject* widget, const ThemeStore* themes, std::function<void()> dress);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  std::function<void()> m_dress;
  bool m_stale = false;
};

}  // namespace cutaway::ui
