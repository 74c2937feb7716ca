#pragma once
// What can be changed about the selected node or value.
//
// Thread rule: GUI thread. Example: tabs->addTab(new SelectionForm(context), tr("Selected"));

#include <QScrollArea>

#include "ui/panels/panel.h"

class QVBoxLayout;

namespace cutaway::ui {

class SelectionForm : public QScrollArea {
  Q_OBJECT
 public:
  explicit SelectionForm(const PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void fillNode(QVBoxLayout* column, const GraphReport& graph, int graphIndex, int node);
  void fillAttributes(QVBoxLayout* column, const NodeReport& node);
  void fillValue(QVBoxLayout* column, const ValueReport& value, int graph);
  void fillOutputs(QVBoxLayout* column, const GraphReport& graph, int graphIndex, const NodeReport& node);

  PanelContext m_context;
};

}  // namespace cutaway::ui
