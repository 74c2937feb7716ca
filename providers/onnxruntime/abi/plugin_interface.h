#pragma once
// What this program uses of the interface between ONNX Runtime and plug-in execution providers, declared from public
// facts: the tables a plug-in is given, the structs it fills, the interface that compiles models.
//
// Tables are arrays of function pointers, the structs a plug-in fills too; the first slot of a struct is the version
// that the plug-in was built with. Thread rule: declarations only. Example: see recorder/recorder.cpp.

#include "providers/onnxruntime/abi/c_interface.h"

namespace cutaway::onnxruntime::abi {

// Only ever pointed at.
struct Graph;
struct Node;
struct GraphSupportInfo;
struct KernelDefinition;
struct Logger;
struct FusionOptions;
struct NodeComputeInfo;
struct CompilationOptions;

inline constexpr uint32_t kPluginVersion = 23;  // the least of a plug-in that is asked about graphs

// What the library's table has for readers of graphs.
inline constexpr Slot<Status*(int32_t, const char*)> kCreateStatus{0, 1, "CreateStatus"};
inline constexpr Slot<Status*(const Logger*, LogLevel, const char*, const char*, int, const char*)> kLogMessage{
    247, 15, "Logger_LogMessage"};
inline constexpr Slot<const void* const*()> kCompileApi{294, 22, "GetCompileApi"};
inline constexpr Slot<const KeyValuePairs*(const HardwareDevice*)> kHardwareMetadata{311, 22,
                                                                                     "HardwareDevice_Metadata"};
inline constexpr Slot<const KeyValuePairs*(const EpDevice*)> kEpDeviceMetadata{314, 22, "EpDevice_EpMetadata"};
inline constexpr Slot<const KeyValuePairs*(const EpDevice*)> kEpDeviceOptions{315, 22, "EpDevice_EpOptions"};
inline constexpr Slot<const void* const*()> kEpApi{317, 22, "GetEpApi"};
inline constexpr Slot<Status*(const Graph*, size_t*)> kGraphNodeCount{344, 23, "Graph_GetNumNodes"};
inline constexpr Slot<Status*(const Graph*, const Node**, size_t)> kGraphNodes{345, 23, "Graph_GetNodes"};
inline constexpr Slot<Status*(const Graph*, const Node**)> kGraphParent{346, 23, "Graph_GetParentNode"};
using TextOfNode = Status*(const Node*, const char**);
inline constexpr Slot<Status*(const Node*, size_t*)> kNodeId{348, 23, "Node_GetId"};
inline constexpr Slot<TextOfNode> kNodeName{349, 23, "Node_GetName"};
inline constexpr Slot<TextOfNode> kNodeOperator{350, 23, "Node_GetOperatorType"};
inline constexpr Slot<TextOfNode> kNodeDomain{351, 23, "Node_GetDomain"};

struct ValueInfo;
inline constexpr Slot<Status*(const ValueInfo*, const char**)> kValueName{289, 22, "GetValueInfoName"};
inline constexpr Slot<Status*(const ValueInfo*, const TypeInfo**)> kValueType{290, 22, "GetValueInfoTypeInfo"};
inline constexpr Slot<Status*(const Node*, size_t*)> kNodeInputCount{353, 23, "Node_GetNumInputs"};
inline constexpr Slot<Status*(const Node*, const ValueInfo**, size_t)> kNodeInputs{354, 23, "Node_GetInputs"};
inline constexpr Slot<Status*(const Node*, size_t*)> kNodeOutputCount{355, 23, "Node_GetNumOutputs"};
inline constexpr Slot<Status*(const Node*, const ValueInfo**, size_t)> kNodeOutputs{356, 23, "Node_GetOutputs"};

// Of the table that kEpApi gives.
inline constexpr Slot<Status*(GraphSupportInfo*, const Node* const*, size_t, const FusionOptions*)> kAddNodesToFuse{
    2, 23, "EpGraphSupportInfo_AddNodesToFuse"};
inline constexpr Slot<Status*(GraphSupportInfo*, const Node*)> kAddSingleNode{3, 23,
                                                                              "EpGraphSupportInfo_AddSingleNode"};
inline constexpr Slot<Status*(GraphSupportInfo*, const Node*, const KernelDefinition**)> kLookUpKernel{
    41, 24, "EpGraphSupportInfo_LookUpKernel"};

// How many slots these tables have since a version: a copy has no more than the library's own.
struct TableSize {
  uint32_t version = 0;
  uint16_t functions = 0;    // of the library's table
  uint16_t epFunctions = 0;  // of the table for execution providers
};
inline constexpr TableSize kTableSizes[] = {{24, 415, 50}, {25, 419, 73}, {27, 422, 73}, {28, 424, 73},
                                            {29, 425, 74}, {30, 426, 74}, {31, 428, 78}};

// A struct that a plug-in fills. Slots are read and replaced by their number.
struct PluginStruct {
  uint32_t version = 0;
  uint32_t padding = 0;
  void* slots[1];  // as many as its version has; slot n of the facts is slots[n - 1]
};
struct Factory : PluginStruct {};
struct Provider : PluginStruct {};

template <typename Function>
struct Field {
  uint16_t index = 0;  // in slots
  uint16_t since = 1;
};
inline constexpr Field<const char*(const Factory*)> kFactoryName{0, 22};
inline constexpr Field<Status*(Factory*, const HardwareDevice* const*, const KeyValuePairs* const*, size_t,
                               const SessionOptions*, const Logger*, Provider**)>
    kFactoryCreate{3, 22};
inline constexpr Field<void(Factory*, Provider*)> kFactoryRelease{4, 22};
inline constexpr Field<const char*(const Provider*)> kProviderName{0, 22};
inline constexpr Field<Status*(Provider*, const Graph*, GraphSupportInfo*)> kProviderCapability{1, 23};
inline constexpr Field<Status*(Provider*, const Graph**, const Node**, size_t, NodeComputeInfo**, Node**)>
    kProviderCompile{2, 23};

template <typename Function>
Function* field(const PluginStruct* filled, const Field<Function>& field) {
  return reinterpret_cast<Function*>(filled->slots[field.index]);
}

// What every plug-in exports.
inline constexpr const char* kCreateFactories = "CreateEpFactories";
inline constexpr const char* kReleaseFactory = "ReleaseEpFactory";
using CreateFactories = Status*(const char* registration, const ApiBase* base, const Logger* logger,
                                Factory** factories, size_t most, size_t* count);
using ReleaseFactory = Status*(Factory* factory);

// Of the table that kCompileApi gives.
inline constexpr Slot<void(CompilationOptions*)> kReleaseCompilation{0, 22, "ReleaseModelCompilationOptions"};
inline constexpr Slot<Status*(const Environment*, const SessionOptions*, CompilationOptions**)> kCreateCompilation{
    1, 22, "CreateModelCompilationOptionsFromSessionOptions"};
inline constexpr Slot<Status*(CompilationOptions*, const char*)> kCompileFile{
    2, 22, "ModelCompilationOptions_SetInputModelPath"};
inline constexpr Slot<Status*(CompilationOptions*, const void*, size_t)> kCompileBytes{
    3, 22, "ModelCompilationOptions_SetInputModelFromBuffer"};
inline constexpr Slot<Status*(CompilationOptions*, const char*)> kCompileToFile{
    4, 22, "ModelCompilationOptions_SetOutputModelPath"};
inline constexpr Slot<Status*(CompilationOptions*, Allocator*, void**, size_t*)> kCompileToBuffer{
    6, 22, "ModelCompilationOptions_SetOutputModelBuffer"};
inline constexpr Slot<Status*(CompilationOptions*, bool)> kCompileEmbedded{
    7, 22, "ModelCompilationOptions_SetEpContextEmbedMode"};
inline constexpr Slot<Status*(const Environment*, const CompilationOptions*)> kCompileModel{8, 22, "CompileModel"};
inline constexpr Slot<Status*(CompilationOptions*, uint32_t)> kCompileFlags{9, 23, "ModelCompilationOptions_SetFlags"};
inline constexpr Slot<Status*(CompilationOptions*, const char*, const char*)> kCompileBinaryName{
    10, 23, "ModelCompilationOptions_SetEpContextBinaryInformation"};
inline constexpr Slot<Status*(CompilationOptions*, int32_t)> kCompileLevel{
    11, 23, "ModelCompilationOptions_SetGraphOptimizationLevel"};
inline constexpr uint32_t kErrorWhenNothingCompiled = 1;

}  // namespace cutaway::onnxruntime::abi
