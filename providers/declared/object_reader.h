#pragma once
// Reads the members of one JSON object and notes everything that is wrong with them: missing, of another kind, out of
// range, unknown.
//
// Nothing is thrown and nothing ends the reading: a profile's errors are all told at once.
// Thread rule: one object, one thread.
// Example:
//   ObjectReader reader(value, "groups", errors);
//   groups.minimumNodes = reader.whole("minimum_nodes", {.minimum = 1}).value_or(1);
//   reader.finish();

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "providers/declared/located_json.h"
#include "providers/declared/profile.h"

namespace cutaway::declared {

struct ProfileError {
  std::string path;  // "operators[12].attributes.mode"
  int line = 0;      // 0: set by an option
  std::string message;
};
// "operators[12].attributes.mode: ..., line 340".
std::string toText(const ProfileError& error);

class ProfileErrors {
 public:
  static constexpr size_t kMost = 1000;  // more are counted
  void add(std::string path, int line, std::string message);
  const std::vector<ProfileError>& all() const { return m_errors; }
  size_t leftOut() const { return m_leftOut; }
  bool empty() const { return m_errors.empty(); }

 private:
  std::vector<ProfileError> m_errors;
  size_t m_leftOut = 0;
};

class ObjectReader {
 public:
  enum class Need : uint8_t { kOptional, kRequired };
  // A value that is no object is an error, and reads as an empty one.
  ObjectReader(const JsonValue& value, std::string path, ProfileErrors& errors);

  const std::string& path() const { return m_path; }
  std::string pathOf(std::string_view member) const;
  int line() const { return m_value.line; }
  // nullptr when absent, or of another kind than wanted (which is noted).
  const JsonValue* member(std::string_view name, JsonValue::Kind kind, Need need = Need::kOptional);
  const JsonValue* anyMember(std::string_view name);
  std::string text(std::string_view name, Need need = Need::kOptional);
  std::string date(std::string_view name, Need need);
  std::string oneOf(std::string_view name, std::initializer_list<std::string_view> allowed, std::string otherwise);
  bool flag(std::string_view name, bool otherwise);
  std::optional<int64_t> whole(std::string_view name, Span allowed);
  std::optional<double> number(std::string_view name);  // any finite number
  double amount(std::string_view name);                 // 0 or more; 0 when absent
  std::vector<std::string> texts(std::string_view name);
  std::vector<int> slotNumbers(std::string_view name);
  // Notes members that nobody asked for.
  void finish();

  void wrong(std::string_view member, std::string message) const;
  void wrongAt(const std::string& path, const JsonValue& value, std::string message) const {
    m_errors.add(path, value.line, std::move(message));
  }
  ProfileErrors& errors() const { return m_errors; }

 private:
  const JsonValue& m_value;
  std::string m_path;
  ProfileErrors& m_errors;
  std::vector<std::string_view> m_asked;
};

inline constexpr int kMostSlots = 1024;  // of an operator's inputs or outputs that a profile may speak of

}  // namespace cutaway::declared
