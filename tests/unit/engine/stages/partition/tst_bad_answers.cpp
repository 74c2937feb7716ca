// Providers whose answers make no sense, fail, throw or never come: each is refused with its reason, and the next
// provider is asked.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/provider/provider_calls.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"

using namespace cutaway;

namespace {

using Providers = std::vector<std::unique_ptr<ExecutionProvider>>;
using Answer = std::function<CapabilityAnswer(const CapabilityRequest&)>;
using Compile = std::function<Result<std::vector<CompiledNode>>(std::span<const FusedSubGraph>, const Progress&)>;

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,4] x) => (float[2,4] y, float[2,4] vb) <float[2,4] w = {1,2,3,4,5,6,7,8}> {
  [a] va = Add (x, w)
  [b] vb = Sigmoid (va)
  [c] vc = Tanh (vb)
  [d] y = Add (vc, va)
})";

Model parsed(const char* text) {
  Model model = *parseModelText(text);
  Progress progress;
  const Result<ResolveReport> report = resolve::resolve(model, {}, progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  return model;
}

const KernelRegistry* kernelsOfCpu() {
  static const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
  return provider->kernels();
}

TestProviderPlan answering(std::function<Result<CapabilityAnswer>(const CapabilityRequest&)> answer) {
  TestProviderPlan plan;
  plan.name = "npu";
  plan.innerKernels = kernelsOfCpu();
  plan.answer = std::move(answer);
  return plan;
}

Providers with(TestProviderPlan plan) {
  Providers providers;
  providers.push_back(makeTestProvider(std::move(plan)));
  providers.push_back(*cpuProvider().create({}));
  return providers;
}

struct Outcome {
  partition::Partition partition;
  QString placements;                         // "a:npu b:cpu"
  std::map<std::string, ProviderAnswer> npu;  // its answer by node name
};

Outcome outcomeOf(partition::Partition partition) {
  Outcome outcome{std::move(partition), {}, {}};
  // Where nodes went at all is told too, and is not about answers.
  std::erase_if(outcome.partition.report.warnings,
                [](const std::string& warning) { return warning.find("the preferred provider") != std::string::npos; });
  QStringList parts;
  for (const NodePlacement& node : outcome.partition.report.nodes) {
    const std::string& name = outcome.partition.askedGraphs.graphs[static_cast<size_t>(node.graph)]
                                  .nodes[static_cast<size_t>(node.node)]
                                  .name;
    parts << QString::fromStdString(name + ":" + node.provider);
    for (const ProviderAnswer& answer : node.answers) {
      if (answer.provider == "npu") outcome.npu[name] = answer;
    }
  }
  outcome.placements = parts.join(' ');
  return outcome;
}

Outcome partitioned(Model& model, const Providers& providers, partition::PartitionOptions options = {}) {
  Progress progress;
  Result<partition::Partition> partition = partition::partitionModel(model, providers, options, progress);
  if (!partition) qFatal("%s", describe(partition.error()).c_str());
  return outcomeOf(*std::move(partition));
}

std::vector<NodeId> nodesNamed(const Graph& graph, const std::vector<const char*>& names) {
  std::vector<NodeId> ids;
  for (const char* name : names)
    ids.push_back(graph.findNode(name));
  return ids;
}

ComputeCapability group(const Graph& graph, const std::vector<const char*>& nodes,
                        const std::vector<const char*>& inputs = {}, const std::vector<const char*>& outputs = {}) {
  MetaDef metaDef{.name = "g", .domain = {}, .inputs = {}, .outputs = {}};
  for (const char* name : inputs)
    metaDef.inputs.push_back(graph.findValue(name));
  for (const char* name : outputs)
    metaDef.outputs.push_back(graph.findValue(name));
  return {.subGraph = {.nodes = nodesNamed(graph, nodes), .metaDef = std::move(metaDef)}};
}

// A latch that a hanging provider waits on.
struct Latch {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = false;
  std::atomic<bool> reached = false;
  std::atomic<bool> left = false;
  void wait() {
    reached = true;
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return open; });
  }
  void unlock() {
    const std::lock_guard lock(mutex);
    open = true;
    changed.notify_all();
  }
};

}  // namespace

