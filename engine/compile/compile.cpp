#include "engine/compile/compile.h"

namespace cutaway {

Result<Compiled> compileModel(const CompileRequest& /*request*/, const ProviderTable& /*table*/, Progress& /*progress*/) { return fail(ErrorCode::kNotImplemented, "context models cannot be written yet"); }

}  // namespace cutaway
