#include "providers/onnxruntime/host/context_binary.h"

#include <span>

#include <fmt/format.h>

#include "engine/base/opened_library.h"
#include "providers/onnxruntime/abi/qnn_system.h"

namespace cutaway::onnxruntime {

namespace {

namespace qnn = abi::qnn;

constexpr uint32_t kMostGraphs = 4096;
constexpr uint32_t kMostTensors = 1 << 16;
constexpr uint32_t kMostDims = 32;

std::string textOf(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

void readQuantization(const qnn::Quantization& from, BinaryTensorFacts& to) {
  if (from.definition != qnn::kEncodingDefined) return;
  switch (from.encoding) {
    case qnn::Encoding::kScaleOffset:
      to.scale = from.scaleOffset.scale, to.offset = from.scaleOffset.offset;
      break;
    case qnn::Encoding::kWidthScaleOffset:
      to.scale = from.width.scale, to.offset = from.width.offset;
      break;
    case qnn::Encoding::kAxisScaleOffset:
      if (from.axis.count == 0 || from.axis.values == nullptr) return;
      to.axis = from.axis.axis, to.channels = from.axis.count;
      to.scale = from.axis.values->scale, to.offset = from.axis.values->offset;
      break;
    case qnn::Encoding::kWidthAxisScaleOffset:
      if (from.widthAxis.count == 0 || from.widthAxis.scales == nullptr) return;
      to.axis = from.widthAxis.axis, to.channels = from.widthAxis.count;
      to.scale = *from.widthAxis.scales;
      to.offset = from.widthAxis.offsets == nullptr ? 0 : *from.widthAxis.offsets;
      break;
    default:
      return;
  }
  to.isQuantised = true;
}

Result<std::vector<BinaryTensorFacts>> tensorsOf(const qnn::Tensor* first, uint32_t count, const std::string& library) {
  if (count > kMostTensors || (count > 0 && first == nullptr))
    return fail(ErrorCode::kEpFail, "{} tells of {} tensors, which makes no sense", library, count);
  std::vector<BinaryTensorFacts> tensors;
  for (const qnn::Tensor& each : std::span(first, count)) {
    if (each.rank > kMostDims || (each.rank > 0 && each.dims == nullptr))
      return fail(ErrorCode::kEpFail, "{} tells of a tensor of rank {}, which makes no sense", library, each.rank);
    BinaryTensorFacts tensor{
        .name = textOf(each.name), .dataType = each.dataType, .dims = {each.dims, each.dims + each.rank}};
    readQuantization(each.quantization, tensor);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Result<BinaryFacts> factsOf(const qnn::BinaryInfo& info, const std::string& library) {
  if (info.version != qnn::kBinaryInfoVersion)
    return fail(ErrorCode::kNotImplemented, "{} tells facts of version {}, and those of version {} are read here",
                library, info.version, qnn::kBinaryInfoVersion);
  if (info.graphCount > kMostGraphs || (info.graphCount > 0 && info.graphs == nullptr))
    return fail(ErrorCode::kEpFail, "{} tells of {} graphs, which makes no sense", library, info.graphCount);
  const qnn::Version& api = info.backendApi;
  BinaryFacts facts{.backend = info.backend,
                    .build = textOf(info.build),
                    .backendApi = fmt::format("{}.{}.{}", api.major, api.minor, api.patch),
                    .socModel = info.socModel,
                    .blobBytes = info.blobBytes};
  const bool isHtp = info.backend == qnn::kHtpBackend;
  if (isHtp && info.metadata != nullptr && info.metadataBytes >= sizeof(qnn::HtpBinary)) {
    const auto* const htp = static_cast<const qnn::HtpBinary*>(info.metadata);
    if (htp->version == 1) facts.architecture = htp->architecture;
  }
  for (const qnn::Graph& each : std::span(info.graphs, info.graphCount)) {
    BinaryGraphFacts graph{.name = textOf(each.name)};
    CUTAWAY_TRY(graph.inputs, tensorsOf(each.inputs, each.inputCount, library));
    CUTAWAY_TRY(graph.outputs, tensorsOf(each.outputs, each.outputCount, library));
    if (isHtp && each.blob != nullptr && each.blobBytes >= sizeof(qnn::HtpGraph)) {
      const auto* const htp = static_cast<const qnn::HtpGraph*>(each.blob);
      graph.hasMemory = htp->version == 1;
      graph.spillFillBytes = htp->spillFillBytes;
      graph.vtcmBytes = htp->vtcmBytes;
      graph.optimizationLevel = htp->optimizationLevel;
    }
    facts.graphs.push_back(std::move(graph));
  }
  return facts;
}

// The functions of the library's first interface of a known version; nullptr: it has none.
const qnn::SystemProvider* interfaceOf(const OpenedLibrary& library) {
  const auto getProviders = reinterpret_cast<qnn::GetProviders>(library.address(qnn::kGetProviders));
  const qnn::SystemProvider** providers = nullptr;
  uint32_t count = 0;
  if (getProviders == nullptr || getProviders(&providers, &count) != qnn::kSuccess || providers == nullptr)
    return nullptr;
  for (const qnn::SystemProvider* const each : std::span(providers, count)) {
    if (each != nullptr && each->version.major == qnn::kSystemMajor && each->createContext != nullptr &&
        each->metadata != nullptr && each->freeContext != nullptr)
      return each;
  }
  return nullptr;
}

}  // namespace

Result<BinaryFacts> readContextBinary(const Runtime& runtime, const BinaryPlace& place) {
  CUTAWAY_TRY(const std::span<const std::byte> bytes, runtime.bytesAt(place.binary));
  const OpenedLibrary library = openLibraryFile(place.library);
  if (!library) return fail(ErrorCode::kEpFail, "{} cannot be opened: {}", place.library, library.reason);
  const qnn::SystemProvider* const system = interfaceOf(library);
  if (system == nullptr)
    return fail(ErrorCode::kNotImplemented, "{} has no System API of version {}.x", place.library, qnn::kSystemMajor);
  void* context = nullptr;
  if (const uint64_t error = system->createContext(&context); error != qnn::kSuccess)
    return fail(ErrorCode::kEpFail, "{} makes no context to read the binary with: error {}", place.library, error);
  const qnn::BinaryInfo* info = nullptr;
  const uint64_t error = system->metadata(context, bytes.data(), bytes.size(), &info);
  Result<BinaryFacts> facts =
      error != qnn::kSuccess || info == nullptr
          ? Result<BinaryFacts>(fail(
                ErrorCode::kEpFail, "{} does not know the binary: error {}; it was made by a newer version, or changed",
                place.library, error))
          : factsOf(*info, place.library);
  system->freeContext(context);
  return facts;
}

}  // namespace cutaway::onnxruntime
