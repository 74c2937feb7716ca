#pragma once
// What something costs over the dimensions that are open before a run: "4128*batch*seq + 12" in place of "not known".
//
// Thread rule: plain values. Example: CostFormula sum;  sum.add(first);  sum.add(second);
// put("{}", formulaText(sum, formulas.free, bytesOf));   // "4.13 KB x batch x seq + 12 B"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway {

struct CostFormula {
  // The symbols of a product, in order, those in a power several times; none: the constant. Coefficients are not 0;
  // behind a stride of two a quarter of a pixel costs something.
  std::map<std::vector<std::string>, double> terms;

  static CostFormula constant(double value);
  // What SizePolynomial::toText() writes; nullopt: another text.
  static std::optional<CostFormula> read(std::string_view canonical);
  bool isOpen() const;                // depends on a dimension
  bool add(const CostFormula& more);  // false: more than 256 terms; the sum is as it was then
  std::optional<double> at(const std::map<std::string, int64_t>& sizes) const;  // nullopt: a symbol has no size
  std::string toText() const;  // "4128*batch*seq + 12"; the same text means the same formula
};

// Of a node; nullptr: nobody can say. Nodes with the same formula share it.
struct NodeFormulas {
  std::shared_ptr<const CostFormula> flops, movedBytes;
};

// Numbers as formulas write them: whole ones as a figure is written anyway, small ones with their fraction.
using WriteAmount = std::function<std::string(int64_t)>;

// "4.13 k x batch x seq + 12": the numbers as `write` writes them. Terms in other dimensions than the free ones, which
// follow inside the graph and tell nobody anything, are counted at the end.
std::string formulaText(const CostFormula& formula, const std::set<std::string>& free, const WriteAmount& write);
// For a narrow place: the term with the most symbols (the largest of them), and whether others follow.
std::string formulaHead(const CostFormula& formula, const WriteAmount& write);

}  // namespace cutaway
