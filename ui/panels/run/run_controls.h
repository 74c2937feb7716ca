#pragma once
// What a run is asked for: a file or random numbers for every input, how often, with or without times per node.
//
// Thread rule: GUI thread. Example: controls->setInputs(graph);  connect(controls, &RunControls::runRequested, ...);

#include <QWidget>
#include <vector>

#include "engine/report/graph_report.h"
#include "ui/document/engine_service.h"

class QCheckBox;
class QGridLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace cutaway::ui {

class RunControls : public QWidget {
  Q_OBJECT
 public:
  explicit RunControls(QWidget* parent = nullptr);
  void setInputs(const GraphReport* graph);  // null: no model
  void setBusy(bool busy);
  RunRequest request() const;
  QPushButton* runButton() { return m_run; }
  void setFile(const QString& input, const QString& path);

 signals:
  void runRequested(const cutaway::ui::RunRequest& request);
  void cancelRequested();

 private:
  struct InputRow {
    QString name;
    QLineEdit* file;
  };
  void chooseFile(QLineEdit* line);

  QGridLayout* m_grid;
  QWidget* m_inputArea;
  std::vector<InputRow> m_inputs;
  QSpinBox* m_runs;
  QSpinBox* m_warmups;
  QSpinBox* m_seed;
  QCheckBox* m_profile;
  QPushButton* m_run;
  bool m_ready = false;
  bool m_busy = false;
};

}  // namespace cutaway::ui
