#include <QtCore/QDir>
#include <QtTest/QtTest>

#include "engine/stages/load/function_library.h"
#include "engine/stages/resolve/resolve.h"
#include "tests/unit/engine/stages/load/model_bytes.h"

using namespace cutaway;

namespace {

struct CountingProgress : Progress {
  explicit CountingProgress(CancelToken token) : Progress(std::move(token)) {}
  void begin(std::string_view, std::string_view) override { ++begun; }
  int begun = 0;
};

}  // namespace

class TestLoad : public QObject {
  Q_OBJECT

 private slots:
  void savedModelsComeBack() {
    const Model before = modelOf(kRichModel);
    QTemporaryDir folder;
    for (const int64_t threshold : {int64_t{-1}, int64_t{0}, int64_t{16}}) {
      const QString path = folder.filePath(QString("m%1.onnx").arg(threshold));
      const auto saved = load::save(before, path.toStdString(), {.externalThresholdBytes = threshold});
      if (!saved) QFAIL(describe(saved.error()).c_str());
      const auto after = loadFile(path);
      if (!after) QFAIL(describe(after.error()).c_str());
      TextOptions options;
      options.maxInlineElements = 1000;
      QCOMPARE(QByteArray::fromStdString(printModel(after->model, options)),
               QByteArray::fromStdString(printModel(before, options)));
      QCOMPARE(QFile::exists(path + ".data"), threshold >= 0);
      QCOMPARE(after->report.externalFiles.empty(), threshold < 0);
      if (threshold == 0)
        QCOMPARE(QByteArray::fromStdString(after->model.externalFiles.begin()->second), QByteArray("m0.onnx.data"));
    }
  }

  void reports() {
    const auto loaded = loadBytes(modelBytes(kRichModel));
    QVERIFY(loaded.has_value());
    const LoadReport& report = loaded->report;
    QCOMPARE(report.format, std::string("memory"));
    QCOMPARE(report.irVersion, int64_t{8});
    QCOMPARE(report.nodeCount, int64_t{6});
    QCOMPARE(report.initializerCount, int64_t{6});
    QCOMPARE(report.parameterCount, int64_t{15});  // w, h, q and k: floats and what is quantised, no shapes
    QCOMPARE(report.functions, std::vector<std::string>{"f:F"});
    QCOMPARE(report.origins.size(), size_t{6});
    QCOMPARE(report.origins[2].graphPath, std::string("if/then_branch"));
    QCOMPARE(report.metadata.size(), size_t{1});
    QVERIFY(report.timeNs > 0);
    QVERIFY(!report.phases.empty());
  }

