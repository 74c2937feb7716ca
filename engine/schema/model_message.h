#pragma once
// Graphs as ONNX models for the readers of other libraries: what stands around the graph, and weights that lie
// elsewhere.
//
// Thread rule: pure. Example:
//   onnx::ModelProto model;  writeModelHeader(opsets, model);  writeGraph(graph, *model.mutable_graph(), external);
//   CUTAWAY_TRY(const std::string bytes, modelBytes(model));

#include <cstdint>
#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace onnx {
class ModelProto;
class TensorProto;
}  // namespace onnx

namespace cutaway {

// The IR version is one that has all element types of the standard up to opset 23.
void writeModelHeader(const std::vector<OpsetImport>& opsets, onnx::ModelProto& model);

// Where a tensor's bytes lie: external data in the words of the standard.
struct ExternalBytes {
  std::string location;
  uint64_t offset = 0;
  uint64_t length = 0;
};
// Name, type, dims and place; no bytes.
void writeExternalTensor(const Tensor& tensor, const std::string& name, const ExternalBytes& bytes,
                         onnx::TensorProto& proto);
// EP_FAIL when the message would pass protobuf's 2 GB.
Result<std::string> modelBytes(const onnx::ModelProto& model);

}  // namespace cutaway
