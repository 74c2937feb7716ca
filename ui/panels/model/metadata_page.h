#pragma once
// The model's metadata: keys in a table, the whole value of the chosen one beside it; JSON is set out in lines.
//
// Thread rule: GUI thread. Example: page->present(walk.load);

#include <memory>

#include <QWidget>

#include "engine/report/stage_reports.h"
#include "ui/panels/panel.h"

class QPlainTextEdit;

namespace cutaway::ui {

class LinkedTable;
class ReportModel;

// JSON in lines; anything else as it is.
QString setOut(const QString& value);

class MetadataPage : public QWidget {
  Q_OBJECT
 public:
  explicit MetadataPage(const PanelContext& context, QWidget* parent = nullptr);
  void present(std::shared_ptr<const LoadReport> load);

 private:
  void showValue(int row);

  std::shared_ptr<const LoadReport> m_load;
  ReportModel* m_model;
  LinkedTable* m_table;
  QPlainTextEdit* m_value;
};

}  // namespace cutaway::ui
