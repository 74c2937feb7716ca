// The public types that are more than their members.
#include <cutaway/error.h>
#include <cutaway/tensor.h>

#include "engine/tensor/element_type.h"

namespace cutaway::api {

Error::Error(std::string code, const std::string& message, Place place, bool refused)
    : std::runtime_error(message), m_code(std::move(code)), m_place(std::move(place)), m_refused(refused) {}

Error::~Error() = default;

std::string elementTypeName(ElementType type) {
  return std::string(cutaway::elementTypeName(static_cast<cutaway::ElementType>(type)));
}

ElementType elementTypeNamed(const std::string& name) {
  return static_cast<ElementType>(cutaway::elementTypeFromName(name).value_or(cutaway::ElementType::kUndefined));
}

static_assert(static_cast<int>(ElementType::kInt2) + 1 == kElementTypeCount);

}  // namespace cutaway::api
