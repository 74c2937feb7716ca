// Groups that go out of the process and come back: the same bits, and a refusal for everything that is not what went
// out.
#include <cstring>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/provider/node_evaluator.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/openvino/blob_layout.h"
#include "providers/openvino/bridge/device_words.h"
#include "providers/openvino/context.h"
#include "providers/openvino/foreign_blob.h"
#include "providers/openvino/provider.h"
#include "providers/openvino/stored_group.h"

using namespace cutaway;
using namespace cutaway::openvino;

namespace {

std::unique_ptr<ExecutionProvider> provider(const ProviderOptions& options = {}) {
  Result<std::unique_ptr<ExecutionProvider>> made = openvinoProvider().create({.options = options});
  if (!made) qFatal("%s", describe(made.error()).c_str());
  return *std::move(made);
}

Model modelOf(const std::string& text) {
  Result<Model> model = parseModelText("<ir_version: 8, opset_import: [\"\" : 17]>\n" + text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  for (const ValueId id : model->graph.valueIds()) {
    // A weight whose values do not matter: "float[64,64] big".
    const Value& value = model->graph.value(id);
    if (value.name != "big" || value.initializer) continue;
    Tensor tensor = *Tensor::create(ElementType::kFloat, {64, 64});
    for (size_t i = 0; i < 64 * 64; ++i)
      tensor.span<float>()[i] = static_cast<float>((i * 37) % 101) / 64 - 0.75f;
    model->graph.addInitializer("big", tensor);
  }
  Progress progress;
  const Result<ResolveReport> resolved = resolve::resolve(*model, {.trace = false}, progress);
  if (!resolved) qFatal("%s", describe(resolved.error()).c_str());
  return *std::move(model);
}

// The whole model as one group, compiled and exported.
struct Exported {
  Model model;
  std::unique_ptr<ExecutionProvider> maker;
  CompiledNode compiled;
  context_binary::ContextPartition partition;

  explicit Exported(const std::string& text, const ProviderOptions& options = {})
      : model(modelOf(text)), maker(provider(options)) {
    const FusedSubGraph group{"openvino_0", model, model.graph};
    Result<std::vector<CompiledNode>> made = maker->compile({&group, 1}, Progress());
    if (!made) qFatal("%s", describe(made.error()).c_str());
    compiled = std::move(made->front());
    Result<context_binary::ContextPartition> exported = maker->exportContext({group, *compiled.kernel}, Progress());
    if (!exported) qFatal("%s", describe(exported.error()).c_str());
    partition = *std::move(exported);
    partition.name = "openvino_0";
    for (const ValueId id : model.graph.inputs())
      partition.inputs.push_back({model.graph.value(id).name, model.graph.value(id).type});
    for (const ValueId id : model.graph.outputs())
      partition.outputs.push_back({model.graph.value(id).name, model.graph.value(id).type});
  }

  Result<CompiledNode> restore(ExecutionProvider& by) const {
    return by.restoreContext({partition, nullptr, "openvino_0"}, Progress());
  }

  // Sections of the test's own.
  void setSection(const char* name, std::string text) {
    for (context_binary::ContextSection& section : partition.sections) {
      if (section.name != name) continue;
      const auto bytes = std::make_shared<const std::string>(std::move(text));
      section.bytes = std::as_bytes(std::span(*bytes));
      section.keepAlive = bytes;
    }
  }
  std::string section(const char* name) const {
    const auto bytes = partition.find(name)->bytes;
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

RuntimeValue feedOf(const ValueType& type, int64_t n, int seed) {
  std::vector<int64_t> dims;
  for (const Dim& dim : type.shape->dims())
    dims.push_back(dim.isKnown() ? dim.value() : n);
  Tensor tensor = *Tensor::create(type.element, dims);
  for (int64_t i = 0; i < tensor.elementCount(); ++i) {
    const auto number = static_cast<float>((i * 31 + seed * 17) % 97) / 32 - 1;
    if (type.element == ElementType::kFloat) tensor.span<float>()[static_cast<size_t>(i)] = number;
    if (type.element == ElementType::kInt64) tensor.span<int64_t>()[static_cast<size_t>(i)] = i % 5;
  }
  return tensor;
}

Result<std::vector<RuntimeValue>> run(const Kernel& kernel, const Model& model,
                                      const std::vector<RuntimeValue>& feeds) {
  Graph graph;
  std::vector<ValueId> inputs;
  std::vector<std::string> outputs;
  for (const ValueId id : model.graph.inputs())
    inputs.push_back(graph.addInput(model.graph.value(id).name, model.graph.value(id).type));
  for (size_t i = 0; i < model.graph.outputs().size(); ++i)
    outputs.push_back(fmt::format("out{}", i));
  const NodeId node = graph.addNode({.name = "fused", .opType = "Fused"}, inputs, outputs);
  for (size_t i = 0; i < outputs.size(); ++i)
    graph.mutableValue(graph.node(node).outputs[i]).type = model.graph.value(model.graph.outputs()[i]).type;
  return evaluateKernel(kernel, graph, node, feeds);
}

constexpr const char* kWeighty =
    "main (float[2,64] x) => (float[2,64] y) <float[64,64] big> { a = MatMul (x, big)\n b = Relu (a)\n y = Sqrt (b) }";

// What ONNX Runtime's provider writes around blobs, number by number.
std::string numberText(uint64_t number, size_t bytes) {
  return {reinterpret_cast<const char*>(&number), bytes};
}
std::string entryText(char type, const std::string& name, const std::string& value) {
  return type + name + '\0' + value;
}
std::string documentText(const std::string& entries) {
  return numberText(entries.size() + 5, 4) + entries + '\0';
}
std::string wordText(const std::string& word) {
  return numberText(word.size() + 1, 4) + word + '\0';
}
struct Container {
  std::string version = "1.1.0", extra{};  // extra: further entries of the directory
  uint64_t format = 1;
  std::string of(const std::string& name, const std::string& blob) const {
    constexpr size_t kPlace = 65536;
    const std::string place = documentText(entryText('\x10', "data_offset", numberText(kPlace, 4)) +
                                           entryText('\x12', "size", numberText(blob.size(), 8)));
    const std::string directory =
        documentText(entryText('\x03', "blob_metadata_map", documentText(entryText('\x03', name, place))) +
                     entryText('\x02', "producer", wordText("onnxruntime-openvino-ep-plugin")) + extra +
                     entryText('\x02', "version", wordText(version)));
    std::string bytes = "OVEP_BIN" + numberText(format, 8) + numberText(40, 8) + numberText(40, 8) +
                        numberText(directory.size(), 8) + directory;
    bytes.resize(kPlace);
    return bytes + blob;
  }
};

// The node of ONNX Runtime's provider with these bytes.
VendorContext foreignContext(const Exported& exported, const std::string& bytes, const std::string& partition) {
  const auto kept = std::make_shared<const std::string>(bytes);
  return {.nodeName = "OpenVINO_0",
          .attributes = {{"partition_name", partition}},
          .inputs = exported.partition.inputs,
          .outputs = exported.partition.outputs,
          .bytes = std::as_bytes(std::span(*kept)),
          .keepAlive = kept};
}

template <typename T>
QString problemOf(const Result<T>& restored) {
  return restored ? QString("no error") : QString::fromStdString(describe(restored.error()));
}

}  // namespace

class TestOpenvinoContext : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    qputenv("XDG_CACHE_HOME", m_cache.path().toUtf8());  // where trials are remembered
    const ProviderStatus status = openvinoProvider().probe();
    QVERIFY2(status.usable, status.reason.c_str());
  }

  void saysWhatItKeeps() {
    const ContextSupport support = provider()->contextSupport();
    QVERIFY(support.kind == ContextKind::kCompiled);
    QCOMPARE(QString::fromStdString(support.sdkVersion), QString::fromStdString(openvinoProvider().probe().version));
    QVERIFY2(support.hardware.starts_with("CPU: "), support.hardware.c_str());
    const ContextSupport spread = provider({{"device", "AUTO"}})->contextSupport();
    QVERIFY(spread.kind == ContextKind::kCompiled || spread.reason.find("AUTO") != std::string::npos);
  }

  void sameBits_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("chain") << QByteArray(
        "main (float[2,3] x) => (float[2,3] y) { a = Relu (x)\n b = Exp (a)\n y = Sqrt (b) }");
    QTest::newRow("two results") << QByteArray(
        "main (float[2,3] x) => (float[2,3] y, float[3,2] z) { a = Relu (x)\n y = Exp (a)\n z = Transpose (a) }");
    QTest::newRow("results in another order") << QByteArray(
        "main (float[2,3] x, float[3] v) => (float[3,2] z, float[2,3] y) { a = Add (x, v)\n y = Exp (a)\n z = "
        "Transpose (a) }");
    QTest::newRow("weights") << QByteArray(kWeighty);
    QTest::newRow("scalar") << QByteArray(
        "main (float[2,3] x) => (float y, float[2,3] z) { y = ReduceSum <keepdims = 0> (x)\n z = Mul (x, y) }");
    QTest::newRow("open shapes") << QByteArray(
        "main (float[n,3] x) => (float[3,n] y, int64[2] s) { a = Relu (x)\n y = Transpose (a)\n s = Shape (y) }");
    QTest::newRow("open shapes and weights") << QByteArray(
        "main (float[n,64] x) => (float[n,64] y) <float[64,64] big> { a = MatMul (x, big)\n y = Softmax (a) }");
    QTest::newRow("shape known after the run")
        << QByteArray("main (float[4] x) => (int64[1,k] y) { a = Relu (x)\n y = NonZero (a) }");
    QTest::newRow("integers") << QByteArray(
        "main (int64[4] x, int64[4] z) => (bool[4] y, int64[4] s) { y = Less (x, z)\n s = Add (x, z) }");
    QTest::newRow("passed through") << QByteArray(
        "main (float[4] x) => (float[4] y, float[4] z) { y = Max (x)\n z = Neg (x) }");
    QTest::newRow("an input that nothing needs")
        << QByteArray("main (float[4] x, float[] r) => (float[4] y) { a = Relu (x)\n y = Dropout (a, r) }");
    QTest::newRow("convolution") << QByteArray(
        "main (float[1,2,8,8] x) => (float[1,2,8,8] y) <float[2,2,3,3] w = "
        "{1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,-2,3,4,-5,6,7,8,9,1,2,-3,4,5,6,-7,8,9}> { a = Conv <pads = [1,1,1,1]> "
        "(x, w)\n y = Relu (a) }");
  }
  void sameBits() {
    QFETCH(QByteArray, text);
    const Exported exported(text.toStdString());
    const auto other = provider();  // one that has compiled nothing
    const Result<CompiledNode> restored = exported.restore(*other);
    QVERIFY2(restored, qPrintable(problemOf(restored)));
    for (int seed = 1; seed <= 3; ++seed) {
      std::vector<RuntimeValue> feeds;
      for (const ValueId id : exported.model.graph.inputs())
        feeds.push_back(feedOf(exported.model.graph.value(id).type, 4 + seed, seed));
      const auto before = run(*exported.compiled.kernel, exported.model, feeds);
      const auto after = run(*restored->kernel, exported.model, feeds);
      QVERIFY2(before, before ? "" : describe(before.error()).c_str());
      QVERIFY2(after, after ? "" : describe(after.error()).c_str());
      for (size_t i = 0; i < before->size(); ++i) {
        const Tensor& a = (*before)[i].tensor();
        const Tensor& b = (*after)[i].tensor();
        QVERIFY(a.type() == b.type() && a.dims() == b.dims());
        QVERIFY(std::ranges::equal(a.bytes(), b.bytes()));
      }
    }
  }

