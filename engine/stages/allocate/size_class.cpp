#include "engine/stages/allocate/size_class.h"

namespace cutaway {

std::optional<std::string> sizeClass(const ValueType& type) {
  if (!type.isTensor() || !type.shape || type.element == ElementType::kString || type.element == ElementType::kUndefined) return std::nullopt;
  std::string key = fmt::format("{}/{}", bitsOf(type.element), static_cast<int>(type.layout));
  for (const Dim& dim : type.shape->dims()) {
    if (dim.isKnown()) {
      key += fmt::format(",{}", dim.value());
    } else if (dim.isSymbol()) {
      key += fmt::format(",s{}:{}", dim.symbol().size(), dim.symbol());
    } else {
      return std::nullopt;
    }
  }
  return key;
}

std::string sizeText(const ValueType& type) {
  if (!type.isTensor() || !type.shape) return "unknown";
  const int bits = bitsOf(type.element);
  if (bits == 0) return "unknown";
  std::string text = bits >= 8 ? std::to_string(bits / 8) : std::string("1");
  for (const Dim& dim : type.shape->dims()) {
    text += '*';
    text += dim.isKnown() ? std::to_string(dim.value()) : dim.isSymbol() ? dim.symbol() : "?";
  }
  if (bits < 8) text += fmt::format("/{}", 8 / bits);
  return text;
}

}  // namespace cutaway
