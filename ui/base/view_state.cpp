#include "ui/base/view_state.h"

namespace cutaway::ui {
namespace {
constexpr int kRecentFiles = 9;  // Ctrl+1 to Ctrl+9
const QString kRecentKey = QStringLiteral("recentFiles");
}  // namespace

ViewState::ViewState() : m_settings(std::make_unique<QSettings>(QStringLiteral("cutaway"), QStringLiteral("cutaway"))) {}

ViewState::ViewState(const QString& iniFile) : m_settings(std::make_unique<QSettings>(iniFile, QSettings::IniFormat)) {}

QStringList ViewState::recentFiles() const { return m_settings->value(kRecentKey).toStringList(); }

void ViewState::addRecentFile(const QString& path) {
  QStringList files = recentFiles();
  files.removeAll(path);
  files.prepend(path);
  while (files.size() > kRecentFiles) files.removeLast();
  m_settings->setValue(kRecentKey, files);
}

void ViewState::removeRecentFile(const QString& path) {
  QStringList files = recentFiles();
  files.removeAll(path);
  m_settings->setValue(kRecentKey, files);
}

}  // namespace cutaway::ui
