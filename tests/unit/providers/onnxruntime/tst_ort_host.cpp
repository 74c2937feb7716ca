// ONNX Runtime itself through its host: what a session says of itself, its runs, its files, and what becomes of it all
// when the host is killed.
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include <onnx/onnx_pb.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/base/clock.h"
#include "engine/base/sanitized.h"
#include "engine/graph/text.h"
#include "engine/schema/model_message.h"
#include "engine/schema/proto_writer.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/client/log_facts.h"
#include "providers/onnxruntime/library.h"

using namespace cutaway;
using namespace cutaway::onnxruntime;

namespace {

namespace fs = std::filesystem;

constexpr const char* kSmall = R"(<ir_version: 8, opset_import: ["": 17]>
main (float[n,4] x, float[4] w) => (float[n,4] y) {
  s = Add(x, w)
  y = Relu(s)
})";

Result<std::shared_ptr<const SharedMemory>> bytesOf(const char* text) {
  CUTAWAY_TRY(const Model model, parseModelText(text));
  onnx::ModelProto proto;
  writeModelHeader(model.opsets, proto);
  writeGraph(model.graph, *proto.mutable_graph());
  CUTAWAY_TRY(const std::string bytes, modelBytes(proto));
  return SharedMemory::of(bytes);
}

Tensor floats(std::initializer_list<int64_t> dims, std::initializer_list<float> values) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::copy(values.begin(), values.end(), tensor.span<float>().begin());
  return tensor;
}

int openDescriptors() {
  return static_cast<int>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

int scratchFolders() {
  const std::string start = "cutaway-ort-" + std::to_string(getpid()) + "-";
  int count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::temp_directory_path()))
    count += entry.path().filename().string().starts_with(start) ? 1 : 0;
  return count;
}

}  // namespace

class TestOrtHost : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void libraryFacts();
  void sessionFacts();
  void runs();
  void texts();
  void optimizedModelAndLog();
  void linesOfLogs();
  void profiles();
  void refusals_data();
  void refusals();
  void hostileRuns();
  void killedBetweenRuns();
  void killedWhileRunning();
  void killedAtRandomMoments();
  void endsWithTheProgram();
  void shortOfMemory();
  void twoAtOnce();
  void readOnlyHome();
  void manyThreads();

 private:
  Result<std::unique_ptr<HostedSession>> open(const char* text, SessionSettings settings = {}) {
    CUTAWAY_TRY(auto model, bytesOf(text));
    settings.intraThreads = 1;
    return HostedSession::open(m_host, {.model = std::move(model), .settings = std::move(settings)});
  }
  void compareSmall(HostedSession& session) {
    const std::vector<Tensor> feeds{floats({1, 4}, {-1, 2, -3, 4}), floats({4}, {0.5f, 0.5f, 0.5f, 0.5f})};
    const Result<TensorRun> ran = session.runTensors(feeds);
    QVERIFY2(ran.has_value(), ran ? "" : ran.error().message.c_str());
    QCOMPARE(ran->outputs.size(), size_t{1});
    const std::span<const float> values = std::as_const(ran->outputs[0]).span<float>();
    QCOMPARE(std::vector<float>(values.begin(), values.end()), (std::vector<float>{0, 2.5f, 0, 4.5f}));
  }

  fs::path m_library;
  std::shared_ptr<Host> m_host;
};

void TestOrtHost::initTestCase() {
  const Result<LibraryPlace> place = findLibrary();
  QVERIFY2(place.has_value(), place ? "" : place.error().message.c_str());
  m_library = place->path;
  m_host = std::make_shared<Host>(HostConfiguration{.library = m_library});
}

void TestOrtHost::libraryFacts() {
  const Result<LibraryFacts> facts = m_host->library();
  QVERIFY2(facts.has_value(), facts ? "" : facts.error().message.c_str());
  QVERIFY2(facts->version.starts_with("1."), facts->version.c_str());
  QVERIFY(facts->apiVersion >= 24);
  QVERIFY(std::ranges::find(facts->providers, "CPUExecutionProvider") != facts->providers.end());
  const Result<std::vector<DeviceFacts>> devices = m_host->devices();
  QVERIFY2(devices.has_value(), devices ? "" : devices.error().message.c_str());
  QVERIFY(!devices->empty());
  QCOMPARE(devices->front().kind, std::string("cpu"));
}

