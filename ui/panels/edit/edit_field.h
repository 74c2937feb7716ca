#pragma once
// One change as a line of a form: what it is called, an editor, a button that does it, and below it why it cannot be
// done.
//
// The button is only there for something that differs from what is, and works only when nothing speaks against it.
// Enter is the button. Thread rule: GUI thread. Example: auto* field = new EditField(document, tr("Name"), now,
// [=](const QString& words) { return ModelEdit{.kind = EditKind::kRenameNode, .origin = 3, .text =
// words.toStdString()}; });

#include <functional>

#include <QStringList>
#include <QWidget>

#include "engine/edit/model_edit.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace cutaway::ui {

class Document;

class EditField : public QWidget {
  Q_OBJECT
 public:
  using Make = std::function<edit::ModelEdit(const QString& words)>;
  // choices: not empty makes it a list to choose from.
  EditField(Document* document, const QString& title, const QString& now, Make make, const QStringList& choices = {},
            QWidget* parent = nullptr);

  QString words() const;
  QLineEdit* line() { return m_line; }
  void setHint(const QString& words);
  void hideTitle();  // where a heading says it for a whole column

 private:
  void check();
  void apply();

  Document* m_document;
  QString m_now;
  Make m_make;
  QLabel* m_title;
  QLineEdit* m_line = nullptr;
  QComboBox* m_choice = nullptr;
  QPushButton* m_apply;
  QLabel* m_reason;
};

// A button with the reason beside it when the edit cannot be made.
class EditButton : public QWidget {
  Q_OBJECT
 public:
  EditButton(Document* document, const QString& title, const QString& help, const edit::ModelEdit& edit,
             QWidget* parent = nullptr);
};

}  // namespace cutaway::ui
