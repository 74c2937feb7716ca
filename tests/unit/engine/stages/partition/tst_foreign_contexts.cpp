// Binaries of EPContext nodes that others wrote: which format they have, and what can be said of their nodes.
#include <QtTest/QtTest>

#include "app/providers/provider_table.h"
#include "engine/stages/partition/context_probe.h"
#include "tests/unit/engine/stages/partition/context_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

class TestForeignContexts : public QObject {
  Q_OBJECT
 private slots:
  void formats_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("format");
    QTest::newRow("ours") << QByteArray("CUTAWAY\0\1\0\0\0rest", 16) << QByteArray("npu")
                          << QByteArray("Cutaway context 1");
    QTest::newRow("ours, cut") << QByteArray("CUTAWAY\0", 8) << QByteArray()
                               << QByteArray("Cutaway context, cut short");
    QTest::newRow("ELF") << QByteArray(
                                "\x7f"
                                "ELF....")
                         << QByteArray("VitisAI") << QByteArray("ELF object");
    QTest::newRow("zip") << QByteArray("PK\3\4....") << QByteArray() << QByteArray("zip archive");
    QTest::newRow("QNN") << QByteArray("\0\0\0\2\0\0\0\2\0\0\0\0\0\0\0\0", 16) << QByteArray("QNNExecutionProvider")
                         << QByteArray("QNN context binary");
    QTest::newRow("OpenVINO's XML") << QByteArray("<?xml version=\"1.0\"?>") << QByteArray("OpenVINOExecutionProvider")
                                    << QByteArray("OpenVINO model (XML)");
    QTest::newRow("somebody's XML") << QByteArray("<?xml version=\"1.0\"?>") << QByteArray("X") << QByteArray("XML");
    QTest::newRow("OpenVINO's own") << QByteArray("\1\2\3") << QByteArray("OpenVINO")
                                    << QByteArray("OpenVINO blob, 3 bytes");
    QTest::newRow("JSON") << QByteArray(" {\"a\": 1}") << QByteArray("VitisAIExecutionProvider")
                          << QByteArray("JSON text");
    QTest::newRow("tar") << QByteArray(257, 'n') + "ustar" << QByteArray() << QByteArray("tar archive");
    QTest::newRow("nothing known") << QByteArray("\1\2\3") << QByteArray("X") << QByteArray("unknown, 3 bytes");
    QTest::newRow("nothing") << QByteArray() << QByteArray() << QByteArray("unknown, 0 bytes");
  }
  void formats() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, format);
    const std::vector<context_binary::ContextSource> known = contextSources(builtProviders());
    QCOMPARE(partition::formatOfBinary(std::as_bytes(std::span(bytes.constData(), static_cast<size_t>(bytes.size()))),
                                       context_binary::findSource(source.toStdString(), known)),
             format.toStdString());
  }

  void nodesOfOthersAreExplained() {
    const QTemporaryDir folder;
    writeFile(folder, "ours.bin", std::string("\0\0\0\2\0\0\0\2\0\0\0\0", 12) + std::string(88, '.'));
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x) => (float[2] y) <float[2] h> {
  [one] h = com.microsoft.EPContext <source = "QNNExecutionProvider", embed_mode = 0, ep_cache_context = "ours.bin", ep_sdk_version = "v2.22", hardware_architecture = "73", partition_name = "p", max_size = 7> (x)
  [two] y = com.microsoft.EPContext <source = "VitisAIExecutionProvider", ep_cache_context = "{}"> (h) })");
    partition::PartitionOptions options{.runnable = false};
    options.contextPlace.folder = pathOf(folder);
    options.contextSources = contextSources(builtProviders());
    const Result<partition::Partition> partition = partitioned(model, withCpu({keeping("npu", {})}), options);
    CUTAWAY_VERIFY(partition);
    QCOMPARE(partition->contextNodes.size(), size_t{2});
    const ContextNodeReport& one = partition->contextNodes[0];
    QCOMPARE(one.sourceTitle, std::string("QNN"));
    QCOMPARE(one.format, std::string("QNN context binary"));
    QCOMPARE(one.fileBytes, int64_t{100});
    QCOMPARE(one.sdkVersion, std::string("v2.22"));
    QCOMPARE(one.maxSizeBytes, int64_t{7});
    QVERIFY(one.provider.empty() && one.partitionBytes == -1);
    QCOMPARE(checkOf(one, "file")->state, CheckState::kPassed);
    QCOMPARE(checkOf(one, "provider")->state, CheckState::kFailed);
    const ContextNodeReport& two = partition->contextNodes[1];
    QCOMPARE(two.sourceTitle, std::string("VitisAI"));
    QVERIFY(two.isEmbedded);
    QCOMPARE(two.fileBytes, int64_t{2});
    QCOMPARE(two.format, std::string("JSON text"));
    QCOMPARE(partition->report.unassignedNodes, int64_t{2});
  }
};

QTEST_GUILESS_MAIN(TestForeignContexts)
#include "tst_foreign_contexts.moc"
