#pragma once
// Operator forms that OpenVINO 2026.4 takes and computes otherwise than the standard says: they are refused, so that a
// group gives the results of every other provider.
//
// Each was found by the backend cases and confirmed with OpenVINO alone. What depends on the data and not on the form
// cannot be refused: tests/conformance/openvino_differs.tsv lists that. Thread rule: pure. Example: if
// (std::optional<Answer> no = knownDifference(graph, node)) ...

#include <optional>

#include "engine/graph/graph.h"
#include "providers/openvino/questions.h"

namespace cutaway::openvino {

std::optional<Answer> knownDifference(const Graph& graph, const Node& node);

}  // namespace cutaway::openvino
