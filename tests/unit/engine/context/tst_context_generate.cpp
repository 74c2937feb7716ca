// The context model, before and after, and its files: embedded and beside it, names, bodies, several providers,
// external initializers, streams, what is refused.
#include <fstream>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/context_binary/inside_nodes.h"
#include "engine/graph/text.h"
#include "engine/stages/load/load.h"
#include "tests/unit/engine/context/context_case.h"

using namespace cutaway;
namespace fs = std::filesystem;
using Names = std::vector<std::string>;

namespace {

// Two groups of npu (MatMul, Add) around a Softmax that stays; `w` lies in groups only, `s` outside only, `unused`
// nowhere.
constexpr const char* kTwoGroups =
    R"(main (float[n,2] x) => (float[n,2] y, float[n,2] h) <float[2,2] w = {1,2,3,4}, float[2] b = {5,6}, float[2] s = {7,8}, float[1] unused = {9}> {
  [mm1] a = MatMul (x, w)
  [add1] h = Add (a, b)
  [soft] p = Softmax (h)
  [mul] q = Mul (p, s)
  [mm2] r = MatMul (q, w)
  [add2] y = Add (r, b)
})";

QString text(const std::string& value) {
  return QString::fromStdString(value).trimmed();
}

// One line a node and one a value with bytes or a declared type: what is to be compared of a model.
QString linesOf(const fs::path& file) {
  const Result<Model> model = loadedModel(file);
  if (!model) return text(describe(model.error()));
  QStringList lines;
  for (const QString& line : text(modelText(*model)).split('\n')) {
    if (!line.trimmed().isEmpty()) lines << line.trimmed();
  }
  return lines.join('\n');
}

std::vector<const Node*> contextNodes(const Model& model) {
  std::vector<const Node*> nodes;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      if (graph.node(id).opType == "EPContext") nodes.push_back(&graph.node(id));
    }
  });
  return nodes;
}

std::string metadataOf(const Node& node, std::string_view key) {
  for (const auto& [name, value] : node.metadata) {
    if (name == key) return value;
  }
  return {};
}

}  // namespace

class ContextGenerateTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_temporary;
  fs::path m_folder;

 private slots:
  void init() {
    m_folder = fs::path(m_temporary.path().toStdString()) / QTest::currentTestFunction();
    if (const char* tag = QTest::currentDataTag(); tag != nullptr) m_folder += std::string("_") + tag;
    fs::create_directories(m_folder);
  }

  void besideTheModel() {
    const ContextCase made(kTwoGroups, {keeping("npu", {"MatMul", "Add"})});
    QVERIFY2(made.problem().empty(), made.problem().c_str());
    const Result<ContextWritten> written = made.write(exportTo(m_folder / "net_ctx.onnx"));
    QVERIFY2(written, why(written).c_str());
    QCOMPARE(linesOf(m_folder / "net_ctx.onnx"),
             QString(R"(<ir_version: 10, opset_import: ["" : 17, "com.microsoft" : 1]>
main (float[n,2] x) => (float[n,2] y, float[n,2] h) <float[2] s = {7,8}, float[n,2] p, float[n,2] q> {
[npu_g_0] h = com.microsoft.EPContext <main_context = 1, embed_mode = 0, source = "npu", ep_sdk_version = "3.1", hardware_architecture = "desk", partition_name = "npu_g_0", onnx_model_filename = "net.onnx", ep_cache_context = "net_npu.bin", max_size = "N"> (x)
[soft] p = Softmax (h)
[mul] q = Mul (p, s)
[npu_g_1] y = com.microsoft.EPContext <main_context = 0, embed_mode = 0, source = "npu", ep_sdk_version = "3.1", hardware_architecture = "desk", partition_name = "npu_g_1", onnx_model_filename = "net.onnx"> (q)
})"));
    QCOMPARE(filesIn(m_folder), (Names{"net_ctx.onnx", "net_npu.bin"}));
    QCOMPARE(unloadable(m_folder / "net_ctx.onnx"), std::string());
    QCOMPARE(written->contextNodes, int64_t{2});
    QCOMPARE(written->otherNodes, int64_t{2});
    QCOMPARE(written->files.size(), size_t{2});
    QCOMPARE(written->files[0].what, std::string("context binary of npu"));
    QCOMPARE(written->files[1].what, std::string("model"));
    for (const ContextFile& each : written->files)
      QCOMPARE(static_cast<int64_t>(fs::file_size(each.path)), each.sizeBytes);
  }

  void embedded() {
    const ContextCase made(kTwoGroups, {keeping("npu", {"MatMul", "Add"})});
    context::ContextOptions options = exportTo(m_folder / "net_ctx.onnx");
    options.embed = true;
    const Result<ContextWritten> written = made.write(options);
    QVERIFY2(written, why(written).c_str());
    QCOMPARE(filesIn(m_folder), (Names{"net_ctx.onnx"}));
    QCOMPARE(unloadable(m_folder / "net_ctx.onnx"), std::string());
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    for (const Node* node : contextNodes(model)) {
      QCOMPARE(node->attributeOr<int64_t>("main_context", -1), int64_t{1});
      QCOMPARE(node->attributeOr<int64_t>("embed_mode", -1), int64_t{1});
      const std::string bytes = node->attributeOr<std::string>("ep_cache_context", "");
      QCOMPARE(node->attributeOr<int64_t>("max_size", -1), static_cast<int64_t>(bytes.size()));
      const auto binary = context_binary::ContextBinary::open(std::as_bytes(std::span(bytes)), nullptr, "node");
      QVERIFY(binary && (*binary)->partitions().size() == 1);  // nothing refers to another node
      QCOMPARE((*binary)->partitions()[0].name, node->name);
    }
  }

  void metadata() {
    TestProviderPlan plan = keeping("npu", {"MatMul", "Add"});
    plan.contexts.compatibility = "npu 3";
    const ContextCase made(
        R"(<ir_version: 11, opset_import: ["" : 17], producer_name: "maker", producer_version: "2", domain: "org", model_version: 5, doc_string: "words", metadata_props: ["author": "me"]>
)" + std::string(kTwoGroups),
        {std::move(plan)});
    QVERIFY2(made.problem().empty(), made.problem().c_str());
    QVERIFY(made.write(exportTo(m_folder / "net_ctx.onnx")));
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    QCOMPARE(model.irVersion, int64_t{11});  // not lowered
    QCOMPARE(model.producerName, std::string("maker"));
    QCOMPARE(model.producerVersion, std::string("2"));
    QCOMPARE(model.modelVersion, int64_t{5});
    QCOMPARE(model.metadata,
             (std::map<std::string, std::string>{{"author", "me"}, {"ep_compatibility_info.npu", "npu 3"}}));
    for (const NodeId id : model.graph.nodeIds()) {
      const Node& node = model.graph.node(id);
      const bool isContext = node.opType == "EPContext";
      QCOMPARE(metadataOf(node, context_binary::kProviderKey), std::string(isContext ? "" : "cpu"));
      QCOMPARE(metadataOf(node, context_binary::kInsideKey).empty(), !isContext);
      if (!isContext) continue;
      const Result<GraphReport> inside = context_binary::readInside(metadataOf(node, context_binary::kInsideKey));
      QVERIFY2(inside, why(inside).c_str());
      QCOMPARE(inside->nodes.size(), size_t{2});
      QCOMPARE(inside->nodes[0].opType, std::string("MatMul"));
      QCOMPARE(inside->nodes[1].opType, std::string("Add"));
    }
  }

  void portsAreInTheBinary() {
    const ContextCase made(kTwoGroups, {keeping("npu", {"MatMul", "Add"})});
    context::ContextOptions options = exportTo(m_folder / "net_ctx.onnx");
    options.embed = true;
    QVERIFY(made.write(options));
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    const std::string bytes = contextNodes(model)[0]->attributeOr<std::string>("ep_cache_context", "");
    const auto binary = context_binary::ContextBinary::open(std::as_bytes(std::span(bytes)), nullptr, "node");
    QVERIFY(binary);
    const context_binary::ContextPartition& partition = (*binary)->partitions()[0];
    QCOMPARE(partition.source, std::string("npu"));
    QCOMPARE(partition.sdkVersion, std::string("3.1"));
    QCOMPARE(partition.hardware, std::string("desk"));
    QCOMPARE(partition.inputs.size(), size_t{1});
    QCOMPARE(partition.inputs[0].name, std::string("x"));
    QCOMPARE(toText(partition.inputs[0].type), std::string("float[n,2]"));
    QCOMPARE(partition.outputs[0].name, std::string("h"));
  }

  void attributesOfTheProvider() {
    TestProviderPlan plan = keeping("npu", {"MatMul", "Add"});
    plan.contexts.attributes = {{"vtcm_mb", int64_t{8}}, {"htp_arch", std::string("73")}};
    const ContextCase made(kTwoGroups, {plan});
    for (const bool embed : {false, true}) {
      context::ContextOptions options = exportTo(m_folder / (embed ? "inside_ctx.onnx" : "beside_ctx.onnx"));
      options.embed = embed;
      const Result<ContextWritten> written = made.write(options);
      QVERIFY2(written, why(written).c_str());
      const Model model = *loadedModel(options.file);
      const std::vector<const Node*> nodes = contextNodes(model);
      QCOMPARE(nodes.size(), size_t{2});
      for (const Node* node : nodes) {
        QCOMPARE(node->attributeOr<int64_t>("vtcm_mb", 0), int64_t{8});
        QCOMPARE(node->attributeOr<std::string>("htp_arch", ""), std::string("73"));
        QCOMPARE(node->attributeOr<std::string>("source", ""), std::string("npu"));
      }
    }
    const ContextCase same(kTwoGroups, {keeping("npu", {"MatMul", "Add"})});
    QVERIFY(same.write(exportTo(m_folder / "plain_ctx.onnx")));
    QVERIFY(contextNodes(*loadedModel(m_folder / "plain_ctx.onnx"))[0]->findAttribute("vtcm_mb") == nullptr);
  }

  void attributesThatCannotStand_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("says");
    QTest::newRow("of the schema") << 0 << "EPContext has an attribute of this name";
    QTest::newRow("twice") << 1 << "two attributes called";
    QTest::newRow("a tensor") << 2 << "is of kind TENSOR";
    QTest::newRow("without a name") << 3 << "it has no name";
  }
  void attributesThatCannotStand() {
    QFETCH(int, which);
    QFETCH(QString, says);
    const std::vector<std::vector<Attribute>> bad = {
        {{"source", std::string("somebody")}},
        {{"mine", int64_t{1}}, {"mine", int64_t{2}}},
        {{"mine", *Tensor::create(ElementType::kFloat, std::vector<int64_t>{2})}},
        {{"", int64_t{1}}}};
    TestProviderPlan plan = keeping("npu", {"MatMul", "Add"});
    plan.contexts.attributes = bad[static_cast<size_t>(which)];
    const Result<ContextWritten> written = ContextCase(kTwoGroups, {plan}).write(exportTo(m_folder / "net_ctx.onnx"));
    QVERIFY(!written);
    QCOMPARE(written.error().code, ErrorCode::kInvalidGraph);
    QVERIFY2(QString::fromStdString(written.error().message).contains(says), written.error().message.c_str());
    QCOMPARE(filesIn(m_folder), Names{});
  }

  void prefixAndSourceName() {
    fs::create_directories(m_folder / "deep");
    ContextCase made(kTwoGroups, {keeping("npu", {"MatMul", "Add"})}, "one_");
    made.source = m_folder / "deep" / "net.onnx";
    QVERIFY(made.write(exportTo(m_folder / "net_ctx.onnx")));
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    for (const Node* node : contextNodes(model)) {
      QVERIFY2(node->name.starts_with("one_"), node->name.c_str());
      QCOMPARE(node->attributeOr<std::string>("partition_name", ""), node->name);
      QCOMPARE(node->attributeOr<std::string>("onnx_model_filename", ""), std::string("deep/net.onnx"));
    }
  }

  void severalProviders() {
    const ContextCase made(kTwoGroups, {keeping("npu", {"MatMul"}), keeping("declared(QNN-HTP)", {"Add"})});
    QVERIFY2(made.problem().empty(), made.problem().c_str());
    QVERIFY(made.write(exportTo(m_folder / "net_ctx.onnx")));
    QCOMPARE(filesIn(m_folder), (Names{"net_ctx.onnx", "net_declaredQNNHTP.bin", "net_npu.bin"}));
    QCOMPARE(unloadable(m_folder / "net_ctx.onnx"), std::string());
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    std::map<std::string, int> mains, all;
    for (const Node* node : contextNodes(model)) {
      mains[node->attributeOr<std::string>("source", "")] +=
          static_cast<int>(node->attributeOr<int64_t>("main_context", 1));
      ++all[node->attributeOr<std::string>("source", "")];
    }
    QCOMPARE(mains, (std::map<std::string, int>{{"declared(QNN-HTP)", 1}, {"npu", 1}}));
    QCOMPARE(all, (std::map<std::string, int>{{"declared(QNN-HTP)", 2}, {"npu", 2}}));
  }

  void bodies() {
    const ContextCase made(R"(main (bool c, float[2] x) => (float[2] y) <float[2] w = {1,2}> {
  [outer] h = Relu (x)
  [choose] y = If <then_branch = t () => (float[2] a) <float[2] k = {3,4}> { [in1] m = Mul (h, w)
 [in2] a = Add (m, k) }, else_branch = e () => (float[2] b) { [in3] b = Neg (h) }> (c)
})",
                           {keeping("npu", {"Mul", "Add", "Relu"})});
    QVERIFY2(made.problem().empty(), made.problem().c_str());
    const Result<ContextWritten> written = made.write(exportTo(m_folder / "net_ctx.onnx"));
    QVERIFY2(written, why(written).c_str());
    QCOMPARE(written->contextNodes, int64_t{2});
    QCOMPARE(unloadable(m_folder / "net_ctx.onnx"), std::string());
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    const std::vector<const Node*> nodes = contextNodes(model);
    QCOMPARE(nodes.size(), size_t{2});
    QVERIFY(nodes[0]->name != nodes[1]->name);
    QVERIFY(!text(modelText(model)).contains("k = {3,4}"));  // constants of the group went with it
  }

  void overridableInitializersStay() {
    const ContextCase made(
        R"(main (float[2] x, float[2] scale) => (float[2] y) <float[2] scale = {1,2}, float[2] k = {3,4}> {
  [m] t = Mul (x, scale)
  [a] y = Add (t, k)
})",
        {keeping("npu", {"Mul", "Add"})});
    QVERIFY2(made.problem().empty(), made.problem().c_str());
    QVERIFY(made.write(exportTo(m_folder / "net_ctx.onnx")));
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    QCOMPARE(model.graph.inputs().size(), size_t{2});
    const Value& scale = model.graph.value(model.graph.inputs()[1]);
    QCOMPARE(scale.name, std::string("scale"));
    QVERIFY(scale.initializer.has_value());
    QCOMPARE(contextNodes(model)[0]->inputs.size(),
             size_t{2});  // a value that callers may change is an input of the group
  }

  void oldModelsKeepTheirConstants() {
    const ContextCase made(R"(<ir_version: 3, opset_import: ["" : 17]>
main (float[2] x, float[2] k, float[2] s) => (float[2] y) <float[2] k = {3,4}, float[2] s = {5,6}> {
  [a] t = Add (x, k)
  [m] y = Mul (t, s)
})",
                           {keeping("npu", {"Add"})});
    QVERIFY2(made.problem().empty(), made.problem().c_str());
    QVERIFY(made.write(exportTo(m_folder / "net_ctx.onnx")));
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    QCOMPARE(model.graph.inputs().size(), size_t{1});  // from IR 4 on they would be inputs that callers may change
    QCOMPARE(model.graph.initializers().size(), size_t{1});
  }

  void unusedFunctionsGo() {
    const ContextCase made(R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
main (float[2] x) => (float[2] y) {
  [a] t = Add (x, x)
  [u] y = own.used (t)
}
<domain: "own", opset_import: ["" : 17]>
used (p) => (q) { q = Relu (p) }
<domain: "own", opset_import: ["" : 17]>
unused (p) => (q) { q = Neg (p) })",
                           {keeping("npu", {"Add"})});
    QVERIFY2(made.problem().empty(), made.problem().c_str());
    QVERIFY(made.write(exportTo(m_folder / "net_ctx.onnx")));
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    QVERIFY(model.functions.empty());  // nobody took the call, so it was inlined
  }

  void zeroInputModel() {
    const ContextCase made(R"(main () => (float[2] y) <float[2] a = {1,2}> {
  [r] h = RandomUniform <shape = [2]> ()
  [m] y = Mul (h, a)
})",
                           {keeping("npu", {"Mul", "RandomUniform"})});
    QVERIFY2(made.problem().empty(), made.problem().c_str());
    const Result<ContextWritten> written = made.write(exportTo(m_folder / "net_ctx.onnx"));
    QVERIFY2(written, why(written).c_str());
    QCOMPARE(unloadable(m_folder / "net_ctx.onnx"), std::string());
    QCOMPARE(contextNodes(*loadedModel(m_folder / "net_ctx.onnx"))[0]->inputs.size(), size_t{0});
  }

  void unicodePath() {
    const fs::path folder = m_folder / "m\xc3\xbcnze \xe6\xa8\xa1";
    fs::create_directories(folder);
    const ContextCase made(kTwoGroups, {keeping("npu", {"MatMul", "Add"})});
    QVERIFY(made.write(exportTo(folder / "n\xc3\xa9t_ctx.onnx")));
    QCOMPARE(filesIn(folder), (Names{"n\xc3\xa9t_ctx.onnx", "n\xc3\xa9t_npu.bin"}));
    QCOMPARE(unloadable(folder / "n\xc3\xa9t_ctx.onnx"), std::string());
  }

  void sameBytesAgain() {
    for (const char* name : {"a", "b"}) {
      fs::create_directories(m_folder / name);
      QVERIFY(ContextCase(kTwoGroups, {keeping("npu", {"MatMul", "Add"})})
                  .write(exportTo(m_folder / name / "net_ctx.onnx")));
    }
    for (const auto& each : fs::directory_iterator(m_folder / "a")) {
      std::ifstream first(each.path(), std::ios::binary),
          second(m_folder / "b" / each.path().filename(), std::ios::binary);
      QVERIFY2(second.good(), each.path().c_str());
      QVERIFY(std::equal(std::istreambuf_iterator<char>(first), {}, std::istreambuf_iterator<char>(second), {}));
    }
  }

  void refused_data() {
    QTest::addColumn<QString>("which");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const int graph = static_cast<int>(ErrorCode::kInvalidGraph);
    QTest::newRow("no contexts") << "none" << graph
                                 << "2 of 2 compiled groups cannot be kept in a context model: group npu_g_0: it "
                                    "forgets everything; group npu_g_1";
    QTest::newRow("throws")
        << "throws" << static_cast<int>(ErrorCode::kRuntimeException)
        << "provider npu could not export group npu_g_0 (2 nodes): it threw an exception: out of luck";
    QTest::newRow("fails") << "fails" << static_cast<int>(ErrorCode::kEngineError)
                           << "provider npu could not export group npu_g_0 (2 nodes): the library said no";
    QTest::newRow("device lost") << "lost" << static_cast<int>(ErrorCode::kDeviceReset) << "gone";
    QTest::newRow("compiled already") << "twice" << graph << "is an EPContext node: the model is compiled already";
    QTest::newRow("no path") << "memory" << static_cast<int>(ErrorCode::kInvalidArgument) << "set ep.context_file_path";
    QTest::newRow("exists") << "exists" << static_cast<int>(ErrorCode::kFail) << "exists already";
    QTest::newRow("its own source") << "source" << static_cast<int>(ErrorCode::kInvalidArgument)
                                    << "would replace the model that it is made from";
    QTest::newRow("weightless") << "weightless" << static_cast<int>(ErrorCode::kNotImplemented)
                                << "without its weights";
    QTest::newRow("types") << "types" << graph << "its output s is of type string, which an EPContext node cannot have";
    QTest::newRow("sequences")
        << "sequences" << graph
        << "its output s is of type seq(float[2]), and EPContext nodes take and give tensors only";
    QTest::newRow("nothing compiled") << "nothing" << static_cast<int>(ErrorCode::kFail)
                                      << "nothing of this model was compiled";
  }
  void refused() {
    QFETCH(QString, which);
    QFETCH(int, code);
    QFETCH(QString, says);
    TestProviderPlan plan = keeping("npu", which == "types"       ? std::set<std::string>{"Cast"}
                                           : which == "sequences" ? std::set<std::string>{"SequenceConstruct"}
                                           : which == "nothing"   ? std::set<std::string>{}
                                                                  : std::set<std::string>{"MatMul", "Add"});
    context::ContextOptions options = exportTo(m_folder / "net_ctx.onnx");
    if (which == "none") plan.contexts.kind = ContextKind::kNone, plan.contexts.reason = "it forgets everything";
    if (which == "throws")
      plan.contexts.onExport = [](const ContextExport&, const Progress&) -> std::optional<Error> {
        throw std::runtime_error("out of luck");
      };
    if (which == "fails")
      plan.contexts.onExport = [](const ContextExport&, const Progress&) -> std::optional<Error> {
        return Error{ErrorCode::kEngineError, "the library said no", {}};
      };
    if (which == "lost")
      plan.contexts.onExport = [](const ContextExport&, const Progress&) -> std::optional<Error> {
        return Error{ErrorCode::kDeviceReset, "gone", {}};
      };
    if (which == "memory") options.file.clear();
    if (which == "exists" || which == "source") std::ofstream(options.file) << "mine";
    options.overwrite = which == "source";
    options.weightless = which == "weightless";
    options.failWhenNothingCompiled = true;
    std::string model = kTwoGroups;
    if (which == "types") model = "main (float[2] x) => (string[2] s) { [c] s = Cast <to = 8> (x) }";
    if (which == "sequences") model = "main (float[2] x) => (seq(float[2]) s) { [c] s = SequenceConstruct (x) }";
    if (which == "twice") {
      model = R"(<ir_version: 10, opset_import: ["" : 17, "com.microsoft" : 1]>
main (float[2] x) => (float[2] y) { [old] y = com.microsoft.EPContext <embed_mode = 1, ep_cache_context = "abc", source = "other"> (x) })";
    }
    ContextCase made(model, {std::move(plan)});
    if (which == "memory") made.source.clear();
    if (which == "source") made.source = options.file;
    if (which == "twice" && !made.problem().empty()) return compiledAlready();
    QVERIFY2(made.problem().empty(), made.problem().c_str());
    const Result<ContextWritten> written = made.write(options);
    QVERIFY(!written);
    QVERIFY2(QString::fromStdString(written.error().message).contains(says), written.error().message.c_str());
    QCOMPARE(static_cast<int>(written.error().code), code);
    QCOMPARE(filesIn(m_folder), which == "exists" || which == "source" ? Names{"net_ctx.onnx"} : Names{});
  }

  void nothingCompiled() {
    const ContextCase made(kTwoGroups, {keeping("npu", {})});
    const Result<ContextWritten> none = made.write(exportTo(m_folder / "net_ctx.onnx"));
    QVERIFY(none && none->files.empty() && none->warnings.size() == 1);
    QCOMPARE(filesIn(m_folder), Names{});
    context::ContextOptions options = exportTo(m_folder / "net_ctx.onnx");
    options.writeUncompiled = true;
    const Result<ContextWritten> plain = made.write(options);
    QVERIFY2(plain, why(plain).c_str());
    QCOMPARE(filesIn(m_folder), Names{"net_ctx.onnx"});
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    QCOMPARE(model.graph.nodeCount(), size_t{6});
    QCOMPARE(model.irVersion, int64_t{8});
    QCOMPARE(importedVersion(model.opsets, "com.microsoft"), int64_t{0});
  }

  void externalInitializers() {
    const ContextCase made(kTwoGroups, {keeping("npu", {"MatMul", "Add"})});
    context::ContextOptions options = exportTo(m_folder / "net_ctx.onnx");
    options.initializersFile = "w.bin";
    QVERIFY(made.write(options));
    QCOMPARE(filesIn(m_folder), (Names{"net_ctx.onnx", "net_npu.bin", "w.bin"}));
    QCOMPARE(fs::file_size(m_folder / "w.bin"), uintmax_t{8});
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    const Value& scale = model.graph.value(model.graph.findValue("s"));
    QCOMPARE(std::vector<float>(scale.initializer->span<float>().begin(), scale.initializer->span<float>().end()),
             (std::vector<float>{7, 8}));

    // The same contents again are the same file; others get a name of their own and leave the first alone.
    options.file = m_folder / "again_ctx.onnx";
    QVERIFY(made.write(options));
    QCOMPARE(filesIn(m_folder).size(), size_t{5});
    std::ofstream(m_folder / "w.bin") << "other";
    options.file = m_folder / "third_ctx.onnx";
    const Result<ContextWritten> third = made.write(options);
    QVERIFY(third);
    QCOMPARE(fs::file_size(m_folder / "w.bin"), uintmax_t{5});
    const auto file = std::ranges::find_if(
        third->files, [](const ContextFile& each) { return each.what == "external initializers"; });
    QVERIFY(file != third->files.end());
    QVERIFY2(QRegularExpression("^w_[0-9a-f]{8}\\.bin$")
                 .match(QString::fromStdString(fs::path(file->path).filename().string()))
                 .hasMatch(),
             file->path.c_str());
    QCOMPARE(unloadable(m_folder / "third_ctx.onnx"), std::string());

    options.file = m_folder / "small_ctx.onnx";
    options.initializersFile = "big.bin";
    options.initializersThresholdBytes = 9;  // the only one has 8
    QVERIFY(made.write(options));
    QVERIFY(!fs::exists(m_folder / "big.bin"));
  }

  void initializerCallback() {
    const ContextCase made(kTwoGroups, {keeping("npu", {"MatMul", "Add"})});
    const float values[] = {0, 7, 8};
    std::ofstream(m_folder / "kept.bin", std::ios::binary).write(reinterpret_cast<const char*>(values), sizeof(values));
    context::ContextOptions options = exportTo(m_folder / "net_ctx.onnx");
    Names asked;
    options.initializerHandler = [&](const std::string& name, const Tensor&) {
      asked.push_back(name);
      return context::InitializerPlace{.embed = false, .location = "kept.bin", .offset = 4};
    };
    const Result<ContextWritten> written = made.write(options);
    QVERIFY2(written, why(written).c_str());
    QCOMPARE(asked, Names{"s"});
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    QCOMPARE(model.graph.value(model.graph.findValue("s")).initializer->span<float>()[1], 8.0f);

    options.file = m_folder / "bad_ctx.onnx";
    const auto codeWith = [&](context::InitializerHandler handler) {
      options.initializerHandler = std::move(handler);
      const Result<ContextWritten> bad = made.write(options);
      return bad ? 0 : static_cast<int>(bad.error().code);
    };
    const int invalid = static_cast<int>(ErrorCode::kInvalidArgument);
    QCOMPARE(
        codeWith([](const std::string&, const Tensor&) { return context::InitializerPlace{false, "kept.bin", 8}; }),
        invalid);  // 4 bytes are left
    QCOMPARE(
        codeWith([](const std::string&, const Tensor&) { return context::InitializerPlace{false, "kept.bin", -1}; }),
        invalid);
    QCOMPARE(
        codeWith([](const std::string&, const Tensor&) { return context::InitializerPlace{false, "missing.bin", 0}; }),
        invalid);
    QCOMPARE(
        codeWith([](const std::string&, const Tensor&) { return context::InitializerPlace{false, "../kept.bin", 0}; }),
        invalid);
    QCOMPARE(codeWith([](const std::string&, const Tensor&) -> context::InitializerPlace {
               throw std::runtime_error("no");
             }),
             static_cast<int>(ErrorCode::kRuntimeException));
    QCOMPARE(codeWith([](const std::string&, const Tensor&) { return context::InitializerPlace{}; }), 0);
  }

  void toAStream() {
    const ContextCase made(kTwoGroups, {keeping("npu", {"MatMul", "Add"})});
    std::string bytes;
    context::ContextOptions options;
    options.enable = true;
    options.modelSink = [&](std::span<const std::byte> piece) -> Result<void> {
      bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
      return {};
    };
    const Result<ContextWritten> nowhere = made.write(options);
    QVERIFY(!nowhere && nowhere.error().code == ErrorCode::kInvalidArgument);
    options.binaryFolder = m_folder;
    options.binaryStem = "own";
    QVERIFY(made.write(options));
    QCOMPARE(filesIn(m_folder), Names{"own_npu.bin"});
    std::ofstream(m_folder / "own.onnx", std::ios::binary) << bytes;
    QCOMPARE(unloadable(m_folder / "own.onnx"), std::string());

    bytes.clear();
    options.embed = true;
    options.binaryFolder.clear();
    options.binaryStem.clear();
    QVERIFY(made.write(options));
    fs::create_directories(m_folder / "alone");
    std::ofstream(m_folder / "alone" / "x.onnx", std::ios::binary) << bytes;
    QCOMPARE(unloadable(m_folder / "alone" / "x.onnx"), std::string());

    // A stream that fails or throws ends the export, and no binary stays.
    options.embed = false;
    fs::create_directories(m_folder / "failed");
    options.binaryFolder = m_folder / "failed";
    options.binaryStem = "own";
    options.modelSink = [](std::span<const std::byte>) -> Result<void> { return fail(ErrorCode::kFail, "full"); };
    const Result<ContextWritten> full = made.write(options);
    QVERIFY(!full && full.error().message == "full");
    options.modelSink = [](std::span<const std::byte>) -> Result<void> { throw std::runtime_error("no"); };
    const Result<ContextWritten> thrown = made.write(options);
    QVERIFY(!thrown && thrown.error().code == ErrorCode::kRuntimeException);
    QCOMPARE(filesIn(m_folder / "failed"), Names{});
  }

 private:
  // Where the partition stage answers first (nobody can restore the node), the fused model is made by hand.
  void compiledAlready() {
    partition::CapturedGroups captured;
    const auto model =
        std::make_shared<Model>(*parseModelText(R"(<ir_version: 10, opset_import: ["" : 17, "com.microsoft" : 1]>
main (float[2] x) => (float[2] y) { [old] y = com.microsoft.EPContext <embed_mode = 1, ep_cache_context = "abc", source = "other"> (x) })"));
    captured.fused = model;
    Progress progress;
    const Result<ContextWritten> written =
        context::writeContextModel({captured, {}, {}, "net.onnx"}, exportTo(m_folder / "net_ctx.onnx"), progress);
    QVERIFY(!written && written.error().code == ErrorCode::kInvalidGraph);
    QVERIFY2(written.error().message.find("is an EPContext node: the model is compiled already") != std::string::npos,
             written.error().message.c_str());
  }
};

QTEST_APPLESS_MAIN(ContextGenerateTest)
#include "tst_context_generate.moc"
