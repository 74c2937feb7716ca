// Rows of the allocation panel's tables.
#include "ui/panels/allocate/allocation_tables.h"

#include <algorithm>

#include "engine/report/ort_value_index.h"
#include "ui/base/format.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {

namespace {

// A value of a plan, with what the view knows of both.
struct PlacedValue {
  const AllocationView* view;
  int plan;
  int value;
  int32_t number;  // OrtValueIndex; kNone: none
  const GraphAllocation& allocation() const { return view->report().graphs[static_cast<size_t>(plan)]; }
  const ValueAllocation& operator*() const { return allocation().values[static_cast<size_t>(value)]; }
  QString nameOf(int32_t other) const {
    return other < 0 ? QStringLiteral("\u2013") : valueName(&view->graphs(), allocation().graph, other);
  }
  QString name() const { return nameOf((**this).value); }
  int tenants() const { return static_cast<int>(view->tenants(plan, (**this).rootValue).size()); }
};

}  // namespace

ReportRows valueRows(std::shared_ptr<const AllocationView> view, RuleMarkOf mark) {
  using Values = ColumnOf<PlacedValue>;
  std::vector<PlacedValue> rows;
  rows.reserve(view->rows.size());
  std::vector<int32_t> numbers;
  int numbered = kNone;
  for (const auto& [plan, value] : view->rows) {
    if (plan != numbered) {
      const auto graph = static_cast<size_t>(view->report().graphs[static_cast<size_t>(plan)].graph);
      numbers = ortValueIndexes(view->graphs().graphs[graph]);
      numbered = plan;
    }
    rows.push_back({view.get(), plan, value, numbers[static_cast<size_t>(value)]});
  }
  Values rule = {.title = QObject::tr("Rule"),
                 .text = [](const PlacedValue& at) { return ruleText(ruleOf(*at)); },
                 .toolTip = [](const PlacedValue& at) { return ruleMeaning(ruleOf(*at)); }};
  if (mark) rule.decoration = [mark](const PlacedValue& at) { return mark(ruleOf(*at)); };
  std::vector<Values> columns = {
      {.title = QObject::tr("Value"), .text = [](const PlacedValue& at) { return at.name(); }},
      {.title = QObject::tr("Index"),
       .kind = Values::kNumber,
       .help = QObject::tr("OrtValueIndex: the number under which onnxruntime keeps this value"),
       .text =
           [](const PlacedValue& at) { return at.number < 0 ? QStringLiteral("\u2013") : QString::number(at.number); },
       .key = &PlacedValue::number},
      {.title = QObject::tr("Kind"), .text = [](const PlacedValue& at) { return kindText(*at); }},
      rule,
      {.title = QObject::tr("Size"),
       .kind = Values::kNumber,
       .text =
           [](const PlacedValue& at) { return (*at).sizeBytes >= 0 ? sizeText((*at).sizeBytes) : QStringLiteral("?"); },
       .key = [](const PlacedValue& at) { return (*at).sizeBytes; }},
      {.title = QObject::tr("Formula"),
       .help = QObject::tr("Size over the open dimensions; equal formulas mean equal sizes"),
       .text = [](const PlacedValue& at) { return (*at).sizeText; }},
      {.title = QObject::tr("Buffer of"),
       .help = QObject::tr("The value that owns the memory"),
       .text =
           [](const PlacedValue& at) {
             return (*at).rootValue == (*at).value ? QStringLiteral("itself") : at.nameOf((*at).rootValue);
           }},
      {.title = QObject::tr("Shared by"),
       .kind = Values::kNumber,
       .help = QObject::tr("Values that live in this buffer, one after the other or over one another"),
       .text = [](const PlacedValue& at) { return QString::number(std::max(1, at.tenants())); },
       .key = &PlacedValue::tenants},
      {.title = QObject::tr("Live in steps"),
       .text = [](const PlacedValue& at) { return lifeText(*at); },
       .key = [](const PlacedValue& at) { return (*at).starts.empty() ? -1 : (*at).starts.front(); }},
      {.title = QObject::tr("Why"), .text = [](const PlacedValue& at) { return (*at).reason; }},
      {.title = QObject::tr("Closest candidate"),
       .text =
           [](const PlacedValue& at) { return (*at).closestValue < 0 ? QString() : at.nameOf((*at).closestValue); }},
      {.title = QObject::tr("Device"), .text = [](const PlacedValue& at) { return (*at).device; }}};
  return rowsOf<PlacedValue>(listOf(std::move(rows), view), std::move(columns),
                             [](const PlacedValue& at) { return RowTarget{{}, {at.allocation().graph, at.name()}}; });
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
  using Rules = ColumnOf<AllocRule>;
  const auto sum = [view](AllocRule rule) -> const RuleSum& { return view->sums[static_cast<size_t>(rule)]; };
  const std::vector<AllocRule> rules = rulesInUse(*view);
  int64_t largest = 1;
  for (const AllocRule rule : rules)
    largest = std::max(largest, sum(rule).bytes);
  Rules name = {.title = QObject::tr("Rule"), .text = [](const AllocRule& rule) { return ruleText(rule); }};
  if (mark) name.decoration = [mark](const AllocRule& rule) { return mark(rule); };
  return rowsOf<AllocRule>(
      rules,
      {name,
       Rules::figure(
           QObject::tr("Values"), [sum](const AllocRule& rule) { return sum(rule).values; }, countText),
       {.title = QObject::tr("Bytes"),
        .kind = Rules::kNumber,
        .help = QObject::tr("Sum of their sizes; a + stands for values of unknown size"),
        .text =
            [sum](const AllocRule& rule) {
              return sizeText(sum(rule).bytes) + (sum(rule).unknown > 0 ? QStringLiteral(" +") : QString());
            },
        .key = [sum](const AllocRule& rule) { return sum(rule).bytes; },
        .share =
            [sum, largest](const AllocRule& rule) {
              return static_cast<double>(sum(rule).bytes) / static_cast<double>(largest);
            }},
       {.title = QObject::tr("What it means"), .text = [](const AllocRule& rule) { return ruleMeaning(rule); }}});
}

}  // namespace cutaway::ui
