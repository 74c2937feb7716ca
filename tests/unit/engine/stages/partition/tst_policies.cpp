// Policies over a finished assignment: CPU fallback forbidden, and the one line about nodes that are not where they
// were preferred.
#include <QtTest/QtTest>

#include "engine/session/configuration/session_config.h"
#include "tests/unit/engine/stages/partition/partition_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,4] x) => (float[2,4] y) {
  [a] va = Relu (x)
  [b] vb = Sigmoid (va)
  [c] y = Tanh (vb)
})";

}  // namespace

class TestPolicies : public QObject {
  Q_OBJECT
 private slots:
  void forbiddenCpuNamesNumberAndFirstNode() {
    Model model = resolved(kChain);
    partition::PartitionOptions options;
    options.disableCpuFallback = true;
    const Result<partition::Partition> made = partitioned(model, withCpu({taking("npu", {"Relu"})}), options);
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::kFail);
    QVERIFY(made.error().byPolicy);
    QCOMPARE(made.error().where.node, std::string("b"));
    QCOMPARE(made.error().message,
             std::string("2 of 3 nodes would run on the CPU, and session.disable_cpu_ep_fallback forbids that; the "
                         "first is Sigmoid; npu: the test did not ask for Sigmoid"));
  }

  void nothingOnTheCpuIsFine() {
    Model model = resolved(kChain);
    partition::PartitionOptions options;
    options.disableCpuFallback = true;
    const Result<partition::Partition> made =
        partitioned(model, withCpu({taking("npu", {"Relu", "Sigmoid", "Tanh"})}), options);
    CUTAWAY_VERIFY(made);
    QCOMPARE(made->report.warnings.size(), size_t{0});
  }

  void theKeyAndAListedCpuExcludeEachOther_data() {
    QTest::addColumn<QStringList>("providers");
    QTest::addColumn<bool>("refused");
    QTest::newRow("listed") << QStringList{"npu", "cpu"} << true;
    QTest::newRow("listed with options") << QStringList{"npu", "cpu{precision=f16}"} << true;
    QTest::newRow("not listed") << QStringList{"npu"} << false;
  }
  void theKeyAndAListedCpuExcludeEachOther() {
    QFETCH(QStringList, providers);
    QFETCH(bool, refused);
    session::SessionOptions options;
    for (const QString& each : providers)
      options.providers.push_back(each.toStdString());
    options.config["session.disable_cpu_ep_fallback"] = "1";
    const Result<session::SessionConfig> config = session::readSessionConfig(options, {cpuProvider()});
    QCOMPARE(!config, refused);
    if (refused) QCOMPARE(config.error().code, ErrorCode::kInvalidArgument);
    options.config["session.disable_cpu_ep_fallback"] = "0";
    QVERIFY(session::readSessionConfig(options, {cpuProvider()}));
  }

  void oneLineAboutNodesThatAreNotWhereTheyWerePreferred() {
    Model model = resolved(kChain);
    const Result<partition::Partition> made =
        partitioned(model, withCpu({taking("npu", {"Relu"}), taking("gpu", {"Tanh"})}));
    CUTAWAY_VERIFY(made);
    QCOMPARE(joined(made->report.warnings),
             QString("2 of 3 nodes are not on npu, the preferred provider: gpu 1, cpu 1"));
    Model again = resolved(kChain);
    const Result<partition::Partition> alone = partitioned(again, withCpu({}));
    CUTAWAY_VERIFY(alone);
    QCOMPARE(alone->report.warnings.size(), size_t{0});
  }
};

QTEST_GUILESS_MAIN(TestPolicies)
#include "tst_policies.moc"
