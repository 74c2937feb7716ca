#pragma once
// The sections of the HTML report, one per stage; each writes nothing when its stage did not run.
//
// Thread rule: pure over an immutable walk. Example: writePartition(html, walk);

#include "app/cli/html_writer.h"
#include "engine/report/walk_report.h"

namespace cutaway::cli {

void writeLoad(HtmlWriter& html, const WalkReport& walk);
void writeInputs(HtmlWriter& html, const WalkReport& walk);
void writeOptimize(HtmlWriter& html, const WalkReport& walk);
void writePartition(HtmlWriter& html, const WalkReport& walk);
void writeOrder(HtmlWriter& html, const WalkReport& walk);
void writeAllocation(HtmlWriter& html, const WalkReport& walk);
void writePattern(HtmlWriter& html, const WalkReport& walk);
void writeRun(HtmlWriter& html, const WalkReport& walk);

// x = step, y = offset, height = bytes; every block names its value on hover.
std::string memoryChartSvg(const GraphReport& graph, const GraphPattern& pattern);

}  // namespace cutaway::cli
