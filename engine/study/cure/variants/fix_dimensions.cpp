// Open dimensions of inputs become numbers: many compilers want every size.
//
// A size that the user names is taken; for others the names that exporters give tell what they are, and the size is a
// guess that the proposal says is one.

#include <algorithm>

#include "engine/edit/model_edit.h"
#include "engine/study/cure/variant.h"
#include "engine/study/size_guess.h"

namespace cutaway::study {
namespace {

struct OpenDim {
  std::string symbol;  // empty: it has no name
  std::string input;   // the first that has it
  size_t axis = 0;
  int64_t size = 1;
  bool assumed = true;
  std::string called() const { return symbol.empty() ? fmt::format("dimension {} of '{}'", axis, input) : symbol; }
};

std::vector<OpenDim> openDims(const CureContext& context) {
  std::vector<OpenDim> result;
  for (const ValueId id : context.model.graph.inputs()) {
    const Value& value = context.model.graph.value(id);
    if (value.initializer || !value.type.isTensor() || !value.type.shape) continue;
    for (size_t axis = 0; axis < value.type.shape->rank(); ++axis) {
      const Dim& dim = (*value.type.shape)[axis];
      if (dim.isKnown()) continue;
      if (dim.isSymbol() && std::ranges::find(result, dim.symbol(), &OpenDim::symbol) != result.end()) continue;
      OpenDim open{.symbol = dim.symbol(), .input = value.name, .axis = axis};
      const auto given = context.sizes.find(dim.symbol());
      open.assumed = given == context.sizes.end() || !dim.isSymbol();
      open.size = open.assumed ? guessSize(open.symbol, axis, value.type) : given->second;
      result.push_back(std::move(open));
    }
  }
  return result;
}

Result<Model> fix(const CureContext& context, const std::vector<OpenDim>& dims) {
  std::vector<edit::ModelEdit> edits;
  for (const OpenDim& dim : dims)
    if (!dim.symbol.empty())
      edits.push_back({.kind = edit::EditKind::kSetDim, .name = dim.symbol, .text = std::to_string(dim.size)});
  CUTAWAY_TRY(Model model, edit::applyEdits(context.model, edits));
  for (const ValueId id : model.graph.inputs()) {
    Value& value = model.graph.mutableValue(id);
    for (const OpenDim& dim : dims)
      if (dim.symbol.empty() && dim.input == value.name) (*value.type.shape)[dim.axis] = Dim(dim.size);
  }
  return model;
}

CureChange changeOf(const CureContext& context, std::vector<OpenDim> dims) {
  CureChange change;
  std::vector<std::string> parts;
  for (const OpenDim& dim : dims) {
    parts.push_back(fmt::format("{} = {}", dim.called(), dim.size));
    change.assumed = change.assumed || (dim.assumed && dim.axis != 0);  // 1 for a batch is a choice, not a guess
  }
  change.title = fmt::format("{}", fmt::join(parts, ", "));
  change.consequence = dims.size() == 1 ? "the model runs with this size only" : "the model runs with these sizes only";
  change.parts = static_cast<int64_t>(dims.size());
  change.apply = [&context, dims = std::move(dims)] { return fix(context, dims); };
  return change;
}

std::vector<CureChange> propose(const CureContext& context) {
  constexpr size_t kMostAlone = 8;
  const std::vector<OpenDim> dims = openDims(context);
  std::vector<CureChange> changes;
  if (dims.empty()) return changes;
  if (dims.size() <= kMostAlone)
    for (const OpenDim& dim : dims)
      changes.push_back(changeOf(context, {dim}));
  if (dims.size() == 1) return changes;
  std::vector<OpenDim> first;
  std::ranges::copy_if(dims, std::back_inserter(first), [](const OpenDim& dim) { return dim.axis == 0; });
  if (first.size() > 1 && first.size() < dims.size()) changes.push_back(changeOf(context, first));
  changes.push_back(changeOf(context, dims));
  // Guesses may contradict the model (a table of 100 positions, say), where smaller ones need not.
  std::vector<OpenDim> tried = dims;
  int lessened = 0;
  for (const int64_t most : {int64_t{16}, int64_t{1}}) {
    std::vector<OpenDim> smaller = tried;
    for (OpenDim& dim : smaller)
      if (dim.assumed) dim.size = std::min(dim.size, most);
    if (std::ranges::equal(smaller, tried, {}, &OpenDim::size, &OpenDim::size)) continue;
    changes.push_back(changeOf(context, smaller));
    changes.back().lessened = ++lessened;
    tried = std::move(smaller);
  }
  return changes;
}

constexpr CureVariant kVariant{
    .name = "fix dimensions", .purpose = "gives open dimensions of inputs a size", .propose = propose};

}  // namespace

const CureVariant& cure_fix_dimensions() {
  return kVariant;
}

}  // namespace cutaway::study
