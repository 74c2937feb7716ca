// What a vendor's library tells of a context binary, and what becomes of one that tells nonsense or dies.
#include <QtTest/QtTest>

#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/library.h"
#include "providers/onnxruntime/plugin/qnn_binary.h"

using namespace cutaway;
using namespace cutaway::onnxruntime;

namespace {

std::shared_ptr<Host> host() {
  static const std::shared_ptr<Host> one = Host::of({.library = findLibrary()->path});
  return one;
}

Result<BinaryFacts> told(const char* text, const char* library = CUTAWAY_TEST_SYSTEM_LIBRARY) {
  CUTAWAY_TRY(const auto memory, SharedMemory::of(text));
  return host()->contextBinary(library, memory, std::strlen(text));
}

}  // namespace

class TestQnnBinary : public QObject {
  Q_OBJECT
 private slots:
  void targetGraphsAndTensors() {
    const Result<BinaryFacts> facts = told("good");
    QVERIFY2(facts, facts ? "" : facts.error().message.c_str());
    const BinaryDescription words = wordsOf(*facts);
    QCOMPARE(words.toldBy, std::string("libQnnSystem.so"));
    const std::vector<std::pair<std::string, std::string>> target = {{"backend", "HTP v79"},
                                                                     {"chip", "soc_model 69 (SM8750)"},
                                                                     {"compiled by", "QNN v2.51.0"},
                                                                     {"backend API", "5.51.0"},
                                                                     {"compiled code", "77.8 KB"}};
    QCOMPARE(words.facts, target);
    QCOMPARE(words.graphs.size(), size_t{2});
    const BinaryGraph& first = words.graphs[0];
    QCOMPARE(first.name, std::string("first"));
    const std::vector<std::pair<std::string, std::string>> memory = {
        {"VTCM", "8.39 MB"}, {"spill and fill buffer", "65.5 KB"}, {"optimisation level", "3"}};
    QCOMPARE(first.facts, memory);
    QCOMPARE(first.inputs.size(), size_t{1});
    QCOMPARE(first.inputs[0].name, std::string("image"));
    QCOMPARE(first.inputs[0].type, std::string("ufixed8[1,3,8,8]"));
    QCOMPARE(first.inputs[0].encoding, std::string("(q - 128) x 0.0078125"));
    QCOMPARE(first.outputs.size(), size_t{2});
    QCOMPARE(first.outputs[0].type, std::string("float32[1,10]"));
    QCOMPARE(first.outputs[0].encoding, std::string("q x 0.5 in the first of 2 channels along axis 1"));
    QCOMPARE(first.outputs[1].name, std::string());
    QCOMPARE(first.outputs[1].type, std::string("type 0x7777[]"));
    QCOMPARE(words.graphs[1].name, std::string("second"));
    QVERIFY(words.graphs[1].facts.empty() && words.graphs[1].inputs.empty());
  }

  void nonsenseIsRefused_data() {
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("a binary it does not know") << QByteArray("unknown") << QByteArray("does not know the binary");
    QTest::newRow("no facts") << QByteArray("nothing") << QByteArray("does not know the binary");
    QTest::newRow("facts of another version") << QByteArray("version") << QByteArray("facts of version 9");
    QTest::newRow("too many graphs") << QByteArray("graphs") << QByteArray("4294967295 graphs");
    QTest::newRow("too many tensors") << QByteArray("tensors") << QByteArray("4294967295 tensors");
    QTest::newRow("tensors nowhere") << QByteArray("none") << QByteArray("2 tensors");
    QTest::newRow("too many dimensions") << QByteArray("rank") << QByteArray("rank 1000");
    QTest::newRow("it dies") << QByteArray("dies") << QByteArray("reading a context binary");
  }
  void nonsenseIsRefused() {
    QFETCH(QByteArray, asked);
    QFETCH(QByteArray, words);
    const Result<BinaryFacts> facts = told(asked.constData());
    QVERIFY(!facts);
    QVERIFY2(facts.error().message.find(words.constData()) != std::string::npos, facts.error().message.c_str());
    // Nothing of it is left for the next one.
    QVERIFY(told("good"));
  }

  void otherLibrariesAreRefused() {
    const Result<BinaryFacts> missing = told("good", "/no/such/library.so");
    QVERIFY(!missing && missing.error().code == ErrorCode::kEpFail);
    const Result<BinaryFacts> other = told("good", CUTAWAY_TEST_PLUGIN_LIBRARY);
    QVERIFY(!other && other.error().code == ErrorCode::kNotImplemented);
  }
};

QTEST_GUILESS_MAIN(TestQnnBinary)
#include "tst_qnn_binary.moc"
