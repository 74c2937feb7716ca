#pragma once
// Every operator schema that this build knows, for documentation and coverage.
//
// Thread rule: pure. Example: for (const OperatorSchema* schema : allSchemas()) fmt::print("{} {}\n", schema->opType,
// schema->sinceVersion);

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/schema/schema.h"

namespace cutaway {

// Every version of every operator, withdrawn ones included; sorted by domain, operator and version. Pointers live for
// the process.
std::vector<const OperatorSchema*> allSchemas();
// Since-versions of one operator, newest first, empty where nobody knows it. Makes no schema of onnx: those of one
// operator are up to 300 KB that stay, in small pieces all over the heap.
std::vector<int32_t> schemaVersions(std::string_view opType, std::string_view domain);

}  // namespace cutaway
