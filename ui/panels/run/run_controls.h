#pragma once
// What a run is asked for: how often or how long, by which executor on how many threads, and folded away the inputs and
// the rest.
//
// Thread rule: GUI thread. Example: controls->setInputs(graph);  controls->setSession(options);  connect(controls,
// &RunControls::runRequested, ...);

#include <vector>

#include <QWidget>

#include "engine/report/graph_report.h"
#include "ui/document/engine_service.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QHBoxLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QToolButton;

namespace cutaway::ui {

class RunControls : public QWidget {
  Q_OBJECT
 public:
  explicit RunControls(QWidget* parent = nullptr);
  void setInputs(const GraphReport* graph);  // null: no model
  void setSession(const session::SessionOptions& options);
  void setBusy(bool busy);
  void run();  // as by the button; nothing while busy or not ready
  RunRequest request() const;
  // The session's settings with the chosen executor and threads in them.
  session::SessionOptions session(session::SessionOptions options) const;

  QPushButton* runButton() { return m_run; }
  QToolButton* moreButton() { return m_more; }
  QComboBox* executor() { return m_executor; }
  QComboBox* measure() { return m_measure; }
  void setFile(const QString& input, const QString& path);
  QString fileOf(const QString& input) const;
  // Each to the input that it is named like ("image.npy", "input_1.pb": the second), else to the first without one.
  void giveFiles(const QStringList& paths);

 signals:
  void runRequested(const cutaway::ui::RunRequest& request);
  void cancelRequested();

 private:
  struct InputRow {
    QString name;
    QLineEdit* file;
  };
  QHBoxLayout* makeMain();
  QWidget* makeMore();
  void chooseFile(QLineEdit* line);
  void showMore(bool shown);
  void followExecutor();

  QComboBox* m_measure;
  QStackedWidget* m_amount;
  QSpinBox* m_runs;
  QDoubleSpinBox* m_seconds;
  QComboBox* m_executor;
  QSpinBox* m_threads;
  QSpinBox* m_workers;
  QToolButton* m_more;
  QPushButton* m_run;
  QWidget* m_moreBox = nullptr;
  QSpinBox* m_warmups;
  QSpinBox* m_seed;
  QLineEdit* m_tag;
  QCheckBox* m_profile;
  QWidget* m_inputArea;
  QGridLayout* m_grid = nullptr;
  std::vector<InputRow> m_inputs;
  bool m_ready = false;
  bool m_busy = false;
};

}  // namespace cutaway::ui
