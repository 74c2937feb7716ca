#include "engine/context/generate.h"

namespace cutaway {

Result<ContextWritten> writeContextModel(const ContextInput& /*input*/, const ContextOptions& /*options*/, Progress& /*progress*/) { return fail(ErrorCode::kNotImplemented, "context models cannot be written yet"); }

}  // namespace cutaway
