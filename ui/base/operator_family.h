#pragma once
// Families of operators, for colouring a graph before anything else is known about it.
//
// Thread rule: pure functions. Example: operatorFamilyName(operatorFamily(node)) == "Convolution & products"

#include <QChar>
#include <QString>

#include "engine/report/graph_report.h"

namespace cutaway::ui {

inline constexpr int kOperatorFamilyCount = 7;

int operatorFamily(const NodeReport& node);  // 0 .. kOperatorFamilyCount-1; -1: none of them
QString operatorFamilyName(int family);
QChar operatorFamilyLetter(int family);

}  // namespace cutaway::ui
