// Kernels of a model before it runs: the same as in a run, with what the rows before them said.

#include <algorithm>

#include <nlohmann/json.hpp>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/provider/kernel_watch.h"
#include "engine/report/json_kernels.h"
#include "engine/study/kernels/kernel_choices.h"
#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

// A product of floats with constant weights, one of doubles, which the first row does not take, and a body.
constexpr const char* kProducts = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2,2] x, double[2,2] d, bool c) => (float[2,2] y, double[2,2] e, float[2,2] z)
  <float[2,2] w = {1, 2, 3, 4}> {
    [plain] y = MatMul (x, w)
    [wide] e = MatMul (d, d)
    [choose] z = If (c) <
      then_branch = t () => (float[2,2] a) { [inner] a = Relu (x) },
      else_branch = f () => (float[2,2] b) { [other] b = Neg (x) }
    >
  })";

Result<study::KernelChoices> choicesOf(const char* text, const session::SessionOptions& options = {},
                                       const ProviderTable& table = cpuTable()) {
  Progress progress;
  return study::kernelChoices(load::ModelSource::loaded(std::make_shared<const Model>(*parseModelText(text))), options,
                              table, progress);
}

const KernelRegistry* kernelsOfCpu() {
  static const auto cpu = cpuProvider().create({});
  return (*cpu)->kernels();
}

Result<std::unique_ptr<ExecutionProvider>> makeGrouper(const ProviderRequest&) {
  return makeTestProvider(
      {.name = "grouper", .groups = {}, .groupOperators = {"Relu"}, .innerKernels = kernelsOfCpu()});
}

const NodeKernel* kernelOf(const KernelReport& report, std::string_view name) {
  const auto found = std::ranges::find(report.nodes, name, &NodeKernel::name);
  return found == report.nodes.end() ? nullptr : &*found;
}

}  // namespace

class TestKernelChoices : public QObject {
  Q_OBJECT
 private slots:
  void rowsThatRefusedSayWhy() {
    const auto choices = choicesOf(kProducts);
    QVERIFY2(choices, why(choices).c_str());
    const NodeKernel* plain = kernelOf(choices->report, "plain");
    const NodeKernel* wide = kernelOf(choices->report, "wide");
    QVERIFY(plain != nullptr && wide != nullptr);
    QVERIFY2(plain->variant.starts_with("onednn"), plain->variant.c_str());
    QCOMPARE(plain->fastPath, std::string("onednn"));
    QVERIFY(plain->refused.empty() && !plain->compiled);
    QCOMPARE(wide->variant, std::string("highway"));
    QCOMPARE(wide->refused.size(), size_t{1});
    QCOMPARE(wide->refused[0].fastPath, std::string("onednn"));
    QVERIFY2(wide->refused[0].reason.find("'d'") != std::string::npos, wide->refused[0].reason.c_str());
  }

  void nodesOfBodiesAreThereWithTheirGraph() {
    const auto choices = choicesOf(kProducts);
    QVERIFY2(choices, why(choices).c_str());
    const NodeKernel* inner = kernelOf(choices->report, "inner");
    QVERIFY(inner != nullptr && inner->graph > 0);
    const GraphReport& graph = choices->walk->partitionedGraphs->graphs[static_cast<size_t>(inner->graph)];
    QCOMPARE(graph.nodes[static_cast<size_t>(inner->node)].name, std::string("inner"));
  }

  // What the report says before a run is what a profiled run says afterwards.
  void aRunHasTheSameKernels() {
    constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2,2] x) => (float[2,2] z) <float[2,2] w = {1, 2, 3, 4}> {
        [product] p = MatMul (x, w) [soft] q = Softmax (p) [turned] z = Transpose (q) })";
    const auto choices = choicesOf(kChain);
    QVERIFY2(choices, why(choices).c_str());
    const auto session = textSession(kChain);
    QVERIFY2(session, why(session).c_str());
    const std::vector<execute::Feed> feeds{floatFeed("x", {2, 2}, {1, 2, 3, 4})};
    const auto run = session::measure(**session, feeds, {.runs = 1, .profile = true}, CancelToken());
    QVERIFY2(run, why(run).c_str());
    QVERIFY(!run->nodes.empty());
    for (const NodeTiming& timing : run->nodes) {
      const auto found = std::ranges::find_if(choices->report.nodes, [&](const NodeKernel& each) {
        return each.graph == timing.graph && each.node == timing.node;
      });
      QVERIFY(found != choices->report.nodes.end());
      QCOMPARE(found->variant, timing.variant);
    }
  }

  void compiledGroupsHaveNoRows() {
    ProviderTable table = cpuTable();
    ProviderEntry grouper{.name = "grouper", .displayName = {}, .description = {}, .create = makeGrouper};
    table.push_back(std::move(grouper));
    const auto choices = choicesOf(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[4] x) => (float[4] y) { [a] p = Relu (x) [b] y = Neg (p) })",
                                   {.providers = {"grouper", "cpu"}}, table);
    QVERIFY2(choices, why(choices).c_str());
    QCOMPARE(choices->report.nodes.size(), size_t{2});
    QVERIFY(choices->report.nodes[0].compiled && choices->report.nodes[0].provider == "grouper");
    QVERIFY(!choices->report.nodes[1].compiled);
  }

  void jsonHasAllOfIt() {
    const auto choices = choicesOf(kProducts);
    QVERIFY2(choices, why(choices).c_str());
    const nlohmann::json json = kernelsToJson(choices->report);
    QCOMPARE(json.size(), choices->report.nodes.size());
    const auto wide = std::ranges::find_if(json, [](const auto& each) { return each.at("name") == "wide"; });
    QVERIFY(wide != json.end());
    QVERIFY(wide->at("variant") == "highway" && wide->at("refused").at(0).at("fast_path") == "onednn");
  }

  // Sessions that nobody watches, and watches that nobody uses, leave nothing behind.
  void aWatchSeesItsOwnTime() {
    {
      const KernelWatch watch;
      QVERIFY(textSession(kProducts));
      QVERIFY(!watch.made().empty());
    }
    QVERIFY(textSession(kProducts));
    const KernelWatch later;
    QVERIFY(later.made().empty());
  }
};

QTEST_GUILESS_MAIN(TestKernelChoices)
#include "tst_kernel_choices.moc"
