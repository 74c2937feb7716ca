#pragma once
// Two columns of figures side by side, and what the difference means.
//
// Thread rule: GUI thread.
// Example: auto* figures = new FiguresView(themes, "partition/figures");  figures->present(figureRows(*comparison),
// marks);

#include <memory>
#include <vector>

#include <QTableView>

#include "ui/base/provider_marks.h"
#include "ui/panels/figure_row.h"

namespace cutaway::ui {

class ReportModel;
class ThemeStore;

class FiguresView : public QTableView {
  Q_OBJECT
 public:
  FiguresView(const ThemeStore* themes, const QString& name, QWidget* parent = nullptr);
  void present(std::vector<FigureRow> rows, const ProviderMarks& marks = {});
  const std::vector<FigureRow>& rows() const { return *m_rows; }

 private:
  ReportModel* m_model;
  std::shared_ptr<const std::vector<FigureRow>> m_rows;
  ProviderMarks m_marks;
};

}  // namespace cutaway::ui
