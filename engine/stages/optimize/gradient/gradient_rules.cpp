// The table of rules, and what a rule may ask about its node.

#include "engine/stages/optimize/gradient/gradient_rules.h"

#include <unordered_map>

#include "engine/operators/traits/operator_traits.h"

namespace cutaway::optimize {

void Backward::give(size_t slot, ValueId gradient) {
  if (!wants(slot) || !build.status()) return;
  const auto [place, fresh] = m_gradients.try_emplace(x(slot).index(), gradient);
  if (!fresh) place->second = build.add(place->second, gradient);
}

void Backward::refuse(std::string_view why) {
  build.refuse(atNode(
      {ErrorCode::kNotImplemented, fmt::format("Gradient: {} cannot be differentiated here: {}", node.opType, why), {}},
      node.name));
}

int64_t Backward::rankOf(size_t slot) {
  const auto rank = build.rank(x(slot));
  if (!rank) refuse(fmt::format("the rank of input {} is not known", slot));
  return static_cast<int64_t>(rank.value_or(0));
}

std::optional<std::vector<int64_t>> Backward::axes(int64_t rank) {
  std::vector<int64_t> found;
  if (node.findAttribute("axes") != nullptr) {
    found = node.attributeOr<std::vector<int64_t>>("axes", {});
  } else if (has(1)) {
    const Tensor* given = build.constant(x(1));
    if (given == nullptr || given->type() != ElementType::kInt64) return std::nullopt;
    found.assign(given->span<int64_t>().begin(), given->span<int64_t>().end());
  }
  for (int64_t& axis : found)
    axis += axis < 0 ? rank : 0;
  return found;
}

const GradientRule* findGradientRule(const Node& node) {
  static const auto* const kTable = [] {
    auto* table = new std::unordered_map<std::string_view, const GradientRule*>();
    for (const GradientRules& rules :
         {elementwiseGradients(), selectionGradients(), movementGradients(), reductionGradients(), productGradients(),
          convolutionGradients(), normalizationGradients()}) {
      for (const GradientRule& rule : rules)
        table->emplace(rule.opType, &rule);
    }
    return table;
  }();
  if (!node.domain.empty()) return nullptr;
  const auto found = kTable->find(node.opType);
  return found == kTable->end() ? nullptr : found->second;
}

bool isPiecewiseConstant(const Node& node) {
  const operators::OperatorTraits* traits = operators::findTraits(node);
  return node.domain.empty() && traits != nullptr && traits->domain.empty() && traits->piecewiseConstant;
}

}  // namespace cutaway::optimize
