// Serialises graphs for the frontend.
#include "providers/openvino/model_writer.h"

#include "engine/schema/model_message.h"
#include "engine/schema/proto_writer.h"

namespace cutaway::openvino {

namespace {

constexpr const char* kAddressLocation = "*/_ORT_MEM_ADDR_/*";

}  // namespace

bool writeByAddress(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) {
  return writeByForeignAddress(tensor, name, reinterpret_cast<uintptr_t>(tensor.data()), proto);
}

bool writeByForeignAddress(const Tensor& tensor, const std::string& name, uint64_t address, onnx::TensorProto& proto) {
  if (tensor.type() == ElementType::kString || tensor.sizeBytes() < kByAddressBytes) return false;
  writeExternalTensor(
      tensor, name,
      {.location = kAddressLocation, .offset = address, .length = static_cast<uint64_t>(tensor.sizeBytes())}, proto);
  return true;
}

Result<std::string> writeGroupModel(const Graph& graph, const std::vector<OpsetImport>& opsets,
                                    const LargeWriter& large) {
  onnx::ModelProto model;
  writeModelHeader(opsets, model);
  writeGraph(graph, *model.mutable_graph(), large);
  return modelBytes(model);
}

}  // namespace cutaway::openvino