  // Node metadata "layer_ann" outlives the reading: by the index of the node's origin, in bodies too.
  void layerAnnotationsAreKeptByOrigin() {
    QTemporaryDir folder;
    const QString path = folder.filePath("m.textproto");
    writeFile(path, R"(ir_version: 8
opset_import { version: 17 }
graph { name: "g"
  input { name: "c" type { tensor_type { elem_type: 9 shape { } } } }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 } } }
  node { op_type: "Relu" name: "r" input: "x" output: "h" metadata_props { key: "other" value: "1" } }
  node { op_type: "If" name: "if" input: "c" output: "y" metadata_props { key: "layer_ann" value: "head" }
    attribute { name: "then_branch" type: GRAPH g { name: "t" output { name: "t" } node { op_type: "Neg" name: "n" input: "h" output: "t" metadata_props { key: "layer_ann" value: "inner" } } } }
    attribute { name: "else_branch" type: GRAPH g { name: "e" output { name: "e" } node { op_type: "Abs" name: "a" input: "h" output: "e" } } } }
})");
    const auto loaded = loadFile(path);
    QVERIFY2(loaded, loaded ? "" : describe(loaded.error()).c_str());
    QTEST_ASSERT(loaded);
    std::map<std::string, std::string> byName;
    for (const auto& [origin, layer] : loaded->report.layerOfOrigin)
      byName[loaded->report.origins[static_cast<size_t>(origin)].name] = layer;
    QCOMPARE(byName, (std::map<std::string, std::string>{{"if", "head"}, {"n", "inner"}}));
  }

  // metadata_props of nodes survive reading and writing in their order, repeated keys included: in the main graph, in
  // bodies and in functions.
  void nodeMetadataSurvivesAFile() {
    Model before = modelOf(kRichModel);
    using Metadata = std::vector<std::pair<std::string, std::string>>;
    const Metadata written{{"z", "1"}, {"a", std::string("\0\xff", 2)}, {"layer_ann", "head"}, {"z", ""}};
    forEachGraph(before.graph, [&](Graph& graph) {
      for (const NodeId id : graph.nodeIds())
        graph.mutableNode(id).metadata = written;
    });
    Graph& body = before.functions.front().body;
    body.mutableNode(body.nodeIds().front()).metadata = {{"in", "function"}};
    QTemporaryDir folder;
    const QString path = folder.filePath("m.onnx");
    QVERIFY(load::save(before, path.toStdString(), {}));
    const auto loaded = loadFile(path);
    if (!loaded) QFAIL(describe(loaded.error()).c_str());
    int nodes = 0;
    forEachGraph(loaded->model.graph, [&](const Graph& graph) {
      for (const NodeId id : graph.nodeIds()) {
        QCOMPARE(graph.node(id).metadata, written);
        ++nodes;
      }
    });
    QCOMPARE(nodes, 5);
    QCOMPARE(loaded->report.layerOfOrigin.size(), size_t{5});
    const Graph& function = loaded->model.functions.front().body;
    QCOMPARE(function.node(function.nodeIds().front()).metadata, (Metadata{{"in", "function"}}));
  }

  void textFilesAreRead() {
    QTemporaryDir folder;
    const QString path = folder.filePath("m.textproto");
    writeFile(path, R"(ir_version: 8 opset_import { version: 17 } graph { name: "g"
      node { input: "x" output: "y" op_type: "Add" input: "w" name: "add" }
      initializer { name: "w" data_type: 1 dims: 2 float_data: 1.5 float_data: -2 }
      input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_param: "n" } dim { dim_value: 2 } } } } }
      output { name: "y" } })");
    const auto loaded = loadFile(path);
    if (!loaded) QFAIL(describe(loaded.error()).c_str());
    QCOMPARE(loaded->report.format, std::string("textproto"));
    const Graph& graph = loaded->model.graph;
    QCOMPARE(graph.value(graph.findValue("w")).initializer->span<float>()[1], -2.0f);
    writeFile(path, "ir_version: 8\ngraph { nude { } }");
    const auto wrong = loadFile(path);
    QVERIFY(!wrong);
    QVERIFY(wrong.error().code == ErrorCode::kInvalidProtobuf);
    QVERIFY2(wrong.error().message.find("line 2") != std::string::npos, wrong.error().message.c_str());
  }

  // Constant nodes in all their forms.
  // What a model calls and does not define comes from a library beside it, then from those that were opened.
  void functionsOfLibraries() {
    QTemporaryDir folder;
    const std::filesystem::path here = folder.path().toStdString();
    std::filesystem::create_directories(here / "plugins");
    const auto save = [&](const std::string& name, const std::string& text) {
      const auto saved = load::save(modelOf(QByteArray::fromStdString(text)), here / name, {});
      QVERIFY2(saved, saved ? "" : describe(saved.error()).c_str());
    };
    const auto functionsOf = [&](const std::string& name) -> std::vector<std::string> {
      Progress progress;
      auto loaded = load::load(load::ModelSource::file(here / name), {}, progress);
      if (!loaded) return {describe(loaded.error())};
      const auto resolved = resolve::resolve(loaded->model, {}, progress);
      if (!resolved) return {describe(resolved.error())};
      return loaded->report.functions;
    };
    using Names = std::vector<std::string>;
    const std::string model = R"(<ir_version: 8, opset_import: ["" : 17, "lib" : 1]>
m (float[2] x) => (float[2] y) { a = lib.F (x) y = Abs (a) })";
    save("m.onnx", model);
    QCOMPARE(functionsOf("m.onnx"), Names{});
    save("plugins/other.onnx", R"(<ir_version: 8, opset_import: ["" : 17, "lib" : 1, "deep" : 1]>
l () => () { }
<domain: "deep", opset_import: ["" : 17]> G (a) => (b) { b = Neg (a) }
<domain: "lib", opset_import: ["" : 17]> F (a) => (b) { b = Exp (a) })");
    // F of the library beside the model counts; its G is in another library, which the model does not import.
    save("m.functions.onnx", R"(<ir_version: 8, opset_import: ["" : 17, "lib" : 1, "deep" : 1]>
l () => () { }
<domain: "lib", opset_import: ["" : 17, "deep" : 1]> F (a) => (b) { t = Relu (a) b = deep.G (t) }
<domain: "lib", opset_import: ["" : 17]> H (a) => (b) { b = Relu (a) })");
    QCOMPARE(functionsOf("m.onnx"), Names{"lib:F"});
    const auto opened = load::openFunctionLibraries(here / "plugins");
    QVERIFY2(opened, opened ? "" : describe(opened.error()).c_str());
    QCOMPARE(*opened, size_t{1});
    QCOMPARE(functionsOf("m.onnx"), (Names{"lib:F", "deep:G"}));
    // A function of the model's own is nobody else's.
    save("own.onnx", model + R"(
<domain: "lib", opset_import: ["" : 17]> F (a) => (b) { b = Sqrt (a) })");
    QCOMPARE(functionsOf("own.onnx"), Names{"lib:F"});
    // What is no library is said.
    save("plugins/z.onnx", "g (float[2] x) => (float[2] y) { y = Relu (x) }");
    const auto again = load::openFunctionLibraries(here / "plugins");
    QVERIFY(!again && again.error().message.find("z.onnx") != std::string::npos);
    QVERIFY(!load::openFunctionLibraries(here / "nowhere"));
  }

  void constantsBecomeInitializers_data() {
    QTest::addColumn<QByteArray>("attribute");
    QTest::addColumn<QByteArray>("type");
    const auto row = [](const char* attribute, const char* type) {
      QTest::newRow(attribute) << QByteArray(attribute) << QByteArray(type);
    };
    row("value = float[2] {1,2}", "float[2]");
    row("value_int = 3", "int64[]");
    row("value_ints = [1, 2, 3]", "int64[3]");
    row("value_float = 1.5", "float[]");
    row("value_floats = [1.5, 2.5]", "float[2]");
    row("value_string = \"a\"", "string[]");
    row("value_strings = [\"a\", \"b\"]", "string[2]");
    row("sparse_value: sparse_tensor = {dims = [3,4], values = float[1] {1}, indices = int64[1] {5}}", "float[3,4]");
  }
  void constantsBecomeInitializers() {
    QFETCH(QByteArray, attribute);
    QFETCH(QByteArray, type);
    const auto loaded = loadBytes(modelBytes("g () => (y) { [k] y = Constant <" + attribute + "> () }"));
    if (!loaded) QFAIL(describe(loaded.error()).c_str());
    const Graph& graph = loaded->model.graph;
    QCOMPARE(graph.nodeCount(), size_t{0});
    const Value& value = graph.value(graph.findValue("y"));
    QVERIFY(value.initializer.has_value());
    QCOMPARE(QByteArray::fromStdString(toText(value.type)), type);
  }

  void cancels() {
    QByteArray text = "g (float[2] x) => (y) { a0 = Relu (x) ";
    for (int i = 1; i < 2000; ++i)
      text += "a" + QByteArray::number(i) + " = Relu (a" + QByteArray::number(i - 1) + ") ";
    const QByteArray bytes = modelBytes(text + "y = Relu (a1999) }");
    CancelToken token;
    token.cancel();
    CountingProgress progress(token);
    const auto loaded = load::load(
        load::ModelSource::memory(std::as_bytes(std::span(bytes.constData(), static_cast<size_t>(bytes.size()))), {}),
        {}, progress);
    QVERIFY(!loaded);
    QVERIFY(loaded.error().code == ErrorCode::kModelLoadCanceled);
    QVERIFY(progress.begun > 0);
  }

  // Models of the shared corpora, where they lie beside the repository.
  void sharedModelsLoadOrAreRefused() {
    const QDir folder(QStringLiteral(CUTAWAY_SOURCE_DIR) + "/../shared/corpora/models");
    if (!folder.exists()) {
      qInfo("the shared corpora are not beside the repository: 80 folders left out");
      return;
    }
    int read = 0;
    for (const QFileInfo& model : folder.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
      for (const QFileInfo& file :
           QDir(model.filePath()).entryInfoList({"*.onnx", "*.ort", "*.textproto"}, QDir::Files)) {
        auto loaded = loadFile(file.filePath());
        if (!loaded) {
          QVERIFY2(!loaded.error().message.empty() && !loaded.error().where.file.empty(), qPrintable(file.filePath()));
          continue;
        }
        Progress progress;
        const auto resolved = resolve::resolve(loaded->model, {}, progress);
        if (!resolved) QVERIFY2(!resolved.error().message.empty(), qPrintable(file.filePath()));
        QVERIFY(!resolve::describeGraphs(loaded->model).graphs.empty());
        ++read;
      }
    }
    QVERIFY(read > 0);
  }

  void badSharedModels_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* folder, ErrorCode code, const char* part) {
      QTest::newRow(folder) << QString(folder) << static_cast<int>(code) << QByteArray(part);
    };
    row("bad-corrupt-winml", ErrorCode::kInvalidProtobuf, "text file");
    row("bad-duplicate-node-names", ErrorCode::kFail, "'identical'");
    row("bad-empty-polygraphy", ErrorCode::kInvalidGraph, "empty");
    row("bad-lfs-pointer-squeezenet", ErrorCode::kInvalidProtobuf, "git lfs pull");
    row("bad-no-import-domains", ErrorCode::kFail, "no opset");
    row("bad-parallel-invalid-nodes", ErrorCode::kInvalidArgument, "Incompatible dimensions");
    row("bad-path-traversal", ErrorCode::kInvalidGraph, "leaves the model's folder");
    row("resnet18-noweights", ErrorCode::kInvalidGraph, "is missing");
  }
  void badSharedModels() {
    QFETCH(QString, folder);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    const QDir place(QStringLiteral(CUTAWAY_SOURCE_DIR) + "/../shared/corpora/models/" + folder);
    if (!place.exists()) {
      qInfo("%s is not beside the repository: left out", qPrintable(folder));
      return;
    }
    const QFileInfoList files = place.entryInfoList({"*.onnx", "*.ort"}, QDir::Files);
    QCOMPARE(files.size(), 1);
    auto loaded = loadFile(files.front().filePath());
    Error error;
    if (!loaded) {
      error = loaded.error();
    } else {
      Progress progress;
      const auto resolved = resolve::resolve(loaded->model, {}, progress);
      QVERIFY2(!resolved, "neither load nor resolve refused it");
      error = resolved.error();
    }
    QCOMPARE(static_cast<int>(error.code), code);
    QVERIFY2(QByteArray::fromStdString(error.message).contains(part), error.message.c_str());
    QVERIFY(!error.where.file.empty());
  }
};

QTEST_GUILESS_MAIN(TestLoad)
#include "tst_load.moc"
