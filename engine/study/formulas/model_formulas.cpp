#include "engine/study/formulas/model_formulas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <unordered_map>

#include <spdlog/fmt/ranges.h>

#include "engine/base/quote.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/plan/function_costs.h"
#include "engine/schema/function_size.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/study/formulas/polynomial_fit.h"
#include "engine/tensor/size_polynomial.h"

namespace cutaway::study {
namespace {

constexpr size_t kMostDims = 4;
constexpr int64_t kMostNodesTyped = 200'000;           // over all sizes that are tried
constexpr size_t kMostNodesSized = 20'000;             // of longer plans nobody asks (plan_formulas.cpp)
constexpr std::array<int64_t, 3> kUnits = {32, 8, 1};  // some models take only few sizes

using Sizes = std::map<std::string, int64_t>;
using Counts = std::vector<int64_t>;  // flops of nodes, then their bytes, then sizes of values; -1: not known

std::optional<CostFormula> formulaOf(const std::optional<SizePolynomial>& polynomial) {
  return polynomial ? CostFormula::read(polynomial->toText()) : std::nullopt;
}

// Formulas by their canonical texts: of a large model's nodes there are a handful.
class FormulaPool {
 public:
  std::shared_ptr<const CostFormula> of(const std::optional<SizePolynomial>& polynomial) {
    if (!polynomial) return nullptr;
    const auto [known, isNew] = m_formulas.try_emplace(polynomial->toText());
    if (isNew)
      if (std::optional<CostFormula> formula = CostFormula::read(known->first))
        known->second = std::make_shared<const CostFormula>(*std::move(formula));
    return known->second;
  }

 private:
  std::unordered_map<std::string, std::shared_ptr<const CostFormula>> m_formulas;
};

std::set<std::string> symbolsOf(const CostFormula& formula) {
  std::set<std::string> symbols;
  for (const auto& [product, coefficient] : formula.terms)
    symbols.insert(product.begin(), product.end());
  return symbols;
}

// Dimensions of inputs without a name get one: "image[2]".
std::vector<std::string> nameDimensions(Graph& graph, const Sizes& bound) {
  std::set<std::string> names;
  for (const ValueId id : graph.inputs()) {
    ValueType& type = graph.mutableValue(id).type;
    if (graph.value(id).initializer || !type.isTensor() || !type.shape) continue;
    std::vector<Dim> dims(type.shape->dims().begin(), type.shape->dims().end());
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      if (dims[axis].isKnown()) continue;
      if (!dims[axis].isSymbol()) dims[axis] = Dim(fmt::format("{}[{}]", graph.value(id).name, axis));
      if (!bound.contains(dims[axis].symbol())) names.insert(dims[axis].symbol());
    }
    type.shape = Shape(std::move(dims));
  }
  return {names.begin(), names.end()};
}

class Sampler {
 public:
  Sampler(const Model& model, const Sizes& bound, Progress& progress)
      : m_model(model), m_bound(bound), m_progress(progress) {}

  // nullopt: the model does not take these sizes together.
  std::optional<Counts> countsAt(const Sizes& sizes) {
    if (m_progress.cancelled()) return std::nullopt;
    Model model = m_model;
    Sizes dims = m_bound;
    dims.insert(sizes.begin(), sizes.end());
    if (!resolve::resolve(model, {.dims = std::move(dims), .trace = false}, m_progress)) return std::nullopt;
    return countsOf(model);
  }
  static Counts countsOf(const Model& model) {
    const std::vector<NodeId> nodes = model.graph.nodeIds();
    Counts counts;
    Counts bytes;
    plan::FunctionCosts functions(model);
    for (const NodeId id : nodes) {
      const operators::NodeCost cost = operators::nodeCost(model.graph, id);
      counts.push_back(cost.flops >= 0 ? cost.flops : functions.flopsOf(model.graph, id));
      bytes.push_back(cost.movedBytes);
    }
    counts.insert(counts.end(), bytes.begin(), bytes.end());
    for (const ValueId id : model.graph.valueIds())
      counts.push_back(staticByteSize(model.graph.value(id).type).value_or(-1));
    return counts;
  }

 private:
  const Model& m_model;
  const Sizes& m_bound;
  Progress& m_progress;
};

// One polynomial for every count, or none.
class Fitter {
 public:
  Fitter(Sampler& sampler, std::vector<std::string> dims) : m_sampler(sampler) { m_grid.dims = std::move(dims); }

  // With the largest unit that the model takes.
  std::vector<std::optional<CostFormula>> formulas() {
    for (const int64_t unit : kUnits) {
      m_grid.unit = unit;
      m_grid.degrees.clear();
      std::vector<std::optional<CostFormula>> made = fitted();
      if (!made.empty()) return made;
    }
    return {};
  }
  const Sizes& multiples() const { return m_multiples; }

