#pragma once
// Edits how the draft plans: order, rules, what may be reused, executor and workers, values of open dimensions.
//
// Thread rule: GUI thread.
// Example: auto* editor = new PlanDraftEditor(context);  // follows document->draft()

#include <map>

#include <QWidget>

#include "ui/document/what_if_draft.h"
#include "ui/panels/panel.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QSpinBox;

namespace cutaway::ui {

class PlanDraftEditor : public QWidget {
  Q_OBJECT
 public:
  explicit PlanDraftEditor(const PanelContext& context, QWidget* parent = nullptr);
  QComboBox* order() { return m_order; }
  QComboBox* rules() { return m_rules; }
  QComboBox* executor() { return m_executor; }
  QCheckBox* reuse() { return m_reuse; }
  QCheckBox* inPlace() { return m_inPlace; }
  QCheckBox* pattern() { return m_pattern; }

 private:
  void present();
  void presentDims();
  void takeOver();
  QComboBox* choice(const char* name, const QString& words, const std::vector<std::pair<QString, QString>>& entries);
  QCheckBox* box(const QString& words, const QString& tip);

  PanelContext m_context;
  QGridLayout* m_grid;
  QComboBox *m_order, *m_rules, *m_executor;
  QSpinBox* m_workers;
  QCheckBox *m_reuse, *m_inPlace, *m_pattern;
  QLabel* m_noDims;
  QGridLayout* m_dimGrid;
  std::map<std::string, QSpinBox*> m_dims;
  bool m_presenting = false;
};

}  // namespace cutaway::ui
