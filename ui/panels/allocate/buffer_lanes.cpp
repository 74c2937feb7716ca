// Lanes of one chain, and of a whole graph.
#include "ui/panels/allocate/buffer_lanes.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include <QObject>
#include <QStringList>

#include "ui/base/format.h"
#include "ui/document/window_words.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

constexpr double kGap = 0.04;
constexpr double kPartRows = 3;  // rows of a buffer with parts: one for its own name, the parts below
constexpr size_t kMostArrows = 400;

using View = std::shared_ptr<const AllocationView>;

int32_t rootOf(const ValueAllocation& value) {
  return value.rootValue >= 0 ? value.rootValue : value.value;
}
bool hasLife(const ValueAllocation& value) {
  return !value.starts.empty() && value.starts.size() == value.ends.size() &&
         value.kind != AllocKind::kAllocateStatically;
}
bool isPart(const ValueAllocation& value) {
  return value.partOffset >= 0 && (ruleOf(value) == AllocRule::kPart || ruleOf(value) == AllocRule::kSplitPart);
}

QString tipOf(const AllocationView& view, int plan, int value) {
  const ValueAllocation* found = view.at(plan, value);
  if (!found) return {};
  const int graph = view.report().graphs[static_cast<size_t>(plan)].graph;
  QStringList lines = {
      valueName(&view.graphs(), graph, value),
      QObject::tr("%1 \u00b7 %2 \u00b7 %3").arg(ruleText(ruleOf(*found)), kindText(*found), bytesText(*found)),
      QObject::tr("steps %1").arg(lifeText(*found))};
  if (!found->reason.empty()) lines << told(found->reason);
  return lines.join(QLatin1Char('\n'));
}

void addWords(LifeChartData& data, const View& view, int plan) {
  const int graph = view->report().graphs[static_cast<size_t>(plan)].graph;
  data.graph = graph;
  data.played = isMainOrder(*view->walk, graph);
  const GraphSchedule* schedule = scheduleOf(*view->walk, graph);
  data.width = static_cast<double>(std::max<size_t>(1, schedule ? schedule->steps.size() : 1));
  data.label = [view, plan, graph](int value) {
    const ValueAllocation* found = view->at(plan, value);
    return (found ? QString(ruleLook(ruleOf(*found)).letter) + QLatin1Char(' ') : QString()) +
           shortName(valueName(&view->graphs(), graph, value).toStdString());
  };
  data.toolTip = [view, plan](int value) { return tipOf(*view, plan, value); };
  data.target = [view, graph](int value) { return RowTarget{{}, {graph, valueName(&view->graphs(), graph, value)}}; };
  data.stepText = [view, graph, schedule](double at) {
    const auto step = static_cast<size_t>(std::max(0.0, at));
    QString words = QObject::tr("step %1").arg(step);
    if (schedule && step < schedule->steps.size())
      words += QStringLiteral(" \u00b7 ") + shortened(nodeName(&view->graphs(), graph, schedule->steps[step].node), 44);
    return words;
  };
}

void addLegend(LifeChartData& data, const std::set<AllocRule>& rules) {
  for (const AllocRule rule : rules) {
    const RuleLook look = ruleLook(rule);
    data.legend.push_back({QString(look.letter) + QLatin1Char(' ') + ruleText(rule), look.category, look.shape});
  }
}

// A block for every interval of a value; `handOver`: it takes over in the middle of its first step, as its input ends
// there.
void addValue(LifeChartData& data, const ValueAllocation& value, double from, double to, bool emphasised,
              double endsBy) {
  const RuleLook look = ruleLook(ruleOf(value));
  const bool handOver =
      value.reusedValue >= 0 && ruleOf(value) != AllocRule::kView && ruleOf(value) != AllocRule::kSplitPart;
  for (size_t i = 0; i < value.starts.size(); ++i) {
    LifeBlock block;
    block.begin = value.starts[i] + (i == 0 && handOver && value.inPlace ? 0.5 : 0.0);
    block.end = std::max(block.begin + 0.25,
                         std::min<double>(std::min(static_cast<double>(value.ends[i]) + 1, data.width), endsBy));
    block.from = from;
    block.to = to;
    block.item = value.value;
    block.category = static_cast<int16_t>(look.category);
    block.shape = look.shape;
    block.emphasised = emphasised;
    data.blocks.push_back(block);
  }
}

double firstStep(const ValueAllocation& value) {
  return value.starts.front();
}
double lastStep(const ValueAllocation& value) {
  return std::max<double>(value.starts.back(), value.ends.back());
}

