// Rows of the allocation panel's tables.
#include "ui/panels/allocate/allocation_tables.h"

#include <algorithm>

#include "ui/base/format.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {

ReportRows valueRows(std::shared_ptr<const AllocationView> view, RuleMarkOf mark) {
  enum { kValue, kRule, kSize, kFormula, kRoot, kChain, kLife, kWhy, kClosest, kKind, kDevice };
  const auto at = [view](int row) -> const ValueAllocation& {
    const auto [plan, value] = view->rows[static_cast<size_t>(row)];
    return view->report().graphs[static_cast<size_t>(plan)].values[static_cast<size_t>(value)];
  };
  const auto name = [view](int row, int32_t value) {
    const int plan = view->rows[static_cast<size_t>(row)].first;
    return value < 0 ? QStringLiteral("\u2013")
                     : valueName(&view->graphs(), view->report().graphs[static_cast<size_t>(plan)].graph, value);
  };
  const auto chain = [view, at](int row) {
    return static_cast<int>(view->tenants(view->rows[static_cast<size_t>(row)].first, at(row).rootValue).size());
  };
  return {
      .columns = {{QObject::tr("Value")},
                  {QObject::tr("Rule")},
                  {QObject::tr("Size"), Column::kNumber},
                  {QObject::tr("Formula"), Column::kText,
                   QObject::tr("Size over the open dimensions; equal formulas mean equal sizes")},
                  {QObject::tr("Buffer of"), Column::kText, QObject::tr("The value that owns the memory")},
                  {QObject::tr("Tenants"), Column::kNumber,
                   QObject::tr("Values that live in this buffer, one after the other or over one another")},
                  {QObject::tr("Lives in steps")},
                  {QObject::tr("Why")},
                  {QObject::tr("Closest candidate")},
                  {QObject::tr("Kind")},
                  {QObject::tr("Device")}},
      .rows = static_cast<int>(view->rows.size()),
      .cell = [at, name, chain](int row, int column) -> QString {
        const ValueAllocation& value = at(row);
        switch (column) {
          case kValue:
            return name(row, value.value);
          case kRule:
            return ruleText(ruleOf(value));
          case kSize:
            return value.sizeBytes >= 0 ? sizeText(value.sizeBytes) : QStringLiteral("?");
          case kFormula:
            return text(value.sizeText);
          case kRoot:
            return value.rootValue == value.value ? QStringLiteral("itself") : name(row, value.rootValue);
          case kChain:
            return QString::number(std::max(1, chain(row)));
          case kLife:
            return lifeText(value);
          case kWhy:
            return text(value.reason);
          case kClosest:
            return value.closestValue < 0 ? QString() : name(row, value.closestValue);
          case kKind:
            return kindText(value);
          default:
            return text(value.device);
        }
      },
      .sortKey =
          [at, chain](int row, int column) {
            const ValueAllocation& value = at(row);
            return column == kSize    ? QVariant(qlonglong(value.sizeBytes))
                   : column == kLife  ? QVariant(value.starts.empty() ? -1 : value.starts.front())
                   : column == kChain ? QVariant(chain(row))
                                      : QVariant();
          },
      .target =
          [view, at, name](int row) {
            const int plan = view->rows[static_cast<size_t>(row)].first;
            return RowTarget{{}, {view->report().graphs[static_cast<size_t>(plan)].graph, name(row, at(row).value)}};
          },
      .toolTip = [at](int row, int column) { return column == kRule ? ruleMeaning(ruleOf(at(row))) : QString(); },
      .decoration = [at, mark](int row,
                               int column) { return column == kRule && mark ? mark(ruleOf(at(row))) : QVariant(); }};
}

std::vector<AllocRule> rulesInUse(const AllocationView& view) {
  std::vector<AllocRule> rules;
  for (size_t rule = 0; rule < view.sums.size(); ++rule)
    if (view.sums[rule].values > 0) rules.push_back(static_cast<AllocRule>(rule));
  std::stable_sort(rules.begin(), rules.end(), [&](AllocRule a, AllocRule b) {
    return view.sums[static_cast<size_t>(a)].bytes > view.sums[static_cast<size_t>(b)].bytes;
  });
  return rules;
}

ReportRows ruleRows(std::shared_ptr<const AllocationView> view, RuleMarkOf mark) {
  enum { kRule, kValues, kBytes, kMeaning };
  const std::vector<AllocRule> rules = rulesInUse(*view);
  const auto sum = [view, rules](int row) -> const RuleSum& {
    return view->sums[static_cast<size_t>(rules[static_cast<size_t>(row)])];
  };
  int64_t largest = 1;
  for (const AllocRule rule : rules)
    largest = std::max(largest, view->sums[static_cast<size_t>(rule)].bytes);
  return {.columns = {{QObject::tr("Rule")},
                      {QObject::tr("Values"), Column::kNumber},
                      {QObject::tr("Bytes"), Column::kNumber,
                       QObject::tr("Sum of their sizes; a + stands for values of unknown size")},
                      {QObject::tr("What it means")}},
          .rows = static_cast<int>(rules.size()),
          .cell = [rules, sum](int row, int column) -> QString {
            switch (column) {
              case kRule:
                return ruleText(rules[static_cast<size_t>(row)]);
              case kValues:
                return countText(sum(row).values);
              case kBytes:
                return sizeText(sum(row).bytes) + (sum(row).unknown > 0 ? QStringLiteral(" +") : QString());
              default:
                return ruleMeaning(rules[static_cast<size_t>(row)]);
            }
          },
          .sortKey =
              [sum](int row, int column) {
                return column == kValues  ? QVariant(qlonglong(sum(row).values))
                       : column == kBytes ? QVariant(qlonglong(sum(row).bytes))
                                          : QVariant();
              },
          .decoration =
              [rules, mark](int row, int column) {
                return column == kRule && mark ? mark(rules[static_cast<size_t>(row)]) : QVariant();
              },
          .share =
              [sum, largest](int row, int column) {
                return column == kBytes ? QVariant(static_cast<double>(sum(row).bytes) / static_cast<double>(largest))
                                        : QVariant();
              }};
}

}  // namespace cutaway::ui
