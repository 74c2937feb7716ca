#include "engine/operators/fused_activation.h"

#include <algorithm>

#include "engine/operators/activation.h"

namespace cutaway::operators {

FusedActivation readFusedActivation(const Node& node) {
  FusedActivation fused{.name = node.attributeOr<std::string>("activation", "")};
  const OperatorTraits* traits = fused.name.empty() ? nullptr : findTraitsByName(fused.name);
  if (traits == nullptr) return fused;
  fused.function = traits->function;
  const auto list = node.attributeOr<std::vector<float>>("activation_params", {});
  const auto number = [&](size_t place, std::string_view attribute, float otherwise) {
    if (attribute.empty()) return 0.0f;
    return place < list.size() ? list[place]
                               : node.attributeOr<float>("activation_" + std::string(attribute), otherwise);
  };
  if (fused.function == ElementFunction::kClip) {
    fused.first = number(0, "min", std::numeric_limits<float>::lowest());
    fused.second = number(1, "max", std::numeric_limits<float>::max());
    return fused;
  }
  const auto& [a, b] = traits->parameters;
  fused.first = number(0, a.attribute, a.otherwise);
  fused.second = number(1, b.attribute, b.otherwise);
  return fused;
}

std::vector<float> elementParameters(const Node& node, const OperatorTraits& traits) {
  const auto given = functionParameters(node);
  const auto count = std::ranges::count_if(traits.parameters, [](const Parameter& p) { return !p.attribute.empty(); });
  return {given.begin(), given.begin() + count};
}

}  // namespace cutaway::operators
