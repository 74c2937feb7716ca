#include "ui/base/table_model.h"

namespace cutaway::ui {
namespace {

QVariant alignment(const Column& column) {
  return QVariant(Qt::AlignVCenter | (column.kind == Column::kNumber ? Qt::AlignRight : Qt::AlignLeft));
}
QVariant orNothing(const QString& words) {
  return words.isEmpty() ? QVariant() : QVariant(words);
}

}  // namespace

QString cellOf(const Column& column, int row) {
  return column.text ? QString(column.text(row)) : QString();
}

QVariant sortKeyOf(const Column& column, int row) {
  const QVariant key = column.key ? QVariant(column.key(row)) : QVariant();
  return key.isValid() ? key : QVariant(cellOf(column, row));
}

QVariant cellData(const Column& column, int row, int role, const std::function<RowTarget(int)>& target) {
  switch (role) {
    case Qt::DisplayRole:
      return cellOf(column, row);
    case Qt::ToolTipRole:
      return column.toolTip ? orNothing(column.toolTip(row)) : QVariant();
    case Qt::DecorationRole:
      return column.decoration ? column.decoration(row) : QVariant();
    case Qt::TextAlignmentRole:
      return alignment(column);
    case kSortRole:
      return sortKeyOf(column, row);
    case kTargetRole:
      return QVariant::fromValue(target(row));
    case kShareRole: {
      const std::optional<double> share = column.share ? column.share(row) : std::nullopt;
      return share ? QVariant(*share) : QVariant();
    }
    default:
      return {};
  }
}

QVariant headData(const Column& column, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return column.title;
    case Qt::ToolTipRole:
      return orNothing(column.help);
    case Qt::TextAlignmentRole:
      return alignment(column);
    default:
      return {};
  }
}

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
  return cellData(cachedColumns()[static_cast<size_t>(index.column())], index.row(), role,
                  [this](int row) { return rowTarget(row); });
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  return headData(cachedColumns()[static_cast<size_t>(section)], role);
}

void TableModel::reset(const std::function<void()>& change) {
  beginResetModel();
  change();
  m_columns.clear();
  endResetModel();
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
    csv += (column ? QStringLiteral(",") : QString()) + quoted(cachedColumns()[static_cast<size_t>(column)].title);
  csv += QLatin1Char('\n');
  for (int row = 0; row < rows(); ++row) {
    for (int column = 0; column < width; ++column)
      csv += (column ? QStringLiteral(",") : QString()) +
             quoted(cellOf(cachedColumns()[static_cast<size_t>(column)], row));
    csv += QLatin1Char('\n');
  }
  return csv;
}

}  // namespace cutaway::ui
