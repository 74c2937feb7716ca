#pragma once
// The layout by Graphviz's dot: it decides the layers, the order in them and the places across; lines are drawn as ours
// are, through bends where dot's splines cross the layers.
//
// Takes a time that grows faster than the graph: for graphs of some hundred nodes. Thread rule: any thread. Example:
//   auto result = layoutWithDot(input, {}, cancel);   // MODEL_LOAD_CANCELED, NOT_FOUND: no Graphviz here, FAIL

#include <QByteArray>

#include "engine/base/result.h"
#include "ui/canvas/layered_layout.h"

namespace cutaway::ui {

// Larger graphs are not given to dot (a second for 1,500 nodes, forty for 10,000).
inline constexpr int kMostDotNodes = 2'000;

Result<LayoutResult> layoutWithDot(const LayoutInput& input, const LayoutOptions& options, const CancelToken& cancel);

// What dot is given, and what is made of its answer: for tests.
QByteArray dotInput(const LayoutInput& input, const LayoutOptions& options);
Result<LayoutResult> readDotAnswer(const QByteArray& json, const LayoutInput& input, const LayoutOptions& options);

}  // namespace cutaway::ui
