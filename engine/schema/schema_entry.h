#pragma once
// What the inside of this folder knows about an operator beyond OperatorSchema: onnx's own schema, and type constraints
// as bit sets.
//
// Thread rule: entries are made once under a lock, never change and live for the process.
// Example: const SchemaEntry* entry = findSchemaEntry("Conv", "", 17);

#include <onnx/defs/schema.h>

#include "engine/schema/added_schemas.h"
#include "engine/schema/schema.h"

namespace cutaway {

// Types that a formal parameter takes.
struct AllowedTypes {
  uint64_t tensors = 0;             // bit n: tensor(ElementType n)
  std::vector<std::string> others;  // "seq(tensor(float))" ...
  int variable = -1;                // index into typeConstraints, -1: a type of its own

  bool accepts(const ValueType& type) const;
};

struct SchemaEntry : OperatorSchema {
  const onnx::OpSchema* onnxSchema = nullptr;  // none of an operator that was added
  const AddedSchema* added = nullptr;          // of such a one
  onnx::InferenceFunction infer;
  std::vector<AllowedTypes> inputTypes, outputTypes;
  bool uncheckedAttributes = false;
};

const SchemaEntry* findSchemaEntry(std::string_view opType, std::string_view domain, int64_t opsetVersion);

// After an operator was added: questions that had no answer may have one now.
void forgetUnknownOperators();

// "tensor(float)", "seq(tensor(float))", "map(int64,tensor(float))", "optional(...)": how schemas write types.
std::string schemaTypeText(const ValueType& type);

// Operators outside onnx's registry: com.microsoft, and ai.onnx operators that were withdrawn. nullptr when there is
// none. Pointers live for the process.
const onnx::OpSchema* findOwnSchema(const std::string& opType, const std::string& domain, int64_t opsetVersion);
// Operator and domain; without what only onnxruntime's optimiser writes, which nobody calls.
std::vector<std::pair<std::string, std::string>> ownOperatorNames();
bool isOwnDomain(std::string_view domain);  // with one version, ours

}  // namespace cutaway