void TestOrtHost::sessionFacts() {
  const auto session = open(kSmall, {.assignment = true});
  QVERIFY2(session.has_value(), session ? "" : session.error().message.c_str());
  const SessionFacts& facts = (*session)->facts();
  QCOMPARE(facts.inputs.size(), size_t{2});
  QCOMPARE(facts.inputs[0].name, std::string("x"));
  QCOMPARE(facts.inputs[0].element, 1);
  QCOMPARE(facts.inputs[0].dims, (std::vector<int64_t>{-1, 4}));
  QCOMPARE(facts.inputs[0].symbols[0], std::string("n"));
  QCOMPARE(facts.outputs[0].name, std::string("y"));
  QVERIFY(facts.createNs > 0);
  QCOMPARE(facts.assignment.size(), size_t{2});
  QCOMPARE(facts.assignment[0].provider, std::string("CPUExecutionProvider"));
  QCOMPARE(facts.assignment[0].nodes[0].opType, std::string("Add"));
}

void TestOrtHost::runs() {
  const auto session = open(kSmall);
  QVERIFY(session.has_value());
  compareSmall(**session);
  const std::vector<Tensor> feeds{floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), floats({4}, {0, 0, 0, 0})};
  const Result<TensorRun> ran = (*session)->runTensors(feeds, {.runs = 5});
  QVERIFY(ran.has_value());
  QCOMPARE(ran->runNs.size(), size_t{5});
  QCOMPARE(ran->outputs[0].dims()[0], int64_t{2});
  const Result<TextPairs> memory = (*session)->memoryStatistics();
  QVERIFY2(memory.has_value(), memory ? "" : memory.error().message.c_str());
  QVERIFY(std::ranges::find(*memory, "InUse", [](const auto& each) { return each.first; }) != memory->end());
}

void TestOrtHost::texts() {
  const auto session = open(R"(<ir_version: 8, opset_import: ["": 17]>
main (string[n] x) => (string[n] y) { y = Identity(x) })");
  QVERIFY2(session.has_value(), session ? "" : session.error().message.c_str());
  Tensor words = *Tensor::create(ElementType::kString, {3});
  words.span<std::string>()[0] = "one";
  words.span<std::string>()[2] = "a longer text than fits in a small one";
  const Result<TensorRun> ran = (*session)->runTensors(std::span(&words, 1));
  QVERIFY2(ran.has_value(), ran ? "" : ran.error().message.c_str());
  for (size_t i = 0; i < 3; ++i)
    QCOMPARE(ran->outputs[0].span<std::string>()[i], words.span<std::string>()[i]);
}

void TestOrtHost::optimizedModelAndLog() {
  const auto session = open(kSmall, {.level = OptimizationLevel::kExtended, .log = true, .optimizedModel = true});
  QVERIFY2(session.has_value(), session ? "" : session.error().message.c_str());
  onnx::ModelProto optimized;
  QVERIFY(optimized.ParseFromString(std::string((*session)->optimizedModel())));
  QVERIFY(optimized.graph().node_size() > 0);
  const std::vector<OptimizerPass> passes = passesIn((*session)->log());
  QVERIFY(std::ranges::find(passes, "ConstantFolding", &OptimizerPass::name) != passes.end());
  QVERIFY(copiesIn((*session)->log()).empty());  // nothing but the host
}

void TestOrtHost::linesOfLogs() {
  const std::vector<LogLine> log{
      {1, "graph_transformer.cc:20 Apply", "GraphTransformer ConstantFolding modified: 1 with status: OK"},
      {1, "graph_transformer.cc:20 Apply", "GraphTransformer CastElimination modified: 0 with status: OK"},
      {1, "transformer_memcpy.cc:1 AddCopyNode", "Add MemcpyToHost before a for b for CUDAExecutionProvider"},
      {1, "transformer_memcpy.cc:1 AddCopyNode", "Add MemcpyFromHost after out for CUDAExecutionProvider"},
      {1, "x", "ORT optimization- Force fallback to CPU execution for node: n because the CPU execution path is"},
      {1, "x", "GraphTransformer without an end"},
      {1, "x", "Add MemcpyToHost before nothing"}};
  const std::vector<OptimizerPass> passes = passesIn(log);
  QCOMPARE(passes.size(), size_t{2});
  QVERIFY(passes[0].modified && !passes[1].modified);
  QCOMPARE(passes[1].name, std::string("CastElimination"));
  const std::vector<InsertedCopy> copies = copiesIn(log);
  QCOMPARE(copies.size(), size_t{2});
  QCOMPARE(copies[1].value, std::string("out"));
  QCOMPARE(copies[1].provider, std::string("CUDAExecutionProvider"));
  QCOMPARE(copies[0].value, std::string("a for b"));
  QVERIFY(copies[0].toHost && !copies[1].toHost);
  QCOMPARE(forcedToCpuIn(log), (std::vector<std::string>{"n"}));
}

