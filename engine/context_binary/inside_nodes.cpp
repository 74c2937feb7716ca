#include "engine/context_binary/inside_nodes.h"

namespace cutaway {

}  // namespace cutaway
