#pragma once
// Forms of operators that a provider is asked about when a profile is learned from it: which inputs, how large, which
// of them constant, and which attributes to change.
//
// An input is its sizes ("1,4,8,8"), with "=" before it a constant; "=[1,2]" and "=(3)" are constants with these
// values,
// "-" is left out. "R" is a tensor of each rank from 0 to 6, "R2" of each from 2. Attributes follow "@", divided by
// ";";
// ">2" asks for two outputs. Forms are divided by "|". Types follow from the operator's schema. Thread rule: pure.
// Example: for (const ProbeForm& form : probeForms("1,4,8,8 =6,4,3,3 @strides=[2,2]")) ask(form.inputs);

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/attribute.h"

namespace cutaway::study {

struct ProbeRow {
  std::string_view operators;  // names, divided by spaces; of com.microsoft with "ms:" before them
  int64_t from = 1;            // opsets that the forms are right for
  int64_t to = 0;              // 0: all later ones
  std::string_view forms;
  std::string_view variations{};  // attributes and their other values, "mode=linear/cubic axis=0"
};
std::span<const ProbeRow> probeRows();
// What is asked about quantised: takes one tensor and gives one like it.
std::string_view unitOperator();

struct ProbeSlot {
  bool isAbsent = false;
  bool isConstant = false;
  std::vector<int64_t> dims{};
  std::vector<int64_t> values{};  // empty: any
};
struct ProbeForm {
  std::vector<ProbeSlot> inputs{};
  std::vector<Attribute> attributes{};
  size_t outputs = 1;
};
std::vector<ProbeForm> probeForms(std::string_view text);

struct ProbeVariation {
  std::string name;
  std::vector<Attribute> values;  // others than the one that the form has
};
std::vector<ProbeVariation> probeVariations(std::string_view text);

}  // namespace cutaway::study
