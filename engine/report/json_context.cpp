#include "engine/report/context_report.h"

namespace cutaway {

const char* checkStateName(CheckState state) {
  switch (state) {
    case CheckState::kPassed: return "passed";
    case CheckState::kWarning: return "warning";
    case CheckState::kFailed: return "failed";
    case CheckState::kSkipped: return "skipped";
  }
  return "";
}

}  // namespace cutaway
