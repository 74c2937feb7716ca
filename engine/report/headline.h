#pragma once
// The ribbon's figure of a stage in parts, for those who write it in another language than English.
//
// Thread rule: pure over an immutable report.
// Example: for (const HeadlinePart& part : stageHeadlineParts(walk, Stage::kOptimize)) ...  // {"%1 -> %2 nodes",
// {"187", "92"}}

#include <string>
#include <vector>

#include "engine/report/walk_report.h"

namespace cutaway {

struct HeadlinePart {
  const char* phrase = "";           // with %1 and %2 where figures stand
  std::vector<std::string> figures;  // in their order
};

// Of a stage that is not done: none. stageHeadline() is these, filled in and joined with ", ".
std::vector<HeadlinePart> stageHeadlineParts(const WalkReport& walk, Stage stage);

}  // namespace cutaway
