#pragma once
// What libQnnSystem.so tells of a context binary: the functions and structures of Qualcomm's System API 1.x, as far as
// they are read here.
//
// Public facts (Qualcomm AI Engine Direct, QnnSystemInterface.h, QnnSystemContext.h, QnnTypes.h,
// QnnHtpSystemContext.h): names, order and sizes. Binary info is of version 3, whose graphs are 88 bytes apart. Thread
// rule: plain values.

#include <cstdint>

namespace cutaway::onnxruntime::abi::qnn {

inline constexpr const char* kGetProviders = "QnnSystemInterface_getProviders";
inline constexpr uint32_t kSystemMajor = 1;
inline constexpr uint32_t kBinaryInfoVersion = 3;
inline constexpr uint32_t kHtpBackend = 6;
inline constexpr uint64_t kSuccess = 0;

struct Version {
  uint32_t major, minor, patch;
};

struct ScaleOffset {
  float scale;
  int32_t offset;
};
struct AxisScaleOffset {
  int32_t axis;
  uint32_t count;
  ScaleOffset* values;
};
struct WidthScaleOffset {
  uint32_t bits;
  float scale;
  int32_t offset;
};
struct WidthAxisScaleOffset {
  uint32_t bits;
  int32_t axis;
  uint32_t count;
  float* scales;
  int32_t* offsets;
};
enum class Encoding : uint32_t {
  kScaleOffset = 0,
  kAxisScaleOffset = 1,
  kWidthScaleOffset = 2,
  kWidthAxisScaleOffset = 3,
};
inline constexpr uint32_t kEncodingDefined = 1;
struct Quantization {
  uint32_t definition;
  Encoding encoding;
  union {
    ScaleOffset scaleOffset;
    AxisScaleOffset axis;
    WidthScaleOffset width;
    WidthAxisScaleOffset widthAxis;
  };
};

// The head that both versions of a tensor have; version 2 adds what is not read here.
struct Tensor {
  uint32_t version;
  alignas(8) uint32_t id;
  const char* name;
  uint32_t type, format, dataType;
  Quantization quantization;
  uint32_t rank;
  uint32_t* dims;
  uint32_t memory;
  void* buffer;
  uint32_t bufferBytes;
  void* dynamicDims;
  uint32_t sparse[3];
  uint8_t isProduced;
};
static_assert(sizeof(Quantization) == 40 && sizeof(Tensor) == 144);

struct Graph {
  uint32_t version;
  const char* name;
  uint32_t inputCount;
  const Tensor* inputs;
  uint32_t outputCount;
  const Tensor* outputs;
  uint32_t updateableCount;
  const Tensor* updateables;
  uint32_t blobBytes;  // of what the backend tells
  const void* blob;
  uint32_t firstOperator, lastOperator;
};
static_assert(sizeof(Graph) == 88);

struct BinaryInfo {
  uint32_t version;
  alignas(8) uint32_t backend;
  const char* build;
  Version coreApi, backendApi;
  const char* soc;
  Version blobVersion;
  uint64_t blobBytes;
  uint32_t contextTensorCount;
  const Tensor* contextTensors;
  uint32_t graphCount;
  const Graph* graphs;
  const void* platform;
  uint32_t metadataBytes;
  const void* metadata;
  uint32_t socModel;
};

// Of the HTP backend: what Graph::blob and BinaryInfo::metadata are.
struct HtpGraph {
  uint32_t version;  // 1
  uint64_t spillFillBytes;
  uint32_t vtcmBytes;
  uint32_t optimizationLevel;
};
struct HtpBinary {
  uint32_t version;  // 1
  uint32_t architecture;
};

struct SystemProvider {
  uint32_t backend;
  const char* name;
  Version version;
  uint64_t (*createContext)(void** context);
  uint64_t (*binaryInfo)(void* context, void* bytes, uint64_t size, const BinaryInfo** info, uint64_t* infoBytes);
  uint64_t (*metadata)(void* context, const void* bytes, uint64_t size, const BinaryInfo** info);
  uint64_t (*freeContext)(void* context);
};
using GetProviders = uint64_t (*)(const SystemProvider*** providers, uint32_t* count);

}  // namespace cutaway::onnxruntime::abi::qnn