Q_DECLARE_METATYPE(Answer)
Q_DECLARE_METATYPE(Compile)

class TestBadAnswers : public QObject {
  Q_OBJECT
 private slots:
  void nonsense_data() {
    QTest::addColumn<Answer>("answer");
    QTest::addColumn<QString>("placements");
    QTest::addColumn<QString>("node");    // whose answer is looked at; empty: only the warning
    QTest::addColumn<QString>("reason");  // a part of it
    const auto row = [](const char* name, const char* placements, const char* node, const char* reason, Answer answer) {
      QTest::newRow(name) << answer << QString(placements) << QString(node) << QString(reason);
    };
    const char* nobody = "a:cpu b:cpu c:cpu d:cpu";
    row("unknown node", nobody, "b", "a node that does not exist", [](const CapabilityRequest& request) {
      ComputeCapability claim = group(request.graph, {"b"});
      claim.subGraph.nodes.push_back(NodeId{1000});
      return CapabilityAnswer{{claim}, {}};
    });
    row("invalid node", nobody, "", "a node that does not exist",
        [](const CapabilityRequest& request) { return CapabilityAnswer{{group(request.graph, {"nobody"})}, {}}; });
    row("empty claim", nobody, "", "the claim names no node",
        [](const CapabilityRequest& request) { return CapabilityAnswer{{group(request.graph, {})}, {}}; });
    row("one node twice", nobody, "b", "names Sigmoid 'b' twice",
        [](const CapabilityRequest& request) { return CapabilityAnswer{{group(request.graph, {"b", "b"})}, {}}; });
    row("overlapping claims", "a:cpu b:npu c:npu d:cpu", "d", "taken by another claim",
        [](const CapabilityRequest& request) {
          return CapabilityAnswer{{group(request.graph, {"b", "c"}), group(request.graph, {"c", "d"})}, {}};
        });
    row("a refused claim leaves its nodes to the next", "a:cpu b:npu c:cpu d:cpu", "b", "",
        [](const CapabilityRequest& request) {
          return CapabilityAnswer{{group(request.graph, {"b", "b"}), group(request.graph, {"b"})}, {}};
        });
    row("claimed and refused", nobody, "b", "claims Sigmoid 'b' and refuses it too",
        [](const CapabilityRequest& request) {
          return CapabilityAnswer{{group(request.graph, {"b", "c"})},
                                  {{request.graph.findNode("b"), RefusalCause::kType, "no"}}};
        });
    row("several nodes without MetaDef", nobody, "c", "brings no MetaDef", [](const CapabilityRequest& request) {
      return CapabilityAnswer{{{.subGraph = {.nodes = nodesNamed(request.graph, {"b", "c"}), .metaDef = std::nullopt}}},
                              {}};
    });
    row("a MetaDef without name", nobody, "b", "has no name", [](const CapabilityRequest& request) {
      ComputeCapability claim = group(request.graph, {"b"});
      claim.subGraph.metaDef->name.clear();
      return CapabilityAnswer{{claim}, {}};
    });
    row("a needed input is missing", nobody, "d", "leaves out input 'va'", [](const CapabilityRequest& request) {
      return CapabilityAnswer{{group(request.graph, {"c", "d"}, {"vb"}, {"y"})}, {}};
    });
    row("a constant may be left out", "a:npu b:cpu c:cpu d:cpu", "a", "", [](const CapabilityRequest& request) {
      return CapabilityAnswer{{group(request.graph, {"a"}, {"x"}, {"va"})}, {}};
    });
    row("an input that nobody uses", nobody, "b", "no node of the group uses", [](const CapabilityRequest& request) {
      return CapabilityAnswer{{group(request.graph, {"b"}, {"va", "x"}, {"vb"})}, {}};
    });
    row("an input made inside", nobody, "c", "the group itself makes", [](const CapabilityRequest& request) {
      return CapabilityAnswer{{group(request.graph, {"b", "c"}, {"va", "vb"}, {"vb", "vc"})}, {}};
    });
    row("an input listed twice", nobody, "b", "input 'va' twice", [](const CapabilityRequest& request) {
      return CapabilityAnswer{{group(request.graph, {"b"}, {"va", "va"}, {"vb"})}, {}};
    });
    row("an input that does not exist", nobody, "b", "an input that does not exist",
        [](const CapabilityRequest& request) {
          return CapabilityAnswer{{group(request.graph, {"b"}, {"nothing"}, {"vb"})}, {}};
        });
    row("an output made elsewhere", nobody, "b", "no node of the group makes", [](const CapabilityRequest& request) {
      return CapabilityAnswer{{group(request.graph, {"b"}, {"va"}, {"vb", "vc"})}, {}};
    });
    row("an output that does not exist", nobody, "b", "an output that does not exist",
        [](const CapabilityRequest& request) {
          return CapabilityAnswer{{group(request.graph, {"b"}, {"va"}, {"vb", "nothing"})}, {}};
        });
    row("an output listed twice", nobody, "b", "output 'vb' twice", [](const CapabilityRequest& request) {
      return CapabilityAnswer{{group(request.graph, {"b"}, {"va"}, {"vb", "vb"})}, {}};
    });
    row("an output used outside is missing", nobody, "b", "leaves out output 'va'",
        [](const CapabilityRequest& request) {
          return CapabilityAnswer{{group(request.graph, {"a", "b"}, {"x"}, {"vb"})}, {}};
        });
    row("a graph output is missing", nobody, "c", "leaves out output 'vb'", [](const CapabilityRequest& request) {
      return CapabilityAnswer{{group(request.graph, {"b", "c"}, {"va"}, {"vc"})}, {}};
    });
    row("not convex", nobody, "a", "Add 'a' -> Sigmoid 'b' -> Tanh 'c' -> Add 'd'",
        [](const CapabilityRequest& request) { return CapabilityAnswer{{group(request.graph, {"a", "d"})}, {}}; });
    row("an exception", nobody, "b", "threw an exception: out of cheese",
        [](const CapabilityRequest&) -> CapabilityAnswer { throw std::runtime_error("out of cheese"); });
    row("any exception", nobody, "b", "no std::exception",
        [](const CapabilityRequest&) -> CapabilityAnswer { throw 42; });
    row("silence", nobody, "b", "gave no reason", [](const CapabilityRequest&) { return CapabilityAnswer{}; });
  }
  void nonsense() {
    QFETCH(Answer, answer);
    QFETCH(QString, placements);
    QFETCH(QString, node);
    QFETCH(QString, reason);
    Model model = parsed(kChain);
    const Outcome outcome =
        partitioned(model, with(answering([answer](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
                      return answer(request);
                    })));
    QCOMPARE(outcome.placements, placements);
    for (const NodePlacement& each : outcome.partition.report.nodes)
      QCOMPARE(each.answers.size(), size_t{2});
    std::string told;
    for (const std::string& warning : outcome.partition.report.warnings)
      told += warning + "\n";
    if (node.isEmpty()) {
      QVERIFY2(QString::fromStdString(told).contains(reason), told.c_str());
      return;
    }
    const ProviderAnswer& seen = outcome.npu.at(node.toStdString());
    QVERIFY2(QString::fromStdString(seen.reason).contains(reason), seen.reason.c_str());
    if (!reason.isEmpty() && !reason.contains("gave no reason"))
      QVERIFY2(!told.empty() && !seen.rule.empty(), told.c_str());
  }

