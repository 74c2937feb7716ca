#include "providers/onnxruntime/plugin/qnn_binary.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/format.h"
#include "providers/onnxruntime/plugin/target_chips.h"

namespace cutaway::onnxruntime {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSystemLibrary = "libQnnSystem.so";
// Beyond it, the copy into shared memory would be felt each time that a context is opened.
constexpr size_t kMostBytes = size_t{512} << 20;

fs::path systemLibrary(const PluginLibrary& plugin) {
  return plugin.path.parent_path() / kSystemLibrary;
}

// Qualcomm's numbers of backends.
std::string backendName(uint32_t backend) {
  switch (backend) {
    case 3:
      return "CPU";
    case 4:
      return "GPU";
    case 5:
      return "DSP";
    case 6:
      return "HTP";
    default:
      return fmt::format("backend {}", backend);
  }
}

// A data type's high byte is its kind, the digits of its low byte its bits: 0x0416 is ufixed16.
std::string typeName(uint32_t type) {
  static constexpr const char* kKinds[] = {"int", "uint", "float", "sfixed", "ufixed", "bool", "string"};
  const uint32_t kind = type >> 8;
  if (type == 0x0508) return "bool";
  if (kind >= std::size(kKinds) || (type & 0xff) == 0) return fmt::format("type {:#06x}", type);
  return fmt::format("{}{:x}", kKinds[kind], type & 0xff);
}

std::string encodingOf(const BinaryTensorFacts& tensor) {
  if (!tensor.isQuantised) return {};
  const int64_t zero = -static_cast<int64_t>(tensor.offset);
  std::string words = zero == 0  ? fmt::format("q x {:.6g}", tensor.scale)
                      : zero > 0 ? fmt::format("(q - {}) x {:.6g}", zero, tensor.scale)
                                 : fmt::format("(q + {}) x {:.6g}", -zero, tensor.scale);
  if (tensor.axis >= 0)
    words += fmt::format(" in the first of {} channels along axis {}", tensor.channels, tensor.axis);
  return words;
}

std::vector<BinaryTensor> tensorsOf(const std::vector<BinaryTensorFacts>& facts) {
  std::vector<BinaryTensor> tensors;
  for (const BinaryTensorFacts& each : facts)
    tensors.push_back({.name = each.name,
                       .type = fmt::format("{}[{}]", typeName(each.dataType), fmt::join(each.dims, ",")),
                       .encoding = encodingOf(each)});
  return tensors;
}

}  // namespace

bool tellsOfBinaries(const PluginLibrary& plugin) {
  std::error_code missing;
  return fs::is_regular_file(systemLibrary(plugin), missing);
}

BinaryDescription wordsOf(const BinaryFacts& facts) {
  BinaryDescription description{.toldBy = kSystemLibrary, .facts = {}, .graphs = {}};
  std::string backend = backendName(facts.backend);
  if (facts.architecture != 0) backend += fmt::format(" v{}", facts.architecture);
  description.facts.emplace_back("backend", backend);
  if (facts.socModel != 0)
    description.facts.emplace_back("chip", "soc_model " + chipWords({std::to_string(facts.socModel)}));
  if (!facts.build.empty()) description.facts.emplace_back("compiled by", "QNN " + facts.build);
  description.facts.emplace_back("backend API", facts.backendApi);
  description.facts.emplace_back("compiled code", formatBytes(static_cast<int64_t>(facts.blobBytes)));
  for (const BinaryGraphFacts& each : facts.graphs) {
    BinaryGraph graph{
        .name = each.name, .facts = {}, .inputs = tensorsOf(each.inputs), .outputs = tensorsOf(each.outputs)};
    if (each.hasMemory) {
      graph.facts.emplace_back("VTCM", formatBytes(each.vtcmBytes));
      graph.facts.emplace_back("spill and fill buffer", formatBytes(static_cast<int64_t>(each.spillFillBytes)));
      graph.facts.emplace_back("optimisation level", std::to_string(each.optimizationLevel));
    }
    description.graphs.push_back(std::move(graph));
  }
  return description;
}

Result<BinaryDescription> describeQnnBinary(Host& host, const PluginLibrary& plugin, std::span<const std::byte> bytes,
                                            const Progress& progress) {
  if (bytes.size() > kMostBytes)
    return fail(ErrorCode::kNotImplemented, "its graphs are not read: it is larger than {}",
                formatBytes(static_cast<int64_t>(kMostBytes)));
  CUTAWAY_TRY(const auto memory, SharedMemory::of({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  CUTAWAY_TRY(const BinaryFacts facts, host.contextBinary(systemLibrary(plugin), memory, bytes.size(),
                                                          [&progress] { return progress.cancelled(); }));
  return wordsOf(facts);
}

}  // namespace cutaway::onnxruntime
