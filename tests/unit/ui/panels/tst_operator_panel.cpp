// The operator panel: Markdown of schemas as rich text, and the page of an operator with a node's values in it.
#include <QLineEdit>
#include <QTest>
#include <QTextBrowser>
#include <QTextDocument>

#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/panels/operator/markdown.h"
#include "ui/panels/operator/operator_page.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {
QString plain(const QString& html) {
  QTextDocument document;
  document.setHtml(html);
  return document.toPlainText().simplified();
}
}  // namespace

class TestOperatorPanel : public QObject {
  Q_OBJECT

 private slots:
  void markdownBecomesRichText_data() {
    QTest::addColumn<QString>("markdown");
    QTest::addColumn<QString>("part");   // of the HTML
    QTest::addColumn<QString>("words");  // all that is read
    QTest::newRow("paragraphs") << "one\ntwo\n\nthree" << "<p" << "one two three";
    QTest::newRow("bold") << "is **very** good" << "<b>very</b>" << "is very good";
    QTest::newRow("star that multiplies") << "a * b * c" << "a * b * c" << "a * b * c";
    QTest::newRow("names keep underscores")
        << "uses auto_pad and kernel_shape" << "auto_pad and kernel_shape" << "uses auto_pad and kernel_shape";
    QTest::newRow("code") << "the `axis` here" << "font-family" << "the axis here";
    QTest::newRow("code is not emphasis") << "`a * b * c`" << "a * b * c" << "a * b * c";
    QTest::newRow("fence") << "so:\n```\nx = [1,\n  2]\n```\nend" << "<pre" << "so: x = [1, 2] end";
    QTest::newRow("fence without end") << "```\nx" << "<pre" << "x";
    QTest::newRow("indented") << "so:\n\n    y = f(x)\n" << "<pre" << "so: y = f(x)";
    QTest::newRow("heading") << "## Notes\ntext" << "font-weight:600" << "Notes text";
    QTest::newRow("link") << "see [here](https://example.org/a)" << "href='https://example.org/a'" << "see here";
    QTest::newRow("page that is not here")
        << "check [the doc](Broadcasting.md)." << "check the doc." << "check the doc.";
    QTest::newRow("hostile link stays text")
        << "[x](javascript:alert)" << "[x](javascript:alert)" << "[x](javascript:alert)";
    QTest::newRow("hostile tag stays text") << "<script>x</script>" << "&lt;script&gt;" << "<script>x</script>";
    QTest::newRow("known tags") << "a<br/>b<sup>2</sup>" << "<sup>2</sup>" << "a b2";
    QTest::newRow("entity") << "a &lt; b" << "a &lt; b" << "a < b";
    QTest::newRow("table") << "|a|b|\n|---|---|\n|1|2|" << "<th align='left'>a</th>" << "a b 1 2";
    QTest::newRow("formula") << "$Y = \\frac{a}{b}$" << "\\frac{a}{b}" << "$Y = \\frac{a}{b}$";
  }
  void markdownBecomesRichText() {
    QFETCH(QString, markdown);
    QFETCH(QString, part);
    QFETCH(QString, words);
    const QString html = markdownHtml(markdown, Theme::light());
    QVERIFY2(html.contains(part), qPrintable(html));
    QCOMPARE(plain(html), words);
  }

  void listsMayBeNested() {
    const QString html = markdownHtml("* one\n  goes on\n* two\n    1. inner\n    2. second\n* three", Theme::light());
    QCOMPARE(html.count("<li>"), 5);
    QCOMPARE(html.count("</li>"), 5);
    QCOMPARE(html.count("<ol"), 1);
    QVERIFY(html.contains("one goes on"));
    QVERIFY(html.indexOf("</ol>") < html.indexOf("three"));
  }

  void unknownOperatorTellsWhatTheNodeSays() {
    test::ToolBench bench("operator");
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    auto graphs = std::make_shared<ModelGraphs>(*walk->loadedGraphs);
    graphs->graphs[0].nodes[0].opType = "Frobnicate";
    graphs->graphs[0].nodes[0].domain = "my.own";
    walk->loadedGraphs = graphs;
    bench.document.setWalk(walk);
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 0});
    const QString words = bench.find<QTextBrowser>()->toPlainText();
    QVERIFY2(words.contains("Frobnicate") && words.contains("my.own") && words.contains("no documentation"),
             qPrintable(words));
    QVERIFY(
        words.contains(QString::fromStdString(graphs->graphs[0].values[graphs->graphs[0].nodes[0].inputs[0]].name)));
  }

  void selectionIsFollowedUntilAnotherIsAskedFor() {
    test::ToolBench bench("operator");
    bench.document.setWalk(test::sampleWalk());
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 0});
    auto* page = bench.find<QTextBrowser>();
    const QString first = page->toPlainText();
    QVERIFY(first.startsWith(QString::fromStdString(bench.document.node({GraphVersion::kLoaded, 0, 0})->opType)));
    auto* look = bench.find<QLineEdit>();
    QTest::keyClicks(look, "com.nobody:Nothing");
    QTest::keyClick(look, Qt::Key_Return);
    QVERIFY(page->toPlainText().startsWith("Nothing"));
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 1});
    QVERIFY(!page->toPlainText().startsWith("Nothing"));
    bench.picture("operator");
  }
};

QTEST_MAIN(TestOperatorPanel)
#include "tst_operator_panel.moc"