 private:
  std::vector<std::optional<CostFormula>> fitted() {
    if (!findDegrees()) return {};
    std::vector<Counts> all;
    for (const Point& point : m_grid.points()) {
      const std::optional<Counts>& counts = at(m_grid.sizes(point));
      if (!counts) return {};
      all.push_back(*counts);
    }
    std::vector<std::optional<CostFormula>> made(all.front().size());
    for (size_t count = 0; count < made.size(); ++count) {
      std::vector<double> values;
      for (const Counts& counts : all)
        values.push_back(static_cast<double>(counts[count]));
      if (std::ranges::all_of(values, [](double value) { return value >= 0; })) made[count] = fit(m_grid, values);
    }
    if (!keepProven(made)) return {};
    findMultiples(made);
    return made;
  }
  const std::optional<Counts>& at(const Sizes& sizes) {
    const auto [entry, isNew] = m_known.try_emplace(sizes);
    if (!isNew) return entry->second;
    entry->second = m_sampler.countsAt(sizes);
    if (entry->second && m_width == 0) m_width = entry->second->size();
    if (entry->second && entry->second->size() != m_width) entry->second.reset();  // not the same graph any more
    return entry->second;
  }
  Point ones() const { return Point(m_grid.dims.size(), 1); }

  bool findDegrees() {
    for (size_t dim = 0; dim < m_grid.dims.size(); ++dim) {
      std::array<std::optional<Counts>, 3> along;
      for (int64_t units = 1; units <= 3; ++units) {
        Point point = ones();
        point[dim] = units;
        along[static_cast<size_t>(units) - 1] = at(m_grid.sizes(point));
      }
      if (!along[0] || !along[1] || !along[2]) return false;
      int degree = 0;
      for (size_t count = 0; count < along[0]->size(); ++count)
        degree = std::max(degree, degreeOf((*along[0])[count], (*along[1])[count], (*along[2])[count]));
      m_grid.degrees.push_back(degree);
    }
    return true;
  }
  static bool agree(const std::vector<std::optional<CostFormula>>& made, const Counts& counts, const Sizes& sizes) {
    for (size_t count = 0; count < made.size(); ++count)
      if (made[count] && !agrees(*made[count], counts[count], sizes)) return false;
    return true;
  }
  static bool agrees(const CostFormula& formula, int64_t count, const Sizes& sizes) {
    const double told = formula.at(sizes).value_or(-1);
    return count >= 0 && std::abs(told - static_cast<double>(count)) <= 1e-9 * std::abs(told) + 0.001;
  }
  // Further sizes: a polynomial that they do not give is none.
  bool keepProven(std::vector<std::optional<CostFormula>>& made) {
    for (const int64_t first : {4, 7}) {
      Point point;
      for (size_t dim = 0; dim < m_grid.dims.size(); ++dim)
        point.push_back(first + static_cast<int64_t>(dim % 3));
      const Sizes sizes = m_grid.sizes(point);
      const std::optional<Counts>& counts = at(sizes);
      if (!counts) return false;
      for (size_t count = 0; count < made.size(); ++count)
        if (made[count] && !agrees(*made[count], (*counts)[count], sizes)) made[count].reset();
    }
    return true;
  }
  // The smallest size whose odd multiples every formula holds for.
  void findMultiples(const std::vector<std::optional<CostFormula>>& made) {
    for (size_t dim = 0; dim < m_grid.dims.size(); ++dim) {
      int64_t found = m_grid.unit;
      for (int64_t size = 1; size < m_grid.unit; size *= 2) {
        Sizes sizes = m_grid.sizes(ones());
        sizes[m_grid.dims[dim]] = 2 * m_grid.unit + size;
        const std::optional<Counts>& counts = at(sizes);
        if (!counts || !agree(made, *counts, sizes)) continue;
        found = size;
        break;
      }
      if (found > 1) m_multiples[m_grid.dims[dim]] = found;
    }
  }

