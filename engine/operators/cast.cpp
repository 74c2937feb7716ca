#include "engine/operators/cast.h"

#include <limits>
#include <optional>

namespace cutaway::operators {
namespace {

Result<ElementType> namedType(std::string name) {
  for (char& letter : name)
    letter = static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
  const std::optional<ElementType> to = elementTypeFromName(name);
  if (!to) return fail(ErrorCode::kInvalidArgument, "Cast: '{}' is no element type", name);
  return *to;
}

}  // namespace

Result<ElementType> castTarget(const Node& node) {
  if (node.sinceVersion < 6) return namedType(node.attributeOr<std::string>("to", ""));
  const int64_t to = node.attributeOr<int64_t>("to", 0);
  if (to <= 0 || to > std::numeric_limits<uint8_t>::max())
    return fail(ErrorCode::kNotImplemented, "Cast: there is no element type {}", to);
  return static_cast<ElementType>(to);
}

Result<void> checkCastTarget(ElementType to) {
  if (!isKnown(to))
    return fail(ErrorCode::kNotImplemented, "there is no element type {} to cast to", static_cast<int>(to));
  return {};
}

Result<ElementType> bitCastTarget(const Node& node, ElementType from) {
  const auto to = static_cast<ElementType>(node.attributeOr<int64_t>("to", 0));
  if (from == ElementType::kString || to == ElementType::kString || !isKnown(to) || bitsOf(from) != bitsOf(to)) {
    return fail(ErrorCode::kInvalidArgument, "BitCast: {} and {} differ in width", elementTypeName(from),
                elementTypeName(to));
  }
  return to;
}

}  // namespace cutaway::operators