  void blobsOfOnnxruntime_data() {
    QTest::addColumn<bool>("bare");
    QTest::addColumn<QByteArray>("text");
    for (const bool bare : {false, true}) {
      const auto row = [bare](const char* name) { return QByteArray(name) + (bare ? ", bare" : ", in a container"); };
      QTest::newRow(row("weights")) << bare << QByteArray(kWeighty);
      QTest::newRow(row("results in another order"))
          << bare
          << QByteArray(
                 "main (float[2,3] x, float[3] v) => (float[3,2] z, float[2,3] y) { a = Add (x, v)\n y = Exp (a)\n z = "
                 "Transpose (a) }");
    }
  }
  void blobsOfOnnxruntime() {
    QFETCH(bool, bare);
    QFETCH(QByteArray, text);
    const Exported exported(text.toStdString());
    const std::string blob = exported.section(kBlobSection);
    const auto other = provider();
    auto* const vendor = dynamic_cast<VendorContexts*>(other.get());
    QVERIFY(vendor != nullptr);
    const Result<CompiledNode> restored = vendor->restoreVendorContext(
        foreignContext(exported, bare ? blob : Container{}.of("m_OpenVINO-EP-subgraph_1_0", blob),
                       "m_OpenVINO-EP-subgraph_1_0"),
        Progress());
    QVERIFY2(restored, qPrintable(problemOf(restored)));
    std::vector<RuntimeValue> feeds;
    for (const ValueId id : exported.model.graph.inputs())
      feeds.push_back(feedOf(exported.model.graph.value(id).type, 4, 1));
    const auto before = run(*exported.compiled.kernel, exported.model, feeds);
    const auto after = run(*restored->kernel, exported.model, feeds);
    QVERIFY2(before && after, after ? "" : describe(after.error()).c_str());
    for (size_t i = 0; i < before->size(); ++i)
      QVERIFY(std::ranges::equal((*before)[i].tensor().bytes(), (*after)[i].tensor().bytes()));
  }

