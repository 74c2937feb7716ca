#pragma once
// The settings of the walk for one open model: providers in order of priority, dimensions, level, threads, order,
// executor, limit; applied together, or copied as a command line.
//
// Thread rule: GUI thread. Example: WalkSettings dialog(document, window);  dialog.exec();

#include <map>

#include <QDialog>

#include "engine/session/session.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QSpinBox;

namespace cutaway::ui {

class Document;
class MainWindow;

class WalkSettings : public QDialog {
  Q_OBJECT
 public:
  WalkSettings(Document* document, MainWindow* window);

  Result<session::SessionOptions> options()
      const;  // what stands in the dialog; an error names the line that cannot be used
  QString command() const;

 private:
  QWidget* makeProviders();
  void addDimensions(QFormLayout* form);
  void addSettings(QFormLayout* form);
  void moveProvider(int by);
  void follow();  // the command line below
  void apply();
  QComboBox* choice(const QStringList& ids, const QStringList& titles, const std::string& present);

  Document* m_document;
  MainWindow* m_window;
  QListWidget* m_providers;
  std::map<std::string, QSpinBox*> m_dims;
  QSpinBox* m_level;
  QSpinBox* m_threads;
  QSpinBox* m_workers;
  QSpinBox* m_group;
  QComboBox* m_executor = nullptr;
  QComboBox* m_order = nullptr;
  QComboBox* m_plan = nullptr;
  QSpinBox* m_limit;
  QLineEdit* m_command;
  QLabel* m_error;
};

}  // namespace cutaway::ui