void TestOrtHost::profiles() {
  const auto session = open(kSmall, {.profile = true});
  QVERIFY2(session.has_value(), session ? "" : session.error().message.c_str());
  compareSmall(**session);
  const std::vector<Tensor> feeds{floats({1, 4}, {1, 2, 3, 4}), floats({4}, {0, 0, 0, 0})};
  if (m_host->library()->apiVersion >= 25) {
    const auto plain = open(kSmall);
    QVERIFY(plain.has_value());
    const Result<TensorRun> ran = (*plain)->runTensors(feeds, {.runs = 3, .profile = true});
    QVERIFY2(ran.has_value(), ran ? "" : ran.error().message.c_str());
    QVERIFY2(ran->profile.find("kernel_time") != std::string::npos, ran->profile.c_str());
  }
  const Result<std::string> profile = (*session)->endProfile();
  QVERIFY2(profile.has_value(), profile ? "" : profile.error().message.c_str());
  QVERIFY(profile->find("session_initialization") != std::string::npos);
  QVERIFY(!(*session)->endProfile().has_value());
}

void TestOrtHost::refusals_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("message");
  QTest::newRow("no such operator") << QByteArray(R"(<ir_version: 8, opset_import: ["": 17, "nobody": 1]>
main (float[4] x) => (float[4] y) { y = nobody.Nothing(x) })")
                                    << "Nothing";
  QTest::newRow("types that do not agree") << QByteArray(R"(<ir_version: 8, opset_import: ["": 17]>
main (float[4] x, int64[4] i) => (float[4] y) { y = Add(x, i) })")
                                           << "Type";
}

void TestOrtHost::refusals() {
  QFETCH(const QByteArray, text);
  QFETCH(const QString, message);
  const auto session = open(text.constData());
  QVERIFY(!session.has_value());
  QVERIFY2(QString::fromStdString(session.error().message).contains(message), session.error().message.c_str());
  const auto garbage = SharedMemory::of("this is no model");
  QVERIFY(!HostedSession::open(m_host, {.model = *garbage}).has_value());
  QVERIFY(!HostedSession::open(m_host, {.model = nullptr, .path = "/nowhere/model.onnx"}).has_value());
  QVERIFY(open(kSmall).has_value());  // the host is none the worse
}

// What a run must not be able to reach: other slots, other memory, more than there is.
void TestOrtHost::hostileRuns() {
  const auto session = open(kSmall);
  QVERIFY(session.has_value());
  const auto memory = SharedMemory::create(64);
  const RunPlace good{.slot = 0, .element = 1, .dims = {1, 4}, .memory = *memory, .offset = 0, .sizeBytes = 16};
  const RunPlace weights{.slot = 1, .element = 1, .dims = {4}, .memory = *memory, .offset = 16, .sizeBytes = 16};
  const RunPlace output{.slot = 0, .element = 1, .dims = {1, 4}, .memory = *memory, .offset = 32, .sizeBytes = 16};
  QVERIFY((*session)->run({.inputs = {good, weights}, .outputs = {output}}).has_value());
  const auto refused = [&](RunPlace first) {
    return !(*session)->run({.inputs = {std::move(first), weights}, .outputs = {output}}).has_value();
  };
  RunPlace place = good;
  place.slot = 9;
  QVERIFY(refused(place));
  place = good;
  place.offset = 60;
  QVERIFY(refused(place));
  place = good;
  place.offset = UINT64_MAX - 8;
  QVERIFY(refused(place));
  place = good;
  place.dims = {1 << 20, 4};
  QVERIFY(refused(place));
  place = good;
  place.dims = {-1, 4};
  QVERIFY(refused(place));
  place = good;
  place.element = 99;
  QVERIFY(refused(place));
  place = good;
  place.element = 8;  // text
  QVERIFY(refused(place));
  place = good;
  place.dims.assign(1000, 1);
  QVERIFY(refused(place));
  compareSmall(**session);
}