// Of a buffer's values: when a tenant writes over one, that is where its bar ends.
using Ends = std::unordered_map<int32_t, double>;

Ends overwrittenAt(const AllocationView& view, int plan, std::span<const int32_t> tenants) {
  Ends ends;
  for (const int32_t other : tenants) {
    const ValueAllocation* tenant = view.at(plan, other);
    if (!tenant || !tenant->inPlace || ruleOf(*tenant) != AllocRule::kInPlace || !hasLife(*tenant)) continue;
    const double at = firstStep(*tenant) + 0.5;
    const auto [end, isNew] = ends.emplace(tenant->reusedValue, at);
    if (!isNew) end->second = std::min(end->second, at);
  }
  return ends;
}

double endOf(const Ends& ends, const ValueAllocation& value) {
  const auto end = ends.find(value.value);
  return end == ends.end() ? 1e18 : end->second;
}

// Rows of one buffer: tenants that live at the same time (views) stand below one another.
struct Buffer {
  std::vector<std::pair<const ValueAllocation*, int>> rows;  // tenant and its row; parts: -1
  int rowCount = 1;
  bool parts = false;
  int64_t bytes = 0;
  Ends ends;
};

Buffer stack(const AllocationView& view, int plan, std::span<const int32_t> tenants) {
  Buffer buffer;
  buffer.ends = overwrittenAt(view, plan, tenants);
  std::vector<double> busyUntil;
  for (const int32_t index : tenants) {
    const ValueAllocation* value = view.at(plan, index);
    if (!value || !hasLife(*value)) continue;
    buffer.bytes =
        std::max(buffer.bytes, std::max<int64_t>(0, value->partOffset) + std::max<int64_t>(0, value->sizeBytes));
    if (isPart(*value)) {
      buffer.parts = true;
      buffer.rows.emplace_back(value, -1);
      continue;
    }
    const double start = firstStep(*value) + (value->inPlace && ruleOf(*value) == AllocRule::kInPlace ? 0.5 : 0.0);
    size_t row = 0;
    while (row < busyUntil.size() && busyUntil[row] > start)
      ++row;
    if (row == busyUntil.size()) busyUntil.push_back(0);
    busyUntil[row] = std::min(lastStep(*value) + 1, endOf(buffer.ends, *value));
    buffer.rows.emplace_back(value, static_cast<int>(row));
  }
  buffer.rowCount = std::max<int>(1, static_cast<int>(busyUntil.size()));
  return buffer;
}

struct PlacedBuffer {
  int root;
  Buffer buffer;
  double height() const { return buffer.rowCount + (buffer.parts ? kPartRows - 1 : 0); }
};

void drawBuffer(LifeChartData& data, const PlacedBuffer& placed, double top, int chosen, std::set<AllocRule>& rules) {
  const double body = placed.buffer.parts ? kPartRows : 1;
  const auto place = [&](const ValueAllocation& value, int row) -> std::pair<double, double> {  // bottom, top
    if (row == 0) return {top - body + kGap, top - kGap};
    if (row > 0) return {top - body - row + kGap, top - body - row + 1 - kGap};
    const double scale = (body - 1 - kGap) / static_cast<double>(std::max<int64_t>(1, placed.buffer.bytes));
    const double upper = top - 1 - static_cast<double>(value.partOffset) * scale;
    return {upper - static_cast<double>(std::max<int64_t>(0, value.sizeBytes)) * scale, upper};
  };
  std::vector<std::pair<const ValueAllocation*, std::pair<double, double>>> drawn;
  for (const bool parts : {false, true})  // parts lie on their buffer
    for (const auto& [value, row] : placed.buffer.rows) {
      if ((row < 0) != parts) continue;
      const auto [from, to] = place(*value, row);
      const size_t first = data.blocks.size();
      addValue(data, *value, from, to, value->value == chosen, endOf(placed.buffer.ends, *value));
      if (row == 0 && placed.buffer.parts)
        for (size_t i = first; i < data.blocks.size(); ++i)
          data.blocks[i].namedAtTop = true;
      drawn.push_back({value, {from, to}});
      rules.insert(ruleOf(*value));
    }
  for (const auto& [value, range] : drawn) {
    if (value->reusedValue < 0 || data.arrows.size() >= kMostArrows) continue;
    const auto source = std::find_if(
        drawn.begin(), drawn.end(), [&, v = value](const auto& other) { return other.first->value == v->reusedValue; });
    if (source == drawn.end()) continue;
    const double begin = firstStep(*value) + (value->inPlace && ruleOf(*value) == AllocRule::kInPlace ? 0.5 : 0.0);
    const double end = std::min({lastStep(*source->first) + 1, begin, endOf(placed.buffer.ends, *source->first)});
    data.arrows.push_back(
        {end, begin, (source->second.first + source->second.second) / 2, (range.first + range.second) / 2});
  }
}

}  // namespace

