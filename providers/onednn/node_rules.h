#pragma once
// Whether a node satisfies its operator's row: version, types, ranks, constants, and the row's own check. Asked about
// nodes of a model before they are claimed, and about nodes of a context before they are lowered.
//
// Thread rule: pure. Example: if (auto no = checkRules(KernelInfo(graph, id), *findOperator(graph.node(id))))
// refuse(*no);

#include "providers/onednn/operator_table.h"

namespace cutaway::onednn {

std::optional<Objection> checkRules(const KernelInfo& info, const OperatorRow& row);

}  // namespace cutaway::onednn
