#include "ui/panels/tensor/slice_page.h"

#include <algorithm>
#include <climits>

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {
constexpr int kRowHeight = 24, kColumnWidth = 108;
constexpr int kMostCopied = 200'000;  // cells
}  // namespace

SlicePage::SlicePage(const PanelContext& context, QWidget* parent)
    : TensorPage(parent),
      m_context(context),
      m_choosers(new QHBoxLayout),
      m_go(new QLineEdit),
      m_window(new QLabel),
      m_previous(new QToolButton),
      m_next(new QToolButton),
      m_view(new QTableView) {
  setWindowTitle(tr("Table"));
  m_go->setPlaceholderText(tr("Go to 0,2,17"));
  m_go->setAccessibleName(tr("Go to an element"));
  m_go->setToolTip(tr("An index for every axis, or one number that counts all elements"));
  m_go->setMaximumWidth(150);
  m_window->setProperty("role", "faint");
  m_previous->setAccessibleName(tr("Rows before"));
  m_next->setAccessibleName(tr("Rows after"));
  m_choosers->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
  m_choosers->setSpacing(kSpaceSmall);
  m_choosers->addStretch(1);
  for (QWidget* each : {static_cast<QWidget*>(m_window), static_cast<QWidget*>(m_previous),
                        static_cast<QWidget*>(m_next), static_cast<QWidget*>(m_go)})
    m_choosers->addWidget(each);
  m_view->setModel(&m_model);
  m_view->setAccessibleName(tr("Values"));
  m_view->setFont(monospaceFont());
  m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_view->setTabKeyNavigation(false);
  m_view->setWordWrap(false);
  m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  m_view->verticalHeader()->setDefaultSectionSize(kRowHeight);
  m_view->horizontalHeader()->setDefaultSectionSize(kColumnWidth);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(m_choosers);
  column->addWidget(m_view, 1);
  connect(m_go, &QLineEdit::returnPressed, this, [this] {
    const bool found = goTo(m_go->text());
    m_go->setProperty("bad", !found);
    m_go->setToolTip(
        found ? QString()
              : tr("There is no such element in %1").arg(m_content ? placeText(m_content->dims()) : QString()));
    if (found) m_view->setFocus();
  });
  connect(m_previous, &QToolButton::clicked, this, [this] { page(-1); });
  connect(m_next, &QToolButton::clicked, this, [this] { page(1); });
  const auto dress = [this] {
    m_model.setTheme(&m_context.themes->current());
    m_previous->setIcon(themedIcon(QStringLiteral("up"), m_context.themes->current()));
    m_next->setIcon(themedIcon(QStringLiteral("down"), m_context.themes->current()));
  };
  new ThemeFollower(this, context.themes, dress);
  dress();
}

void SlicePage::present(std::shared_ptr<const study::TensorContent> content) {
  if (content == m_content) return;
  const bool alike = content && m_content && content->dims() == m_content->dims();
  m_content = std::move(content);
  if (alike) return m_model.present(m_content, m_model.slice()), showWindow();  // the place stays, for comparing
  makeChoosers();
  if (m_content)
    showSlice(firstSlice(m_content->dims()));
  else
    m_model.present(nullptr, {});
}

// A chooser for rows, one for columns, and an index for every other axis.
void SlicePage::makeChoosers() {
  delete m_axes;
  m_axes = new QWidget;
  m_rows = m_columns = nullptr;
  m_fixed.clear();
  auto* row = new QHBoxLayout(m_axes);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpaceSmall);
  const int rank = m_content ? static_cast<int>(m_content->dims().size()) : 0;
  m_choosers->insertWidget(0, m_axes);
  if (rank < 2) return;
  const auto chooser = [&](const QString& title) {
    auto* label = new QLabel(title);
    label->setProperty("role", "secondary");
    auto* box = new QComboBox;
    box->setAccessibleName(title);
    for (int axis = 0; axis < rank; ++axis)
      box->addItem(tr("axis %1 (%2)").arg(axis).arg(countText(m_content->dims()[static_cast<size_t>(axis)])));
    row->addWidget(label);
    row->addWidget(box);
    connect(box, &QComboBox::currentIndexChanged, this, &SlicePage::axesChosen);
    return box;
  };
  m_rows = chooser(tr("Rows"));
  m_columns = chooser(tr("Columns"));
  for (int axis = 0; axis < rank && rank > 2; ++axis) {
    auto* spin = new QSpinBox;
    spin->setRange(0,
                   static_cast<int>(std::clamp<int64_t>(m_content->dims()[static_cast<size_t>(axis)] - 1, 0, INT_MAX)));
    spin->setPrefix(tr("axis %1: ").arg(axis));
    spin->setAccessibleName(tr("Index on axis %1").arg(axis));
    spin->setWrapping(true);
    row->addWidget(spin);
    m_fixed.push_back(spin);
    connect(spin, &QSpinBox::valueChanged, this, &SlicePage::axesChosen);
  }
}

