#pragma once
// Small profiles and models for tests of declared providers.
//
// Thread rule: one test, one thread.
// Example:
//   Asked asked("main (float[2] x) => (float[2] y) { [n] y = Relu (x) }");
//   const auto provider = declaredFrom(toyProfile(R"([{"op": "Relu"}])"));
//   const CapabilityAnswer answer = asked.answerOf(*provider);

#include <memory>
#include <string>

#include "engine/provider/execution_provider.h"
#include "engine/provider/group_namer.h"

namespace cutaway::testing {

// A profile called Toy with these operators; extra: more members, with a comma behind them.
std::string toyProfile(const std::string& operators, const std::string& extra = {});

// The provider made from this text, as from a file; the error's message lands in `error` (and nullptr comes back) when
// it is given.
std::unique_ptr<ExecutionProvider> declaredFrom(const std::string& profile, ProviderOptions options = {},
                                                std::string* error = nullptr);

// A resolved model (opset 17 unless the text says otherwise) whose nodes are all free.
class Asked {
 public:
  explicit Asked(const std::string& text);
  CapabilityAnswer answerOf(ExecutionProvider& provider) { return answerAbout(provider, model.graph); }
  CapabilityAnswer answerAbout(ExecutionProvider& provider, const Graph& graph);

  Model model;

 private:
  std::unique_ptr<GroupNamer> m_names;
  Progress m_progress;
};

// "a b | c": the claimed groups and nodes by name.
std::string claimsText(const Graph& graph, const CapabilityAnswer& answer);
// The refusal of the node of this name; nullptr when it is not refused.
const Refusal* refusalOf(const Graph& graph, const CapabilityAnswer& answer, const std::string& node);

}  // namespace cutaway::testing
