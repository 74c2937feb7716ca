#pragma once
// One self-contained HTML file about one walk: no network, no script needed, light and dark after the reader's system.
//
// Thread rule: pure. Example: const std::string page = htmlReport(*walk, graphSvg);

#include <string>

#include "engine/report/walk_report.h"

namespace cutaway::cli {

// graphSvg: a picture of the main graph as an <svg> element, or empty.
std::string htmlReport(const WalkReport& walk, const std::string& graphSvg);

}  // namespace cutaway::cli
