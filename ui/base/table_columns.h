#pragma once
// The columns of a table as data: one value says all about a column, what stands in it and what rows are sorted by.
//
// Columns are written over the type of a row, and bound to the rows of a snapshot once. Models know rows by number.
// Thread rule: plain values; the functions keep the snapshot alive that they read.
// Example:
//   using Copies = ColumnOf<CopyReport>;
//   ReportRows rows = rowsOf<CopyReport>(partOf(report, report->copies),
//                                        {{.title = tr("Value"), .text = &CopyReport::value},
//                                         Copies::figure(tr("Size"), &CopyReport::sizeBytes, sizeText)});

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <QVariant>

#include "engine/base/shared_text.h"
#include "ui/base/format.h"
#include "ui/base/graph_target.h"

namespace cutaway::ui {

// What a cell shows: a text of the window, or one of a report.
class CellText {
 public:
  CellText() = default;
  CellText(QString words) : m_words(std::move(words)) {}                // NOLINT: columns give either
  CellText(const std::string& words) : m_words(text(words)) {}          // NOLINT
  CellText(std::string_view words) : m_words(text(words)) {}            // NOLINT
  CellText(const SharedText& words) : m_words(text(words.string())) {}  // NOLINT
  CellText(const char* words) : m_words(QString::fromUtf8(words)) {}    // NOLINT
  operator const QString&() const { return m_words; }                   // NOLINT

 private:
  QString m_words;
};

// What a cell is sorted by: a number, another text, or nothing, which means its text.
class CellKey {
 public:
  CellKey() = default;
  template <typename Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0>
  CellKey(Number number) : m_key(static_cast<qlonglong>(number)) {}  // NOLINT
  CellKey(double number) : m_key(number) {}                          // NOLINT
  CellKey(QString words) : m_key(std::move(words)) {}                // NOLINT
  operator const QVariant&() const { return m_key; }                 // NOLINT

 private:
  QVariant m_key;
};

// What models know of every column, tables and trees alike.
struct ColumnHead {
  enum Kind { kText, kNumber };
};

template <typename Row>
struct ColumnOf {
  using Kind = ColumnHead::Kind;
  static constexpr Kind kText = ColumnHead::kText, kNumber = ColumnHead::kNumber;  // numbers stand to the right

  QString title;
  Kind kind = kText;
  QString help;  // tool tip of the header
  std::function<CellText(const Row&)> text;
  std::function<CellKey(const Row&)> key;
  std::function<std::optional<double>(const Row&)> share;  // 0..1: length of a bar behind the cell
  std::function<QVariant(const Row&)> decoration;          // QIcon, QPixmap or QColor
  std::function<QString(const Row&)> toolTip;

  // A figure that is sorted by itself: `write` says it in words.
  static ColumnOf figure(QString title, std::function<int64_t(const Row&)> amount, QString (*write)(int64_t),
                         QString help = {}) {
    return {.title = std::move(title),
            .kind = kNumber,
            .help = std::move(help),
            .text = [amount, write](const Row& row) { return write(amount(row)); },
            .key = amount};
  }
};

// Of rows, or of a tree's items, by number.
using Column = ColumnOf<int>;

QString cellOf(const Column& column, int row);
QVariant sortKeyOf(const Column& column, int row);  // the cell's text when the column says nothing

// A table over a snapshot whose cells are computed when they are looked at: fifty thousand rows cost nothing to show.
struct ReportRows {
  std::vector<Column> columns;
  int rows = 0;
  std::function<RowTarget(int row)> target = {};

  QString cell(int row, int column) const { return cellOf(columns[static_cast<size_t>(column)], row); }
  QVariant sortKey(int row, int column) const { return sortKeyOf(columns[static_cast<size_t>(column)], row); }
};

template <typename Row>
using RowList = std::shared_ptr<const std::vector<Row>>;

// A list inside of a snapshot, as long as the snapshot lives.
template <typename Owner, typename Row>
RowList<Row> partOf(const std::shared_ptr<Owner>& owner, const std::vector<Row>& rows) {
  return {owner, &rows};
}

// Rows of a table's own that point into a snapshot, which they keep alive.
template <typename Row>
RowList<Row> listOf(std::vector<Row> rows, std::shared_ptr<const void> snapshot) {
  const auto held = std::make_shared<const std::pair<std::vector<Row>, std::shared_ptr<const void>>>(
      std::move(rows), std::move(snapshot));
  return {held, &held->first};
}

template <typename Row>
Column bound(ColumnOf<Row> column, const RowList<Row>& rows) {
  const auto by = [&rows](auto function) {
    using Answer = decltype(function(std::declval<const Row&>()));
    return function ? std::function<Answer(const int&)>(
                          [rows, function](int row) { return function((*rows)[static_cast<size_t>(row)]); })
                    : nullptr;
  };
  return {.title = std::move(column.title),
          .kind = column.kind,
          .help = std::move(column.help),
          .text = by(std::move(column.text)),
          .key = by(std::move(column.key)),
          .share = by(std::move(column.share)),
          .decoration = by(std::move(column.decoration)),
          .toolTip = by(std::move(column.toolTip))};
}

template <typename Row>
ReportRows rowsOf(RowList<Row> rows, std::vector<ColumnOf<Row>> columns,
                  std::function<RowTarget(const Row&)> target = {}) {
  ReportRows table;
  for (ColumnOf<Row>& column : columns)
    table.columns.push_back(bound(std::move(column), rows));
  table.rows = static_cast<int>(rows->size());
  if (target) table.target = [rows, target](int row) { return target((*rows)[static_cast<size_t>(row)]); };
  return table;
}

// Rows that need nothing but themselves.
template <typename Row>
ReportRows rowsOf(std::vector<Row> rows, std::vector<ColumnOf<Row>> columns,
                  std::function<RowTarget(const Row&)> target = {}) {
  return rowsOf<Row>(std::make_shared<const std::vector<Row>>(std::move(rows)), std::move(columns), std::move(target));
}

}  // namespace cutaway::ui
