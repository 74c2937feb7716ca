#pragma once
// A text that never changes and that many hold: a pointer wide, and copies share it.
//
// Reports of large models name the same operators, types and providers a million times, and tell of the same nodes
// after every stage. It reads as a std::string does.
// Thread rule: as std::shared_ptr<const std::string>: copies may go to other threads, one object belongs to one thread.
// Example: TextPool pool;  node.opType = pool.of("Conv");  if (node.opType == "Conv") count(std::string(node.name));

#include <atomic>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace cutaway {

class SharedText {
 public:
  SharedText() = default;  // empty, without memory
  SharedText(std::string text) : m_held(text.empty() ? nullptr : new Held{{1}, std::move(text)}) {}
  SharedText(const char* text) : SharedText(std::string(text)) {}
  explicit SharedText(std::string_view text) : SharedText(std::string(text)) {}
  SharedText(const SharedText& other) noexcept : m_held(other.m_held) {
    if (m_held != nullptr) m_held->holders.fetch_add(1, std::memory_order_relaxed);
  }
  SharedText(SharedText&& other) noexcept : m_held(std::exchange(other.m_held, nullptr)) {}
  SharedText& operator=(SharedText other) noexcept {
    std::swap(m_held, other.m_held);
    return *this;
  }
  ~SharedText() {
    if (m_held != nullptr && m_held->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) delete m_held;
  }

  SharedText& operator+=(std::string_view more) { return *this = SharedText(string() + std::string(more)); }

  const std::string& string() const { return m_held != nullptr ? m_held->text : none(); }
  operator const std::string&() const { return string(); }
  operator std::string_view() const { return string(); }
  bool empty() const { return m_held == nullptr; }
  void clear() { *this = SharedText(); }
  size_t size() const { return string().size(); }
  const char* c_str() const { return string().c_str(); }
  const char* data() const { return string().data(); }
  char front() const { return string().front(); }
  char back() const { return string().back(); }
  char operator[](size_t place) const { return string()[place]; }
  bool starts_with(std::string_view start) const { return string().starts_with(start); }
  bool ends_with(std::string_view end) const { return string().ends_with(end); }
  size_t find(std::string_view part, size_t from = 0) const { return string().find(part, from); }
  size_t find(char part, size_t from = 0) const { return string().find(part, from); }
  size_t rfind(std::string_view part) const { return string().rfind(part); }
  size_t rfind(char part) const { return string().rfind(part); }
  bool contains(std::string_view part) const { return find(part) != std::string::npos; }
  std::string substr(size_t from, size_t count = std::string::npos) const { return string().substr(from, count); }
  bool sharesWith(const SharedText& other) const { return m_held == other.m_held; }

  friend bool operator==(const SharedText& a, const SharedText& b) {
    return a.m_held == b.m_held || a.string() == b.string();
  }
  friend bool operator==(const SharedText& a, const std::string& b) { return a.string() == b; }
  friend bool operator==(const SharedText& a, std::string_view b) { return a.string() == b; }
  friend bool operator==(const SharedText& a, const char* b) { return a.string() == b; }
  friend std::strong_ordering operator<=>(const SharedText& a, const SharedText& b) {
    return a.string() <=> b.string();
  }
  friend std::string operator+(const SharedText& a, const SharedText& b) { return a.string() + b.string(); }
  friend std::string operator+(const SharedText& a, const char* b) { return a.string() + b; }
  friend std::string operator+(const SharedText& a, const std::string& b) { return a.string() + b; }
  friend std::string operator+(const char* a, const SharedText& b) { return a + b.string(); }
  friend std::string operator+(std::string a, const SharedText& b) { return std::move(a) + b.string(); }

 private:
  struct Held {
    std::atomic<uint32_t> holders;
    const std::string text;
  };
  static const std::string& none() {
    static const std::string empty;
    return empty;
  }
  Held* m_held = nullptr;
};

// Gives equal texts one body. What it gave out may outlive it.
class TextPool {
 public:
  SharedText of(std::string_view text) {
    if (text.empty()) return {};
    const auto known = m_texts.find(text);
    return known != m_texts.end() ? *known : *m_texts.insert(SharedText(text)).first;
  }
  // `text` becomes the one that came first.
  void share(SharedText& text) {
    if (!text.empty()) text = *m_texts.insert(text).first;
  }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const { return a == b; }
  };
  std::unordered_set<SharedText, Hash, Equal> m_texts;
};

}  // namespace cutaway

template <>
struct std::hash<cutaway::SharedText> {
  size_t operator()(const cutaway::SharedText& text) const noexcept {
    return std::hash<std::string_view>{}(text.string());
  }
};

template <>
struct fmt::formatter<cutaway::SharedText> : fmt::formatter<std::string_view> {
  template <typename Context>
  auto format(const cutaway::SharedText& text, Context& context) const {
    return fmt::formatter<std::string_view>::format(text.string(), context);
  }
};