void TestOrtHost::killedBetweenRuns() {
  const auto session = open(kSmall);
  QVERIFY(session.has_value());
  const HostCounters before = m_host->counters();
  kill(static_cast<pid_t>(m_host->process()), SIGKILL);
  const std::vector<Tensor> feeds{floats({1, 4}, {1, 2, 3, 4}), floats({4}, {0, 0, 0, 0})};
  const Result<TensorRun> lost = (*session)->runTensors(feeds);
  QVERIFY(!lost.has_value());
  QVERIFY2(lost.error().message.find("signal 9") != std::string::npos, lost.error().message.c_str());
  compareSmall(**session);  // created again in the next one
  QCOMPARE(m_host->counters().started, before.started + 1);
  QCOMPARE(m_host->counters().lost, before.lost + 1);
}

void TestOrtHost::killedWhileRunning() {
  // 1000 iterations of a product that takes a while.
  const auto session = open(R"(<ir_version: 8, opset_import: ["": 17]>
main (float[512,512] x) => (float[512,512] y) { a = MatMul(x, x) b = MatMul(a, a) c = MatMul(b, b) y = MatMul(c, c) })");
  QVERIFY2(session.has_value(), session ? "" : session.error().message.c_str());
  const Tensor zeros = *Tensor::create(ElementType::kFloat, {512, 512});
  const auto process = static_cast<pid_t>(m_host->process());
  std::thread killer([process] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kill(process, SIGKILL);
  });
  const Result<TensorRun> lost = (*session)->runTensors(std::span(&zeros, 1), {.runs = 1'000'000});
  killer.join();
  QVERIFY(!lost.has_value());
  QVERIFY2(lost.error().message.find("while running a session") != std::string::npos, lost.error().message.c_str());
  // The same, ended by the user.
  const Stopwatch watch;
  const Result<TensorRun> stopped = (*session)->runTensors(std::span(&zeros, 1), {.runs = 1'000'000},
                                                           [&] { return watch.elapsedNs() > 200'000'000; });
  QVERIFY(!stopped.has_value());
  QCOMPARE(stopped.error().code, ErrorCode::kModelLoadCanceled);
}

