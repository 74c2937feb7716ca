#pragma once
// An advisor: looks at a walk and suggests other settings. Whether a suggestion helps, the walk with it says.
//
// An advisor is a unit: advisors/<name>.cpp defines advisor_<name>(), and CMakeLists.txt of engine/study names it.
// Thread rule: advisors are stateless. Example: advisors/execution_order.cpp.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/model.h"
#include "engine/report/advice_report.h"
#include "engine/report/walk_report.h"
#include "engine/session/configuration/configuration.h"

namespace cutaway::study {

struct AdviceContext {
  const session::SessionOptions& options;
  const Model& model;  // as it was partitioned
  const WalkReport& walk;
  const std::string& last;   // the provider of last resort
  bool othersAsked = false;  // some other provider is in the list
};

struct Suggestion {
  std::string title;
  std::string reason;
  std::string consequence{};
  bool assumed = false;
  session::Configuration change;
  std::vector<AdviceMeasure> aims;  // it is advice where one of these becomes less
};

struct Advisor {
  std::string_view name;      // "execution order"
  std::string_view purpose;   // one line for people
  bool alternatives = false;  // one of its suggestions excludes the others: only the best is advice
  std::vector<Suggestion> (*suggest)(const AdviceContext& context) = nullptr;
};

// Every advisor, in the order of CMakeLists.txt.
std::span<const Advisor* const> advisors();

}  // namespace cutaway::study
