// Libraries of custom operators: what they say of their operators, models that use them with ordinary nodes around, and
// libraries that are broken, too new, or crash where they are asked, infer or compute.
#include <cstdlib>
#include <filesystem>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/schema/schema.h"
#include "engine/session/session.h"
#include "engine/stages/load/load.h"
#include "providers/cpu/provider.h"
#include "providers/onnxruntime/custom/custom_libraries.h"
#include "providers/onnxruntime/provider.h"

using namespace cutaway;
namespace fs = std::filesystem;

namespace {

constexpr const char* kVariable = "CUTAWAY_TEST_OPERATORS";
constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17, "cutaway.test" : 1]>
main (float[2,3] x) => (float[2,3] y) {
  a = Relu (x)
  b = cutaway.test.Twice (a)
  c = Neg (b)
  d = cutaway.test.Total (c, a, b)
  y = Abs (d)
})";
const QStringList kOperators{"Relu", "Twice", "Neg", "Total", "Abs"};

Result<std::unique_ptr<session::Session>> open(const std::string& provider, const std::string& text = kModel) {
  CUTAWAY_TRY(Model model, parseModelText(text));
  session::SessionOptions options;
  options.providers = {provider};
  options.threads = 1;
  const ProviderTable table{onnxruntimeProvider(), cpuProvider()};
  Progress progress;
  return session::Session::create(load::ModelSource::loaded(std::make_shared<const Model>(std::move(model))), options,
                                  table, progress);
}

Result<std::vector<float>> run(session::Session& session) {
  CUTAWAY_TRY(Tensor input, Tensor::create(ElementType::kFloat, {2, 3}));
  for (size_t i = 0; i < 6; ++i)
    input.span<float>()[i] = static_cast<float>(i) - 2;
  CUTAWAY_TRY(const auto ran, session.run({{"x", RuntimeValue(input)}}, {}));
  const auto values = ran.outputs[0].value.tensor().span<float>();
  return std::vector<float>(values.begin(), values.end());
}

QStringList takenBy(const session::Session& session, const std::string& provider) {
  QStringList taken;
  for (const NodePlacement& node : session.report()->partition->nodes) {
    if (node.provider == provider) taken += kOperators.at(node.node);
  }
  return taken;
}

}  // namespace

