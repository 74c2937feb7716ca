#include "providers/declared/profile.h"

namespace cutaway::declared {

std::string_view profileTypeName(ElementType type) {
  if (type == ElementType::kFloat) return "float32";
  if (type == ElementType::kDouble) return "float64";
  return elementTypeName(type);
}

std::optional<ElementType> profileTypeFromName(std::string_view name) {
  if (name == "float32") return ElementType::kFloat;
  if (name == "float64") return ElementType::kDouble;
  if (name == "undefined") return std::nullopt;
  return elementTypeFromName(name);
}

std::string TypeSet::text() const {
  std::string text;
  for (int i = 1; i < kElementTypeCount; ++i) {
    if (!has(static_cast<ElementType>(i))) continue;
    if (!text.empty()) text += ", ";
    text += profileTypeName(static_cast<ElementType>(i));
  }
  return text;
}

std::string toText(const Span& span) {
  if (span.minimum == span.maximum) return fmt::format("exactly {}", span.minimum);
  if (span.openEnd()) return fmt::format("at least {}", span.minimum);
  if (span.minimum <= 0) return fmt::format("at most {}", span.maximum);
  return fmt::format("{} to {}", span.minimum, span.maximum);
}

}  // namespace cutaway::declared
