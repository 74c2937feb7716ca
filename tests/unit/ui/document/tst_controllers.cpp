// Controllers of a document with the whole engine behind them: tensors, accuracy, edits, differences; what happens when
// they are interrupted.
#include <algorithm>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/desktop/engine_host.h"
#include "engine/graph/text.h"
#include "engine/session/assumed_dims.h"
#include "engine/stages/load/load.h"
#include "engine/stages/load/save.h"
#include "engine/stages/load/tensor_file.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[2,4] x) => (float[2,4] y, float[2,4] z) <bool[] c = {1}, float[4,4] k = {1,0,0,0,0,2,0,0,0,0,3,0,0,0,0,4}, float[4] w = {1,2,3,4}> {
  [product] a = MatMul (x, k)
  [bias] b = Add (a, w)
  [act] h = Tanh (b)
  [soft] y = Softmax <axis = 1> (h)
  [pick] z = If <then_branch = t () => (r) { [inside] m = Mul (h, w) [last] r = Abs (m) }, else_branch = e () => (q) { [other] q = Neg (h) }> (c)
})";

class Files {
 public:
  QString write(const char* name, QByteArray text = kModel) {
    auto model = parseModelText(text.toStdString());
    if (!model) qFatal("%s", describe(model.error()).c_str());
    const QString path = m_dir.filePath(QString::fromLatin1(name));
    if (const auto saved = load::save(*model, path.toStdString(), {}); !saved)
      qFatal("%s", describe(saved.error()).c_str());
    return path;
  }
  QString path(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)); }

 private:
  QTemporaryDir m_dir;
};

session::SessionOptions plainOptions() {
  session::SessionOptions options;
  options.providers = {"cpu"};
  options.optimizationLevel = 0;
  options.keepOptimized = true;
  options.threads = 1;
  return options;
}

