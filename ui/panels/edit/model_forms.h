#pragma once
// Forms about the model as a whole: its inputs and outputs, dimensions of the inputs, metadata, and extracting a part.
//
// Thread rule: GUI thread. Example: tabs->addTab(new ModelForm(context, ModelForm::kDimensions), tr("Dimensions"));

#include <QScrollArea>

#include "engine/edit/model_edit.h"
#include "ui/panels/panel.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace cutaway::ui {

class ModelForm : public QScrollArea {
  Q_OBJECT
 public:
  enum Kind { kSignature, kDimensions, kMetadata };
  ModelForm(const PanelContext& context, Kind kind, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void fillSignature(QVBoxLayout* column);
  void fillDimensions(QVBoxLayout* column);
  void fillMetadata(QVBoxLayout* column);
  void addNewKey(QVBoxLayout* column);

  PanelContext m_context;
  Kind m_kind;
  const void* m_filled = nullptr;
};

// Values that a part begins and ends with, taken from the selection or written by hand.
class ExtractForm : public QWidget {
  Q_OBJECT
 public:
  explicit ExtractForm(const PanelContext& context, QWidget* parent = nullptr);

 private:
  void take();
  void check();
  edit::ModelEdit edit() const;

  PanelContext m_context;
  QLineEdit* m_names;
  QLineEdit* m_outputs;
  QLabel* m_words;
  QPushButton* m_apply;
};

}  // namespace cutaway::ui
