// Plans, answers, profile, tables and colours for the page's script.
#include "ui/report/report_data.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/report/truth.h"
#include "ui/base/operator_family.h"
#include "ui/base/provider_marks.h"
#include "ui/base/stage_words.h"
#include "ui/base/theme.h"
#include "ui/report/graph_data.h"

namespace cutaway::ui {

namespace {

using nlohmann::json;

// A browser stays smooth up to here; what is left out is told on the page.
constexpr size_t kMostSpans = 60'000;

json stagesData(const WalkReport& walk) {
  json list = json::array();
  for (int i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    list.push_back({{"id", stageId(stage)},
                    {"title", plainStageWords(stage)},
                    {"headline", stageHeadline(walk, stage)},
                    {"truth", truthText(stageTruth(walk, stage))}});
  }
  return list;
}

json partitionData(const PartitionReport& partition, const ProviderMarks& marks, StringPool& pool) {
  json providers = json::array(), nodes = json::array(), groups = json::array();
  for (size_t i = 0; i < marks.names.size(); ++i)
    providers.push_back({marks.names[i].toStdString(), QString(marks.letters[i]).toStdString()});
  for (const NodePlacement& placed : partition.nodes) {
    json answers = json::array();
    for (const ProviderAnswer& answer : placed.answers) {
      const bool isPlain = answer.verdict == Verdict::kClaimed || answer.verdict == Verdict::kAlreadyTaken;
      answers.push_back({pool.index(answer.provider), pool.index(verdictName(answer.verdict)),
                         isPlain ? -1 : pool.index(refusalCauseName(answer.cause)), pool.index(answer.reason),
                         pool.index(answer.seen), pool.index(answer.remedy)});
    }
    nodes.push_back({placed.graph, placed.node, placed.group, std::move(answers)});
  }
  for (const GroupReport& group : partition.groups)
    groups.push_back({pool.index(group.name), pool.index(group.provider), group.compiled});
  return {{"providers", std::move(providers)}, {"nodes", std::move(nodes)}, {"groups", std::move(groups)}};
}

json scheduleData(const ScheduleReport& schedule) {
  json graphs = json::array();
  for (const GraphSchedule& graph : schedule.graphs) {
    std::vector<int32_t> order;
    for (const ScheduleStep& step : graph.steps)
      order.push_back(step.node);
    graphs.push_back({{"graph", graph.graph},
                      {"order", std::move(order)},
                      {"critical", graph.criticalPath},
                      {"live", graph.liveBytes}});
  }
  return graphs;
}

json allocateData(const AllocateReport& allocate, StringPool& pool) {
  json graphs = json::array();
  for (const GraphAllocation& graph : allocate.graphs) {
    json values = json::array();
    for (const ValueAllocation& value : graph.values)
      values.push_back({pool.index(allocKindName(value.kind)), value.rootValue, pool.index(value.reason)});
    graphs.push_back({{"graph", graph.graph}, {"values", std::move(values)}});
  }
  return graphs;
}

json patternData(const PatternReport& pattern, StringPool& pool) {
  json graphs = json::array();
  for (const GraphPattern& graph : pattern.graphs) {
    json blocks = json::array();
    for (const PatternBlock& block : graph.blocks)
      blocks.push_back({block.value, block.node, block.offset, block.sizeBytes, block.firstStep, block.lastStep});
    graphs.push_back({{"graph", graph.graph},
                      {"device", pool.index(graph.device)},
                      {"blocks", std::move(blocks)},
                      {"peak", graph.peakBytes},
                      {"bound", graph.lowerBoundBytes},
                      {"naive", graph.naiveBytes},
                      {"peakStep", graph.peakStep},
                      {"live", graph.liveBytes}});
  }
  return graphs;
}

json runData(const RunReport& run, StringPool& pool) {
  json nodes = json::array(), spans = json::array(), memory = json::array();
  for (const NodeTiming& timing : run.nodes)
    nodes.push_back({timing.graph, timing.node, timing.totalNs, timing.calls, pool.index(timing.variant),
                     pool.index(timing.provider)});
  for (size_t i = 0; i < std::min(kMostSpans, run.spans.size()); ++i) {
    const TraceSpan& span = run.spans[i];
    spans.push_back({span.name.empty() ? -1 : pool.index(span.name), span.graph, span.node, span.thread, span.depth,
                     span.startNs, span.durationNs});
  }
  for (const MemorySample& sample : run.memory)
    memory.push_back({sample.timeNs, sample.step, sample.plannedBytes, sample.measuredBytes});
  return {{"nodes", std::move(nodes)},
          {"spans", std::move(spans)},
          {"left_out", run.spans.size() > kMostSpans ? run.spans.size() - kMostSpans : 0},
          {"memory", std::move(memory)},
          {"runs", run.runs}};
}

json cellData(const ReportTable& table, const ReportCell& cell, size_t column, StringPool& pool) {
  if (table.columns[column].kind == ColumnKind::kText) return pool.index(cell.text);
  if (!std::isfinite(cell.number)) return nullptr;
  // Whole figures stay whole: 12 rather than 12.0.
  return cell.number == std::floor(cell.number) && std::abs(cell.number) < 9e15
             ? json(static_cast<int64_t>(cell.number))
             : json(cell.number);
}

json tablesData(const std::vector<ReportTable>& tables, StringPool& pool) {
  json list = json::array();
  for (const ReportTable& table : tables) {
    json columns = json::array(), rows = json::array();
    for (const ReportColumn& column : table.columns)
      columns.push_back({column.title, columnKindId(column.kind)});
    for (const std::vector<ReportCell>& row : table.rows) {
      json cells = json::array();
      for (size_t i = 0; i < row.size(); ++i)
        cells.push_back(cellData(table, row[i], i, pool));
      rows.push_back(std::move(cells));
    }
    list.push_back({{"id", table.id},
                    {"title", table.title},
                    {"columns", std::move(columns)},
                    {"rows", std::move(rows)},
                    {"version", table.version},
                    {"graph", table.graph},
                    {"nodes", table.nodes}});
  }
  return list;
}

json themeData(const Theme& theme) {
  json categories = json::array(), ramp = json::array();
  for (const CategoryLook& look : theme.categories)
    categories.push_back({look.color.name().toStdString(), look.fill.name().toStdString(),
                          theme.textOn(look.color).name().toStdString()});
  for (const QColor& stop : theme.rampStops)
    ramp.push_back(stop.name().toStdString());
  return {{"categories", std::move(categories)}, {"ramp", std::move(ramp)}};
}

json familiesData() {
  json list = json::array();
  for (int i = 0; i < kOperatorFamilyCount; ++i)
    list.push_back({operatorFamilyName(i).toStdString(), QString(operatorFamilyLetter(i)).toStdString()});
  return list;
}

json versionsData(const WalkReport& walk, StringPool& pool, const CancelToken& cancel) {
  json versions = json::array();
  if (walk.loadedGraphs)
    versions.push_back(versionData("loaded", *walk.loadedGraphs, walk.loadedCosts.get(), pool, cancel));
  if (walk.optimizedGraphs)
    versions.push_back(versionData("optimized", *walk.optimizedGraphs, walk.optimizedCosts.get(), pool, cancel));
  if (walk.partitionedGraphs)
    versions.push_back(versionData("partitioned", *walk.partitionedGraphs, walk.partitionedCosts.get(), pool, cancel));
  return versions;
}

json originsData(const WalkReport& walk, StringPool& pool) {
  json list = json::array();
  if (walk.load)
    for (const OriginReport& origin : walk.load->origins)
      list.push_back({pool.index(origin.name), pool.index(origin.opType)});
  return list;
}

json rewritesData(const WalkReport& walk, StringPool& pool) {
  json list = json::array();
  if (walk.optimize)
    for (const RewriteReport& rewrite : walk.optimize->rewrites)
      list.push_back({pool.index(rewrite.pass), pool.index(rewrite.note), rewrite.origins});
  return list;
}

}  // namespace

json reportData(const WalkReport& walk, const std::vector<ReportTable>& tables, const CancelToken& cancel) {
  StringPool pool;
  json data = {{"stages", stagesData(walk)},
               {"families", familiesData()},
               {"themes", {{"light", themeData(Theme::light())}, {"dark", themeData(Theme::darkTheme())}}}};
  data["versions"] = versionsData(walk, pool, cancel);
  data["origins"] = originsData(walk, pool);
  data["rewrites"] = rewritesData(walk, pool);
  if (walk.partition) data["partition"] = partitionData(*walk.partition, providerMarks(walk), pool);
  if (walk.schedule) data["schedule"] = scheduleData(*walk.schedule);
  if (walk.allocate) data["allocate"] = allocateData(*walk.allocate, pool);
  if (walk.pattern) data["pattern"] = patternData(*walk.pattern, pool);
  if (walk.run) data["run"] = runData(*walk.run, pool);
  data["tables"] = tablesData(tables, pool);
  data["strings"] = pool.take();
  if (cancel.cancelled()) return nullptr;
  return data;
}

}  // namespace cutaway::ui
