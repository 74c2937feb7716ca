// EPContext nodes that are not restored: every reason why not, with its code, its check and its silence when only
// looking.
#include <stdexcept>

#include <QtTest/QtTest>

#include "engine/provider/vendor_contexts.h"
#include "tests/unit/engine/stages/partition/context_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

using Edit = std::function<void(Setting&, const QTemporaryDir&)>;

void changeByte(const QTemporaryDir& folder, const char* name, int64_t place) {
  std::fstream file(folder.filePath(name).toStdString(), std::ios::in | std::ios::out | std::ios::binary);
  if (place < 0) file.seekg(0, std::ios::end), place += file.tellg();
  file.seekg(place);
  const char before = static_cast<char>(file.get());
  file.seekp(place);
  file.put(static_cast<char>(before ^ 0x40));
}

// Restores contexts in its own form, or does not: as it is told.
class VendorProvider final : public ExecutionProvider, public VendorContexts {
 public:
  VendorProvider(std::string objection, std::optional<Error> problem)
      : m_objection(std::move(objection)), m_problem(std::move(problem)) {}
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return m_device; }
  Allocator& allocator() override { return heapAllocator(); }
  ContextSupport contextSupport() const override { return {ContextKind::kCompiled, {}, {}, {}}; }
  std::string objectionTo(const std::string& /*compatibilityInfo*/) const override { return m_objection; }
  Result<CompiledNode> restoreVendorContext(const VendorContext& /*context*/, const Progress& /*progress*/) override {
    if (m_problem) return fail(*m_problem);
    return CompiledNode{};
  }

 private:
  std::string m_name = "npu";
  Device m_device = heapAllocator().device();
  std::string m_objection;
  std::optional<Error> m_problem;
};

}  // namespace

Q_DECLARE_METATYPE(Edit)

