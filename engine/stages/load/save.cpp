#include "engine/stages/load/save.h"

#include <cstring>
#include <fstream>
#include <memory>
#include <unistd.h>

#include "engine/schema/proto_writer.h"
#include "engine/tensor/six_bit_float.h"

namespace cutaway {

namespace {

namespace fs = std::filesystem;

// Where tensors start in the data file: a page, so that they can be mapped and are aligned for any element type.
constexpr int64_t kDataAlignment = 4096;
constexpr int64_t kMaxMessageBytes = (int64_t{1} << 31) - 1;

// A file that appears under its name only once it is whole.
class NewFile {
 public:
  explicit NewFile(fs::path path) : m_path(std::move(path)), m_temporary(m_path.string() + fmt::format(".tmp{}", ::getpid())), m_stream(m_temporary, std::ios::binary | std::ios::trunc) {}
  ~NewFile() {
    m_stream.close();
    std::error_code ignored;
    if (!m_done) fs::remove(m_temporary, ignored);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  std::ofstream& stream() { return m_stream; }
  Result<void> finish() {
    m_stream.close();
    std::error_code error;
    if (m_stream.fail()) return fail(atFile({ErrorCode::kFail, "the file cannot be written", {}}, m_path.string()));
    fs::rename(m_temporary, m_path, error);
    if (error) return fail(atFile({ErrorCode::kFail, fmt::format("the file cannot be written: {}", error.message()), {}}, m_path.string()));
    m_done = true;
    return {};
  }

 private:
  fs::path m_path;
  fs::path m_temporary;
  std::ofstream m_stream;
  bool m_done = false;
};

void addEntry(onnx::TensorProto& proto, const std::string& key, const std::string& value) {
  auto* entry = proto.add_external_data();
  entry->set_key(key);
  entry->set_value(value);
}

// Appends large tensors to the data file and leaves a reference in the model.
class DataWriter {
 public:
  DataWriter(std::ofstream& stream, std::string location, int64_t threshold) : m_stream(stream), m_location(std::move(location)), m_threshold(threshold) {}

  bool operator()(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) {
    const int64_t size = tensor.sizeBytes();
    if (tensor.type() == ElementType::kString || isSixBit(tensor.type()) || size < m_threshold || name.empty()) return false;
    const int64_t offset = (m_offset + kDataAlignment - 1) / kDataAlignment * kDataAlignment;
    const std::string padding(static_cast<size_t>(offset - m_offset), '\0');
    m_stream.write(padding.data(), static_cast<std::streamsize>(padding.size()));
    m_stream.write(static_cast<const char*>(tensor.data()), size);
    m_offset = offset + size;
    proto.set_name(name);
    proto.set_data_type(static_cast<int32_t>(tensor.type()));
    for (const int64_t dim : tensor.dims()) proto.add_dims(dim);
    proto.set_data_location(onnx::TensorProto::EXTERNAL);
    addEntry(proto, "location", m_location);
    addEntry(proto, "offset", std::to_string(offset));
    addEntry(proto, "length", std::to_string(size));
    return true;
  }

 private:
  std::ofstream& m_stream;
  std::string m_location;
  int64_t m_threshold;
  int64_t m_offset = 0;
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

int64_t initializerBytes(const Model& model) {
  int64_t bytes = 0;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const ValueId id : graph.initializers()) bytes += graph.value(id).initializer->sizeBytes();
  });
  return bytes;
}

Result<void> saveTo(const Model& model, const fs::path& path, const SaveOptions& options) {
  std::error_code error;
  if (!options.overwrite && fs::exists(path, error)) return fail(ErrorCode::kFail, "the file exists already");
  const bool external = options.externalThresholdBytes >= 0;
  if (!external && initializerBytes(model) > kMaxMessageBytes) return fail(ErrorCode::kFail, "the weights pass 2 GB: they need a file of their own (external data)");
  onnx::ModelProto proto;
  writeHeader(model, proto);
  std::optional<NewFile> data;
  if (external) {
    const std::string location = path.filename().string() + ".data";
    data.emplace(path.parent_path() / location);
    // One writer for all graphs: offsets go on.
    auto writer = std::make_shared<DataWriter>(data->stream(), location, options.externalThresholdBytes);
    writeGraph(model.graph, *proto.mutable_graph(), [writer](const Tensor& tensor, const std::string& name, onnx::TensorProto& target) { return (*writer)(tensor, name, target); });
  } else {
    writeGraph(model.graph, *proto.mutable_graph());
  }
  for (const Function& function : model.functions) writeFunction(function, *proto.add_functions());
  if (static_cast<int64_t>(proto.ByteSizeLong()) > kMaxMessageBytes) return fail(ErrorCode::kFail, "the model passes 2 GB: weights need a file of their own (external data)");
  NewFile file(path);
  if (!proto.SerializeToOstream(&file.stream())) return fail(ErrorCode::kFail, "the file cannot be written");
  if (data) CUTAWAY_CHECK(data->finish());
  return file.finish();
}

}  // namespace

Result<void> save(const Model& model, const fs::path& path, const SaveOptions& options) {
  auto saved = saveTo(model, path, options);
  if (!saved) return fail(atFile(std::move(saved).error(), path.string()));
  return {};
}

}  // namespace cutaway