class TestCustomOperators : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const auto refused = open("cpu");
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.find("--custom-ops") != std::string::npos, refused.error().message.c_str());
    const Result<void> added = onnxruntime::addCustomLibrary(CUTAWAY_TEST_OPERATORS_LIBRARY);
    QVERIFY2(added, added ? "" : added.error().message.c_str());
    QVERIFY(onnxruntime::addCustomLibrary(CUTAWAY_TEST_OPERATORS_LIBRARY));
    QCOMPARE(onnxruntime::customLibraries().size(), size_t{1});
  }
  void init() { ::unsetenv(kVariable); }

  void whatTheLibrarySays() {
    const onnxruntime::CustomLibrary library = onnxruntime::customLibraries().front();
    QVERIFY(library.notes.empty());
    QCOMPARE(library.operators.size(), size_t{2});
    const onnxruntime::CustomOperator& twice = library.operators[0];
    QCOMPARE(twice.name, std::string("Twice"));
    QCOMPARE(twice.domain, std::string("cutaway.test"));
    QCOMPARE(twice.sinceVersion, 1);
    QCOMPARE(twice.lastVersion, 0);
    QCOMPARE(twice.interfaceVersion, 17U);
    QVERIFY(twice.infersShapes);
    QCOMPARE(onnxruntime::signatureOf(twice), std::string("float -> float"));
    const onnxruntime::CustomOperator& total = library.operators[1];
    QVERIFY(!total.infersShapes);
    QCOMPARE(onnxruntime::signatureOf(total), std::string("float+ -> float"));
  }

  // From then on the whole program knows the operator: checks, windows, messages.
  void theProgramKnowsThem() {
    const OperatorSchema* const schema = findSchema("Total", "cutaway.test", 1);
    QVERIFY(schema != nullptr);
    QCOMPARE(schema->minInputs, 1);
    QCOMPARE(schema->maxInputs, std::numeric_limits<int32_t>::max());
    QVERIFY(!schema->deterministic);
    QVERIFY(schema->documentation.find("custom operator") == std::string::npos);
    QVERIFY(schema->documentation.find("Custom operator of") != std::string::npos);
    QVERIFY(isKnownDomain("cutaway.test"));
    QCOMPARE(newestOpset("cutaway.test"), int64_t{1});
    QVERIFY(findSchema("Nothing", "cutaway.test", 1) == nullptr);
    // A node that the schema contradicts is the model's fault, and is said so.
    const auto wrong = open("onnxruntime{nodes=custom}",
                            "<ir_version: 8, opset_import: [\"\" : 17, \"cutaway.test\" : 1]>\n"
                            "main (float[2,3] x) => (float[2,3] y) { y = cutaway.test.Twice (x, x) }");
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().message.find("takes 1 input,") != std::string::npos, wrong.error().message.c_str());
  }

  void ordinaryNodesAround() {
    const auto session = open("onnxruntime{nodes=custom}");
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QCOMPARE(takenBy(**session, "onnxruntime"), QStringList({"Twice", "Total"}));
    QCOMPARE(takenBy(**session, "cpu"), QStringList({"Relu", "Neg", "Abs"}));
    const auto got = run(**session);
    QVERIFY2(got, got ? "" : got.error().message.c_str());
    // With a = Relu(x): |-2a + a + 2a|.
    QCOMPARE(*got, std::vector<float>({0, 0, 0, 1, 2, 3}));
  }

  void allInOneSession() {
    const std::string text =
        "<ir_version: 8, opset_import: [\"\" : 17, \"cutaway.test\" : 1]>\n"
        "main (float[2,3] x) => (float[2,3] y) { a = cutaway.test.Twice (x) "
        "y = cutaway.test.Total (a, x) }";
    for (const char* const provider : {"onnxruntime", "onnxruntime{nodes=custom}"}) {
      const auto session = open(provider, text);
      QVERIFY2(session, session ? "" : session.error().message.c_str());
      QCOMPARE((*session)->report()->partition->nodes.size(), size_t{2});
      const auto got = run(**session);
      QVERIFY2(got, got ? "" : got.error().message.c_str());
      QCOMPARE(*got, std::vector<float>({-6, -3, 0, 3, 6, 9}));
    }
  }

  // Shapes where the library infers them, element types where its schema says.
  void typesOfWhatTheyMake() {
    const auto session = open("onnxruntime{nodes=custom}");
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    std::map<std::string, std::string> types;
    for (const ValueReport& value : (*session)->report()->loadedGraphs->graphs.front().values)
      types[value.name] = value.type;
    QCOMPARE(types["b"], types["a"]);
    QVERIFY2(types["d"].find("float") != std::string::npos && types["d"] != types["a"], types["d"].c_str());
  }

  void whatIsNoLibrary_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("missing") << QByteArray("") << QStringList{"nowhere.so"};
    QTest::newRow("a text") << QByteArray("text") << QStringList{"broken.so"};
    QTest::newRow("cut short") << QByteArray("cut") << QStringList{"broken.so"};
    QTest::newRow("another library") << QByteArray("other") << QStringList{"does not export RegisterCustomOps"};
    QTest::newRow("lacks a function") << QByteArray("lacks")
                                      << QStringList{"cannot be opened", "cutawayTestFunctionThatNobodyHas"};
    QTest::newRow("too new") << QByteArray("new:Register")
                             << QStringList{"asks for version 999", "take a newer ONNX Runtime"};
    QTest::newRow("refuses") << QByteArray("fail:Register")
                             << QStringList{"refuses: the test operators were told to fail"};
    QTest::newRow("nameless") << QByteArray("nameless:Register")
                              << QStringList{"an operator of its domain 'cutaway.test' has no name"};
    QTest::newRow("crashes") << QByteArray("crash:Register")
                             << QStringList{"ended by signal 11", "reading a library of custom operators"};
  }
  void whatIsNoLibrary() {
    QFETCH(QByteArray, how);
    QFETCH(QStringList, words);
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    const fs::path mine = CUTAWAY_TEST_OPERATORS_LIBRARY;
    fs::path path = root / (how.isEmpty() ? "nowhere.so" : "broken.so");
    if (how == "text") {
      QFile file(QString::fromStdString(path.string()));
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no library") == 10);
    } else if (how == "cut") {
      fs::copy_file(mine, path);
      fs::resize_file(path, fs::file_size(mine) / 2);
    } else if (how == "other") {
      path = CUTAWAY_TEST_PLUGIN_LIBRARY;
    } else if (how == "lacks") {
      path = CUTAWAY_LACKING_LIBRARY;
    } else if (!how.isEmpty()) {
      fs::copy_file(mine, path);
      ::setenv(kVariable, how.constData(), 1);
    }
    const Result<void> added = onnxruntime::addCustomLibrary(path);
    QVERIFY(!added);
    for (const QString& word : words)
      QVERIFY2(QString::fromStdString(added.error().message).contains(word), added.error().message.c_str());
    QCOMPARE(onnxruntime::customLibraries().size(), size_t{1});
  }

  // The session is whole until its node runs; then the error says whose fault it was, and this process lives.
  void whatGoesWrongInRuns_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QString>("words");
    QTest::newRow("fails") << QByteArray("fail:Compute") << "the test operator was told to fail";
    QTest::newRow("crashes") << QByteArray("crash:Compute") << "ended by signal 11";
  }
  void whatGoesWrongInRuns() {
    QFETCH(QByteArray, how);
    QFETCH(QString, words);
    ::setenv(kVariable, how.constData(), 1);
    const auto session = open("onnxruntime{nodes=custom}");
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    const auto got = run(**session);
    QVERIFY(!got);
    QVERIFY2(QString::fromStdString(got.error().message).contains(words), got.error().message.c_str());
  }

  // A library that dies over the types of a node leaves them open; the node is refused with a reason, nothing more.
  void crashOverShapes() {
    ::setenv(kVariable, "crash:InferShapes", 1);
    const auto session = open("onnxruntime{nodes=custom}",
                              "<ir_version: 8, opset_import: [\"\" : 17, \"cutaway.test\" : 1]>\n"
                              "main (float[7,3] x) => (float[7,3] y) { y = cutaway.test.Twice (x) }");
    QVERIFY(!session);
    QVERIFY2(session.error().message.find("Twice") != std::string::npos, session.error().message.c_str());
  }

  void theOptionIsChecked() {
    const auto session = open("onnxruntime{nodes=some}");
    QVERIFY(!session);
    QVERIFY2(session.error().message.find("it takes all, or custom") != std::string::npos,
             session.error().message.c_str());
  }
};

QTEST_GUILESS_MAIN(TestCustomOperators)
#include "tst_custom_operators.moc"
