#include "engine/plan/cost_formulas.h"

#include <charconv>

#include "engine/operators/cost/node_cost.h"

namespace cutaway::plan {
namespace {

// A node without a formula, or one too many for a polynomial's bounds, is counted and left out.
void add(SizePolynomial& sum, const std::optional<SizePolynomial>& part, int64_t& left) {
  const std::optional<SizePolynomial> more = part ? sum.plus(*part) : std::nullopt;
  if (more) {
    sum = *more;
  } else {
    ++left;
  }
}

// "4128*batch*seq" as "4.13 K x batch x seq"; a coefficient of one stands nowhere in the text.
std::string termText(std::string_view term, const std::function<std::string(int64_t)>& write) {
  int64_t coefficient = 1;
  const auto [end, error] = std::from_chars(term.data(), term.data() + term.size(), coefficient);
  if (error == std::errc()) term.remove_prefix(static_cast<size_t>(end - term.data()));
  std::string text = write(coefficient);
  if (!term.empty() && term.front() != '*') text += " x ";
  for (const char each : term)
    text += each == '*' ? std::string(" x ") : std::string(1, each);
  return text;
}

}  // namespace

GraphFormulas graphFormulas(const Graph& graph) {
  GraphFormulas sum;
  for (const NodeId id : graph.nodeIds()) {
    const operators::NodeFormulas formulas = operators::nodeFormulas(graph, id);
    add(sum.flops, formulas.flops, sum.nodesWithoutFlops);
    add(sum.movedBytes, formulas.movedBytes, sum.nodesWithoutBytes);
  }
  return sum;
}

std::string formulaText(const SizePolynomial& formula, const std::function<std::string(int64_t)>& write) {
  const std::string canonical = formula.toText();
  std::string text;
  for (size_t at = 0; at <= canonical.size();) {
    const size_t end = std::min(canonical.find(" + ", at), canonical.size());
    text += (text.empty() ? "" : " + ") + termText(std::string_view(canonical).substr(at, end - at), write);
    at = end + 3;
  }
  return text;
}

}  // namespace cutaway::plan
