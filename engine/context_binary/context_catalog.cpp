#include "engine/context_binary/context_catalog.h"

namespace cutaway {

}  // namespace cutaway
