// Look-ups over an allocation, and the words and marks of its rules.
#include "ui/panels/allocate/allocation_view.h"

#include <algorithm>

#include <QObject>
#include <QStringList>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

int32_t rootOf(const ValueAllocation& value) {
  return value.rootValue >= 0 ? value.rootValue : value.value;
}

// Counting sort by root, then by the first step.
void listTenants(AllocationView& view, const GraphAllocation& plan) {
  const size_t count = plan.values.size();
  std::vector<int32_t> starts(count + 2, 0), values;
  const auto isTenant = [&](const ValueAllocation& value) {
    return value.kind != AllocKind::kNotSet && rootOf(value) >= 0 && static_cast<size_t>(rootOf(value)) < count;
  };
  for (const ValueAllocation& value : plan.values)
    if (isTenant(value)) ++starts[static_cast<size_t>(rootOf(value)) + 2];
  for (size_t i = 2; i < starts.size(); ++i)
    starts[i] += starts[i - 1];
  values.resize(static_cast<size_t>(starts.back()));
  for (size_t i = 0; i < count; ++i)
    if (isTenant(plan.values[i]))
      values[static_cast<size_t>(starts[static_cast<size_t>(rootOf(plan.values[i])) + 1]++)] = static_cast<int32_t>(i);
  starts.pop_back();
  const auto begin = [&](int32_t value) {
    return plan.values[static_cast<size_t>(value)].starts.empty()
               ? -1
               : plan.values[static_cast<size_t>(value)].starts.front();
  };
  for (size_t root = 0; root + 1 < starts.size(); ++root)
    if (starts[root + 1] - starts[root] > 1)
      std::stable_sort(values.begin() + starts[root], values.begin() + starts[root + 1],
                       [&](int32_t a, int32_t b) { return begin(a) < begin(b); });
  view.tenantStarts.push_back(std::move(starts));
  view.tenantValues.push_back(std::move(values));
}

}  // namespace

std::shared_ptr<const AllocationView> allocationView(std::shared_ptr<const WalkReport> walk) {
  if (!walk || !walk->allocate || !walk->partitionedGraphs || walk->allocate->graphs.empty()) return nullptr;
  auto view = std::make_shared<AllocationView>();
  view->walk = std::move(walk);
  const std::vector<GraphAllocation>& plans = view->report().graphs;
  for (size_t p = 0; p < plans.size(); ++p) {
    for (size_t v = 0; v < plans[p].values.size(); ++v) {
      const ValueAllocation& value = plans[p].values[v];
      if (value.kind == AllocKind::kNotSet) continue;
      view->rows.emplace_back(static_cast<int32_t>(p), static_cast<int32_t>(v));
      if (!value.device.empty() && std::ranges::find(view->devices, value.device.string()) == view->devices.end())
        view->devices.push_back(value.device);
      RuleSum& sum = view->sums[static_cast<size_t>(ruleOf(value))];
      ++sum.values;
      value.sizeBytes >= 0 ? void(sum.bytes += value.sizeBytes) : void(++sum.unknown);
    }
    listTenants(*view, plans[p]);
  }
  return view;
}

int AllocationView::planOf(int graph) const {
  for (size_t p = 0; p < report().graphs.size(); ++p)
    if (report().graphs[p].graph == graph) return static_cast<int>(p);
  return kNone;
}

const ValueAllocation* AllocationView::at(int plan, int value) const {
  if (plan < 0 || plan >= static_cast<int>(report().graphs.size())) return nullptr;
  const std::vector<ValueAllocation>& values = report().graphs[static_cast<size_t>(plan)].values;
  return value >= 0 && value < static_cast<int>(values.size()) &&
                 values[static_cast<size_t>(value)].kind != AllocKind::kNotSet
             ? &values[static_cast<size_t>(value)]
             : nullptr;
}

const ValueAllocation* AllocationView::find(const ValueTarget& target) const {
  if (target.graph < 0 || target.graph >= static_cast<int>(graphs().graphs.size())) return nullptr;
  const std::vector<ValueReport>& values = graphs().graphs[static_cast<size_t>(target.graph)].values;
  const std::string name = target.name.toStdString();
  const auto found =
      std::find_if(values.begin(), values.end(), [&](const ValueReport& value) { return value.name == name; });
  return found == values.end() ? nullptr : at(planOf(target.graph), static_cast<int>(found - values.begin()));
}

std::span<const int32_t> AllocationView::tenants(int plan, int root) const {
  if (plan < 0 || plan >= static_cast<int>(tenantStarts.size())) return {};
  const std::vector<int32_t>& starts = tenantStarts[static_cast<size_t>(plan)];
  if (root < 0 || root + 1 >= static_cast<int>(starts.size())) return {};
  const auto from = static_cast<size_t>(starts[static_cast<size_t>(root)]),
             to = static_cast<size_t>(starts[static_cast<size_t>(root) + 1]);
  return std::span<const int32_t>(tenantValues[static_cast<size_t>(plan)]).subspan(from, to - from);
}

