#pragma once
// One term of a query against one node: texts, shapes, attributes and figures.
//
// Thread rule: pure functions. Example: if (shapeHolds(term, "[1,3,224,224]")) ...

#include <string_view>

#include "engine/report/graph_report.h"
#include "ui/base/find_query.h"

namespace cutaway::ui {

struct NodeFacts;

bool textHolds(const FindTerm& term, std::string_view text);
bool shapeHolds(const FindTerm& term, std::string_view shape);
bool attributeHolds(const FindTerm& term, const NodeReport& node);
// The node stands in the scope or deeper.
bool scopeHolds(const FindTerm& term, std::string_view nodeName);
// A value that the node reads or makes has such an OrtValueIndex. facts: may be null.
bool indexHolds(const FindTerm& term, const NodeReport& node, const NodeFacts* facts);
bool numberHolds(const FindTerm& term, double value);
// -1: not known. facts: may be null.
double figureOf(FindField field, const NodeReport& node, const NodeFacts* facts, size_t index);

}  // namespace cutaway::ui