class TestRefusedContexts : public QObject {
  Q_OBJECT
 private slots:
  void failures_data() {
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("words");  // all in the message, separated by '|'
    QTest::addColumn<QByteArray>("check");  // which one failed
    const auto row = [](const char* name, ErrorCode code, const char* words, const char* check, Edit edit) {
      QTest::newRow(name) << edit << static_cast<int>(code) << QByteArray(words) << QByteArray(check);
    };
    const auto attribute = [](const char* name, AttributeValue value) -> Edit {
      return [=](Setting& s, const QTemporaryDir&) { firstContext(s.exported.model).setAttribute(name, value); };
    };
    const auto telling = [](ErrorCode code) -> Edit {
      return [=](Setting& s, const QTemporaryDir&) {
        s.plans[0].contexts.onRestore = [=](const ContextRestore&, const Progress&) -> std::optional<Error> {
          return Error{code, "told so", {}};
        };
      };
    };
    row("a source that this session has not", ErrorCode::kNotImplemented, "QNN|npu|cpu", "provider",
        attribute("source", std::string("QNNExecutionProvider")));
    row("a source that keeps no contexts", ErrorCode::kNotImplemented, "CPU|runs nodes by kernel", "provider",
        attribute("source", std::string("CPUExecutionProvider")));
    row("no source, and nobody with contexts", ErrorCode::kNotImplemented, "does not name|npu, cpu", "provider",
        [](Setting& s, const QTemporaryDir&) {
          firstContext(s.exported.model).setAttribute("source", std::string());
          s.plans[0].contexts.kind = ContextKind::kNone;
        });
    row("an attribute that means nothing", ErrorCode::kInvalidGraph, "main_context", "attributes",
        attribute("main_context", int64_t{2}));
    row("a main node without a binary", ErrorCode::kInvalidGraph, "ep_cache_context", "attributes",
        attribute("ep_cache_context", std::string()));
    row("out of the folder", ErrorCode::kInvalidGraph, "contexts.bin", "path",
        attribute("ep_cache_context", std::string("../contexts.bin")));
    row("an absolute path", ErrorCode::kInvalidGraph, "contexts.bin", "path",
        attribute("ep_cache_context", std::string("/elsewhere/contexts.bin")));
    row("a file that is not there", ErrorCode::kInvalidGraph, "other.bin", "file",
        attribute("ep_cache_context", std::string("other.bin")));
    row("a folder", ErrorCode::kInvalidGraph, "sub", "file", [](Setting& s, const QTemporaryDir& folder) {
      QDir(folder.path()).mkdir("sub");
      firstContext(s.exported.model).setAttribute("ep_cache_context", std::string("sub"));
    });
    row("an empty file", ErrorCode::kInvalidGraph, "contexts.bin", "file",
        [](Setting&, const QTemporaryDir& folder) { writeFile(folder, "contexts.bin", {}); });
    row("no context binary at all", ErrorCode::kEpFail, "contexts.bin", "format",
        [](Setting&, const QTemporaryDir& folder) { writeFile(folder, "contexts.bin", std::string(200, 'x')); });
    row("cut short", ErrorCode::kEpFail, "contexts.bin", "format", [](Setting& s, const QTemporaryDir& folder) {
      writeFile(folder, "contexts.bin", bytesOf(s.exported.partitions).substr(0, 100));
    });
    row("a changed byte", ErrorCode::kEpFail, "npu_group_a_0", "checksum",
        [](Setting&, const QTemporaryDir& folder) { changeByte(folder, "contexts.bin", 70); });
    row("a partition that is not there", ErrorCode::kNotFound, "other|npu_group_a_0", "partition",
        attribute("partition_name", std::string("other")));
    row("a dependent node without a main one", ErrorCode::kInvalidGraph, "main node", "attributes",
        attribute("main_context", int64_t{0}));
    row("another SDK version", ErrorCode::kEpFail, "sdk 1.0|sdk 2.0", "SDK version",
        [](Setting& s, const QTemporaryDir&) { s.plans[0].contexts.sdkVersion = "sdk 2.0"; });
    row("another SDK version, the node says", ErrorCode::kEpFail, "sdk 0.9|sdk 1.0", "SDK version",
        attribute("ep_sdk_version", std::string("sdk 0.9")));
    row("other hardware", ErrorCode::kEpFail, "chip A|chip B", "hardware",
        [](Setting& s, const QTemporaryDir&) { s.plans[0].contexts.hardware = "chip B"; });
    row("other hardware, the node says", ErrorCode::kEpFail, "chip Z|chip A", "hardware",
        attribute("hardware_architecture", std::string("chip Z")));
    row("the library refuses it", ErrorCode::kEpFail, "npu|npu_group_a_0|told so", "restored",
        telling(ErrorCode::kEpFail));
    row("the device is lost", ErrorCode::kDeviceReset, "told so", "restored", telling(ErrorCode::kDeviceReset));
    row("the library breaks", ErrorCode::kEngineError, "told so", "restored", telling(ErrorCode::kEngineError));
    row("a cancel that nobody gave", ErrorCode::kEpFail, "was not requested", "restored",
        telling(ErrorCode::kModelLoadCanceled));
    row("an exception", ErrorCode::kEpFail, "threw an exception: out of chips", "restored",
        [](Setting& s, const QTemporaryDir&) {
          s.plans[0].contexts.onRestore = [](const ContextRestore&, const Progress&) -> std::optional<Error> {
            throw std::runtime_error("out of chips");
          };
        });
    row("an exception of no kind", ErrorCode::kEpFail, "no std::exception", "restored",
        [](Setting& s, const QTemporaryDir&) {
          s.plans[0].contexts.onRestore = [](const ContextRestore&, const Progress&) -> std::optional<Error> {
            throw 7;
          };
        });
    row("no kernel", ErrorCode::kEpFail, "no kernel", "restored",
        [](Setting& s, const QTemporaryDir&) { s.plans[0].contexts.withoutKernel = true; });
    row("an input too few", ErrorCode::kInvalidGraph, "1 inputs|has 2 (x, z)", "ports",
        [](Setting& s, const QTemporaryDir& folder) {
          Model other = resolved(R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
main (float[2] x) => (float[2] vb) { [npu_group_a_0] vb = com.microsoft.EPContext <source = "npu", embed_mode = 0, ep_cache_context = "contexts.bin"> (x) })");
          writeBeside(s.exported, folder);
          s.exported.model = std::move(other);
        });
    row("an input of another type", ErrorCode::kInvalidGraph, "'x'|int32|float[2]", "ports",
        [](Setting& s, const QTemporaryDir&) {
          s.exported.model.graph.mutableValue(s.exported.model.graph.findValue("x")).type.element = ElementType::kInt32;
        });
    row("an output of another size", ErrorCode::kInvalidGraph, "'vb'|float[3]|float[2]", "ports",
        [](Setting& s, const QTemporaryDir&) {
          s.exported.model.graph.mutableValue(s.exported.model.graph.findValue("vb")).type =
              ValueType::tensor(ElementType::kFloat, Shape{Dim(3)});
        });
    row("an output whose type nobody says", ErrorCode::kInvalidGraph, "'vb'|value_info", "ports",
        [](Setting& s, const QTemporaryDir&) {
          s.exported.model.graph.mutableValue(s.exported.model.graph.findValue("vb")).type = {};
        });
    row("an output of a type that is none of the operator's", ErrorCode::kInvalidGraph, "'vb'|string", "ports",
        [](Setting& s, const QTemporaryDir&) {
          s.exported.model.graph.mutableValue(s.exported.model.graph.findValue("vb")).type.element =
              ElementType::kString;
        });
  }
  void failures() {
    QFETCH(Edit, edit);
    QFETCH(int, code);
    QFETCH(QByteArray, words);
    QFETCH(QByteArray, check);
    const QTemporaryDir folder;
    Setting setting = oneBeside(folder);
    edit(setting, folder);
    Model running = setting.exported.model;
    const auto failed = partitioned(running, withCpu(setting.plans), setting.options);
    QVERIFY(!failed);
    QVERIFY2(static_cast<int>(failed.error().code) == code, describe(failed.error()).c_str());
    for (const QByteArray& word : words.split('|'))
      QVERIFY2(failed.error().message.find(word.toStdString()) != std::string::npos, failed.error().message.c_str());
    QCOMPARE(failed.error().where.node, std::string("npu_group_a_0"));
    QCOMPARE(setting.plans[0].counts->compiled.load(), int64_t{0});

    // Looking only: the same, as a check.
    setting.options.runnable = false;
    const auto looked = partitioned(setting.exported.model, withCpu(setting.plans), setting.options);
    CUTAWAY_VERIFY(looked);
    const ContextNodeReport& report = looked->contextNodes.at(0);
    QVERIFY(report.provider.empty());
    const auto bad = std::ranges::find(report.checks, CheckState::kFailed, &ContextCheck::state);
    QVERIFY(bad != report.checks.end());
    QCOMPARE(bad->name, check.toStdString());
    QCOMPARE(std::ranges::count(report.checks, CheckState::kFailed, &ContextCheck::state), 1);
    QVERIFY(checkOf(report, "restored")->state == (check == "restored" ? CheckState::kFailed : CheckState::kSkipped));
    const NodePlacement& node = *std::ranges::find_if(looked->report.nodes, [&](const NodePlacement& each) {
      return reportOf(*looked, each).name == "npu_group_a_0";
    });
    QVERIFY(node.provider.empty());
    for (const ProviderAnswer& answer : node.answers)
      QCOMPARE(answer.verdict, Verdict::kRefused);
    QCOMPARE(setting.plans[0].counts->contextNodesOffered.load(), int64_t{0});
  }

