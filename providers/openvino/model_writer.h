#pragma once
// Groups as ONNX bytes for OpenVINO's frontend, with large weights left where they are.
//
// The frontend takes external data at location "*/_ORT_MEM_ADDR_/*" whose offset is an address in this process (a
// convention of onnxruntime's provider for OpenVINO). Thread rule: pure. The bytes are good as long as the
// tensors they point to live. Example: CUTAWAY_TRY(const std::string bytes, writeGroupModel(group.graph,
// group.model.opsets));

#include <functional>
#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace onnx {
class TensorProto;
}  // namespace onnx

namespace cutaway::openvino {

// Tensors of at least this many bytes go by address.
inline constexpr int64_t kByAddressBytes = 4096;

// Fills the message with the tensor's address when it is large; false: the caller writes the bytes.
bool writeByAddress(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto);
// The same with another address, of another process.
bool writeByForeignAddress(const Tensor& tensor, const std::string& name, uint64_t address, onnx::TensorProto& proto);
// Fills the message for a tensor that is not to be written; false: its bytes are.
using LargeWriter = std::function<bool(const Tensor&, const std::string& name, onnx::TensorProto& proto)>;
Result<std::string> writeGroupModel(const Graph& graph, const std::vector<OpsetImport>& opsets,
                                    const LargeWriter& large = writeByAddress);

}  // namespace cutaway::openvino
