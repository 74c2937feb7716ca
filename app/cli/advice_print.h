#pragma once
// Advice and the support matrix as text. Thread rule: the main thread. Example: printAdvice(advised->report, false);

#include "engine/report/advice_report.h"

namespace cutaway::cli {

void printAdvice(const AdviceReport& report, bool attempts);
void printSupport(const SupportReport& report);

}  // namespace cutaway::cli
