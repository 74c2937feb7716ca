#pragma once
// A dense tensor: element type, dims, and bytes that it owns or points to.
//
// Copies share the bytes. Up to kInlineRank dims are held without heap memory, so that a steady run allocates nothing.
// Thread rule: reading is safe from many threads; writing is the owner's business.
// Example:
//   CUTAWAY_TRY(Tensor tensor, Tensor::create(ElementType::kFloat, {2, 3}));
//   std::ranges::fill(tensor.span<float>(), 1.0f);
//   Tensor view = Tensor::wrap(ElementType::kFloat, dims, pointer, keepAlive);

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/tensor/allocator.h"
#include "engine/tensor/narrow_float.h"
#include "engine/tensor/shape.h"

namespace cutaway {

class HeapHold;

// Dimensions of a tensor at run time; no heap up to kInlineRank axes.
class Dims {
 public:
  static constexpr size_t kInlineRank = 8;
  Dims() = default;
  Dims(std::span<const int64_t> dims) { assign(dims); }
  Dims(std::initializer_list<int64_t> dims) { assign({dims.begin(), dims.size()}); }

  void assign(std::span<const int64_t> dims);
  size_t size() const { return m_rank; }
  int64_t operator[](size_t axis) const { return data()[axis]; }
  int64_t& operator[](size_t axis) { return const_cast<int64_t*>(data())[axis]; }
  const int64_t* data() const { return m_rank <= kInlineRank ? m_inline.data() : m_heap.data(); }
  const int64_t* begin() const { return data(); }
  const int64_t* end() const { return data() + m_rank; }
  operator std::span<const int64_t>() const { return {data(), m_rank}; }
  bool operator==(const Dims& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  size_t m_rank = 0;
  std::array<int64_t, kInlineRank> m_inline{};
  std::vector<int64_t> m_heap;
};

// The C++ type that stores one element; sub-byte types store packed uint8_t.
template <typename T>
struct ElementTypeOf;

class Tensor {
 public:
  Tensor() = default;

  // Zeroed? No: contents are undefined, except strings (empty). Fails on bad dims or when memory is short.
  static Result<Tensor> create(ElementType type, std::span<const int64_t> dims, Allocator& allocator = heapAllocator());
  static Result<Tensor> create(ElementType type, std::initializer_list<int64_t> dims) {
    return create(type, std::span<const int64_t>(dims.begin(), dims.size()));
  }
  // Points to bytes that `keepAlive` (may be null) keeps alive. The caller has checked that they are enough and aligned
  // for the element type.
  static Tensor wrap(ElementType type, std::span<const int64_t> dims, void* data,
                     std::shared_ptr<const void> keepAlive = {}, Device device = {});
  static Tensor wrapConst(ElementType type, std::span<const int64_t> dims, const void* data,
                          std::shared_ptr<const void> keepAlive = {}, Device device = {});
  // A new 1-D (or scalar) tensor with these values. They are in memory already, so that a limit (heap_limit.h) counts
  // their copy and does not refuse it; without memory it throws RefusedAllocation.
  template <typename T>
  static Tensor of(std::span<const T> values);
  template <typename T>
  static Tensor scalar(T value);

  bool valid() const { return m_type != ElementType::kUndefined; }
  ElementType type() const { return m_type; }
  const Dims& dims() const { return m_dims; }
  size_t rank() const { return m_dims.size(); }
  int64_t elementCount() const { return cutaway::elementCount(m_dims); }
  int64_t sizeBytes() const;
  const Device& device() const { return *m_device; }

  const void* data() const { return m_data; }
  void* mutableData() { return m_data; }
  template <typename T>
  std::span<const T> span() const {
    return {static_cast<const T*>(m_data), static_cast<size_t>(elementCount())};
  }
  template <typename T>
  std::span<T> span() {
    return {static_cast<T*>(m_data), static_cast<size_t>(elementCount())};
  }

  // The whole storage; for packed 2- and 4-bit types this, not span<uint8_t>(), has the right length.
  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(m_data), static_cast<size_t>(sizeBytes())};
  }
  std::span<std::byte> mutableBytes() { return {static_cast<std::byte*>(m_data), static_cast<size_t>(sizeBytes())}; }

  // Same bytes seen with other dims of the same element count; an invalid tensor when the counts differ.
  Tensor reshaped(std::span<const int64_t> dims) const;
  // Own copy of the bytes.
  Result<Tensor> clone(Allocator& allocator = heapAllocator()) const;
  // Points this tensor somewhere else without touching the heap (executor frames).
  void rebind(ElementType type, std::span<const int64_t> dims, void* data);
  void setDims(std::span<const int64_t> dims) { m_dims.assign(dims); }
  const std::shared_ptr<const void>& keepAlive() const { return m_keepAlive; }

 private:
  static Tensor forValues(ElementType type, std::span<const int64_t> dims);
  static Result<Tensor> onBlock(ElementType type, std::span<const int64_t> dims, int64_t sizeBytes,
                                Allocator& allocator, std::shared_ptr<HeapHold> hold);

  ElementType m_type = ElementType::kUndefined;
  Dims m_dims;
  void* m_data = nullptr;
  std::shared_ptr<const void> m_keepAlive;
  const Device* m_device = &cpuDevice();  // interned, lives for the process
  static const Device& cpuDevice();
};

template <>
struct ElementTypeOf<float> {
  static constexpr ElementType value = ElementType::kFloat;
};
template <>
struct ElementTypeOf<double> {
  static constexpr ElementType value = ElementType::kDouble;
};
template <>
struct ElementTypeOf<int8_t> {
  static constexpr ElementType value = ElementType::kInt8;
};
template <>
struct ElementTypeOf<uint8_t> {
  static constexpr ElementType value = ElementType::kUint8;
};
template <>
struct ElementTypeOf<int16_t> {
  static constexpr ElementType value = ElementType::kInt16;
};
template <>
struct ElementTypeOf<uint16_t> {
  static constexpr ElementType value = ElementType::kUint16;
};
template <>
struct ElementTypeOf<int32_t> {
  static constexpr ElementType value = ElementType::kInt32;
};
template <>
struct ElementTypeOf<uint32_t> {
  static constexpr ElementType value = ElementType::kUint32;
};
template <>
struct ElementTypeOf<int64_t> {
  static constexpr ElementType value = ElementType::kInt64;
};
template <>
struct ElementTypeOf<uint64_t> {
  static constexpr ElementType value = ElementType::kUint64;
};
template <>
struct ElementTypeOf<bool> {
  static constexpr ElementType value = ElementType::kBool;
};
template <>
struct ElementTypeOf<std::string> {
  static constexpr ElementType value = ElementType::kString;
};
template <>
struct ElementTypeOf<Float16> {
  static constexpr ElementType value = ElementType::kFloat16;
};
template <>
struct ElementTypeOf<Bfloat16> {
  static constexpr ElementType value = ElementType::kBfloat16;
};
template <>
struct ElementTypeOf<std::complex<float>> {
  static constexpr ElementType value = ElementType::kComplex64;
};
template <>
struct ElementTypeOf<std::complex<double>> {
  static constexpr ElementType value = ElementType::kComplex128;
};

template <typename T>
Tensor Tensor::of(std::span<const T> values) {
  Tensor tensor = forValues(ElementTypeOf<T>::value, Dims{static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), static_cast<T*>(tensor.mutableData()));
  return tensor;
}

template <typename T>
Tensor Tensor::scalar(T value) {
  Tensor tensor = forValues(ElementTypeOf<T>::value, {});
  *static_cast<T*>(tensor.mutableData()) = value;
  return tensor;
}

}  // namespace cutaway
