// Operators of ai.onnx.ml.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr OperatorTraits kRows[] = {
    {.opType = "ArrayFeatureExtractor", .domain = kMachineLearning, .traffic = Traffic::kPicks},
    {.opType = "Binarizer", .domain = kMachineLearning, .flops = {.rule = unknown, .linear = true}},
    {.opType = "CastMap", .domain = kMachineLearning, .flops = {.rule = unknown, .linear = true}},
    {.opType = "CategoryMapper", .domain = kMachineLearning, .flops = {.rule = unknown, .linear = true}},
    {.opType = "DictVectorizer", .domain = kMachineLearning, .flops = {.rule = unknown, .linear = true}},
    {.opType = "FeatureVectorizer", .domain = kMachineLearning},
    {.opType = "Imputer", .domain = kMachineLearning, .flops = {.rule = unknown, .linear = true}},
    {.opType = "LabelEncoder", .domain = kMachineLearning, .flops = {.rule = unknown, .linear = true}},
    {.opType = "LinearClassifier", .domain = kMachineLearning, .flops = {.rule = linearModel}},
    {.opType = "LinearRegressor", .domain = kMachineLearning, .flops = {.rule = linearModel}},
    {.opType = "Normalizer", .domain = kMachineLearning, .flops = {.perOutput = 3}, .overInputs = kFirst},
    {.opType = "OneHotEncoder", .domain = kMachineLearning, .flops = {.rule = unknown, .linear = true}},
    {.opType = "SVMClassifier", .domain = kMachineLearning, .flops = {.rule = unknown, .atMost = supportVectorsAtMost}},
    {.opType = "SVMRegressor", .domain = kMachineLearning, .flops = {.rule = unknown, .atMost = supportVectorsAtMost}},
    {.opType = "Scaler", .domain = kMachineLearning, .flops = {.perOutput = 2}, .overInputs = kFirst},
    {.opType = "TreeEnsemble", .domain = kMachineLearning, .flops = {.rule = unknown, .atMost = treesAtMost}},
    {.opType = "TreeEnsembleClassifier", .domain = kMachineLearning, .flops = {.rule = unknown, .atMost = treesAtMost}},
    {.opType = "TreeEnsembleRegressor", .domain = kMachineLearning, .flops = {.rule = unknown, .atMost = treesAtMost}},
    {.opType = "ZipMap", .domain = kMachineLearning},
};

}  // namespace

OperatorRows traits_machine_learning() {
  return kRows;
}

}  // namespace cutaway::operators
