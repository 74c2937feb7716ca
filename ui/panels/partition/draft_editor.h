#pragma once
// Edits the what-if draft: providers in order of priority (drag, buttons or keys), their options, pins, the smallest
// group.
//
// Alt+Up and Alt+Down move a provider, Space switches it, F2 edits its options, Delete takes out a provider or pin.
// Thread rule: GUI thread.
// Example: auto* editor = new DraftEditor(context);  // follows document->draft()

#include <QTreeWidget>
#include <QWidget>

#include "ui/panels/panel.h"

class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace cutaway::ui {

// A flat list whose rows can be dragged to another place.
class OrderList : public QTreeWidget {
  Q_OBJECT
 public:
  using QTreeWidget::QTreeWidget;

 signals:
  void dropped();

 protected:
  void dropEvent(QDropEvent* event) override;
};

class DraftEditor : public QWidget {
  Q_OBJECT
 public:
  explicit DraftEditor(const PanelContext& context, QWidget* parent = nullptr);
  OrderList* providers() { return m_providers; }
  QTreeWidget* pins() { return m_pins; }
  QSpinBox* minimumGroup() { return m_minimum; }
  QToolButton* addButton() { return m_add; }

 private:
  QWidget* makeProviders();
  QWidget* makePins();
  QToolButton* makeButton(const char* icon, const QString& tip);
  void present();
  void takeOver();  // what the lists show becomes the draft
  void move(int by);
  void fillAddMenu(QMenu* menu);
  void applyTheme();

  PanelContext m_context;
  OrderList* m_providers;
  QTreeWidget* m_pins;
  QSpinBox* m_minimum;
  QToolButton* m_add = nullptr;
  QLabel* m_noPins = nullptr;
  std::vector<std::pair<QToolButton*, QString>> m_icons;
  bool m_presenting = false;
};

}  // namespace cutaway::ui
