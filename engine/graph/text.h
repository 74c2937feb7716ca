#pragma once
// The text notation of graphs, after ONNX's own textual syntax: for tests (before and after), logs and people.
//
//   <ir_version: 8, opset_import: ["" : 17]>
//   main (float[n,4] x) => (float[n,2] y) <float[4,2] w = {1,2,3,4,5,6,7,8}, float[n,4] h> {
//     [relu1] h = Relu (x)
//     y = MatMul (h, w)
//   }
//
// Initializers stand with values (short ones) or as `float[64,3,7,7] w = {...}` when long: such text prints but does
// not parse back. Attributes follow the operator: `Gemm <alpha = 2.0, transB = 1> (a, b)`; a body is `<then_branch = g1
// () => (...) {...}>`. Outputs or inputs left out are written "". Thread rule: pure functions. Errors: INVALID_PROTOBUF
// with line and column.

#include <string>
#include <string_view>

#include "engine/graph/model.h"

namespace cutaway {

struct TextOptions {
  bool showOrigins = false;   // `# origins` comments
  bool showProvider = false;  // `@provider` after the operator
  int64_t maxInlineElements = 16;
};

std::string printGraph(const Graph& graph, const TextOptions& options = {});
std::string printModel(const Model& model, const TextOptions& options = {});
// Accepts a model (header, graph, functions) or a bare graph (opset 21, IR 10 then). Assigns origins in reading order.
Result<Model> parseModelText(std::string_view text);

}  // namespace cutaway
