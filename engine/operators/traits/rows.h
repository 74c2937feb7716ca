#pragma once
// Short forms of rows for the files of this folder.
//
// Example: inPlace(elementwise("Elu", ElementFunction::kElu, 2 + kTranscendental, {"alpha", 1.0f}))

#include "engine/operators/traits/operator_traits.h"

namespace cutaway::operators {

inline constexpr std::string_view kMicrosoft = "com.microsoft";
inline constexpr std::string_view kMachineLearning = "ai.onnx.ml";
inline constexpr std::string_view kOwn = "cutaway";  // nodes that the engine and its providers put in
inline constexpr std::string_view kPreview = "ai.onnx.preview";
inline constexpr std::string_view kTraining = "ai.onnx.preview.training";

inline constexpr OverInput kFirst[] = {{0, 0}};
inline constexpr OverInput kFirstAsView[] = {{0, 0, true}};

// flops: for each element of the output.
constexpr OperatorTraits elementwise(std::string_view opType, ElementFunction function, int flops, Parameter a = {},
                                     Parameter b = {}) {
  return {.opType = opType,
          .family = Family::kArithmetic,
          .relation = Relation::kElementwise,
          .flops = {.perOutput = flops},
          .image = ImageRole::kFollows,
          .function = function,
          .parameters = {a, b}};
}

constexpr OperatorTraits broadcast(std::string_view opType, ElementFunction function, int flops) {
  return {.opType = opType,
          .family = Family::kArithmetic,
          .relation = Relation::kBroadcast,
          .flops = {.perOutput = flops},
          .image = ImageRole::kFollows,
          .function = function};
}

// Of any number of inputs: the function of the first two, of that and the third, and so on.
constexpr OperatorTraits folded(std::string_view opType, ElementFunction function) {
  OperatorTraits row = broadcast(opType, function, 0);
  row.flops = {.rule = cost::variadic};
  return row;
}

constexpr OperatorTraits inPlace(OperatorTraits row) {
  row.overInputs = kFirst;
  return row;
}
// Of elementwise rows, which are kArithmetic otherwise.
constexpr OperatorTraits inFamily(Family family, OperatorTraits row) {
  row.family = family;
  return row;
}
constexpr OperatorTraits piecewiseConstant(OperatorTraits row) {
  row.piecewiseConstant = true;
  return row;
}
constexpr OperatorTraits contributed(OperatorTraits row) {
  row.domain = kMicrosoft;
  return row;
}
constexpr OperatorTraits since(int32_t version, OperatorTraits row) {
  row.since = version;
  return row;
}
constexpr OperatorTraits before(std::array<Parameter, 2> parameters, OperatorTraits row) {
  row.earlierParameters = parameters;
  return row;
}

}  // namespace cutaway::operators
