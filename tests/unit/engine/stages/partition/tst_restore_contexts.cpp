// EPContext nodes: restored by whom they name, in any place and order, from bytes or files, one or shared. Why not:
// tst_refused_contexts.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <QtTest/QtTest>

#include "engine/context_binary/shared_contexts.h"
#include "engine/provider/provider_calls.h"
#include "tests/unit/engine/stages/partition/context_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

constexpr const char* kTwo = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n] x) => (float[n] y) { [a] va = Neg (x) [b] vb = Exp (va) [c] y = Abs (vb) })";
constexpr const char* kBranches = R"(<ir_version: 8, opset_import: ["" : 17]>
main (bool[] cond, float[2] x) => (float[2] y) {
  [before] h = Neg (x)
  [choose] y = If <then_branch = yes () => (float[2] t) { [then] t = Abs (h) }, else_branch = no () => (float[2] e) { [other] e = Exp (h) }> (cond)
})";

// A latch that a hanging call waits on.
struct Latch {
  std::atomic<bool> reached = false, left = false;
  std::mutex mutex;
  std::condition_variable opened;
  bool open = false;
  void wait() {
    reached = true;
    std::unique_lock lock(mutex);
    opened.wait(lock, [this] { return open; });
  }
  void unlock() {
    const std::lock_guard lock(mutex);
    open = true;
    opened.notify_all();
  }
};

std::vector<float> results(const Kernel& kernel, std::vector<std::vector<float>> inputs) {
  LoneCallOfFloats context(1);
  for (std::vector<float>& each : inputs)
    context.add(std::move(each));
  if (const Result<void> ran = context.run(kernel); !ran) qFatal("%s", describe(ran.error()).c_str());
  return context.output(0);
}

}  // namespace

class TestRestoreContexts : public QObject {
  Q_OBJECT
 private slots:
  void oneNodeIsRestoredAndNothingCompiled() {
    const QTemporaryDir folder;
    Setting setting = oneBeside(folder);
    const auto partition = partitioned(setting.exported.model, withCpu(setting.plans), setting.options);
    CUTAWAY_VERIFY(partition);
    QCOMPARE(placements(*partition), QString("c:cpu npu_group_a_0:npu"));
    QCOMPARE(setting.plans[0].counts->compiled.load(), int64_t{0});
    QCOMPARE(setting.plans[0].counts->restored.load(), int64_t{1});
    QCOMPARE(setting.plans[0].counts->contextNodesOffered.load(), int64_t{0});
    QCOMPARE(results(*partition->compiled.at("npu_group_a_0").kernel, {{3, 4}, {1, 10}}), std::vector<float>({2, -2}));
    // It stays an EPContext node, and is a compiled group in every report.
    const NodeId id = setting.exported.model.graph.findNode("npu_group_a_0");
    QVERIFY(id.valid() && context_binary::isContextNode(setting.exported.model.graph.node(id)));
    const auto group = std::ranges::find(partition->report.groups, "npu_group_a_0", &GroupReport::name);
    QVERIFY(group != partition->report.groups.end() && group->compiled);
    QCOMPARE(group->provider, std::string("npu"));
    QCOMPARE(group->inputs, std::vector<std::string>({"x", "z"}));
    QCOMPARE(group->outputs, std::vector<std::string>({"vb"}));
    QCOMPARE(answerOf(*partition, "npu_group_a_0", "npu").verdict, Verdict::kClaimed);
    QCOMPARE(answerOf(*partition, "npu_group_a_0", "cpu").verdict, Verdict::kAlreadyTaken);
    QCOMPARE(answerOf(*partition, "npu_group_a_0", "cpu").reason, std::string("compiled by npu"));
    QCOMPARE(partition->contextNodes.size(), size_t{1});
    const ContextNodeReport& report = partition->contextNodes[0];
    QCOMPARE(reportOf(*partition, partition->report.nodes[static_cast<size_t>(report.node)]).name, report.name);
    QCOMPARE(report.provider, std::string("npu"));
    QCOMPARE(report.file, std::string("contexts.bin"));
    QCOMPARE(report.fileBytes, QFileInfo(folder.filePath("contexts.bin")).size());
    QVERIFY(report.partitionBytes > 0 && report.restoreTimeNs > 0 && report.sharedBytes == 0);
    for (const char* name : {"attributes", "provider", "path", "file", "format", "checksum", "SDK version", "hardware",
                             "ports", "restored"}) {
      const ContextCheck* check = checkOf(report, name);
      QVERIFY2(check != nullptr && check->state == CheckState::kPassed, name);
    }
  }

