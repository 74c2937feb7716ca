// Questions to OpenVINO in a process of their own: what crosses between the two, and what a death there means.
#include <csignal>
#include <functional>
#include <thread>

#include <sys/resource.h>

#include <QtTest/QtTest>

#include "engine/base/file_begin.h"
#include "engine/base/sanitized.h"
#include "engine/base/write_file.h"
#include "engine/graph/text.h"
#include "engine/graph/topology.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/openvino/asking/asker.h"
#include "providers/openvino/byte_differences.h"
#include "providers/openvino/library.h"
#include "providers/openvino/model_writer.h"
#include "providers/openvino/questions.h"
#include "providers/openvino/trial.h"

using namespace cutaway;
using namespace cutaway::openvino;

namespace {

Model resolved(Model model) {
  Progress progress;
  const Result<ResolveReport> report = resolve::resolve(model, {}, progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  return model;
}

// Its constant is beyond what is sent; Det has no conversion. Another type is another question: answers are remembered.
Model withLargeConstant(ElementType type) {
  Model model =
      *parseModelText(fmt::format("<ir_version: 10, opset_import: [\"\" : 17]> main ({0}[2,1024] x, {0}[2,3,3] e) => "
                                  "({0}[2,1024] y, {0}[2] d) <{0}[1024,1024] w> {{ y = MatMul (x, w)\n d = Det (e) }}",
                                  elementTypeName(type)));
  model.graph.addInitializer("w", *Tensor::create(type, {1024, 1024}));
  return resolved(std::move(model));
}

// "yes; reason": for each node whether it is taken, or why not.
Result<std::string> answersOf(Asker& asker, const Model& model, const CancelToken& cancel = {}) {
  const Progress progress(cancel);
  CUTAWAY_TRY(const std::vector<NodeId> nodes, topologicalOrder(model.graph));
  const CapabilityRequest request{.model = model, .graph = model.graph, .free = nodes, .progress = progress};
  CUTAWAY_TRY(const std::vector<Answer> answers, askAbout(asker, "CPU", request, nodes));
  std::string text;
  for (const Answer& answer : answers)
    text += (text.empty() ? "" : "; ") + (answer.supported ? std::string("yes") : answer.reason);
  return text;
}

Inquiry someQuestions() {
  return {.kind = InquiryKind::kJudge,
          .model = std::string("a model\0", 8),
          .device = "CPU",
          .outputs = {{.question = 1, .name = "q1.o0", .element = 7, .isRanked = true, .dims = {-1, 3}},
                      {.question = 0, .name = "q0.o0", .element = 0, .isRanked = false, .dims = {}}},
          .count = 2,
          .properties = {{"INFERENCE_PRECISION_HINT", "f32"}, {"empty", ""}}};
}

GroupToTry groupOf(const Model& model) {
  return {.graph = model.graph,
          .opsets = model.opsets,
          .settings = {.device = "CPU", .properties = {{"INFERENCE_PRECISION_HINT", "f32"}}},
          .machine = "this"};
}

// Another value of it is another group.
Model chain(float bias) {
  return resolved(*parseModelText(
      fmt::format("main (float[4] x) => (float[4] y) <float[] b = {{{}}}> {{ a = Relu (x)\n y = Add (a, b) }}", bias)));
}

Model product(int64_t size) {
  Model model = *parseModelText(
      fmt::format("main (float[2,{0}] x) => (float[2,{0}] y) <float[{0},{0}] w> {{ y = MatMul (x, w) }}", size));
  model.graph.addInitializer("w", *Tensor::create(ElementType::kFloat, {size, size}));
  return resolved(std::move(model));
}

// As a group whose weights lie where the process that is asked has no memory.
std::string modelOnNoMemory() {
  const Model model = product(64);
  return *writeGroupModel(model.graph, model.opsets,
                          [](const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) {
                            return writeByForeignAddress(tensor, name, 4096, proto);
                          });
}

std::string contentOf(const std::filesystem::path& file) {
  return fileBegin(file).value_or("");
}

// Does it after a moment, while somebody waits for an answer.
class Later {
 public:
  explicit Later(std::function<void()> work)
      : m_thread([work = std::move(work)] {
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
          work();
        }) {}
  ~Later() { m_thread.join(); }
  Later(const Later&) = delete;
  Later& operator=(const Later&) = delete;

 private:
  std::thread m_thread;
};

}  // namespace

class TestOpenvinoAsking : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const Library& library = openvinoLibrary();
    QVERIFY2(library.bridge != nullptr, library.reason.c_str());
    m_bridge = library.bridge;
  }

  void messagesComeBackAsTheyWere() {
    const Inquiry asked = someQuestions();
    const std::optional<Inquiry> again = inquiryFrom(bytesOf(asked));
    QVERIFY(again.has_value());
    QCOMPARE(bytesOf(*again), bytesOf(asked));
    const Said said{.problem = "none", .judged = {{Judgement::kNotOnDevice, "Unique"}}};
    QCOMPARE(bytesOf(*saidFrom(bytesOf(said))), bytesOf(said));
    const Greeting greeting{.version = "1", .zerosAt = 4096, .zeroBytes = 8192, .memoryBytes = 1 << 30};
    QCOMPARE(bytesOf(*greetingFrom(bytesOf(greeting))), bytesOf(greeting));
  }

  void damagedMessagesAreRefused() {
    const std::string asked = bytesOf(someQuestions());
    const std::string said = bytesOf(Said{.problem = "none", .judged = {{Judgement::kNotOnDevice, "Unique"}}});
    for (size_t length = 0; length < asked.size(); ++length)
      QVERIFY(!inquiryFrom(asked.substr(0, length)));
    for (size_t length = 0; length < said.size(); ++length)
      QVERIFY(!saidFrom(said.substr(0, length)));
    QVERIFY(!inquiryFrom(asked + "x"));
    Inquiry beyond = someQuestions();
    beyond.outputs[0].question = 2;
    QVERIFY(!inquiryFrom(bytesOf(beyond)));
    beyond = someQuestions();
    beyond.count = uint64_t{1} << 60;
    QVERIFY(!inquiryFrom(bytesOf(beyond)));
    for (const uint64_t kind : {uint64_t{0}, static_cast<uint64_t>(InquiryKind::kRunOnZeros) + 1}) {
      beyond = someQuestions();
      beyond.kind = static_cast<InquiryKind>(kind);
      QVERIFY(!inquiryFrom(bytesOf(beyond)));
    }
  }

  void bothGiveTheSameAnswers() {
    OwnAsker own(*m_bridge);
    SeparateAsker separate(*m_bridge);
    const Result<std::string> here = answersOf(own, withLargeConstant(ElementType::kFloat));
    const Result<std::string> there = answersOf(separate, withLargeConstant(ElementType::kFloat16));
    QVERIFY(here && there);
    QVERIFY2(separate.process() > 0 && separate.process() != getpid(), "asked in this process");
    QCOMPARE(*there, *here);
    QVERIFY2(here->find("yes") != std::string::npos, here->c_str());
    QVERIFY2(here->find("no conversion for Det-11") != std::string::npos, here->c_str());
  }

  void deathIsAnAnswer() {
    SeparateAsker asker(*m_bridge);
    const Progress progress;
    asker.begin(progress);
    const pid_t process = asker.process();
    QVERIFY(process > 0);
    kill(process, SIGSTOP);  // so that it is in the middle of the question
    std::thread killer([process] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      kill(process, SIGKILL);
    });
    std::string problem;
    const Inquiry asked = someQuestions();
    asker.judge(asked.model, asked.outputs, asked.count, asked.device, progress, problem);
    killer.join();
    QVERIFY2(problem.find("ended by signal 9") != std::string::npos, problem.c_str());
    QCOMPARE(asker.process(), pid_t{-1});
    asker.begin(progress);
    QVERIFY(asker.process() > 0 && asker.process() != process);
  }

  void whatNeverComesBackIsEnded() {
    SeparateAsker asker(*m_bridge);
    const Progress progress;
    asker.begin(progress);
    kill(asker.process(), SIGSTOP);
    asker.setPatience(std::chrono::milliseconds(100));
    std::string problem;
    const Inquiry asked = someQuestions();
    asker.judge(asked.model, asked.outputs, asked.count, asked.device, progress, problem);
    QCOMPARE(problem, std::string("it gave no answer within 0.1 s"));
    QCOMPARE(asker.process(), pid_t{-1});
  }

  // What it may write to is bounded, and it is the first to go where the machine itself runs short.
  void memoryOfTheProcessIsBounded() {
    if (kSanitized) return;  // shadow memory would count, too
    SeparateAsker asker(*m_bridge);
    asker.begin({});
    QVERIFY(asker.process() > 0);
    rlimit limit{};
    QCOMPARE(prlimit(asker.process(), RLIMIT_DATA, nullptr, &limit), 0);
    QVERIFY2(limit.rlim_cur > (rlim_t{64} << 20) && limit.rlim_cur < (rlim_t{64} << 30),
             std::to_string(limit.rlim_cur).c_str());
  }

  void whoCancelsWaitsForNobody() {
    SeparateAsker asker(*m_bridge);
    asker.begin({});
    kill(asker.process(), SIGSTOP);
    const CancelToken cancel;
    std::thread canceller([cancel] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      cancel.cancel();
    });
    const Model model = resolved(*parseModelText("main (float[7] x) => (float[7] y) { y = Relu (x) }"));
    const Result<std::string> answers = answersOf(asker, model, cancel);
    canceller.join();
    QVERIFY(!answers);
    QCOMPARE(answers.error().code, ErrorCode::kModelLoadCanceled);
    QCOMPARE(asker.process(), pid_t{-1});
  }

  // A fault in OpenVINO itself, which reads weights where there are none.
  void aTrialMayDie() {
    if (kSanitized) return;  // a sanitizer answers to faults with a code
    SeparateAsker asker(*m_bridge);
    asker.begin({});
    const Trial trial = asker.tryGroup(modelOnNoMemory(), groupOf(chain(1)).settings, {});
    QVERIFY(trial.isKnown);
    QVERIFY2(trial.problem.starts_with("OpenVINO ended with signal 11 (Segmentation fault) when it compiled the group"),
             trial.problem.c_str());
    QCOMPARE(asker.process(), pid_t{-1});
  }

  // What found the fault that a rule refuses now: this processor's compiler ends the program.
  void aTrialDiesOfWhatWouldEndTheProgram() {
    if (kSanitized || hasVnni()) return;  // OpenVINO compiles it on such processors
    SeparateAsker asker(*m_bridge);
    TriedGroups tried{{}};
    const Model model = resolved(*parseModelText(
        "<ir_version: 10, opset_import: [\"\" : 21]> main (float16[1,4,3] x, float16[1,4,3] z) => (float16[1,4,3] y) "
        "<float16[4] s = {1,1,1,1}, float16[4] b = {0,0,0,0}> { a = GroupNormalization <num_groups = 2> (x, s, b)\n "
        "y = Add (a, z) }"));
    const std::string problem = trialProblem(asker, tried, groupOf(model), {});
    QVERIFY2(problem.starts_with("OpenVINO ended with signal"), problem.c_str());
    const pid_t process = asker.process();
    QCOMPARE(trialProblem(asker, tried, groupOf(model), {}), problem);  // remembered, and not tried
    QCOMPARE(asker.process(), process);
    QCOMPARE(trialProblem(asker, tried, groupOf(chain(1)), {}), std::string());  // by a new process
    QVERIFY(asker.process() > 0 && asker.process() != process);
  }

  void aTrialThatNeverEndsIsEnded() {
    SeparateAsker asker(*m_bridge);
    asker.begin({});
    kill(asker.process(), SIGSTOP);
    asker.setPatience(std::chrono::milliseconds(100));
    const Trial trial = asker.tryGroup("", groupOf(chain(1)).settings, {});
    QVERIFY(trial.isKnown);
    QVERIFY2(trial.problem.starts_with("OpenVINO came to no end within 0.1 s"), trial.problem.c_str());
  }

  // Short memory of the machine is no fault of OpenVINO, nor is what it says of a group, which the program hears again.
  void aTrialMaySayNothing() {
    SeparateAsker asker(*m_bridge);
    asker.begin({});
    const pid_t process = asker.process();
    kill(process, SIGSTOP);
    {
      const Later killer([process] { kill(process, SIGKILL); });
      const Trial trial = asker.tryGroup("", groupOf(chain(1)).settings, {});
      QVERIFY(!trial.isKnown && trial.problem.empty());
    }
    asker.begin({});
    const Trial trial = asker.tryGroup("no model", groupOf(chain(1)).settings, {});
    QVERIFY(!trial.isKnown && trial.problem.empty());
    QVERIFY(asker.process() > 0 && asker.process() != process);
  }

  void whoCancelsATrialWaitsForNobody() {
    SeparateAsker asker(*m_bridge);
    TriedGroups tried{{}};
    asker.begin({});
    kill(asker.process(), SIGSTOP);
    const CancelToken cancel;
    const Later canceller([cancel] { cancel.cancel(); });
    QCOMPARE(trialProblem(asker, tried, groupOf(chain(2)), Progress(cancel)), std::string());
    QCOMPARE(asker.process(), pid_t{-1});
    QCOMPARE(trialProblem(asker, tried, groupOf(chain(2)), {}), std::string());  // tried now, by a new process
    QVERIFY(asker.process() > 0);
  }

  void onesTurnIsWaitedForUntilCancel() {
    SeparateAsker asker(*m_bridge);
    const auto turn = asker.turn({});
    QVERIFY(turn.owns_lock());
    const CancelToken cancel;
    const Later canceller([cancel] { cancel.cancel(); });
    std::thread([&] { QVERIFY(!asker.turn(Progress(cancel)).owns_lock()); }).join();
  }

  // The process stands still: whoever asked it would not come back.
  void largeGroupsAreNotTried() {
    SeparateAsker asker(*m_bridge);
    TriedGroups tried{{}};
    asker.begin({});
    kill(asker.process(), SIGSTOP);
    const std::string text = "main (float[{0}] x) => (float[{0}] y) {{ y = Relu (x) }}";
    const Model large = resolved(*parseModelText(fmt::format(fmt::runtime(text), kMostTriedBytes / 4)));
    QCOMPARE(trialProblem(asker, tried, groupOf(large), {}), std::string());
    QVERIFY(asker.process() > 0);
    const Model small = resolved(*parseModelText(fmt::format(fmt::runtime(text), 4096)));
    asker.setPatience(std::chrono::milliseconds(100));
    QVERIFY(!trialProblem(asker, tried, groupOf(small), {}).empty());
    QCOMPARE(asker.process(), pid_t{-1});
  }

  void triedOnceIsEnough() {
    SeparateAsker asker(*m_bridge);
    TriedGroups tried{{}};
    QCOMPARE(trialProblem(asker, tried, groupOf(chain(3)), {}), std::string());
    asker.begin({});
    kill(asker.process(), SIGSTOP);
    asker.setPatience(std::chrono::milliseconds(100));
    QCOMPARE(trialProblem(asker, tried, groupOf(chain(3)), {}), std::string());  // would not come back
    QVERIFY(asker.process() > 0);
    const Model model = chain(3);
    GroupToTry elsewhere = groupOf(model);
    elsewhere.machine = "another";
    QVERIFY(!trialProblem(asker, tried, elsewhere, {}).empty());
  }

  // The same key, wherever large constants lie.
  void largeConstantsAreKnownBySize() {
    SeparateAsker asker(*m_bridge);
    TriedGroups tried{{}};
    const Model first = product(1024), second = product(1024);
    const auto placeOf = [](const Model& model) {
      return model.graph.value(model.graph.findValue("w")).initializer->data();
    };
    QVERIFY(placeOf(first) != placeOf(second));
    QCOMPARE(trialProblem(asker, tried, groupOf(first), {}), std::string());
    asker.begin({});
    kill(asker.process(), SIGSTOP);
    asker.setPatience(std::chrono::milliseconds(100));
    QCOMPARE(trialProblem(asker, tried, groupOf(second), {}), std::string());
    QVERIFY(asker.process() > 0);
  }

  void whatOpenvinoCameThroughIsKept() {
    const QTemporaryDir folder;
    const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "deep" / "tried";
    const std::string kept = TriedGroups::keyOf("kept"), quick = TriedGroups::keyOf("quick");
    TriedGroups first(file);
    QVERIFY(!first.find(kept));
    first.add(TriedGroups::keyOf("dead"), "OpenVINO ended", TriedGroups::kWorthWritingNs);
    QCOMPARE(contentOf(file), std::string());
    first.add(kept, "", TriedGroups::kWorthWritingNs / 2);
    QCOMPARE(contentOf(file), std::string());
    first.add(TriedGroups::keyOf("also kept"), "", TriedGroups::kWorthWritingNs / 2);
    const std::string both = kept + "\n" + TriedGroups::keyOf("also kept") + "\n";
    QCOMPARE(contentOf(file), both);
    first.add(quick, "", TriedGroups::kWorthWritingNs / 2);
    QCOMPARE(contentOf(file), both);
    TriedGroups later(file);
    QCOMPARE(later.find(kept).value_or("not found"), std::string());
    QVERIFY(!later.find(quick) && !later.find(TriedGroups::keyOf("dead")));
    QCOMPARE(first.find(TriedGroups::keyOf("dead")).value_or(""), std::string("OpenVINO ended"));
    TriedGroups other(file);  // two that write: both stay
    later.add(quick, "", TriedGroups::kWorthWritingNs);
    other.add(TriedGroups::keyOf("third"), "", TriedGroups::kWorthWritingNs);
    QCOMPARE(contentOf(file), both + quick + "\n" + TriedGroups::keyOf("third") + "\n");
  }

  void theFileStaysSmall() {
    const QTemporaryDir folder;
    const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "tried";
    std::string lines;
    for (int i = 0; i < 4096; ++i)
      lines += TriedGroups::keyOf(std::to_string(i)) + "\n";
    QVERIFY(writeFile(file, lines));
    TriedGroups tried(file);
    QVERIFY(tried.find(TriedGroups::keyOf("0")) && tried.find(TriedGroups::keyOf("4095")));
    tried.add(TriedGroups::keyOf("new"), "", TriedGroups::kWorthWritingNs);
    QCOMPARE(contentOf(file), lines.substr(lines.size() / 2) + TriedGroups::keyOf("new") + "\n");
  }

  void whateverLiesInPlaceOfTheFile_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("a word") << QByteArray("word");
    QTest::newRow("cut short") << QByteArray(TriedGroups::keyOf("a").c_str(), 20);
    QTest::newRow("zeros") << QByteArray(200, '\0');
    QTest::newRow("one long line") << QByteArray(1 << 20, 'a');
  }
  void whateverLiesInPlaceOfTheFile() {
    QFETCH(QByteArray, content);
    const QTemporaryDir folder;
    const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "tried";
    QVERIFY(writeFile(file, content.toStdString()));
    TriedGroups tried(file);
    QVERIFY(!tried.find(TriedGroups::keyOf("a")));
    tried.add(TriedGroups::keyOf("a"), "", TriedGroups::kWorthWritingNs);
    QCOMPARE(contentOf(file), TriedGroups::keyOf("a") + "\n");
    QVERIFY(TriedGroups(file).find(TriedGroups::keyOf("a")));
  }

  void withoutAFolderThisProcessRemembers() {
    const QTemporaryDir folder;
    const std::filesystem::path root(folder.path().toStdString());
    QVERIFY(writeFile(root / "file", "no folder"));
    std::filesystem::create_directories(root / "tried");
    for (const std::filesystem::path& file : {root / "file" / "tried", root / "tried"}) {
      TriedGroups tried(file);
      tried.add(TriedGroups::keyOf("a"), "", TriedGroups::kWorthWritingNs);
      QVERIFY(tried.find(TriedGroups::keyOf("a")));
      QVERIFY(!TriedGroups(file).find(TriedGroups::keyOf("a")));
    }
  }

 private:
  Bridge* m_bridge = nullptr;
};

QTEST_GUILESS_MAIN(TestOpenvinoAsking)
#include "tst_openvino_asking.moc"