bool settled(Document& document) {
  return QTest::qWaitFor(
      [&] {
        return !document.service().busy() && !document.edits().trying() &&
               (document.walk()->pattern || document.error());
      },
      20'000);
}

std::unique_ptr<Document> opened(const QString& path, const session::SessionOptions& options = plainOptions()) {
  auto document = std::make_unique<Document>(makeEngineHost(), options);
  document->open(path);
  if (!settled(*document)) qFatal("the walk does not end");
  return document;
}

int nodeNamed(const Document& document, const char* name) {
  const auto graphs = document.graphs(GraphVersion::kLoaded);
  for (size_t i = 0; i < graphs->graphs[0].nodes.size(); ++i)
    if (graphs->graphs[0].nodes[i].name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace

class TestControllers : public QObject {
  Q_OBJECT
  Files m_files;

 private slots:
  void tensors_data() {
    QTest::addColumn<int>("graph");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("way");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("whyNot");
    QTest::newRow("weight") << 0 << "w" << int(TensorController::Way::kFile) << 4 << "";
    QTest::newRow("weight that a body captures") << 1 << "w" << int(TensorController::Way::kFile) << 4 << "";
    QTest::newRow("intermediate") << 0 << "a" << int(TensorController::Way::kRun) << 8 << "";
    QTest::newRow("input") << 0 << "x" << int(TensorController::Way::kRun) << 8 << "";
    QTest::newRow("output") << 0 << "y" << int(TensorController::Way::kRun) << 8 << "";
    QTest::newRow("in a body") << 1 << "m" << int(TensorController::Way::kNone) << 0 << "inside a body";
    QTest::newRow("nothing") << 0 << "nothing" << int(TensorController::Way::kNone) << 0 << "no value of this name";
  }
  void tensors() {
    QFETCH(int, graph);
    QFETCH(QString, name);
    QFETCH(int, way);
    QFETCH(int, count);
    QFETCH(QString, whyNot);
    const auto document = opened(m_files.write("tensors.onnx"));
    TensorController& controller = document->tensors();
    const ValueTarget value{graph, name};
    QCOMPARE(int(controller.wayTo(value)), way);
    QVERIFY2(controller.whyNot(value).contains(whyNot), qPrintable(controller.whyNot(value)));
    controller.fetch(value);
    QCOMPARE(controller.value(), value);
    QTRY_VERIFY_WITH_TIMEOUT(controller.state() != TensorController::State::kFetching, 20'000);
    QCOMPARE(controller.content() != nullptr, way != int(TensorController::Way::kNone));
    QCOMPARE(controller.error().has_value(), way == int(TensorController::Way::kNone));
    if (controller.content()) QCOMPARE(controller.content()->count(), int64_t(count));
    if (name == "w") QCOMPARE(controller.content()->number(3), 4.0);
    QVERIFY(!document->service().busy());
  }

  // Softmax of what was kept, worked out here, is what was kept of the output.
  void runValuesBelongTogether() {
    const auto document = opened(m_files.write("together.onnx"));
    TensorController& controller = document->tensors();
    controller.fetch({0, "h"});
    QTRY_COMPARE_WITH_TIMEOUT(controller.state(), TensorController::State::kReady, 20'000);
    const auto h = controller.content();
    controller.fetch({0, "y"});
    QTRY_COMPARE_WITH_TIMEOUT(controller.state(), TensorController::State::kReady, 20'000);
    double sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += std::exp(h->number(i));
    for (int i = 0; i < 4; ++i)
      QVERIFY(std::fabs(controller.content()->number(i) - std::exp(h->number(i)) / sum) < 1e-5);
  }

  void fusedValuesSayWhy() {
    session::SessionOptions options = plainOptions();
    options.optimizationLevel = 3;
    const auto document = opened(m_files.write("fused.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) { [one] a = Identity (x) [two] y = Relu (a) })"),
                                 options);
    QVERIFY2(document->tensors().whyNot({0, "a"}).contains("optimising"),
             qPrintable(document->tensors().whyNot({0, "a"})));
    document->tensors().fetch({0, "a"});
    QCOMPARE(document->tensors().state(), TensorController::State::kFailed);
  }

  // A model that refuses the size that made-up inputs have: the window names its own bar, not an option of the command
  // line.
  void openSizesAreToldInWindowWords_data() {
    using Asked = std::function<void(Document&)>;
    using Said = std::function<QString(const Document&)>;
    QTest::addColumn<Asked>("ask");
    QTest::addColumn<Said>("said");
    const auto words = [](const std::optional<Error>& error) { return error ? told(*error) : QString(); };
    QTest::newRow("run") << Asked([](Document& document) { document.run(); })
                         << Said([words](const Document& document) { return words(document.error()); });
    QTest::newRow("accuracy") << Asked([](Document& document) {
      document.accuracy().compare({.a = plainOptions(), .b = plainOptions(), .titleA = "a", .titleB = "b"});
    }) << Said([words](const Document& document) { return words(document.accuracy().error()); });
    QTest::newRow("verification") << Asked([](Document& document) {
      document.contexts().verify();
    }) << Said([words](const Document& document) { return words(document.contexts().error()); });
    QTest::newRow("ONNX Runtime") << Asked([](Document& document) { document.opinion().ask(); })
                                  << Said([](const Document& document) {
                                       const auto opinion = document.opinion().opinion();
                                       return opinion ? told(opinion->stages.front().problem) : QString();
                                     });
  }
  void openSizesAreToldInWindowWords() {
    QFETCH(std::function<void(Document&)>, ask);
    QFETCH(std::function<QString(const Document&)>, said);
    auto host = std::make_shared<EngineHost>(*makeEngineHost());
    host->askOnnxruntime = [](const std::filesystem::path&, const session::SessionOptions&, std::vector<execute::Feed>,
                              Progress&) -> Result<SecondOpinion> {
      return SecondOpinion{.engine = "onnxruntime",
                           .stages = {{.problem = std::string("it failed: ") + session::kNamedDimsRemedy}}};
    };
    Document document(host, plainOptions());
    document.open(m_files.write("four.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[n] x) => (float[4] y) <int64[1] four = {4}> { [shape] y = Reshape (x, four) })"));
    QVERIFY(settled(document));
    ask(document);
    QTRY_VERIFY_WITH_TIMEOUT(!document.service().busy() && !said(document).isEmpty(), 20'000);
    QVERIFY2(said(document).contains(QLatin1String("the bar Shapes gives them sizes")), qPrintable(said(document)));
    QVERIFY2(!said(document).contains(QLatin1String("--dim")), qPrintable(said(document)));
  }

  void fetchesGiveWay() {
    const auto document = opened(m_files.write("giveway.onnx"));
    TensorController& controller = document->tensors();
    controller.fetch({0, "a"});
    QCOMPARE(controller.state(), TensorController::State::kFetching);
    controller.fetch({0, "b"});  // in place of the other
    QTRY_COMPARE_WITH_TIMEOUT(controller.state(), TensorController::State::kReady, 20'000);
    QCOMPARE(controller.content()->name(), std::string("b"));
    controller.fetch({0, "a"});
    controller.cancel();
    QCOMPARE(controller.state(), TensorController::State::kIdle);
    QVERIFY(!document->service().busy());
    controller.fetch({0, "a"});
    document->run();  // the worker gets something else to do
    QTRY_VERIFY_WITH_TIMEOUT(controller.state() != TensorController::State::kFetching, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(document->walk()->run != nullptr, 20'000);
    controller.fetch({0, "w"});
    document->reload();  // another walk drops what was asked
    QCOMPARE(controller.state(), TensorController::State::kIdle);
    QVERIFY(settled(*document));
    QCOMPARE(controller.state(), TensorController::State::kIdle);
    QVERIFY(!controller.content());
  }

  void accuracy() {
    const auto document = opened(m_files.write("accuracy.onnx"));
    AccuracyController& controller = document->accuracy();
    QVERIFY(controller.can());
    AccuracyOptions options{.a = plainOptions(), .b = plainOptions(), .titleA = "plain", .titleB = "optimised"};
    options.b.optimizationLevel = 3;
    QSignalSpy changed(&controller, &AccuracyController::changed);
    controller.compare(options);
    QVERIFY(controller.busy());
    QTRY_VERIFY_WITH_TIMEOUT(!controller.busy(), 30'000);
    QVERIFY2(controller.report() != nullptr, controller.error() ? controller.error()->message.c_str() : "");
    QCOMPARE(controller.report()->firstDivergence, kNone);
    QVERIFY(changed.count() >= 2);
    QVERIFY(document->walk()->pattern != nullptr);  // the walk on screen stays
    options.b.providers = {"nobody"};
    controller.compare(options);
    QTRY_VERIFY_WITH_TIMEOUT(!controller.busy(), 30'000);
    QVERIFY(controller.error().has_value());
    controller.compare({.a = plainOptions(), .b = plainOptions()});
    document->service().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!controller.busy(), 10'000);
  }

  void editsWalkAgain() {
    const auto document = opened(m_files.write("edits.onnx"));
    EditController& controller = document->edits();
    QVERIFY(controller.can() && !controller.canUndo() && !controller.unsaved());
    const int act = nodeNamed(*document, "act");
    const edit::ModelEdit bypass{.kind = edit::EditKind::kBypassNode,
                                 .origin = document->graphs(GraphVersion::kLoaded)->graphs[0].nodes[act].origins[0]};
    controller.add(bypass);
    QVERIFY(settled(*document));
    QVERIFY2(!document->error(), document->error() ? document->error()->message.c_str() : "");
    QCOMPARE(nodeNamed(*document, "act"), -1);
    QVERIFY(controller.canUndo() && controller.unsaved());
    controller.undo();
    QVERIFY(settled(*document));
    QVERIFY(nodeNamed(*document, "act") >= 0);
    QVERIFY(controller.canRedo() && !controller.unsaved());
    controller.redo();
    QVERIFY(settled(*document));
    QCOMPARE(nodeNamed(*document, "act"), -1);
    document->reload();  // keeps them
    QVERIFY(settled(*document));
    QCOMPARE(nodeNamed(*document, "act"), -1);
    // Weights come from the edited model.
    controller.add({.kind = edit::EditKind::kRenameValue, .name = "w", .text = "weight"});
    QVERIFY(settled(*document));
    document->tensors().fetch({0, "weight"});
    QTRY_COMPARE_WITH_TIMEOUT(document->tensors().state(), TensorController::State::kReady, 20'000);
    document->open(m_files.write("another.onnx"));  // drops them
    QVERIFY(settled(*document));
    QVERIFY(controller.edits().empty() && !controller.canRedo());
    QVERIFY(nodeNamed(*document, "act") >= 0);
  }

  void refusedEditsLeaveEverythingAsItWas() {
    const auto document = opened(m_files.write("refused.onnx"));
    EditController& controller = document->edits();
    const auto before = document->walk();
    controller.add({.kind = edit::EditKind::kRenameValue, .name = "a", .text = "b"});
    QTRY_VERIFY_WITH_TIMEOUT(!controller.trying(), 20'000);
    QVERIFY(controller.error() && controller.error()->message.find("taken") != std::string::npos);
    QVERIFY(controller.edits().empty());
    QVERIFY(document->walk() == before && !document->error());
    // Of a list, what comes before the bad one stays.
    controller.set({{.kind = edit::EditKind::kSetProducer, .text = "me"},
                    {.kind = edit::EditKind::kDeleteNode, .origin = 99},
                    {.kind = edit::EditKind::kSetProducer, .text = "you"}});
    QTRY_VERIFY_WITH_TIMEOUT(!controller.trying(), 20'000);
    QVERIFY(settled(*document));
    QCOMPARE(controller.edits().size(), size_t(1));
    QVERIFY(controller.error().has_value());
    QVERIFY(document->walk()->load->producer.find("me") != std::string::npos);
  }

  void savingAsks() {
    const auto document = opened(m_files.write("saving.onnx"));
    EditController& controller = document->edits();
    controller.add({.kind = edit::EditKind::kRenameValue, .name = "x", .text = "image"});
    QVERIFY(settled(*document));
    const auto savedAs = [&](const QString& file, bool overwrite) {
      controller.save(file, overwrite);
      return QTest::qWaitFor([&] { return !controller.saving(); }, 20'000) && !controller.error();
    };
    QVERIFY(savedAs(m_files.path("saved.onnx"), false));
    QCOMPARE(controller.savedFile(), m_files.path("saved.onnx"));
    QVERIFY(!controller.unsaved());
    QVERIFY(!savedAs(m_files.path("saved.onnx"), false));
    QVERIFY(savedAs(m_files.path("saved.onnx"), true));
    QVERIFY(!savedAs(m_files.path("missing/saved.onnx"), true));
    controller.undo();
    QVERIFY(settled(*document));
    QVERIFY(controller.savedFile().isEmpty());
    Progress progress;
    const auto back = load::load(load::ModelSource::file(m_files.path("saved.onnx").toStdString()), {}, progress);
    QVERIFY(back);
    QVERIFY(back->model.graph.findValue("image").valid() && !back->model.graph.findValue("x").valid());
  }

  void modelsCompared() {
    const auto a = opened(m_files.write("a.onnx"));
    auto b =
        opened(m_files.write("b.onnx", QByteArray(kModel)
                                           .replace("[act] h = Tanh (b)", "[drop] d = Identity (b) [act] h = Tanh (d)")
                                           .replace("{1,2,3,4}", "{1,2,3,5}")));
    ModelDiffController& controller = a->difference();
    controller.compareWith(b.get());
    QCOMPARE(controller.state(), ModelDiffController::State::kComparing);
    QTRY_COMPARE_WITH_TIMEOUT(controller.state(), ModelDiffController::State::kReady, 20'000);
    QCOMPARE(controller.diff()->onlyB, int64_t(1));
    QVERIFY(controller.diff()->weightsCompared);
    const NodeTarget act{GraphVersion::kLoaded, 0, nodeNamed(*a, "act")};
    const NodeTarget other{GraphVersion::kLoaded, 0, nodeNamed(*b, "act")};
    QCOMPARE(controller.partner(act, true), other);
    QCOMPARE(controller.partner(other, false), act);
    QVERIFY(!controller.partner({GraphVersion::kLoaded, 0, nodeNamed(*b, "drop")}, false).valid());
    QCOMPARE(controller.find({GraphVersion::kLoaded, 0, nodeNamed(*a, "bias")}, true)->kind, DiffKind::kChanged);
    QVERIFY(!controller.partner({GraphVersion::kLoaded, 7, 99}, true).valid());
    // B is edited until it is like A but for the weight.
    b->edits().add({.kind = edit::EditKind::kBypassNode,
                    .origin = b->graphs(GraphVersion::kLoaded)->graphs[0].nodes[nodeNamed(*b, "drop")].origins[0]});
    QVERIFY(settled(*b));
    QTRY_VERIFY_WITH_TIMEOUT(controller.state() == ModelDiffController::State::kReady && controller.diff()->onlyB == 0,
                             20'000);
    b.reset();
    QCOMPARE(controller.state(), ModelDiffController::State::kIdle);
    QVERIFY(!controller.other() && !controller.diff());
  }

  // Another export of the model, on files: its layers are matched, and the largest error of all files is told.
  void anotherModelOnRealInputs() {
    const QString other = m_files.write("other.onnx", QByteArray(kModel).replace("0,2,0,0", "0,2.5,0,0"));
    const auto document = opened(m_files.write("one.onnx"));
    QStringList files;
    for (const float scale : {0.0f, 1.0f}) {
      auto tensor = Tensor::create(ElementType::kFloat, {2, 4});
      QVERIFY(tensor);
      std::ranges::fill(tensor->span<float>(), scale);
      files << m_files.path(scale == 0 ? "zero.npy" : "one.npy");
      QVERIFY(load::writeTensorFile(files.back().toStdString(), "x", RuntimeValue(*std::move(tensor)),
                                    load::TensorFileFormat::kNpy));
    }
    AccuracyController& controller = document->accuracy();
    const auto compare = [&](const QStringList& inputs) {
      controller.compare({.a = plainOptions(), .b = plainOptions(), .other = other, .inputs = {.files = inputs}});
      return QTest::qWaitFor([&] { return !controller.busy(); }, 30'000) && !controller.error();
    };
    QVERIFY(compare({files[0]}));
    QCOMPARE(controller.report()->firstDivergence, kNone);  // nothing is multiplied by what differs
    QVERIFY2(compare(files), controller.error() ? controller.error()->message.c_str() : "");
    const AccuracyReport& report = *controller.report();
    QVERIFY(report.firstDivergence != kNone);
    const ValueAccuracy& first = report.values[static_cast<size_t>(report.firstDivergence)];
    QCOMPARE(first.opType, std::string("MatMul"));
    QCOMPARE(first.maxAbsolute, 0.5);
    QVERIFY(std::ranges::any_of(report.warnings, [](const std::string& words) {
      return words.find("largest errors over 2 inputs") != std::string::npos;
    }));
    QVERIFY(!compare({m_files.path("gone.npy")}));
    QVERIFY(describe(*controller.error()).find("gone.npy") != std::string::npos);
  }

  void withoutEngine() {
    Document document(std::make_shared<EngineHost>(), {});
    QVERIFY(!document.edits().can() && !document.accuracy().can());
    document.tensors().fetch({0, "w"});
    QCOMPARE(document.tensors().state(), TensorController::State::kFailed);
    document.accuracy().compare({});
    QVERIFY(document.accuracy().error().has_value());
    document.edits().save("x.onnx", true);
    QVERIFY(document.edits().error().has_value());
  }

  void cleanupTestCase() { EngineService::waitForThreads(); }
};

QTEST_GUILESS_MAIN(TestControllers)
#include "tst_controllers.moc"