  void anErrorTakesNothingAndIsTold() {
    Model model = parsed(kChain);
    const Outcome outcome = partitioned(model, with(answering([](const CapabilityRequest&) -> Result<CapabilityAnswer> {
                                          return fail(ErrorCode::kEpFail, "the driver is asleep");
                                        })));
    QCOMPARE(outcome.placements, QString("a:cpu b:cpu c:cpu d:cpu"));
    for (const auto& [node, answer] : outcome.npu) {
      QCOMPARE(answer.cause, RefusalCause::kBadAnswer);
      QVERIFY(answer.reason.find("the driver is asleep") != std::string::npos);
    }
    QCOMPARE(outcome.partition.report.warnings.size(), size_t{1});
  }

  void groupsThatCloseACycleTogetherLoseTheSmallOne() {
    // {a1, a2, a3} and {b1, b2} are convex each; together they form a circle.
    Model model = parsed(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x, float[2] z) => (float[2] y, float[2] w) {
  [a1] v1 = Relu (x)
  [b1] w = Tanh (v1)
  [b2] v3 = Tanh (z)
  [a2] v4 = Relu (v3)
  [a3] y = Relu (v4)
})");
    const Outcome outcome = partitioned(
        model, with(answering([](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
          return CapabilityAnswer{{group(request.graph, {"b1", "b2"}), group(request.graph, {"a1", "a2", "a3"})}, {}};
        })));
    QCOMPARE(outcome.placements, QString("a1:npu b1:cpu b2:cpu a2:npu a3:npu"));
    QCOMPARE(outcome.npu.at("b1").verdict, Verdict::kGroupRejected);
    QCOMPARE(outcome.npu.at("b1").cause, RefusalCause::kCycle);
  }

  void smallGroupsGoOn() {
    Model model = parsed(kChain);
    const Outcome outcome =
        partitioned(model, with(answering([](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
                      return CapabilityAnswer{{group(request.graph, {"a"}), group(request.graph, {"b", "c"})}, {}};
                    })),
                    {.minimumGroupNodes = 2});
    QCOMPARE(outcome.placements, QString("a:cpu b:npu c:npu d:cpu"));
    QCOMPARE(outcome.npu.at("a").cause, RefusalCause::kTooSmall);
    QVERIFY(!outcome.npu.at("a").remedy.empty());
    QVERIFY(outcome.partition.report.warnings.empty());
  }

  void compileThatFails_data() {
    QTest::addColumn<Compile>("compile");
    QTest::addColumn<QString>("reason");
    QTest::newRow("error") << Compile([](std::span<const FusedSubGraph>,
                                         const Progress&) -> Result<std::vector<CompiledNode>> {
      return fail(ErrorCode::kEpFail, "too hot");
    }) << "too hot";
    QTest::newRow("exception") << Compile([](std::span<const FusedSubGraph>,
                                             const Progress&) -> Result<std::vector<CompiledNode>> {
      throw std::runtime_error("too cold");
    }) << "too cold";
    QTest::newRow("no kernel") << Compile([](std::span<const FusedSubGraph>,
                                             const Progress&) -> Result<std::vector<CompiledNode>> {
      return std::vector<CompiledNode>{CompiledNode{}};
    }) << "gave no kernel";
    QTest::newRow("two kernels") << Compile([](std::span<const FusedSubGraph>,
                                               const Progress&) -> Result<std::vector<CompiledNode>> {
      return std::vector<CompiledNode>(2);
    }) << "gave 2 kernels for one group";
    QTest::newRow("none") << Compile([](std::span<const FusedSubGraph>,
                                        const Progress&) -> Result<std::vector<CompiledNode>> {
      return std::vector<CompiledNode>();
    }) << "gave 0 kernels for one group";
  }
  void compileThatFails() {
    QFETCH(Compile, compile);
    QFETCH(QString, reason);
    TestProviderPlan plan = answering([](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
      return CapabilityAnswer{{group(request.graph, {"b", "c"})}, {}};
    });
    plan.onCompile = compile;
    Model model = parsed(kChain);
    const Outcome outcome = partitioned(model, with(std::move(plan)));
    QCOMPARE(outcome.placements, QString("a:cpu b:cpu c:cpu d:cpu"));
    QCOMPARE(outcome.npu.at("b").verdict, Verdict::kCompileFailed);
    QVERIFY2(QString::fromStdString(outcome.npu.at("c").reason).contains(reason), outcome.npu.at("c").reason.c_str());
    QCOMPARE(outcome.partition.report.warnings.size(), size_t{1});
  }

  void withoutCompilingGroupsAreFusedAllTheSame() {
    TestProviderPlan plan = answering([](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
      return CapabilityAnswer{{group(request.graph, {"b", "c"})}, {}};
    });
    plan.onCompile = [](std::span<const FusedSubGraph>, const Progress&) -> Result<std::vector<CompiledNode>> {
      qFatal("compile was called");
    };
    Model model = parsed(kChain);
    const Outcome outcome = partitioned(model, with(std::move(plan)), {.compile = false});
    QCOMPARE(outcome.placements, QString("a:cpu b:npu c:npu d:cpu"));
    QVERIFY(model.graph.findNode("npu_g_0").valid());
    QCOMPARE(outcome.partition.compiled.at("npu_g_0").kernel->variant(), std::string_view("not compiled"));
  }

  void aNodeOfTheSameNameKeepsIt() {
    Model model = parsed(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x) => (float[2] y) { [npu_g_0] h = Relu (x) [b] y = Tanh (h) })");
    const Outcome outcome =
        partitioned(model, with(answering([](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
                      return CapabilityAnswer{{group(request.graph, {"b"})}, {}};
                    })));
    QCOMPARE(outcome.partition.compiled.begin()->first, std::string("npu_g_1"));
    QVERIFY(model.graph.findNode("npu_g_0").valid() && model.graph.findNode("npu_g_1").valid());
  }

  void aContextNodeIsNeverOffered() {
    // Whoever claims one all the same - it can be seen in the graph - loses the claim whole.
    const char* text = R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
main (float[2] x) => (float[2] y) <float[2] h> { [ctx] h = com.microsoft.EPContext <main_context = 1, source = "dsp", ep_cache_context = "bytes"> (x) [b] y = Tanh (h) })";
    const auto offered = std::make_shared<std::vector<std::string>>();
    Model model = parsed(text);
    const Outcome outcome =
        partitioned(model, with(answering([offered](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
                      for (const NodeId id : request.free)
                        offered->push_back(request.graph.node(id).name);
                      return CapabilityAnswer{{group(request.graph, {"ctx", "b"})}, {}};
                    })),
                    {.runnable = false});
    QCOMPARE(*offered, std::vector<std::string>({"b"}));
    QCOMPARE(outcome.placements, QString("ctx: b:cpu"));
    QCOMPARE(outcome.npu.at("b").verdict, Verdict::kGroupRejected);
    QVERIFY2(outcome.npu.at("b").reason.find("EPContext 'ctx' in the group was not offered") != std::string::npos,
             outcome.npu.at("b").reason.c_str());
    QCOMPARE(outcome.npu.at("ctx").verdict, Verdict::kRefused);
    QVERIFY2(outcome.npu.at("ctx").reason.find("dsp") != std::string::npos, outcome.npu.at("ctx").reason.c_str());
  }

  void aGroupTakesTheBodiesOfItsNodes() {
    const char* text = R"(<ir_version: 8, opset_import: ["" : 17]>
main (bool[] cond, float[2] x) => (float[2] y) {
  [choose] y = If <then_branch = yes () => (float[2] t) { [inner] u = Relu (x) [more] t = Tanh (u) }, else_branch = no () => (float[2] e) { [other] e = Tanh (x) }> (cond)
})";
    const auto claimAll = [](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
      CapabilityAnswer answer;
      for (const char* name : {"choose", "inner"}) {
        if (request.graph.findNode(name).valid()) answer.claims.push_back(group(request.graph, {name}));
      }
      return answer;
    };
    Model model = parsed(text);
    const Outcome outcome = partitioned(model, with(answering(claimAll)), {.compile = false});
    QCOMPARE(outcome.placements, QString("choose:npu inner:npu more:npu other:npu"));
    QCOMPARE(outcome.partition.compiled.size(), size_t{1});
    const std::string fusedName = outcome.partition.compiled.begin()->first;
    QCOMPARE(outcome.partition.report.groups.size(), size_t{3});
    for (const GroupReport& each : outcome.partition.report.groups)
      QCOMPARE(each.name, fusedName);

    // Somebody asked before has a node of a body: it keeps it.
    Model contested = parsed(text);
    Providers providers;
    providers.push_back(makeTestProvider({.name = "dsp",
                                          .groups = {{"other"}},
                                          .singles = {},
                                          .groupOperators = {},
                                          .failing = {},
                                          .innerKernels = kernelsOfCpu()}));
    providers.push_back(makeTestProvider(answering(claimAll)));
    providers.push_back(*cpuProvider().create({}));
    const Outcome kept = partitioned(contested, providers, {.compile = false});
    QCOMPARE(kept.placements, QString("choose:cpu inner:npu more:cpu other:dsp"));
    QVERIFY2(kept.npu.at("choose").reason.find("Tanh 'other', which dsp has taken") != std::string::npos,
             kept.npu.at("choose").reason.c_str());
  }

  void cancelEndsAProviderThatHangs_data() {
    QTest::addColumn<bool>("inCompile");
    QTest::newRow("in capability") << false;
    QTest::newRow("in compile") << true;
  }
  void cancelEndsAProviderThatHangs() {
    QFETCH(bool, inCompile);
    const auto latch = std::make_shared<Latch>();
    const auto ended = std::make_shared<std::atomic<bool>>(false);
    TestProviderPlan plan = answering([latch, inCompile](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
      if (inCompile) return CapabilityAnswer{{group(request.graph, {"b", "c"})}, {}};
      latch->wait();
      // What it was asked about is still there.
      const bool there = request.graph.findNode("b").valid() && !request.free.empty() && request.progress.cancelled();
      latch->left = there;
      return CapabilityAnswer{};
    });
    plan.onCompile = [latch](std::span<const FusedSubGraph> groups,
                             const Progress& progress) -> Result<std::vector<CompiledNode>> {
      latch->wait();
      const bool there =
          groups[0].graph.findNode("b").valid() && groups[0].model.graph.findNode("a").valid() && progress.cancelled();
      latch->left = there;
      return fail(ErrorCode::kEpFail, "late");
    };
    plan.onEnd = [ended] { *ended = true; };
    {
      Model model = parsed(kChain);
      Providers providers = with(std::move(plan));
      const CancelToken token;
      Progress progress(token);
      std::thread canceller([&] {
        while (!latch->reached)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        token.cancel();
      });
      const Result<partition::Partition> partition = partition::partitionModel(model, providers, {}, progress);
      canceller.join();
      QVERIFY(!partition);
      QCOMPARE(partition.error().code, ErrorCode::kModelLoadCanceled);
      disposeProviders(std::move(providers));
    }
    QVERIFY2(!*ended, "the provider must live as long as the call that hangs in it");
    latch->unlock();
    QTRY_VERIFY(*ended);
    QVERIFY2(latch->left, "what the call was given must still be there");
  }

  void cancelThatAProviderHeedsIsQuiet() {
    Model model = parsed(kChain);
    const CancelToken token;
    Progress progress(token);
    Providers providers = with(answering([token](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
      token.cancel();
      while (!request.progress.cancelled())
        std::this_thread::yield();
      return CapabilityAnswer{};
    }));
    const Result<partition::Partition> partition = partition::partitionModel(model, providers, {}, progress);
    QVERIFY(!partition);
    QCOMPARE(partition.error().code, ErrorCode::kModelLoadCanceled);
    QVERIFY2(model.graph.findNode("b").valid(), "nothing was abandoned: the model is the caller's again");
  }
};

QTEST_GUILESS_MAIN(TestBadAnswers)
#include "tst_bad_answers.moc"
