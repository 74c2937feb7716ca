#include "providers/declared/onnxruntime_names.h"

#include <algorithm>
#include <cctype>

namespace cutaway::declared {

namespace {

// A device word, and the parts of names that tell it.
struct KnownSoftware {
  std::string_view word;
  std::string_view names[6];
};
constexpr KnownSoftware kSoftware[] = {
    {"gpu", {"gpu", "cuda", "tensorrt", "directml", "migraphx", "rocm"}},
    {"cuda", {"cuda", "tensorrt"}},
    {"dml", {"directml", "dml"}},
    {"npu", {"npu", "qnn", "htp", "snpe", "vitisai", "coreml"}},
    {"fpga", {"fpga", "brainslice", "vitisai"}},
    {"gpu:nvidia", {"cuda", "tensorrt"}},
    {"gpu:amd", {"migraphx", "rocm"}},
    {"gpu:intel", {"openvino"}},
    {"gpu:qualcomm", {"qnn"}},
    {"gpu:microsoft", {"directml", "dml"}},
};

OnnxruntimeProvider tensorRt() {
  return {.argument = "TensorRT",
          .name = "TensorrtExecutionProvider",
          .device = "gpu",
          .options = {{.option = "precision", .key = "trt_fp16_enable", .word = "1"},
                      {.option = "precision", .value = "f32", .key = "trt_fp16_enable", .word = "0"},
                      {.option = "precision", .value = "bf16", .key = "trt_bf16_enable", .word = "1"}},
          .minimumGroupKey = "trt_min_subgraph_size"};
}

OnnxruntimeProvider qnn(const std::string& argument, const std::string& device, const std::string& backend) {
  return {.argument = argument, .name = "QNNExecutionProvider", .device = device, .fixed = {{"backend_type", backend}}};
}

}  // namespace

std::vector<OnnxruntimeProvider> onnxruntimeProviders() {
  return {
      tensorRt(),
      {.argument = "CUDA", .name = "CUDAExecutionProvider", .device = "gpu"},
      {.argument = "DirectML", .name = "DmlExecutionProvider", .device = "gpu"},
      {.argument = "CoreML", .name = "CoreMLExecutionProvider", .device = "npu"},
      qnn("QNN", "npu", "htp"),
      qnn("QNN-HTP", "npu", "htp"),
      qnn("QNN-GPU", "gpu", "gpu"),
      qnn("QNN-CPU", "cpu", "cpu"),
      {.argument = "SNPE", .name = "SNPEExecutionProvider", .device = "npu"},
      {.argument = "OpenVINO-NPU",
       .name = "OpenVINOExecutionProvider",
       .device = "npu",
       .fixed = {{"device_type", "NPU"}}},
      {.argument = "VitisAI", .name = "VitisAIExecutionProvider", .device = "npu"},
      {.argument = "nGraph", .name = "NGRAPHExecutionProvider", .device = "cpu"},
      {.argument = "Nuphar", .name = "NupharExecutionProvider", .device = "cpu"},
      {.argument = "BrainSlice", .name = "BrainSliceExecutionProvider", .device = "fpga"},
  };
}

std::vector<context_binary::ContextSource> contextSources() {
  return {{.name = "amdgpu", .title = "AMD GPU"},    {.name = "cann", .title = "CANN"},
          {.name = "coreml", .title = "Core ML"},    {.name = "dml", .title = "DirectML"},
          {.name = "migraphx", .title = "MIGraphX"}, {.name = "nvtensorrtrtx", .title = "TensorRT RTX"},
          {.name = "qnn", .title = "QNN"},           {.name = "snpe", .title = "SNPE"},
          {.name = "tensorrt", .title = "TensorRT"}, {.name = "vitisai", .title = "VitisAI"},
          {.name = "vsinpu", .title = "VSINPU"},     {.name = "webgpu", .title = "WebGPU"}};
}

std::vector<std::string> deviceWords(std::string_view name) {
  std::string small(name);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  std::vector<std::string> words;
  for (const KnownSoftware& each : kSoftware) {
    const bool told = std::ranges::any_of(
        each.names, [&](std::string_view known) { return !known.empty() && small.find(known) != std::string::npos; });
    if (told) words.emplace_back(each.word);
  }
  return words;
}

}  // namespace cutaway::declared
