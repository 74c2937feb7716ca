#include "engine/runtime/operator_docs.h"

namespace cutaway {

std::optional<OperatorDocs> operatorDocs(const std::string&, const std::string&, int64_t) { return std::nullopt; }

}  // namespace cutaway
