#pragma once
// The files that a comparison runs on, as a list, and how pictures among them become tensors.
//
// Thread rule: GUI thread. Example: if (const auto inputs = real->inputs()) options.inputs = *inputs;

#include <QWidget>

#include "ui/document/input_files.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace cutaway::ui {

class RealInputs : public QWidget {
  Q_OBJECT
 public:
  explicit RealInputs(QWidget* parent = nullptr);
  void setInputNames(const QStringList& names);  // of the model; what was chosen stays
  void setFiles(const QStringList& paths);       // folders stand for what is in them
  // INVALID_ARGUMENT: a field that is no number.
  Result<InputFiles> inputs() const;

 signals:
  void changed();

 private:
  void chooseFiles();
  void chooseFolder();
  void showFiles();

  QStringList m_files;
  QLabel* m_words;
  QComboBox* m_input;
  QPushButton* m_clear;
  QListWidget* m_list;
  QWidget* m_recipe;
  QSpinBox* m_resize;
  QSpinBox* m_crop;
  QLineEdit* m_mean;
  QLineEdit* m_deviation;
  QComboBox* m_layout;
  QCheckBox* m_blueFirst;
};

}  // namespace cutaway::ui
