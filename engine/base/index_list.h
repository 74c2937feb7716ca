#pragma once
// A short list of indexes: up to three lie in the object itself, which has 16 bytes.
//
// Nodes have one to three inputs and outputs, values one or two readers: of a large model that is millions of lists,
// each of which would be a vector's three pointers and a block of the heap.
// Thread rule: as std::vector. Example: IndexList inputs{4, 7};  for (const int32_t value : inputs) ...

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace cutaway {

class IndexList {
 public:
  using value_type = int32_t;
  using iterator = int32_t*;
  using const_iterator = const int32_t*;

  IndexList() = default;
  IndexList(std::initializer_list<int32_t> indexes) : IndexList(std::span(indexes.begin(), indexes.size())) {}
  IndexList(const std::vector<int32_t>& indexes) : IndexList(std::span<const int32_t>(indexes)) {}
  explicit IndexList(std::span<const int32_t> indexes);
  IndexList(const IndexList& other) : IndexList(std::span<const int32_t>(other)) {}
  IndexList(IndexList&& other) noexcept { swap(other); }
  IndexList& operator=(IndexList other) noexcept {
    swap(other);
    return *this;
  }
  ~IndexList() {
    if (isOnHeap()) delete[] heap();
  }

  size_t size() const { return m_size; }
  bool empty() const { return m_size == 0; }
  const int32_t* data() const { return isOnHeap() ? heap() : m_inline; }
  int32_t* data() { return isOnHeap() ? heap() : m_inline; }
  const int32_t* begin() const { return data(); }
  const int32_t* end() const { return data() + m_size; }
  int32_t* begin() { return data(); }
  int32_t* end() { return data() + m_size; }
  int32_t operator[](size_t place) const { return data()[place]; }
  int32_t& operator[](size_t place) { return data()[place]; }
  int32_t front() const { return data()[0]; }
  int32_t back() const { return data()[m_size - 1]; }
  operator std::span<const int32_t>() const { return {data(), m_size}; }
  operator std::vector<int32_t>() const;

  void push_back(int32_t index) {
    resizeTo(m_size + 1);
    data()[m_size - 1] = index;
  }
  void clear() { *this = IndexList(); }
  int32_t* erase(int32_t* first, int32_t* last);  // as std::vector's

  friend bool operator==(const IndexList& a, const IndexList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr size_t kInline = 3;
  static constexpr size_t kPointerPlace = 1;  // behind the capacity
  static_assert(sizeof(int32_t*) <= (kInline - kPointerPlace) * sizeof(int32_t));

  bool isOnHeap() const { return m_size > kInline; }
  int32_t* heap() const {
    int32_t* pointer = nullptr;
    std::memcpy(&pointer, m_inline + kPointerPlace, sizeof pointer);
    return pointer;
  }
  void swap(IndexList& other) noexcept {
    std::swap(m_size, other.m_size);
    std::swap(m_inline, other.m_inline);
  }
  void resizeTo(size_t size);  // keeps what is there; what is added is undefined

  uint32_t m_size = 0;
  int32_t m_inline[kInline] = {};  // or, of longer lists, the capacity and where they lie
};

}  // namespace cutaway
