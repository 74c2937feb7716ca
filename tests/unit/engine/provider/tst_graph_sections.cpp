// Graphs as sections of a context binary: what comes back is what went in, and what was changed on the way is refused.
#include <cstring>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/provider/graph_sections.h"
#include "engine/stages/resolve/resolve.h"

using namespace cutaway;

namespace {

Model modelOf(const std::string& text) {
  Result<Model> model = parseModelText("<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1]>\n" + text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  Progress progress;
  const Result<ResolveReport> resolved = resolve::resolve(*model, {.trace = false}, progress);
  if (!resolved) qFatal("%s", describe(resolved.error()).c_str());
  return *std::move(model);
}

// Sections whose bytes are the test's own, so that it can change them.
struct Stored {
  context_binary::ContextPartition partition;
  std::vector<std::shared_ptr<std::string>> bytes;

  explicit Stored(const Model& model) {
    Result<std::vector<context_binary::ContextSection>> sections = writeGraphSections(model.graph, model);
    if (!sections) qFatal("%s", describe(sections.error()).c_str());
    for (context_binary::ContextSection& section : *sections) {
      bytes.push_back(
          std::make_shared<std::string>(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size()));
      partition.sections.push_back({section.name, {}, nullptr});
    }
    for (const ValueId id : model.graph.inputs())
      partition.inputs.push_back({model.graph.value(id).name, model.graph.value(id).type});
    for (const ValueId id : model.graph.outputs())
      partition.outputs.push_back({model.graph.value(id).name, model.graph.value(id).type});
  }

  Result<Model> read() {
    for (size_t i = 0; i < bytes.size(); ++i) {
      partition.sections[i].bytes = std::as_bytes(std::span(*bytes[i]));
      partition.sections[i].keepAlive = bytes[i];
    }
    return readGraphSections(partition, nullptr, Progress());
  }
  // In every message: texts of equal length, so that lengths stay right.
  void replace(const std::string& from, const std::string& to) {
    if (from.size() != to.size()) qFatal("lengths differ");
    bool found = false;
    for (size_t at = bytes[0]->find(from); at != std::string::npos; at = bytes[0]->find(from, at + to.size())) {
      bytes[0]->replace(at, from.size(), to);
      found = true;
    }
    if (!found) qFatal("'%s' is not in the message", from.c_str());
  }
};

QString problemOf(const Result<Model>& read) {
  return read ? QString("no error") : QString::fromStdString(describe(read.error()));
}

std::string versions(const Graph& root) {
  std::string text;
  forEachGraph(root, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds())
      text += fmt::format("{}:{}/{}({}) ", graph.node(id).opType, graph.node(id).opsetVersion,
                          graph.node(id).sinceVersion, graph.node(id).implicitInputs.size());
  });
  return text;
}

constexpr const char* kWeighty =
    "main (float[n,32] x) => (float[n,32] y) <float[32,32] w, float[32] b> { [product] a = MatMul (x, w)\n [sum] y = "
    "Add (a, b) }";

Model weighty() {
  Model model = *parseModelText("<ir_version: 8, opset_import: [\"\" : 17]>\n" + std::string(kWeighty));
  Tensor w = *Tensor::create(ElementType::kFloat, {32, 32});
  for (size_t i = 0; i < 1024; ++i)
    w.span<float>()[i] = static_cast<float>(i);
  Tensor b = *Tensor::create(ElementType::kFloat, {32});
  std::ranges::fill(b.span<float>(), 0.5f);
  model.graph.addInitializer("w", w);
  model.graph.addInitializer("b", b);
  Progress progress;
  if (!resolve::resolve(model, {.trace = false}, progress)) qFatal("the model does not resolve");
  return model;
}

}  // namespace