AllocRule ruleOf(const ValueAllocation& value) {
  if (value.rule != AllocRule::kNone) return value.rule;
  switch (value.kind) {
    case AllocKind::kAllocate:
      return AllocRule::kNewBuffer;
    case AllocKind::kReuse:
      return value.inPlace ? AllocRule::kInPlace : AllocRule::kFreeBuffer;
    case AllocKind::kPreExisting:
      return AllocRule::kFeed;
    case AllocKind::kAllocateStatically:
      return AllocRule::kWeight;
    case AllocKind::kAllocateOutput:
      return AllocRule::kOutput;
    case AllocKind::kShare:
      return AllocRule::kShared;
    case AllocKind::kAllocatedExternally:
      return AllocRule::kExternal;
    case AllocKind::kNotSet:
      break;
  }
  return AllocRule::kNone;
}

RuleLook ruleLook(AllocRule rule) {
  switch (rule) {
    case AllocRule::kNewBuffer:
      return {0, QLatin1Char('N'), BlockShape::kPlain};
    case AllocRule::kFreeBuffer:
      return {1, QLatin1Char('F'), BlockShape::kPlain};
    case AllocRule::kLargerBuffer:
      return {1, QLatin1Char('L'), BlockShape::kHatched};
    case AllocRule::kInPlace:
      return {2, QLatin1Char('I'), BlockShape::kNotched};
    case AllocRule::kView:
      return {2, QLatin1Char('V'), BlockShape::kDashed};
    case AllocRule::kOutput:
      return {3, QLatin1Char('O'), BlockShape::kPlain};
    case AllocRule::kIntoOutput:
      return {3, QLatin1Char('T'), BlockShape::kDashed};
    case AllocRule::kPart:
      return {4, QLatin1Char('P'), BlockShape::kPlain};
    case AllocRule::kSplitPart:
      return {4, QLatin1Char('S'), BlockShape::kDashed};
    case AllocRule::kShared:
      return {5, QLatin1Char('H'), BlockShape::kPlain};
    case AllocRule::kExternal:
      return {6, QLatin1Char('E'), BlockShape::kPlain};
    case AllocRule::kFeed:
      return {-1, QLatin1Char('G'), BlockShape::kPlain};
    case AllocRule::kOuter:
      return {-1, QLatin1Char('U'), BlockShape::kPlain};
    case AllocRule::kWeight:
      return {-1, QLatin1Char('W'), BlockShape::kHatched};
    case AllocRule::kNone:
      break;
  }
  return {-1, QLatin1Char('-'), BlockShape::kPlain};
}

QString ruleText(AllocRule rule) {
  return rule == AllocRule::kNone ? QObject::tr("none") : text(allocRuleName(rule));
}

QString ruleMeaning(AllocRule rule) {
  switch (rule) {
    case AllocRule::kNone:
      return {};
    case AllocRule::kFeed:
      return QObject::tr("Provided by the caller.");
    case AllocRule::kOuter:
      return QObject::tr("It belongs to the graph around this one.");
    case AllocRule::kWeight:
      return QObject::tr("A constant, kept as long as the session.");
    case AllocRule::kExternal:
      return QObject::tr("The kernel allocates it.");
    case AllocRule::kOutput:
      return QObject::tr("A graph output: its memory goes to the caller, or comes from there.");
    case AllocRule::kShared:
      return QObject::tr("The same object as the loop's own input.");
    case AllocRule::kView:
      return QObject::tr("Another shape of the same bytes: no data moves.");
    case AllocRule::kInPlace:
      return QObject::tr("Written over an input that is not needed afterwards.");
    case AllocRule::kPart:
      return QObject::tr("Written into its place inside a later Concat's output: that Concat copies nothing.");
    case AllocRule::kSplitPart:
      return QObject::tr("A part of its input, in place: Split copies nothing.");
    case AllocRule::kIntoOutput:
      return QObject::tr("Written straight into the graph output that is a view of it.");
    case AllocRule::kFreeBuffer:
      return QObject::tr("Reuses a free buffer of the same size.");
    case AllocRule::kLargerBuffer:
      return QObject::tr("Reuses a larger free buffer.");
    case AllocRule::kNewBuffer:
      return QObject::tr("No free buffer fits: it gets its own.");
  }
  return {};
}

QString kindText(const ValueAllocation& value) {
  return text(allocKindName(value.kind));
}

QString lifeText(const ValueAllocation& value) {
  QStringList spans;
  for (size_t i = 0; i < value.starts.size() && i < value.ends.size(); ++i)
    spans << QStringLiteral("%1\u2013%2").arg(value.starts[i]).arg(value.ends[i]);
  return spans.isEmpty() ? QStringLiteral("\u2013") : spans.join(QStringLiteral(", "));
}

QString bytesText(const ValueAllocation& value) {
  return value.sizeBytes >= 0     ? sizeText(value.sizeBytes)
         : value.sizeText.empty() ? QStringLiteral("?")
                                  : text(value.sizeText);
}

}  // namespace cutaway::ui
