// Serialises graphs for the frontend.
#include "providers/openvino/model_writer.h"

#include "engine/schema/proto_writer.h"

namespace cutaway::openvino {

namespace {

constexpr int64_t kIrVersion = 10;  // has every element type that OpenVINO knows
constexpr int64_t kMaxMessageBytes = 2'000'000'000;

void addEntry(onnx::TensorProto& proto, const char* key, std::string value) {
  auto* entry = proto.add_external_data();
  entry->set_key(key);
  entry->set_value(std::move(value));
}

}  // namespace

bool writeByAddress(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) {
  if (tensor.type() == ElementType::kString || tensor.sizeBytes() < kByAddressBytes) return false;
  proto.set_name(name);
  proto.set_data_type(static_cast<int32_t>(tensor.type()));
  for (const int64_t dim : tensor.dims())
    proto.add_dims(dim);
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  addEntry(proto, "location", "*/_ORT_MEM_ADDR_/*");
  addEntry(proto, "offset", std::to_string(reinterpret_cast<uintptr_t>(tensor.data())));
  addEntry(proto, "length", std::to_string(tensor.sizeBytes()));
  return true;
}

void writeHeader(const std::vector<OpsetImport>& opsets, onnx::ModelProto& model) {
  model.set_ir_version(kIrVersion);
  for (const OpsetImport& import : opsets) {
    auto* opset = model.add_opset_import();
    opset->set_domain(import.domain);
    opset->set_version(import.version);
  }
}

Result<std::string> modelBytes(const onnx::ModelProto& model) {
  std::string bytes;
  if (static_cast<int64_t>(model.ByteSizeLong()) > kMaxMessageBytes || !model.SerializeToString(&bytes)) {
    return fail(ErrorCode::kEpFail, "the group is larger than the 2 GB that an ONNX message may have");
  }
  return bytes;
}

Result<std::string> writeGroupModel(const Graph& graph, const std::vector<OpsetImport>& opsets) {
  onnx::ModelProto model;
  writeHeader(opsets, model);
  writeGraph(graph, *model.mutable_graph(), writeByAddress);
  return modelBytes(model);
}

}  // namespace cutaway::openvino
