#pragma once
// A window of a tensor's slice as a table: cells are read when they are looked at, so 100 million elements cost
// nothing.
//
// Thread rule: GUI thread. Example: model.present(content, firstSlice(content->dims()));  model.moveWindow(100'000, 0);

#include <memory>

#include <QAbstractTableModel>

#include "engine/study/tensor/tensor_content.h"
#include "ui/base/theme.h"
#include "ui/panels/tensor/tensor_slice.h"

namespace cutaway::ui {

class SliceModel : public QAbstractTableModel {
 public:
  static constexpr int64_t kMostRows = 10'000,
                           kMostColumns = 1'000;  // of a window: headers keep a number for every row
  using QAbstractTableModel::QAbstractTableModel;

  void present(std::shared_ptr<const study::TensorContent> content, const TensorSlice& slice);
  void moveWindow(int64_t firstRow, int64_t firstColumn);
  void setTheme(const Theme* theme) { m_theme = theme; }

  const TensorSlice& slice() const { return m_slice; }
  int64_t firstRow() const { return m_firstRow; }
  int64_t firstColumn() const { return m_firstColumn; }
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  std::shared_ptr<const study::TensorContent> m_content;
  TensorSlice m_slice;
  int64_t m_firstRow = 0, m_firstColumn = 0;
  const Theme* m_theme = nullptr;
};

}  // namespace cutaway::ui
