// Lists as the user wrote them: the provider that takes the rest before others, what later ones say of taken nodes, and
// devices weighed with their transfers where auto chose them.
#include <QtTest/QtTest>

#include "engine/stages/partition/island_weight.h"
#include "tests/unit/engine/stages/partition/partition_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2,3] x) => (float[2,3] y) { [a] p = Relu (x) [b] q = Neg (p) [c] y = Tanh (q) })";

QString order(const partition::Partition& made) {
  QStringList names;
  for (const ProviderSummary& provider : made.report.providers)
    names << QString::fromStdString(provider.name);
  return names.join(' ');
}

class Gpu final : public ExecutionProvider {
 public:
  explicit Gpu(DeviceSpeed speed, DeviceType type = DeviceType::kGpu) : m_device{type, 0, "gpu"}, m_speed(speed) {
    if (type == DeviceType::kCpu) m_device = heapAllocator().device();
  }
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return m_device; }
  Allocator& allocator() override { return heapAllocator(); }
  std::optional<DeviceSpeed> speed() const override { return m_speed; }

 private:
  std::string m_name = "gpu";
  Device m_device;
  DeviceSpeed m_speed;
};

constexpr DeviceSpeed kFast{.flopsPerSecond = 1e13,
                            .memoryBytesPerSecond = 1e12,
                            .linkBytesPerSecond = 1e10,
                            .launchNs = 5000,
                            .transferNs = 10000};

// Every node of the model is a claim of its own. The names of those that go back.
QString given(const char* text, const ExecutionProvider& provider, std::vector<Refusal>* refusals = nullptr,
              const std::set<std::string>& claimed = {}) {
  const Model model = resolved(text);
  std::vector<ComputeCapability> claims;
  for (const NodeId id : model.graph.nodeIds())
    if (claimed.empty() || claimed.contains(model.graph.node(id).name))
      claims.push_back({.subGraph = {.nodes = {id}, .metaDef = std::nullopt}});
  std::vector<char> wanted(claims.size(), 1);
  std::vector<Refusal> released = partition::weighIslands({model.graph, provider, 2}, claims, wanted);
  QStringList names;
  for (const Refusal& each : released)
    names << QString::fromStdString(model.graph.node(each.node).name);
  if (refusals != nullptr) *refusals = std::move(released);
  return names.join(' ');
}

constexpr const char* kLarge = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2048,2048] x, float[2048,2048] z) => (float[2048,2048] y) { [a] p = MatMul (x, z) [b] y = MatMul (p, z) })";
constexpr const char* kOpen = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[n,2048] x, float[2048,2048] z) => (float[n,2048] y) { [a] y = MatMul (x, z) })";

}  // namespace

class TestListOrder : public QObject {
  Q_OBJECT
 private slots:
  void theListIsAskedAsItIsWritten_data() {
    QTest::addColumn<int>("behind");
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("placements");
    QTest::newRow("cpu last") << 0 << "one two cpu" << "a:one b:two c:cpu";
    QTest::newRow("cpu second") << 1 << "one cpu two" << "a:one b:cpu c:cpu";
    QTest::newRow("cpu first") << 2 << "cpu one two" << "a:cpu b:cpu c:cpu";
    QTest::newRow("more than there are") << 9 << "cpu one two" << "a:cpu b:cpu c:cpu";
  }
  void theListIsAskedAsItIsWritten() {
    QFETCH(int, behind);
    Model model = resolved(kChain);
    const auto made = partitioned(model, withCpu({taking("one", {"Relu"}), taking("two", {"Neg"})}),
                                  {.behindLast = static_cast<size_t>(behind)});
    CUTAWAY_VERIFY(made);
    QTEST(order(*made), "order");
    QTEST(placements(*made), "placements");
  }

