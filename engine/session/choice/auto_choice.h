#pragma once
// Lists of providers in one word: `auto`, the best that is known for this model on this machine, and `all`, every real
// provider that can be used here.
//
// All are asked in the order of the table, as onnxruntime asks those of its build, whatever that is good for. Auto:
// What was measured decides (tuned_plans.h). Without a measurement, providers with a device of their own that can run
// here are asked before the one that takes the rest, and each island of nodes that they claim is weighed with its
// transfers (partition/island_weight.h). Providers that compute on the host's own cores are not asked then: no model
// tells two libraries on the same cores apart, and the one that takes the rest is not slower than itself. Providers are
// taken in the order of the table. Simulated and declared hardware, and what runs in another program, is never chosen:
// a row of the table is real when onnxruntime has its counterpart and it takes no argument. Thread rule: pure apart
// from the file of the measurement and the probes of devices. Example:
//   if (const std::string word = *listWord(options, table); !word.empty())
//     choice = chooseProviders(word, options, table, modelKey(*model));

#include <optional>
#include <string>
#include <vector>

#include "engine/report/provider_choice.h"
#include "engine/report/walk_report.h"
#include "engine/session/session.h"

namespace cutaway::session {

inline constexpr const char* kAuto = "auto";
inline constexpr const char* kAll = "all";

// kAuto or kAll where the list says so, else empty. INVALID_ARGUMENT: the word has options, or others than the provider
// that takes the rest stand beside it.
Result<std::string> listWord(const SessionOptions& options, const ProviderTable& table);

struct AutoChoice {
  ProviderChoice choice;
  std::string warning;  // about a measurement that is there and cannot be used
};
// word: kAuto or kAll. modelKey: empty where no model is in hand; nothing measured is looked up then.
AutoChoice chooseProviders(const std::string& word, const SessionOptions& options, const ProviderTable& table,
                           const std::string& modelKey);

// What the choice says when its list cannot be made here after all: the provider that takes the rest alone.
ProviderChoice fallBack(const ProviderChoice& choice, const ProviderTable& table, const Error& why);

// The options with the list that the word came to in this walk; as they are when they name providers.
SessionOptions settled(SessionOptions options, const WalkReport& walk);

// Providers that are measured against the one that takes the rest: in the table's order, usable here.
std::vector<std::string> measurableProviders(const ProviderTable& table);

}  // namespace cutaway::session
