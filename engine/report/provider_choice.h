#pragma once
// The list of providers of a walk: what of it is worth knowing, and what a list that says `auto` came to and why.
//
// Thread rule: plain values. Example: for (const std::string& note : walk.choice->notes) put("note: {}\n", note);

#include <cstdint>
#include <string>
#include <vector>

namespace cutaway {

enum class ChoiceBasis : uint8_t {
  kNamed,     // the user named the providers
  kDefault,   // nothing measured and no device to model: the provider that takes the rest
  kModelled,  // a device with a known speed is here: each island of nodes is weighed with its transfers (estimated)
  kMeasured,  // this model was measured on this machine
  kAll,       // the user asked for every real provider that is here, in the table's order
};
const char* choiceBasisName(ChoiceBasis basis);  // "named", "default", "modelled", "measured", "all"

// One list of providers, as it was measured beside the others.
struct MeasuredList {
  std::vector<std::string> providers;  // as provider_spec.h says
  double medianMs = -1;                // -1: not measured, see problem
  double lowMs = 0, highMs = 0;        // 95 % interval of the median
  int64_t runs = 0;
  double pValue = 1;      // Mann-Whitney U, beside the last resort alone; 1 for that one itself
  std::string problem{};  // why it was not measured
};

struct SkippedProvider {
  std::string name;
  std::string reason;
};

struct ProviderChoice {
  ChoiceBasis basis = ChoiceBasis::kNamed;
  std::vector<std::string> providers;      // what was taken, in asking order
  std::string reason;                      // one sentence
  std::string measuredAt{};                // UTC, "2026-11-24T03:40:00Z"; empty unless measured
  std::vector<MeasuredList> measured{};    // the lists that were measured; empty unless measured
  std::vector<SkippedProvider> skipped{};  // real providers of this build that were not asked
  std::vector<std::string> notes{};        // nothing is wrong: who was added, who stands where, what auto took
};

}  // namespace cutaway
