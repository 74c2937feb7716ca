#pragma once
// The options that plug-in execution providers know, as tables: one *.tsv of this folder for each library and version.
//
// Vendors' libraries ignore names they do not know and put defaults in the place of values they cannot read, silently.
// Thread rule: plain values; the shipped tables are read once. Example:
//   for (const KnownOption& option : findKnownProvider("QNNExecutionProvider")->options) show(option.name,
//   option.about);

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace cutaway::onnxruntime {

struct KnownValue {
  std::string text;      // "69"
  std::string title;     // what people call it: "SM8750"; empty: as the text
  bool isTaken = false;  // the library takes the title in its place, in letters of either case
};

enum class ValueRule {
  kText,     // anything: paths, names, JSON
  kWhole,    // a whole number from least to most
  kOneOf,    // one of values
  kRefused,  // never: about says why
};

// What stands beside an option, once it is given with another value than its default.
enum class TogetherRule {
  kNot,      // the other may not be given
  kWith,     // the other must have this value
  kAtLeast,  // the other is a number that is this or more
  kCount,    // as many values, commas between, as the other has
};
struct Together {
  TogetherRule rule{};
  std::string other;
  std::string value{};
};

struct KnownOption {
  std::string name;
  ValueRule rule{};
  bool isList = false;  // several values, commas between
  std::vector<KnownValue> values{};
  int64_t least = 0;
  int64_t most = INT64_MAX;
  std::string standard{};  // what holds without it; empty: not known, or the library's choice
  bool isNeeded = false;
  std::string neededUnless{};  // another option that stands for it
  std::string neededIf{};      // only where this option has neededValue
  std::string neededValue{};
  std::vector<Together> together{};
  std::string about{};
};

struct KnownProvider {
  std::string provider;  // "QNNExecutionProvider"
  std::string package;   // "onnxruntime-qnn"
  std::string version;   // that the table was read from and tried with: "2.7.0"
  std::vector<KnownOption> options{};
};

// Texts of the shipped tables.
std::span<const std::string_view> optionTables();

// INVALID_ARGUMENT with the line for a table that is not one.
Result<KnownProvider> readOptionTable(std::string_view text);

std::span<const KnownProvider> knownProviders();
// By the name of the execution provider; null for one that no table describes.
const KnownProvider* findKnownProvider(std::string_view provider);

}  // namespace cutaway::onnxruntime
