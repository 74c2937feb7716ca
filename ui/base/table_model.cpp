#include "ui/base/table_model.h"

namespace cutaway::ui {

const std::vector<Column>& TableModel::cachedColumns() const {
  if (m_columns.empty()) m_columns = columns();
  return m_columns;
}

int TableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : rows();
}

int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(cachedColumns().size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const int row = index.row(), column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return cell(row, column);
    case Qt::ToolTipRole: {
      const QString tip = toolTip(row, column);
      return tip.isEmpty() ? QVariant() : QVariant(tip);
    }
    case Qt::DecorationRole:
      return decoration(row, column);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter |
                      (cachedColumns()[column].kind == Column::kNumber ? Qt::AlignRight : Qt::AlignLeft));
    case kSortRole:
      return sortKey(row, column);
    case kTargetRole:
      return QVariant::fromValue(rowTarget(row));
    case kShareRole:
      return share(row, column);
    default:
      return {};
  }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const Column& column = cachedColumns()[section];
  switch (role) {
    case Qt::DisplayRole:
      return column.title;
    case Qt::ToolTipRole:
      return column.help.isEmpty() ? QVariant() : QVariant(column.help);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (column.kind == Column::kNumber ? Qt::AlignRight : Qt::AlignLeft));
    default:
      return {};
  }
}

void TableModel::reset(const std::function<void()>& change) {
  beginResetModel();
  change();
  m_columns.clear();
  endResetModel();
}

QVariant TableModel::sortKey(int row, int column) const {
  return cell(row, column);
}
QString TableModel::toolTip(int, int) const {
  return {};
}
QVariant TableModel::decoration(int, int) const {
  return {};
}
QVariant TableModel::share(int, int) const {
  return {};
}
RowTarget TableModel::rowTarget(int) const {
  return {};
}

QString TableModel::toCsv() const {
  const auto quoted = [](QString field) {
    if (!field.contains(QLatin1Char(',')) && !field.contains(QLatin1Char('"')) && !field.contains(QLatin1Char('\n')))
      return field;
    return QLatin1Char('"') + field.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
  };
  QString csv;
  const int width = columnCount();
  for (int column = 0; column < width; ++column)
    csv += (column ? QStringLiteral(",") : QString()) + quoted(cachedColumns()[column].title);
  csv += QLatin1Char('\n');
  for (int row = 0; row < rows(); ++row) {
    for (int column = 0; column < width; ++column)
      csv += (column ? QStringLiteral(",") : QString()) + quoted(cell(row, column));
    csv += QLatin1Char('\n');
  }
  return csv;
}

}  // namespace cutaway::ui
