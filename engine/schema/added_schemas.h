#pragma once
// Schemas that somebody outside adds, of operators that neither onnx nor this build describes: libraries of custom
// operators.
//
// An added operator is known everywhere from then on: to inference, to checks, to windows. Thread rule: any thread;
// added before the models that use it are loaded, and never taken away. Example:
//   addSchema({.schema = {.opType = "Fold", .domain = "com.example", .sinceVersion = 1, ...}, .source = "libfold.so"});

#include <functional>
#include <string>
#include <vector>

#include "engine/schema/schema.h"

namespace cutaway {

struct AddedSchema {
  OperatorSchema schema;  // its attributes are not known
  std::string source;     // who described it, in words: "libfold.so"
  // Types of a node's outputs, where somebody can tell more than the schema; as many as there are, unknown ones among
  // them. Called while types are inferred, on any thread.
  std::function<std::vector<ValueType>(const Model& model, const Graph& graph, NodeId node)> outputTypes{};
};

// INVALID_ARGUMENT: an operator of that name, domain and version has a schema already, or it has no name.
Result<void> addSchema(AddedSchema added);
// nullptr: the operator is not one that was added. Pointers live for the process.
const AddedSchema* findAddedSchema(std::string_view opType, std::string_view domain, int64_t opsetVersion);
// The newest version of an operator of that domain; 0: none was added.
int64_t newestAddedVersion(std::string_view domain);

}  // namespace cutaway