  Sampler& m_sampler;
  Grid m_grid;
  std::map<Sizes, std::optional<Counts>> m_known;
  size_t m_width = 0;
  Sizes m_multiples;
};

// What the symbols of the types say.
void fillSymbolic(const Graph& graph, ModelFormulas& formulas) {
  FormulaPool pool;
  formulas.nodes.reserve(graph.nodeCount());
  for (const NodeId id : graph.nodeIds()) {
    const operators::NodeFormulas known = operators::nodeFormulas(graph, id);
    formulas.nodes.push_back({pool.of(known.flops), pool.of(known.movedBytes)});
  }
  if (graph.nodeCount() > kMostNodesSized) return;
  for (const ValueId id : graph.valueIds()) {
    std::optional<CostFormula> size = formulaOf(byteSizeOf(graph.value(id).type));
    if (size && size->isOpen()) formulas.sizes.emplace(graph.value(id).name, *std::move(size));
  }
}

bool isFree(const CostFormula* formula, const std::set<std::string>& free) {
  return formula != nullptr && std::ranges::includes(free, symbolsOf(*formula));
}

bool allFree(const ModelFormulas& formulas) {
  return std::ranges::all_of(formulas.nodes, [&](const NodeFormulas& node) {
    return isFree(node.flops.get(), formulas.free) && isFree(node.movedBytes.get(), formulas.free);
  });
}

// Along each dimension and for its multiples, the corners of a grid that is mostly linear, and the proof.
int64_t mostTypings(int64_t dims) {
  return 8 * dims + (int64_t{1} << dims) + 3;
}

// nodes: those in bodies and behind calls count, too.
bool isSmallEnough(int64_t nodes, size_t dims) {
  return dims > 0 && dims <= kMostDims && nodes <= kMostNodesTyped / mostTypings(static_cast<int64_t>(dims));
}

// Something is left to be found, by dimensions that can be bound one by one ("past + seq" cannot).
bool canSample(const std::vector<std::string>& open, const ModelFormulas& formulas) {
  const bool bindable =
      std::ranges::all_of(open, [&](const std::string& name) { return formulas.free.contains(name); });
  return bindable && !allFree(formulas);
}

// A fitted formula stands where the symbols say nothing that its reader knows.
void fillSampled(const Graph& graph, std::vector<std::optional<CostFormula>> fitted, ModelFormulas& formulas) {
  const size_t nodes = formulas.nodes.size();
  const auto take = [&](std::shared_ptr<const CostFormula>& known, std::optional<CostFormula>& more) {
    if (!isFree(known.get(), formulas.free) && more) known = std::make_shared<const CostFormula>(*std::move(more));
  };
  for (size_t node = 0; node < nodes; ++node) {
    take(formulas.nodes[node].flops, fitted[node]);
    take(formulas.nodes[node].movedBytes, fitted[nodes + node]);
  }
  size_t place = 2 * nodes;
  for (const ValueId id : graph.valueIds()) {
    std::optional<CostFormula>& more = fitted[place++];
    const std::string& name = graph.value(id).name;
    const auto known = formulas.sizes.find(name);
    if (known != formulas.sizes.end() && isFree(&known->second, formulas.free)) continue;
    if (more && more->isOpen()) formulas.sizes.insert_or_assign(name, *std::move(more));
  }
}

void addUp(ModelFormulas& formulas) {
  const auto add = [](CostFormula& sum, const std::shared_ptr<const CostFormula>& part, int64_t& left) {
    left += part && sum.add(*part) ? 0 : 1;
  };
  for (const NodeFormulas& node : formulas.nodes) {
    add(formulas.flops, node.flops, formulas.nodesWithoutFlops);
    add(formulas.movedBytes, node.movedBytes, formulas.nodesWithoutBytes);
  }
}

}  // namespace

Result<ModelFormulas> modelFormulas(Model loaded, const std::map<std::string, int64_t>& dims, Progress& progress) {
  const std::vector<std::string> open = nameDimensions(loaded.graph, dims);
  std::optional<Model> named;  // of a large graph there is no room, and no time, for more than one
  const int64_t nodes = nodesWithBodies(loaded.graph);
  if (isSmallEnough(nodes, open.size())) named = loaded;
  Model typed = std::move(loaded);
  CUTAWAY_TRY(const ResolveReport resolved, resolve::resolve(typed, {.dims = dims, .trace = false}, progress));
  if (!isSmallEnough(nodes + resolved.callNodes, open.size())) named.reset();
  ModelFormulas formulas;
  for (const std::string& name : open)
    if (const std::optional<CostFormula> size = formulaOf(polynomialOf(Dim(name))))
      formulas.free.merge(symbolsOf(*size));
  fillSymbolic(typed.graph, formulas);
  if (named && canSample(open, formulas)) {
    Sampler sampler(*named, dims, progress);
    Fitter fitter(sampler, open);
    std::vector<std::optional<CostFormula>> fitted = fitter.formulas();
    if (progress.cancelled()) return fail(cancelledError());
    if (fitted.size() == Sampler::countsOf(typed).size()) {
      fillSampled(typed.graph, std::move(fitted), formulas);
      formulas.multiples = fitter.multiples();
    }
  }
  addUp(formulas);
  return formulas;
}

ModelFormulas symbolicFormulas(const Graph& graph) {
  ModelFormulas formulas;
  fillSymbolic(graph, formulas);
  addUp(formulas);
  return formulas;
}

std::string multiplesText(const std::map<std::string, int64_t>& multiples) {
  std::map<int64_t, std::vector<std::string>> dims;
  for (const auto& [name, size] : multiples)
    dims[size].push_back(identifierOrQuoted(name));
  std::vector<std::string> parts;
  for (const auto& [size, names] : dims)
    parts.push_back(fmt::format("{} in multiples of {}", fmt::join(names, " and "), size));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace cutaway::study
