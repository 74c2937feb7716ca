#pragma once
// The operators this provider compiles: one row per operator, with its rules and how it becomes primitives.
//
// A row lives in operators/<family>.cpp; naming the family in operators/CMakeLists.txt lists it.
// Thread rule: constant tables. Example: const OperatorRow* row = findOperator(node);  if (row == nullptr) refuse(...);

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway::onednn {

class PlanBuilder;
struct ChainLink;

// Why a node is refused; the four texts as in Refusal.
struct Objection {
  RefusalCause cause = RefusalCause::kOther;
  std::string reason, rule, seen, remedy;
};
using Check = std::optional<Objection> (*)(const KernelInfo& info);
// Adds the node's steps to the plan, and defines its results.
using Lower = Result<void> (*)(PlanBuilder& builder, NodeId node);
// What the node does to `through`, one of its inputs, as a post-operation of the primitive that makes it; none: it
// cannot be one.
using Link = std::optional<ChainLink> (*)(PlanBuilder& builder, NodeId node, ValueId through);

struct OperatorRow {
  std::string_view opType;
  std::string_view domain = "";
  VersionSpan versions{};
  int dataInputs = 1;                    // the first so many inputs are tensors that types and ranks are about; -1: all
  std::span<const ElementType> types{};  // empty: float
  size_t minimumRank = 0, maximumRank = 6;  // of the first input
  std::span<const int> constantInputs{};    // slots that must be constant where present
  bool heavy = false;                       // a group pays when it has one of these
  Check check = nullptr;
  Lower lower = nullptr;
  Link link = nullptr;
};
using OperatorRows = std::span<const OperatorRow>;

const OperatorRow* findOperator(const Node& node);  // by name and domain
std::vector<const OperatorRow*> allOperators();     // in table order, for documentation

}  // namespace cutaway::onednn
