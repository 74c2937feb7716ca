#pragma once
// A TOML file as a tree of values that know where they stand, and a reader that turns them into members and gathers
// what is wrong.
//
// TOML is read by toml++; nothing else includes its headers. Every error names file, line and column, and a file with
// several errors is told all of them. Thread rule: plain values. Example:
//   CUTAWAY_TRY(const LocatedValue file, readToml("sweep.toml"));
//   PlanErrors errors("sweep.toml");
//   MemberReader reader(file, "the plan", errors);
//   reader.text("name", plan.name);
//   reader.finish();                       // whatever was not asked for is unknown

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace cutaway::sweep {

struct LocatedValue {
  enum class Kind { kText, kInteger, kReal, kSwitch, kList, kTable, kOther };
  Kind kind = Kind::kOther;
  int64_t line = 0, column = 0;  // from 1
  std::string text;
  int64_t integer = 0;
  double real = 0;  // of an integer, too
  bool isOn = false;
  std::vector<LocatedValue> items;
  std::vector<std::pair<std::string, LocatedValue>> members;  // in the order of the file
};

std::string_view kindName(LocatedValue::Kind kind);  // "a text", "a list"

// NO_SUCHFILE; INVALID_ARGUMENT "sweep.toml:3:7: ..." where it is no TOML.
Result<LocatedValue> readToml(const std::filesystem::path& file);

class PlanErrors {
 public:
  explicit PlanErrors(std::string file) : m_file(std::move(file)) {}
  void add(const LocatedValue& where, std::string message);
  bool empty() const { return m_lines.empty(); }
  Error error() const;  // INVALID_ARGUMENT, a line each

 private:
  std::string m_file;
  std::vector<std::string> m_lines;
};

// Reads the members of one table, each at most once. What is missing leaves its target as it was.
class MemberReader {
 public:
  MemberReader(const LocatedValue& table, std::string place, PlanErrors& errors);

  bool text(std::string_view name, std::string& target);
  bool texts(std::string_view name, std::vector<std::string>& target);  // one text, or a list of them
  bool integer(std::string_view name, int64_t& target, int64_t least, int64_t most);
  bool real(std::string_view name, double& target, double least, double most);
  bool isOn(std::string_view name, bool& target);
  bool bytes(std::string_view name, int64_t& target);  // a number of bytes, or "512MB", "2GiB"
  const LocatedValue* table(std::string_view name);
  // Tables of [[name]]; one table [name] counts as one.
  std::vector<const LocatedValue*> tables(std::string_view name);
  const LocatedValue* any(std::string_view name);
  const std::string& place() const { return m_place; }
  void fail(const LocatedValue& where, std::string message) { m_errors.add(where, m_place + ": " + message); }
  void finish();

 private:
  const LocatedValue* take(std::string_view name, LocatedValue::Kind kind);

  const LocatedValue& m_table;
  std::string m_place;
  PlanErrors& m_errors;
  std::vector<std::string> m_asked;
};

// 512MB, 2GiB, 1000: decimal and binary units. INVALID_ARGUMENT for anything else.
Result<int64_t> parseBytes(std::string_view text);

}  // namespace cutaway::sweep
