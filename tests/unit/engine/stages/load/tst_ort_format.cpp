// Models in onnxruntime's own format: files that onnxruntime wrote (make_samples.py), the same damaged at every byte,
// and files made to do harm.

#include <QtCore/QDir>
#include <QtTest/QtTest>

#include "engine/stages/resolve/resolve.h"
#include "tests/unit/engine/stages/load/model_bytes.h"
#include "tests/unit/engine/stages/load/ort_format/flat_writer.h"

using namespace cutaway;

namespace {

using Fields = FlatNode::Fields;

QByteArray sample(const char* name) {
  return readFile(QStringLiteral(CUTAWAY_SOURCE_DIR) + "/tests/unit/engine/stages/load/ort_format/" + name);
}

// Loads, and resolves what could be loaded: whatever the bytes say, there is an answer.
bool tryBytes(const QByteArray& bytes) {
  auto loaded = loadBytes(bytes);
  if (!loaded) return !loaded.error().message.empty();
  Progress progress;
  const auto resolved = resolve::resolve(loaded->model, {}, progress);
  return resolved || !resolved.error().message.empty();
}

std::shared_ptr<FlatNode> texts(std::initializer_list<const char*> each) {
  FlatNode::List list;
  for (const char* text : each)
    list.push_back(FlatNode::text(text));
  return FlatNode::list(list);
}

// Relu from x to y, with `more` fields or others in their place.
Fields reluNode(Fields more = {}) {
  more.insert({{0, FlatNode::text("r")}, {5, FlatNode::text("Relu")}, {8, texts({"x"})}, {9, texts({"y"})}});
  return more;
}
Fields reluGraph(Fields more = {}) {
  more.insert({{2, FlatNode::list({FlatNode::table(reluNode())})}, {5, texts({"x"})}, {6, texts({"y"})}});
  return more;
}
QByteArray modelFile(Fields graph, const char* version = "6", int64_t irVersion = 8) {
  const auto import = FlatNode::table({{0, FlatNode::text("")}, {1, FlatNode::number<int64_t>(17)}});
  const auto model = FlatNode::table(
      {{0, FlatNode::number(irVersion)}, {1, FlatNode::list({import})}, {7, FlatNode::table(std::move(graph))}});
  return flatFile("ORTM", FlatNode::table({{0, FlatNode::text(version)}, {1, model}}));
}
QByteArray nodeFile(Fields node) {
  return modelFile(reluGraph({{2, FlatNode::list({FlatNode::table(reluNode(std::move(node)))})}}));
}
QByteArray attributeFile(int32_t type, Fields more) {
  more.insert({{0, FlatNode::text("a")}, {2, FlatNode::number(type)}});
  return nodeFile({{10, FlatNode::list({FlatNode::table(std::move(more))})}});
}
std::shared_ptr<FlatNode> tensor(const char* name, int32_t type, const std::vector<int64_t>& dims, Fields more) {
  more.insert(
      {{0, FlatNode::text(name)},
       {2, FlatNode::bytes(QByteArray(reinterpret_cast<const char*>(dims.data()), qsizetype(dims.size()) * 8), 8)},
       {3, FlatNode::number(type)}});
  return FlatNode::table(std::move(more));
}
QByteArray weightFile(int32_t type, const std::vector<int64_t>& dims, Fields more) {
  return modelFile(reluGraph({{0, FlatNode::list({tensor("w", type, dims, std::move(more))})}}));
}
// A sparse initializer `w` of 3 x 4 with 1 and 2 at linear places 1 and 11; indices as they are given.
QByteArray sparseFile(int32_t indexType, const QByteArray& indices) {
  const float values[] = {1, 2};
  const int64_t dims[] = {3, 4};
  const auto sparse = FlatNode::table(
      {{0, tensor("w", 1, {2}, {{4, FlatNode::bytes(QByteArray(reinterpret_cast<const char*>(values), 8), 1)}})},
       {1, tensor("", indexType, {2}, {{4, FlatNode::bytes(indices, 1)}})},
       {2, FlatNode::bytes(QByteArray(reinterpret_cast<const char*>(dims), 16), 8)}});
  return modelFile(reluGraph({{7, FlatNode::list({sparse})}}));
}
// A value whose type is a sequence of a sequence of ..., `depth` deep.
QByteArray deepTypeFile(int depth) {
  auto type = FlatNode::table({{1, FlatNode::number<uint8_t>(0)}});
  for (int i = 0; i < depth; ++i)
    type = FlatNode::table({{1, FlatNode::number<uint8_t>(2)}, {2, FlatNode::table({{0, type}})}});
  return modelFile(reluGraph({{1, FlatNode::list({FlatNode::table({{0, FlatNode::text("x")}, {2, type}})})}}));
}
// A body in a body in a body ...; `bodies` times the same one in each.
QByteArray deepBodyFile(int depth, size_t bodies) {
  auto graph = FlatNode::table(reluGraph());
  for (int i = 0; i < depth; ++i) {
    const auto attribute = FlatNode::table({{0, FlatNode::text("bodies")},
                                            {2, FlatNode::number<int32_t>(10)},
                                            {12, FlatNode::list(FlatNode::List(bodies, graph))}});
    graph = FlatNode::table(
        reluGraph({{2, FlatNode::list({FlatNode::table(reluNode({{10, FlatNode::list({attribute})}}))})}}));
  }
  return modelFile(std::get<Fields>(graph->value));
}

}  // namespace