  // Contexts in their vendor's own form: whoever made them answers INVALID_GRAPH, and programs go by that.
  void vendorsAnswerInvalidGraph_data() {
    QTest::addColumn<QByteArray>("objection");
    QTest::addColumn<int>("answer");  // of the library; -1: none, and no kernel either
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("says");
    const auto code = [](ErrorCode each) { return static_cast<int>(each); };
    QTest::newRow("another version") << QByteArray("it was made by version 1") << -1 << code(ErrorCode::kInvalidGraph)
                                     << QByteArray("made by version 1");
    QTest::newRow("the library does not load it")
        << QByteArray() << code(ErrorCode::kEpFail) << code(ErrorCode::kInvalidGraph) << QByteArray("told so");
    QTest::newRow("no kernel") << QByteArray() << -1 << code(ErrorCode::kInvalidGraph) << QByteArray("no kernel");
    QTest::newRow("the device is lost") << QByteArray() << code(ErrorCode::kDeviceReset)
                                        << code(ErrorCode::kDeviceReset) << QByteArray("told so");
  }
  void vendorsAnswerInvalidGraph() {
    QFETCH(QByteArray, objection);
    QFETCH(int, answer);
    QFETCH(int, code);
    QFETCH(QByteArray, says);
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
main (float[2] x) => (float[2] y) { [one] y = com.microsoft.EPContext <source = "npu", ep_cache_context = "a blob"> (x) })");
    std::optional<Error> problem;
    if (answer >= 0) problem = Error{static_cast<ErrorCode>(answer), "told so", {}};
    Providers providers = withCpu({});
    providers.insert(providers.begin(), std::make_unique<VendorProvider>(objection.toStdString(), problem));
    const auto failed = partitioned(model, providers, {});
    QVERIFY(!failed);
    QVERIFY2(static_cast<int>(failed.error().code) == code, describe(failed.error()).c_str());
    QVERIFY2(failed.error().message.find(says.toStdString()) != std::string::npos, failed.error().message.c_str());
    QCOMPARE(failed.error().where.node, std::string("one"));
  }
};

QTEST_GUILESS_MAIN(TestRefusedContexts)
#include "tst_refused_contexts.moc"
