#include "engine/context_binary/shared_contexts.h"

namespace cutaway {

}  // namespace cutaway
