#pragma once
// What a session can say of its devices that work on their own: memory by the plan and in hand, and what became of the
// stretches.
//
// Thread rule: any thread; frames in use are left out. Example: const DeviceFigures figures = describeDevices(program,
// frames);

#include "engine/session/run_frames.h"
#include "engine/session/session.h"

namespace cutaway {

DeviceFigures describeDevices(const Program& program, const RunFrames& frames);

}  // namespace cutaway
