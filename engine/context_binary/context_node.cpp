#include "engine/context_binary/context_node.h"

namespace cutaway {

bool isContextNode(const Node& node) { return node.opType == kContextOperator && node.domain == kContextDomain; }

}  // namespace cutaway
