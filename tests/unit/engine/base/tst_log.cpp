#include <fstream>
#include <sstream>

#include <spdlog/sinks/ostream_sink.h>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/base/log.h"
#include "engine/base/log_file.h"
#include "engine/base/log_privacy.h"
#include "engine/base/log_recent.h"

using namespace cutaway;

namespace {

std::string contentOf(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

int linesIn(const std::string& text) {
  return static_cast<int>(std::ranges::count(text, '\n'));
}

}  // namespace

class TestLog : public QObject {
  Q_OBJECT

 private slots:
  void levelsFilter_data() {
    QTest::addColumn<QByteArray>("level");
    QTest::addColumn<int>("lines");  // of one debug, one info, one warn and one error
    QTest::newRow("the default") << QByteArray() << 2;
    QTest::newRow("trace") << QByteArray("trace") << 4;
    QTest::newRow("debug") << QByteArray("debug") << 4;
    QTest::newRow("info") << QByteArray("info") << 3;
    QTest::newRow("warn") << QByteArray("warn") << 2;
    QTest::newRow("error") << QByteArray("error") << 1;
    QTest::newRow("off") << QByteArray("off") << 0;
  }
  void levelsFilter() {
    QFETCH(QByteArray, level);
    QFETCH(int, lines);
    std::ostringstream stream;
    const log::Sink saved = log::exchangeTerminal(std::make_shared<spdlog::sinks::ostream_sink_mt>(stream));
    if (!level.isEmpty()) QVERIFY(log::setLevel(level.toStdString()).has_value());
    log::debug(log::Category::kProgram, "{}", 1);
    log::info(log::Category::kProgram, "{}", 2);
    log::warn(log::Category::kProgram, "{}", 3);
    log::error(log::Category::kProgram, "{}", 4);
    log::exchangeTerminal(saved);
    QCOMPARE(linesIn(stream.str()), lines);
  }

  void otherLevelsAreRefused() {
    const auto result = log::setLevel("loud");
    QVERIFY(!result.has_value());
    QVERIFY(result.error().code == ErrorCode::kInvalidArgument);
  }

  void whatOthersReadHasNoForeignPathsAndNoSecrets_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    const QString in = m_models.path(), out = QDir::tempPath() + "/elsewhere";
    const auto row = [](const char* name, const QString& text, const QString& shown) {
      QTest::newRow(name) << text << shown;
    };
    row("in the model's folder", "read file=" + in + "/a/w.bin bytes=5", "read file=a/w.bin bytes=5");
    row("in quotes, with a space", "cannot read '" + in + "/my w.bin': no", "cannot read 'my w.bin': no");
    row("elsewhere", "cannot read " + out + "/lib.so: it is damaged", "cannot read \u2026/lib.so: it is damaged");
    row("elsewhere, in quotes, with a space", "'" + out + "/of anna/lib.so'.", "'\u2026/lib.so'.");
    row("a folder that begins alike", out + "/x " + in + "-secret/y", "\u2026/x \u2026/y");
    row("out of the model's folder", in + "/../z.bin", "\u2026/z.bin");
    row("a home", "~/private/x.onnx", "\u2026/x.onnx");
    row("above", "reads ../private/x.onnx.", "reads \u2026/x.onnx.");
    row("names of nodes", "node '/encoder/layer.0/Add' and /decoder/Mul",
        "node '/encoder/layer.0/Add' and /decoder/Mul");
    row("quotients", "9 MB/s, 1/2", "9 MB/s, 1/2");
    row("a password", "login password=hunter2, user=anna", "login password=***, user=anna");
    row("a key as JSON", R"({"api_key": "abc", "n": 1})", R"({"api_key": "***", "n": 1})");
    row("a header", "Authorization: Bearer abc.def rest", "Authorization: *** rest");
    row("in an address", "https://anna:pw@host.example/x", "https://***@host.example/x");
    row("numbers of tokens", "max_tokens=32", "max_tokens=32");
    row("lines", "a\nb\x1b[2J", "a\\x0ab\\x1b[2J");
  }
  void whatOthersReadHasNoForeignPathsAndNoSecrets() {
    QFETCH(QString, text);
    QFETCH(QString, shown);
    log::allowFolder(m_models.path().toStdString());
    QCOMPARE(QString::fromStdString(log::forOthers(text.toStdString())), shown);
  }

