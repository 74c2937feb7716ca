#pragma once
// Every operator schema that this build knows, for documentation and coverage.
//
// Thread rule: pure. Example: for (const OperatorSchema* schema : allSchemas()) fmt::print("{} {}\n", schema->opType,
// schema->sinceVersion);

#include <vector>

#include "engine/schema/schema.h"

namespace cutaway {

// Every version of every operator, withdrawn ones included; sorted by domain, operator and version. Pointers live for
// the process.
std::vector<const OperatorSchema*> allSchemas();

}  // namespace cutaway
