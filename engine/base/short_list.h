#pragma once
// A short list of small values: some lie in the object itself, which has 16 bytes (three numbers of 32 bits, one of
// 64).
//
// Nodes have one to three inputs and outputs, values one or two readers: of a large model that is millions of lists,
// each of which would be a vector's three pointers and a block of the heap. It is used as std::vector is; what is added
// is T().
// Thread rule: as std::vector. Example: ShortList<ValueId> inputs{x, y};  for (const ValueId value : inputs) ...

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace cutaway {

template <typename T>
class ShortList {
 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  ShortList() = default;
  explicit ShortList(size_t size) { resize(size); }
  ShortList(size_t size, const T& value) { assign(size, value); }
  ShortList(std::initializer_list<T> values) : ShortList(values.begin(), values.end()) {}
  ShortList(const std::vector<T>& values) : ShortList(values.begin(), values.end()) {}
  explicit ShortList(std::span<const T> values) : ShortList(values.begin(), values.end()) {}
  template <std::input_iterator Iterator>
  ShortList(Iterator first, Iterator last) {
    append(first, last);
  }
  ShortList(const ShortList& other) { append(other.begin(), other.end()); }
  ShortList(ShortList&& other) noexcept { swap(other); }
  ShortList& operator=(ShortList other) noexcept {
    swap(other);
    return *this;
  }
  ~ShortList() {
    if (isOnHeap()) delete[] heap();
  }

  size_t size() const { return m_size; }
  bool empty() const { return m_size == 0; }
  const T* data() const { return isOnHeap() ? heap() : here(); }
  T* data() { return isOnHeap() ? heap() : here(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + m_size; }
  T* begin() { return data(); }
  T* end() { return data() + m_size; }
  const T& operator[](size_t place) const { return data()[place]; }
  T& operator[](size_t place) { return data()[place]; }
  const T& front() const { return data()[0]; }
  T& front() { return data()[0]; }
  const T& back() const { return data()[m_size - 1]; }
  T& back() { return data()[m_size - 1]; }
  operator std::span<const T>() const { return {data(), m_size}; }
  operator std::vector<T>() const { return std::vector<T>(begin(), end()); }

  void push_back(T value) {
    resizeTo(size_t{m_size} + 1);
    back() = value;
  }
  void pop_back() { resizeTo(size_t{m_size} - 1); }
  void clear() { *this = ShortList(); }
  void resize(size_t size) {
    const size_t before = m_size;
    resizeTo(size);
    for (size_t i = before; i < size; ++i)
      data()[i] = T();
  }
  void assign(size_t size, const T& value) {
    const T kept = value;
    resizeTo(size);
    std::fill_n(data(), size, kept);
  }
  // From another list than this one.
  template <std::input_iterator Iterator>
  void assign(Iterator first, Iterator last) {
    resizeTo(0);
    append(first, last);
  }
  // As std::vector's; what is inserted is no part of this list.
  template <std::input_iterator Iterator>
  T* insert(const T* before, Iterator first, Iterator last) {
    const std::ptrdiff_t place = before - begin(), old = m_size;
    append(first, last);
    std::rotate(begin() + place, begin() + old, end());
    return begin() + place;
  }
  T* insert(const T* before, T value) { return insert(before, &value, &value + 1); }
  T* erase(const T* first, const T* last) {
    const std::ptrdiff_t place = first - begin();
    std::copy(last, std::as_const(*this).end(), begin() + place);
    resizeTo(size_t{m_size} - static_cast<size_t>(last - first));
    return begin() + place;
  }
  T* erase(const T* one) { return erase(one, one + 1); }

  friend bool operator==(const ShortList& a, const ShortList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(uint32_t));
  static constexpr size_t kBytes = 12;
  static constexpr size_t kInline = kBytes / sizeof(T);
  static constexpr size_t kPointerPlace = sizeof(uint32_t);  // behind the capacity
  static_assert(kInline > 0 && kPointerPlace + sizeof(T*) <= kBytes);

  bool isOnHeap() const { return m_size > kInline; }
  T* here() { return reinterpret_cast<T*>(m_bytes); }
  const T* here() const { return reinterpret_cast<const T*>(m_bytes); }
  T* heap() const {
    T* pointer = nullptr;
    std::memcpy(&pointer, m_bytes + kPointerPlace, sizeof pointer);
    return pointer;
  }
  uint32_t capacity() const {
    uint32_t capacity = 0;
    std::memcpy(&capacity, m_bytes, sizeof capacity);
    return capacity;
  }
  void swap(ShortList& other) noexcept {
    std::swap(m_size, other.m_size);
    std::swap(m_bytes, other.m_bytes);
  }

  template <typename Iterator>
  void append(Iterator first, Iterator last) {
    if constexpr (std::forward_iterator<Iterator>) {
      size_t place = m_size;
      resizeTo(place + static_cast<size_t>(std::distance(first, last)));
      for (T* const to = data(); first != last; ++first)
        to[place++] = *first;
    } else {
      for (; first != last; ++first)
        push_back(*first);
    }
  }

  // Keeps what is there; what is added is undefined. Longer lists lie on the heap, with as much room again as they had:
  // what is added one by one is moved seldom.
  void resizeTo(size_t size) {
    const size_t kept = std::min<size_t>(size, m_size);
    if (size <= kInline) {
      if (isOnHeap()) {
        const std::unique_ptr<T[]> old(heap());
        std::copy_n(old.get(), kept, here());
      }
    } else if (!isOnHeap() || size > capacity()) {
      const auto room = static_cast<uint32_t>(isOnHeap() ? std::bit_ceil(size) : size);
      auto* const fresh = new T[room];
      std::copy_n(data(), kept, fresh);
      if (isOnHeap()) delete[] heap();
      std::memcpy(m_bytes, &room, sizeof room);
      std::memcpy(m_bytes + kPointerPlace, &fresh, sizeof fresh);
    }
    m_size = static_cast<uint32_t>(size);
  }

  uint32_t m_size = 0;
  alignas(uint32_t) std::byte m_bytes[kBytes] = {};  // the values; of longer lists the capacity and where they lie
};

}  // namespace cutaway
