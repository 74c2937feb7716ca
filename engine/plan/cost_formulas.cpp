#include "engine/plan/cost_formulas.h"

#include <algorithm>
#include <charconv>

#include "engine/base/result.h"
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

// "batch" and "seq" of "4128*batch*seq".
std::vector<std::string> symbolsOf(std::string_view term) {
  std::vector<std::string> symbols;
  bool isQuoted = false;
  std::string symbol;
  const auto end = [&] {
    if (!symbol.empty() && (symbol.front() < '0' || symbol.front() > '9')) symbols.push_back(symbol);
    symbol.clear();
  };
  for (const char each : term) {
    if (each == '"') isQuoted = !isQuoted;
    if (each == '*' && !isQuoted)
      end();
    else
      symbol += each;
  }
  end();
  return symbols;
}

// Terms of the canonical text.
template <typename Visit>
void forEachTerm(const std::string& canonical, Visit&& visit) {
  for (size_t at = 0; at <= canonical.size();) {
    const size_t end = std::min(canonical.find(" + ", at), canonical.size());
    visit(std::string_view(canonical).substr(at, end - at));
    at = end + 3;
  }
}

std::set<std::string> freeSymbols(const Graph& graph) {
  std::set<std::string> free;
  for (const ValueId id : graph.inputs()) {
    const ValueType& type = graph.value(id).type;
    if (!type.isTensor() || !type.shape) continue;
    for (const Dim& dim : type.shape->dims()) {
      const std::optional<SizePolynomial> size = polynomialOf(dim);
      if (!size) continue;
      forEachTerm(size->toText(), [&](std::string_view term) {
        for (std::string& symbol : symbolsOf(term))
          free.insert(std::move(symbol));
      });
    }
  }
  return free;
}

}  // namespace

GraphFormulas graphFormulas(const Graph& graph) {
  GraphFormulas sum;
  sum.free = freeSymbols(graph);
  for (const NodeId id : graph.nodeIds()) {
    const operators::NodeFormulas formulas = operators::nodeFormulas(graph, id);
    add(sum.flops, formulas.flops, sum.nodesWithoutFlops);
    add(sum.movedBytes, formulas.movedBytes, sum.nodesWithoutBytes);
  }
  return sum;
}

std::string formulaText(const SizePolynomial& formula, const std::set<std::string>& free,
                        const std::function<std::string(int64_t)>& write) {
  std::string text;
  int64_t inside = 0;
  forEachTerm(formula.toText(), [&](std::string_view term) {
    const std::vector<std::string> symbols = symbolsOf(term);
    if (std::ranges::all_of(symbols, [&](const std::string& each) { return free.contains(each); }))
      text += (text.empty() ? "" : " + ") + termText(term, write);
    else
      ++inside;
  });
  if (inside == 0) return text;
  return fmt::format("{}{}{} term{} in sizes that follow inside the graph", text, text.empty() ? "" : " + ", inside,
                     inside == 1 ? "" : "s");
}

}  // namespace cutaway::plan
