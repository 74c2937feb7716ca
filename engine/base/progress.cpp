#include "engine/base/progress.h"

namespace cutaway {

Error cancelledError() {
  return Error{ErrorCode::kModelLoadCanceled, "cancelled", {}};
}

}  // namespace cutaway
