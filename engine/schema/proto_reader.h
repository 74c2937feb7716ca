#pragma once
// ONNX messages become our values: tensors, types, graphs and functions, read from bytes where they lie.
//
// Tensors point into the bytes when these are aligned for their element type, and own a copy otherwise. Bodies are read
// from a work list, not by recursion. Thread rule: pure over the settings in hand. Example:
//   ProtoReader reader({.keepAlive = file, .irVersion = 8});
//   CUTAWAY_CHECK(reader.readGraph(bytes, "", model.graph));

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/model.h"
#include "engine/schema/wire_reader.h"

namespace cutaway {

// What a tensor says about bytes that lie elsewhere.
struct ExternalReference {
  std::string tensorName;
  ElementType type = ElementType::kUndefined;
  std::vector<int64_t> dims;
  std::vector<std::pair<std::string, std::string>> entries;  // location, offset, length, checksum ...
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

struct LayerAnnotation {
  const Graph* graph = nullptr;
  NodeId node;
  std::string text;
};

struct ProtoReaderSettings {
  std::shared_ptr<const void> keepAlive;  // of the bytes that are read
  int64_t irVersion = 14;
  // Without it external data is refused. An invalid Tensor means: not there, go on without its bytes.
  std::function<Result<Tensor>(const ExternalReference&)> external;
  bool allowMissingData = false;  // values that are not in the file become tensors without bytes
  std::function<bool()> cancelled;
  std::vector<std::string>* warnings = nullptr;
  // Node metadata "layer_ann" outside functions, to be kept by whoever knows the nodes' origins.
  std::vector<LayerAnnotation>* layers = nullptr;
};

// A ValueInfoProto: a value as messages declare it.
struct ValueInfo {
  std::string name;
  ValueType type;
  int64_t leastSize = 0;  // the least dimension as the file has it: negative ones are open in `type`
};

class ProtoReader {
 public:
  explicit ProtoReader(ProtoReaderSettings settings) : m_settings(std::move(settings)) {}

  Result<void> readGraph(ByteSpan bytes, const std::string& path, Graph& graph);
  Result<Function> readFunction(ByteSpan bytes);
  Result<NamedTensor> readTensor(ByteSpan bytes);
  Result<SparseTensor> readSparseTensor(ByteSpan bytes, std::string* name = nullptr);

  // Bytes that had to be copied because they were not aligned or not stored as they are used.
  int64_t copiedBytes() const { return m_copiedBytes; }

 private:
  struct PendingBody;
  struct PendingBytes {
    size_t attribute;
    std::vector<ByteSpan> bodies;
  };
  struct NodeText;
  Result<void> readOneGraph(ByteSpan bytes, const std::string& path, int depth, Graph& graph,
                            std::vector<PendingBody>& pending);
  Result<void> addNodes(const std::vector<ByteSpan>& nodes, const std::string& path, int depth, Graph& graph,
                        std::vector<PendingBody>& pending);
  Result<void> finishBodies(std::vector<PendingBody>& pending);
  Result<NodeText> readNode(ByteSpan bytes);
  Result<void> readAttributeMessage(WireReader& reader, uint64_t kind, AttributeValue& value,
                                    std::vector<ByteSpan>& bodies);
  Result<Attribute> readAttribute(ByteSpan bytes, std::vector<ByteSpan>& bodies);
  Result<void> addInitializer(Graph& graph, ByteSpan bytes);
  Result<void> addSparseInitializer(Graph& graph, ByteSpan bytes);
  Result<bool> addConstant(Graph& graph, NodeText& node);
  Result<void> addNode(Graph& graph, NodeText node, const std::string& path, int depth,
                       std::vector<PendingBody>& pending);
  void warn(std::string message);
  Result<ValueInfo> readDeclared(ByteSpan bytes);

  ProtoReaderSettings m_settings;
  int64_t m_copiedBytes = 0;
  bool m_inFunction = false;
};

// INVALID_GRAPH, at `place`, when one of the names that a new node would make is made already, or named twice.
Result<void> refuseSecondProducer(const Graph& graph, const std::vector<std::string>& outputs,
                                  const std::string& place);

Result<ValueType> readType(ByteSpan bytes);
Result<ValueInfo> readValueInfo(ByteSpan bytes);
Result<OpsetImport> readOpsetImport(ByteSpan bytes);
Result<std::pair<std::string, std::string>> readStringEntry(ByteSpan bytes);

// A FunctionProto as it is stored: what refers to other parts is not read yet.
struct StoredFunction {
  Function function;  // without its body and the defaults of its attributes
  std::vector<ByteSpan> nodes, valueInfos, defaults;
  std::vector<std::string> inputs, outputs;
};
Result<StoredFunction> readStoredFunction(ByteSpan bytes);

// A tensor whose values lie as they are used: in place when aligned for the element type and `keepAlive` is given, else
// in a copy, which `copiedBytes` counts. INVALID_GRAPH: the number of bytes does not fit type and dimensions. No
// strings.
Result<Tensor> tensorFromBytes(ElementType type, const std::vector<int64_t>& dims, ByteSpan bytes,
                               const std::shared_ptr<const void>& keepAlive, int64_t& copiedBytes);

// The dense form of a coordinate tensor. INVALID_GRAPH for indices out of range, or a dense form above 2 GB.
Result<Tensor> denseTensor(const SparseTensor& sparse);

}  // namespace cutaway
