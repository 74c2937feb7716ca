#pragma once
// onnx's schemas, each made when it is first asked for: a model has some twenty operators, and onnx's own registry
// makes 1,300 schemas at its first question, which is most of the time that a small model takes to load.
//
// Thread rule: any thread; what is found never changes and lives for the process.
// Example: const onnx::OpSchema* schema = findOnnxSchema("Conv", "", 17);

#include <limits>
#include <string_view>
#include <vector>

#include <onnx/defs/schema.h>

namespace cutaway {

// The newest version of the operator that is not above `version`, as OpSchemaRegistry::Schema gives it; nullptr: none.
const onnx::OpSchema* findOnnxSchema(std::string_view opType, std::string_view domain,
                                     int version = std::numeric_limits<int>::max());

struct OnnxOperator {
  std::string_view opType, domain;
  int sinceVersion = 0;
};
// Every version of every operator.
std::vector<OnnxOperator> onnxOperators();

// Makes onnx's registry for what asks it: function bodies and onnx's version converter. onnx leaves a schema out that
// it cannot make; a registry with such a hole is an exception (std::runtime_error), the same at every call.
void makeOnnxRegistry();

}  // namespace cutaway
