// A profile learned from a provider whose rules are known says the same rules; it is one that declared(NAME) reads, and
// the provider made from it answers as the first.
#include <nlohmann/json.hpp>

#include <QtTest/QtTest>

#include "engine/study/learn/learn_profile.h"
#include "providers/declared/profile_store.h"
#include "tests/unit/providers/declared/declared_fixture.h"

using namespace cutaway;
using nlohmann::json;

namespace {

const std::string kRules = R"([
  {"op": "Relu", "versions": [1, 13], "types": {"*": ["float32", "float16"]}},
  {"op": "Add", "types": {"*": ["float32", "int32"]}, "ranks": {"0": [1, 4]}},
  {"op": "Conv", "types": {"*": ["float32"]}, "ranks": {"0": [4, 4]}, "constant_inputs": [1],
   "attributes": {"dilations": {"equals": 1}, "auto_pad": {"one_of": ["NOTSET", "SAME_UPPER"]}}},
  {"op": "MaxPool", "types": {"*": ["float32"]}, "outputs": {"maximum": 1}},
  {"op": "Sigmoid", "types": {"*": ["float32"]}},
  {"op": "QuantizeLinear", "types": {"*": ["uint8"], "0": ["float32"], "1": ["float32"], "out0": ["uint8"]}},
  {"op": "DequantizeLinear", "types": {"*": ["uint8"], "1": ["float32"]}}])";

class CountingProgress final : public Progress {
 public:
  using Progress::Progress;
  void update(uint64_t done, uint64_t total) override {
    ++updates;
    isWhole = isWhole || done == total;
  }
  int updates = 0;
  bool isWhole = false;
};

json ruleOf(const json& profile, const std::string& op) {
  for (const json& rule : profile["operators"]) {
    if (rule["op"] == op) return rule;
  }
  return {};
}

}  // namespace

class TestLearnProfile : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_provider = testing::declaredFrom(testing::toyProfile(kRules, R"("static_shapes": true,)"));
    QVERIFY(m_provider != nullptr);
    CountingProgress progress;
    const auto learned =
        study::learnProfile(*m_provider, {.name = "Learned", .asked = "toy", .date = "2026-11-23"}, progress);
    QVERIFY2(learned, learned ? "" : learned.error().message.c_str());
    QVERIFY(progress.updates > 1 && progress.isWhole);
    m_text = learned->text;
    m_profile = json::parse(m_text);
    QCOMPARE(learned->operators, size_t{5});
    QVERIFY(learned->refused > 100 && learned->probes > 1000 && learned->taken > 20);
    // Many at a time: not a question for each.
    QVERIFY2(learned->questions < learned->probes / 10, qPrintable(QString::number(learned->questions)));
    QVERIFY(learned->isComplete);
  }

  void isAProfile() {
    const std::vector<std::string> errors = declared::checkProfileText(m_text);
    QVERIFY2(errors.empty(), errors.empty() ? "" : errors.front().c_str());
    QCOMPARE(m_profile["static_shapes"].get<bool>(), true);
    QCOMPARE(m_profile["groups"]["quantized_units"].get<bool>(), true);
  }

  void rules_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::newRow("types") << "Relu" << "/types/0" << R"(["float32","float16"])";
    QTest::newRow("an older operator set") << "Relu" << "/versions" << "[1,13]";
    QTest::newRow("types of two inputs") << "Add" << "/types/1" << R"(["float32","int32"])";
    QTest::newRow("ranks") << "Add" << "/ranks/0" << "[1,4]";
    QTest::newRow("all operator sets") << "Add" << "/versions" << "[1,null]";
    QTest::newRow("one rank") << "Conv" << "/ranks/0" << "[4,4]";
    QTest::newRow("constants") << "Conv" << "/constant_inputs" << "[1]";
    QTest::newRow("a number") << "Conv" << "/attributes/dilations" << R"({"equals":1})";
    QTest::newRow("words") << "Conv" << "/attributes/auto_pad" << R"({"one_of":["NOTSET","SAME_UPPER"]})";
    QTest::newRow("outputs") << "MaxPool" << "/outputs" << R"({"maximum":1})";
    QTest::newRow("quantised") << "QuantizeLinear" << "/types/out0" << R"(["uint8"])";
  }
  void rules() {
    QFETCH(QString, op);
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    const json rule = ruleOf(m_profile, op.toStdString());
    const json::json_pointer place(pointer.toStdString());
    QVERIFY2(rule.contains(place), rule.dump().c_str());
    QCOMPARE(QString::fromStdString(rule[place].dump()), value);
  }

  void freeAttributesHaveNoRule() { QVERIFY(!ruleOf(m_profile, "Conv")["attributes"].contains("strides")); }

  void refusalsAreTold() {
    for (const json& refused : m_profile["refused"]) {
      if (refused["op"] != "Erf") continue;
      QVERIFY2(!refused["reason"].get<std::string>().empty(), refused.dump().c_str());
      return;
    }
    QFAIL("Erf is not among the refused");
  }

  void answersAsTheFirst() {
    const auto learned = testing::declaredFrom(m_text);
    QVERIFY(learned != nullptr);
    for (const char* const text : {"main (float16[3] x) => (float16[3] y) { [n] y = Relu (x) }",
                                   "main (double[3] x) => (double[3] y) { [n] y = Relu (x) }",
                                   "main (float[1,1,1,1,3] x) => (float[1,1,1,1,3] y) { [n] y = Add (x, x) }",
                                   "main (float[3] x) => (float[3] y) { [n] y = Erf (x) }"}) {
      testing::Asked asked(text);
      QCOMPARE(testing::claimsText(asked.model.graph, asked.answerOf(*learned)),
               testing::claimsText(asked.model.graph, asked.answerOf(*m_provider)));
    }
  }

  void someOperators() {
    Progress progress;
    const auto learned = study::learnProfile(*m_provider, {.name = "Some", .operators = {"Relu", "Erf"}}, progress);
    QVERIFY2(learned, learned ? "" : learned.error().message.c_str());
    QCOMPARE(learned->operators, size_t{1});
    QCOMPARE(learned->refused, size_t{1});
    const auto none = study::learnProfile(*m_provider, {.name = "None", .operators = {"Rulu"}}, progress);
    QVERIFY(!none && none.error().code == ErrorCode::kInvalidArgument);
  }

  void cancelled() {
    const CancelToken token;
    token.cancel();
    Progress progress(token);
    const auto learned = study::learnProfile(*m_provider, {.name = "Never"}, progress);
    QVERIFY(!learned && learned.error().code == ErrorCode::kModelLoadCanceled);
  }

  void noTime() {
    Progress progress;
    const auto learned = study::learnProfile(*m_provider, {.name = "Short", .mostSeconds = 0}, progress);
    QVERIFY(!learned);
    QVERIFY2(QString::fromStdString(learned.error().message).contains("no time to ask"),
             learned.error().message.c_str());
  }

  void takesNothing() {
    Progress progress;
    const auto learned = study::learnProfile(*m_provider, {.name = "None", .operators = {"Erf", "Abs"}}, progress);
    QVERIFY(!learned);
    QCOMPARE(learned.error().code, ErrorCode::kEpFail);
    QVERIFY2(QString::fromStdString(learned.error().message).contains("takes none; "), learned.error().message.c_str());
  }

 private:
  std::unique_ptr<ExecutionProvider> m_provider;
  std::string m_text;
  json m_profile;
};

QTEST_GUILESS_MAIN(TestLearnProfile)
#include "tst_learn_profile.moc"
