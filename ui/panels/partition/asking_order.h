#pragma once
// The providers in the order they were asked, with what each took: the top of the partition panel.
//
// Thread rule: GUI thread.
// Example: auto* order = new AskingOrder(themes, this);  order->present(view);

#include <memory>

#include <QTableView>

#include "ui/panels/partition/partition_view.h"

namespace cutaway::ui {

class ReportModel;
class ThemeStore;

class AskingOrder : public QTableView {
  Q_OBJECT
 public:
  explicit AskingOrder(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(std::shared_ptr<const PartitionView> view);

 signals:
  void providerChosen(int index);  // a row was clicked or entered

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();

  ReportModel* m_model;
  std::shared_ptr<const PartitionView> m_view;
  const ThemeStore* m_themes;
};

}  // namespace cutaway::ui
