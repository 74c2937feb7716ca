#include "providers/onednn/library.h"

#include <algorithm>

namespace cutaway::onednn {

const dnnl::engine& engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

std::string libraryVersion() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
}

std::optional<DataType> dataTypeOf(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return DataType::f32;
    case ElementType::kInt32:
      return DataType::s32;
    case ElementType::kInt8:
      return DataType::s8;
    case ElementType::kUint8:
      return DataType::u8;
    case ElementType::kBfloat16:
      return DataType::bf16;
    default:
      return std::nullopt;
  }
}

ElementType elementTypeOf(DataType type) {
  switch (type) {
    case DataType::s32:
      return ElementType::kInt32;
    case DataType::s8:
      return ElementType::kInt8;
    case DataType::u8:
      return ElementType::kUint8;
    case DataType::bf16:
      return ElementType::kBfloat16;
    default:
      return ElementType::kFloat;
  }
}

Descriptor plainDescriptor(std::span<const int64_t> dims, DataType type) {
  Dimensions sizes(dims.begin(), dims.end());
  if (sizes.empty()) sizes.push_back(1);
  Dimensions strides(sizes.size(), 1);
  for (size_t axis = sizes.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * std::max<int64_t>(sizes[axis], 1);
  return {sizes, type, strides};
}

Descriptor anyOrder(const Dimensions& dims, DataType type) {
  return {dims, type, Tag::any};
}

dnnl::primitive_attr newAttributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

bool isReferenceImplementation(std::string_view name) {
  return name.find("ref") != std::string_view::npos;
}

}  // namespace cutaway::onednn
