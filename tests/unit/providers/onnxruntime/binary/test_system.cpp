// Stands in for Qualcomm's libQnnSystem.so: what it tells of a "binary" is what the binary's text asks for.
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "providers/onnxruntime/abi/qnn_system.h"

namespace qnn = cutaway::onnxruntime::abi::qnn;

namespace {

uint32_t imageDims[] = {1, 3, 8, 8};
uint32_t scoreDims[] = {1, 10};
qnn::ScaleOffset channelScales[] = {{0.5f, 0}, {0.25f, 0}};

qnn::Tensor image() {
  qnn::Tensor tensor{.version = 1, .id = 1, .name = "image", .dataType = 0x0408};
  tensor.quantization = {
      .definition = qnn::kEncodingDefined, .encoding = qnn::Encoding::kScaleOffset, .scaleOffset = {0.0078125f, -128}};
  tensor.rank = 4;
  tensor.dims = imageDims;
  return tensor;
}

qnn::Tensor scores() {
  qnn::Tensor tensor{.version = 2, .id = 2, .name = "scores", .dataType = 0x0232};
  tensor.quantization = {
      .definition = qnn::kEncodingDefined, .encoding = qnn::Encoding::kAxisScaleOffset, .axis = {1, 2, channelScales}};
  tensor.rank = 2;
  tensor.dims = scoreDims;
  return tensor;
}

qnn::Tensor inputs[] = {image()};
qnn::Tensor outputs[] = {scores(), {.version = 1, .id = 3, .name = nullptr, .dataType = 0x7777}};
qnn::HtpGraph memory{.version = 1, .spillFillBytes = 65536, .vtcmBytes = 8 << 20, .optimizationLevel = 3};
qnn::HtpBinary architecture{.version = 1, .architecture = 79};
qnn::Graph graphs[2];
qnn::BinaryInfo info;

void tellAll() {
  graphs[0] = {.version = 3,
               .name = "first",
               .inputCount = 1,
               .inputs = inputs,
               .outputCount = 2,
               .outputs = outputs,
               .blobBytes = sizeof memory,
               .blob = &memory};
  graphs[1] = {.version = 1, .name = "second"};
  info = {.version = qnn::kBinaryInfoVersion,
          .backend = qnn::kHtpBackend,
          .build = "v2.51.0",
          .backendApi = {5, 51, 0},
          .blobBytes = 77824,
          .graphCount = 2,
          .graphs = graphs,
          .metadataBytes = sizeof architecture,
          .metadata = &architecture,
          .socModel = 69};
}

uint64_t createContext(void** context) {
  *context = &info;
  return qnn::kSuccess;
}

uint64_t metadata(void*, const void* bytes, uint64_t size, const qnn::BinaryInfo** told) {
  const std::string_view asked(static_cast<const char*>(bytes), size);
  tellAll();
  if (asked == "unknown") return 5000;
  if (asked == "dies") std::abort();
  if (asked == "version") info.version = 9;
  if (asked == "graphs") info.graphCount = UINT32_MAX;
  if (asked == "tensors") graphs[0].inputCount = UINT32_MAX;
  if (asked == "none") graphs[0].outputs = nullptr;
  if (asked == "rank") inputs[0].rank = 1000;
  *told = asked == "nothing" ? nullptr : &info;
  return qnn::kSuccess;
}

uint64_t freeContext(void*) {
  inputs[0].rank = 4;
  return qnn::kSuccess;
}

const qnn::SystemProvider newer{.name = "newer", .version = {2, 0, 0}};
const qnn::SystemProvider known{.name = "known",
                                .version = {1, 15, 0},
                                .createContext = createContext,
                                .metadata = metadata,
                                .freeContext = freeContext};
const qnn::SystemProvider* providers[] = {nullptr, &newer, &known};

}  // namespace

extern "C" __attribute__((visibility("default"))) uint64_t
QnnSystemInterface_getProviders(const qnn::SystemProvider*** list, uint32_t* count) {
  *list = providers;
  *count = 3;
  return qnn::kSuccess;
}
