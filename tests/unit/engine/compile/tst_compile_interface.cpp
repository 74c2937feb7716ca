// The compile interface: every kind of input into every kind of output, its options, and what it refuses.
//
// Scenarios of onnxruntime's tests (qnn_ep_context_test.cc, inference_session_test.cc, test_execution.cc), in
// spirit -> test here:
//   CompileApi_FromSessionOptions / path, buffer, model in x path, buffer, stream out -> everyInputIntoEveryOutput
//   CompileApi_InputModelExternalInitializers, initializer handler                     -> initializerHandlerPlaces,
//   handlerAndFileExclude CompileApi_FolderPathNotExpected                                                   ->
//   refused: folder as output CompileApi_ErrorIfOutputFileExists, NoOverWrite                                    ->
//   existingOutput CompileApi_ErrorIfNoNodesCompiled, plain model otherwise                           ->
//   nothingCompiled CompileOnly (session.compile_only)                                                 ->
//   compileOnlyMakesNoKernels SetEpContextBinaryInformation for buffer output                                    ->
//   bytesWithBinariesBeside NodeNamePrefix                                                                     ->
//   prefixIsBeforeNames external initializers by threshold, CpuNodeWithExternalWeights                     ->
//   externalInitializers unicode path                                                                       ->
//   unicodePath weightless                                                                         -> refused:
//   weightless verification with NaNs, of a file that is damaged                                  ->
//   verifyComparesBits, verifySaysWhy CompatibilityInfo written, stand-alone queries -> compatibilityIsAsked
#include <QTest>

#include "engine/compile/compatibility.h"
#include "engine/compile/verify.h"
#include "engine/context_binary/context_node.h"
#include "engine/graph/text.h"
#include "tests/unit/engine/compile/context_bench.h"

using namespace cutaway;

namespace {

load::ModelSource fromBytes(const std::string& bytes) {
  return load::ModelSource::memory(std::as_bytes(std::span(bytes)), nullptr);
}

std::shared_ptr<const Model> shared(Model model) {
  return std::make_shared<const Model>(std::move(model));
}

const ContextWritten* writtenBy(const compile::Compiled& compiled) {
  return compiled.walk->context == nullptr || compiled.walk->context->written.empty()
             ? nullptr
             : &compiled.walk->context->written.front();
}

}  // namespace

class TestCompileInterface : public QObject {
  Q_OBJECT
 private slots:
  void everyInputIntoEveryOutput_data() {
    QTest::addColumn<int>("input");
    QTest::addColumn<int>("output");
    QTest::addColumn<bool>("embed");
    const char* inputs[] = {"path", "bytes", "model"};
    const char* outputs[] = {"file", "bytes", "stream"};
    for (int input = 0; input < 3; ++input) {
      for (int output = 0; output < 3; ++output) {
        for (const bool embed : {false, true}) {
          if (output > 0 && !embed) continue;
          QTest::addRow("%s into %s%s", inputs[input], outputs[output], embed ? ", embedded" : ", beside")
              << input << output << embed;
        }
      }
    }
  }
  void everyInputIntoEveryOutput() {
    QFETCH(int, input);
    QFETCH(int, output);
    QFETCH(bool, embed);
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    const std::string bytes = bench.readBytes("m.onnx");
    const auto expected = bench.run("m.onnx");
    QVERIFY2(expected, whyNot(expected).c_str());

    compile::CompileRequest request = bench.request("m.onnx");
    if (input == 1) request.input = fromBytes(bytes);
    if (input == 2) request.input = load::ModelSource::loaded(shared(bench.model("m.onnx")));
    request.embed = embed;
    std::string streamed;
    if (output == 0) request.outputFile = bench.path("c.onnx");
    if (output == 1) request.toBytes = true;
    if (output == 2)
      request.outputStream = [&](std::span<const std::byte> piece) -> Result<void> {
        return streamed.append(reinterpret_cast<const char*>(piece.data()), piece.size()), Result<void>();
      };
    const auto done = bench.compile(request);
    QVERIFY2(done, whyNot(done).c_str());
    QCOMPARE(done->bytes.empty(), output != 1);

    const std::string made = output == 1 ? done->bytes : streamed;
    keeperPlan().compiled = 0;
    const auto session = output == 0 ? bench.load("c.onnx") : bench.load(fromBytes(made));
    QVERIFY2(session, whyNot(session).c_str());
    QCOMPARE(keeperPlan().compiled, 0);
    QCOMPARE(keeperPlan().restored, 2);
    const auto outputs = bench.outputsOf(**session);
    QVERIFY2(outputs, whyNot(outputs).c_str());
    QVERIFY(*outputs == *expected);
  }

