#pragma once
// What the window remembers between starts: sizes, columns, choices. One file of settings, keys such as
// "partition/table/header".
//
// A file that is no settings file is put aside as NAME.damaged, and defaults take its place.
// Thread rule: GUI thread.
// Example: viewState.put("window/geometry", saveGeometry());
// restoreGeometry(viewState.get("window/geometry").toByteArray());

#include <memory>

#include <QSettings>
#include <QStringList>
#include <QVariant>

namespace cutaway::ui {

class ViewState {
 public:
  // Settings of the user.
  ViewState();
  // Settings in a file of its own: for tests and for --tour, which must not touch the user's.
  explicit ViewState(const QString& iniFile);

  QVariant get(const QString& key, const QVariant& fallback = {}) const { return m_settings->value(key, fallback); }
  QString folder() const;  // where its file lies
  const QString& damagedFile() const {
    return m_damaged;
  }  // settings that could not be read and were put aside, empty: none were
  void remove(const QString& key) { m_settings->remove(key); }
  QStringList childKeys(const QString& group) const;
  void put(const QString& key, const QVariant& value) { m_settings->setValue(key, value); }

  QStringList recentFiles() const;
  void addRecentFile(const QString& path);
  void removeRecentFile(const QString& path);

 private:
  QString m_damaged;
  std::unique_ptr<QSettings> m_settings;
};

}  // namespace cutaway::ui
