#include "engine/study/operator_family.h"

#include "engine/operators/traits/operator_traits.h"

namespace cutaway::study {

namespace {

// What a form of an operator for other types or another layout is called: it belongs where the operator does.
constexpr std::string_view kForms[] = {"QLinear", "Nhwc", "Q"};

}  // namespace

std::optional<OperatorFamily> operatorFamilyOf(std::string_view opType) {
  using operators::Family;
  const operators::OperatorTraits* traits = operators::findTraitsByName(opType);
  switch (traits == nullptr ? Family::kNone : traits->family) {
    case Family::kProduct:
      return OperatorFamily::kProduct;
    case Family::kActivation:
      return OperatorFamily::kActivation;
    case Family::kNormalization:
      return OperatorFamily::kNormalization;
    case Family::kArithmetic:
      return OperatorFamily::kArithmetic;
    case Family::kMovement:
      return OperatorFamily::kMovement;
    case Family::kControl:
      return OperatorFamily::kControl;
    case Family::kType:
      return OperatorFamily::kType;
    case Family::kNone:
      break;
  }
  for (const std::string_view form : kForms)
    if (opType.starts_with(form)) return operatorFamilyOf(opType.substr(form.size()));
  return std::nullopt;
}

}  // namespace cutaway::study