  void otherBlobsAreRefused_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("says");
    QTest::newRow("another partition") << "partition" << "it has no partition \"other\"; there are: \"m\"";
    QTest::newRow("newer format") << "format" << "its format has version 2, and 1 is known here";
    QTest::newRow("newer directory") << "directory" << "its directory has version \"2.0.0\"";
    QTest::newRow("shared weights") << "weights" << "its weights lie in files beside it";
    QTest::newRow("cut in the head") << "head" << "it is cut short";
    QTest::newRow("cut in the blob") << "cut" << "a blob does not lie within it";
    QTest::newRow("no blob") << "nothing" << "the blob is none of OpenVINO's CPU plugin";
    QTest::newRow("another OpenVINO") << "isa" << "OpenVINO does not take the blob of ONNX Runtime's provider: ";
    QTest::newRow("damaged inside") << "damaged" << "OpenVINO does not take the blob of ONNX Runtime's provider: ";
  }
  // By what is wrong, in words; what only OpenVINO sees is tried in a process of its own, which may die of it.
  void otherBlobsAreRefused() {
    QFETCH(QString, what);
    QFETCH(QString, says);
    const Exported exported(kWeighty);
    std::string blob = exported.section(kBlobSection);
    Container container;
    if (what == "format") container.format = 2;
    if (what == "directory") container.version = "2.0.0";
    if (what == "weights") container.extra = entryText('\x03', "weights_metadata_map", documentText({}));
    if (what == "isa") blob.replace(blob.find("isa="), 4, "isb=");
    if (what == "damaged") {
      const size_t model = blob.find("<?xml");
      QVERIFY(model != std::string::npos);
      std::fill(blob.begin() + static_cast<std::ptrdiff_t>(model),
                blob.begin() + static_cast<std::ptrdiff_t>(model) + 200, '<');
    }
    if (what == "nothing") blob = "no blob at all, and long enough to have a head of some kind";
    std::string bytes = container.of("m", blob);
    if (what == "head") bytes.resize(30);
    if (what == "cut") bytes.resize(bytes.size() - 1);
    const auto other = provider();
    const Result<CompiledNode> restored = dynamic_cast<VendorContexts&>(*other).restoreVendorContext(
        foreignContext(exported, bytes, what == "partition" ? "other" : "m"), Progress());
    QVERIFY(!restored);
    QVERIFY(restored.error().code == ErrorCode::kEpFail);
    QVERIFY2(problemOf(restored).contains(says), qPrintable(problemOf(restored)));
  }

  void objectsToAnotherOpenvino() {
    const std::string version = provider()->contextSupport().sdkVersion;
    const auto info = [](const std::string& made) {
      return "{\"ovep_compat_ver\":\"1.0\",\"ov_compat_string\":\"meta=1.0;ov=" + made + ";isa=AVX-512\"}";
    };
    QCOMPARE(foreignObjection(info(version.substr(0, version.find('-'))), version), std::string());
    QCOMPARE(foreignObjection("", version), std::string());
    QCOMPARE(foreignObjection("{\"ovep_ver\":\"1.8.1\"}", version), std::string());
    const std::string objection = foreignObjection(info("2025.1.0"), version);
    QVERIFY2(objection.starts_with("it was compiled by OpenVINO \"2025.1.0\", and this is " + version),
             objection.c_str());
    QVERIFY(provider()->checkCompatibility(info("2025.1.0")).verdict == ContextCompatibility::kUnsupported);
  }

  void precisionGoesWithTheGroup() {
    Exported exported(kWeighty, {{"precision", "bf16"}});
    QVERIFY(exported.section(kGroupSection).find("precision bf16") != std::string::npos);
    const Result<CompiledNode> restored = exported.restore(*provider());
    QVERIFY2(restored, qPrintable(problemOf(restored)));
    const std::vector<RuntimeValue> feeds{
        feedOf(exported.model.graph.value(exported.model.graph.inputs()[0]).type, 0, 1)};
    const auto before = run(*exported.compiled.kernel, exported.model, feeds);
    const auto after = run(*restored->kernel, exported.model, feeds);
    QVERIFY(before && after);
    QVERIFY(std::ranges::equal(before->front().tensor().bytes(), after->front().tensor().bytes()));
  }

  void whatMayComeInIsKept() {
    const Exported exported("main (int64[2] i) => (int64[2] y) { d = Add (i, i)\n y = Neg (d) }");
    QVERIFY(exported.section(kGroupSection).find("integers 31\n") != std::string::npos);
    const Result<CompiledNode> restored = exported.restore(*provider());
    QVERIFY2(restored, qPrintable(problemOf(restored)));
    Tensor input = *Tensor::create(ElementType::kInt64, {2});
    input.span<int64_t>()[0] = 1;
    input.span<int64_t>()[1] = int64_t{1} << 30;
    const auto beyond = run(*restored->kernel, exported.model, {input});
    QVERIFY(!beyond);
    QVERIFY2(problemOf(beyond).contains("'i' holds 1073741824"), qPrintable(problemOf(beyond)));
  }

  void theBytesLiveAsLongAsTheKernel() {
    auto exported = std::make_unique<Exported>(kWeighty);
    const auto other = provider();
    const std::weak_ptr<const void> bytes = exported->partition.find(kBlobSection)->keepAlive;
    Result<CompiledNode> restored = exported->restore(*other);
    QVERIFY(restored);
    exported.reset();
    QVERIFY(!bytes.expired());
    restored->kernel.reset();
    QVERIFY(bytes.expired());
  }

  void changedSectionsAreRefused_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("said");
    const QString version = QString::fromStdString(openvinoProvider().probe().version);
    QTest::newRow("no description") << "*" << "" << "has 0 lines";
    QTest::newRow("another mark") << "cutaway-openvino 1" << "cutaway-openvino 2"
                                  << "line 1 of the group's description is 'cutaway-openvino 2'";
    QTest::newRow("another build") << version << "2020.1.0-1" << "compiled by OpenVINO 2020.1.0-1";
    QTest::newRow("another device") << "device CPU" << "device GPU" << "openvino{device=GPU}";
    QTest::newRow("an unknown precision") << "precision f32" << "precision f8" << "line 4";
    QTest::newRow("another length") << "blob " << "blob 1" << "and the group's description says 1";
    QTest::newRow("a length that is no number") << "blob " << "blob x" << "line 5";
    QTest::newRow("a length given twice") << "blob " << "blob 7\nblob " << "line 6";
    QTest::newRow("integers of no bits") << "input 0 " << "integers 0\ninput 0 " << "line 6";
    QTest::newRow("integers wider than the device's") << "input 0 " << "integers 32\ninput 0 " << "line 6";
    QTest::newRow("integers given twice") << "input 0 " << "integers 9\nintegers 9\ninput 0 " << "line 7";
    QTest::newRow("a slot that is not there") << "input 0 " << "input 9 " << "beyond the 1";
    QTest::newRow("a slot that is no number") << "input 0 " << "input -1 " << "line 6";
    QTest::newRow("an output twice") << "output 0 " << "output 0 1 static - 2 64\noutput 0 " << "output 0 twice";
    QTest::newRow("no output") << "output 0 1 static - 2 64\n" << "" << "compiled with 0 outputs";
    QTest::newRow("no input") << "input 0 1 static 2 64\n" << "" << "other inputs or outputs";
    QTest::newRow("another element type") << "input 0 1 " << "input 0 7 " << "compiled with another type";
    QTest::newRow("other dimensions") << "static 2 64" << "static 4 64" << "other inputs or outputs";
    QTest::newRow("open dimensions that are static") << "static 2 64" << "static -1 64" << "line 6";
    QTest::newRow("an output that is not passed") << "static - " << "static passed " << "other inputs or outputs";
    QTest::newRow("a word of somebody else") << "precision" << "preciSion" << "line 4";
    QTest::newRow("cut short") << "64\n*" << "64" << "line 7";
  }
  void changedSectionsAreRefused() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, said);
    Exported exported(kWeighty);
    QString text = QString::fromStdString(exported.section(kGroupSection));
    if (from == "*") {
      text = to;
    } else if (from == "64\n*") {
      text.chop(1);
    } else {
      const auto at = text.indexOf(from);
      QVERIFY2(at >= 0, qPrintable(text));
      text.replace(at, from.size(), to);
      if (to == "blob 1") text.replace(QRegularExpression("blob \\d+"), "blob 1");
    }
    exported.setSection(kGroupSection, text.toStdString());
    const Result<CompiledNode> restored = exported.restore(*provider());
    QVERIFY(!restored);
    QVERIFY(restored.error().code == ErrorCode::kEpFail);
    QVERIFY2(problemOf(restored).contains(said), qPrintable(problemOf(restored)));
  }

  void missingSectionsAreNamed() {
    for (const char* name : {kBlobSection, kGroupSection}) {
      Exported exported(kWeighty);
      std::erase_if(exported.partition.sections,
                    [&](const context_binary::ContextSection& section) { return section.name == name; });
      const Result<CompiledNode> restored = exported.restore(*provider());
      QVERIFY(!restored && restored.error().code == ErrorCode::kEpFail);
      QVERIFY2(problemOf(restored).contains(QString("no section '%1'").arg(name)), qPrintable(problemOf(restored)));
    }
  }

  void portsOfTheModelMustBeThoseOfTheGroup() {
    Exported types(kWeighty);
    types.partition.inputs[0].type.element = ElementType::kDouble;
    QVERIFY(!types.restore(*provider()));
    Exported counts(kWeighty);
    counts.partition.outputs.push_back(counts.partition.outputs[0]);
    QVERIFY(!counts.restore(*provider()));
  }

  // Feeds of other dimensions than the group was compiled for reach OpenVINO when a model lies about its values.
  void otherDimensionsAreRefusedWhenItRuns() {
    const Exported exported(kWeighty);
    const auto other = provider();
    const Result<CompiledNode> restored = exported.restore(*other);
    QVERIFY(restored);
    const RuntimeValue small = *Tensor::create(ElementType::kFloat, {1, 64});
    const auto result = run(*restored->kernel, exported.model, {small});
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::kEpFail);
  }

  void headsOfBlobsAreChecked() {
    Exported exported(kWeighty);
    const std::string blob = exported.section(kBlobSection);
    const std::string build = openvinoProvider().probe().version;
    const auto check = [&](const std::string& bytes) { return checkCpuBlob(std::as_bytes(std::span(bytes)), build); };
    const Result<void> asItIs = check(blob);
    QVERIFY2(asItIs, asItIs ? "" : asItIs.error().message.c_str());
    for (const size_t length :
         {size_t{0}, size_t{7}, size_t{19}, size_t{20}, size_t{100}, size_t{150}, size_t{200}, blob.size() - 1})
      QVERIFY(!check(blob.substr(0, length)));
    QVERIFY(!check(blob + "x"));
    uint64_t text = 0;
    std::memcpy(&text, blob.data() + 12, sizeof(text));
    for (size_t at = 0; at < 20 + text + 48; ++at) {
      const bool isNumber = (at >= 12 && at < 20) || at >= 20 + text;
      if (at >= 8 && !isNumber) continue;  // version and the processor's text are OpenVINO's to check
      std::string changed = blob;
      changed[at] = static_cast<char>(changed[at] ^ 0x80);
      QVERIFY2(!check(changed), qPrintable(QString::number(at)));
      exported.setSection(kBlobSection, changed);
      const Result<CompiledNode> restored = exported.restore(*provider());
      QVERIFY(!restored && restored.error().code == ErrorCode::kEpFail);
    }
  }

  void compatibility() {
    const auto openvino = provider();
    const std::string own = openvino->compatibilityInfo();
    QVERIFY(openvino->checkCompatibility(own).verdict == ContextCompatibility::kOptimal);
    QVERIFY(openvino->checkCompatibility("").verdict == ContextCompatibility::kNotApplicable);
    QVERIFY(openvino->checkCompatibility("something").verdict == ContextCompatibility::kUnsupported);
    std::string older = own;
    older.replace(older.find("build ") + 6, 4, "2020");
    const CompatibilityVerdict build = openvino->checkCompatibility(older);
    QVERIFY(build.verdict == ContextCompatibility::kUnsupported);
    QVERIFY2(build.reason.find("OpenVINO 2020") != std::string::npos, build.reason.c_str());
    const CompatibilityVerdict device =
        openvino->checkCompatibility(own.substr(0, own.find("device ") + 7) + "GPU: Arc");
    QVERIFY(device.verdict == ContextCompatibility::kUnsupported);
    QVERIFY2(device.reason.find("GPU: Arc") != std::string::npos, device.reason.c_str());
  }

  // A blob of an NPU is its driver's work. No such device is here: its words are what its plugin would answer.
  void anotherDriverIsAnotherDevice() {
    const auto npu = [](const char* driver, const char* compiler) {
      return ContextSupport{.kind = ContextKind::kCompiled,
                            .sdkVersion = "2026.4.1",
                            .hardware = deviceWords("NPU", {.fullName = "Intel(R) AI Boost",
                                                            .architecture = "4000",
                                                            .driver = driver,
                                                            .compiler = compiler,
                                                            .capabilities = {"INT8", "EXPORT_IMPORT", "FP16"}})};
    };
    QCOMPARE(npu("1688", "458752").hardware,
             std::string("NPU: Intel(R) AI Boost, 4000, driver 1688, compiler 458752 (EXPORT_IMPORT FP16 INT8)"));
    const std::string info = compatibilityText(npu("1688", "458752"));
    QVERIFY(judgeCompatibility(info, npu("1688", "458752")).verdict == ContextCompatibility::kOptimal);
    for (const ContextSupport& here : {npu("1712", "458752"), npu("1688", "458753")}) {
      const CompatibilityVerdict judged = judgeCompatibility(info, here);
      QVERIFY(judged.verdict == ContextCompatibility::kUnsupported);
      QVERIFY2(judged.reason.find("driver 1688") != std::string::npos &&
                   judged.reason.find(here.hardware) != std::string::npos,
               judged.reason.c_str());
    }
    // Devices without a driver of their own are told as before.
    QCOMPARE(deviceWords("CPU", {.fullName = "Some CPU",
                                 .architecture = "intel64",
                                 .driver = {},
                                 .compiler = {},
                                 .capabilities = {"FP32"}}),
             std::string("CPU: Some CPU, intel64 (FP32)"));
  }

  void anExportCanBeCancelled() {
    const Exported exported(kWeighty);
    const FusedSubGraph group{"openvino_0", exported.model, exported.model.graph};
    const CancelToken token;
    token.cancel();
    const Result<context_binary::ContextPartition> again =
        exported.maker->exportContext({group, *exported.compiled.kernel}, Progress(token));
    QVERIFY(!again);
    QVERIFY(again.error().code == ErrorCode::kModelLoadCanceled);
  }

 private:
  const QTemporaryDir m_cache;
};

QTEST_GUILESS_MAIN(TestOpenvinoContext)
#include "tst_openvino_context.moc"
