// Graphviz files, read back by Graphviz itself: every node and every connection of the reports is there, scopes and
// bodies are clusters, and no name breaks the file.
#include <algorithm>
#include <map>
#include <set>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/render.h"

using namespace cutaway;
using namespace cutaway::ui;
using namespace cutaway::ui::test;

namespace {

struct ReadBack {
  QStringList nodes;                   // labels of ovals and folders, "table" for cards
  QStringList clusters;                // labels
  QStringList edges;                   // tooltips
  std::map<QString, QString> colours;  // of ovals
};

class TestDotFile : public QObject {
  Q_OBJECT

  static void readBack(const QByteArray& text, ReadBack& read) {
    QProcess dot;
    dot.start(QStringLiteral("dot"), {QStringLiteral("-Tdot_json")});
    dot.write(text);
    dot.closeWriteChannel();
    QVERIFY(dot.waitForFinished());
    QCOMPARE(dot.exitCode(), 0);
    QCOMPARE(dot.readAllStandardError(), QByteArray());
    const QJsonObject root = QJsonDocument::fromJson(dot.readAllStandardOutput()).object();
    for (const QJsonValue& each : root[QStringLiteral("objects")].toArray()) {
      const QString label = each[QStringLiteral("label")].toString();
      if (each[QStringLiteral("name")].toString().startsWith(QStringLiteral("cluster")))
        read.clusters << label;
      else
        read.nodes << (label.startsWith(QStringLiteral("<TABLE")) ? QStringLiteral("table") : label);
    }
    for (const QJsonValue& each : root[QStringLiteral("edges")].toArray())
      read.edges << each[QStringLiteral("tooltip")].toString();
    read.clusters.sort();
  }

  static QByteArray dotOf(const WalkReport& walk, RenderOptions options) {
    const Result<QByteArray> text = renderDot(walk, std::move(options), CancelToken());
    return text ? *text : QByteArray();
  }

 private slots:
  void initTestCase() {
    QVERIFY2(!QStandardPaths::findExecutable(QStringLiteral("dot")).isEmpty(),
             "Graphviz is missing: packaging/setup.sh installs it");
  }

  void everyConnectionIsThere() {
    const auto walk = sampleWalk();
    ReadBack read;
    readBack(dotOf(*walk, {.stage = Stage::kLoad, .grouping = Grouping::kFlat}), read);
    if (QTest::currentTestFailed()) return;
    size_t cards = 0, connections = 0;
    for (const GraphReport& graph : walk->loadedGraphs->graphs) {
      cards += graph.nodes.size();
      for (const ValueReport& value : graph.values) {
        const bool comesFrom = value.producer >= 0 || value.role == ValueRole::kInput;
        if (comesFrom) connections += value.consumers.size() + (value.isOutput ? 1 : 0);
      }
    }
    QCOMPARE(static_cast<size_t>(read.nodes.count(QStringLiteral("table"))), cards);
    // What bodies read of the graph around them comes on top.
    QVERIFY2(static_cast<size_t>(read.edges.size()) >= connections,
             qPrintable(QStringLiteral("%1 edges for %2 connections").arg(read.edges.size()).arg(connections)));
    QVERIFY2(read.clusters.contains(QStringLiteral("then_branch")), qPrintable(read.clusters.join(QLatin1Char(','))));
    QVERIFY(read.clusters.contains(QStringLiteral("else_branch")));
  }

  void scopesAreClusters() {
    const auto walk = flatWalk(60, true);
    ReadBack read, folded;
    readBack(dotOf(*walk, {.grouping = Grouping::kNames}), read);
    if (QTest::currentTestFailed()) return;
    QCOMPARE(read.nodes.count(QStringLiteral("table")), 60);
    QVERIFY(read.clusters.size() >= 6);
  }

