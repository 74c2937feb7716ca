#pragma once
// What was asked of a provider and answered, operator by operator, and the profile that is written of it.
//
// Thread rule: plain values; writing is pure. Example: const LearnedProfile learned = writeProfile(found, options);

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/schema/schema.h"
#include "engine/study/learn/learn_profile.h"
#include "engine/study/learn/probe_table.h"
#include "engine/study/learn/prober.h"

namespace cutaway::study {

inline constexpr int64_t kOldestOpset = 7;  // ONNX Runtime's own; older operators are taken as they are there
inline constexpr int64_t kNewestOpset = 26;

// One way to write an operator over a span of operator sets, and all that is asked about it.
struct Plan {
  std::string op;
  std::string domain;
  int64_t from = 1;
  int64_t to = 0;     // 0: all later ones
  int64_t opset = 0;  // of the questions
  std::vector<ProbeForm> forms;
  std::vector<ProbeVariation> variations;
  const OperatorSchema* schema = nullptr;

  std::map<std::string, ElementType> types;  // chosen for the schema's type parameters
  size_t form = 0;                           // chosen
  bool isTaken = false;                      // in the chosen form
  std::vector<size_t> probes;                // places in the list of all
  std::string reason;                        // of a refusal
};

// What a probe asks about, beside its form as it is.
enum class ProbeKind { kForm, kTypes, kAttribute, kDynamic, kOutputs, kVersion };
struct Asked {
  size_t plan = 0;
  ProbeKind question = ProbeKind::kForm;
  size_t form = 0;
  size_t detail = 0;  // place of the variation or of the input, number of outputs, opset
  size_t value = 0;   // of the variation
};

struct Findings {
  std::vector<Plan> plans{};
  std::vector<Probe> probes{};
  std::vector<Asked> asked{};            // beside probes
  std::set<std::string> unknown{};       // operators without a form
  std::vector<ElementType> unitTypes{};  // of quantised values that are taken
  bool needsStaticShapes = false;
  bool isComplete = true;
  ProbeCounts counts{};
};
LearnedProfile writeProfile(const Findings& found, const LearnOptions& options);

// Element types in the order of profiles.
std::span<const ElementType> learnedTypes();

}  // namespace cutaway::study
