// The report page and its tables: complete, self-contained, and safe whatever names a model holds.
#include <nlohmann/json.hpp>

#include <QCryptographicHash>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QTest>

#include "tests/unit/ui/run_fixture.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/report/html_text.h"
#include "ui/report/report_data.h"
#include "ui/report/report_page.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

std::shared_ptr<const WalkReport> walkNamed(const std::string& name) {
  auto walk = std::make_shared<WalkReport>(*test::profiledWalk());
  auto load = std::make_shared<LoadReport>(*walk->load);
  load->path = "/models/" + name;
  load->metadata.emplace_back(name, name);
  walk->load = load;
  auto graphs = std::make_shared<ModelGraphs>(*walk->partitionedGraphs);
  graphs->graphs[0].nodes[0].name = name;
  graphs->graphs[0].values[0].name = name;
  graphs->graphs[0].nodes[0].attributes.push_back({name, "STRING", name});
  walk->partitionedGraphs = graphs;
  return walk;
}

std::string dataOf(const std::string& page) {
  const std::string opening = "<script type=\"application/json\" id=\"data\">";
  const size_t start = page.find(opening) + opening.size();
  return page.substr(start, page.find("</script>", start) - start);
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace

class TestReport : public QObject {
  Q_OBJECT
 private slots:
  void holdsEveryStage();
  void names_data();
  void names();
  void namesNoAddress();
  void policyAllowsItsScriptOnly();
  void largeGraph();
  void stoppedWalk();
  void cancelled();
  void csv();
};

void TestReport::holdsEveryStage() {
  const auto walk = test::profiledWalk();
  const std::string page = htmlReport(*walk, {}).value();
  for (const char* part : {"id=\"load\"", "id=\"partition\"", "id=\"schedule\"", "id=\"allocate\"", "id=\"pattern\"",
                           "id=\"run\"", "data-timeline", "data-memory=\"0\"", "id=\"still\"><svg"})
    QVERIFY2(page.find(part) != std::string::npos, part);
  const nlohmann::json data = nlohmann::json::parse(dataOf(page));
  QCOMPARE(data["versions"].size(), size_t{3});
  const auto& graph = walk->partitionedGraphs->graphs[0];
  QCOMPARE(data["versions"][2]["graphs"][0]["nodes"]["op"].size(), graph.nodes.size());
  QCOMPARE(data["strings"][data["versions"][2]["graphs"][0]["nodes"]["op"][1].get<size_t>()].get<std::string>(),
           graph.nodes[1].opType);
  QCOMPARE(data["run"]["spans"].size(), walk->run->spans.size());
}

void TestReport::names_data() {
  QTest::addColumn<QByteArray>("name");
  QTest::newRow("end of script") << QByteArray("</script><script>alert(1)</script>");
  QTest::newRow("comment") << QByteArray("<!--<script>");
  QTest::newRow("quotes") << QByteArray("a\"b'c`d\\");
  QTest::newRow("line separators") << QByteArray(
      "a\xe2\x80\xa8"
      "b\xe2\x80\xa9"
      "c");
  QTest::newRow("not UTF-8") << QByteArray(
      "a\xff\xfe"
      "b");
  QTest::newRow("controls") << QByteArray("a\x01\x1b[31m\nb");
  QTest::newRow("very long") << QByteArray(100'000, 'x');
}

void TestReport::names() {
  QFETCH(QByteArray, name);
  const std::string page = htmlReport(*walkNamed(name.toStdString()), {}).value();
  // Two scripts, the data and the code, and nothing that a name opened or closed.
  QCOMPARE(count(page, "<script"), 2);
  QCOMPARE(count(page, "</script"), 2);
  QCOMPARE(count(page, "<!--"), 0);
  const std::string data = dataOf(page);
  QVERIFY(data.find("\xe2\x80\xa8") == std::string::npos && data.find("\xe2\x80\xa9") == std::string::npos);
  const nlohmann::json parsed = nlohmann::json::parse(data);
  if (QString::fromUtf8(name).toUtf8() == name) {  // what is text comes back as it was
    const auto index = parsed["versions"][2]["graphs"][0]["nodes"]["name"][0].get<size_t>();
    QCOMPARE(parsed["strings"][index].get<std::string>(), name.toStdString());
  }
}

void TestReport::namesNoAddress() {
  const QString page = QString::fromStdString(htmlReport(*test::profiledWalk(), {}).value());
  static const QRegularExpression address(
      QStringLiteral("https?:|//[a-z0-9.-]+\\.[a-z]{2,}/|@import|url\\((?!#)|<link|<iframe|src="),
      QRegularExpression::CaseInsensitiveOption);
  const auto found = address.match(page);
  QVERIFY2(!found.hasMatch(), qPrintable(found.captured()));
}

void TestReport::policyAllowsItsScriptOnly() {
  const QByteArray page = QByteArray::fromStdString(htmlReport(*test::sampleWalk(), {}).value());
  QVERIFY(page.contains("default-src 'none'"));
  const qsizetype start = page.lastIndexOf("<script>") + 8;
  const QByteArray code = page.mid(start, page.lastIndexOf("</script>") - start);
  QVERIFY(page.contains("script-src 'sha256-" + QCryptographicHash::hash(code, QCryptographicHash::Sha256).toBase64() +
                        "'"));
  QVERIFY(code.contains("class GraphView"));
}

void TestReport::largeGraph() {
  const std::string page = htmlReport(*test::flatWalk(10'000), {}).value();
  QVERIFY2(page.size() < 6'000'000, qPrintable(QString::number(page.size())));
  QVERIFY(nlohmann::json::parse(dataOf(page))["versions"][0]["graphs"][0]["nodes"]["op"].size() == 10'000);
}

void TestReport::stoppedWalk() {
  const auto walk = test::failedWalk();
  const std::string page = htmlReport(*walk, {}).value();
  QVERIFY(page.find(escapeHtml(walk->error->message)) != std::string::npos);
}

void TestReport::cancelled() {
  const CancelToken cancel;
  cancel.cancel();
  const auto page = htmlReport(*test::sampleWalk(), cancel);
  QVERIFY(!page);
  QCOMPARE(page.error().code, ErrorCode::kModelLoadCanceled);
}

void TestReport::csv() {
  const ReportTable table{"t",
                          Stage::kLoad,
                          "T",
                          {{"name"}, {"size", ColumnKind::kBytes}},
                          {{"plain", 12.0}, {"a,\"b\"\nc", std::nan("")}, {"=SUM(A1)", -1.5}}};
  QCOMPARE(QString::fromStdString(tableCsv(table)),
           QStringLiteral("name,size (bytes)\r\nplain,12\r\n\"a,\"\"b\"\"\nc\",\r\n\"'=SUM(A1)\",-1.5\r\n"));
}

QTEST_MAIN(TestReport)
#include "tst_report.moc"
