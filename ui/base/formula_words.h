#pragma once
// Costs over open dimensions as the window writes them.
//
// Thread rule: pure. Example: formulaWords(formulas.flops, formulas.free, workText) == "311 MFLOP × batch"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <QString>

#include "engine/report/cost_formula.h"

namespace cutaway::ui {

// The numbers as `write` writes them: sizeText, workText.
QString formulaWords(const CostFormula& formula, const std::set<std::string>& free, QString (*write)(int64_t));
// The largest of several: "the largest of 12 B × n; 3 kB". Not empty.
QString boundsWords(const std::vector<CostFormula>& bounds, const std::set<std::string>& free,
                    QString (*write)(int64_t));
// "height, width in multiples of 32".
QString multiplesWords(const std::map<std::string, int64_t>& multiples);
// " (height, width in multiples of 32)"; empty: any sizes.
QString conditionWords(const std::map<std::string, int64_t>& multiples);
// For a card, a cell or a fact: the term that grows the most; where names are long, how many there are: "52 B × 3
// dims".
QString formulaHeadWords(const CostFormula& formula, QString (*write)(int64_t));

}  // namespace cutaway::ui
