// Rows of both tables.
#include "ui/panels/plans/plan_tables.h"

#include <algorithm>

#include "ui/base/format.h"
#include "ui/base/partial_amount.h"

namespace cutaway::ui {
namespace {

const QString kDash = QStringLiteral("\u2013");

QString bytesOrDash(int64_t bytes) {
  return bytes < 0 ? kDash : sizeText(bytes);
}
QString stepsText(int32_t first, int32_t last) {
  return first < 0 ? kDash : QStringLiteral("%1\u2013%2").arg(first).arg(last);
}
QString both(const QString& before, const QString& after) {
  return before == after ? before : QStringLiteral("%1 \u2192 %2").arg(before, after);
}
QString ruleOrKind(AllocRule rule, AllocKind kind) {
  return rule == AllocRule::kNone ? text(allocKindName(kind)) : text(allocRuleName(rule));
}

}  // namespace

QString differenceWords(const ValueDifference& d) {
  QStringList words;
  if (d.kindA != d.kindB) words << QObject::tr("kind");
  if (d.ruleA != d.ruleB) words << QObject::tr("rule");
  if (d.bufferA != d.bufferB) words << QObject::tr("buffer");
  if (d.sizeA != d.sizeB) words << QObject::tr("size");
  if (d.firstA != d.firstB || d.lastA != d.lastB) words << QObject::tr("life");
  return words.join(QStringLiteral(", "));
}

ReportRows differenceRows(std::shared_ptr<const PlanComparison> comparison) {
  using Differences = ColumnOf<ValueDifference>;
  const auto offset = [](int64_t bytes) { return bytes < 0 ? kDash : countText(bytes); };
  const QString bothSides = QObject::tr("Now \u2192 what if");
  std::vector<Differences> columns = {
      {.title = QObject::tr("Value"), .text = &ValueDifference::name},
      {.title = QObject::tr("Differs in"), .text = differenceWords},
      {.title = QObject::tr("Rule"),
       .help = bothSides,
       .text =
           [](const ValueDifference& d) { return both(ruleOrKind(d.ruleA, d.kindA), ruleOrKind(d.ruleB, d.kindB)); }},
      {.title = QObject::tr("Buffer of"),
       .help = bothSides,
       .text = [](const ValueDifference& d) { return both(shortName(d.bufferA), shortName(d.bufferB)); }},
      {.title = QObject::tr("Size"),
       .kind = Differences::kNumber,
       .help = bothSides,
       .text = [](const ValueDifference& d) { return both(bytesOrDash(d.sizeA), bytesOrDash(d.sizeB)); },
       .key = [](const ValueDifference& d) { return std::max(d.sizeA, d.sizeB); }},
      {.title = QObject::tr("Live in steps"),
       .help = bothSides,
       .text =
           [](const ValueDifference& d) { return both(stepsText(d.firstA, d.lastA), stepsText(d.firstB, d.lastB)); },
       .key = &ValueDifference::firstA},
      {.title = QObject::tr("Why, what if"), .text = &ValueDifference::reasonB},
      {.title = QObject::tr("Why, now"), .text = &ValueDifference::reasonA},
      {.title = QObject::tr("Kind"),
       .help = bothSides,
       .text =
           [](const ValueDifference& d) { return both(text(allocKindName(d.kindA)), text(allocKindName(d.kindB))); }},
      {.title = QObject::tr("Offset"),
       .kind = Differences::kNumber,
       .help = bothSides,
       .text = [offset](const ValueDifference& d) { return both(offset(d.offsetA), offset(d.offsetB)); },
       .key = &ValueDifference::offsetA}};
  return rowsOf<ValueDifference>(
      partOf(comparison, comparison->values), std::move(columns),
      [](const ValueDifference& difference) { return RowTarget{{}, {0, text(difference.name)}}; });
}

namespace {

// A plan of the sweep with the size that it was made for.
struct SweptPlan {
  int place;
  const std::string* size;
  const PlanFigures* figures;
  int64_t peak() const { return figures->peakBytes; }
  int64_t bound() const { return figures->lowerBoundBytes; }
  int64_t above() const { return peak() - bound(); }
  int64_t unshared() const { return figures->naiveBytes; }
  int64_t outputs() const { return figures->outputBytes; }
  int64_t unplanned() const { return figures->unplannedValues; }
};

}  // namespace

ReportRows sweepRows(std::shared_ptr<const PlanTable> table) {
  using Sweep = ColumnOf<SweptPlan>;
  int64_t largest = 1;
  for (const PlanFigures& row : table->rows)
    largest = std::max(largest, row.peakBytes);
  std::vector<SweptPlan> plans;
  for (size_t i = 0; i < std::min(table->rows.size(), table->values.size()); ++i)
    plans.push_back({static_cast<int>(i), &table->values[i], &table->rows[i]});
  const auto sum = [](const QString& title, int64_t (SweptPlan::*bytes)() const) {
    Sweep column = Sweep::figure(title, bytes, bytesOrDash);
    column.text = [bytes](const SweptPlan& plan) {
      return partialAmount(bytesOrDash((plan.*bytes)()), plan.unplanned() > 0, (plan.*bytes)() == 0);
    };
    return column;
  };
  Sweep peak = sum(QObject::tr("Peak"), &SweptPlan::peak);
  peak.share = [largest](const SweptPlan& plan) -> std::optional<double> {
    if (plan.peak() < 0) return std::nullopt;
    return static_cast<double>(plan.peak()) / static_cast<double>(largest);
  };
  std::vector<Sweep> columns = {
      {.title = text(table->parameter),
       .kind = Sweep::kNumber,
       .text = [](const SweptPlan& plan) { return *plan.size; },
       .key = &SweptPlan::place},
      peak,
      sum(QObject::tr("Bound"), &SweptPlan::bound),
      {.title = QObject::tr("Above it"),
       .kind = Sweep::kNumber,
       .text =
           [](const SweptPlan& plan) {
             return plan.bound() > 0 && plan.unplanned() == 0
                        ? percentText(static_cast<double>(plan.above()) / static_cast<double>(plan.bound()))
                        : kDash;
           },
       .key = &SweptPlan::above},
      sum(QObject::tr("Without sharing"), &SweptPlan::unshared),
      Sweep::figure(QObject::tr("Outputs"), &SweptPlan::outputs, bytesOrDash),
      Sweep::figure(QObject::tr("Size unknown"), &SweptPlan::unplanned, countText,
                    QObject::tr("Values whose size no dimension decides")),
      {.title = QString(), .text = [](const SweptPlan& plan) { return plan.figures->problem; }}};
  return rowsOf<SweptPlan>(listOf(std::move(plans), table), std::move(columns));
}

}  // namespace cutaway::ui
