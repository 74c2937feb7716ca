// The node partition file: written when it is not there, obeyed when it is, refused with its place when it is
// malformed.
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

#include "tests/unit/engine/stages/partition/partition_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,4] x) => (float[2,4] y) {
  [a] va = Relu (x)
  [b] vb = Sigmoid (va)
  [c] vc = Tanh (vb)
  [d] y = Add (vc, va)
})";

Result<partition::Partition> withFile(const QString& file) {
  Model model = resolved(kChain);
  partition::PartitionOptions options;
  options.rules.partitionFile = file.toStdString();
  return partitioned(model, withCpu({taking("npu", {"Relu", "Tanh"}), taking("gpu", {"Relu", "Sigmoid", "Tanh"})}),
                     options);
}

QString written(const QTemporaryDir& folder, const QString& text) {
  QFile file(folder.filePath("streams.json"));
  if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0) qFatal("cannot write");
  return file.fileName();
}

}  // namespace

class TestStreamFile : public QObject {
  Q_OBJECT
 private slots:
  void aMissingFileIsWrittenAndGivesTheSameAgain() {
    QTemporaryDir folder;
    const QString file = folder.filePath("streams.json");
    const Result<partition::Partition> first = withFile(file);
    CUTAWAY_VERIFY(first);
    QCOMPARE(placements(*first), QString("a:npu b:gpu c:npu d:cpu"));
    QFile text(file);
    QVERIFY(text.open(QIODevice::ReadOnly));
    QByteArray json = text.readAll();
    json.replace('\n', "").replace(' ', "");
    QCOMPARE(
        json,
        QByteArray(
            R"({"devices":["npu","gpu","cpu"],"streams":[["a","c"],["b"],["d"]],"type":"DeviceBasedPartitioner"})"));
    const Result<partition::Partition> again = withFile(file);
    CUTAWAY_VERIFY(again);
    QCOMPARE(placements(*again), placements(*first));
  }

  void aFileDecides() {
    QTemporaryDir folder;
    const Result<partition::Partition> made = withFile(written(
        folder,
        R"({"type": "DeviceBasedPartitioner", "streams": [["a"], ["c"], ["d"]], "devices": ["1", "cpu", "npu"]})"));
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("a:gpu b:gpu c:cpu d:cpu"));
    QCOMPARE(answerOf(*made, "a", "npu").reason, std::string("not asked: kept for gpu by stream 0 of streams.json"));
    QVERIFY(joined(made->report.warnings)
                .contains("stream 2 of streams.json cannot be kept: npu does not support Add 'd'"));
  }

  void mistakesNameTheirPlace_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("no JSON") << "{\n \"type\": nonsense" << "line 2, column 11: this is not JSON";
    QTest::newRow("empty") << "" << "line 1, column 1: this is not JSON";
    QTest::newRow("a list") << "[]" << "the file: an object with type, streams and devices is expected";
    QTest::newRow("type") << R"({"type": "Other", "streams": [], "devices": []})"
                          << "type: must be \"DeviceBasedPartitioner\"";
    QTest::newRow("member") << R"({"type": "DeviceBasedPartitioner", "streams": [], "devices": [], "extra": 1})"
                            << "extra: there is no such member; there are type, streams, devices";
    QTest::newRow("no streams") << R"({"type": "DeviceBasedPartitioner", "devices": []})"
                                << "streams: a list is expected";
    QTest::newRow("numbers differ") << R"({"type": "DeviceBasedPartitioner", "streams": [["a"]], "devices": []})"
                                    << "devices: 0 devices for 1 streams; each stream needs one";
    QTest::newRow("stream") << R"({"type": "DeviceBasedPartitioner", "streams": ["a"], "devices": ["cpu"]})"
                            << "streams[0]: a list of node names is expected";
    QTest::newRow("name") << R"({"type": "DeviceBasedPartitioner", "streams": [["a", 3]], "devices": ["cpu"]})"
                          << "streams[0][1]: the name of a node is expected";
    QTest::newRow("twice")
        << R"({"type": "DeviceBasedPartitioner", "streams": [["a"], ["b", "a"]], "devices": ["cpu", "gpu"]})"
        << "streams[1][1]: node 'a' is in two places";
    QTest::newRow("device kind") << R"({"type": "DeviceBasedPartitioner", "streams": [["a"]], "devices": [0]})"
                                 << "devices[0]: a text is expected";
    QTest::newRow("device not here") << R"({"type": "DeviceBasedPartitioner", "streams": [["a"]], "devices": ["fpga"]})"
                                     << "devices[0]: no provider of this session is a 'fpga'";
  }
  void mistakesNameTheirPlace() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    QTemporaryDir folder;
    const Result<partition::Partition> made = withFile(written(folder, text));
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::kInvalidArgument);
    QCOMPARE(QString::fromStdString(made.error().message), message);
    QVERIFY(made.error().where.file.ends_with("streams.json"));
  }
};

QTEST_GUILESS_MAIN(TestStreamFile)
#include "tst_stream_file.moc"
