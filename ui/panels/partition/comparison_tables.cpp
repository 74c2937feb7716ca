// Rows of moved nodes and changed copies.
#include "ui/panels/partition/comparison_tables.h"

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

QString taker(const std::string& provider) {
  return provider.empty() ? QObject::tr("nobody") : text(provider);
}

}  // namespace

ReportRows movedRows(std::shared_ptr<const PartitionComparison> comparison, MarkOf mark) {
  return {.columns = {{QObject::tr("Node")},
                      {QObject::tr("Operator")},
                      {QObject::tr("Now")},
                      {QObject::tr("What if")},
                      {QObject::tr("Work"), Column::kNumber},
                      {QObject::tr("Why")}},
          .rows = static_cast<int>(comparison->moved.size()),
          .cell =
              [comparison](int row, int column) {
                const MovedNode& moved = comparison->moved[static_cast<size_t>(row)];
                switch (column) {
                  case 0:
                    return text(moved.name);
                  case 1:
                    return text(moved.opType);
                  case 2:
                    return taker(moved.from);
                  case 3:
                    return taker(moved.to);
                  case 4:
                    return workText(moved.flops);
                  default:
                    return text(moved.reason);
                }
              },
          .sortKey =
              [comparison](int row, int column) {
                return column == 4 ? QVariant(qlonglong(comparison->moved[static_cast<size_t>(row)].flops))
                                   : QVariant();
              },
          .target =
              [comparison](int row) {
                return RowTarget{{GraphVersion::kOptimized, comparison->moved[static_cast<size_t>(row)].graph,
                                  comparison->moved[static_cast<size_t>(row)].node},
                                 {}};
              },
          .decoration =
              [comparison, mark](int row, int column) {
                const MovedNode& moved = comparison->moved[static_cast<size_t>(row)];
                return column == 2 ? mark(moved.from) : column == 3 ? mark(moved.to) : QVariant();
              }};
}

// Those that go first: they are what a change is made for.
ReportRows changedCopyRows(std::shared_ptr<const PartitionComparison> comparison) {
  const size_t gone = comparison->copiesOnlyInA.size();
  const auto copyOf = [comparison, gone](int row) -> const CopyReport& {
    const auto index = static_cast<size_t>(row);
    return index < gone ? comparison->copiesOnlyInA[index] : comparison->copiesOnlyInB[index - gone];
  };
  return {
      .columns = {{QObject::tr("Change")},
                  {QObject::tr("Value")},
                  {QObject::tr("Size"), Column::kNumber},
                  {QObject::tr("From \u2192 to")},
                  {QObject::tr("Kind")},
                  {QObject::tr("Forced by")},
                  {QObject::tr("Removed by")}},
      .rows = static_cast<int>(gone + comparison->copiesOnlyInB.size()),
      .cell =
          [copyOf, gone](int row, int column) {
            const CopyReport& copy = copyOf(row);
            switch (column) {
              case 0:
                return static_cast<size_t>(row) < gone ? QObject::tr("\u2212 goes") : QObject::tr("+ comes");
              case 1:
                return text(copy.value);
              case 2:
                return copy.sizeBytes < 0 ? QStringLiteral("\u2013") : sizeText(copy.sizeBytes);
              case 3:
                return text(copy.from) + QStringLiteral(" \u2192 ") + text(copy.to);
              case 4:
                return text(copy.kind);
              case 5:
                return text(copy.cause);
              default:
                return text(copy.remedy);
            }
          },
      .sortKey = [copyOf](int row,
                          int column) { return column == 2 ? QVariant(qlonglong(copyOf(row).sizeBytes)) : QVariant(); },
      .target = [copyOf](int row) { return RowTarget{{}, {copyOf(row).graph, text(copyOf(row).value)}}; }};
}

}  // namespace cutaway::ui
