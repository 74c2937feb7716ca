#include <QtTest/QtTest>

#include "app/providers/provider_table.h"
#include "engine/context_binary/context_node.h"
#include "engine/graph/text.h"

using namespace cutaway;

namespace {

Model modelOf(const QString& attributes, const char* outputs = "y") {
  const QString text = QString(
                           "<ir_version: 10, opset_import: [\"\" : 21, \"com.microsoft\" : 1]>\nmain (float[2] x) => "
                           "(float[2] y) {\n  [ctx] %1 = com.microsoft.EPContext %2 (x)\n}\n")
                           .arg(outputs, attributes.isEmpty() ? "" : "<" + attributes + ">");
  auto model = parseModelText(text.toStdString());
  if (!model) qFatal("%s\n%s", describe(model.error()).c_str(), text.toUtf8().constData());
  return *std::move(model);
}

}  // namespace

class TestContextNode : public QObject {
  Q_OBJECT

 private slots:
  void defaultsAreTheSchemas() {
    const Model model = modelOf("ep_cache_context = \"bytes\"");
    const Node& node = model.graph.node(model.graph.nodeIds()[0]);
    QVERIFY(context_binary::isContextNode(node));
    const auto context = context_binary::readContextNode(node);
    if (!context) QFAIL(describe(context.error()).c_str());
    QVERIFY(context->isMain && context->isEmbedded && context->hasCache);
    QCOMPARE(std::string(context->cache), std::string("bytes"));
    QVERIFY(context->source.empty() && context->partitionName.empty());
    QCOMPARE(context->maxSizeBytes, int64_t{0});
  }

  void allAttributesComeBack() {
    Model model = modelOf("private_one = 7, ep_cache_context = \"old\"");
    const context_binary::ContextNode written{.isMain = false,
                                              .isEmbedded = false,
                                              .cache = "file.bin",
                                              .hasCache = true,
                                              .sdkVersion = "2.6.3",
                                              .modelFile = "m.onnx",
                                              .hardware = "avx512",
                                              .partitionName = "p",
                                              .source = "onednn",
                                              .notes = "n",
                                              .maxSizeBytes = 12};
    Node& node = model.graph.mutableNode(model.graph.nodeIds()[0]);
    context_binary::writeContextNode(written, node);
    const context_binary::ContextNode read = context_binary::readContextNode(node).value();
    QCOMPARE(read.isMain, written.isMain);
    QCOMPARE(read.isEmbedded, written.isEmbedded);
    QCOMPARE(std::string(read.cache), std::string("file.bin"));
    for (const auto field : {&context_binary::ContextNode::sdkVersion, &context_binary::ContextNode::modelFile,
                             &context_binary::ContextNode::hardware, &context_binary::ContextNode::partitionName,
                             &context_binary::ContextNode::source, &context_binary::ContextNode::notes})
      QCOMPARE(read.*field, written.*field);
    QCOMPARE(read.maxSizeBytes, int64_t{12});
    QCOMPARE(node.attributeOr<int64_t>("private_one", 0), int64_t{7});
    // Once more over itself: `cache` lies in the attribute that is replaced.
    context_binary::writeContextNode(read, node);
    QCOMPARE(std::string(context_binary::readContextNode(node).value().cache), std::string("file.bin"));
  }

  void badNodesAreNamed_data() {
    QTest::addColumn<QString>("attributes");
    QTest::addColumn<QString>("part");
    QTest::newRow("main_context 2") << "main_context = 2, ep_cache_context = \"x\"" << "main_context is 2";
    QTest::newRow("embed_mode -1") << "embed_mode = -1, ep_cache_context = \"x\"" << "embed_mode is -1";
    QTest::newRow("main_context a text") << "main_context = \"1\", ep_cache_context = \"x\""
                                         << "main_context is of kind STRING, it must be INT";
    QTest::newRow("cache a number") << "ep_cache_context = 1" << "ep_cache_context is of kind INT, it must be STRING";
    QTest::newRow("source a list") << "ep_cache_context = \"x\", source = [1, 2]" << "source is of kind INTS";
    QTest::newRow("no cache") << "" << "ep_cache_context is missing; a main node has the context's bytes";
    QTest::newRow("no path") << "embed_mode = 0" << "ep_cache_context is missing; a main node has the name of a file";
    QTest::newRow("empty path") << "embed_mode = 0, ep_cache_context = \"\"" << "ep_cache_context is empty";
    QTest::newRow("negative size") << "ep_cache_context = \"x\", max_size = -5" << "max_size is -5";
  }
  void badNodesAreNamed() {
    QFETCH(QString, attributes);
    QFETCH(QString, part);
    const Model model = modelOf(attributes);
    const auto context = context_binary::readContextNode(model.graph.node(model.graph.nodeIds()[0]));
    QVERIFY(!context);
    QCOMPARE(static_cast<int>(context.error().code), static_cast<int>(ErrorCode::kInvalidGraph));
    QCOMPARE(context.error().where.node, std::string("ctx"));
    QVERIFY2(context.error().message.find(part.toStdString()) != std::string::npos, context.error().message.c_str());
  }

