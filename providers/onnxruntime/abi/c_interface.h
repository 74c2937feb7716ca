#pragma once
// What this program uses of ONNX Runtime's C interface, declared from public facts: which slot of the function table
// does what, since which version.
//
// The library exports one function that gives its base table; that gives the table of functions for a version. All
// versions share one table, and a later version only has more slots: one past the library's own end is somebody else's
// memory. So every slot is named with the version that brought it, and CApi (c_api.h) calls none that the library does
// not have. Thread rule: declarations only. Example: see c_api.h.

#include <cstddef>
#include <cstdint>

namespace cutaway::onnxruntime::abi {

// Only ever pointed at.
struct Status;
struct Environment;
struct Session;
struct SessionOptions;
struct RunOptions;
struct Value;
struct MemoryInfo;
struct Allocator;
struct TypeInfo;
struct TensorInfo;
struct KeyValuePairs;
struct CudaOptions;
struct TensorrtOptions;
struct EpDevice;
struct HardwareDevice;
struct AssignedSubgraph;
struct AssignedNode;

enum LogLevel : int32_t { kVerbose = 0, kInformation = 1, kWarning = 2, kError = 3, kFatal = 4 };
enum AllocatorType : int32_t { kDeviceAllocator = 0, kArenaAllocator = 1 };
enum MemoryType : int32_t { kDefaultMemory = 0 };
enum HardwareKind : int32_t { kHardwareCpu = 0, kHardwareGpu = 1, kHardwareNpu = 2 };

using LogFunction = void (*)(void* context, LogLevel severity, const char* category, const char* id,
                             const char* location, const char* message);

struct ApiBase {
  const void* const* (*tableOf)(uint32_t version);  // nullptr, and a line on stderr, for versions above the library's
  const char* (*version)();                         // "1.31.1"
};
inline constexpr const char* kEntry = "OrtGetApiBase";
using Entry = const ApiBase* (*)();

// Versions of the interface: the second number of the library's.
inline constexpr uint32_t kLeastVersion = 24;   // recorded assignment
inline constexpr uint32_t kNewestVersion = 31;  // the newest that the slots below were checked with
inline constexpr uint32_t kDirectWeights = 31;  // weights are used where they lie
inline constexpr uint32_t kProfilesOfRuns = 25;

template <typename Function>
struct Slot {
  using Type = Function;
  uint16_t index = 0;
  uint16_t since = 1;
  const char* name = "";
};

// Functions that can fail return a status that the caller releases; nullptr is success. Text that comes with an
// allocator is freed by it.
inline constexpr Slot<int32_t(const Status*)> kGetErrorCode{1, 1, "GetErrorCode"};
inline constexpr Slot<const char*(const Status*)> kGetErrorMessage{2, 1, "GetErrorMessage"};
inline constexpr Slot<Status*(LogFunction, void*, LogLevel, const char*, Environment**)> kCreateEnvironment{
    4, 1, "CreateEnvWithCustomLogger"};
inline constexpr Slot<Status*(const Environment*, const char*, const SessionOptions*, Session**)> kCreateSession{
    7, 1, "CreateSession"};
inline constexpr Slot<Status*(const Environment*, const void*, size_t, const SessionOptions*, Session**)>
    kCreateSessionFromArray{8, 1, "CreateSessionFromArray"};
inline constexpr Slot<Status*(Session*, const RunOptions*, const char* const*, const Value* const*, size_t,
                              const char* const*, size_t, Value**)>
    kRun{9, 1, "Run"};
inline constexpr Slot<Status*(SessionOptions**)> kCreateSessionOptions{10, 1, "CreateSessionOptions"};
inline constexpr Slot<Status*(SessionOptions*, const char*)> kSetOptimizedModelFilePath{11, 1,
                                                                                        "SetOptimizedModelFilePath"};
inline constexpr Slot<Status*(SessionOptions*, int32_t)> kSetSessionExecutionMode{13, 1, "SetSessionExecutionMode"};
inline constexpr Slot<Status*(SessionOptions*, const char*)> kEnableProfiling{14, 1, "EnableProfiling"};
inline constexpr Slot<Status*(SessionOptions*)> kDisableMemoryPattern{17, 1, "DisableMemPattern"};
inline constexpr Slot<Status*(SessionOptions*)> kDisableCpuArena{19, 1, "DisableCpuMemArena"};
inline constexpr Slot<Status*(SessionOptions*, int)> kSetSessionLogSeverity{22, 1, "SetSessionLogSeverityLevel"};
inline constexpr Slot<Status*(SessionOptions*, int32_t)> kSetOptimizationLevel{23, 1,
                                                                               "SetSessionGraphOptimizationLevel"};
inline constexpr Slot<Status*(SessionOptions*, int)> kSetIntraOpThreads{24, 1, "SetIntraOpNumThreads"};
inline constexpr Slot<Status*(SessionOptions*, int)> kSetInterOpThreads{25, 1, "SetInterOpNumThreads"};

using CountOf = Status*(const Session*, size_t*);
using TypeAt = Status*(const Session*, size_t, TypeInfo**);
using NameAt = Status*(const Session*, size_t, Allocator*, char**);
inline constexpr Slot<CountOf> kInputCount{30, 1, "SessionGetInputCount"};
inline constexpr Slot<CountOf> kOutputCount{31, 1, "SessionGetOutputCount"};
inline constexpr Slot<CountOf> kOverridableCount{32, 1, "SessionGetOverridableInitializerCount"};
inline constexpr Slot<TypeAt> kInputType{33, 1, "SessionGetInputTypeInfo"};
inline constexpr Slot<TypeAt> kOutputType{34, 1, "SessionGetOutputTypeInfo"};
inline constexpr Slot<TypeAt> kOverridableType{35, 1, "SessionGetOverridableInitializerTypeInfo"};
inline constexpr Slot<NameAt> kInputName{36, 1, "SessionGetInputName"};
inline constexpr Slot<NameAt> kOutputName{37, 1, "SessionGetOutputName"};
inline constexpr Slot<NameAt> kOverridableName{38, 1, "SessionGetOverridableInitializerName"};

inline constexpr Slot<Status*(RunOptions**)> kCreateRunOptions{39, 1, "CreateRunOptions"};
inline constexpr Slot<Status*(Allocator*, const int64_t*, size_t, int32_t, Value**)> kCreateTensor{
    48, 1, "CreateTensorAsOrtValue"};
inline constexpr Slot<Status*(const MemoryInfo*, void*, size_t, const int64_t*, size_t, int32_t, Value**)>
    kCreateTensorWithData{49, 1, "CreateTensorWithDataAsOrtValue"};
inline constexpr Slot<Status*(Value*, void**)> kTensorData{51, 1, "GetTensorMutableData"};
inline constexpr Slot<Status*(Value*, const char* const*, size_t)> kFillStrings{52, 1, "FillStringTensor"};
inline constexpr Slot<Status*(const Value*, size_t*)> kStringsLength{53, 1, "GetStringTensorDataLength"};
inline constexpr Slot<Status*(const Value*, void*, size_t, size_t*, size_t)> kStrings{54, 1, "GetStringTensorContent"};
inline constexpr Slot<Status*(const TypeInfo*, const TensorInfo**)> kTensorInfoOf{55, 1, "CastTypeInfoToTensorInfo"};
inline constexpr Slot<Status*(const TypeInfo*, int32_t*)> kKindOfType{56, 1, "GetOnnxTypeFromTypeInfo"};
inline constexpr Slot<Status*(const TensorInfo*, int32_t*)> kElementType{60, 1, "GetTensorElementType"};
inline constexpr Slot<Status*(const TensorInfo*, size_t*)> kRank{61, 1, "GetDimensionsCount"};
inline constexpr Slot<Status*(const TensorInfo*, int64_t*, size_t)> kDimensions{62, 1, "GetDimensions"};
inline constexpr Slot<Status*(const TensorInfo*, const char**, size_t)> kSymbols{63, 1, "GetSymbolicDimensions"};
inline constexpr Slot<Status*(const TensorInfo*, size_t*)> kElementCount{64, 1, "GetTensorShapeElementCount"};
inline constexpr Slot<Status*(const Value*, TensorInfo**)> kTensorInfoOfValue{65, 1, "GetTensorTypeAndShape"};
inline constexpr Slot<Status*(const Value*, int32_t*)> kKindOfValue{67, 1, "GetValueType"};
inline constexpr Slot<Status*(AllocatorType, MemoryType, MemoryInfo**)> kCreateCpuMemoryInfo{69, 1,
                                                                                             "CreateCpuMemoryInfo"};
inline constexpr Slot<Status*(Allocator*, void*)> kFree{76, 1, "AllocatorFree"};
inline constexpr Slot<Status*(Allocator**)> kDefaultAllocator{78, 1, "GetAllocatorWithDefaultOptions"};

inline constexpr Slot<void(Status*)> kReleaseStatus{93, 1, "ReleaseStatus"};
inline constexpr Slot<void(Environment*)> kReleaseEnvironment{92, 1, "ReleaseEnv"};
inline constexpr Slot<void(MemoryInfo*)> kReleaseMemoryInfo{94, 1, "ReleaseMemoryInfo"};
inline constexpr Slot<void(Session*)> kReleaseSession{95, 1, "ReleaseSession"};
inline constexpr Slot<void(Value*)> kReleaseValue{96, 1, "ReleaseValue"};
inline constexpr Slot<void(RunOptions*)> kReleaseRunOptions{97, 1, "ReleaseRunOptions"};
inline constexpr Slot<void(TypeInfo*)> kReleaseTypeInfo{98, 1, "ReleaseTypeInfo"};
inline constexpr Slot<void(TensorInfo*)> kReleaseTensorInfo{99, 1, "ReleaseTensorTypeAndShapeInfo"};
inline constexpr Slot<void(SessionOptions*)> kReleaseSessionOptions{100, 1, "ReleaseSessionOptions"};

inline constexpr Slot<Status*(Session*, Allocator*, char**)> kEndProfiling{110, 2, "SessionEndProfiling"};
inline constexpr Slot<Status*(SessionOptions*, const char*, int64_t)> kFixDimension{124, 3,
                                                                                    "AddFreeDimensionOverrideByName"};
inline constexpr Slot<Status*(char***, int*)> kAvailableProviders{125, 4, "GetAvailableProviders"};
inline constexpr Slot<Status*(char**, int)> kReleaseAvailableProviders{126, 4, "ReleaseAvailableProviders"};
inline constexpr Slot<Status*(SessionOptions*, const char*, const char*)> kAddSessionEntry{130, 5,
                                                                                           "AddSessionConfigEntry"};
inline constexpr Slot<Status*(const Session*, const MemoryInfo*, Allocator**)> kCreateAllocator{131, 5,
                                                                                                "CreateAllocator"};
inline constexpr Slot<void(Allocator*)> kReleaseAllocator{132, 5, "ReleaseAllocator"};
using Texts = const char* const*;
inline constexpr Slot<Status*(SessionOptions*, const TensorrtOptions*)> kAppendTensorrt{
    170, 9, "SessionOptionsAppendExecutionProvider_TensorRT_V2"};
inline constexpr Slot<Status*(TensorrtOptions**)> kCreateTensorrtOptions{171, 9, "CreateTensorRTProviderOptions"};
inline constexpr Slot<Status*(TensorrtOptions*, Texts, Texts, size_t)> kUpdateTensorrtOptions{
    172, 9, "UpdateTensorRTProviderOptions"};
inline constexpr Slot<void(TensorrtOptions*)> kReleaseTensorrtOptions{174, 9, "ReleaseTensorRTProviderOptions"};
inline constexpr Slot<Status*(SessionOptions*, const CudaOptions*)> kAppendCuda{
    204, 11, "SessionOptionsAppendExecutionProvider_CUDA_V2"};
inline constexpr Slot<Status*(CudaOptions**)> kCreateCudaOptions{205, 11, "CreateCUDAProviderOptions"};
inline constexpr Slot<Status*(CudaOptions*, Texts, Texts, size_t)> kUpdateCudaOptions{206, 11,
                                                                                      "UpdateCUDAProviderOptions"};
inline constexpr Slot<void(CudaOptions*)> kReleaseCudaOptions{208, 11, "ReleaseCUDAProviderOptions"};
inline constexpr Slot<Status*(SessionOptions*, const char*, Texts, Texts, size_t)> kAppendProvider{
    216, 12, "SessionOptionsAppendExecutionProvider"};
inline constexpr Slot<const char*()> kBuildInfo{254, 15, "GetBuildInfoString"};
inline constexpr Slot<Status*(SessionOptions*, Texts, char* const*, const size_t*, size_t)> kAddWeightFiles{
    279, 18, "AddExternalInitializersFromFilesInMemory"};
inline constexpr Slot<void(const KeyValuePairs*, Texts*, Texts*, size_t*)> kPairs{298, 22, "GetKeyValuePairs"};
inline constexpr Slot<void(KeyValuePairs*)> kReleasePairs{300, 22, "ReleaseKeyValuePairs"};
inline constexpr Slot<Status*(Environment*, const char*, const char*)> kRegisterProviderLibrary{
    301, 22, "RegisterExecutionProviderLibrary"};
inline constexpr Slot<Status*(const Environment*, const EpDevice* const**, size_t*)> kEpDevices{303, 22,
                                                                                                "GetEpDevices"};
inline constexpr Slot<Status*(SessionOptions*, Environment*, const EpDevice* const*, size_t, Texts, Texts, size_t)>
    kAppendDevices{304, 22, "SessionOptionsAppendExecutionProvider_V2"};
inline constexpr Slot<HardwareKind(const HardwareDevice*)> kHardwareKind{307, 22, "HardwareDevice_Type"};
inline constexpr Slot<uint32_t(const HardwareDevice*)> kHardwareVendorId{308, 22, "HardwareDevice_VendorId"};
inline constexpr Slot<const char*(const HardwareDevice*)> kHardwareVendor{309, 22, "HardwareDevice_Vendor"};
inline constexpr Slot<uint32_t(const HardwareDevice*)> kHardwareId{310, 22, "HardwareDevice_DeviceId"};
inline constexpr Slot<const char*(const EpDevice*)> kEpDeviceName{312, 22, "EpDevice_EpName"};
inline constexpr Slot<const char*(const EpDevice*)> kEpDeviceVendor{313, 22, "EpDevice_EpVendor"};
inline constexpr Slot<const HardwareDevice*(const EpDevice*)> kEpDeviceHardware{316, 22, "EpDevice_Device"};
inline constexpr Slot<Status*(const Value*, size_t*)> kTensorSize{318, 23, "GetTensorSizeInBytes"};
inline constexpr Slot<Status*(const Allocator*, KeyValuePairs**)> kAllocatorStatistics{319, 23, "AllocatorGetStats"};
inline constexpr Slot<bool(const TensorInfo*)> kHasShape{390, 24, "TensorTypeAndShape_HasShape"};
inline constexpr Slot<Status*(const Session*, const AssignedSubgraph* const**, size_t*)> kAssignment{
    407, 24, "Session_GetEpGraphAssignmentInfo"};
inline constexpr Slot<Status*(const AssignedSubgraph*, const char**)> kAssignedProvider{408, 24,
                                                                                        "EpAssignedSubgraph_GetEpName"};
inline constexpr Slot<Status*(const AssignedSubgraph*, const AssignedNode* const**, size_t*)> kAssignedNodes{
    409, 24, "EpAssignedSubgraph_GetNodes"};
using NodeText = Status*(const AssignedNode*, const char**);
inline constexpr Slot<NodeText> kAssignedNodeName{410, 24, "EpAssignedNode_GetName"};
inline constexpr Slot<NodeText> kAssignedNodeDomain{411, 24, "EpAssignedNode_GetDomain"};
inline constexpr Slot<NodeText> kAssignedNodeOperator{412, 24, "EpAssignedNode_GetOperatorType"};
inline constexpr Slot<Status*(RunOptions*, const char*)> kProfileRun{415, kProfilesOfRuns, "RunOptionsEnableProfiling"};

}  // namespace cutaway::onnxruntime::abi
