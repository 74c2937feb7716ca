#include "ui/panels/report_model.h"

namespace cutaway::ui {
namespace {

constexpr qsizetype kLongText = 40;  // more than most columns have room for

}  // namespace

void ReportModel::present(ReportRows rows) {
  for (Column& column : rows.columns)
    column.toolTip = [text = column.text, tip = std::move(column.toolTip)](int row) {
      const QString words = tip ? tip(row) : QString();
      const QString cell = words.isEmpty() && text ? QString(text(row)) : QString();
      return cell.size() > kLongText ? cell : words;
    };
  reset([&] { m_rows = std::move(rows); });
}

}  // namespace cutaway::ui
