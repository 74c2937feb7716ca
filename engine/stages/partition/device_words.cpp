#include "engine/stages/partition/device_words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>

namespace cutaway {

namespace {

using Providers = std::span<const std::unique_ptr<ExecutionProvider>>;

// Names that tell the kind of device, as providers and support profiles carry them.
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
constexpr std::string_view kWords =
    "cpu, gpu, cuda, dml, npu, fpga, accelerator, gpu:nvidia, gpu:amd, gpu:intel, gpu:qualcomm, gpu:microsoft, "
    "gpu:<index>, or a provider's name";

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

bool nameTells(const ExecutionProvider& provider, std::string_view word) {
  const std::string name = lower(provider.name());
  for (const KnownSoftware& each : kSoftware) {
    if (each.word != word) continue;
    return std::ranges::any_of(
        each.names, [&](std::string_view known) { return !known.empty() && name.find(known) != std::string::npos; });
  }
  return false;
}

bool isKind(const ExecutionProvider& provider, std::string_view word) {
  const DeviceType type = provider.device().type;
  if (word == "cpu") return provider.name() == "cpu";
  if (word == "accelerator") return provider.name() != "cpu" && (type != DeviceType::kCpu || provider.simulated());
  if (word == "gpu" && type == DeviceType::kGpu) return true;
  if (word == "npu" && type == DeviceType::kNpu) return true;
  if (word == "fpga" && type == DeviceType::kFpga) return true;
  return nameTells(provider, word);
}

bool isKnownWord(std::string_view word) {
  return word == "cpu" || word == "accelerator" ||
         std::ranges::any_of(kSoftware, [&](const KnownSoftware& each) { return each.word == word; });
}

std::optional<int32_t> gpuIndex(std::string_view word) {
  if (!word.starts_with("gpu:")) return std::nullopt;
  word.remove_prefix(4);
  int32_t index = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (word.empty() || error != std::errc{} || end != word.data() + word.size() || index < 0) return std::nullopt;
  return index;
}

}  // namespace

Result<int32_t> providerForDevice(std::string_view word, Providers providers) {
  const auto first = [&](auto&& test) {
    const auto found = std::ranges::find_if(providers, [&](const auto& provider) { return test(*provider); });
    return found == providers.end() ? kNone : static_cast<int32_t>(found - providers.begin());
  };
  if (const int32_t byName = first([&](const ExecutionProvider& provider) { return provider.name() == word; });
      byName != kNone)
    return byName;
  const std::string small = lower(word);
  if (const std::optional<int32_t> index = gpuIndex(small))
    return first([&](const ExecutionProvider& provider) {
      return isKind(provider, "gpu") && provider.device().index == *index;
    });
  if (!isKnownWord(small)) return fail(ErrorCode::kInvalidArgument, "'{}' is no device; devices are {}", word, kWords);
  return first([&](const ExecutionProvider& provider) { return isKind(provider, small); });
}

}  // namespace cutaway
