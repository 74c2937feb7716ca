// Shape arithmetic kept on the CPU: which single-node claims of a device move, and what keeps a node where it is.
#include <QtTest/QtTest>

#include "engine/graph/topology.h"
#include "engine/stages/partition/cpu_placement.h"
#include "tests/unit/engine/stages/partition/partition_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

// A device with kernels of the cpu table (whose Shape and Size leave their result in host memory), and a speed that the
// test chooses.
class FastDevice final : public ExecutionProvider {
 public:
  explicit FastDevice(DeviceSpeed speed = {.flopsPerSecond = 1e12,
                                           .memoryBytesPerSecond = 1e11,
                                           .linkBytesPerSecond = 1e10,
                                           .launchNs = 5000,
                                           .transferNs = 10000})
      : m_speed(speed) {}
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return m_device; }
  Allocator& allocator() override { return heapAllocator(); }
  const KernelRegistry* kernels() const override { return kernelsOfCpu(); }
  std::optional<DeviceSpeed> speed() const override { return m_speed; }

 private:
  std::string m_name = "gpu";
  Device m_device{DeviceType::kGpu, 0, "gpu"};
  DeviceSpeed m_speed;
};

QString moved(const char* text, const ExecutionProvider& provider, const std::set<std::string>& staying = {},
              std::vector<Refusal>* refusals = nullptr) {
  const Model model = resolved(text);
  const Result<std::vector<NodeId>> order = topologicalOrder(model.graph);
  std::vector<ComputeCapability> claims;
  for (const NodeId id : *order)
    claims.push_back({.subGraph = {.nodes = {id}, .metaDef = std::nullopt}});
  std::vector<char> wanted(claims.size(), 1);
  std::vector<Refusal> released =
      partition::keepShapeArithmeticOnHost({model.graph, *order, provider, *kernelsOfCpu(),
                                            [&](NodeId id) { return !staying.contains(model.graph.node(id).name); }},
                                           claims, wanted);
  QStringList names;
  for (size_t i = 0; i < claims.size(); ++i) {
    if (!wanted[i]) names << QString::fromStdString(model.graph.node(claims[i].subGraph.nodes.front()).name);
  }
  if (refusals != nullptr) *refusals = std::move(released);
  return names.join(' ');
}

// The usual pattern of exporters: a batch size taken from a shape, put together with constants, used to reshape.
constexpr const char* kReshape = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n,8,4] x) => (float[n,m] y) <int64[1] zero = {0}, int64[1] rest = {-1}> {
  [relu] r = Relu (x)
  [shape] s = Shape (r)
  [gather] g = Gather (s, zero)
  [concat] c = Concat <axis = 0> (g, rest)
  [reshape] y = Reshape (r, c)
})";

}  // namespace

class TestCpuPlacement : public QObject {
  Q_OBJECT
 private slots:
  void shapeArithmeticMoves() {
    std::vector<Refusal> refusals;
    QCOMPARE(moved(kReshape, FastDevice(), {}, &refusals), QString("gather concat"));
    QCOMPARE(refusals.size(), size_t{2});
    QCOMPARE(refusals[0].cause, RefusalCause::kPlacement);
    QCOMPARE(refusals[0].remedy, std::string("a pin of the node to gpu"));
    QVERIFY2(
        refusals[0].reason.find("0.5 µs there (0 transfers of 0 bytes back), 15.0 µs here (1 transfer of 24 bytes)") !=
            std::string::npos,
        refusals[0].reason.c_str());
  }

  void whatThePinWantsStays() { QCOMPARE(moved(kReshape, FastDevice(), {"gather"}), QString()); }

  void rules_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("a value made on the device") << R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64[3] x) => (int64[3] y) { [shape] s = Shape (x)  [neg] m = Neg (x)  [add] y = Add (m, s) })"
                                                << "";
    QTest::newRow("a graph input") << R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64[1] x) => (int64[1] y) { [shape] s = Shape (x)  [add] y = Add (x, s) })"
                                   << "shape add";
    QTest::newRow("a small constant") << R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64[3] x) => (int64[1] y) <int64[1] k = {3}> { [shape] s = Shape (x)  [add] y = Add (s, k) })"
                                      << "shape add";
    QTest::newRow("a narrow float") << R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64[3] x) => (float16[1] y) { [shape] s = Shape (x)  [cast] h = Cast <to = 10> (s)  [neg] y = Neg (h) })"
                                    << "shape cast";
    QTest::newRow("an input the kernel wants on the host") << R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[3] x) => (float[3] y) { [shape] s = Shape (x)  [expand] y = Expand (x, s) })"
                                                           << "";
    QTest::newRow("an operand that nobody else wants on the device") << R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[3] x, float[4] z) => (int64[1] y, float[4] m) { [shape] s = Shape (x)  [size] n = Size (x)  [add] y = Add (s, n)  [neg] m = Neg (z) })"
                                                                     << "shape size add";
    QTest::newRow("nothing of shapes") << R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[3] x) => (float[3] y) { [neg] n = Neg (x)  [abs] y = Abs (n) })"
                                       << "";
  }
  void rules() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(moved(text.toUtf8().constData(), FastDevice()), expected);
  }

  // A result of a megabyte that the device needs again costs more on the way back than computing there saves.
  void whatIsExpensiveToBringBackStays() {
    const char* text = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[1024,1024] x) => (float[1024,1024] y) <float[1] k = {3}> {
  [shape] s = Shape (x)
  [value] big = ConstantOfShape (s)
  [mul] r = Mul (x, x)
  [sqrt] q = Sqrt (r)
  [add] y = Add (q, big)
})";
    QCOMPARE(moved(text, FastDevice()), QString());
  }

  // The same node moves or stays by what the device says of itself.
  void theSpeedOfTheDeviceDecides() {
    QCOMPARE(moved(kReshape, FastDevice({.flopsPerSecond = 1e12,
                                         .memoryBytesPerSecond = 1e11,
                                         .linkBytesPerSecond = 1e12,
                                         .launchNs = 1,
                                         .transferNs = 1})),
             QString());
  }

  void aProviderInHostMemoryIsLeftAlone() {
    const std::unique_ptr<ExecutionProvider> cpu = *cpuProvider().create({});
    QCOMPARE(moved(kReshape, *cpu), QString());
  }
};

QTEST_GUILESS_MAIN(TestCpuPlacement)
#include "tst_cpu_placement.moc"
