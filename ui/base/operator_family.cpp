#include "ui/base/operator_family.h"

#include <array>
#include <optional>
#include <string_view>

#include <QCoreApplication>

#include "engine/study/operator_family.h"

namespace cutaway::ui {
namespace {

struct Family {
  const char* name;
  char letter;
};

// In the order of OperatorFamily.
constexpr std::array<Family, kOperatorFamilyCount> kFamilies = {{
    {QT_TRANSLATE_NOOP("OperatorFamily", "Convolution & products"), 'P'},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Activation"), 'A'},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Normalisation & pooling"), 'N'},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Arithmetic"), 'E'},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Shape & movement"), 'S'},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Control flow & functions"), 'F'},
    {QT_TRANSLATE_NOOP("OperatorFamily", "Types & quantisation"), 'Q'},
}};

// Nodes that providers make of several operators, which no schema knows.
std::optional<study::OperatorFamily> madeByProviders(std::string_view opType) {
  if (opType == "FusedProduct") return study::OperatorFamily::kProduct;
  if (opType == "Chain") return study::OperatorFamily::kArithmetic;
  return std::nullopt;
}

}  // namespace

int operatorFamily(const NodeReport& node) {
  if (!node.bodies.empty() || node.function >= 0) return static_cast<int>(study::OperatorFamily::kControl);
  std::optional<study::OperatorFamily> family = study::operatorFamilyOf(node.opType);
  if (!family) family = madeByProviders(node.opType);
  return family ? static_cast<int>(*family) : -1;
}

QString operatorFamilyName(int family) {
  return QCoreApplication::translate("OperatorFamily", kFamilies[family].name);
}
QChar operatorFamilyLetter(int family) {
  return QLatin1Char(kFamilies[family].letter);
}

}  // namespace cutaway::ui
