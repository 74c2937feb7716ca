#pragma once
// A variant: a kind of change that may free refused nodes. It looks at the model and at what was refused, and proposes
// changes; whether one helps is for the provider to say, and whether it is right for the proof.
//
// A variant is a unit: variants/<name>.cpp defines cure_<name>(), and CMakeLists.txt of engine/study names it.
// Thread rule: variants are stateless. Example: variants/make_constant.cpp.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/model.h"
#include "engine/provider/execution_provider.h"
#include "engine/report/partition_report.h"

namespace cutaway::study {

struct RefusedNode {
  NodeId id;  // of the main graph of CureContext::typed
  RefusalCause cause = RefusalCause::kOther;
  std::string reason;
};

struct CureContext {
  const Model& model;                           // as it is saved: what a change copies and edits
  const Model& typed;                           // the same resolved: types, shapes and versions. Node ids may differ
  const std::vector<RefusedNode>& refused;      // in the main graph
  const std::map<std::string, int64_t>& sizes;  // of open dimensions, as the user wants them
  const KernelRegistry* kernels = nullptr;      // of the provider that takes the rest

  const Graph& graph() const { return typed.graph; }
  const Node& node(NodeId id) const { return typed.graph.node(id); }
  // The refused nodes by operator ("Conv", "com.microsoft:Gelu").
  std::map<std::string, std::vector<NodeId>> refusedByOperator() const;
};

struct CureChange {
  std::string title;
  std::string consequence{};
  int64_t parts = 1;  // what it touches: a smaller change is preferred where two gain the same
  bool assumed = false;
  int lessened = 0;  // times that a guessed size was made smaller: wanted only where larger ones contradict the model
  std::function<Result<Model>()> apply;  // uses the context, which outlives it
};

struct CureVariant {
  std::string_view name;     // "make constant"
  std::string_view purpose;  // one line for people
  std::vector<CureChange> (*propose)(const CureContext& context) = nullptr;
};

// Every variant, in the order of CMakeLists.txt: of two equal gains the earlier one's comes first.
std::span<const CureVariant* const> cureVariants();

}  // namespace cutaway::study
