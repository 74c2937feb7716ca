// Memory that a part of the walk was refused ends the walk with its message: whoever takes a failure for "not possible"
// would go on with another plan.
#include <new>

#include <QTest>

#include "engine/base/short_memory.h"
#include "tests/provider/test_provider.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kText = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x) => (float[2] y) <float[2] c = {1, 2}> {
  [negative] n = Neg (c)
  [sum] s = Add (x, n)
  [last] y = Relu (s)
})";

// Runs out of memory.
class Short final : public Kernel {
 public:
  Result<void> run(KernelContext& /*context*/) const override { return fail(noMemoryFor("scratch of a kernel", 4096)); }
};

Result<std::unique_ptr<Kernel>> makeShort(const KernelInfo&) {
  return std::make_unique<Short>();
}

constexpr KernelRow kRows[] = {{.opType = "Neg", .create = makeShort},
                               {.opType = "Add", .create = makeShort},
                               {.opType = "Relu", .create = makeShort}};

const KernelRegistry& shortKernels() {
  static constexpr KernelRows tables[] = {kRows};
  static const KernelRegistry kernels(tables);
  return kernels;
}

CapabilityAnswer everything(const CapabilityRequest& request) {
  CapabilityAnswer answer;
  for (const NodeId id : request.free)
    answer.claims.push_back({.subGraph = {.nodes = {id}, .metaDef = std::nullopt}});
  return answer;
}

TestProviderPlan g_plan;  // of the provider that the next session asks first

Result<std::unique_ptr<ExecutionProvider>> makePlanned(const ProviderRequest&) {
  return makeTestProvider(g_plan);
}

}  // namespace

class TestShortMemoryWalk : public QObject {
  Q_OBJECT

 private slots:
  void refusedMemoryEndsTheStage_data() {
    QTest::addColumn<TestProviderPlan>("plan");
    QTest::addColumn<QString>("says");
    QTest::addColumn<int>("stage");
    const int partition = static_cast<int>(Stage::kPartition), optimize = static_cast<int>(Stage::kOptimize);
    const QString block = "no memory for a block (4096 bytes): ";
    TestProviderPlan plan{.name = "asked"};
    plan.answer = [](const CapabilityRequest&) -> Result<CapabilityAnswer> {
      return fail(noMemoryFor("a block", 4096));
    };
    QTest::newRow("asking") << plan << block << partition;
    plan.answer = [](const CapabilityRequest&) -> Result<CapabilityAnswer> { throw std::bad_alloc(); };
    QTest::newRow("asking throws") << plan << "out of memory: " << partition;
    plan.answer = [](const CapabilityRequest&) -> Result<CapabilityAnswer> {
      static_cast<void>(noMemoryFor("a block", 4096));  // and it claims nothing
      return CapabilityAnswer{};
    };
    QTest::newRow("a claim is missing") << plan << block << partition;
    TestProviderPlan compiling{.name = "asked", .groups = {{"sum", "last"}}};
    compiling.onCompile = [](std::span<const FusedSubGraph>, const Progress&) -> Result<std::vector<CompiledNode>> {
      return fail(noMemoryFor("a block", 4096));
    };
    QTest::newRow("compiling") << compiling << block << partition;
    TestProviderPlan folding{.name = "cpu", .kernels = &shortKernels()};
    folding.answer = everything;
    QTest::newRow("computing constants") << folding << "no memory for scratch of a kernel (4096 bytes): " << optimize;
  }
  void refusedMemoryEndsTheStage() {
    QFETCH(TestProviderPlan, plan);
    QFETCH(QString, says);
    QFETCH(int, stage);
    g_plan = plan;
    ProviderTable table = cpuTable();
    session::SessionOptions options;
    ProviderEntry entry{.name = plan.name, .displayName = "Test", .description = "", .create = makePlanned};
    if (plan.name == "cpu") {
      entry.takesTheRest = true;
      table = {entry};
    } else {
      table.push_back(entry);
      options.providers = {plan.name};
    }
    std::shared_ptr<const WalkReport> last;
    const auto session =
        textSession(kText, options, [&](std::shared_ptr<const WalkReport> walk) { last = std::move(walk); }, &table);
    QVERIFY(!session);
    QVERIFY2(QString::fromStdString(session.error().message).contains(says), why(session).c_str());
    QVERIFY(last != nullptr && last->error);
    QCOMPARE(last->stages[static_cast<size_t>(stage)].state, StageState::kFailed);
  }
};

QTEST_GUILESS_MAIN(TestShortMemoryWalk)
#include "tst_short_memory_walk.moc"
