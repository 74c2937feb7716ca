#pragma once
// What was edited, in order; undo, redo, and saving as another file. A file that is there already is only replaced
// after a question.
//
// Thread rule: GUI thread. Example: layout->addWidget(new EditList(context));

#include <QWidget>

#include "engine/edit/model_edit.h"
#include "ui/panels/panel.h"

class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace cutaway::ui {

// One edit in words: "bypass Relu 'relu_3'". graphs may be null.
QString editText(const edit::ModelEdit& edit, const LoadReport* load);

class EditList : public QWidget {
  Q_OBJECT
 public:
  explicit EditList(const PanelContext& context, QWidget* parent = nullptr);
  void saveTo(const QString& file);  // asks before it replaces

 private:
  void refresh();
  void saveAs();

  PanelContext m_context;
  QLabel* m_state;
  QListWidget* m_list;
  QLabel* m_error;
  QToolButton* m_undo;
  QToolButton* m_redo;
  QPushButton* m_save;
};

}  // namespace cutaway::ui