LifeChartData chainLanes(const View& view, int plan, int value) {
  LifeChartData data;
  data.empty = QObject::tr("Select a value or a node to see the buffer it lives in.");
  const ValueAllocation* chosen = view ? view->at(plan, value) : nullptr;
  if (!chosen) return data;
  addWords(data, view, plan);
  data.empty = QObject::tr("It takes no room among the activations.");
  std::vector<PlacedBuffer> buffers;
  const auto add = [&](int root) { buffers.push_back({root, stack(*view, plan, view->tenants(plan, root))}); };
  add(rootOf(*chosen));
  if (const ValueAllocation* closest = view->at(plan, chosen->closestValue);
      closest && rootOf(*closest) != rootOf(*chosen))
    add(rootOf(*closest));
  data.high = 0;
  for (const PlacedBuffer& buffer : buffers)
    data.high += buffer.height();
  double top = data.high;
  std::set<AllocRule> rules;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const int graph = data.graph;
    drawBuffer(data, buffers[i], top, i == 0 ? value : chosen->closestValue, rules);
    data.laneNames.push_back(i == 0 ? shortName(valueName(&view->graphs(), graph, buffers[i].root).toStdString())
                                    : QObject::tr("closest"));
    for (double row = 1; row < buffers[i].height(); ++row)
      data.laneNames.emplace_back();
    top -= buffers[i].height();
  }
  addLegend(data, rules);
  data.itemOfValue.assign(view->report().graphs[static_cast<size_t>(plan)].values.size(), kNone);
  for (const LifeBlock& block : data.blocks)
    data.itemOfValue[static_cast<size_t>(block.item)] = block.item;
  data.summary = QObject::tr("%1 values in %2 buffers").arg(data.blocks.size()).arg(buffers.size());
  return data;
}

LifeChartData bufferLanes(const View& view, int plan, const std::string& device) {
  LifeChartData data;
  data.empty = device.empty() ? QObject::tr("No value of this graph has a buffer of its own.")
                              : QObject::tr("No value of this graph has a buffer on %1.").arg(text(device));
  if (!view || plan < 0 || plan >= static_cast<int>(view->report().graphs.size())) return data;
  addWords(data, view, plan);
  const std::vector<ValueAllocation>& values = view->report().graphs[static_cast<size_t>(plan)].values;
  std::vector<const ValueAllocation*> drawn;
  for (const ValueAllocation& value : values)
    if (value.kind != AllocKind::kNotSet && (device.empty() || value.device == device) && hasLife(value) &&
        rootOf(value) < static_cast<int32_t>(values.size()))
      drawn.push_back(&value);
  std::stable_sort(drawn.begin(), drawn.end(),
                   [](const ValueAllocation* a, const ValueAllocation* b) { return firstStep(*a) < firstStep(*b); });
  std::vector<int32_t> laneOfRoot(values.size(), kNone);
  int lanes = 0;
  for (const ValueAllocation* value : drawn)
    if (const auto root = static_cast<size_t>(rootOf(*value)); root < laneOfRoot.size() && laneOfRoot[root] < 0)
      laneOfRoot[root] = lanes++;
  data.high = std::max(1, lanes);
  data.itemOfValue.assign(values.size(), kNone);
  std::set<AllocRule> rules;
  for (const ValueAllocation* value : drawn) {
    const double top = lanes - laneOfRoot[static_cast<size_t>(rootOf(*value))];
    // What shares a buffer while its owner lives stands a little lower, so that both are seen.
    const double inset = value->kind == AllocKind::kReuse ? 0.16 : 0.0;
    addValue(data, *value, top - 1 + kGap, top - kGap - inset, false, 1e18);
    data.itemOfValue[static_cast<size_t>(value->value)] = value->value;
    rules.insert(ruleOf(*value));
  }
  addLegend(data, rules);
  data.summary = QObject::tr("%1 values in %2 buffers").arg(drawn.size()).arg(lanes);
  return data;
}

}  // namespace cutaway::ui