class TestGraphSections : public QObject {
  Q_OBJECT
 private slots:
  void comesBackAsItWas_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("chain") << QByteArray("main (float[2,3] x) => (float[2,3] y) { [r] a = Relu (x)\n y = Exp (a) }");
    QTest::newRow("symbols") << QByteArray(
        "main (float[batch,3] x, float[batch,?] z) => (float[3,batch] y, float[?,batch] u) { y = Transpose (x)\n u = "
        "Transpose (z) }");
    QTest::newRow("left out") << QByteArray("main (float[4] x, float[] m) => (float[4] y) { y = Clip (x, \"\", m) }");
    QTest::newRow("attributes") << QByteArray(
        "main (float[1,2,4,4] x) => (float[1,2,4,4] y) <float[2,2,1,1] w = {1,-2,3,4}> { c = Conv <kernel_shape = "
        "[1,1], pads = [0,0,0,0]> (x, w)\n y = HardSigmoid <alpha = 0.25> (c) }");
    QTest::newRow("own operators") << QByteArray(
        "main (float[2,8] x) => (float[2,8] y) { y = com.microsoft.Gelu (x) }");
    QTest::newRow("passed through") << QByteArray("main (float[4] x) => (float[4] y, float[4] x) { y = Relu (x) }");
    QTest::newRow("a constant as output")
        << QByteArray("main (float[2] x) => (float[2] y, float[2] k) <float[2] k = {1,2}> { y = Add (x, k) }");
    QTest::newRow("types of integers") << QByteArray(
        "main (int64[4] x) => (bool[4] y) <int64[] one = {1}> { a = Add (x, one)\n y = Greater (a, x) }");
    QTest::newRow("bodies") << QByteArray(
        "main (bool[] c, float[2] x) => (float[2] y) <float[2] k = {3,4}> { y = If <then_branch = t () => (float[2] a) "
        "{ h = Relu (x)\n a = Add (h, k) }, else_branch = e () => (float[2] b) { b = Neg (x) }> (c) }");
    QTest::newRow("bodies in bodies") << QByteArray(
        "main (bool[] c, float[2] x) => (float[2] y) { y = If <then_branch = t () => (float[2] a) { a = If "
        "<then_branch = tt () => (float[2] aa) { aa = Relu (x) }, else_branch = te () => (float[2] ab) { ab = Exp (x) "
        "}> (c) }, "
        "else_branch = e () => (float[2] b) { b = Neg (x) }> (c) }");
    QTest::newRow("sequences inside") << QByteArray(
        "main (float[2] x) => (float[4] y) { s = SequenceConstruct (x, x)\n y = ConcatFromSequence <axis = 0> (s) }");
  }
  void comesBackAsItWas() {
    QFETCH(QByteArray, text);
    const Model model = modelOf(text.toStdString());
    const Result<Model> read = Stored(model).read();
    QVERIFY2(read, qPrintable(problemOf(read)));
    QCOMPARE(QString::fromStdString(printGraph(read->graph)), QString::fromStdString(printGraph(model.graph)));
    QCOMPARE(QString::fromStdString(versions(read->graph)), QString::fromStdString(versions(model.graph)));
    QCOMPARE(importedVersion(read->opsets, "com.microsoft"), int64_t{1});
  }

  void aNodeKeepsItsOwnVersion() {
    Model model = modelOf("main (float[2] x) => (float[2] y) { a = Relu (x)\n b = Relu (a)\n y = Exp (b) }");
    model.graph.mutableNode(NodeId{1}).opsetVersion = 9;
    model.graph.mutableNode(NodeId{1}).sinceVersion = 6;
    const Result<Model> read = Stored(model).read();
    QVERIFY2(read, qPrintable(problemOf(read)));
    QCOMPARE(QString::fromStdString(versions(read->graph)), QString::fromStdString(versions(model.graph)));
    QVERIFY(read->graph.node(NodeId{1}).metadata.empty());
  }

  void weightsStayWhereTheyLie() {
    const Model model = weighty();
    const auto sections = writeGraphSections(model.graph, model);
    QVERIFY(sections);
    QCOMPARE(sections->size(), size_t{2});
    const Tensor& w = *model.graph.value(model.graph.findValue("w")).initializer;
    QVERIFY(sections->at(1).bytes.data() == w.bytes().data());
    QVERIFY(sections->at(0).bytes.size() < 1024);
    Stored stored(model);
    const Result<Model> read = stored.read();
    QVERIFY2(read, qPrintable(problemOf(read)));
    const Tensor& back = *read->graph.value(read->graph.findValue("w")).initializer;
    QVERIFY(static_cast<const void*>(back.data()) == stored.bytes[1]->data());
    QCOMPARE(read->graph.value(read->graph.findValue("b")).initializer->span<float>()[31], 0.5f);
  }

  void theFileMayGoWhenTheGraphStays() {
    auto stored = std::make_unique<Stored>(weighty());
    const Result<Model> read = stored->read();
    QVERIFY(read);
    stored.reset();
    QCOMPARE(read->graph.value(read->graph.findValue("w")).initializer->span<float>()[1023], 1023.0f);
  }

  void changedSectionsAreRefused_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("said");
    QTest::newRow("no graph") << "no graph" << "there is no section 'graph'";
    QTest::newRow("an empty graph") << "empty graph" << "no graph";
    QTest::newRow("no weight") << "no weight" << "there is no section 'weight 0'";
    QTest::newRow("a weight cut short") << "short weight"
                                        << "section 'weight 0' has 4095 bytes, and float[32,32] needs 4096";
    QTest::newRow("a place outside") << "place" << "there is no section '/etc/pwd'";
    QTest::newRow("an unknown operator") << "operator" << "operator MatMux of domain '' is not known";
    QTest::newRow("an operator that takes other inputs") << "other operator" << "Gather";
    QTest::newRow("a value that nobody makes") << "stray" << "nothing in the stored graph gives this value";
    QTest::newRow("an input of the partition with another name") << "port name" << "input 0 is 'x'";
    QTest::newRow("an output of the partition with another type") << "port type" << "output 0 is 'y'";
    QTest::newRow("a port too many") << "port count" << "the graph has 1 inputs, and the partition 2";
  }
  void changedSectionsAreRefused() {
    QFETCH(QString, change);
    QFETCH(QString, said);
    Stored stored(weighty());
    if (change == "no graph") stored.partition.sections[0].name = "graph2";
    if (change == "empty graph") stored.bytes[0]->clear();
    if (change == "no weight") stored.partition.sections[1].name = "weight 7";
    if (change == "short weight") stored.bytes[1]->pop_back();
    if (change == "place") stored.replace("weight 0", "/etc/pwd");
    if (change == "operator") stored.replace("MatMul", "MatMux");
    if (change == "other operator") stored.replace("MatMul", "Gather");
    if (change == "stray")
      stored.replace(
          "\x0a\x01"
          "a\x0a\x01"
          "b",
          "\x0a\x01"
          "q\x0a\x01"
          "b");
    if (change == "port name") stored.partition.inputs[0].name = "other";
    if (change == "port type") stored.partition.outputs[0].type.element = ElementType::kDouble;
    if (change == "port count") stored.partition.inputs.push_back(stored.partition.inputs[0]);
    const Result<Model> read = stored.read();
    QVERIFY(!read);
    QVERIFY(read.error().code == ErrorCode::kEpFail);
    QVERIFY2(problemOf(read).contains(said), qPrintable(problemOf(read)));
  }

  // A kernel writes as many bytes as the operator gives, into memory of the type that the message says.
  void declaredTypesThatAreNotTrueAreRefused_data() {
    QTest::addColumn<int>("element");
    QTest::addColumn<qint64>("rows");
    QTest::newRow("element") << int(ElementType::kInt8) << qint64(4);
    QTest::newRow("shape") << int(ElementType::kFloat) << qint64(3);
  }
  void declaredTypesThatAreNotTrueAreRefused() {
    QFETCH(int, element);
    QFETCH(qint64, rows);
    Model model = modelOf("main (float[4,2] x) => (float[4,2] y) { a = Relu (x)\n y = Neg (a) }");
    Value& inner = model.graph.mutableValue(model.graph.findValue("a"));
    inner.type = ValueType::tensor(static_cast<ElementType>(element), Shape{Dim(rows), Dim(int64_t{2})});
    const Result<Model> read = Stored(model).read();
    QVERIFY(!read);
    QVERIFY2(problemOf(read).contains("agree"), qPrintable(problemOf(read)));
  }

  // As optimization leaves them: constants that onnx's own inference refuses, and kernels take.
  void whatInferenceRefusesIsCheckedBySchema() {
    Model model = modelOf(
        "main (float[4] x) => (int64[4] y) <int64[] a = {0}, int64[] b = {4}, int64[] one = {1}> { r = Range (a, b, "
        "one)\n y = Abs (r) }");
    model.graph.addInitializer("b", Tensor::of<int64_t>(std::vector<int64_t>{4}));
    const Result<Model> read = Stored(model).read();
    QVERIFY2(read, qPrintable(problemOf(read)));
    model.graph.mutableValue(model.graph.findValue("r")).type.element = ElementType::kInt32;
    QVERIFY(!Stored(model).read());
  }

  void circlesAreRefused() {
    Stored stored(modelOf("main (float[4] x) => (float[4] y) { a = Add (x, x)\n bb = Add (a, x)\n y = Neg (bb) }"));
    stored.replace(
        "\x0a\x01"
        "a\x0a\x01"
        "x\x12\x02"
        "bb",
        "\x0a\x01"
        "y\x0a\x01"
        "x\x12\x02"
        "bb");
    const Result<Model> read = stored.read();
    QVERIFY(!read);
    QVERIFY2(read.error().code == ErrorCode::kEpFail, qPrintable(problemOf(read)));
  }

  // Whatever is done to the message: an answer, and no crash (run under asan to mean more).
  void anyByteMayBeWrong() {
    const Stored original(weighty());
    for (size_t at = 0; at < original.bytes[0]->size(); ++at) {
      for (const unsigned char change : {0x01, 0x80, 0xff}) {
        Stored stored = original;
        stored.bytes[0] = std::make_shared<std::string>(*original.bytes[0]);
        (*stored.bytes[0])[at] = static_cast<char>((*stored.bytes[0])[at] ^ change);
        const Result<Model> read = stored.read();
        if (!read) QVERIFY(read.error().code == ErrorCode::kEpFail);
      }
    }
    for (size_t length = 0; length < original.bytes[0]->size(); ++length) {
      Stored stored = original;
      stored.bytes[0] = std::make_shared<std::string>(original.bytes[0]->substr(0, length));
      const Result<Model> read = stored.read();
      if (!read) QVERIFY(read.error().code == ErrorCode::kEpFail);
    }
  }

  void cancelled() {
    Stored stored(weighty());
    QVERIFY(stored.read());
    const CancelToken token;
    token.cancel();
    const Result<Model> read = readGraphSections(stored.partition, nullptr, Progress(token));
    QVERIFY(!read);
    QVERIFY(read.error().code == ErrorCode::kModelLoadCanceled);
  }
};

QTEST_GUILESS_MAIN(TestGraphSections)
#include "tst_graph_sections.moc"