class TestOrtFormat : public QObject {
  Q_OBJECT

 private slots:
  void richSample() {
    const QByteArray bytes = sample("rich.ort");
    auto loaded = loadBytes(bytes);
    if (!loaded) QFAIL(describe(loaded.error()).c_str());
    Model& model = loaded->model;
    QCOMPARE(model.irVersion, int64_t{8});
    QCOMPARE(importedVersion(model.opsets, ""), int64_t{17});
    QCOMPARE(model.producerName, std::string("samples"));
    QCOMPARE(model.producerVersion, std::string("3"));
    QCOMPARE(model.domain, std::string("test.cutaway"));
    QCOMPARE(model.modelVersion, int64_t{7});
    QCOMPARE(model.documentation, std::string("every kind of thing"));
    QCOMPARE(model.metadata.at("key"), std::string("value"));
    QCOMPARE(model.origins.size(), size_t{7});
    const Graph& graph = model.graph;
    QCOMPARE(graph.nodeCount(), size_t{5});
    QCOMPARE(toText(graph.value(graph.findValue("x")).type), std::string("float[n,4]"));
    QCOMPARE(toText(graph.value(graph.findValue("p")).type), std::string("float[n,2]"));
    QCOMPARE(toText(graph.value(graph.findValue("t")).type), std::string("string[2]"));
    QCOMPARE(graph.inputs().size(), size_t{2});
    QCOMPARE(graph.outputs().size(), size_t{3});
    const Node& clip = graph.node(graph.findNode("clip"));
    QCOMPARE(clip.inputs.size(), size_t{3});
    QVERIFY(!clip.inputs[1].valid());
    QCOMPARE(graph.node(graph.findNode("elu")).attributeOr("alpha", 0.0f), 0.5f);
    QCOMPARE(graph.node(graph.findNode("names")).attributeOr("axis", int64_t{7}), int64_t{0});
    const auto words = graph.value(graph.findValue("words")).initializer->span<const std::string>();
    QCOMPARE(std::vector<std::string>(words.begin(), words.end()), (std::vector<std::string>{"a", "bc", ""}));
    const auto* then = std::get_if<GraphBox>(&graph.node(graph.findNode("if")).findAttribute("then_branch")->value);
    QVERIFY(then != nullptr);
    QCOMPARE((*then)->nodeCount(), size_t{1});
    Progress progress;
    const auto resolved = resolve::resolve(model, {}, progress);
    if (!resolved) QFAIL(describe(resolved.error()).c_str());
  }

