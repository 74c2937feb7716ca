#include "ui/base/view_state.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryFile>

namespace cutaway::ui {
namespace {
constexpr int kRecentFiles = 9;  // Ctrl+1 to Ctrl+9
const QString kRecentKey = QStringLiteral("recentFiles");

// A trial on a copy, because QSettings would rewrite what it could not read.
bool readable(const QString& file) {
  QFile in(file);
  if (!in.open(QIODevice::ReadOnly)) return true;  // not there, or not ours to judge
  const QByteArray bytes = in.readAll();
  if (bytes.contains('\0')) return false;
  QTemporaryFile copy;
  if (!copy.open() || copy.write(bytes) != bytes.size() || !copy.flush()) return true;
  const QSettings trial(copy.fileName(), QSettings::IniFormat);
  [[maybe_unused]] const QStringList keys = trial.allKeys();  // sections are only read when somebody asks
  return trial.status() == QSettings::NoError;
}

// Gives the name it has now; empty when nothing was wrong.
QString putDamagedAside(const QString& file) {
  if (readable(file)) return {};
  QString aside = file + QStringLiteral(".damaged");
  for (int i = 2; QFileInfo::exists(aside); ++i)
    aside = file + QStringLiteral(".damaged.%1").arg(i);
  return QFile::rename(file, aside) ? aside : QString();
}

}  // namespace

ViewState::ViewState() : ViewState(QSettings(QStringLiteral("cutaway"), QStringLiteral("cutaway")).fileName()) {}

ViewState::ViewState(const QString& iniFile)
    : m_damaged(putDamagedAside(iniFile)), m_settings(std::make_unique<QSettings>(iniFile, QSettings::IniFormat)) {}

QString ViewState::folder() const {
  return QFileInfo(m_settings->fileName()).absolutePath();
}

QStringList ViewState::childKeys(const QString& group) const {
  m_settings->beginGroup(group);
  const QStringList keys = m_settings->childKeys();
  m_settings->endGroup();
  return keys;
}

QStringList ViewState::recentFiles() const {
  return m_settings->value(kRecentKey).toStringList();
}

void ViewState::addRecentFile(const QString& path) {
  QStringList files = recentFiles();
  files.removeAll(path);
  files.prepend(path);
  while (files.size() > kRecentFiles)
    files.removeLast();
  m_settings->setValue(kRecentKey, files);
}

void ViewState::removeRecentFile(const QString& path) {
  QStringList files = recentFiles();
  files.removeAll(path);
  m_settings->setValue(kRecentKey, files);
}

}  // namespace cutaway::ui
