// What windows are told about operators.
#include <map>

#include <malloc.h>

#include <QtTest/QtTest>

#include "engine/schema/schema_list.h"
#include "engine/study/operator_docs.h"
#include "engine/study/operator_family.h"

using namespace cutaway;

class TestOperatorDocs : public QObject {
  Q_OBJECT

 private slots:
  // First, while nothing is known yet: all schemas would be 8 MB, and stay for as long as the window does.
  void oneOperatorReadsNoOthers() {
    const size_t before = mallinfo2().uordblks;
    QVERIFY(study::operatorDocs("Conv", "", 17));
    const size_t after = mallinfo2().uordblks;
    QVERIFY2(after < before + 2'000'000, qPrintable(QString::number(after - before)));
  }

  // The schemas of the other versions would stay, too: 280 KB for If, in small pieces.
  void otherVersionsAreNamedAlone() {
    const size_t before = mallinfo2().uordblks;
    const auto docs = study::operatorDocs("If", "", 16);
    const size_t after = mallinfo2().uordblks;
    QVERIFY(docs && docs->versions.size() > 6);
    QVERIFY2(after < before + 100'000, qPrintable(QString::number(after - before)));
  }

  // A form for other types or another layout belongs where the operator does.
  void formsHaveTheFamilyOfTheirOperator() {
    using study::OperatorFamily, study::operatorFamilyOf;
    QVERIFY(operatorFamilyOf("QLinearAdd") == OperatorFamily::kArithmetic);
    QVERIFY(operatorFamilyOf("QLinearSoftmax") == OperatorFamily::kActivation);
    QVERIFY(operatorFamilyOf("QLinearConcat") == OperatorFamily::kMovement);
    QVERIFY(operatorFamilyOf("NhwcMaxPool") == OperatorFamily::kNormalization);
    QVERIFY(operatorFamilyOf("QGemm") == OperatorFamily::kProduct);
    QVERIFY(!operatorFamilyOf("QLinearNothing") && !operatorFamilyOf("Q") && !operatorFamilyOf(""));
  }

  void convolution() {
    const auto docs = study::operatorDocs("Conv", "", 17);
    QVERIFY(docs);
    QCOMPARE(docs->opType, std::string("Conv"));
    QCOMPARE(docs->domain, std::string("ai.onnx"));
    QCOMPARE(docs->sinceVersion, 11);
    QVERIFY(!docs->deprecated);
    QVERIFY(docs->text.find("convolution") != std::string::npos);
    QCOMPARE(docs->inputs.size(), size_t(3));
    QCOMPARE(docs->inputs[0].name, std::string("X"));
    QCOMPARE(docs->inputs[0].type, std::string("T"));
    QCOMPARE(docs->inputs[0].role, std::string());
    QCOMPARE(docs->inputs[2].role, std::string("optional"));
    QVERIFY(!docs->inputs[2].text.empty());
    QCOMPARE(docs->types.size(), size_t(1));
    QCOMPARE(docs->types[0].first, std::string("T"));
    QVERIFY(docs->types[0].second.find("tensor(float)") != std::string::npos);
    QCOMPARE(docs->versions, (std::vector<int32_t>{22, 11, 1}));
  }

  void attributes_data() {
    QTest::addColumn<QString>("opType");
    QTest::addColumn<int>("version");
    QTest::addColumn<QString>("attribute");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("defaultText");
    QTest::addColumn<bool>("required");
    QTest::newRow("integer") << "Conv" << 17 << "group" << "INT" << "1" << false;
    QTest::newRow("text") << "Conv" << 17 << "auto_pad" << "STRING" << "\"NOTSET\"" << false;
    QTest::newRow("none") << "Conv" << 17 << "pads" << "INTS" << "" << false;
    QTest::newRow("float") << "LeakyRelu" << 16 << "alpha" << "FLOAT" << "0.01" << false;
    QTest::newRow("required") << "Cast" << 13 << "to" << "INT" << "" << true;
    QTest::newRow("graph") << "If" << 16 << "then_branch" << "GRAPH" << "" << true;
  }
  void attributes() {
    QFETCH(QString, opType);
    QFETCH(int, version);
    QFETCH(QString, attribute);
    const auto docs = study::operatorDocs(opType.toStdString(), "", version);
    QVERIFY(docs);
    const auto found = std::ranges::find(docs->attributes, attribute.toStdString(), &study::AttributeDocs::name);
    QVERIFY(found != docs->attributes.end());
    QTEST(QString::fromStdString(found->kind), "kind");
    QTEST(QString::fromStdString(found->defaultText), "defaultText");
    QTEST(found->required, "required");
  }

  void domainAndVersion() {
    QCOMPARE(study::operatorDocs("Conv", "ai.onnx", 17)->versions, study::operatorDocs("Conv", "", 17)->versions);
    QCOMPARE(study::operatorDocs("FusedConv", "com.microsoft", 1)->domain, std::string("com.microsoft"));
    QCOMPARE(study::operatorDocs("FusedConv", "com.microsoft", 1)->versions, std::vector<int32_t>{1});
    QVERIFY(study::operatorDocs("Upsample", "", 10)->deprecated);  // withdrawn for good
    QCOMPARE(study::operatorDocs("Concat", "", 13)->inputs[0].role, std::string("variadic"));
  }

  void nobodyKnows() {
    QVERIFY(!study::operatorDocs("Conv", "com.example", 1));
    QVERIFY(!study::operatorDocs("", "", 17));
    QVERIFY(!study::operatorDocs("Conv", "", 0));
    QVERIFY(!study::operatorDocs("Conv", "", -5));
    QVERIFY(!study::operatorDocs(std::string(100000, 'x'), std::string("\0\n", 2), INT64_MAX));
  }

  void everySchemaCanBeTold() {
    std::map<std::pair<std::string, std::string>, std::vector<int32_t>> versions;  // newest first
    for (const OperatorSchema* schema : allSchemas()) {
      auto& its = versions[{schema->opType, schema->domain}];
      its.insert(its.begin(), schema->sinceVersion);
      const auto docs = study::operatorDocs(schema->opType, schema->domain, schema->sinceVersion);
      QVERIFY(docs);
      QCOMPARE(docs->sinceVersion, schema->sinceVersion);
    }
    for (const auto& [name, its] : versions)
      QCOMPARE(schemaVersions(name.first, name.second), its);
  }
};

QTEST_APPLESS_MAIN(TestOperatorDocs)
#include "tst_operator_docs.moc"
