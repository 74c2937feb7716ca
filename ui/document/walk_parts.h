#pragma once
// What of a walk is not as it was: listeners react to what they show, and to nothing else.
//
// Example: document.onWalkChange(WalkPart::kRun | WalkPart::kPartition, this, &MyPage::refresh);

#include <cstdint>

#include <QFlags>

#include "engine/report/walk_report.h"

namespace cutaway::ui {

// A stage's part is its report, with the graphs and costs that came with it.
enum class WalkPart : uint32_t {
  kLoad = 1U << 0,
  kResolve = 1U << 1,
  kOptimize = 1U << 2,
  kPartition = 1U << 3,
  kSchedule = 1U << 4,
  kAllocate = 1U << 5,
  kPattern = 1U << 6,
  kRun = 1U << 7,
  kContext = 1U << 8,
  kStates = 1U << 9,       // how far stages are, as stageState() has it: waiting, under way, done, failed, cancelled
  kComparison = 1U << 10,  // a what-if came or went, so that another graph is shown
};
Q_DECLARE_FLAGS(WalkParts, WalkPart)
Q_DECLARE_OPERATORS_FOR_FLAGS(WalkParts)

inline constexpr WalkParts kLoadedGraphs = WalkParts(WalkPart::kLoad) | WalkPart::kResolve;
// The graphs of all versions, and what is said of their nodes.
inline constexpr WalkParts kGraphs = kLoadedGraphs | WalkPart::kOptimize | WalkPart::kPartition;
inline constexpr WalkParts kPlans = WalkParts(WalkPart::kSchedule) | WalkPart::kAllocate | WalkPart::kPattern;
inline constexpr WalkParts kReports = kGraphs | kPlans | WalkPart::kRun | WalkPart::kContext;
inline constexpr WalkParts kWholeWalk = kReports | WalkPart::kStates | WalkPart::kComparison;

constexpr WalkPart partOf(Stage stage) {
  return static_cast<WalkPart>(1U << static_cast<uint32_t>(stage));
}

// Reports are shared between snapshots, so that one that is another object is another report.
WalkParts changedParts(const WalkReport& before, const WalkReport& after);

}  // namespace cutaway::ui
