#include "tests/unit/ui/context_fixture.h"

#include "tests/unit/ui/walk_fixture.h"

namespace cutaway::ui::test {
namespace {

constexpr const char* kMap = "float[1,16,32,32]";

GraphReport insideGraph(int parentNode) {
  GraphBuilder g("inside");
  g.input("image", "float[1,3,32,32]");
  for (const char* name : {"c1", "r1", "c2", "r2", "features"})
    g.value(name, kMap);
  g.node("Conv", "inner/conv1", {"image"}, {"c1"});
  g.node("Relu", "inner/relu1", {"c1"}, {"r1"});
  g.node("Conv", "inner/conv2", {"r1"}, {"c2"});
  g.node("Relu", "inner/relu2", {"c2"}, {"r2"});
  g.node("Add", "inner/add", {"r2", "r1"}, {"features"});
  g.output("features");
  g.graph().title = "inside of 'compiled'";
  g.graph().parentGraph = 0;
  g.graph().parentNode = parentNode;
  g.graph().isInside = true;
  return g.graph();
}

std::shared_ptr<ModelGraphs> compiledGraphs(Maker maker, bool partitioned) {
  GraphBuilder g("compiled model");
  g.input("image", "float[1,3,32,32]");
  g.value("image_there", "float[1,3,32,32]", 12'288);
  g.value("features", kMap, 65'536);
  g.value("answer", kMap, 65'536);
  if (partitioned) g.node("MemcpyFromHost", "copy_image", {"image"}, {"image_there"});
  const int node = g.node("EPContext", "compiled", {partitioned ? "image_there" : "image"}, {"features"}, {0});
  NodeReport& context = g.graph().nodes.back();
  context.domain = "com.microsoft";
  context.sinceVersion = 1;
  context.attributes = {{"source", "STRING", maker == Maker::kOurs ? "skeleton" : "QNNExecutionProvider"},
                        {"embed_mode", "INT", "0"}};
  g.node("Softmax", "after", {"features"}, {"answer"}, {1});
  g.output("answer");
  g.graph().title = "main graph";
  auto all = std::make_shared<ModelGraphs>();
  if (partitioned) {
    g.graph().nodes[0].provider = g.graph().nodes[2].provider = "cpu";
    if (maker == Maker::kOurs) g.graph().nodes[1].provider = "skeleton";
  }
  if (maker == Maker::kOurs) g.graph().nodes[static_cast<size_t>(node)].inside = 1;
  all->graphs = {g.graph()};
  if (maker == Maker::kOurs) all->graphs.push_back(insideGraph(node));
  return all;
}

ContextNodeReport ourNode() {
  ContextNodeReport node{.name = "compiled",
                         .source = "skeleton",
                         .sourceTitle = "skeleton",
                         .provider = "skeleton",
                         .isMain = true,
                         .partitionName = "compiled",
                         .sdkVersion = "1.0",
                         .hardware = "any"};
  node.modelFile = "sample.onnx";
  node.file = "sample_ctx_skeleton_0123456789abcdef.bin";
  node.fileBytes = 11'000;
  node.partitionBytes = 10'944;
  node.format = "Cutaway context 1";
  node.insideNodes = 5;
  node.checks = {{"attributes", CheckState::kPassed, "All of them fit the operator."},
                 {"file", CheckState::kPassed, "It lies beside the model."},
                 {"checksum", CheckState::kPassed, "All 4 chunks."},
                 {"SDK version", CheckState::kWarning, "The file does not say which."},
                 {"restored", CheckState::kPassed, "In 1.2 ms."}};
  node.restoreTimeNs = 1'200'000;
  return node;
}

ContextNodeReport foreignNode() {
  ContextNodeReport node{.name = "compiled",
                         .source = "QNNExecutionProvider",
                         .sourceTitle = "Qualcomm QNN",
                         .isMain = true,
                         .partitionName = "QNN_1",
                         .sdkVersion = "2.16",
                         .hardware = "HTP v73"};
  node.file = "compiled_qnn.bin";
  node.fileBytes = 17'776;
  node.format = "QNN context binary";
  node.checks = {{"attributes", CheckState::kPassed, "All of them fit the operator."},
                 {"file", CheckState::kPassed, "It lies beside the model."},
                 {"provider", CheckState::kFailed, "No provider of this session is 'QNNExecutionProvider'."}};
  return node;
}

}  // namespace

std::shared_ptr<const WalkReport> previewWalk() {
  auto walk = std::make_shared<WalkReport>(*sampleWalk());
  auto context = std::make_shared<ContextReport>();
  context->groups = {{.provider = "skeleton",
                      .name = "skeleton_0",
                      .graph = 0,
                      .nodes = {0, 1, 2, 3, 4},
                      .canSave = true,
                      .weightBytes = 10'944},
                     {.provider = "declared(Board)",
                      .name = "declared_1",
                      .graph = 0,
                      .nodes = {5, 6},
                      .canSave = true,
                      .isPlaceholder = true,
                      .reason = "the hardware is described, not there",
                      .weightBytes = 0},
                     {.provider = "cpu",
                      .name = "",
                      .graph = 0,
                      .nodes = {7, 8, 9},
                      .canSave = false,
                      .reason = "run by kernels, nothing was compiled",
                      .weightBytes = 680}};
  walk->context = context;
  return walk;
}

std::shared_ptr<const WalkReport> compiledWalk(Maker maker) {
  auto walk = std::make_shared<WalkReport>();
  auto load = std::make_shared<LoadReport>();
  load->path = "sample_ctx.onnx";
  load->nodeCount = 2;
  load->origins.resize(2);
  walk->load = load;
  walk->loadedGraphs = walk->optimizedGraphs = compiledGraphs(maker, false);
  walk->partitionedGraphs = compiledGraphs(maker, true);
  auto partition = std::make_shared<PartitionReport>();
  partition->providers = {{"skeleton", "accelerator:0"}, {"cpu", "cpu"}};
  partition->nodes = {{0, 0, maker == Maker::kOurs ? "skeleton" : ""}, {0, 1, "cpu"}};
  walk->partition = partition;
  auto schedule = std::make_shared<ScheduleReport>();
  GraphSchedule order{.graph = 0, .streams = {"cpu"}};
  for (int32_t n = 0; n < 3; ++n)
    order.steps.push_back({.node = n});
  schedule->graphs = {order};
  walk->schedule = schedule;
  auto context = std::make_shared<ContextReport>();
  context->nodes = {maker == Maker::kOurs ? ourNode() : foreignNode()};
  walk->context = context;
  for (int stage = 0; stage <= static_cast<int>(Stage::kSchedule); ++stage)
    walk->stages[static_cast<size_t>(stage)] = {StageState::kDone, 100'000};
  walk->stages[static_cast<size_t>(Stage::kContext)] = {StageState::kDone, 1'200'000};
  return walk;
}

ContextWritten writtenReport(const std::string& folder) {
  ContextWritten written;
  written.files = {{folder + "/sample_ctx.onnx", "model", 4'210},
                   {folder + "/sample_ctx_skeleton_0123456789abcdef.bin", "context binary of skeleton", 11'000}};
  written.contextNodes = 2;
  written.otherNodes = 3;
  written.weightBytes = 11'624;
  written.sharedBytes = 1'024;
  written.timeNs = 8'000'000;
  written.warnings = {"'declared_1' is a placeholder"};
  return written;
}

ContextVerification verificationReport() {
  ContextVerification seen;
  seen.loads = seen.sameOutputs = true;
  seen.outputs = {{"answer", true, 0, ""}};
  seen.compileNs = 412'000'000;
  seen.loadNs = 12'000'000;
  seen.firstRunOriginalNs = 3'400'000;
  seen.firstRunContextNs = 3'500'000;
  seen.runOriginalNs = 1'210'000;
  seen.runContextNs = 1'200'000;
  return seen;
}

}  // namespace cutaway::ui::test
