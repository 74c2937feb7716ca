// Questions to OpenVINO in a process of their own: what crosses between the two, and what a death there means.
#include <csignal>
#include <thread>

#include <sys/resource.h>

#include <QtTest/QtTest>

#include "engine/base/sanitized.h"
#include "engine/graph/text.h"
#include "engine/graph/topology.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/openvino/asking/asker.h"
#include "providers/openvino/library.h"
#include "providers/openvino/questions.h"

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
          .count = 2};
}

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

 private:
  Bridge* m_bridge = nullptr;
};

QTEST_GUILESS_MAIN(TestOpenvinoAsking)
#include "tst_openvino_asking.moc"
