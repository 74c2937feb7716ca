#pragma once
// A support profile: what some hardware and its software take, as data. Read from JSON by profile_reader; the format is
// described in resources/profiles/README.md.
//
// Thread rule: immutable once read.
// Example: for (const OperatorRule& rule : profile.operators) if (rule.op == "Conv") use(rule.attributes);

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway::declared {

struct ProfileSource {
  std::string title;
  std::string url;
  std::string date;  // when it was read
  std::string note;
};

// Element types as a set of bits.
class TypeSet {
 public:
  void add(ElementType type) { m_bits |= bit(type); }
  bool has(ElementType type) const { return (m_bits & bit(type)) != 0; }
  bool empty() const { return m_bits == 0; }
  std::string text() const;  // "float32, float16"

 private:
  static uint32_t bit(ElementType type) { return 1u << static_cast<uint32_t>(type); }
  uint32_t m_bits = 0;
};
// Profiles say float32 and float64, where ONNX text says float and double; both are read.
std::string_view profileTypeName(ElementType type);
std::optional<ElementType> profileTypeFromName(std::string_view name);

// Whole numbers from..to, both included.
struct Span {
  int64_t minimum = 0;
  int64_t maximum = std::numeric_limits<int64_t>::max();
  bool contains(int64_t value) const { return value >= minimum && value <= maximum; }
  bool openEnd() const { return maximum == std::numeric_limits<int64_t>::max(); }
};
// "1 to 3", "at least 2", "at most 4", "exactly 2".
std::string toText(const Span& span);

// A rule for each input or output slot of an operator, with one for the slots that have none of their own.
template <typename Rule>
struct SlotRules {
  std::map<int, Rule> inputs;
  std::map<int, Rule> outputs;
  std::optional<Rule> otherInputs;   // "*"
  std::optional<Rule> otherOutputs;  // "out*"

  const Rule* forInput(int slot) const { return find(inputs, otherInputs, slot); }
  const Rule* forOutput(int slot) const { return find(outputs, otherOutputs, slot); }
  bool empty() const { return inputs.empty() && outputs.empty() && !otherInputs && !otherOutputs; }

 private:
  static const Rule* find(const std::map<int, Rule>& own, const std::optional<Rule>& others, int slot) {
    if (!own.empty()) {
      if (const auto found = own.find(slot); found != own.end()) return &found->second;
    }
    return others ? &*others : nullptr;
  }
};

using Scalar = std::variant<int64_t, double, std::string>;
struct RuleValue {
  std::vector<Scalar> elements;
  bool isList = false;
};

// What an attribute may be. A number or string beside a list attribute holds for each of its elements.
struct AttributeRule {
  std::string name;
  bool absent = false;             // may only have the value that the operator's schema gives it
  std::vector<RuleValue> allowed;  // one_of, or one for equals; empty: any
  std::optional<double> minimum;
  std::optional<double> maximum;
};

struct ShapeRule {
  bool output = false;
  int slot = 0;
  int axis = 0;  // from the end when negative
  std::optional<int64_t> minimum;
  std::optional<int64_t> maximum;
  int64_t multipleOf = 1;
  bool known = false;
};

struct OperatorRule {
  std::string op;
  std::string domain;
  std::vector<Span> versions;  // of the operator set; empty: all
  SlotRules<TypeSet> types;
  SlotRules<Span> ranks;
  std::vector<AttributeRule> attributes;
  std::vector<int> constantInputs;
  std::vector<int> forbiddenInputs;
  std::vector<ShapeRule> shapes;
  std::optional<Span> inputCount;
  std::optional<Span> outputCount;
  std::string note;
  int source = -1;  // index into Profile::sources
};

struct RefusedOperator {
  std::string op;
  std::string domain;
  std::string reason;
  int source = -1;
};

struct GroupRules {
  bool compiled = true;
  int64_t minimumNodes = 1;
  int64_t maximumGroups = 0;  // 0: any number
  bool quantizedUnits = true;
  std::set<std::string> stopOperators;
  bool wholeModelOnly = false;
  bool constantsOnlyInputs = false;  // constants come in as inputs of a group instead of being embedded in it
  int source = -1;
};

struct DeviceFacts {
  std::string type = "npu";
  int64_t memoryBytes = 0;                       // 0: not known, no limit
  std::map<std::string, double> flopsPerSecond;  // by element type
  double memoryBytesPerSecond = 0;
  double linkBytesPerSecond = 0;
  double transferUs = 0;
  double launchUs = 0;
  int source = -1;
};

struct Profile {
  std::string name;
  std::string title;
  std::string hardware;
  std::string version;
  std::string date;
  std::vector<ProfileSource> sources;
  DeviceFacts device;
  LayoutPreference layout = LayoutPreference::kNchw;
  GroupRules groups;
  TypeSet types;            // of operators that say nothing; empty: any
  int64_t maximumRank = 0;  // 0: any
  bool staticShapes = false;
  bool bodies = false;
  bool mainGraphOnly = false;  // nodes in the bodies of others stay with the next provider
  std::vector<OperatorRule> operators;
  std::vector<RefusedOperator> refused;
};

}  // namespace cutaway::declared
