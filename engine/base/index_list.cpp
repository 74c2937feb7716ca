#include "engine/base/index_list.h"

#include <bit>

namespace cutaway {

IndexList::IndexList(std::span<const int32_t> indexes) {
  resizeTo(indexes.size());
  int32_t* to = data();
  for (const int32_t index : indexes)
    *to++ = index;
}

IndexList::operator std::vector<int32_t>() const {
  return std::vector<int32_t>(begin(), end());
}

int32_t* IndexList::erase(int32_t* first, int32_t* last) {
  const auto place = static_cast<size_t>(first - begin());
  const auto count = static_cast<size_t>(last - first);
  for (const int32_t* from = last; from != end();)
    *first++ = *from++;
  resizeTo(m_size - count);
  return begin() + place;
}

// Longer lists lie on the heap, with as much room again as they had: what is added one by one is moved seldom.
void IndexList::resizeTo(size_t size) {
  const size_t kept = std::min<size_t>(size, m_size);
  if (size <= kInline) {
    if (isOnHeap()) {
      int32_t* const old = heap();
      for (size_t i = 0; i < kept; ++i)
        m_inline[i] = old[i];
      delete[] old;
    }
  } else if (!isOnHeap() || size > static_cast<size_t>(m_inline[0])) {
    const size_t capacity = isOnHeap() ? std::bit_ceil(size) : size;
    auto* const fresh = new int32_t[capacity];
    for (size_t i = 0; i < kept; ++i)
      fresh[i] = data()[i];
    if (isOnHeap()) delete[] heap();
    m_inline[0] = static_cast<int32_t>(capacity);
    std::memcpy(m_inline + kPointerPlace, &fresh, sizeof fresh);
  }
  m_size = static_cast<uint32_t>(size);
}

}  // namespace cutaway
