#pragma once
// Devices of a run: memory of each, copies with their bandwidth, captured segments that are replayed as one, and the
// nodes that prevent longer ones.
//
// Thread rule: GUI thread.
// Example: addTab(m_devices, tr("Devices"));  m_devices->present(view);

#include <memory>

#include <QWidget>

#include "ui/panels/panel.h"
#include "ui/panels/run/run_view.h"

class QStackedWidget;
class QTabWidget;

namespace cutaway::ui {

class EmptyState;
class LinkedTable;
class ReportModel;

class DevicesPage : public QWidget {
  Q_OBJECT
 public:
  enum Table { kMemory, kCopies, kSegments, kBreaks, kTables };

  explicit DevicesPage(const PanelContext& context, QWidget* parent = nullptr);
  void present(std::shared_ptr<const RunView> view);  // null: not run

  LinkedTable* table(Table which) { return m_tables[which]; }
  QTabWidget* tabs() { return m_tabs; }
  EmptyState* empty() { return m_empty; }
  bool isEmpty() const;

 private:
  PanelContext m_context;
  std::shared_ptr<const RunView> m_view;
  QStackedWidget* m_pages;
  EmptyState* m_empty;
  QTabWidget* m_tabs;
  ReportModel* m_models[kTables] = {};
  LinkedTable* m_tables[kTables] = {};
};

}  // namespace cutaway::ui
