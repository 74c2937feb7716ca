#pragma once
// The fields of onnxruntime's model format ("ORTM") by their numbers, and the numbers of its enumerations, as files of
// the format versions 2 to 6 have them. Fields that only onnxruntime's own start needs (edges, kernel names) are left
// out. Element types are numbered as in ONNX.
//
// Example: model.table(ort::kModelGraph)

#include "engine/stages/load/ort_format/flat_buffer.h"

namespace cutaway::load::ort {

inline constexpr FlatField kSessionVersion{0, "InferenceSession.ort_version"};
inline constexpr FlatField kSessionModel{1, "InferenceSession.model"};

inline constexpr FlatField kModelIrVersion{0, "Model.ir_version"};
inline constexpr FlatField kModelOpsetImport{1, "Model.opset_import"};
inline constexpr FlatField kModelProducerName{2, "Model.producer_name"};
inline constexpr FlatField kModelProducerVersion{3, "Model.producer_version"};
inline constexpr FlatField kModelDomain{4, "Model.domain"};
inline constexpr FlatField kModelVersion{5, "Model.model_version"};
inline constexpr FlatField kModelDocumentation{6, "Model.doc_string"};
inline constexpr FlatField kModelGraph{7, "Model.graph"};
inline constexpr FlatField kModelGraphDocumentation{8, "Model.graph_doc_string"};
inline constexpr FlatField kModelMetadata{9, "Model.metadata_props"};

inline constexpr FlatField kOpsetDomain{0, "OperatorSetId.domain"};
inline constexpr FlatField kOpsetVersion{1, "OperatorSetId.version"};
inline constexpr FlatField kEntryKey{0, "StringStringEntry.key"};
inline constexpr FlatField kEntryValue{1, "StringStringEntry.value"};

inline constexpr FlatField kGraphInitializers{0, "Graph.initializers"};
inline constexpr FlatField kGraphValues{1, "Graph.node_args"};
inline constexpr FlatField kGraphNodes{2, "Graph.nodes"};
inline constexpr FlatField kGraphInputs{5, "Graph.inputs"};
inline constexpr FlatField kGraphOutputs{6, "Graph.outputs"};
inline constexpr FlatField kGraphSparseInitializers{7, "Graph.sparse_initializers"};
inline constexpr FlatField kGraphOptimizations{8, "Graph.runtime_optimizations"};

inline constexpr FlatField kOptimizationRecords{0, "RuntimeOptimizations.records"};
inline constexpr FlatField kRecordsOptimizer{0, "RuntimeOptimizationRecordContainerEntry.optimizer_name"};

inline constexpr FlatField kNodeName{0, "Node.name"};
inline constexpr FlatField kNodeDocumentation{1, "Node.doc_string"};
inline constexpr FlatField kNodeDomain{2, "Node.domain"};
inline constexpr FlatField kNodeOperator{5, "Node.op_type"};
inline constexpr FlatField kNodeType{6, "Node.type"};
inline constexpr FlatField kNodeInputs{8, "Node.inputs"};
inline constexpr FlatField kNodeOutputs{9, "Node.outputs"};
inline constexpr FlatField kNodeAttributes{10, "Node.attributes"};
inline constexpr int32_t kFusedNode = 1;  // of Node.type: a node that a provider compiled

inline constexpr FlatField kAttributeName{0, "Attribute.name"};
inline constexpr FlatField kAttributeType{2, "Attribute.type"};
inline constexpr FlatField kAttributeFloat{3, "Attribute.f"};
inline constexpr FlatField kAttributeInt{4, "Attribute.i"};
inline constexpr FlatField kAttributeString{5, "Attribute.s"};
inline constexpr FlatField kAttributeTensor{6, "Attribute.t"};
inline constexpr FlatField kAttributeGraph{7, "Attribute.g"};
inline constexpr FlatField kAttributeFloats{8, "Attribute.floats"};
inline constexpr FlatField kAttributeInts{9, "Attribute.ints"};
inline constexpr FlatField kAttributeStrings{10, "Attribute.strings"};
inline constexpr FlatField kAttributeTensors{11, "Attribute.tensors"};
inline constexpr FlatField kAttributeGraphs{12, "Attribute.graphs"};

// Attribute.type
enum class AttributeType : int32_t {
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kTensors = 9,
  kGraphs = 10,
};

inline constexpr FlatField kTensorName{0, "Tensor.name"};
inline constexpr FlatField kTensorDims{2, "Tensor.dims"};
inline constexpr FlatField kTensorType{3, "Tensor.data_type"};
inline constexpr FlatField kTensorRaw{4, "Tensor.raw_data"};
inline constexpr FlatField kTensorStrings{5, "Tensor.string_data"};
inline constexpr FlatField kTensorExternalOffset{6, "Tensor.external_data_offset"};
inline constexpr FlatField kSparseValues{0, "SparseTensor.values"};
inline constexpr FlatField kSparseIndices{1, "SparseTensor.indices"};
inline constexpr FlatField kSparseDims{2, "SparseTensor.dims"};

inline constexpr FlatField kValueName{0, "ValueInfo.name"};
inline constexpr FlatField kValueTypeInfo{2, "ValueInfo.type"};
inline constexpr FlatField kTypeDenotation{0, "TypeInfo.denotation"};
inline constexpr FlatField kTypeKind{1, "TypeInfo.value_type"};
inline constexpr FlatField kTypeValue{2, "TypeInfo.value"};
inline constexpr FlatField kTensorTypeElement{0, "TensorTypeAndShape.elem_type"};
inline constexpr FlatField kTensorTypeShape{1, "TensorTypeAndShape.shape"};
inline constexpr FlatField kSequenceElement{0, "SequenceType.elem_type"};
inline constexpr FlatField kMapKey{0, "MapType.key_type"};
inline constexpr FlatField kMapValue{1, "MapType.value_type"};
inline constexpr FlatField kShapeDims{0, "Shape.dim"};
inline constexpr FlatField kDimensionValue{0, "Dimension.value"};
inline constexpr FlatField kDimType{0, "DimensionValue.dim_type"};
inline constexpr FlatField kDimNumber{1, "DimensionValue.dim_value"};
inline constexpr FlatField kDimSymbol{2, "DimensionValue.dim_param"};

// TypeInfo.value_type
enum class StoredType : uint8_t { kNone = 0, kTensor = 1, kSequence = 2, kMap = 3 };
// DimensionValue.dim_type
enum class StoredDim : int8_t { kUnknown = 0, kNumber = 1, kSymbol = 2 };

}  // namespace cutaway::load::ort
