#pragma once
// Claimed groups become kernels, or go to the next provider.
//
// Groups are compiled one by one, so that one that fails costs no other its place; all of them in one call to the
// worker. Thread rule: one partitioning. Example: return compileGroups(assignment, provider, std::move(taken),
// context);

#include "engine/stages/partition/assignment.h"

namespace cutaway::partition {

// Fills assignment.groups. A group whose compile() fails, throws, or gives anything but one kernel is given back with
// Verdict::kCompileFailed. Without PartitionOptions::compile nothing is compiled, and the kernels refuse to run.
// MODEL_REQUIRES_COMPILATION when session.disable_model_compile forbids it; MODEL_LOAD_CANCELED.
Result<void> compileGroups(GraphAssignment& assignment, ExecutionProvider& provider, std::vector<AcceptedGroup> groups,
                           const AssignmentContext& context);

}  // namespace cutaway::partition
