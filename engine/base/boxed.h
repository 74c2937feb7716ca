#pragma once
// An optional whose value lies on the heap: a pointer wide where there is none.
//
// For parts that are large and rare beside what holds them: of a million values a few have an initializer. It is used
// as std::optional is; copies are deep.
// Thread rule: as std::optional. Example: Boxed<Tensor> initializer;  if (initializer) use(*initializer);

#include <memory>
#include <optional>
#include <utility>

namespace cutaway {

template <typename T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(std::nullopt_t) {}
  Boxed(T value) : m_value(std::make_unique<T>(std::move(value))) {}
  Boxed(const Boxed& other) : m_value(other ? std::make_unique<T>(*other) : nullptr) {}
  Boxed(Boxed&& other) noexcept = default;
  Boxed& operator=(Boxed other) noexcept {
    m_value = std::move(other.m_value);
    return *this;
  }
  ~Boxed() = default;

  bool has_value() const { return m_value != nullptr; }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return *m_value; }
  T& operator*() { return *m_value; }
  const T* operator->() const { return m_value.get(); }
  T* operator->() { return m_value.get(); }
  const T* get() const { return m_value.get(); }  // nullptr: there is none
  void reset() { m_value.reset(); }
  T& emplace(T value) { return *(m_value = std::make_unique<T>(std::move(value))); }

 private:
  std::unique_ptr<T> m_value;
};

}  // namespace cutaway
