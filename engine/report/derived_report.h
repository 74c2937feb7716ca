#pragma once
// Inputs and outputs as the nodes alone give them, beside what the file lists.
//
// Thread rule: immutable once published. Example: for (const ListDifference& each : derived.differences)
// show(each.text);

#include <string>
#include <vector>

#include "engine/report/stage_reports.h"

namespace cutaway {

// Names, in the order of the list. The field's words: inputs including and excluding initializers, overridable
// initializers, outputs, value_info.
struct InputOutputLists {
  std::vector<std::string> inputs, requiredInputs, overridable, outputs, intermediates;
};

struct ListDifference {
  std::string list;   // "inputs", "overridable", "outputs"
  std::string value;  // empty: the whole list
  std::string text;   // one sentence for people
};

// Of one graph.
struct DerivedLists {
  int32_t graph = 0;          // in describeGraphs(model)
  std::string title;          // for people, as describeGraphs() has it
  InputOutputLists declared;  // as the file lists them; intermediates: what its nodes hand on to each other
  InputOutputLists derived;
  std::vector<ListDifference> differences;
  std::vector<ResolveStep> steps;  // of the rule; node and value as in describeGraphs(model)
};

struct DerivedInputsOutputs : DerivedLists {  // of the main graph
  std::vector<DerivedLists> bodies;           // of If, Loop and Scan at every depth, each behind the graph around it
};

}  // namespace cutaway
