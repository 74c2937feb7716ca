#pragma once
// What a part of a model does, in a word or two, as far as its operators tell: "attention", "convolution".
//
// Thread rule: pure function over an immutable report. Example: workOf(graph, 12, 24)   // "transformer"

#include <QString>

#include "engine/report/graph_report.h"

namespace cutaway::ui {

QString workOf(const GraphReport& graph, int first, int end);  // nodes first up to end; empty: nothing stands out

}  // namespace cutaway::ui