// 50 rounds of opening, profiling and running, the host killed somewhere in each: every round ends, with a result or
// with a message, and at the end no process, folder, descriptor or mapping is left.
void TestOrtHost::killedAtRandomMoments() {
  m_host->end();
  const int descriptors = openDescriptors();
  std::mt19937 random(7);
  int lost = 0;
  for (int round = 0; round < 50; ++round) {
    const Stopwatch watch;
    std::atomic<bool> isOver{false};
    const int64_t afterNs = static_cast<int64_t>(random() % 60'000'000);
    const auto host = std::make_shared<Host>(HostConfiguration{.library = m_library, .requestSeconds = 60});
    std::thread killer([&] {
      while (!isOver && watch.elapsedNs() < afterNs)
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      // Its children at this moment; the host is the only one.
      const std::string children = "/proc/self/task";
      for (const fs::directory_entry& task : fs::directory_iterator(children)) {
        std::ifstream list(task.path() / "children");
        for (pid_t child = 0; list >> child;)
          kill(child, SIGKILL);
      }
    });
    const auto model = bytesOf(kSmall);
    Result<void> done;
    for (int times = 0; times < 20 && done; ++times) {
      const auto session =
          HostedSession::open(host, {.model = *model, .settings = {.intraThreads = 1, .profile = true}});
      if (!session) {
        done = fail(session.error());
        break;
      }
      const std::vector<Tensor> feeds{floats({1, 4}, {1, 2, 3, 4}), floats({4}, {0, 0, 0, 0})};
      const Result<TensorRun> ran = (*session)->runTensors(feeds, {.runs = 50});
      if (!ran) done = fail(ran.error());
    }
    isOver = true;
    killer.join();
    if (!done) {
      ++lost;
      QVERIFY2(done.error().message.find("host process") != std::string::npos, done.error().message.c_str());
    }
    QVERIFY2(watch.elapsedNs() < 30'000'000'000, "a round hung");
  }
  QVERIFY2(lost >= 10, qPrintable(QString("only %1 rounds lost their host").arg(lost)));
  QCOMPARE(waitpid(-1, nullptr, WNOHANG), -1);
  QCOMPARE(scratchFolders(), 0);
  QCOMPARE(openDescriptors(), descriptors);
}

// A program that is killed takes its host along, whatever the host is doing.
void TestOrtHost::endsWithTheProgram() {
  int ends[2];
  QCOMPARE(pipe(ends), 0);
  const pid_t program = fork();
  if (program == 0) {
    const auto host = std::make_shared<Host>(HostConfiguration{.library = m_library});
    (void)host->library();
    const int64_t process = host->process();
    (void)!::write(ends[1], &process, sizeof process);
    for (;;)
      pause();
  }
  ::close(ends[1]);  // or a program that said nothing would be waited for
  int64_t process = -1;
  QCOMPARE(::read(ends[0], &process, sizeof process), static_cast<ssize_t>(sizeof process));
  ::close(ends[0]);
  QVERIFY(process > 0);
  QCOMPARE(kill(static_cast<pid_t>(process), 0), 0);
  kill(static_cast<pid_t>(process), SIGSTOP);  // even when it cannot notice
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  const auto isGone = [&] {
    std::ifstream status("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    return !(status >> number >> name >> state) || state == "Z";
  };
  QTRY_VERIFY_WITH_TIMEOUT(isGone(), 5000);
}

// A host that may not have 4 GB: what it says is the answer, and it goes on.
void TestOrtHost::shortOfMemory() {
  if (kSanitized) return;  // shadow memory would count, too
  const QTemporaryDir folder;
  const fs::path script = fs::path(folder.path().toStdString()) / "host";
  const Result<fs::path> program = findHostProgram();
  QVERIFY(program.has_value());
  std::ofstream(script) << "#!/bin/bash\nulimit -v 2000000\nexec '" << program->string() << "' \"$@\"\n";
  fs::permissions(script, fs::perms::owner_all);
  const auto host = std::make_shared<Host>(HostConfiguration{.library = m_library, .program = script});
  const auto model = bytesOf(R"(<ir_version: 8, opset_import: ["": 17]>
main (int64[1] n) => (float[k] y) { y = ConstantOfShape(n) })");
  const auto session = HostedSession::open(host, {.model = *model, .settings = {.intraThreads = 1}});
  QVERIFY2(session.has_value(), session ? "" : session.error().message.c_str());
  Tensor count = *Tensor::create(ElementType::kInt64, {1});
  count.span<int64_t>()[0] = 1'000'000'000;
  const Result<TensorRun> ran = (*session)->runTensors(std::span(&count, 1));
  QVERIFY(!ran.has_value());
  QVERIFY2(!ran.error().message.empty(), "no message");
  count.span<int64_t>()[0] = 3;
  const Result<TensorRun> small = (*session)->runTensors(std::span(&count, 1));
  QVERIFY2(small.has_value(), small ? "" : small.error().message.c_str());
  QCOMPARE(small->outputs[0].dims()[0], int64_t{3});
}

void TestOrtHost::twoAtOnce() {
  const auto other = std::make_shared<Host>(HostConfiguration{.library = m_library});
  const auto model = bytesOf(kSmall);
  const auto mine = open(kSmall);
  const auto theirs = HostedSession::open(other, {.model = *model, .settings = {.intraThreads = 1}});
  QVERIFY(mine.has_value() && theirs.has_value());
  QVERIFY(other->process() != m_host->process());
  compareSmall(**mine);
  compareSmall(**theirs);
}

// Nothing is written below the user's folder: one that cannot be written to changes nothing, one that can stays empty.
void TestOrtHost::readOnlyHome() {
  const QByteArray before = qgetenv("HOME");
  const QTemporaryDir home;
  for (const QString& folder : {QString("/proc"), home.path()}) {
    qputenv("HOME", folder.toUtf8());
    const auto host = std::make_shared<Host>(HostConfiguration{.library = m_library});
    const auto model = bytesOf(kSmall);
    const auto session = HostedSession::open(host, {.model = *model, .settings = {.intraThreads = 1, .profile = true}});
    qputenv("HOME", before);
    QVERIFY2(session.has_value(), session ? "" : session.error().message.c_str());
    compareSmall(**session);
  }
  QVERIFY(fs::is_empty(home.path().toStdString()));
}

void TestOrtHost::manyThreads() {
  const auto session = open(kSmall);
  QVERIFY(session.has_value());
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      const float value = static_cast<float>(number + 1);
      const std::vector<Tensor> feeds{floats({1, 4}, {value, value, value, value}), floats({4}, {1, 1, 1, 1})};
      for (int times = 0; times < 100; ++times) {
        const Result<TensorRun> ran = (*session)->runTensors(feeds);
        if (!ran || std::as_const(ran->outputs[0]).span<float>()[3] != value + 1) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  QCOMPARE(wrong.load(), 0);
}

QTEST_GUILESS_MAIN(TestOrtHost)
#include "tst_ort_host.moc"
