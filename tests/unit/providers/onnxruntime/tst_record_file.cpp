// Records of providers as files: what is written is read again, and what is wrong is told with its line.
#include <fstream>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/base/file_begin.h"
#include "engine/base/write_file.h"
#include "providers/onnxruntime/record/record_file.h"
#include "providers/onnxruntime/record/recording.h"

using namespace cutaway;
using namespace cutaway::onnxruntime;

namespace {

Record sample() {
  Record record{.program = "cutaway 1", .date = "2026-11-23T17:00:00Z", .library = "1.31.1"};
  record.providers.push_back({.name = "qnn",
                              .title = "Qualcomm QNN",
                              .registration = "QNNExecutionProvider",
                              .package = "onnxruntime-qnn",
                              .version = "2.7.0",
                              .isSimulator = true,
                              .options = {{"backend_type", "htp"}}});
  RecordedQuestion question{.provider = 0, .print = {0x0123456789abcdef, 7, OptimizationLevel::kBasic}};
  question.facts.compiles = true;
  question.facts.calls.push_back({.provider = "QNNExecutionProvider",
                                  .nested = false,
                                  .nodes = {{"cutaway_n0", "", "Conv"}, {"cutaway_n1", "", "Erf"}},
                                  .ports = {{{"x", ""}, {"a"}}, {{"a"}, {"y"}}},
                                  .groups = {{0}},
                                  .singles = {},
                                  .withoutKernel = {1},
                                  .shapes = {{"y", {1, 2}}},
                                  .tookNs = 5,
                                  .error = {}});
  question.log.push_back({1, "qnn.cc:1 Ask", "\"quoted\"\n\xc3\xa4"});
  question.tookNs = 9;
  record.questions.push_back(question);
  RecordedSession session{.provider = 0, .print = question.print};
  session.failure = RecordedFailure{ErrorCode::kEpFail, "error 1002"};
  record.sessions.push_back(session);
  session.failure.reset();
  session.assignment.push_back({"QNNExecutionProvider", {{"cutaway_n0", "", "Conv"}}});
  session.runs = 2;
  session.runNs = {11, 12};
  record.sessions.push_back(session);
  return record;
}

const QByteArray kHead = R"({"schema":"cutaway.record/1"})";
const QByteArray kProvider = R"({"provider":{"name":"a","title":"A"}})";
const QByteArray kPrint = R"("graph_hash":"0000000000000001","weights_hash":"0000000000000000")";

QByteArray question(const QByteArray& answer) {
  return kHead + '\n' + kProvider + "\n{\"question\":{\"provider\":0," + kPrint + ",\"answer\":" + answer + "}}\n";
}

}  // namespace

class TestRecordFile : public QObject {
  Q_OBJECT
 private slots:
  void whatIsWrittenIsReadAgain() {
    const std::string text = recordText(sample());
    const Result<Record> read = parseRecord(text);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(recordText(*read), text);
    const RecordedQuestion* const asked = read->questionOf(0, sample().questions[0].print);
    QVERIFY(asked != nullptr);
    QCOMPARE(asked->facts.calls.at(0).withoutKernel, std::vector<uint32_t>{1});
    QCOMPARE(asked->log.at(0).message, sample().questions[0].log[0].message);
    // The last answer counts.
    const RecordedSession* const session = read->sessionOf(0, sample().questions[0].print);
    QVERIFY(session != nullptr && !session->failure);
    QCOMPARE(session->runNs, (std::vector<int64_t>{11, 12}));
    QVERIFY(read->questionOf(0, {1, 7, OptimizationLevel::kBasic}) == nullptr);
    QVERIFY(read->questionOf(1, sample().questions[0].print) == nullptr);
  }

  void laterLinesAreLeftOut() {
    const Result<Record> read = parseRecord((kHead + "\n{\"weather\":{\"rain\":true}}\n").toStdString());
    QVERIFY(read);
    QVERIFY(read->questions.empty());
  }

