// What Qualcomm's plug-in writes for profiling_level, as recorded: steps of the compiler, runs, cycles of nodes.
#include <QtTest/QtTest>

#include "providers/onnxruntime/model_writer.h"
#include "providers/onnxruntime/plugin/qnn_profile.h"

using namespace cutaway;
using onnxruntime::NodeWords;

namespace {

constexpr const char* kHead =
    "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier\n";

QStringList textOf(const std::vector<OwnFigure>& figures) {
  const char* const parts[] = {"compile", "run", "node"};
  QStringList lines;
  for (const OwnFigure& figure : figures)
    lines += QString("%1 %2 [%3] %4 %5 %6..%7 x%8")
                 .arg(parts[static_cast<int>(figure.part)], QString::fromStdString(figure.name),
                      QString::fromStdString(figure.opType), QString::number(figure.mean),
                      QString::fromStdString(figure.unit), QString::number(figure.minimum),
                      QString::number(figure.maximum), QString::number(figure.times));
  return lines;
}

NodeWords wordsOf(NodeId id) {
  if (id.index() != 7) return {};
  return {"stem/conv", "Conv"};
}

}  // namespace

class TestQnnProfile : public QObject {
  Q_OBJECT
 private slots:
  void lines_data() {
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<QStringList>("wanted");
    QTest::newRow("steps of the compiler") << QByteArray(
                                                  "0,FINALIZE,300,US,BACKEND,ROOT,QNN (finalize) "
                                                  "time\n0,UNKNOWN,200,US,BACKEND,SUB-EVENT,Graph Optimizations\n")
                                           << QStringList({"compile QNN (finalize) time [] 300 us 300..300 x1",
                                                           "compile Graph Optimizations [] 200 us 200..200 x1"});
    QTest::newRow("operators of one node are added up, runs are not")
        << QByteArray(
               "0,NODE,10,CYCLES,BACKEND,SUB-EVENT,cutaway_n7:OpId_1 (cycles)\n"
               "0,NODE,5,CYCLES,BACKEND,SUB-EVENT,cutaway_n7_token_3:OpId_2 (cycles)\n"
               "0,EXECUTE,40,US,BACKEND,ROOT,QNN (execute) time\n"
               "0,NODE,25,CYCLES,BACKEND,SUB-EVENT,cutaway_n7:OpId_1 (cycles)\n"
               "0,EXECUTE,60,US,BACKEND,ROOT,QNN (execute) time\n")
        << QStringList({"node stem/conv [Conv] 20 cycles 15..25 x2", "run QNN (execute) time [] 50 us 40..60 x2"});
    QTest::newRow("what ONNX Runtime inserted keeps its name")
        << QByteArray(
               "0,NODE,3,CYCLES,BACKEND,SUB-EVENT,Transpose_token_9:OpId_37 (cycles)\n"
               "0,NODE,4,CYCLES,BACKEND,SUB-EVENT,Input OpId_2 (cycles)\n")
        << QStringList({"node Transpose_token_9 [] 3 cycles 3..3 x1", "node Input [] 4 cycles 4..4 x1"});
    QTest::newRow("lines of other forms")
        << QByteArray("\n,,\n0,NODE,many,CYCLES,BACKEND,SUB-EVENT,x\n0,NODE,1\n") << QStringList();
  }
  void lines() {
    QFETCH(QByteArray, lines);
    QFETCH(QStringList, wanted);
    const auto read = onnxruntime::readQnnProfile(kHead + lines.toStdString(), 0, wordsOf);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(textOf(*read), wanted);
  }

  // What a run of two groups left, as onnxruntime-qnn 2.7.0 wrote it.
  void recorded() {
    QFile file(CUTAWAY_SOURCE_DIR "/tests/unit/providers/onnxruntime/profiles/qnn_detailed.csv");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string text = file.readAll().toStdString();
    const auto read = onnxruntime::readQnnProfile(text, 0, wordsOf);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    const QStringList lines = textOf(*read);
    QVERIFY2(lines.filter("compile Graph Optimizations").size() == 1, qPrintable(lines.join('\n')));
    QVERIFY2(lines.filter("node relu0").size() == 1, qPrintable(lines.join('\n')));
    QVERIFY2(lines.filter("run QNN (execute) time").value(0).endsWith("x4"), qPrintable(lines.join('\n')));
    // Only what was added since.
    const auto later = onnxruntime::readQnnProfile(text, text.size(), wordsOf);
    QVERIFY(later && later->empty());
  }

  void otherFiles() {
    for (const char* const text : {"", "a,b\n", "0,NODE,3,CYCLES,BACKEND,SUB-EVENT,x\n"}) {
      const auto read = onnxruntime::readQnnProfile(text, 0, wordsOf);
      QVERIFY(!read);
      QVERIFY2(read.error().message.starts_with("its first line is"), read.error().message.c_str());
    }
  }
};

QTEST_GUILESS_MAIN(TestQnnProfile)
#include "tst_qnn_profile.moc"
