#include "engine/context/context_options.h"

namespace cutaway {

Result<ContextOptions> readContextOptions(const std::map<std::string, std::string>& /*config*/) { return ContextOptions{}; }

}  // namespace cutaway
