#include <sstream>
#include <thread>

#include <QtTest/QtTest>

#include "engine/schema/onnx_schemas.h"
#include "engine/schema/schema.h"

using namespace cutaway;

class TestSchema : public QObject {
  Q_OBJECT

 private slots:
  // Ours are made one by one from a table; onnx's registry makes all and is asked here for each.
  void onnxSchemasAreThoseOfItsRegistry() {
    makeOnnxRegistry();
    const std::vector<onnx::OpSchema> all = onnx::OpSchemaRegistry::get_all_schemas_with_history();
    QCOMPARE(onnxOperators().size(), all.size());
    for (const onnx::OpSchema& expected : all) {
      for (const int version : {expected.SinceVersion() - 1, expected.SinceVersion(), expected.SinceVersion() + 1}) {
        const onnx::OpSchema* there = onnx::OpSchemaRegistry::Schema(expected.Name(), version, expected.domain());
        const onnx::OpSchema* ours = findOnnxSchema(expected.Name(), expected.domain(), version);
        const std::string label = expected.Name() + " " + std::to_string(version);
        QVERIFY2((ours == nullptr) == (there == nullptr), label.c_str());
        if (ours == nullptr) continue;
        std::ostringstream oursText, thereText;
        oursText << *ours;
        thereText << *there;
        QVERIFY2(ours->SinceVersion() == there->SinceVersion() && oursText.str() == thereText.str(), label.c_str());
        QVERIFY2(ours->typeConstraintMap().size() == there->typeConstraintMap().size(), label.c_str());
        const OperatorSchema* converted = findSchema(expected.Name(), expected.domain(), version);
        // onnx takes any If for random, and AffineGrid's body has one. It takes no FlexAttention for random, whose
        // graphs may be.
        const bool isDeterministic = expected.Name() == "AffineGrid" ||
                                     (expected.Name() != "FlexAttention" &&
                                      there->GetNodeDeterminism() != onnx::OpSchema::NodeDeterminism::NonDeterministic);
        QVERIFY2(converted != nullptr && converted->deterministic == isDeterministic, label.c_str());
      }
    }
    QCOMPARE(findOnnxSchema("Conv", "")->SinceVersion(), onnx::OpSchemaRegistry::Schema("Conv")->SinceVersion());
    QVERIFY(findOnnxSchema("NoSuchOperator", "") == nullptr);
    QVERIFY(findOnnxSchema("Conv", "no.such.domain") == nullptr);
  }

  void findsVersion_data() {
    QTest::addColumn<QString>("opType");
    QTest::addColumn<QString>("domain");
    QTest::addColumn<int>("opset");
    QTest::addColumn<int>("since");  // 0: none
    QTest::newRow("newest version that is not newer") << "Relu" << "" << 17 << 14;
    QTest::newRow("exact version") << "Relu" << "" << 14 << 14;
    QTest::newRow("older one") << "Relu" << "" << 13 << 13;
    QTest::newRow("oldest") << "Relu" << "" << 1 << 1;
    QTest::newRow("not there yet") << "Einsum" << "" << 11 << 0;
    QTest::newRow("alias of the default domain") << "Conv" << "ai.onnx" << 11 << 11;
    QTest::newRow("machine learning") << "Scaler" << "ai.onnx.ml" << 3 << 1;
    QTest::newRow("contrib") << "FusedConv" << "com.microsoft" << 1 << 1;
    QTest::newRow("context node") << "EPContext" << "com.microsoft" << 1 << 1;
    QTest::newRow("contrib operator that we do not have") << "Nothing" << "com.microsoft" << 1 << 0;
    QTest::newRow("withdrawn operator") << "Affine" << "" << 6 << 1;
    QTest::newRow("layer normalisation before its opset") << "LayerNormalization" << "" << 12 << 1;
    QTest::newRow("layer normalisation in its opset") << "LayerNormalization" << "" << 17 << 17;
    QTest::newRow("unknown domain") << "Conv" << "com.example" << 1 << 0;
    QTest::newRow("no opset") << "Conv" << "" << 0 << 0;
  }
  void findsVersion() {
    QFETCH(QString, opType);
    QFETCH(QString, domain);
    QFETCH(int, opset);
    QFETCH(int, since);
    const OperatorSchema* schema = findSchema(opType.toStdString(), domain.toStdString(), opset);
    QCOMPARE(schema != nullptr, since != 0);
    if (schema != nullptr) QCOMPARE(schema->sinceVersion, since);
  }

  void tellsWhatASchemaSays() {
    const OperatorSchema* conv = findSchema("Conv", "", 17);
    QVERIFY(conv != nullptr);
    QCOMPARE(conv->minInputs, 2);
    QCOMPARE(conv->maxInputs, 3);
    QCOMPARE(conv->inputs.size(), size_t{3});
    QCOMPARE(conv->inputs[2].name, std::string("B"));
    QVERIFY(conv->inputs[2].arity == FormalParameter::Arity::kOptional);
    const auto group = std::ranges::find(conv->attributes, std::string("group"), &SchemaAttribute::name);
    QVERIFY(group != conv->attributes.end() && group->defaultValue.has_value());
    QCOMPARE(std::get<int64_t>(group->defaultValue->value), int64_t{1});
    QVERIFY(conv->deterministic);
    QVERIFY(!findSchema("RandomNormal", "", 17)->deterministic);
    QVERIFY(findSchema("HardSwish", "", 17)->hasFunctionBody);
    QVERIFY(findSchema("Upsample", "", 10)->deprecated);
    const OperatorSchema* concat = findSchema("Concat", "", 13);
    QVERIFY(concat->inputs[0].arity == FormalParameter::Arity::kVariadic);
    QCOMPARE(concat->maxInputs, std::numeric_limits<int32_t>::max());
  }

  void knowsDomains() {
    QCOMPARE(newestOpset(""), int64_t{28});
    QCOMPARE(newestOpset("ai.onnx"), int64_t{28});
    QVERIFY(isKnownDomain("ai.onnx.ml"));
    QVERIFY(isKnownDomain("com.microsoft"));
    QVERIFY(!isKnownDomain("com.example"));
    QVERIFY(newestIrVersion() >= 13);
  }

  void isTheSameForEveryThread() {
    std::vector<const OperatorSchema*> found(8);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < found.size(); ++i)
      threads.emplace_back([&, i] { found[i] = findSchema("LSTM", "", 14 + static_cast<int64_t>(i % 2)); });
    for (std::thread& each : threads)
      each.join();
    for (const OperatorSchema* each : found)
      QCOMPARE(each, found[0]);
  }
};

QTEST_GUILESS_MAIN(TestSchema)
#include "tst_schema.moc"
