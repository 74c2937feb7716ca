#pragma once
// Plain values as bytes and back. What is read is hostile: every length is checked against the bytes that are left.
//
// A message type names its fields once, in a function `describe(archive, message)`, which serves writing and reading.
// Numbers are little-endian, texts and lists carry their length before them. Thread rule: one archive, one thread.
// Example:
//   struct Place { uint64_t offset = 0; std::string name; };
//   template <typename Archive, typename T> requires std::same_as<std::remove_const_t<T>, Place>
//   void describe(Archive& archive, T& place) { archive(place.offset, place.name); }
//   const std::string bytes = toBytes(place);
//   CUTAWAY_TRY(const Place read, fromBytes<Place>(bytes));

#include <bit>
#include <concepts>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace cutaway::onnxruntime {

static_assert(std::endian::native == std::endian::little);

// A function describe() is for a message, written or read.
template <typename T, typename Message>
concept Describes = std::same_as<std::remove_const_t<T>, Message>;

template <typename T>
concept PlainNumber = std::integral<T> || std::is_enum_v<T> || std::floating_point<T>;

class ByteWriter {
 public:
  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(m_bytes); }

 private:
  template <PlainNumber T>
  void put(const T& number) {
    m_bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void put(const std::string& text) {
    put(static_cast<uint64_t>(text.size()));
    m_bytes += text;
  }
  template <typename T>
  void put(const std::vector<T>& list) {
    put(static_cast<uint64_t>(list.size()));
    for (const T& each : list)
      put(each);
  }
  template <typename A, typename B>
  void put(const std::pair<A, B>& pair) {
    put(pair.first);
    put(pair.second);
  }
  template <typename T>
    requires std::is_class_v<T>
  void put(const T& message) {
    describe(*this, message);
  }

  std::string m_bytes;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : m_rest(bytes) {}

  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  // False once something did not fit; values read after that are what they were.
  bool good() const { return m_good; }
  bool atEnd() const { return m_rest.empty(); }

 private:
  template <PlainNumber T>
  void get(T& number) {
    if (!m_good || m_rest.size() < sizeof number) {
      m_good = false;
      return;
    }
    if constexpr (std::same_as<T, bool>) {
      if (static_cast<unsigned char>(m_rest[0]) > 1) {
        m_good = false;
        return;
      }
    }
    std::memcpy(&number, m_rest.data(), sizeof number);
    m_rest.remove_prefix(sizeof number);
  }
  void get(std::string& text) {
    const size_t length = count();
    if (!m_good) return;
    text.assign(m_rest.substr(0, length));
    m_rest.remove_prefix(length);
  }
  template <typename T>
  void get(std::vector<T>& list) {
    const size_t length = count();
    list.clear();
    // Grows with what is really there: a length alone reserves nothing.
    for (size_t i = 0; i < length && m_good; ++i)
      get(list.emplace_back());
  }
  template <typename A, typename B>
  void get(std::pair<A, B>& pair) {
    get(pair.first);
    get(pair.second);
  }
  template <typename T>
    requires std::is_class_v<T>
  void get(T& message) {
    describe(*this, message);
  }

  // Every element takes a byte at least.
  size_t count() {
    uint64_t length = 0;
    get(length);
    if (length > m_rest.size()) m_good = false;
    return m_good ? static_cast<size_t>(length) : 0;
  }

  std::string_view m_rest;
  bool m_good = true;
};

template <typename T>
std::string toBytes(const T& message) {
  ByteWriter writer;
  writer(message);
  return writer.take();
}

// INVALID_ARGUMENT: cut short, longer than the message is, or with a length that cannot be.
template <typename T>
Result<T> fromBytes(std::string_view bytes) {
  ByteReader reader(bytes);
  T message;
  reader(message);
  if (!reader.good() || !reader.atEnd())
    return fail(ErrorCode::kInvalidArgument, "a message of {} bytes does not have the form it should", bytes.size());
  return message;
}

}  // namespace cutaway::onnxruntime