  void aPinReachesWhoStandsBehindCpu() {
    Model model = resolved(kChain);
    const auto made =
        partitioned(model, withCpu({taking("one", {"Relu"})}),
                    {.pins = {{.kind = NodePin::Kind::kNode, .pattern = "a", .provider = "one"}}, .behindLast = 1});
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("a:one b:cpu c:cpu"));
  }

  void whatIsKeptAndRefusedBehindCpuIsTheRest() {
    Model model = resolved(kChain);
    TestProviderPlan failing = taking("one", {"Relu"});
    failing.failing = {"a"};
    const auto made = partitioned(model, withCpu({std::move(failing)}),
                                  {.pins = {{.kind = NodePin::Kind::kNode, .pattern = "a", .provider = "one"},
                                            {.kind = NodePin::Kind::kNode, .pattern = "b", .provider = "one"}},
                                   .behindLast = 1});
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("a:cpu b:cpu c:cpu"));
  }

  void forbiddenFallbackMeansCpuWhereverItStands() {
    Model model = resolved(kChain);
    const auto made = partitioned(model, withCpu({taking("one", {"Relu", "Neg", "Tanh"})}),
                                  {.disableCpuFallback = true, .behindLast = 1});
    QVERIFY(!made);
    QVERIFY2(made.error().message.find("3 of 3 nodes would run on the CPU") != std::string::npos,
             made.error().message.c_str());
  }

  void whoComesLaterSaysWhatItWouldHaveTaken() {
    Model model = resolved(kChain);
    const Providers providers = withCpu({taking("one", {"Relu", "Tanh"}), taking("two", {"Relu", "Neg"})});
    const auto made = partitioned(model, providers, {.askAboutTaken = true});
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("a:one b:two c:one"));
    const ProviderAnswer& would = answerOf(*made, "a", "two");
    QCOMPARE(would.verdict, Verdict::kAlreadyTaken);
    QCOMPARE(would.reason, std::string("already taken by one; two would have taken it"));
    const ProviderAnswer& wouldNot = answerOf(*made, "c", "two");
    QCOMPARE(wouldNot.verdict, Verdict::kAlreadyTaken);
    QCOMPARE(wouldNot.reason,
             std::string("already taken by one; two would have refused it: the test did not ask for Tanh"));
    QCOMPARE(wouldNot.cause, RefusalCause::kOperator);
    QCOMPARE(answerOf(*made, "a", "cpu").reason, std::string("already taken by one; cpu would have taken it"));
    // It is said and nothing else: the same without the question.
    Model again = resolved(kChain);
    const auto plain = partitioned(again, providers, {});
    CUTAWAY_VERIFY(plain);
    QCOMPARE(placements(*plain), placements(*made));
    QCOMPARE(plain->report.groups.size(), made->report.groups.size());
    for (size_t i = 0; i < plain->report.groups.size(); ++i)
      QCOMPARE(plain->report.groups[i].name, made->report.groups[i].name);
    QCOMPARE(answerOf(*plain, "a", "two").reason, std::string("already taken by one"));
  }

  void aProviderThatFailsSaysNothingOfTakenNodes() {
    Model model = resolved(kChain);
    TestProviderPlan failing = taking("two", {});
    failing.answer = [](const CapabilityRequest&) -> Result<CapabilityAnswer> { throw std::runtime_error("no"); };
    const auto made = partitioned(model, withCpu({taking("one", {"Relu", "Neg", "Tanh"}), std::move(failing)}),
                                  {.askAboutTaken = true});
    CUTAWAY_VERIFY(made);
    QCOMPARE(answerOf(*made, "a", "two").reason, std::string("already taken by one"));
  }

  void islandsAreWeighed_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("flopsPerSecond");
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("why");
    QTest::newRow("much work, few transfers") << kLarge << 1e13 << "" << "";
    QTest::newRow("a device no faster than the host") << kLarge << 1.2e11 << "a b" << "estimated ";
    QTest::newRow("hardly any work") << kChain << 1e13 << "a b c" << "2 transfers of 48 bytes";
    QTest::newRow("open sizes") << kOpen << 1e13 << "a" << "sizes are open";
    QTest::newRow("a device of unknown speed") << kLarge << 0.0 << "a b" << "does not say how fast";
  }
  void islandsAreWeighed() {
    QFETCH(QString, text);
    QFETCH(double, flopsPerSecond);
    QFETCH(QString, why);
    DeviceSpeed speed = kFast;
    speed.flopsPerSecond = flopsPerSecond;
    std::vector<Refusal> refusals;
    QTEST(given(text.toUtf8().constData(), Gpu(speed), &refusals), "given");
    for (const Refusal& each : refusals) {
      QCOMPARE(each.cause, RefusalCause::kPlacement);
      QVERIFY2(each.reason.find(why.toStdString()) != std::string::npos, each.reason.c_str());
    }
  }

  void whatLiesBetweenIslandsIsCarried() {
    // In one piece the chain pays; with a node of another provider in its middle both halves carry their borders.
    const char* chain = R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[512,512] x, float[512,512] z) => (float[512,512] y)
        { [a] p = MatMul (x, z) [b] q = Relu (p) [c] y = MatMul (q, z) })";
    DeviceSpeed speed = kFast;
    speed.linkBytesPerSecond = 1.6e9;  // 0.7 ms for each 1 MiB
    QCOMPARE(given(chain, Gpu(speed)), QString());
    QCOMPARE(given(chain, Gpu(speed), nullptr, {"a", "c"}), QString("a c"));
  }

  void valuesInHostMemoryNeedNoWeighing() { QCOMPARE(given(kChain, Gpu(kFast, DeviceType::kCpu)), QString()); }
};

QTEST_GUILESS_MAIN(TestListOrder)
#include "tst_list_order.moc"
