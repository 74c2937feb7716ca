// The rows of operators against the schemas: each operator has one, each row has an operator, and what rows say agrees
// with itself.

#include <set>

#include <QtTest/QtTest>

#include "engine/operators/traits/operator_traits.h"
#include "engine/schema/schema_list.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

std::string nameOf(std::string_view domain, std::string_view opType) {
  return fmt::format("{}:{}", domain, opType);
}

// Lists are longer than a failure's message may be.
bool isEmpty(const std::set<std::string>& wrong) {
  for (const std::string& each : wrong)
    qWarning("%s", each.c_str());
  return wrong.empty();
}

}  // namespace

class TestOperatorTraits : public QObject {
  Q_OBJECT

 private slots:
  void everyOperatorHasARow() {
    std::set<std::string> without;
    for (const OperatorSchema* schema : allSchemas()) {
      if (findTraits(schema->opType, schema->domain) == nullptr) without.insert(nameOf(schema->domain, schema->opType));
    }
    QVERIFY(isEmpty(without));
  }

  void everyRowHasAnOperator() {
    std::set<std::string> known{
        nameOf("com.microsoft", "NhwcFusedConv"),
        nameOf("com.microsoft", "FusedMatMulActivation"),  // onnxruntime writes them without a schema
        nameOf("cutaway", "FusedAttention")};              // a rewrite of `cpu` does
    for (const OperatorSchema* schema : allSchemas())
      known.insert(nameOf(schema->domain, schema->opType));
    std::set<std::string> without;
    for (const OperatorTraits* row : allTraits()) {
      if (!known.contains(nameOf(row->domain, row->opType))) without.insert(nameOf(row->domain, row->opType));
    }
    QVERIFY(allTraits().size() > 300);
    QVERIFY(isEmpty(without));
  }

  void noOperatorHasTwoRows() {
    std::set<std::string> seen, twice;
    for (const OperatorTraits* row : allTraits()) {
      if (!seen.insert(nameOf(row->domain, row->opType)).second) twice.insert(nameOf(row->domain, row->opType));
    }
    QVERIFY(isEmpty(twice));
  }

  void rowsAgreeWithThemselves() {
    std::set<std::string> wrong;
    for (const OperatorTraits* row : allTraits()) {
      const bool byPlace = row->relation == Relation::kElementwise || row->relation == Relation::kBroadcast;
      const int rules = (row->flops.perOutput > 0) + (row->flops.perInput > 0) + (row->flops.rule != nullptr);
      const bool parameters = !row->parameters[0].attribute.empty();
      if ((row->function != ElementFunction::kNone && !byPlace) || rules > 1 ||
          (parameters && row->function == ElementFunction::kNone))
        wrong.insert(nameOf(row->domain, row->opType));
    }
    QVERIFY(isEmpty(wrong));
  }

  void parametersAreTheSchemas() {
    std::set<std::string> wrong;
    for (const OperatorTraits* row : allTraits()) {
      const OperatorSchema* schema = findSchema(row->opType, row->domain, newestOpset(row->domain));
      for (const Parameter& parameter : row->parameters) {
        if (parameter.attribute.empty()) continue;
        const auto attribute = schema == nullptr ? nullptr : attributeOf(*schema, parameter.attribute);
        const float* otherwise = attribute == nullptr || !attribute->defaultValue
                                     ? nullptr
                                     : std::get_if<float>(&attribute->defaultValue->value);
        if (attribute == nullptr || (otherwise != nullptr && *otherwise != parameter.otherwise))
          wrong.insert(nameOf(row->domain, row->opType) + " " + std::string(parameter.attribute));
      }
    }
    QVERIFY(isEmpty(wrong));
  }

  void findsByNameAndDomain() {
    QCOMPARE(findTraits("Attention", "com.microsoft")->domain, std::string_view("com.microsoft"));
    QCOMPARE(findTraits("Attention", "")->domain, std::string_view());
    // Operators that repeat one of ai.onnx have its row; those of other domains have not.
    QCOMPARE(findTraits("GridSample", "com.microsoft"), findTraits("GridSample", ""));
    QCOMPARE(findTraits("Conv", "com.ms.internal.nhwc"), findTraits("Conv", ""));
    QVERIFY(findTraits("Conv", "strange") == nullptr);
    QVERIFY(findTraits("LinearRegressor", "") == nullptr);
    QVERIFY(findTraits("NoSuchOperator", "") == nullptr);
    QCOMPARE(findTraitsByName("LinearRegressor")->domain, std::string_view("ai.onnx.ml"));
  }

  void functionsOfNodes() {
    const auto function = [](const char* opType, const char* domain, int32_t version) {
      Node node;
      node.opType = opType;
      node.domain = domain;
      node.sinceVersion = version;
      return elementFunctionOf(node);
    };
    QCOMPARE(function("Celu", "", 12), ElementFunction::kCelu);
    QCOMPARE(function("Celu", "com.microsoft", 12), ElementFunction::kNone);
    QCOMPARE(function("QuickGelu", "com.microsoft", 1), ElementFunction::kSwish);
    QCOMPARE(function("PRelu", "", 6), ElementFunction::kNone);
    QCOMPARE(function("PRelu", "", 7), ElementFunction::kPRelu);
    QCOMPARE(elementFunctionNamed("HardSwish"), ElementFunction::kHardSwish);
    QCOMPARE(elementFunctionNamed("hardswish"), ElementFunction::kNone);
  }

 private:
  static const SchemaAttribute* attributeOf(const OperatorSchema& schema, std::string_view name) {
    for (const SchemaAttribute& attribute : schema.attributes) {
      if (attribute.name == name) return &attribute;
    }
    return nullptr;
  }
};

QTEST_GUILESS_MAIN(TestOperatorTraits)
#include "tst_operator_traits.moc"