  // What a provider put on its node comes back to it, without the attributes of the schema.
  void attributesOfTheProviderComeBack() {
    const QTemporaryDir folder;
    Setting setting = oneBeside(folder);
    Node& node = firstContext(setting.exported.model);
    node.setAttribute("vtcm_mb", int64_t{8});
    node.setAttribute("notes", std::string("of the schema"));
    const auto seen = std::make_shared<std::vector<Attribute>>();
    setting.plans[0].contexts.onRestore = [seen](const ContextRestore& stored,
                                                 const Progress&) -> std::optional<Error> {
      seen->assign(stored.attributes.begin(), stored.attributes.end());
      return std::nullopt;
    };
    CUTAWAY_VERIFY(partitioned(setting.exported.model, withCpu(setting.plans), setting.options));
    QCOMPARE(seen->size(), size_t{1});
    QCOMPARE(seen->front().name, std::string("vtcm_mb"));
    QCOMPARE(std::get<int64_t>(seen->front().value), int64_t{8});
  }

  void places_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("groups");  // "npu:a b", one provider's group each
    QTest::addColumn<int>("main");            // -1: embedded
    QTest::addColumn<QString>("placements");
    const auto row = [](const char* name, const char* text, QStringList groups, int main, const char* expected) {
      QTest::newRow(name) << QByteArray(text) << groups << main << QString(expected);
    };
    row("embedded", kOneGroup, {"npu:a b"}, -1, "c:cpu npu_group_a_0:npu");
    row("two in one file, the main one first", kTwo, {"npu:a", "npu:c"}, 0,
        "b:cpu npu_group_a_0:npu npu_group_c_1:npu");
    row("two in one file, the main one last", kTwo, {"npu:a", "npu:c"}, 1, "b:cpu npu_group_a_0:npu npu_group_c_1:npu");
    row("two embedded", kTwo, {"npu:a", "npu:c"}, -1, "b:cpu npu_group_a_0:npu npu_group_c_1:npu");
    row("two providers, embedded", kTwo, {"npu:a", "gpu:c"}, -1, "b:cpu npu_group_a_0:npu gpu_group_c_1:gpu");
    row("in bodies", kBranches, {"npu:then", "npu:other"}, -1,
        "before:cpu choose:cpu npu_group_then_0:npu npu_group_other_1:npu");
    row("in bodies and around them, the main one in a body", kBranches, {"npu:before", "npu:then", "npu:other"}, 1,
        "choose:cpu npu_group_before_2:npu npu_group_then_0:npu npu_group_other_1:npu");
  }
  void places() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, groups);
    QFETCH(int, main);
    const QTemporaryDir folder;
    std::map<std::string, std::vector<std::vector<std::string>>> byProvider;
    for (const QString& group : groups) {
      std::vector<std::string>& nodes = byProvider[group.section(':', 0, 0).toStdString()].emplace_back();
      for (const QString& node : group.section(':', 1).split(' '))
        nodes.push_back(node.toStdString());
    }
    std::vector<TestProviderPlan> making, loading;
    for (const char* name : {"npu", "gpu"}) {
      making.push_back(keeping(name, byProvider[name]));
      loading.push_back(keeping(name, {}));
    }
    Exported exported = exportedModel(text.constData(), making);
    QCOMPARE(exported.partitions.size(), static_cast<size_t>(groups.size()));
    if (main < 0)
      embedAll(exported);
    else
      writeBeside(exported, folder, static_cast<size_t>(main));
    partition::PartitionOptions options;
    options.contextPlace.folder = pathOf(folder);
    const auto partition = partitioned(exported.model, withCpu(loading), options);
    CUTAWAY_VERIFY(partition);
    QFETCH(QString, placements);
    QStringList expected = placements.split(' ');
    QStringList seen = bench::placements(*partition).split(' ');
    expected.sort();
    seen.sort();
    QCOMPARE(seen, expected);
    int64_t restored = 0;
    for (const TestProviderPlan& plan : loading) {
      QCOMPARE(plan.counts->compiled.load() + plan.counts->contextNodesOffered.load(), int64_t{0});
      restored += plan.counts->restored;
    }
    QCOMPARE(restored, static_cast<int64_t>(groups.size()));
    QCOMPARE(partition->compiled.size(), static_cast<size_t>(groups.size()));
    QCOMPARE(partition->contextNodes.size(), static_cast<size_t>(groups.size()));
  }

  void openSizesStayOpen() {
    Exported exported = exportedModel(kTwo, {keeping("npu", {{"a", "b"}})});
    embedAll(exported);
    const auto partition = partitioned(exported.model, withCpu({keeping("npu", {})}));
    CUTAWAY_VERIFY(partition);
    const Kernel& kernel = *partition->compiled.begin()->second.kernel;
    QCOMPARE(results(kernel, {{0}}), std::vector<float>({1}));
    QCOMPARE(results(kernel, {{0, 0, 0}}), std::vector<float>({1, 1, 1}));
  }

  void withoutASourceTheFirstThatCanRestoresIt() {
    const QTemporaryDir folder;
    Setting setting = oneBeside(folder);
    firstContext(setting.exported.model).setAttribute("source", std::string());
    setting.plans.insert(setting.plans.begin(), keeping("dsp", {}));
    const auto partition = partitioned(setting.exported.model, withCpu(setting.plans), setting.options);
    CUTAWAY_VERIFY(partition);
    QCOMPARE(partition->contextNodes[0].provider, std::string("npu"));
    // One that has the partition and fails says more than one that has none.
    Setting failing = oneBeside(folder);
    firstContext(failing.exported.model).setAttribute("source", std::string());
    failing.plans[0].contexts.hardware = "chip B";
    failing.plans.push_back(keeping("dsp", {}));
    const auto failed = partitioned(failing.exported.model, withCpu(failing.plans), failing.options);
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, ErrorCode::kEpFail);
    QVERIFY2(failed.error().message.find("chip B") != std::string::npos, failed.error().message.c_str());
  }

  void namesOfOnnxruntimeMeanOurs() {
    const QTemporaryDir folder;
    Setting setting = oneBeside(folder);
    firstContext(setting.exported.model).setAttribute("source", std::string("NpuExecutionProvider"));
    const auto partition = partitioned(setting.exported.model, withCpu(setting.plans), setting.options);
    CUTAWAY_VERIFY(partition);
    QCOMPARE(partition->contextNodes[0].provider, std::string("npu"));
  }

  void theNodesOrderDecides_data() {
    QTest::addColumn<QByteArray>("inputs");
    QTest::addColumn<QList<int>>("hint");  // in terms of the node, for an output that may be written over port 'z'
    QTest::newRow("as compiled") << QByteArray("x, z") << QList<int>{1};
    QTest::newRow("another order") << QByteArray("z, x") << QList<int>{0};
    QTest::newRow("other names: by position") << QByteArray("p, q") << QList<int>{1};
    QTest::newRow("with one left out between") << QByteArray("z, \"\", x") << QList<int>{0};
  }
  void theNodesOrderDecides() {
    QFETCH(QByteArray, inputs);
    QFETCH(QList<int>, hint);
    const QTemporaryDir folder;
    Setting setting = oneBeside(folder);
    QList<QByteArray> names = inputs.split(',');
    QByteArray declared;
    for (QByteArray& name : names) {
      name = name.trimmed();
      if (name != "\"\"") declared += (declared.isEmpty() ? "float[2] " : ", float[2] ") + name;
    }
    Model model = resolved(("<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1]>\nmain (" + declared +
                            ") => (float[2] y) {\n"
                            "[npu_group_a_0] y = com.microsoft.EPContext <source = \"npu\", embed_mode = 0, "
                            "ep_cache_context = \"contexts.bin\"> (" +
                            inputs + ") }")
                               .constData());
    setting.plans[0].contexts.inplace = {{.input = 1, .output = 0}, {.input = 5, .output = 0}};
    const auto partition = partitioned(model, withCpu(setting.plans), setting.options);
    CUTAWAY_VERIFY(partition);
    const CompiledNode& compiled = partition->compiled.at("npu_group_a_0");
    LoneCallOfFloats context(1);
    for (const QByteArray& name : names)
      context.add(name == "z" || name == "q" ? std::vector<float>{1, 10} : std::vector<float>{3, 4});
    const Result<void> ran = context.run(*compiled.kernel);
    CUTAWAY_VERIFY(ran);
    QCOMPARE(context.output(0), std::vector<float>({2, -2}));
    QCOMPARE(compiled.inplace.size(), size_t{1});
    QCOMPARE(compiled.inplace[0].input, hint[0]);
    QCOMPARE(compiled.inplace[0].output, 0);
  }

  void whatDoesNotFitThePortsIsNotRun() {
    const QTemporaryDir folder;
    Setting setting = oneBeside(folder);
    // The file says nothing of the size, so only a run can know.
    setting.exported.model.graph.mutableValue(setting.exported.model.graph.findValue("z")).type.shape.reset();
    const auto partition = partitioned(setting.exported.model, withCpu(setting.plans), setting.options);
    CUTAWAY_VERIFY(partition);
    const Kernel& kernel = *partition->compiled.at("npu_group_a_0").kernel;
    for (const std::vector<int64_t>& dims :
         {std::vector<int64_t>{1}, std::vector<int64_t>{1, 2}, std::vector<int64_t>{}}) {
      LoneCallOfFloats context(1);
      context.add({3, 4});
      context.add(std::vector<float>(static_cast<size_t>(elementCount(dims)), 1.0f), dims);
      const Result<void> ran = context.run(kernel);
      QVERIFY(!ran);
      QCOMPARE(ran.error().code, ErrorCode::kInvalidArgument);
      QVERIFY2(ran.error().message.find("'z'") != std::string::npos, ran.error().message.c_str());
    }
    LoneCallOfFloats missing(1);
    missing.add({3, 4});
    QVERIFY(!missing.run(kernel));
  }

  void nodesWithoutANameOrWithTheSameOne() {
    Exported exported = exportedModel(kBranches, {keeping("npu", {{"then"}, {"other"}, {"before"}})});
    embedAll(exported);
    size_t next = 0;
    forEachContext(exported.model, [&](Node& node) { node.name = next++ == 0 ? "" : "same"; });
    const auto partition = partitioned(exported.model, withCpu({keeping("npu", {})}));
    CUTAWAY_VERIFY(partition);
    QCOMPARE(partition->compiled.size(), size_t{3});
    forEachContext(exported.model,
                   [&](Node& node) { QVERIFY2(partition->compiled.contains(node.name), node.name.c_str()); });
  }

  void groupsTakeNoBodiesWithContexts() {
    Exported exported = exportedModel(kBranches, {keeping("npu", {{"then"}})});
    embedAll(exported);
    TestProviderPlan plan = keeping("npu", {{"choose"}});
    plan.counts = std::make_shared<TestProviderCounts>();
    const auto partition = partitioned(exported.model, withCpu({plan}));
    CUTAWAY_VERIFY(partition);
    QCOMPARE(answerOf(*partition, "choose", "npu").verdict, Verdict::kGroupRejected);
    QVERIFY2(answerOf(*partition, "choose", "npu").reason.find("restored rather than compiled") != std::string::npos,
             answerOf(*partition, "choose", "npu").reason.c_str());
    QCOMPARE(plan.counts->compiled.load(), int64_t{0});
  }

  void restoringIsNoCompiling() {
    const QTemporaryDir folder;
    Setting setting = oneBeside(folder);
    setting.options.disableCompile = true;
    setting.options.minimumGroupNodes = 4;
    CUTAWAY_VERIFY(partitioned(setting.exported.model, withCpu(setting.plans), setting.options));
    // What is left over and would have to be compiled is refused still.
    Setting leftover = oneBeside(folder);
    leftover.options.disableCompile = true;
    leftover.plans[0].groups = {{"c"}};
    const auto refused = partitioned(leftover.exported.model, withCpu(leftover.plans), leftover.options);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::kModelRequiresCompilation);
    QVERIFY2(refused.error().message.find("Abs 'c'") != std::string::npos, refused.error().message.c_str());
  }

  void whatIfOpensNothing() {
    const QTemporaryDir folder;
    Setting setting = oneBeside(folder);
    QFile::remove(folder.filePath("contexts.bin"));
    setting.options.compile = false;
    const auto partition = partitioned(setting.exported.model, withCpu(setting.plans), setting.options);
    CUTAWAY_VERIFY(partition);
    QCOMPARE(placements(*partition), QString("c:cpu npu_group_a_0:npu"));
    QCOMPARE(setting.plans[0].counts->restored.load(), int64_t{0});
    LoneCallOfFloats context(1);
    QVERIFY(!context.run(*partition->compiled.at("npu_group_a_0").kernel));
  }

  void functionsThatHoldContexts() {
    // The node appears when nobody has taken the call; what is there already is not restored twice.
    const QTemporaryDir folder;
    Exported exported = exportedModel(kOneGroup, {keeping("npu", {{"a", "b"}})});
    writeBeside(exported, folder);
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17, "local" : 1, "com.microsoft" : 1]>
main (float[2] x, float[2] z) => (float[2] y) <float[2] h> {
  [npu_group_a_0] h = com.microsoft.EPContext <source = "npu", embed_mode = 0, ep_cache_context = "contexts.bin"> (x, z)
  [call] y = local.Twice (h)
}
<domain: "local", opset_import: ["" : 17]>
Twice (a) => (b) { t = Abs (a) b = Neg (t) })");
    const TestProviderPlan plan = keeping("npu", {});
    partition::PartitionOptions options;
    options.contextPlace.folder = pathOf(folder);
    const auto partition = partitioned(model, withCpu({plan}), options);
    CUTAWAY_VERIFY(partition);
    QCOMPARE(plan.counts->restored.load(), int64_t{1});
    QCOMPARE(partition->report.unassignedNodes, int64_t{0});
  }

  void placeholdersSaySo() {
    const QTemporaryDir folder;
    Setting setting = oneBeside(folder);
    setting.plans[0].contexts.kind = ContextKind::kDescribed;
    setting.plans[0].contexts.reason = "described, not compiled";
    const auto partition = partitioned(setting.exported.model, withCpu(setting.plans), setting.options);
    CUTAWAY_VERIFY(partition);
    QVERIFY(partition->contextNodes[0].isPlaceholder);
    QVERIFY(checkOf(partition->contextNodes[0], "provider")->detail.find("described, not compiled") !=
            std::string::npos);
  }

  void sharedContexts() {
    // Two models in one file: the first names it, the second depends on it and names nothing.
    const QTemporaryDir folder;
    Exported first = exportedModel(kOneGroup, {keeping("npu", {{"a", "b"}})}, "first_");
    Exported second = exportedModel(kTwo, {keeping("npu", {{"a"}})}, "second_");
    first.partitions.push_back(second.partitions[0]);
    writeBeside(first, folder);
    partition::PartitionOptions options;
    options.contextPlace = {
        .folder = pathOf(folder), .share = true, .stopShare = false, .shareGroup = "tst_restore_contexts"};
    context_binary::SharedContexts& group = context_binary::SharedContexts::group("tst_restore_contexts");
    const auto loaded = [&](Model model) -> Result<ContextNodeReport> {
      CUTAWAY_TRY(partition::Partition partition, partitioned(model, withCpu({keeping("npu", {})}), options));
      return partition.contextNodes[0];
    };
    const Result<ContextNodeReport> early = loaded(second.model);
    QVERIFY(!early);
    QCOMPARE(early.error().code, ErrorCode::kInvalidGraph);
    const Result<ContextNodeReport> main = loaded(first.model);
    CUTAWAY_VERIFY(main);
    QCOMPARE(main->sharedBytes, int64_t{0});
    QVERIFY(group.heldBytes() > 0);
    const Result<ContextNodeReport> dependent = loaded(second.model);
    CUTAWAY_VERIFY(dependent);
    QVERIFY(dependent->partitionBytes > 0);
    QCOMPARE(dependent->sharedBytes, dependent->partitionBytes);
    QVERIFY2(checkOf(*dependent, "file")->detail.find("tst_restore_contexts") != std::string::npos,
             checkOf(*dependent, "file")->detail.c_str());
    options.contextPlace.stopShare = true;  // both partitions are taken: the file is opened anew
    const Result<ContextNodeReport> again = loaded(first.model);
    CUTAWAY_VERIFY(again);
    QCOMPARE(again->sharedBytes, int64_t{0});
    QCOMPARE(group.heldBytes(), int64_t{0});
    options.contextPlace.stopShare = false;
    QVERIFY(!loaded(second.model));
  }

  void cancelEndsAProviderThatHangs() {
    const auto latch = std::make_shared<Latch>();
    const auto ended = std::make_shared<std::atomic<bool>>(false);
    {
      const QTemporaryDir folder;
      Setting setting = oneBeside(folder);
      setting.plans[0].contexts.onRestore = [latch](const ContextRestore& stored,
                                                    const Progress& progress) -> std::optional<Error> {
        latch->wait();
        // What it was given is still there, the mapped bytes included.
        const bool there =
            stored.partition.sizeBytes() > 0 &&
            stored.partition.sections.front().bytes.front() == stored.partition.sections.front().bytes[0] &&
            progress.cancelled();
        latch->left = there;
        return Error{ErrorCode::kEpFail, "late", {}};
      };
      setting.plans[0].onEnd = [ended] { *ended = true; };
      Providers providers = withCpu(setting.plans);
      const CancelToken token;
      Progress progress(token);
      std::thread canceller([&] {
        while (!latch->reached)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        token.cancel();
      });
      const auto partition = partition::partitionModel(setting.exported.model, providers, setting.options, progress);
      canceller.join();
      QVERIFY(!partition);
      QCOMPARE(partition.error().code, ErrorCode::kModelLoadCanceled);
      disposeProviders(std::move(providers));
    }
    QVERIFY2(!*ended, "the provider must live as long as the call that hangs in it");
    latch->unlock();
    QTRY_VERIFY(*ended);
    QVERIFY(latch->left);
  }
};

QTEST_GUILESS_MAIN(TestRestoreContexts)
#include "tst_restore_contexts.moc"
