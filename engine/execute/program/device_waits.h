#pragma once
// Who waits for a copy between the host and a device that works on its own.
//
// Work of a device is done in the order in which it was enqueued, but copies have a lane of their own. A host step that
// reads what a copy brings waits for it; work of the device that reads what a copy brings, or writes over what a copy
// reads, starts after it; a buffer is given back only after that. Every reader has the wait, not only the first,
// because runs may leave steps out; a wait for what was reached before costs a comparison. Thread rule: pure. Linear in
// steps, values and waits. Example: planDeviceWaits(program);

#include "engine/execute/program/graph_program.h"

namespace cutaway::execute {

// Fills StepProgram::waits and ValueProgram::copies, by StepProgram::run and copyNumber.
void planDeviceWaits(GraphProgram& program);

}  // namespace cutaway::execute