  // Cards have the colours of the overlay, lines and cards the words that the window shows over them.
  void coloursAndTips() {
    const auto walk = sampleWalk();
    const auto coloursOf = [&](const char* overlay) {
      const QByteArray text = dotOf(*walk, {.overlay = overlay, .stage = Stage::kLoad, .grouping = Grouping::kFlat});
      std::set<QString> colours;
      static const QRegularExpression kFill(QStringLiteral("BGCOLOR=\"(#[0-9a-f]{6})\""));
      for (QRegularExpressionMatchIterator at = kFill.globalMatch(QString::fromUtf8(text)); at.hasNext();)
        colours.insert(at.next().captured(1));
      return colours;
    };
    QCOMPARE(coloursOf("none").size(), size_t{1});
    const size_t operators = coloursOf("operator").size();
    QVERIFY2(operators > 3, qPrintable(QString::number(operators)));
    QVERIFY(coloursOf("operator") != coloursOf("dtype"));
    ReadBack read;
    readBack(dotOf(*walk, {.stage = Stage::kLoad, .grouping = Grouping::kFlat}), read);
    if (QTest::currentTestFailed()) return;
    const auto tells = [&](const char* words) {
      return std::ranges::any_of(read.edges, [&](const QString& tip) { return tip.contains(QLatin1String(words)); });
    };
    QVERIFY2(tells("stem_out") && tells("float"), qPrintable(read.edges.join('|')));
  }

  // Each output and each input has its port: a Split of two gives two edges from different places.
  void portsTellSlots() {
    GraphBuilder builder("ports");
    builder.input("x", "float[4]");
    builder.node("Split", "split", {"x"}, {"a", "b"});
    builder.node("Sub", "sub", {"b", "a"}, {"y"});
    builder.output("y");
    WalkReport walk;
    auto graphs = std::make_shared<ModelGraphs>();
    graphs->graphs.push_back(builder.graph());
    walk.loadedGraphs = graphs;
    const QByteArray text = dotOf(walk, {.grouping = Grouping::kFlat});
    const QString split = idOf(text, "Split"), sub = idOf(text, "Sub");
    QVERIFY(!split.isEmpty() && !sub.isEmpty());
    for (const auto& [output, input] : {std::pair(0, 1), std::pair(1, 0)}) {
      const QString edge = QStringLiteral("%1:o%2 -> %3:i%4 ").arg(split).arg(output).arg(sub).arg(input);
      QVERIFY2(text.contains(edge.toUtf8()), qPrintable(edge + QLatin1Char('\n') + QString::fromUtf8(text)));
    }
  }

  void hostileNames_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"a\"b", "a\\", "a\\\"b", "<b>&amp;", "]]>", "a\nb", "\x1b[2J", "\\N\\L\\G", "a;b}//", "->"})
      QTest::newRow(name) << QString::fromUtf8(name);
  }
  void hostileNames() {
    QFETCH(QString, name);
    const std::string hostile = name.toStdString();
    GraphBuilder builder(hostile);
    builder.input(hostile, "float[4]");
    builder.node(hostile, hostile, {hostile}, {hostile + "y"});
    builder.output(hostile + "y");
    WalkReport walk;
    auto graphs = std::make_shared<ModelGraphs>();
    graphs->graphs.push_back(builder.graph());
    walk.loadedGraphs = graphs;
    ReadBack read;
    readBack(dotOf(walk, {.grouping = Grouping::kFlat}), read);
    if (QTest::currentTestFailed()) return;
    QCOMPARE(read.nodes.size(), 3);
    QCOMPARE(read.edges.size(), 2);
  }

 private:
  static QString idOf(const QByteArray& text, const char* opType) {
    for (const QByteArray& line : text.split('\n')) {
      if (line.contains(QByteArray("<B>") + opType + "</B>"))
        return QString::fromUtf8(line.trimmed().left(line.trimmed().indexOf(' ')));
    }
    return {};
  }
};

}  // namespace

QTEST_MAIN(TestDotFile)
#include "tst_dot_file.moc"
