#include "tests/unit/ui/walk_fixture.h"

#include <algorithm>
#include <array>

namespace cutaway::ui::test {
namespace {

constexpr const char* kMap = "float[1,16,32,32]";
constexpr int64_t kMapBytes = 16 * 32 * 32 * 4;

// The trunk as loaded (folded = false: with BatchNormalization) or after optimising.
GraphBuilder trunk(bool folded) {
  GraphBuilder g("sample");
  g.input("image", "float[1,3,32,32]");
  g.constant("stem.weight", "float[16,3,3,3]", 1728);
  g.constant("stem.scale", "float[16]", 64);
  g.constant("body.weight", "float[16,16,3,3]", 9216);
  g.constant("head.weight", "float[16,10]", 640);
  g.constant("head.bias", "float[10]", 40);
  for (const char* name : {"stem_out", "stem_bn", "stem_relu", "body_out", "body_relu", "sum"})
    g.value(name, kMap, kMapBytes);
  g.value("pooled", "float[1,16,1,1]", 64);
  g.value("features", "float[1,16]", 64);
  g.value("logits", "float[1,10]", 40);
  g.value("sure", "bool[]", 1);
  g.value("answer", "float[1,10]", 40);
  if (folded) {
    g.node("Conv", "stem/conv", {"image", "stem.weight", "stem.scale"}, {"stem_bn"}, {0, 1});
    g.graph().nodes.back().rewrite = "fuse_conv_bn";
  } else {
    g.node("Conv", "stem/conv", {"image", "stem.weight"}, {"stem_out"}, {0});
    g.graph().nodes.back().attributes = {{"kernel_shape", "INTS", "3, 3"}, {"pads", "INTS", "1, 1, 1, 1"}};
    g.node("BatchNormalization", "stem/bn", {"stem_out", "stem.scale"}, {"stem_bn"}, {1});
  }
  g.node("Relu", "stem/relu", {"stem_bn"}, {"stem_relu"}, {2});
  g.node("Conv", "body/conv", {"stem_relu", "body.weight"}, {"body_out"}, {3});
  g.node("Relu", "body/relu", {"body_out"}, {"body_relu"}, {4});
  g.node("Add", "body/add", {"body_relu", "stem_relu"}, {"sum"}, {5});
  g.node("GlobalAveragePool", "head/pool", {"sum"}, {"pooled"}, {6});
  g.node("Flatten", "head/flatten", {"pooled"}, {"features"}, {7});
  g.node("Gemm", "head/gemm", {"features", "head.weight", "head.bias"}, {"logits"}, {8});
  g.node("ReduceMax", "gate/max", {"logits"}, {"sure"}, {9});
  g.node("If", "gate/if", {"sure"}, {"answer"}, {10});
  g.graph().nodes.back().bodies = {1, 2};
  const int logits = g.value("logits");
  g.graph().nodes.back().implicitInputs = {logits};
  g.graph().values[logits].consumers.push_back(static_cast<int32_t>(g.graph().nodes.size()) - 1);
  g.output("answer");
  return g;
}

GraphReport body(const char* title, const char* op, int parentNode, int origin) {
  GraphBuilder g(title);
  const int outer = g.value("logits", "float[1,10]", 40);
  g.graph().values[outer].role = ValueRole::kOuterScope;
  g.value("result", "float[1,10]", 40);
  g.node(op, "", {"logits"}, {"result"}, {origin});
  g.output("result");
  g.graph().title = title;
  g.graph().parentGraph = 0;
  g.graph().parentNode = parentNode;
  return g.graph();
}

std::shared_ptr<ModelGraphs> modelGraphs(bool folded) {
  auto all = std::make_shared<ModelGraphs>();
  GraphReport main = trunk(folded).graph();
  main.title = "main graph";
  const int parent = static_cast<int>(main.nodes.size()) - 1;
  all->graphs = {std::move(main), body("then_branch of If 'gate/if'", "Softmax", parent, 11),
                 body("else_branch of If 'gate/if'", "Sigmoid", parent, 12)};
  return all;
}

// Stem and body run on "skeleton" as one fused node, a copy brings the sum back, the rest is cpu's.
std::shared_ptr<ModelGraphs> partitionedGraphs() {
  GraphBuilder g("sample");
  g.input("image", "float[1,3,32,32]");
  g.constant("head.weight", "float[16,10]", 640);
  g.constant("head.bias", "float[10]", 40);
  g.value("sum", kMap, kMapBytes);
  g.value("sum_on_host", kMap, kMapBytes);
  g.value("pooled", "float[1,16,1,1]", 64);
  g.value("features", "float[1,16]", 64);
  g.value("logits", "float[1,10]", 40);
  g.value("sure", "bool[]", 1);
  g.value("answer", "float[1,10]", 40);
  g.node("skeleton_0", "skeleton_0", {"image"}, {"sum"}, {0, 1, 2, 3, 4, 5});
  g.node("MemcpyToHost", "copy_sum", {"sum"}, {"sum_on_host"});
  g.node("GlobalAveragePool", "head/pool", {"sum_on_host"}, {"pooled"}, {6});
  g.node("Flatten", "head/flatten", {"pooled"}, {"features"}, {7});
  g.node("Gemm", "head/gemm", {"features", "head.weight", "head.bias"}, {"logits"}, {8});
  g.node("ReduceMax", "gate/max", {"logits"}, {"sure"}, {9});
  g.node("If", "gate/if", {"sure"}, {"answer"}, {10});
  g.graph().nodes.back().bodies = {1, 2};
  g.output("answer");
  g.graph().title = "main graph";
  for (NodeReport& node : g.graph().nodes)
    node.provider = "cpu";
  g.graph().nodes[0].provider = "skeleton";
  auto all = std::make_shared<ModelGraphs>();
  all->graphs = {g.graph(), body("then_branch of If 'gate/if'", "Softmax", 6, 11),
                 body("else_branch of If 'gate/if'", "Sigmoid", 6, 12)};
  for (size_t i = 1; i < all->graphs.size(); ++i)
    all->graphs[i].nodes[0].provider = "cpu";
  return all;
}

std::shared_ptr<LoadReport> loadReport(const ModelGraphs& graphs) {
  auto report = std::make_shared<LoadReport>();
  report->path = "sample.onnx";
  report->format = "onnx";
  report->fileBytes = 13'400;
  report->irVersion = 10;
  report->producer = "fixture 1.0";
  report->opsets = {{"ai.onnx", 21}};
  report->metadata = {{"held_out_accuracy", "0.978"}};
  report->initializerCount = 5;
  report->initializerBytes = 11'688;
  report->parameterCount = 2'922;
  report->operators = {{"Conv", 2}, {"Relu", 2}, {"Add", 1}, {"BatchNormalization", 1}, {"If", 1}};
  report->externalFiles = {{"weights.bin", 9'216, 9'216, 1}};
  report->phases = {{"map file", 40'000, 0}, {"parse", 310'000, 24'000}, {"build graph", 95'000, 31'000}};
  report->warnings = {"the model has no documentation"};
  report->timeNs = 445'000;
  report->origins.resize(13);
  for (const GraphReport& graph : graphs.graphs)
    for (const NodeReport& node : graph.nodes) {
      ++report->nodeCount;
      for (const int32_t origin : node.origins)
        report->origins[origin] = {node.name, node.opType, graph.title};
    }
  return report;
}

std::shared_ptr<ResolveReport> resolveReport(const ModelGraphs& graphs) {
  auto report = std::make_shared<ResolveReport>();
  for (size_t g = 0; g < graphs.graphs.size(); ++g)
    for (size_t v = 0; v < graphs.graphs[g].values.size(); ++v) {
      const ValueReport& value = graphs.graphs[g].values[v];
      report->values.push_back({static_cast<int32_t>(g), static_cast<int32_t>(v), value.role,
                                value.role == ValueRole::kInput ? "file.declared" : "file.produced",
                                "'" + value.name + "' is " + valueRoleName(value.role) + "."});
    }
  report->steps = {{0, kNone, 0, "file.declared", "inputs", true, "'image' is listed as an input of the graph."},
                   {0, kNone, 1, "ir4.initializer", "overridable", false,
                    "'stem.weight' is an initializer and not an input: a constant."},
                   {0, 0, 6, "node.output", "intermediates", true, "'stem_out' is made by Conv 'stem/conv'."},
                   {0, kNone, graphs.graphs[0].outputs[0], "file.declared", "outputs", true,
                    "'answer' is listed as an output of the graph."}};
  report->warnings = {{"gate/if", "", "both branches give the same shape"}};
  report->knownShapes = 17;
  report->symbolicShapes = 0;
  report->timeNs = 210'000;
  report->phases = {{"roles", 60'000, 0}, {"types and shapes", 150'000, 0}};
  return report;
}

std::shared_ptr<OptimizeReport> optimizeReport() {
  auto report = std::make_shared<OptimizeReport>();
  report->passes = {
      {"eliminate_no_ops", "removes nodes that do nothing", 1, false, 1, 0, 13, 13, 21'000},
      {"fold_constants", "computes what does not depend on inputs", 1, false, 1, 0, 13, 13, 34'000},
      {"fuse_conv_bn", "multiplies BatchNormalization into the weights of Conv", 2, false, 2, 1, 13, 12, 88'000},
      {"fuse_matmul_add", "makes Gemm of MatMul and Add", 2, true, 0, 0, 12, 12, 0}};
  report->rewrites = {{"fuse_conv_bn",
                       "scale and bias moved into the weights of 'stem/conv'",
                       0,
                       {0, 1},
                       {"Conv 'stem/conv'", "BatchNormalization 'stem/bn'"},
                       {"Conv 'stem/conv'"}}};
  report->nodesBefore = 13;
  report->nodesAfter = 12;
  report->timeNs = 150'000;
  return report;
}

std::shared_ptr<PartitionReport> partitionReport(const ModelGraphs& optimized) {
  auto report = std::make_shared<PartitionReport>();
  report->providers = {{"skeleton", "accelerator:0", true, "", 5, 7, 45'000, 210'000},
                       {"cpu", "cpu", true, "", 7, 0, 12'000, 0}};
  for (size_t g = 0; g < optimized.graphs.size(); ++g)
    for (size_t n = 0; n < optimized.graphs[g].nodes.size(); ++n) {
      const bool taken = g == 0 && n < 5;
      NodePlacement placement{
          static_cast<int32_t>(g), static_cast<int32_t>(n), taken ? "skeleton" : "cpu", taken ? 0 : kNone, {}};
      if (taken) {
        placement.answers = {{"skeleton", Verdict::kClaimed, RefusalCause::kOther, ""},
                             {"cpu", Verdict::kAlreadyTaken, RefusalCause::kOther, ""}};
      } else {
        placement.answers = {
            {"skeleton", Verdict::kRefused, RefusalCause::kOperator, "takes only convolutions and what follows them"},
            {"cpu", Verdict::kClaimed, RefusalCause::kOther, ""}};
      }
      report->nodes.push_back(std::move(placement));
    }
  report->groups = {{"skeleton", "skeleton_0", 0, true, {0, 1, 2, 3, 4}, 12'288, kMapBytes},
                    {"cpu", "", 0, false, {5, 6, 7, 8, 9}, kMapBytes, 40}};
  report->copies = {{0, "sum", "accelerator:0", "cpu", kMapBytes, "copy",
                     "GlobalAveragePool 'head/pool' runs on cpu and reads 'sum'", 2}};
  report->timeNs = 280'000;
  return report;
}

void addPlans(WalkReport& walk) {
  const GraphReport& main = walk.partitionedGraphs->graphs[0];
  auto schedule = std::make_shared<ScheduleReport>();
  schedule->order = "default";
  schedule->timeNs = 18'000;
  auto allocate = std::make_shared<AllocateReport>();
  allocate->timeNs = 26'000;
  for (size_t g = 0; g < walk.partitionedGraphs->graphs.size(); ++g) {
    const GraphReport& graph = walk.partitionedGraphs->graphs[g];
    GraphSchedule order{.graph = static_cast<int32_t>(g), .streams = {"cpu"}};
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      order.steps.push_back({.node = static_cast<int32_t>(n),
                             .cost = static_cast<int64_t>(n + 1) * 100,
                             .endStep = static_cast<int32_t>(n)});
      order.criticalPath.push_back(static_cast<int32_t>(n));
    }
    schedule->graphs.push_back(std::move(order));
    GraphAllocation plan{static_cast<int32_t>(g), {}};
    for (size_t v = 0; v < graph.values.size(); ++v) {
      const ValueReport& value = graph.values[v];
      ValueAllocation a;
      a.value = a.rootValue = static_cast<int32_t>(v);
      a.device = "cpu";
      a.sizeBytes = value.sizeBytes;
      a.kind = value.isInitializer               ? AllocKind::kAllocateStatically
               : value.role == ValueRole::kInput ? AllocKind::kPreExisting
               : value.isOutput                  ? AllocKind::kAllocateOutput
                                                 : AllocKind::kAllocate;
      if (value.role == ValueRole::kOuterScope) a.kind = AllocKind::kAllocatedExternally;
      if (value.producer >= 0) {
        a.starts = {value.producer};
        a.ends = {value.consumers.empty() ? value.producer : value.consumers.back()};
      }
      if (value.name == "features") {
        a.kind = AllocKind::kReuse;
        a.inPlace = true;
        a.reusedValue = a.rootValue = 5;  // pooled
      }
      a.reason = std::string(allocKindName(a.kind)) + " because of its role in the graph.";
      plan.values.push_back(std::move(a));
    }
    allocate->graphs.push_back(std::move(plan));
  }
  allocate->allocated = 7, allocate->reused = 1, allocate->inPlace = 1, allocate->statically = 2, allocate->outputs = 3,
  allocate->preExisting = 1;
  allocate->weightsBytes = 680;
  auto pattern = std::make_shared<PatternReport>();
  GraphPattern blocks{0, "cpu", {}, 2 * kMapBytes, 2 * kMapBytes, 2 * kMapBytes + 576, 0.0, 1, {}, {}, {}};
  blocks.blocks = {{3, kNone, 0, kMapBytes, kMapBytes, 0, 1, {0}, {1}},
                   {4, kNone, kMapBytes, kMapBytes, kMapBytes, 1, 2, {1}, {2}},
                   {5, kNone, 0, 64, 64, 2, 4, {2}, {4}},
                   {7, kNone, 64, 64, 40, 4, 6, {4, 6}, {4, 6}},
                   {8, kNone, 128, 64, 1, 5, 6, {5}, {6}},
                   {kNone, 6, 192, 256, 40, 6, 6, {6}, {6}}};
  blocks.peak = {{3, kMapBytes, 0, 1, 1, kMapBytes - 320}, {4, kMapBytes, 1, 2, 2, kMapBytes - 320}};
  blocks.strategies = {{"best fit by time", 2 * kMapBytes, 4'000, true},
                       {"largest first", 2 * kMapBytes + 64, 3'000, false}};
  for (size_t step = 0; step < main.nodes.size(); ++step) {
    int64_t live = 0;
    for (const PatternBlock& block : blocks.blocks)
      if (block.firstStep <= static_cast<int32_t>(step) && block.lastStep >= static_cast<int32_t>(step))
        live += block.sizeBytes;
    blocks.liveBytes.push_back(live);
  }
  pattern->strategy = "best-fit";
  pattern->peakBytes = blocks.peakBytes;
  pattern->lowerBoundBytes = blocks.lowerBoundBytes;
  pattern->naiveBytes = blocks.naiveBytes;
  pattern->timeNs = 9'000;
  pattern->graphs = {blocks};
  walk.schedule = schedule;
  walk.allocate = allocate;
  walk.pattern = pattern;
}

void addRun(WalkReport& walk) {
  auto run = std::make_shared<RunReport>();
  run->runs = 10, run->warmups = 1, run->threads = 2, run->seed = 1, run->profiled = true;
  run->medianMs = 1.21, run->minMs = 1.12, run->maxMs = 1.9, run->meanMs = 1.27, run->p90Ms = 1.6, run->p99Ms = 1.9,
  run->firstRunMs = 3.4;
  run->runMs = {1.9, 1.6, 1.3, 1.2, 1.21, 1.15, 1.12, 1.2, 1.25, 1.22};
  constexpr std::array<int64_t, 7> times = {820'000, 90'000, 60'000, 4'000, 33'000, 9'000, 21'000};
  int64_t start = 0;
  for (size_t n = 0; n < times.size(); ++n) {
    NodeTiming timing;
    timing.node = timing.step = static_cast<int32_t>(n);
    timing.startNs = start;
    timing.totalNs = times[n], timing.minNs = times[n] * 9 / 10, timing.maxNs = times[n] * 12 / 10, timing.calls = 1;
    timing.variant = n == 0 ? "compiled" : "plain";
    timing.outputBytes = 64;
    start += times[n] + 1'000;
    run->nodes.push_back(std::move(timing));
  }
  run->inputs = {{"image", "float[1,3,32,32]", 12'288, "0.1, -0.4, 0.7", -1, 1, 0.01, 0, 0}};
  run->outputs = {{"answer", "float[1,10]", 40, "0.02, 0.91, 0.01", 0.0, 0.91, 0.1, 0, 0}};
  run->plannedPeakBytes = walk.pattern->peakBytes;
  run->lowerBoundBytes = walk.pattern->lowerBoundBytes;
  run->weightsBytes = 680;
  run->measuredPeakBytes = walk.pattern->peakBytes + 4'096;
  run->peakRssBytes = 48'000'000;
  for (int32_t step = 0; step < 7; ++step)
    run->memory.push_back({(step + 1) * 100'000, step, 4'096,
                           walk.pattern->graphs[0].liveBytes[static_cast<size_t>(step)] + 128, 140'000});
  walk.run = run;
}

}  // namespace

GraphBuilder::GraphBuilder(std::string name) {
  m_graph.name = std::move(name);
  m_graph.title = m_graph.name;
}

int GraphBuilder::value(const std::string& name, const std::string& type, int64_t sizeBytes) {
  for (size_t i = 0; i < m_graph.values.size(); ++i)
    if (m_graph.values[i].name == name) return static_cast<int>(i);
  ValueReport value;
  value.name = name;
  value.type = type;
  const size_t open = type.find('[');
  if (open != std::string::npos) {
    value.elementType = type.substr(0, open);
    value.shape = type.substr(open);
  }
  value.sizeBytes = sizeBytes;
  m_graph.values.push_back(std::move(value));
  return static_cast<int>(m_graph.values.size()) - 1;
}

int GraphBuilder::input(const std::string& name, const std::string& type) {
  const int index = value(name, type);
  m_graph.values[index].role = ValueRole::kInput;
  m_graph.inputs.push_back(index);
  return index;
}

int GraphBuilder::constant(const std::string& name, const std::string& type, int64_t sizeBytes) {
  const int index = value(name, type, sizeBytes);
  m_graph.values[index].role = ValueRole::kConstant;
  m_graph.values[index].isInitializer = true;
  return index;
}

int GraphBuilder::node(const std::string& opType, const std::string& name, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs, std::vector<int32_t> origins) {
  const auto index = static_cast<int32_t>(m_graph.nodes.size());
  NodeReport node;
  node.opType = opType;
  node.name = name;
  node.sinceVersion = 13;
  node.origins = std::move(origins);
  for (const std::string& input : inputs) {
    const int v = value(input);
    node.inputs.push_back(v);
    if (m_graph.values[v].consumers.empty() || m_graph.values[v].consumers.back() != index)
      m_graph.values[v].consumers.push_back(index);
  }
  for (const std::string& output : outputs) {
    const int v = value(output);
    node.outputs.push_back(v);
    m_graph.values[v].producer = index;
  }
  m_graph.nodes.push_back(std::move(node));
  return index;
}

void GraphBuilder::output(const std::string& name) {
  const int index = value(name);
  m_graph.values[index].isOutput = true;
  m_graph.values[index].role = ValueRole::kOutput;
  m_graph.outputs.push_back(index);
}

std::shared_ptr<const WalkReport> sampleWalk() {
  auto walk = std::make_shared<WalkReport>();
  walk->loadedGraphs = modelGraphs(false);
  walk->load = loadReport(*walk->loadedGraphs);
  walk->resolve = resolveReport(*walk->loadedGraphs);
  walk->optimizedGraphs = modelGraphs(true);
  walk->optimize = optimizeReport();
  walk->partition = partitionReport(*walk->optimizedGraphs);
  walk->partitionedGraphs = partitionedGraphs();
  addPlans(*walk);
  addRun(*walk);
  constexpr std::array<int64_t, kStageCount> times = {445'000, 210'000, 150'000,    280'000, 18'000,
                                                      26'000,  9'000,   12'100'000, 0};
  for (int stage = 0; stage < kStageCount - 1; ++stage)
    walk->stages[stage] = {StageState::kDone, times[stage]};
  return walk;
}

std::shared_ptr<const WalkReport> failedWalk() {
  auto walk = std::make_shared<WalkReport>();
  walk->loadedGraphs = modelGraphs(false);
  walk->load = loadReport(*walk->loadedGraphs);
  walk->stages[0] = {StageState::kDone, 445'000};
  walk->stages[1] = {StageState::kFailed, 30'000};
  walk->error = Error{ErrorCode::kInvalidGraph, "the graph has a cycle", {"sample.onnx", "body/add", "sum"}};
  return walk;
}

std::shared_ptr<const WalkReport> flatWalk(int nodeCount, bool scoped) {
  auto graphs = std::make_shared<ModelGraphs>();
  GraphReport& graph = graphs->graphs.emplace_back();
  graph.name = graph.title = "main graph";
  constexpr std::array<const char*, 8> kinds = {"Relu", "Conv", "Tanh", "MatMul", "Sigmoid", "Mul", "Abs", "Erf"};
  const auto addValue = [&](std::string name) {
    ValueReport value;
    value.name = std::move(name);
    value.type = "float[1,8,16]";
    value.elementType = "float";
    value.shape = "[1,8,16]";
    value.sizeBytes = 512;
    graph.values.push_back(std::move(value));
    return static_cast<int32_t>(graph.values.size()) - 1;
  };
  const int32_t input = addValue("input");
  graph.values[input].role = ValueRole::kInput;
  graph.inputs = {input};
  int32_t x = input, skip = input, longSkip = input;
  for (int n = 0; n < nodeCount; ++n) {
    NodeReport node;
    const bool join = n % 10 == 9;
    node.opType = join ? "Add" : kinds[(n * 7 + n / 10) % kinds.size()];
    node.name = (scoped ? "stage." + std::to_string(n / 50) + "/block." + std::to_string(n / 10) + "/" : "") +
                node.opType + "_" + std::to_string(n);
    node.inputs = {x};
    if (join) node.inputs.push_back(n % 50 == 49 ? longSkip : skip);
    node.origins = {n};
    const int32_t out = addValue("v" + std::to_string(n));
    node.outputs = {out};
    graph.values[out].producer = n;
    for (const int32_t v : node.inputs)
      graph.values[v].consumers.push_back(n);
    x = out;
    if (join) skip = out;
    if (n % 50 == 49) longSkip = out;
    graph.nodes.push_back(std::move(node));
  }
  graph.values[x].isOutput = true;
  graph.values[x].role = ValueRole::kOutput;
  graph.outputs = {x};
  auto walk = std::make_shared<WalkReport>();
  auto load = std::make_shared<LoadReport>();
  load->path = "flat.onnx";
  load->nodeCount = nodeCount;
  load->origins.resize(nodeCount);
  walk->load = load;
  walk->loadedGraphs = graphs;
  walk->stages[0] = {StageState::kDone, 1'000'000};
  return walk;
}

}  // namespace cutaway::ui::test
