#pragma once
// The list of style rules: switch on and off, colour, letter, name and query to edit in place, order, counts; added
// from what is searched for.
//
// Thread rule: GUI thread. Example: new RulesPage(context, parent);

#include <QWidget>

#include "ui/panels/panel.h"

class QLabel;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;
class QToolButton;

namespace cutaway::ui {

class ReadingController;

class RulesPage : public QWidget {
  Q_OBJECT
 public:
  explicit RulesPage(const PanelContext& context, QWidget* parent = nullptr);
  QTableWidget* table() { return m_table; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  enum ColumnIndex { kOn, kColour, kName, kQuery, kCount, kColumnCount };
  void arrange();
  void refresh();
  void refreshCounts();
  void addRule();
  void removeRule();
  void move(int by);
  void edited(QTableWidgetItem* item);
  void chooseColour(int row);

  PanelContext m_context;
  ReadingController* m_controller;
  QTableWidget* m_table;
  QLabel* m_empty;
  QPushButton* m_add;
  QToolButton* m_up;
  QToolButton* m_down;
  QToolButton* m_remove;
  bool m_filling = false;
};

}  // namespace cutaway::ui
