// The memory budget of a provider, the statistics it may be counted from, and sizes of open dimensions for the
// estimate.
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/stages/partition/node_memory.h"
#include "tests/unit/engine/stages/partition/partition_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

// Each node writes 1024 bytes: 1536 with the half on top. b reads 1024 bytes of constant, which c reads again.
constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n,64] x) => (float[n,64] y) {
  [a] va = Relu (x)
  [b] vb = Sigmoid (va)
  [c] vc = Tanh (vb)
  [d] y = Add (vc, va)
})";

Providers npuAndCpu() {
  return withCpu({taking("npu", {"Relu", "Sigmoid", "Tanh", "Add", "MatMul"}, true)});
}

partition::PartitionOptions budget(std::string text, std::string shapes = "x:[4,64]") {
  partition::PartitionOptions options;
  options.rules.memoryBudget = std::move(text);
  options.rules.shapeOverride = std::move(shapes);
  return options;
}

QString written(const QTemporaryDir& folder, const char* name, const QByteArray& text) {
  QFile file(folder.filePath(name));
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
  return file.fileName();
}

}  // namespace

class TestBudget : public QObject {
  Q_OBJECT
 private slots:
  void claimsEndWhenTheBudgetIsSpent_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("expected");
    QTest::newRow("nothing fits") << "1," << "a:cpu b:cpu c:cpu d:cpu";
    QTest::newRow("two fit") << "3," << "a:npu b:npu c:cpu d:cpu";
    QTest::newRow("all fit exactly") << "6," << "a:npu b:npu c:npu d:npu";
    QTest::newRow("no limit") << "," << "a:npu b:npu c:npu d:npu";
  }
  void claimsEndWhenTheBudgetIsSpent() {
    QFETCH(QString, settings);
    QFETCH(QString, expected);
    Model model = resolved(kChain);
    const Result<partition::Partition> made = partitioned(model, npuAndCpu(), budget(settings.toStdString()));
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), expected);
  }

  void theReasonShowsSumAndLimit() {
    Model model = resolved(kChain);
    const Result<partition::Partition> made = partitioned(model, npuAndCpu(), budget("3,"));
    CUTAWAY_VERIFY(made);
    const ProviderAnswer& answer = answerOf(*made, "c", "npu");
    QCOMPARE(answer.verdict, Verdict::kReleased);
    QCOMPARE(answer.cause, RefusalCause::kMemory);
    QCOMPARE(answer.reason,
             std::string("the memory budget is spent: 3072 of 3072 bytes are taken, and this claim needs 1536"));
    QCOMPARE(answerOf(*made, "d", "npu").reason,
             std::string("the memory budget is spent: 3072 of 3072 bytes are taken, and claims ended with an earlier "
                         "one that needed 1536"));
    QCOMPARE(answer.remedy, std::string("a limit of at least 5 KB"));
  }

  // Without a size for n nothing is known of the outputs, and everything fits.
  void openDimensionsCountWithTheirOverrideOnly() {
    Model model = resolved(kChain);
    const Result<partition::Partition> made = partitioned(model, npuAndCpu(), budget("1,", ""));
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("a:npu b:npu c:npu d:npu"));
    QVERIFY(!(*model.graph.value(model.graph.inputs()[0]).type.shape)[0].isKnown());
  }

  void initializersCountOnce() {
    // w has 64 bytes, each output 16: (64 + 16) * 1.5 = 120, then 24; 144 bytes fit twice into a KB only when w counts
    // once.
    const char* text = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[64,4] x) => (float[64,4] z) <float[4,4] w = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}> {
  [first] y = MatMul (x, w)
  [second] z = MatMul (y, w)
})";
    Model model = resolved(text);
    // 1.5 * (1024 + 64) + 1.5 * 1024 = 3168 bytes; counted twice, w would make it 3264.
    const Result<partition::Partition> tight = partitioned(model, npuAndCpu(), budget("3,", ""));
    CUTAWAY_VERIFY(tight);
    QCOMPARE(answerOf(*tight, "second", "npu").seen, std::string("1632 + 1536 bytes"));
  }

  void statisticsOverrideTheEstimate() {
    QTemporaryDir folder;
    const QString file = written(folder, "stats.csv",
                                 "#comment\nname,input_sizes,initializers_sizes,total_dynamic_sizes,total_temp_"
                                 "allocations\na,0,0,100,24\nb,0,0,900,1\nc,0,0,0,0\nd,0,0,0,0\n");
    Model model = resolved(kChain);
    const Result<partition::Partition> made = partitioned(model, npuAndCpu(), budget("1," + file.toStdString()));
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("a:npu b:cpu c:cpu d:cpu"));
    QCOMPARE(answerOf(*made, "b", "npu").seen, std::string("124 + 901 bytes"));
  }

  void mistakesAreNamed_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("shapes");
    QTest::addColumn<QString>("message");
    QTest::newRow("no comma") << "100" << ""
                              << "session.resource_cuda_partitioning_settings is written as limit_in_KB,stats_file "
                                 "(either may be empty), not '100'";
    QTest::newRow("no number")
        << "big," << ""
        << "session.resource_cuda_partitioning_settings: the limit before the comma is a number of KB, not 'big'";
    QTest::newRow("no file")
        << ",/nowhere/stats.csv" << ""
        << "the file of node statistics '/nowhere/stats.csv' cannot be read: there is no file '/nowhere/stats.csv'";
    QTest::newRow("shape grammar") << "1," << "x=4"
                                   << "session.max_shape_override: 'x=4' is not written as input:[size,size]";
    QTest::newRow("no input") << "1," << "q:[4]" << "session.max_shape_override: 'q' is no input of the model";
    QTest::newRow("rank") << "1," << "x:[4]" << "session.max_shape_override: input 'x' has 2 dimensions";
    QTest::newRow("another size") << "1," << "x:[4,65]"
                                  << "session.max_shape_override: dimension 1 of input 'x' is 64, not 65";
    QTest::newRow("no size") << "1," << "x:[4,k]" << "session.max_shape_override: 'k' of input 'x' is no size";
  }
  void mistakesAreNamed() {
    QFETCH(QString, settings);
    QFETCH(QString, shapes);
    QFETCH(QString, message);
    Model model = resolved(kChain);
    const Result<partition::Partition> made =
        partitioned(model, npuAndCpu(), budget(settings.toStdString(), shapes.toStdString()));
    QVERIFY(!made);
    QCOMPARE(QString::fromStdString(made.error().message), message);
  }

  void damagedStatisticsNameTheLine() {
    QTemporaryDir folder;
    const QString file = written(folder, "stats.csv", "a,0,0,100,24\nb,0,x,900,1\n");
    const Result<partition::NodeStatistics> read = partition::readNodeStatistics(file.toStdString());
    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::kInvalidArgument);
    QCOMPARE(read.error().message,
             std::string("line 2: 'x' is no number of bytes; the columns are "
                         "name,input_sizes,initializers_sizes,total_dynamic_sizes,total_temp_allocations"));
  }

  void aBudgetNeedsSomebodyWithMemoryOfItsOwn() {
    Model model = resolved(kChain);
    const Result<partition::Partition> made = partitioned(model, withCpu({taking("npu", {"Relu"})}), budget("1,"));
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::kInvalidArgument);
  }

  void statisticsAreWrittenAndReadBack() {
    QTemporaryDir folder;
    partition::PartitionOptions options;
    options.rules.nodeStatsFile = folder.filePath("out.csv").toStdString();
    options.rules.shapeOverride = "x:[4,64]";
    Model model = resolved(kChain);
    const Result<partition::Partition> made = partitioned(model, npuAndCpu(), options);
    CUTAWAY_VERIFY(made);
    const Result<partition::NodeStatistics> read = partition::readNodeStatistics(options.rules.nodeStatsFile);
    CUTAWAY_VERIFY(read);
    QCOMPARE(read->size(), size_t{4});
    QCOMPARE(read->at("d").inputs, int64_t{2048});
    QCOMPARE(read->at("d").outputs, int64_t{1024});
  }
};

QTEST_GUILESS_MAIN(TestBudget)
#include "tst_budget.moc"