  void fieldsStandBehindTheText() {
    std::ostringstream stream;
    const log::Sink saved = log::exchangeTerminal(std::make_shared<spdlog::sinks::ostream_sink_mt>(stream));
    QVERIFY(log::setLevel("info").has_value());
    log::event(log::kInfo, log::Category::kFiles, "read",
               {{"file", "my model"}, {"bytes", 12}, log::milliseconds(1'500'000)});
    QVERIFY(log::setLevel("warn").has_value());
    log::event(log::kInfo, log::Category::kFiles, "unheard");
    log::exchangeTerminal(saved);
    const std::string said = stream.str();
    QVERIFY2(said.find("[files] [info] read file=\"my model\" bytes=12 ms=1.500") != std::string::npos, said.c_str());
    QVERIFY(said.find("unheard") == std::string::npos);
  }

  void recentMessagesAreKeptUpToALimit() {
    log::Recent& recent = log::Recent::keep();
    const int64_t before = recent.last();
    log::debug(log::Category::kKernels, "not taken");
    log::info(log::Category::kHosts, "started in {}", QDir::tempPath().toStdString() + "/x");
    QCOMPARE(recent.last(), before + 1);
    auto all = recent.after(before);
    QCOMPARE(all.size(), size_t{1});
    QCOMPARE(all[0].category, std::string("hosts"));
    QCOMPARE(all[0].text, std::string("started in \u2026/x"));
    QVERIFY(all[0].timeMs > 1'600'000'000'000);
    recent.setLevel(log::kDebug);
    log::debug(log::Category::kKernels, "taken");
    recent.setLevel(log::kInfo);
    QCOMPARE(recent.after(before).size(), size_t{2});
    for (size_t i = 0; i < log::Recent::kMost + 10; ++i)
      log::info(log::Category::kProgram, "{}", i);
    all = recent.after(0);
    QCOMPARE(all.size(), log::Recent::kMost);
    QCOMPARE(all.back().number, recent.last());
    QVERIFY(recent.after(recent.last()).empty());
  }

  void aFileIsTurnedAndContinued() {
    const std::filesystem::path file = m_models.filePath("run.log").toStdString();
    std::ostringstream stream;
    const log::Sink saved = log::exchangeTerminal(std::make_shared<spdlog::sinks::ostream_sink_mt>(stream));
    QVERIFY(log::setLevel("info").has_value());
    QVERIFY(log::openFile(file, {.bytes = 2000, .older = 2}).has_value());
    for (int i = 0; i < 200; ++i)
      log::info(log::Category::kStages, "message {}", i);
    const std::string latest = contentOf(file);
    QVERIFY2(latest.starts_with("# log of cutaway"), latest.c_str());
    QVERIFY2(latest.find(" info stages message 199\n") != std::string::npos, latest.c_str());
    QVERIFY(contentOf(m_models.filePath("run.1.log").toStdString()).starts_with("# log of cutaway"));
    QVERIFY(QFile::exists(m_models.filePath("run.2.log")));
    QVERIFY(!QFile::exists(m_models.filePath("run.3.log")));
    // A second program goes on where the first stopped.
    const int before = linesIn(latest);
    QVERIFY(log::openFile(file, {.bytes = 1 << 20, .older = 2}).has_value());
    QVERIFY(linesIn(contentOf(file)) >= before);
    log::exchangeTerminal(saved);
  }

  void filesThatAreNoLogsStayAsTheyAre() {
    for (const char* name : {"model.onnx", "other.1.log"}) {
      QFile file(m_models.filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      QCOMPARE(file.write("weights"), 7);
    }
    for (const char* name : {"model.onnx", "other.log", ".", "missing/x.log"}) {
      const auto opened = log::openFile(m_models.filePath(name).toStdString());
      QVERIFY2(!opened.has_value(), name);
    }
    QCOMPARE(contentOf(m_models.filePath("model.onnx").toStdString()), std::string("weights"));
    QVERIFY(!QFile::exists(m_models.filePath("other.log")));
    QVERIFY(!QFile::exists(m_models.filePath("missing")));
  }

 private:
  QTemporaryDir m_models;
};

QTEST_GUILESS_MAIN(TestLog)
#include "tst_log.moc"
