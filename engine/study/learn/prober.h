#pragma once
// Puts many nodes that have nothing to do with one another into one graph, and asks a provider which it would take.
//
// Nodes of one operator set go together, some hundred a question; where a question fails as a whole it is put again in
// halves, so that one node that its compiler dies of costs no other its answer. Thread rule: one thread. Example:
//   Prober prober(provider, progress, stopwatch limit);   CUTAWAY_CHECK(prober.ask(probes));

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway::study {

struct ProbeValue {
  bool isAbsent = false;
  bool isConstant = false;
  ElementType type = ElementType::kFloat;
  std::vector<int64_t> dims{};    // -1: open
  std::vector<int64_t> values{};  // of constants; empty: all 1
};

enum class ProbeOutcome {
  kNotAsked,  // no time was left
  kInvalid,   // the operator's own rules refuse it
  kTaken,
  kRefused,
};

// One node. `unit`: quantised, a DequantizeLinear before it and a QuantizeLinear after it, in the type of the input.
struct Probe {
  std::string op;
  std::string domain;
  int64_t opset = 0;
  std::vector<ProbeValue> inputs;
  std::vector<Attribute> attributes;
  size_t outputs = 1;
  bool isUnit = false;

  ProbeOutcome outcome = ProbeOutcome::kNotAsked;
  std::string reason{};  // of a refusal
  std::vector<ElementType> outputTypes{};
};

struct ProbeCounts {
  size_t asked = 0;
  size_t taken = 0;
  size_t questions = 0;
};

class Prober {
 public:
  // `isOver` ends asking: what is left stays kNotAsked.
  Prober(ExecutionProvider& provider, const Progress& progress, std::function<bool()> isOver)
      : m_provider(provider), m_progress(progress), m_isOver(std::move(isOver)) {}

  // Fills in outcome, reason and types. MODEL_LOAD_CANCELED.
  Result<void> ask(std::vector<Probe>& probes);
  const ProbeCounts& counts() const { return m_counts; }

 private:
  Result<void> askTogether(std::span<Probe*> probes);
  Result<void> askInHalves(std::span<Probe*> probes, const std::set<size_t>& places);

  ExecutionProvider& m_provider;
  const Progress& m_progress;
  std::function<bool()> m_isOver;
  ProbeCounts m_counts;
};

}  // namespace cutaway::study