void SlicePage::axesChosen() {
  if (m_choosing || !m_content) return;
  TensorSlice slice = m_model.slice();
  const int rows = m_rows->currentIndex(), columns = m_columns->currentIndex();
  if (rows == columns) {  // the other one takes what this one gave up
    if (rows != slice.rowAxis)
      slice.columnAxis = slice.rowAxis;
    else
      slice.rowAxis = slice.columnAxis;
    (rows != m_model.slice().rowAxis ? slice.rowAxis : slice.columnAxis) = rows;
  } else {
    slice.rowAxis = rows;
    slice.columnAxis = columns;
  }
  for (size_t axis = 0; axis < m_fixed.size(); ++axis)
    slice.fixed[axis] = m_fixed[axis]->value();
  showSlice(slice);
}

void SlicePage::showSlice(const TensorSlice& slice) {
  m_model.present(m_content, slice);
  m_choosing = true;
  if (m_rows) {
    m_rows->setCurrentIndex(slice.rowAxis);
    m_columns->setCurrentIndex(slice.columnAxis);
  }
  for (size_t axis = 0; axis < m_fixed.size(); ++axis) {
    m_fixed[axis]->setValue(static_cast<int>(slice.fixed[axis]));
    m_fixed[axis]->setVisible(static_cast<int>(axis) != slice.rowAxis && static_cast<int>(axis) != slice.columnAxis);
  }
  m_choosing = false;
  showWindow();
}

void SlicePage::showWindow() {
  const int64_t rows = m_model.slice().rows(), columns = m_model.slice().columns();
  const bool part = rows > SliceModel::kMostRows || columns > SliceModel::kMostColumns;
  m_previous->setVisible(part);
  m_next->setVisible(part);
  QString words =
      m_content->count() == 0 ? tr("no elements") : tr("%1 \u00d7 %2").arg(countText(rows), countText(columns));
  if (part)
    words = tr("rows %1 \u2013 %2 of %3")
                .arg(countText(m_model.firstRow()), countText(m_model.firstRow() + m_model.rowCount() - 1),
                     countText(rows));
  if (part && columns > SliceModel::kMostColumns)
    words += tr(", columns %1 \u2013 %2 of %3")
                 .arg(countText(m_model.firstColumn()), countText(m_model.firstColumn() + m_model.columnCount() - 1),
                      countText(columns));
  m_window->setText(words);
}

// Through the columns first, then the rows.
void SlicePage::page(int direction) {
  const int64_t columns = m_model.slice().columns();
  int64_t row = m_model.firstRow(), column = m_model.firstColumn() + direction * SliceModel::kMostColumns;
  if (column < 0 || column >= columns) {
    row += direction * SliceModel::kMostRows;
    if (row < 0 || row >= m_model.slice().rows()) return;
    column = direction > 0 ? 0 : (columns - 1) / SliceModel::kMostColumns * SliceModel::kMostColumns;
  }
  m_model.moveWindow(row, column);
  showWindow();
}

bool SlicePage::goTo(const QString& words) {
  if (!m_content) return false;
  const auto place = parsePlace(words, m_content->dims());
  if (!place) return false;
  TensorSlice slice = m_model.slice();
  const auto [row, column] = slice.show(*place);
  if (!(slice == m_model.slice())) showSlice(slice);
  m_model.moveWindow(row / SliceModel::kMostRows * SliceModel::kMostRows,
                     column / SliceModel::kMostColumns * SliceModel::kMostColumns);
  showWindow();
  const QModelIndex cell =
      m_model.index(static_cast<int>(row - m_model.firstRow()), static_cast<int>(column - m_model.firstColumn()));
  m_view->setCurrentIndex(cell);
  m_view->scrollTo(cell, QAbstractItemView::PositionAtCenter);
  return true;
}

QString SlicePage::copyText() const {
  QModelIndexList cells = m_view->selectionModel()->selectedIndexes();
  if (cells.size() < 2) {
    cells.clear();
    for (int row = 0; row < m_model.rowCount() && cells.size() < kMostCopied; ++row)
      for (int column = 0; column < m_model.columnCount(); ++column)
        cells << m_model.index(row, column);
  }
  std::sort(cells.begin(), cells.end(), [](const QModelIndex& a, const QModelIndex& b) {
    return a.row() != b.row() ? a.row() < b.row() : a.column() < b.column();
  });
  QString lines;
  for (qsizetype i = 0; i < cells.size() && i < kMostCopied; ++i) {
    if (i > 0) lines += cells[i].row() == cells[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
    lines += cells[i].data().toString();
  }
  return lines + QLatin1Char('\n');
}

}  // namespace cutaway::ui
