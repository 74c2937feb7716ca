#pragma once
// The bar under the ribbon: sizes of the model's open dimensions, and the configuration that everything is done with.
//
// A field takes one size, which the model is walked with, or several, which are swept. Plans, runs, exports and what-if
// start from what stands here. Thread rule: GUI thread.
// Example: bar->present(document);  connect(bar, &BindingBar::settingsRequested, ...);

#include <vector>

#include <QPointer>
#include <QWidget>

class QAbstractButton;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace cutaway::ui {

class Document;
class DocumentPage;
class ElidedButton;
class MainWindow;
class ShapeSweeper;

class BindingBar : public QWidget {
  Q_OBJECT
 public:
  explicit BindingBar(QWidget* parent = nullptr);
  void present(Document* document);                  // null: nothing is open
  QComboBox* field(const QString& dimension) const;  // null: there is none, or it has no room
  QPushButton* sweepButton() { return m_sweep; }
  QAbstractButton* configuration();
  QAbstractButton* draft();
  QSize minimumSizeHint() const override;

 signals:
  void settingsRequested();       // all of it, in a dialog
  void draftRequested();          // what is being tried out
  void sweepRequested(int runs);  // 0: planned only
  void message(const QString& text);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Field {
    std::string dimension;
    QLabel* label;
    QComboBox* sizes;
  };
  void clearFields();
  void makeFields();
  Field makeField(const std::string& dimension);
  void fillFields();
  void fillConfiguration();
  void shareRoom();
  void take(const Field& field);
  QString wordsOf(const std::string& dimension) const;

  Document* m_document = nullptr;
  ShapeSweeper* m_sweeper = nullptr;
  QHBoxLayout* m_row;
  QLabel* m_title;
  QLabel* m_fixed;
  QToolButton* m_more;
  QPushButton* m_sweep;
  ElidedButton* m_configuration;
  QToolButton* m_draft;
  std::vector<Field> m_fields;
};

// Keeps the window's bar with the model in front, and does what is asked there.
class BindingLink : public QObject {
  Q_OBJECT
 public:
  BindingLink(MainWindow* window, BindingBar* bar);

 private:
  void follow(DocumentPage* page);
  void sweep(int runs);

  MainWindow* m_window;
  BindingBar* m_bar;
  QPointer<Document> m_document;  // that is followed
};

}  // namespace cutaway::ui