  void refused_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("code");
    QTest::newRow("no input") << "no input" << static_cast<int>(ErrorCode::kNoModel);
    QTest::newRow("input is missing") << "missing input" << static_cast<int>(ErrorCode::kNoSuchFile);
    QTest::newRow("empty bytes") << "empty bytes" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("bytes without a path or output") << "no path" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("two outputs") << "two outputs" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("folder as output") << "folder" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("output without extension") << "no extension" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("name of binaries without folder") << "no folder" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("name of binaries leaves the folder")
        << "unsafe stem" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("initializers file leaves the folder")
        << "unsafe initializers" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("callback and initializers file")
        << "handler and file" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("embedded and shared") << "embedded and shared" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("weightless") << "weightless" << static_cast<int>(ErrorCode::kNotImplemented);
    QTest::newRow("compiling is forbidden") << "disabled" << static_cast<int>(ErrorCode::kModelRequiresCompilation);
    QTest::newRow("compiled already") << "compiled" << static_cast<int>(ErrorCode::kInvalidGraph);
    QTest::newRow("long key") << "long key" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("long value") << "long value" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("negative threshold") << "threshold" << static_cast<int>(ErrorCode::kInvalidArgument);
  }
  void refused() {
    QFETCH(QString, what);
    QFETCH(int, code);
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    const std::string bytes = bench.readBytes("m.onnx");
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    if (what == "no input") request.input.reset();
    if (what == "missing input") request.input = load::ModelSource::file(bench.path("nothing.onnx"));
    if (what == "empty bytes") request.input = load::ModelSource::memory({}, nullptr);
    if (what == "no path") request.input = fromBytes(bytes), request.outputFile.clear();
    if (what == "two outputs") request.toBytes = true;
    if (what == "folder") request.outputFile = bench.path("");
    if (what == "no extension") request.outputFile = bench.path("context");
    if (what == "no folder") request.outputFile.clear(), request.toBytes = true, request.binaryStem = "c";
    if (what == "unsafe stem")
      request.outputFile.clear(), request.toBytes = true, request.binaryFolder = bench.path(""),
                                  request.binaryStem = "../c";
    if (what == "unsafe initializers") request.initializersFile = "../weights.bin";
    if (what == "handler and file")
      request.initializersFile = "weights.bin",
      request.initializerHandler = [](const std::string&, const Tensor&) { return context::InitializerPlace{}; };
    if (what == "embedded and shared") request.embed = true, request.session.config["ep.share_ep_contexts"] = "1";
    if (what == "weightless") request.session.config["ep.enable_weightless"] = "1";
    if (what == "disabled") request.session.config["session.disable_model_compile"] = "1";
    if (what == "long key") request.session.config[std::string(1025, 'k')] = "1";
    if (what == "long value") request.session.config["ep.context_node_name_prefix"] = std::string(8193, 'v');
    if (what == "threshold") request.initializersThresholdBytes = -1;
    if (what == "compiled") {
      const auto first = bench.compile("m.onnx", "first.onnx");
      QVERIFY2(first, whyNot(first).c_str());
      request.input = load::ModelSource::file(bench.path("first.onnx"));
    }
    const auto files = bench.files();
    keeperPlan().compiled = 0;
    const auto done = bench.compile(request);
    QVERIFY(!done);
    QCOMPARE(QString::fromStdString(describe(done.error())).isEmpty(), false);
    QVERIFY2(static_cast<int>(done.error().code) == code, describe(done.error()).c_str());
    QCOMPARE(keeperPlan().compiled, 0);  // said before anything expensive
    QVERIFY(bench.files() == files);
  }

  void existingOutput() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    bench.writeBytes("c.onnx", "something else");
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    request.failWhenOutputExists = true;
    const auto refused = bench.compile(request);
    QVERIFY(!refused && refused.error().code == ErrorCode::kFail);
    QCOMPARE(bench.readBytes("c.onnx"), std::string("something else"));
    QCOMPARE(keeperPlan().compiled, 0);
    request.failWhenOutputExists = false;
    const auto done = bench.compile(request);
    QVERIFY2(done, whyNot(done).c_str());
    const auto outputs = bench.run("c.onnx");
    QVERIFY2(outputs, whyNot(outputs).c_str());
  }

  // Replacing an export takes away the binary that only the old one named.
  void replacingLeavesNothingBehind() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    const std::string first = bench.onlyBinary();
    QVERIFY(!first.empty());
    std::string changed(kTwoGroups);
    changed.replace(changed.find("-2"), 2, "-7");
    bench.write("m.onnx", changed);
    const auto done = bench.compile("m.onnx", "c.onnx");
    QVERIFY2(done, whyNot(done).c_str());
    QVERIFY2(!bench.onlyBinary().empty() && bench.onlyBinary() != first,
             QByteArray::number(static_cast<int>(bench.files().size())));
    VERIFY_SAME(bench, "c.onnx", "m.onnx");
  }

  void nothingCompiled() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    keeperPlan().test.groups = {};
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    request.failWhenNothingCompiled = true;
    const auto refused = bench.compile(request);
    QVERIFY(!refused);
    QCOMPARE(static_cast<int>(refused.error().code), static_cast<int>(ErrorCode::kFail));
    QVERIFY(!std::filesystem::exists(bench.path("c.onnx")));
    request.failWhenNothingCompiled = false;
    const auto done = bench.compile(request);
    QVERIFY2(done, whyNot(done).c_str());
    QVERIFY(writtenBy(*done) != nullptr && writtenBy(*done)->contextNodes == 0);
    VERIFY_SAME(bench, "c.onnx", "m.onnx");
  }

  void compileOnlyMakesNoKernels() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    session::SessionOptions options = bench.options();
    options.config = {{"ep.context_enable", "1"}, {"session.compile_only", "1"}};
    const auto session = bench.load(load::ModelSource::file(bench.path("m.onnx")), options);
    QVERIFY2(session, whyNot(session).c_str());
    QVERIFY(std::filesystem::exists(bench.path("m_ctx.onnx")));
    const auto ran = (*session)->run({}, {});
    QVERIFY(!ran);
    QCOMPARE(static_cast<int>(ran.error().code), static_cast<int>(ErrorCode::kFail));
  }

  // The key's way refuses what exists and writes nothing when nothing was compiled.
  void bySessionKey() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    session::SessionOptions options = bench.options();
    options.config = {{"ep.context_enable", "1"}};
    const auto expected = bench.run("m.onnx");
    const auto outputs = bench.run("m.onnx", options);  // generates, and runs like any session
    QVERIFY2(outputs, whyNot(outputs).c_str());
    QVERIFY(*outputs == *expected);
    VERIFY_SAME(bench, "m_ctx.onnx", "m.onnx");
    const auto again = bench.run("m.onnx", options);
    QVERIFY(!again);
    QCOMPARE(static_cast<int>(again.error().code), static_cast<int>(ErrorCode::kFail));

    keeperPlan().test.groups = {};
    options.config["ep.context_file_path"] = bench.path("n_ctx.onnx").string();
    const auto plain = bench.run("m.onnx", options);
    QVERIFY2(plain, whyNot(plain).c_str());
    QVERIFY(!std::filesystem::exists(bench.path("n_ctx.onnx")));
  }

  void bytesWithBinariesBeside() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    compile::CompileRequest request = bench.request("m.onnx");
    request.toBytes = true;
    request.binaryFolder = bench.path("");
    request.binaryStem = "parts";
    const auto done = bench.compile(request);
    QVERIFY2(done, whyNot(done).c_str());
    QVERIFY(bench.onlyBinary().starts_with("parts"));
    load::ModelSource source = fromBytes(done->bytes);
    session::SessionOptions options = bench.options();
    options.config["session.model_external_initializers_file_folder_path"] = bench.path("").string();
    const auto session = bench.load(source, options);
    QVERIFY2(session, whyNot(session).c_str());
    QVERIFY(*bench.outputsOf(**session) == *bench.run("m.onnx"));
  }

  void prefixIsBeforeNames() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    request.session.config["ep.context_node_name_prefix"] = "left_";
    const auto done = bench.compile(request);
    QVERIFY2(done, whyNot(done).c_str());
    const Model model = bench.model("c.onnx");
    QCOMPARE(contextNodes(model).size(), size_t{2});
    for (const NodeId id : contextNodes(model)) {
      QVERIFY2(model.graph.node(id).name.starts_with("left_"), model.graph.node(id).name.c_str());
      QVERIFY2(textAttribute(model.graph.node(id), "partition_name").starts_with("left_"),
               textAttribute(model.graph.node(id), "partition_name").c_str());
    }
    VERIFY_SAME(bench, "c.onnx", "m.onnx");
  }

  void externalInitializers_data() {
    QTest::addColumn<int>("threshold");
    QTest::addColumn<bool>("expectFile");
    QTest::newRow("all") << 0 << true;
    QTest::newRow("of 16 bytes") << 16 << true;
    QTest::newRow("of a kilobyte: none") << 1024 << false;
  }
  void externalInitializers() {
    QFETCH(int, threshold);
    QFETCH(bool, expectFile);
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    request.initializersFile = "c.weights";
    request.initializersThresholdBytes = threshold;
    const auto done = bench.compile(request);
    QVERIFY2(done, whyNot(done).c_str());
    QCOMPARE(std::filesystem::exists(bench.path("c.weights")), expectFile);
    VERIFY_SAME(bench, "c.onnx", "m.onnx");
  }

  void initializerHandlerPlaces() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    const float values[] = {0.5f, 1, -1, 2};
    bench.writeBytes("kept.data",
                     std::string(64, '\0') + std::string(reinterpret_cast<const char*>(values), sizeof(values)));
    std::vector<std::string> asked;
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    request.initializerHandler = [&](const std::string& name, const Tensor&) {
      asked.push_back(name);
      return context::InitializerPlace{.embed = false, .location = "kept.data", .offset = 64};
    };
    const auto done = bench.compile(request);
    QVERIFY2(done, whyNot(done).c_str());
    QVERIFY(asked == std::vector<std::string>{"v"});  // w is inside of contexts
    VERIFY_SAME(bench, "c.onnx", "m.onnx");
  }

  void unicodePath() {
    const ContextBench bench;
    std::filesystem::create_directory(bench.path("モデル"));
    bench.write("モデル/größe.onnx", kTwoGroups);
    const auto done = bench.compile("モデル/größe.onnx");
    QVERIFY2(done, whyNot(done).c_str());
    QVERIFY(std::filesystem::exists(bench.path("モデル/größe_ctx.onnx")));
    const auto outputs = bench.run("モデル/größe_ctx.onnx");
    QVERIFY2(outputs, whyNot(outputs).c_str());
  }

  void cancelLeavesNothing() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    const auto files = bench.files();
    const CancelToken token;
    keeperPlan().onExport = [&](const std::string&) { return token.cancel(), Result<void>(); };
    Progress progress(token);
    const auto done = compile::compileModel(bench.request("m.onnx", "c.onnx"), keeperTable(), progress);
    QVERIFY(!done);
    QCOMPARE(static_cast<int>(done.error().code), static_cast<int>(ErrorCode::kModelLoadCanceled));
    QVERIFY(bench.files() == files);
  }

  void streamThatFails() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    compile::CompileRequest request = bench.request("m.onnx");
    request.outputStream = [](std::span<const std::byte>) -> Result<void> {
      return fail(ErrorCode::kFail, "the disk at the other end is full");
    };
    const auto done = bench.compile(request);
    QVERIFY(!done);
    QVERIFY(describe(done.error()).find("other end is full") != std::string::npos);
  }

  void verifyComparesBits() {
    const ContextBench bench;
    bench.write("m.onnx",
                "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[2] x) => (float[2] y, float[2] z) <float[2] "
                "nan = {nan, -0.0}, float[2] one = {1,1}> {\n [a] y = Mul (x, nan)\n [d] z = Add (x, one)\n}");
    keeperPlan().test.groups = {{"a"}, {"d"}};
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    request.verify = true;
    const auto done = bench.compile(request);
    QVERIFY2(done, whyNot(done).c_str());
    QCOMPARE(done->walk->context->verified.size(), size_t{1});
    const ContextVerification& seen = done->walk->context->verified.front();
    QVERIFY2(seen.loads && seen.sameOutputs && seen.problem.empty(), seen.problem.c_str());
    QCOMPARE(seen.outputs.size(), size_t{2});
    QVERIFY(seen.compileNs > 0 && seen.loadNs > 0 && seen.firstRunContextNs > 0 && seen.runContextNs > 0);
  }

  void verifySaysWhat() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    compile::VerifyRequest request{.original = load::ModelSource::file(bench.path("m.onnx")),
                                   .context = load::ModelSource::file(bench.path("c.onnx")),
                                   .session = bench.options(),
                                   .feeds = {},
                                   .dims = {}};
    Progress progress;
    // Another original: same outputs, other numbers.
    std::string changed(kTwoGroups);
    changed.replace(changed.find("4.5"), 3, "4.6");
    bench.write("other.onnx", changed);
    request.original = load::ModelSource::file(bench.path("other.onnx"));
    const auto differs = compile::verifyContext(request, keeperTable(), progress);
    QVERIFY2(differs, whyNot(differs).c_str());
    QVERIFY(differs->loads && !differs->sameOutputs);
    QVERIFY(differs->outputs.front().maximumError > 0);
    // A binary that is gone is an answer, an original that is gone an error.
    std::filesystem::remove(bench.path(bench.onlyBinary()));
    const auto gone = compile::verifyContext(request, keeperTable(), progress);
    QVERIFY2(gone, whyNot(gone).c_str());
    QVERIFY(!gone->loads && !gone->sameOutputs);
    QVERIFY2(gone->problem.find("INVALID_GRAPH") != std::string::npos, gone->problem.c_str());
    request.original = load::ModelSource::file(bench.path("nothing.onnx"));
    const auto none = compile::verifyContext(request, keeperTable(), progress);
    QVERIFY(!none && none.error().code == ErrorCode::kNoSuchFile);
  }

  void compatibilityIsAsked_data() {
    QTest::addColumn<int>("verdict");
    QTest::addColumn<QString>("key");
    QTest::addColumn<bool>("loads");
    QTest::newRow("optimal") << static_cast<int>(ContextCompatibility::kOptimal) << "" << true;
    QTest::newRow("prefer recompilation") << static_cast<int>(ContextCompatibility::kPreferRecompilation) << "" << true;
    QTest::newRow("prefer recompilation, and that is an error")
        << static_cast<int>(ContextCompatibility::kPreferRecompilation) << "session.fail_on_suboptimal_compiled_model"
        << false;
    QTest::newRow("unsupported") << static_cast<int>(ContextCompatibility::kUnsupported) << "" << false;
    QTest::newRow("not applicable") << static_cast<int>(ContextCompatibility::kNotApplicable) << "" << true;
  }
  void compatibilityIsAsked() {
    QFETCH(int, verdict);
    QFETCH(QString, key);
    QFETCH(bool, loads);
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    keeperPlan().information = "keeper 1";
    keeperPlan().judge = [&](std::string_view info) {
      return CompatibilityVerdict{
          info == "keeper 1" ? static_cast<ContextCompatibility>(verdict) : ContextCompatibility::kUnsupported,
          "as the test says"};
    };
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    QCOMPARE(compile::compatibilityInfo(bench.model("c.onnx").metadata, "keeper"), std::string("keeper 1"));
    Progress progress;
    const auto answers = compile::compatibilityOf(load::ModelSource::file(bench.path("c.onnx")), bench.options(),
                                                  keeperTable(), progress);
    QVERIFY2(answers, whyNot(answers).c_str());
    QCOMPARE(answers->size(), size_t{1});
    QCOMPARE(static_cast<int>(answers->front().answer.verdict), verdict);
    session::SessionOptions options = bench.options();
    if (!key.isEmpty()) options.config[key.toStdString()] = "1";
    const auto session = bench.load(load::ModelSource::file(bench.path("c.onnx")), options);
    QVERIFY2(session.has_value() == loads, whyNot(session).c_str());
    if (!loads) QCOMPARE(static_cast<int>(session.error().code), static_cast<int>(ErrorCode::kFail));
    if (!loads) QCOMPARE(keeperPlan().restored, 0);  // asked before the binary is opened
  }
};

QTEST_APPLESS_MAIN(TestCompileInterface)
#include "tst_compile_interface.moc"
