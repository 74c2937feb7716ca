#include <QtTest/QtTest>

#include "engine/context_binary/inside_nodes.h"
#include "engine/graph/text.h"

using namespace cutaway;

namespace {

std::string valid() {
  return R"({"v":1,"name":"g","values":[["x","float[2]",null],["y","float[2]",null],["w","float[2]",[2]]],"nodes":[["n","Add","",[0,2],[1],[]]],"inputs":[0],"outputs":[1]})";
}

}  // namespace

class TestInsideNodes : public QObject {
  Q_OBJECT

 private slots:
  void whatIsWrittenIsRead() {
    auto parsed = parseModelText(R"(<ir_version: 10, opset_import: ["" : 21]>
main (float[n,4] x, float[n,2] bias) => (float[n,2] y, float[n,4] h) <float[4,2] w = {1,2,3,4,5,6,7,8}> {
  [relu1] h = Relu (x)
  [m] p = MatMul (h, w)
  [clip] c = Clip (p, "", bias)
  [add] y = com.example.Add <note = "two"> (c, c)
})");
    if (!parsed) QFAIL(describe(parsed.error()).c_str());
    Model model = *std::move(parsed);
    model.graph.mutableNode(NodeId{0}).rewrite = "a pass";
    model.graph.mutableNode(NodeId{0}).name = "not UTF-8 \xFF and \"quoted\"";
    const auto report = context_binary::readInside(context_binary::writeInside(model.graph));
    if (!report) QFAIL(describe(report.error()).c_str());
    QCOMPARE(report->nodes.size(), size_t{4});
    QVERIFY(report->nodes[0].name.find("\"quoted\"") != std::string::npos);
    QCOMPARE(report->nodes[0].rewrite, std::string("a pass"));
    QCOMPARE(report->nodes[3].domain, std::string("com.example"));
    QCOMPARE(report->nodes[3].attributes[0].text, std::string("two"));
    QCOMPARE(report->nodes[3].attributes[0].kind, std::string("STRING"));
    QCOMPARE(report->nodes[2].inputs[1], kNone);
    const auto valueOf = [&](const char* name) {
      return *std::ranges::find_if(report->values, [&](const ValueReport& value) { return value.name == name; });
    };
    QCOMPARE(valueOf("x").type, std::string("float[n,4]"));
    QCOMPARE(valueOf("x").elementType, std::string("float"));
    QCOMPARE(valueOf("x").shape, std::string("[n,4]"));
    QVERIFY(valueOf("x").role == ValueRole::kInput && valueOf("x").producer == kNone);
    QVERIFY(valueOf("w").role == ValueRole::kConstant && valueOf("w").isInitializer);
    QCOMPARE(valueOf("w").sizeBytes, int64_t{32});
    QVERIFY(valueOf("h").role == ValueRole::kOutput && valueOf("h").isOutput);
    QCOMPARE(valueOf("h").consumers, std::vector<int32_t>{1});
    QCOMPARE(valueOf("c").consumers, std::vector<int32_t>{3});
    QVERIFY(valueOf("p").role == ValueRole::kIntermediate);
    QCOMPARE(report->inputs.size(), size_t{2});
    QCOMPARE(report->outputs.size(), size_t{2});
  }

  void textIsCompact() {
    QVERIFY(context_binary::readInside(valid()).has_value());
    QCOMPARE(context_binary::writeInside(Graph("g")),
             std::string(R"({"inputs":[],"name":"g","nodes":[],"outputs":[],"v":1,"values":[]})"));
  }

