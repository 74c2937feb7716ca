// Schemas that somebody outside adds: found from then on, checked, and inferred with, also where a question about the
// operator had no answer before.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/schema/added_schemas.h"

using namespace cutaway;

namespace {

constexpr const char* kHeader = R"(<ir_version: 8, opset_import: ["" : 17, "added" : 3]> )";

AddedSchema schemaNamed(const std::string& name, int32_t version) {
  AddedSchema added{.schema = {.opType = name, .domain = "added", .sinceVersion = version}, .source = "libadded.so"};
  added.schema.minInputs = added.schema.maxInputs = added.schema.minOutputs = added.schema.maxOutputs = 1;
  added.schema.inputs = {{.name = "input0", .typeText = "tensor(float)"}};
  added.schema.outputs = {{.name = "output0", .typeText = "tensor(int64)"}};
  return added;
}

// The type of y, or what is wrong.
std::string inferred(const std::string& text) {
  Result<Model> model = parseModelText(kHeader + text);
  if (!model) return model.error().message;
  std::vector<InferenceWarning> warnings;
  if (const Result<void> done = inferGraph(*model, model->graph, {}, warnings); !done) return done.error().message;
  return toText(model->graph.value(model->graph.findValue("y")).type);
}

}  // namespace

class TestAddedSchemas : public QObject {
  Q_OBJECT
 private slots:
  void knownFromThenOn() {
    QVERIFY(findSchema("First", "added", 3) == nullptr);
    QVERIFY(!isKnownDomain("added"));
    QVERIFY(addSchema(schemaNamed("First", 2)));
    const OperatorSchema* const schema = findSchema("First", "added", 3);
    QVERIFY(schema != nullptr);
    QCOMPARE(schema->sinceVersion, 2);
    QVERIFY(findSchema("First", "added", 1) == nullptr);
    QCOMPARE(newestOpset("added"), int64_t{2});
    QCOMPARE(findAddedSchema("First", "added", 3)->source, std::string("libadded.so"));
    QVERIFY(findAddedSchema("Relu", "", 17) == nullptr);
    // A newer one takes the place of the older from its version on.
    QVERIFY(addSchema(schemaNamed("First", 3)));
    QCOMPARE(findSchema("First", "added", 3)->sinceVersion, 3);
    QCOMPARE(findSchema("First", "added", 2)->sinceVersion, 2);
  }

  void whatIsRefused() {
    QVERIFY(addSchema(schemaNamed("Twice", 1)));
    const Result<void> again = addSchema(schemaNamed("Twice", 1));
    QVERIFY(!again);
    QVERIFY2(again.error().message.find("known already") != std::string::npos, again.error().message.c_str());
    AddedSchema relu = schemaNamed("Relu", 14);
    relu.schema.domain.clear();
    QVERIFY(!addSchema(std::move(relu)));
    QVERIFY(!addSchema(schemaNamed("", 1)));
    QVERIFY(!addSchema(schemaNamed("NoVersion", 0)));
  }

  void nodesAreCheckedAndInferred() {
    const std::string text = "g (float[2,3] x) => (y) { [n] y = added.Infer (x) }";
    const std::string before = inferred(text);
    QVERIFY2(before.find("int64") == std::string::npos, before.c_str());
    QVERIFY(addSchema(schemaNamed("Infer", 1)));
    // Only the schema speaks: the element type alone.
    QVERIFY2(inferred(text).find("int64") != std::string::npos, inferred(text).c_str());
    const std::string two = inferred("g (float[2,3] x) => (y) { [n] y = added.Infer (x, x) }");
    QVERIFY2(two.find("takes 1 input,") != std::string::npos, two.c_str());
    const std::string integer = inferred("g (int32[2,3] x) => (y) { [n] y = added.Infer (x) }");
    QVERIFY2(integer.find("int32") != std::string::npos && integer.find("int64") == std::string::npos, integer.c_str());
    // Attributes that nobody described are nobody's fault.
    QVERIFY(inferred("g (float[2,3] x) => (y) { [n] y = added.Infer <some = 3> (x) }").find("int64") !=
            std::string::npos);
  }

  void somebodyTellsMore() {
    AddedSchema added = schemaNamed("Told", 1);
    added.outputTypes = [](const Model&, const Graph& graph, NodeId id) {
      const ValueType& input = graph.value(graph.node(id).inputs[0]).type;
      return std::vector<ValueType>{ValueType::tensor(ElementType::kInt64, input.shape)};
    };
    QVERIFY(addSchema(std::move(added)));
    QCOMPARE(inferred("g (float[2,3] x) => (y) { y = added.Told (x) }"),
             toText(ValueType::tensor(ElementType::kInt64, Shape({Dim(2), Dim(3)}))));
    // What contradicts the model is an error, as with any schema.
    const std::string wrong = inferred("g (float[2,3] x) => (float[2,3] y) { y = added.Told (x) }");
    QVERIFY2(wrong.find("y") != std::string::npos && wrong.find("int64") != std::string::npos, wrong.c_str());
  }
};

QTEST_GUILESS_MAIN(TestAddedSchemas)
#include "tst_added_schemas.moc"
