// Where profiles come from, and the options that change them.
#include <filesystem>
#include <fstream>
#include <set>

#include <QtTest/QtTest>

#include "providers/declared/profile_store.h"
#include "providers/declared/provider.h"
#include "tests/unit/providers/declared/declared_fixture.h"

using namespace cutaway;
using namespace cutaway::declared;
using namespace cutaway::testing;

namespace {

constexpr const char* kThreeRelus =
    "main (float[2] x) => (float[2] y) { [a] h = Relu (x)\n [b] i = Tanh (h)\n [c] y = Relu (i) }";
constexpr const char* kBoth = R"([{"op": "Relu"}, {"op": "Tanh", "ranks": {"0": [1, 1]}}])";

QString claimsWith(const ProviderOptions& options, const std::string& operators = kBoth,
                   const std::string& extra = {}) {
  Asked asked(kThreeRelus);
  std::string error;
  const auto provider = declaredFrom(toyProfile(operators, extra), options, &error);
  if (provider == nullptr) return QString::fromStdString("error: " + error);
  return QString::fromStdString(claimsText(asked.model.graph, asked.answerOf(*provider)));
}

}  // namespace

class TestProfileStore : public QObject {
  Q_OBJECT
 private slots:
  void shippedProfilesAreGood_data() {
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < shippedProfiles().size(); ++i)
      QTest::newRow(std::string(shippedProfiles()[i].name).c_str()) << static_cast<int>(i);
  }
  void shippedProfilesAreGood() {
    QFETCH(int, index);
    const ShippedProfile& shipped = shippedProfiles()[static_cast<size_t>(index)];
    QCOMPARE(QString::fromStdString(fmt::format("{}", fmt::join(checkProfileText(shipped.text), "\n"))), QString());
    const auto provider = declaredProvider().create({.argument = std::string(shipped.name)});
    QVERIFY(provider);
    QCOMPARE(QString::fromStdString((*provider)->name()),
             QString::fromStdString(fmt::format("declared({})", shipped.name)));
    QVERIFY((*provider)->simulated());
    QCOMPARE((*provider)->device().type, DeviceType::kSimulated);
    QVERIFY((*provider)->speed().has_value());  // figures of 0 are not known
  }

  void everyFileOfTheFolderIsShipped() {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(CUTAWAY_SOURCE_DIR "/resources/profiles")) {
      if (entry.path().extension() == ".json" && entry.path().filename() != "schema.json")
        files.insert(entry.path().filename().string());
    }
    std::set<std::string> shipped;
    for (const ShippedProfile& profile : shippedProfiles())
      shipped.emplace(profile.file);
    QVERIFY(files == shipped);
    QCOMPARE(declaredProvider().arguments.size(), files.size());
  }

  void unknownNamesListTheKnown() {
    const auto made = declaredProvider().create({.argument = "TensorTR"});
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::kInvalidArgument);
    for (const std::string& name : declaredProvider().arguments)
      QVERIFY(made.error().message.find(name) != std::string::npos);
    QVERIFY(!declaredProvider().create({}));
    QCOMPARE(declaredProvider().create({.argument = "./nowhere.json"}).error().code, ErrorCode::kNoSuchFile);
  }

  void foldersComeFirst() {
    const QTemporaryDir folder;
    std::ofstream(folder.filePath("mine.json").toStdString())
        << QString::fromStdString(toyProfile("[]")).replace("\"Toy\"", "\"TensorRT\"").toStdString();
    std::ofstream(folder.filePath("broken.json").toStdString()) << "{";
    const std::vector<std::filesystem::path> folders{"/nowhere", folder.path().toStdString()};
    const auto made = declaredProvider().create({.argument = "TensorRT", .folders = folders});
    QVERIFY(made);
    Asked asked(kThreeRelus);
    QCOMPARE(asked.answerOf(**made).refusals.size(), size_t{3});
    // A broken file tells its errors instead of being unknown.
    const auto broken = declaredProvider().create({.argument = "broken", .folders = folders});
    QVERIFY(!broken && broken.error().message.find("line 1") != std::string::npos);
  }

  // Folders are paths, not a list in one text.
  void foldersMayHaveAnyName() {
    const QTemporaryDir folder;
    const std::filesystem::path named = std::filesystem::path(folder.path().toStdString()) / "first;second";
    std::filesystem::create_directories(named);
    std::ofstream(named / "mine.json") << toyProfile("[]");
    QVERIFY(declaredProvider().create({.argument = "Toy", .folders = {named}}));
  }

  // What a session asks for is no option that a user could write.
  void requestsAreNoOptions() {
    const auto made = declaredProvider().create({.options = {{"(argument)", "TensorRT"}}, .argument = "TensorRT"});
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::kInvalidArgument);
  }

  void optionsChangeFacts() {
    QCOMPARE(claimsWith({}), QString("a b c"));
    QCOMPARE(claimsWith({{"minimum_nodes", "4"}}), QString());
    QCOMPARE(claimsWith({{"memory_bytes", "4"}}), QString());
    QCOMPARE(claimsWith({{"types", "float16;int8"}}), QString());
    QCOMPARE(claimsWith({{"types", "float16;float32"}}), QString("a b c"));
    QCOMPARE(claimsWith({{"compiled", "0"}}), QString("a | b | c"));
    QCOMPARE(claimsWith({{"stop_operators", "Tanh"}}), QString("a"));
    QCOMPARE(claimsWith({{"static_shapes", "true"}, {"maximum_rank", "1"}}), QString("a b c"));
  }

  void optionsChangeRules() {
    QCOMPARE(claimsWith({{"refuse", "Tanh"}}), QString("a | c"));
    QCOMPARE(claimsWith({{"refuse", "Tanh;Relu"}}), QString());
    QCOMPARE(claimsWith({{"rule.Tanh.ranks.0", "2;4"}}), QString("a | c"));
    QCOMPARE(claimsWith({{"rule.Tanh.types.0", "int8"}}), QString("a | c"));
    QCOMPARE(claimsWith({{"rule.Relu.versions", "1;13"}}), QString("b"));
    QCOMPARE(claimsWith({}, R"([{"op": "Relu"}, {"op": "Tanh", "ranks": {"0": [2, 2]}}])"), QString("a | c"));
    QCOMPARE(claimsWith({{"rule.Tanh.ranks", "any"}}, R"([{"op": "Relu"}, {"op": "Tanh", "ranks": {"0": [2, 2]}}])"),
             QString("a b c"));
    QCOMPARE(claimsWith({{"allow", "Tanh"}}, R"([{"op": "Relu"}, {"op": "Tanh", "ranks": {"0": [2, 2]}}])"),
             QString("a b c"));
    QCOMPARE(claimsWith({{"allow", "Tanh"}}, R"([{"op": "Relu"}])", R"("refused": [{"op": "Tanh", "reason": "no"}],)"),
             QString("a b c"));
  }

  void attributeRulesByOption() {
    Asked asked("main (float[2] x) => (float[2] y) { [n] y = LeakyRelu <alpha = 0.5> (x) }");
    const auto claims = [&](const std::string& value) {
      const auto provider = declaredFrom(toyProfile(R"([{"op": "LeakyRelu", "attributes": {"alpha": {"equals": 1}}}])"),
                                         {{"rule.LeakyRelu.attributes.alpha", value}});
      return asked.answerOf(*provider).refusals.empty();
    };
    QVERIFY(claims("0.5"));
    QVERIFY(claims("1;0.5"));
    QVERIFY(claims("any"));
    QVERIFY(!claims("absent"));
    QVERIFY(!claims("2"));
  }

  void badOptionsAreRefused_data() {
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("message");
    QTest::newRow("unknown") << "memory" << "3" << "a declared provider has no option 'memory'; it has memory_bytes, ";
    QTest::newRow("no flag") << "bodies" << "maybe" << "option bodies=maybe: 0 or 1 is wanted";
    QTest::newRow("no number") << "memory_bytes" << "lots" << "option memory_bytes=lots: a number is wanted";
    QTest::newRow("contradiction") << "minimum_nodes" << "0"
                                   << "groups.minimum_nodes: is 0, and a whole number of at least 1 is wanted";
    QTest::newRow("operator not listed") << "rule.Conv.types.0" << "int8"
                                         << "the profile does not list operator Conv; allow=Conv does";
    QTest::newRow("no rule") << "rule.Relu" << "x" << "rule.OPERATOR.MEMBER is wanted";
    QTest::newRow("unknown member") << "rule.Relu.colour" << "red"
                                    << "operators[0].colour: is not known; allowed here are op, ";
    QTest::newRow("unknown type") << "rule.Relu.types.0" << "int3" << "\"int3\" is no element type";
    QTest::newRow("unknown operator") << "allow" << "Rellu" << "ai.onnx has no operator Rellu in any version";
    QTest::newRow("empty name") << "refuse" << "Relu;" << "names of operators, with ';' between them, are wanted";
    QTest::newRow("flops of no type") << "flops_per_second.words" << "1" << "is no element type";
  }
  void badOptionsAreRefused() {
    QFETCH(QString, option);
    QFETCH(QString, value);
    QFETCH(QString, message);
    std::string error;
    QVERIFY(declaredFrom(toyProfile(kBoth), {{option.toStdString(), value.toStdString()}}, &error) == nullptr);
    QVERIFY2(QString::fromStdString(error).contains(message), error.c_str());
  }

  void changedRulesNameTheirOption() {
    Asked asked(kThreeRelus);
    const auto provider = declaredFrom(toyProfile(kBoth), {{"rule.Tanh.ranks.0", "2;4"}});
    const CapabilityAnswer answer = asked.answerOf(*provider);
    QCOMPARE(
        QString::fromStdString(refusalOf(asked.model.graph, answer, "b")->reason),
        QString(
            "Tanh of Toy NPU: input 0 ('h') has rank 1, and 2 to 4 is supported (by option rule.Tanh.ranks.0=2;4)"));
  }

  void speedsCanBeChanged() {
    const std::string facts =
        R"("device": {"flops_per_second": {"int8": 4e12, "float16": 2e12}, "transfer_us": 7, "launch_us": 2},)";
    const auto provider = declaredFrom(toyProfile("[]", facts), {{"link_bytes_per_second", "1e9"}});
    QCOMPARE(provider->speed()->flopsPerSecond, 2e12);
    QCOMPARE(provider->speed()->linkBytesPerSecond, 1e9);
    QCOMPARE(provider->speed()->transferNs, 7000.0);
    QCOMPARE(provider->speed()->launchNs, 2000.0);
    QCOMPARE(declaredFrom(toyProfile("[]", facts), {{"flops_per_second.float32", "1e12"}})->speed()->flopsPerSecond,
             1e12);
    QCOMPARE(declaredFrom(toyProfile("[]"), {{"preferred_layout", "nhwc"}})->preferredLayout(),
             LayoutPreference::kNhwc);
  }
};

QTEST_GUILESS_MAIN(TestProfileStore)
#include "tst_profile_store.moc"
