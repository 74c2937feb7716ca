#include <charconv>

#include "engine/base/input_budget.h"
#include "engine/schema/inference_state.h"

namespace cutaway {

const std::vector<Dim>* PartialData::find(ValueId id) const {
  if (!id.valid() || id.index() >= m_values.size() || !m_values[id.index()]) return nullptr;
  return &*m_values[id.index()];
}

void PartialData::set(ValueId id, std::vector<Dim> dims) {
  if (id.index() >= m_values.size()) m_values.resize(id.index() + 1);
  m_values[id.index()] = std::move(dims);
}

Dim elementDim(int64_t value) {
  return value >= 0 ? Dim(value) : Dim(std::to_string(value));
}

std::optional<int64_t> elementValue(const Dim& dim) {
  if (dim.isKnown()) return dim.value();
  const std::string& text = dim.symbol();
  if (text.size() < 2 || text[0] != '-') return std::nullopt;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::vector<Dim>> InferenceScope::elements(ValueId id) const {
  const InferenceScope* scope = this;
  while (scope != nullptr && id.valid()) {
    if (const std::vector<Dim>* known = scope->partial.find(id)) return *known;
    const Value& value = scope->graph.value(id);
    if (scope->graph.isConstant(id)) {
      const Tensor& tensor = *value.initializer;
      if (tensor.rank() > 1 || tensor.elementCount() > kInputBudget.shownElements || tensor.data() == nullptr)
        return std::nullopt;
      std::vector<Dim> dims;
      if (tensor.type() == ElementType::kInt64) {
        for (const int64_t each : tensor.span<int64_t>())
          dims.push_back(elementDim(each));
      } else if (tensor.type() == ElementType::kInt32) {
        for (const int32_t each : tensor.span<int32_t>())
          dims.push_back(elementDim(each));
      } else {
        return std::nullopt;
      }
      return dims;
    }
    if (!value.outerScope || scope->outer == nullptr) return std::nullopt;
    scope = scope->outer;
    id = scope->graph.findValue(value.name);
  }
  return std::nullopt;
}

}  // namespace cutaway
