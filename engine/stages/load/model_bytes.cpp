#include "engine/stages/load/model_bytes.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "engine/schema/proto_writer.h"
#include "engine/tensor/six_bit_float.h"

namespace cutaway::load {
namespace {

void addEntry(onnx::TensorProto& proto, const std::string& key, const std::string& value) {
  auto* entry = proto.add_external_data();
  entry->set_key(key);
  entry->set_value(value);
}

// Asks where tensors go, counts what stays, and keeps the first error: the message is filled by code that knows none.
class Placement {
 public:
  explicit Placement(const TensorPlacer& place) : m_place(place) {}

  bool operator()(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) {
    if (!m_done) return true;  // nothing is copied any more: the message will not be written
    const bool canLeave = m_place && tensor.type() != ElementType::kString && !isSixBit(tensor.type()) && !name.empty();
    if (canLeave) {
      Result<std::optional<ExternalPlace>> place = m_place(tensor, name);
      if (!place) {
        m_done = fail(std::move(place).error());
        return true;
      }
      if (*place) {
        write(tensor, name, **place, proto);
        return true;
      }
    }
    m_insideBytes += tensor.type() == ElementType::kString ? 0 : tensor.sizeBytes();
    if (m_insideBytes > kMaxMessageBytes)
      m_done = fail(ErrorCode::kFail,
                    "the weights inside the model pass 2 GB: they need a file of their own (external data)");
    return !m_done;
  }
  Result<void> finish() { return std::move(m_done); }

 private:
  static void write(const Tensor& tensor, const std::string& name, const ExternalPlace& place,
                    onnx::TensorProto& proto) {
    proto.set_name(name);
    proto.set_data_type(static_cast<int32_t>(tensor.type()));
    for (const int64_t dim : tensor.dims())
      proto.add_dims(dim);
    proto.set_data_location(onnx::TensorProto::EXTERNAL);
    addEntry(proto, "location", place.location);
    addEntry(proto, "offset", std::to_string(place.offset));
    addEntry(proto, "length", std::to_string(tensor.sizeBytes()));
  }

  const TensorPlacer& m_place;
  int64_t m_insideBytes = 0;
  Result<void> m_done;
};

void writeHeader(const Model& model, onnx::ModelProto& proto) {
  proto.set_ir_version(model.irVersion);
  proto.set_producer_name(model.producerName);
  proto.set_producer_version(model.producerVersion);
  proto.set_domain(model.domain);
  proto.set_model_version(model.modelVersion);
  proto.set_doc_string(model.documentation);
  for (const OpsetImport& import : model.opsets) {
    auto* opset = proto.add_opset_import();
    opset->set_domain(import.domain);
    opset->set_version(import.version);
  }
  for (const auto& [key, value] : model.metadata) {
    auto* entry = proto.add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
  }
}

// protobuf's buffers, handed on; the sink's error is kept, because protobuf knows only that there was one.
class SinkStream final : public google::protobuf::io::CopyingOutputStream {
 public:
  explicit SinkStream(const ByteSink& sink) : m_sink(sink) {}
  bool Write(const void* buffer, int size) override {
    if (m_done) m_done = m_sink({static_cast<const std::byte*>(buffer), static_cast<size_t>(size)});
    return m_done.has_value();
  }
  Result<void> finish() { return std::move(m_done); }

 private:
  const ByteSink& m_sink;
  Result<void> m_done;
};

constexpr int kBlockBytes = 1 << 20;

}  // namespace

Result<void> writeModelBytes(const Model& model, const ByteSink& sink, const TensorPlacer& place) {
  onnx::ModelProto proto;
  writeHeader(model, proto);
  const auto placement = std::make_shared<Placement>(place);
  writeGraph(model.graph, *proto.mutable_graph(),
             [placement](const Tensor& tensor, const std::string& name, onnx::TensorProto& target) {
               return (*placement)(tensor, name, target);
             });
  CUTAWAY_CHECK(placement->finish());
  for (const Function& function : model.functions)
    writeFunction(function, *proto.add_functions());
  if (proto.ByteSizeLong() > static_cast<size_t>(kMaxMessageBytes))
    return fail(ErrorCode::kFail, "the model's file would pass 2 GB: weights need a file of their own (external data)");
  SinkStream copying(sink);
  google::protobuf::io::CopyingOutputStreamAdaptor stream(&copying, kBlockBytes);
  const bool written = proto.SerializeToZeroCopyStream(&stream) && stream.Flush();
  CUTAWAY_CHECK(copying.finish());
  if (!written) return fail(ErrorCode::kFail, "the model could not be written as bytes");
  return {};
}

}  // namespace cutaway::load