  void weightsStayInTheFile() {
    QTemporaryDir folder;
    const QString path = folder.filePath("model.ort");
    writeFile(path, sample("rich.ort"));
    const auto loaded = loadFile(path);
    if (!loaded) QFAIL(describe(loaded.error()).c_str());
    QCOMPARE(loaded->report.format, std::string("ort 6"));
    QCOMPARE(loaded->report.initializerCount, int64_t{5});
    const Graph& graph = loaded->model.graph;
    const auto weight = graph.value(graph.findValue("w")).initializer->span<const float>();
    QCOMPARE(std::vector<float>(weight.begin(), weight.end()), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
    // Numbers of 4 bytes are used where they lie; onnxruntime does not align those of 8.
    QCOMPARE(loaded->report.phases.back().name, std::string("build graph"));
    QCOMPARE(loaded->report.phases.back().bytes, int64_t{16});
  }

  void sequenceSample() {
    const auto loaded = loadBytes(sample("sequence.ort"));
    if (!loaded) QFAIL(describe(loaded.error()).c_str());
    const Graph& graph = loaded->model.graph;
    QCOMPARE(toText(graph.value(graph.findValue("s")).type), std::string("seq(float[n])"));
    QCOMPARE(toText(graph.value(graph.findValue("i")).type), std::string("int8[3]"));
    QCOMPARE(toText(graph.value(graph.findValue("half")).type), std::string("float16[2]"));
  }

  // The content says what a file is, not its name.
  void foundByContent() {
    QTemporaryDir folder;
    for (const char* name : {"model.onnx", "model", "model.txt", "model.ORT"}) {
      const QString path = folder.filePath(name);
      writeFile(path, sample("rich.ort"));
      QVERIFY2(loadFile(path).has_value(), name);
    }
    writeFile(folder.filePath("not.ort"), modelBytes(kRichModel));
    const auto loaded = loadFile(folder.filePath("not.ort"));
    QVERIFY(loaded.has_value());
    QCOMPARE(loaded->report.format, std::string("onnx"));
  }

  void savedAsOnnxItComesBack() {
    const auto loaded = loadBytes(sample("rich.ort"));
    QVERIFY(loaded.has_value());
    QTemporaryDir folder;
    const QString path = folder.filePath("m.onnx");
    QVERIFY(load::save(loaded->model, path.toStdString(), {}).has_value());
    const auto again = loadFile(path);
    if (!again) QFAIL(describe(again.error()).c_str());
    TextOptions options;
    options.maxInlineElements = 1000;
    QCOMPARE(QByteArray::fromStdString(printModel(again->model, options)),
             QByteArray::fromStdString(printModel(loaded->model, options)));
  }

  void versions_data() {
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<int>("code");  // 0: it loads
    const auto row = [](const char* version, int code) { QTest::newRow(version) << QByteArray(version) << code; };
    for (const char* version : {"2", "3", "4", "5", "6"})
      row(version, 0);
    for (const char* version : {"0", "1", "7", "-1", "40000"})
      row(version, static_cast<int>(ErrorCode::kNotImplemented));
    for (const char* version : {"", "six", "6.1", "99999999999999999999"})
      row(version, static_cast<int>(ErrorCode::kInvalidProtobuf));
  }
  void versions() {
    QFETCH(QByteArray, version);
    QFETCH(int, code);
    const auto loaded = loadBytes(modelFile(reluGraph(), version.constData()));
    QCOMPARE(loaded ? 0 : static_cast<int>(loaded.error().code), code);
    if (code != 0) {
      QVERIFY2(loaded.error().message.find("ort_version") != std::string::npos, loaded.error().message.c_str());
      QVERIFY2(loaded.error().message.find("convert_onnx_models_to_ort") != std::string::npos,
               loaded.error().message.c_str());
    }
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const QByteArray& bytes, ErrorCode code, const char* part) {
      QTest::newRow(name) << bytes << static_cast<int>(code) << QByteArray(part);
    };
    const auto floats = FlatNode::bytes(QByteArray(16, 0), 1);
    const auto node = FlatNode::table(reluNode());
    const auto otherNode = FlatNode::table(reluNode({{0, FlatNode::text("s")}}));
    row("only the letters", QByteArray("\x08\0\0\0ORTM", 8), ErrorCode::kInvalidProtobuf, "damaged or cut short");
    row("no model", flatFile("ORTM", FlatNode::table({{0, FlatNode::text("6")}})), ErrorCode::kInvalidArgument,
        "no graph");
    row("no nodes", modelFile({}), ErrorCode::kInvalidGraph, "empty");
    row("a compiled node", nodeFile({{6, FlatNode::number<int32_t>(1)}}), ErrorCode::kNotImplemented,
        "execution provider compiled");
    row("a node without operator", nodeFile({{5, FlatNode::text("")}}), ErrorCode::kInvalidGraph, "no operator");
    row("a value made twice", modelFile(reluGraph({{2, FlatNode::list({node, otherNode})}})), ErrorCode::kInvalidGraph,
        "'y' is made by more than one node");
    row("an input listed twice", modelFile(reluGraph({{5, texts({"x", "x"})}})), ErrorCode::kFail, "listed twice");
    row("an input without name", modelFile(reluGraph({{5, texts({""})}})), ErrorCode::kInvalidGraph, "no name");
    row("an output without name", modelFile(reluGraph({{6, texts({""})}})), ErrorCode::kInvalidGraph, "no name");
    row("an attribute of no kind", attributeFile(0, {}), ErrorCode::kNotImplemented, "kind 0");
    row("an attribute kind of the future", attributeFile(99, {}), ErrorCode::kNotImplemented, "kind 99");
    row("a tensor attribute without tensor", attributeFile(4, {}), ErrorCode::kInvalidGraph, "no element type");
    row("a graph attribute without graph", attributeFile(5, {}), ErrorCode::kInvalidGraph, "graph is missing");
    row("too few bytes", weightFile(1, {2, 3}, {{4, floats}}), ErrorCode::kInvalidGraph, "16 bytes of data");
    row("no bytes", weightFile(1, {4}, {}), ErrorCode::kInvalidGraph, "0 bytes of data");
    row("negative dimensions", weightFile(1, {-4}, {{4, floats}}), ErrorCode::kInvalidGraph, "-4");
    row("too large dimensions", weightFile(1, {1LL << 62, 1LL << 62}, {{4, floats}}), ErrorCode::kInvalidGraph, "");
    row("element type of the future", weightFile(99, {4}, {{4, floats}}), ErrorCode::kNotImplemented, "is 99");
    row("no element type", weightFile(0, {4}, {{4, floats}}), ErrorCode::kInvalidGraph, "no element type");
    row("strings that do not fit", weightFile(8, {3}, {{5, texts({"a", "b"})}}), ErrorCode::kInvalidGraph, "2 strings");
    row("bytes in another file", weightFile(1, {4}, {{6, FlatNode::number<int64_t>(0)}}), ErrorCode::kNotImplemented,
        "another file");
    row("indices that are no integers", sparseFile(1, QByteArray(8, 0)), ErrorCode::kInvalidGraph,
        "not of an integer type");
    row("an index outside", sparseFile(3, QByteArray("\x01\x0c", 2)), ErrorCode::kInvalidGraph, "index 12");
    row("types that nest too deeply", deepTypeFile(100), ErrorCode::kInvalidGraph, "nests more than");
    row("bodies that nest too deeply", deepBodyFile(300, 1), ErrorCode::kInvalidGraph, "nest more than");
    row("a body that is used exponentially often", deepBodyFile(100, 8), ErrorCode::kInvalidProtobuf, "over and over");
    row("no IR version", modelFile(reluGraph(), "6", 0), ErrorCode::kInvalidProtobuf, "IR version");
  }
  void refused() {
    QFETCH(QByteArray, bytes);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    const auto loaded = loadBytes(bytes);
    QVERIFY(!loaded);
    QVERIFY2(QByteArray::fromStdString(loaded.error().message).contains(part), loaded.error().message.c_str());
    QCOMPARE(static_cast<int>(loaded.error().code), code);
  }

