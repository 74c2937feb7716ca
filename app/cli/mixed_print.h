#pragma once
// What must stay float, as text. Thread rule: the main thread. Example: printMixed(mixed->report);

#include "engine/report/mixed_report.h"

namespace cutaway::cli {

void printMixed(const MixedReport& report);

}  // namespace cutaway::cli
