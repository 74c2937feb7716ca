#pragma once
// Two columns of figures side by side, and what the difference means.
//
// Thread rule: GUI thread.
// Example: auto* figures = new FiguresView(themes);  figures->present(result);

#include <QTableView>
#include <memory>
#include <vector>

#include "engine/runtime/what_if.h"
#include "ui/base/provider_marks.h"
#include "ui/panels/partition/comparison_model.h"

namespace cutaway::ui {

class ReportModel;
class ThemeStore;

class FiguresView : public QTableView {
  Q_OBJECT
 public:
  explicit FiguresView(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(const PartitionComparison* comparison, const ProviderMarks& marks);
  const std::vector<FigureRow>& rows() const { return *m_rows; }

 private:
  ReportModel* m_model;
  std::shared_ptr<const std::vector<FigureRow>> m_rows;
  ProviderMarks m_marks;
};

}  // namespace cutaway::ui
