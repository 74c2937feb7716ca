#pragma once
// What a session can say of its devices that work on their own: memory by the plan and in hand, and what became of the
// captured segments.
//
// Thread rule: any thread; frames in use are left out. Example: const DeviceFigures figures = describeDevices(program,
// frames);

#include "engine/session/run_frames.h"
#include "engine/session/session.h"

namespace cutaway::session {

execute::DeviceFigures describeDevices(const execute::Program& program, const RunFrames& frames);

}  // namespace cutaway::session