  void fiftyThousandNodes() {
    Graph graph("long");
    ValueId last = graph.addInput("x", ValueType::tensor(ElementType::kFloat, Shape{Dim(4)}));
    for (int i = 0; i < 50'000; ++i) {
      Node node{.name = fmt::format("relu_{}", i), .opType = "Relu"};
      const NodeId id =
          graph.addNode(std::move(node), std::initializer_list<ValueId>{last}, {fmt::format("value_{}", i)});
      last = graph.node(id).outputs[0];
    }
    graph.addOutput(last);
    const std::string text = context_binary::writeInside(graph);
    QVERIFY(text.size() < size_t{8} << 20);
    const auto report = context_binary::readInside(text);
    QVERIFY(report.has_value());
    QCOMPARE(report->nodes.size(), size_t{50'000});
  }

  void hostileTextIsAnswered_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, QByteArray text, const char* part) {
      QTest::newRow(name) << std::move(text) << QByteArray(part);
    };
    const auto changed = [](const char* from, const char* to) {
      QByteArray text = QByteArray::fromStdString(valid());
      if (!text.contains(from)) qFatal("no '%s'", from);
      return text.replace(from, to);
    };
    row("empty", "", "no JSON");
    row("no JSON", "{", "no JSON");
    row("no UTF-8", "{\"v\":1,\"name\":\"\xFF\"}", "no JSON");
    row("deep", QByteArray(100'000, '['), "nested deeper than 8");
    row("deep behind a text", "{\"a\\\"[\":" + QByteArray(100'000, '[') + "}", "nested deeper than 8");
    row("a number", "7", "no object");
    row("no version", "{}", "no object with a version");
    row("other version", changed("\"v\":1", "\"v\":2"), "version 2, and this program reads version 1");
    row("version a text", changed("\"v\":1", "\"v\":\"1\""), "no object with a version");
    row("nodes an object", changed("\"nodes\":[[\"n\",\"Add\",\"\",[0,2],[1],[]]]", "\"nodes\":{}"), "lacks one of");
    row("value a text", changed("[\"x\",\"float[2]\",null]", "\"x\""), "value 0 is not");
    row("value without a type", changed("[\"x\",\"float[2]\",null]", "[\"x\"]"), "value 0 is not");
    row("negative dimension", changed("[2]]]", "[-2]]]"), "no size");
    row("fraction of a dimension", changed("[2]]]", "[2.5]]]"), "no size");
    row("huge dimension", changed("[2]]]", "[18446744073709551615]]]"), "no size");
    row("node too short", changed("[\"n\",\"Add\",\"\",[0,2],[1],[]]", "[\"n\",\"Add\"]"), "node 0 is not");
    row("value number too large", changed("[0,2]", "[0,3]"), "3 is no number of one of its 3 values");
    row("value number negative", changed("[0,2]", "[0,-2]"), "-2 is no number");
    row("value number wraps", changed("[0,2]", "[0,18446744073709551615]"), "is no number");
    row("value number beyond 32 bits", changed("[0,2]", "[0,4294967296]"), "is no number");
    row("value number a fraction", changed("[0,2]", "[0,1.5]"), "1.5 is no number");
    row("absent graph input", changed("\"inputs\":[0]", "\"inputs\":[-1]"), "-1 is no number");
    row("outputs a number", changed("\"outputs\":[1]", "\"outputs\":1"), "lacks one of");
    row("attribute a text", changed("[1],[]", "[1],[\"a\"]"), "an attribute of node 0");
    row("two producers", changed("[1],[]]", "[1],[]],[\"m\",\"Add\",\"\",[0],[1],[]]"), "two producers");
    row("an input that is made inside", changed("\"inputs\":[0]", "\"inputs\":[1]"), "has a producer");
  }
  void hostileTextIsAnswered() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, part);
    const auto report = context_binary::readInside(text.toStdString());
    QVERIFY(!report);
    QCOMPARE(static_cast<int>(report.error().code), static_cast<int>(ErrorCode::kInvalidGraph));
    QVERIFY2(QByteArray::fromStdString(report.error().message).contains(part), report.error().message.c_str());
  }

  void dimensionsThatDoNotMultiplyAreShown() {
    std::string text = valid();
    text.replace(text.find("[2]]]"), 5, "[9223372036854775807,9223372036854775807]]]");
    const auto report = context_binary::readInside(text);
    QVERIFY(report.has_value());
    QCOMPARE(report->values[2].sizeBytes, int64_t{-1});
  }
};

QTEST_GUILESS_MAIN(TestInsideNodes)
#include "tst_inside_nodes.moc"
