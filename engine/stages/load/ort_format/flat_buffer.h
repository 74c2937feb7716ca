#pragma once
// FlatBuffers read where they lie, every offset checked against the file before it is followed.
//
// A buffer begins with the offset of its root table and four letters that name the format. A table points back to its
// vtable, which says where each field stands inside the table; strings, vectors and tables inside are reached by
// offsets that only lead forward. Format: flatbuffers.dev/internals. Numbers are little-endian.
//
// The first thing that is wrong is kept (status), and everything read after it is empty, so that a reader may ask for
// a whole table and then check once. A file may refer to the same bytes again and again: what is taken from it in all
// is limited. Thread rule: one buffer, one thread. Example:
//   FlatBuffer buffer(bytes);
//   FlatTable root = buffer.root();
//   const std::string version = root.text({0, "InferenceSession.ort_version"});
//   CUTAWAY_CHECK(buffer.status());

#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "engine/schema/wire_reader.h"

namespace cutaway::load {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in the file");

// A field of a table: its number in the format's description, from 0, and its name for messages ("Graph.nodes").
struct FlatField {
  int slot = 0;
  std::string_view name;
};

class FlatTable;

class FlatBuffer {
 public:
  explicit FlatBuffer(ByteSpan bytes);

  FlatTable root();
  bool failed() const { return !m_problem.empty(); }
  // INVALID_PROTOBUF: the field, where it stands, and what is wrong with it.
  Result<void> status() const;

 private:
  friend class FlatTable;

  template <typename T>
  T at(size_t place) const {
    T value;
    std::memcpy(&value, m_bytes.data() + place, sizeof(T));
    return value;
  }
  bool holds(size_t place, size_t size) const { return place <= m_bytes.size() && size <= m_bytes.size() - place; }
  void stop(FlatField field, size_t place, std::string_view problem);
  bool take(FlatField field, size_t place, size_t size);
  size_t follow(FlatField field, size_t place);
  ByteSpan vectorAt(FlatField field, size_t place, size_t elementBytes);
  FlatTable tableAt(FlatField field, size_t place);

  ByteSpan m_bytes;
  size_t m_taken = 0;
  size_t m_mostTaken = 0;
  std::string m_problem;
};

// A table, or nothing where the field that should lead to one is absent. Fields that are absent give `otherwise`, "" or
// no elements.
class FlatTable {
 public:
  FlatTable() = default;
  explicit operator bool() const { return m_buffer != nullptr; }

  bool has(FlatField field) const { return placeOf(field, 1) != 0; }
  template <typename T>
  T number(FlatField field, T otherwise = T()) const {
    const size_t place = placeOf(field, sizeof(T));
    return place == 0 ? otherwise : m_buffer->at<T>(place);
  }
  std::string text(FlatField field) const { return std::string(textOf(elements(field, 1))); }
  FlatTable table(FlatField field) const;
  // A vector of bytes, where they lie.
  ByteSpan bytes(FlatField field) const { return elements(field, 1); }
  template <typename T>
  std::vector<T> numbers(FlatField field) const {
    const ByteSpan stored = elements(field, sizeof(T));
    std::vector<T> numbers(stored.size() / sizeof(T));
    if (!numbers.empty()) std::memcpy(numbers.data(), stored.data(), stored.size());
    return numbers;
  }
  std::vector<std::string> texts(FlatField field) const;
  std::vector<FlatTable> tables(FlatField field) const;

 private:
  friend class FlatBuffer;

  // Where the field's `size` bytes stand; 0 when it is absent.
  size_t placeOf(FlatField field, size_t size) const;
  ByteSpan elements(FlatField field, size_t elementBytes) const;
  std::vector<size_t> offsets(FlatField field) const;

  FlatBuffer* m_buffer = nullptr;
  size_t m_place = 0;
  size_t m_size = 0;
  size_t m_vtable = 0;
  size_t m_vtableSize = 0;
};

}  // namespace cutaway::load
