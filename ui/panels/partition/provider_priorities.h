#pragma once
// The providers in order of priority, with what each claimed: the top of the partition panel.
//
// Thread rule: GUI thread.
// Example: auto* order = new ProviderPriorities(themes, this);  order->present(view);

#include <memory>

#include <QTableView>

#include "ui/panels/partition/partition_view.h"

namespace cutaway::ui {

class ReportModel;
class ThemeStore;

class ProviderPriorities : public QTableView {
  Q_OBJECT
 public:
  explicit ProviderPriorities(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(std::shared_ptr<const PartitionView> view);

 signals:
  void providerChosen(int index);  // a row was clicked or entered

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fitRows();
  void shareWidth();

  ReportModel* m_model;
  std::shared_ptr<const PartitionView> m_view;
  const ThemeStore* m_themes;
};

}  // namespace cutaway::ui