  void nodesWithoutOutputsAreRefused() {
    Node node;
    node.name = "ctx";
    context_binary::writeContextNode({.cache = "x", .hasCache = true}, node);
    const auto context = context_binary::readContextNode(node);
    QVERIFY(!context && context.error().message.find("no outputs") != std::string::npos);
  }

  void dependentNodesNeedNoCache() {
    QVERIFY(context_binary::readContextNode(modelOf("main_context = 0, source = \"QNN\"").graph.node(NodeId{0}))
                .has_value());
  }

  void otherOperatorsAreNone() {
    Node node;
    node.opType = context_binary::kContextOperator;
    QVERIFY(!context_binary::isContextNode(node));
    node.domain = "com.other";
    QVERIFY(!context_binary::isContextNode(node));
  }

  void sources_data() {
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<bool>("same");
    QTest::newRow("equal") << "onednn" << "onednn" << true;
    QTest::newRow("onnxruntime's") << "OpenVINOExecutionProvider" << "openvino" << true;
    QTest::newRow("short") << "OpenVINO" << "openvino" << true;
    QTest::newRow("QNN") << "QNN" << "QNNExecutionProvider" << true;
    QTest::newRow("another") << "QNN" << "openvino" << false;
    QTest::newRow("simulated") << "declared(QNN-HTP)" << "declared(QNN-HTP)" << true;
    QTest::newRow("simulated, other hardware") << "declared(QNN-HTP)" << "declared(QNN-GPU)" << false;
    QTest::newRow("simulated is not the hardware") << "QNN" << "declared(QNN)" << false;
    QTest::newRow("nothing") << "" << "openvino" << false;
    QTest::newRow("only the ending") << "ExecutionProvider" << "" << false;
    QTest::newRow("signs") << "--" << "++" << false;
  }
  void sources() {
    QFETCH(QString, a);
    QFETCH(QString, b);
    QFETCH(bool, same);
    QCOMPARE(context_binary::sameSource(a.toStdString(), b.toStdString()), same);
    QCOMPARE(context_binary::sameSource(b.toStdString(), a.toStdString()), same);
  }

  void titles() {
    const std::vector<context_binary::ContextSource> known = contextSources(builtProviders());
    QCOMPARE(context_binary::sourceTitle("QNNExecutionProvider", known), std::string("QNN"));
    QCOMPARE(context_binary::sourceTitle("openvino", known), std::string("OpenVINO"));
    QCOMPARE(context_binary::sourceTitle("TensorrtExecutionProvider", known), std::string("TensorRT"));
    QCOMPARE(context_binary::sourceTitle("Something else", known), std::string("Something else"));
    QCOMPARE(context_binary::sourceTitle("", known), std::string());
  }

  // The engine has no names of its own.
  void titlesAreThoseOfTheRows() {
    const std::vector<context_binary::ContextSource> known{{.name = "chip", .title = "The Chip"}};
    QCOMPARE(context_binary::sourceTitle("ChipExecutionProvider", known), std::string("The Chip"));
    QCOMPARE(context_binary::sourceTitle("QNNExecutionProvider", known), std::string("QNNExecutionProvider"));
    QVERIFY(context_binary::findSource("chip(Two)", known) == nullptr &&
            !context_binary::sameSource("chip(Two)", "chip-two"));
  }
};

QTEST_GUILESS_MAIN(TestContextNode)
#include "tst_context_node.moc"
