#pragma once
// The settings of the program: how it looks, how the canvas behaves, what the next model is opened with. Everything is
// kept at once; what can be shown at once is.
//
// Thread rule: GUI thread. Example: SettingsDialog(window).exec();

#include <QDialog>

class QComboBox;
class QFormLayout;

namespace cutaway::ui {

class MainWindow;

inline constexpr const char* kThemeKey = "window/theme";
inline constexpr const char* kWheelKey = "canvas/wheelZooms";
inline constexpr const char* kDefaultThreadsKey = "defaults/threads";
inline constexpr const char* kDefaultProvidersKey = "defaults/providers";

class SettingsDialog : public QDialog {
  Q_OBJECT
 public:
  explicit SettingsDialog(MainWindow* window);

 private:
  void addLook(QFormLayout* form);
  void addCanvas(QFormLayout* form);
  void addModels(QFormLayout* form);
  QComboBox* choice(const QString& name, const QStringList& titles, int present);

  MainWindow* m_window;
};

// What the settings say about the next model, where the arguments of the program say nothing.
void applyDefaults(MainWindow& window);

}  // namespace cutaway::ui