  void isWrong_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("words");
    const QByteArray call = R"({"calls":[{"nodes":[["n","","Add"]],)";
    QTest::newRow("nothing") << QByteArray() << "the file is empty";
    QTest::newRow("no JSON") << QByteArray("hello") << "line 1: it is no JSON object";
    QTest::newRow("a list") << QByteArray("[1]") << "line 1: it is no JSON object";
    QTest::newRow("another schema") << QByteArray(R"({"schema":"x/2"})") << "its 'schema' is 'x/2'";
    QTest::newRow("cut short") << kHead + '\n' + kProvider.left(20) << "line 2: it is no JSON object";
    QTest::newRow("deep") << kHead + "\n{\"a\":" + QByteArray(5000, '[') + QByteArray(5000, ']') + '}'
                          << "nested more than";
    QTest::newRow("a provider without a name") << kHead + "\n{\"provider\":{\"title\":\"A\"}}" << "lacks its name";
    QTest::newRow("options that are none")
        << kHead + "\n{\"provider\":{\"name\":\"a\",\"title\":\"A\",\"options\":[[1,2]]}}" << "no pair of texts";
    QTest::newRow("a question of nobody")
        << kHead + "\n{\"question\":{\"provider\":0," + kPrint + ",\"answer\":{}}}" << "'provider'";
    QTest::newRow("no answer") << kHead + '\n' + kProvider + "\n{\"question\":{\"provider\":0," + kPrint + "}}"
                               << "neither an answer nor a failure";
    QTest::newRow("a hash that is none") << kHead + '\n' + kProvider + R"({"question":{"provider":0,"graph_hash":"1"}})"
                                         << "line 2";
    QTest::newRow("a short hash") << kHead + '\n' + kProvider + "\n{\"question\":{\"provider\":0,\"graph_hash\":\"1\"}}"
                                  << "'graph_hash' is not 16 hexadecimal digits";
    QTest::newRow("a group of no node") << question(call + R"("groups":[[1]]}]})") << "'groups'";
    QTest::newRow("a negative place") << question(call + R"("groups":[[-1]]}]})") << "'groups'";
    QTest::newRow("a fraction") << question(call + R"("singles":[0.5]}]})") << "'singles' is no whole number";
    QTest::newRow("a huge place") << question(call + R"("singles":[18446744073709551615]}]})") << "'singles'";
    QTest::newRow("more places than nodes") << question(call + R"("singles":[0,0]}]})") << "'singles' is no list";
    QTest::newRow("a negative size") << question(call + R"("shapes":[["x",[-1]]]}]})") << "'shapes'";
    QTest::newRow("ports that are none") << question(call + R"("ports":[["x"]]}]})") << "'ports' are not";
    QTest::newRow("a port that is no name") << question(call + R"("ports":[[[1],["y"]]]}]})") << "no name of a value";
    QTest::newRow("ports of other nodes")
        << question(call + R"("ports":[[[],[]],[[],[]]]}]})") << "'ports' tells of 2 nodes, and the question has 1";
    QTest::newRow("a node that is none") << question(R"({"calls":[{"nodes":[[1,2,3]]}]})") << "a node is not";
    QTest::newRow("a code that is none") << question(R"({"code":99})") << "'code'";
    QTest::newRow("bad text") << question("{\"message\":\"\xff\"}") << "no JSON object";
    QTest::newRow("a severity that is none") << kHead + '\n' + kProvider + "\n{\"question\":{\"provider\":0," + kPrint +
                                                    R"(,"answer":{},"log":[[9,"",""]]}})"
                                             << "'severity'";
  }
  void isWrong() {
    QFETCH(QByteArray, text);
    QFETCH(QString, words);
    const Result<Record> read = parseRecord(text.toStdString());
    QVERIFY(!read);
    QVERIFY2(QString::fromStdString(read.error().message).contains(words), read.error().message.c_str());
  }

  // Cut anywhere and with any byte changed, a record is read or refused, and nothing worse.
  void damage() {
    const std::string text = recordText(sample());
    size_t refused = 0;
    for (size_t at = 0; at < text.size(); ++at) {
      refused += parseRecord(std::string_view(text).substr(0, at)) ? 0 : 1;
      for (const char byte : {'\0', '"', '9', '}', '\xff'}) {
        std::string changed = text;
        changed[at] = byte;
        if (const Result<Record> read = parseRecord(changed)) {
          QVERIFY(!recordText(*read).empty());
        } else {
          ++refused;
        }
      }
    }
    QVERIFY2(refused > text.size(), qPrintable(QString::number(refused)));
  }

  void whereItCannotBeWritten() {
    const Result<void> started = startRecording("/nowhere/at/all.record");
    QVERIFY(!started);
    QVERIFY(!isRecording());
    QVERIFY(finishRecording());  // there is nothing to finish
  }

  void whatIsNoRecordStays() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("model.onnx").toStdString();
    QVERIFY(writeFile(path, "a model"));
    const Result<void> started = startRecording(path);
    QVERIFY(!started);
    QVERIFY2(started.error().message.find("no record of this program") != std::string::npos,
             started.error().message.c_str());
    QCOMPARE(fileBegin(path).value_or(""), std::string("a model"));
    QVERIFY(!isRecording());
  }

  void anEarlierRecordStaysUntilTheEnd() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("a.record").toStdString();
    const std::string earlier = recordText(Record{.program = "cutaway 0.1", .date = "2026-11-23T17:09:19Z"});
    QVERIFY(writeFile(path, earlier));
    QVERIFY(startRecording(path));
    QCOMPARE(fileBegin(path).value_or(""), earlier);
    QVERIFY(finishRecording());
    QVERIFY(fileBegin(path).value_or("") != earlier);
  }

  void oneAtATime() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("a.record").toStdString();
    QVERIFY(startRecording(path));
    QVERIFY(!startRecording(folder.filePath("b.record").toStdString()));
    QVERIFY(finishRecording());
    const Result<Record> read = readRecord(path);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY(read->providers.empty() && !read->date.empty());
  }
};

QTEST_GUILESS_MAIN(TestRecordFile)
#include "tst_record_file.moc"
