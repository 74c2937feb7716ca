#include "engine/compile/verify.h"

namespace cutaway {

Result<ContextVerification> verifyContext(const VerifyRequest& /*request*/, const ProviderTable& /*table*/, Progress& /*progress*/) { return fail(ErrorCode::kNotImplemented, "context models cannot be verified yet"); }

}  // namespace cutaway
