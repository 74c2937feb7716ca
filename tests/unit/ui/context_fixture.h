#pragma once
// Walk reports about context models made by hand: what an export would keep, and models that have context nodes.
//
// Example: document.setWalk(compiledWalk(Maker::kForeign));

#include <memory>

#include "engine/report/walk_report.h"

namespace cutaway::ui::test {

// sampleWalk() with the preview of an export: one group that is kept, a placeholder, the others stay.
std::shared_ptr<const WalkReport> previewWalk();

enum class Maker { kOurs, kForeign };
// Input -> EPContext 'compiled' (five original nodes inside, as graph 1) -> Softmax -> output. In the partitioned
// graphs a copy stands in front, so that indexes differ between the versions. kForeign: made by QNN, nobody here can
// run it, nothing known about what is inside.
std::shared_ptr<const WalkReport> compiledWalk(Maker maker = Maker::kOurs);

ContextWritten writtenReport(const std::string& folder);
ContextVerification verificationReport();

}  // namespace cutaway::ui::test
