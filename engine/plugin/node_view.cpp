#include "engine/plugin/node_view.h"

namespace cutaway {
namespace {

template <typename T>
const T* valueOf(const Node& node, const char* name) {
  const Attribute* attribute = node.findAttribute(name);
  return attribute == nullptr ? nullptr : heldAs<T>(attribute->value);
}

}  // namespace

bool NodeView::attribute(const char* name, int64_t* value) const {
  const auto* found = valueOf<int64_t>(m_node, name);
  if (found != nullptr) *value = *found;
  return found != nullptr;
}

bool NodeView::attribute(const char* name, float* value) const {
  const auto* found = valueOf<float>(m_node, name);
  if (found != nullptr) *value = *found;
  return found != nullptr;
}

bool NodeView::attribute(const char* name, const char** value) const {
  const auto* found = valueOf<std::string>(m_node, name);
  if (found != nullptr) *value = found->c_str();
  return found != nullptr;
}

bool NodeView::attribute(const char* name, const int64_t** values, size_t* count) const {
  const auto* found = valueOf<std::vector<int64_t>>(m_node, name);
  if (found == nullptr) return false;
  *values = found->data();
  *count = found->size();
  return true;
}

plugin::Tensor viewOf(const Tensor& tensor) {
  return {.elementType = static_cast<int32_t>(tensor.type()),
          .dims = tensor.dims().data(),
          .rank = tensor.rank(),
          .data = tensor.data(),
          .sizeBytes = static_cast<size_t>(tensor.sizeBytes())};
}

}  // namespace cutaway
