#include "tests/unit/ui/run_fixture.h"

#include <algorithm>
#include <cmath>

#include "tests/unit/ui/walk_fixture.h"

namespace cutaway::ui::test {
namespace {

std::shared_ptr<const std::vector<TraceSpan>> creationSpans() {
  auto spans = std::make_shared<std::vector<TraceSpan>>();
  const auto add = [&](const char* name, const char* category, int depth, int64_t startUs, int64_t durationUs) {
    spans->push_back({name, category, kNone, kNone, 0, depth, startUs * 1'000, durationUs * 1'000});
  };
  add("load", "stage", 0, 0, 4'000);
  add("resolve", "stage", 0, 4'000, 2'000);
  add("optimize", "stage", 0, 6'000, 9'000);
  add("fold_constants", "pass", 1, 6'100, 3'000);
  add("fuse_conv_bn", "pass", 1, 9'200, 5'000);
  add("partition", "stage", 0, 15'000, 21'000);
  add("ask skeleton", "provider", 1, 15'200, 1'000);
  add("compile skeleton", "provider", 1, 16'500, 18'000);
  add("kernels", "stage", 0, 36'000, 2'000);
  return spans;
}

}  // namespace

std::shared_ptr<const WalkReport> profiledWalk() {
  auto walk = std::make_shared<WalkReport>(*sampleWalk());
  auto run = std::make_shared<RunReport>(*walk->run);
  run->workers = 2;
  run->executor = "dataflow";
  run->tag = "evening";
  run->medianLowMs = 1.19, run->medianHighMs = 1.25;
  run->engineNsPerNode = 62;
  run->spans.clear();
  run->spans.push_back({"run", "Engine", kNone, kNone, 0, 0, 0, 1'100'000});
  const auto& main = walk->partitionedGraphs->graphs[0];
  for (size_t i = 0; i < run->nodes.size(); ++i) {
    NodeTiming& timing = run->nodes[i];
    timing.thread = i == 2 || i == 3 ? 1 : 0;
    timing.flops = timing.totalNs * 12;
    timing.inputBytes = timing.totalNs / 2;
    timing.deviationNs = static_cast<double>(timing.totalNs) / 20;
    timing.outputShapes = {"float[1,16,32,32]"};
    timing.provider = main.nodes[static_cast<size_t>(timing.node)].provider;
    run->spans.push_back({{},
                          "Node",
                          0,
                          timing.node,
                          timing.thread,
                          timing.thread == 0 ? 1 : 0,
                          timing.startNs + 1'000,
                          timing.totalNs});
  }
  run->nodes[0].subSteps = {{"pack", 120'000, 1}, {"multiply", 690'000, 1}};
  const TraceSpan outer = run->spans.back();
  run->spans.push_back({{}, "Node", 1, 0, outer.thread, outer.depth + 1, outer.startNs + 1'000, outer.durationNs / 2});
  NodeTiming body;
  body.graph = 1;
  body.startNs = outer.startNs;
  body.totalNs = outer.durationNs / 2;
  body.calls = 1;
  run->nodes.push_back(body);
  run->memory.clear();
  for (int32_t step = 0; step < 7; ++step)
    run->memory.push_back(
        {(step + 1) * 140'000, step, step == 2 ? 131'072 : 65'536, step == 2 ? 135'000 : 65'600 + step, 180'000});
  run->breakdown = {680, 680, 2'048, 1'024, 131'648, 4'096, 512, 136'000};
  walk->run = run;
  walk->creation = creationSpans();
  return walk;
}

std::shared_ptr<const RunReport> slowerRun(const RunReport& run, double factor) {
  auto slower = std::make_shared<RunReport>(run);
  for (double& ms : slower->runMs)
    ms *= factor;
  for (double* figure : {&slower->medianMs, &slower->minMs, &slower->maxMs, &slower->p90Ms, &slower->p99Ms,
                         &slower->medianLowMs, &slower->medianHighMs})
    *figure *= factor;
  for (NodeTiming& node : slower->nodes)
    node.totalNs = static_cast<int64_t>(static_cast<double>(node.totalNs) * factor);
  return slower;
}

RunComparison compareByHand(const RunReport& a, const ModelGraphs& graphsA, const RunReport& b, const ModelGraphs&) {
  RunComparison comparison;
  comparison.medianAMs = a.medianMs, comparison.medianBMs = b.medianMs;
  comparison.lowMs = b.medianMs - a.medianMs - 0.05, comparison.highMs = b.medianMs - a.medianMs + 0.05;
  comparison.significant = std::abs(b.medianMs - a.medianMs) > a.medianMs / 10;
  comparison.pValue = comparison.significant ? 0.0004 : 0.41;
  for (size_t i = 0; i < std::min(a.nodes.size(), b.nodes.size()); ++i) {
    const NodeTiming &x = a.nodes[i], &y = b.nodes[i];
    const NodeReport& node = graphsA.graphs[static_cast<size_t>(x.graph)].nodes[static_cast<size_t>(x.node)];
    const auto difference = static_cast<double>(y.totalNs - x.totalNs);
    comparison.nodes.push_back(
        {node.name, node.opType, x.graph, x.node, y.node, x.totalNs, y.totalNs, difference - 5'000, difference + 5'000,
         std::abs(difference) > static_cast<double>(x.totalNs) / 10 && std::abs(difference) > 5'000});
  }
  std::stable_sort(comparison.nodes.begin(), comparison.nodes.end(),
                   [](const NodeTimeDifference& p, const NodeTimeDifference& q) {
                     return std::abs(p.bNs - p.aNs) > std::abs(q.bNs - q.aNs);
                   });
  return comparison;
}

}  // namespace cutaway::ui::test