  // onnxruntime stores indices in the smallest type that holds them.
  void sparseInitializers_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<QByteArray>("indices");
    QTest::newRow("int8") << 3 << QByteArray("\x01\x0b", 2);
    QTest::newRow("int16") << 5 << QByteArray("\x01\0\x0b\0", 4);
    QTest::newRow("int32") << 6 << QByteArray("\x01\0\0\0\x0b\0\0\0", 8);
    QTest::newRow("int64") << 7 << QByteArray("\x01\0\0\0\0\0\0\0\x0b\0\0\0\0\0\0\0", 16);
  }
  void sparseInitializers() {
    QFETCH(int, type);
    QFETCH(QByteArray, indices);
    const auto loaded = loadBytes(sparseFile(type, indices));
    if (!loaded) QFAIL(describe(loaded.error()).c_str());
    const Graph& graph = loaded->model.graph;
    const auto dense = graph.value(graph.findValue("w")).initializer->span<const float>();
    QCOMPARE(std::vector<float>(dense.begin(), dense.end()), (std::vector<float>{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}));
  }

  void typesOfSeveralKinds() {
    const auto loaded = loadBytes(deepTypeFile(10));
    QVERIFY(loaded.has_value());
    const Graph& graph = loaded->model.graph;
    QVERIFY(graph.value(graph.findValue("x")).type.kind == TypeKind::kSequence);
  }

  void cutShort() {
    const QByteArray whole = sample("rich.ort");
    for (int length = 0; length < whole.size(); ++length)
      QVERIFY2(tryBytes(whole.left(length)), qPrintable(QString::number(length)));
    const auto half = loadBytes(whole.left(whole.size() / 2));
    QVERIFY(!half);
    QVERIFY2(half.error().message.find("cut short") != std::string::npos, half.error().message.c_str());
  }

  void everyByteChanged() {
    for (const char* name : {"rich.ort", "sequence.ort"}) {
      const QByteArray whole = sample(name);
      for (qsizetype at = 0; at < whole.size(); ++at) {
        for (const int change : {0x01, 0x80, 0xff}) {
          QByteArray bytes = whole;
          bytes[at] = static_cast<char>(bytes[at] ^ change);
          QVERIFY2(tryBytes(bytes), qPrintable(QString("%1 %2 %3").arg(name).arg(at).arg(change)));
        }
      }
    }
  }

  // Offsets and counts at their extremes.
  void everyWordAtItsExtremes() {
    const QByteArray whole = sample("rich.ort");
    for (qsizetype at = 0; at + 4 <= whole.size(); at += 2) {
      for (const uint32_t value : {0u, 1u, 4u, 0x7fffffffu, 0x80000000u, 0xffffffffu, uint32_t(whole.size())}) {
        QByteArray bytes = whole;
        bytes.replace(at, 4, QByteArray(reinterpret_cast<const char*>(&value), 4));
        QVERIFY2(tryBytes(bytes), qPrintable(QString("%1 %2").arg(at).arg(value)));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestOrtFormat)
#include "tst_ort_format.moc"
