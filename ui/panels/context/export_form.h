#pragma once
// Where an export goes and how: the fields of ContextExportOptions.
//
// Thread rule: GUI thread. Example: form->setDefaults("model.onnx");  controller.exportModel(form->exportOptions());

#include <QWidget>

#include "ui/document/context_controller.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace cutaway::ui {

class ExportForm : public QWidget {
  Q_OBJECT
 public:
  explicit ExportForm(QWidget* parent = nullptr);

  // The file that an export of this model goes to unless another is named.
  void setModel(const QString& model);
  ContextExportOptions exportOptions() const;
  QString problem() const;  // why this cannot be exported; empty: it can

  QLineEdit* fileLine() { return m_file; }
  QPushButton* browseButton() { return m_browse; }
  QComboBox* placeBox() { return m_place; }
  QLineEdit* prefixLine() { return m_prefix; }
  QComboBox* weightsBox() { return m_weights; }
  QLineEdit* weightsLine() { return m_weightsFile; }
  QSpinBox* thresholdBox() { return m_threshold; }
  QCheckBox* overwriteBox() { return m_overwrite; }
  QCheckBox* verifyBox() { return m_verify; }

 signals:
  void changed();

 private:
  void browse();
  void follow();

  QString m_model;
  QString m_default;
  QLineEdit* m_file;
  QPushButton* m_browse;
  QComboBox* m_place;
  QLineEdit* m_prefix;
  QComboBox* m_weights;
  QLineEdit* m_weightsFile;
  QSpinBox* m_threshold;
  QLabel* m_from;
  QCheckBox* m_overwrite;
  QCheckBox* m_verify;
};

}  // namespace cutaway::ui
