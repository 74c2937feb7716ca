#pragma once
// Which nodes this provider takes, and why not the others: the rules of the operator table, then the library itself,
// asked for the primitive.
//
// Thread rule: one partitioning at a time; answers of the library are kept by operator, attributes and shapes.
// Example: CUTAWAY_TRY(CapabilityAnswer answer, m_capability.answer(request, options));

#include <string>
#include <unordered_map>

#include "engine/provider/execution_provider.h"
#include "providers/onednn/operator_table.h"
#include "providers/onednn/options.h"

namespace cutaway::onednn {

class Capability {
 public:
  Result<CapabilityAnswer> answer(const CapabilityRequest& request, const Options& options);

 private:
  std::optional<Objection> judge(const Graph& graph, NodeId node);
  std::optional<Objection> askLibrary(const Graph& graph, NodeId node, const OperatorRow& row);

  std::unordered_map<std::string, std::string> m_libraryAnswers;  // message of the library; empty: it does the node
};

}  // namespace cutaway::onednn
