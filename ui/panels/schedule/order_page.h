#pragma once
// The same model under every order, side by side: planned peak, lower bound, critical path, live bytes. Made on demand;
// a row becomes the session's order.
//
// Thread rule: GUI thread; the engine works on the document's worker.
// Example: auto* page = new OrderPage(context);

#include <QWidget>

#include "ui/panels/panel.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace cutaway::ui {

class ReportModel;

class OrderPage : public QWidget {
  Q_OBJECT
 public:
  explicit OrderPage(const PanelContext& context, QWidget* parent = nullptr);
  QTableView* view() { return m_view; }
  QPushButton* compareButton() { return m_compare; }
  QPushButton* useButton() { return m_use; }

 private:
  void refresh();
  void presentTable();
  void use(int row);
  QString chosen() const;  // order of the current row; empty: none

  PanelContext m_context;
  ReportModel* m_model;
  QTableView* m_view;
  QLabel* m_words;
  QLabel* m_error;
  QProgressBar* m_progress;
  QPushButton* m_compare;
  QPushButton* m_use;
  const void* m_shown = nullptr;
};

}  // namespace cutaway::ui
