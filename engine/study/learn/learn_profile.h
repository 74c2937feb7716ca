#pragma once
// A support profile learned from a provider: what it says of models of single operators, in all element types, ranks
// and attributes that operators have, as the JSON that declared(NAME) reads (resources/profiles/README.md).
//
// Nothing is compiled or run: the provider is asked what it would take, many nodes a question. What follows from other
// nodes around (fusions, sizes of groups, memory) is not asked about, nor are operators with bodies. Thread rule: one
// thread. Example:
//   CUTAWAY_TRY(const LearnedProfile learned, learnProfile(*provider, {.name = "MyNPU"}, progress));
//   writeFile("mynpu.json", learned.text);

#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway::study {

struct LearnOptions {
  std::string name;                      // of the profile
  std::string title{};                   // "Qualcomm QNN"
  std::string version{};                 // of the software that answers
  std::string asked{};                   // how it was made: "qnn{backend_type=htp,soc_model=69}"
  std::string date{};                    // "2026-11-23"
  std::vector<std::string> operators{};  // by name; empty: all
  double mostSeconds = 600;              // what is learned until then is the profile
};

struct LearnedProfile {
  std::string text;        // JSON
  size_t probes = 0;       // nodes asked about
  size_t taken = 0;        // of them
  size_t questions = 0;    // to the provider
  size_t operators = 0;    // that it takes in some form
  size_t refused = 0;      // that it takes in no form asked about
  size_t unknown = 0;      // without a form, or without time to ask
  bool isComplete = true;  // there was time for everything
};

// MODEL_LOAD_CANCELED; INVALID_ARGUMENT: an operator that there is none of; EP_FAIL: the provider takes no node, with
// its words about the first.
Result<LearnedProfile> learnProfile(ExecutionProvider& provider, const LearnOptions& options, Progress& progress);

}  // namespace cutaway::study
