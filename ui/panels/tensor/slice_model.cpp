#include "ui/panels/tensor/slice_model.h"

#include <algorithm>
#include <cmath>

#include "ui/base/format.h"

namespace cutaway::ui {

void SliceModel::present(std::shared_ptr<const study::TensorContent> content, const TensorSlice& slice) {
  beginResetModel();
  m_content = std::move(content);
  m_slice = slice;
  m_firstRow = m_firstColumn = 0;
  endResetModel();
}

void SliceModel::moveWindow(int64_t firstRow, int64_t firstColumn) {
  beginResetModel();
  m_firstRow = m_content ? std::clamp<int64_t>(firstRow, 0, std::max<int64_t>(0, m_slice.rows() - 1)) : 0;
  m_firstColumn = m_content ? std::clamp<int64_t>(firstColumn, 0, std::max<int64_t>(0, m_slice.columns() - 1)) : 0;
  endResetModel();
}

int SliceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_content ? 0 : static_cast<int>(std::min(kMostRows, m_slice.rows() - m_firstRow));
}
int SliceModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_content ? 0
                                        : static_cast<int>(std::min(kMostColumns, m_slice.columns() - m_firstColumn));
}

QVariant SliceModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !m_content) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>(m_content->isNumeric() ? Qt::AlignRight | Qt::AlignVCenter
                                                   : Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::ForegroundRole) return {};
  const int64_t row = m_firstRow + index.row(), column = m_firstColumn + index.column();
  const int64_t at = m_slice.index(row, column);
  if (at < 0 || at >= m_content->count()) return {};
  if (role == Qt::ForegroundRole) {
    if (!m_theme || !m_content->isNumeric()) return {};
    const double number = m_content->number(at);
    if (!std::isfinite(number)) return m_theme->error;
    return number == 0 ? QVariant(m_theme->textFaint) : QVariant();
  }
  const QString words = text(m_content->text(at));
  return role == Qt::DisplayRole ? words : QStringLiteral("%1 = %2").arg(placeText(m_slice.place(row, column)), words);
}

QVariant SliceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || !m_content) return {};
  if (orientation == Qt::Vertical)
    return QString::number((m_firstRow + section) * (m_slice.wrapped() ? kWrapColumns : 1));
  return m_slice.wrapped() ? QStringLiteral("+%1").arg(section) : QString::number(m_firstColumn + section);
}

}  // namespace cutaway::ui
