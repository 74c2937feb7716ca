#include "engine/schema/model_message.h"

#include "engine/schema/proto_writer.h"

namespace cutaway {

namespace {

constexpr int64_t kIrVersion = 10;
constexpr size_t kMaxMessageBytes = 2'000'000'000;

void addEntry(onnx::TensorProto& proto, const char* key, std::string value) {
  auto* entry = proto.add_external_data();
  entry->set_key(key);
  entry->set_value(std::move(value));
}

}  // namespace

void writeModelHeader(const std::vector<OpsetImport>& opsets, onnx::ModelProto& model) {
  model.set_ir_version(kIrVersion);
  for (const OpsetImport& import : opsets) {
    auto* opset = model.add_opset_import();
    opset->set_domain(import.domain);
    opset->set_version(import.version);
  }
}

void writeExternalTensor(const Tensor& tensor, const std::string& name, const ExternalBytes& bytes,
                         onnx::TensorProto& proto) {
  proto.set_name(name);
  proto.set_data_type(static_cast<int32_t>(tensor.type()));
  for (const int64_t dim : tensor.dims())
    proto.add_dims(dim);
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  addEntry(proto, "location", bytes.location);
  addEntry(proto, "offset", std::to_string(bytes.offset));
  addEntry(proto, "length", std::to_string(bytes.length));
}

Result<std::string> modelBytes(const onnx::ModelProto& model) {
  std::string bytes;
  if (model.ByteSizeLong() > kMaxMessageBytes || !model.SerializeToString(&bytes))
    return fail(ErrorCode::kEpFail, "the group is larger than the 2 GB that an ONNX message may have");
  return bytes;
}

}  // namespace cutaway
