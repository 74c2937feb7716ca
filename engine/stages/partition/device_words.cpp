#include "engine/stages/partition/device_words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>

namespace cutaway::partition {

namespace {

using Providers = std::span<const std::unique_ptr<ExecutionProvider>>;

// The words of onnxruntime's keys session.layer_assignment_settings and session.name_based_layer_assignment. Kinds of
// devices, software and vendors: which provider is meant, the providers say.
constexpr std::string_view kWords[] = {"cpu",     "gpu",       "cuda",         "dml",
                                       "npu",     "fpga",      "accelerator",  "gpu:nvidia",
                                       "gpu:amd", "gpu:intel", "gpu:qualcomm", "gpu:microsoft"};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

// The last of a session's providers takes what the others leave, and runs on the host.
bool isKind(Providers providers, const std::unique_ptr<ExecutionProvider>& provider, std::string_view word) {
  const bool isLast = &provider == &providers.back();
  const DeviceType type = provider->device().type;
  if (word == "cpu") return isLast;
  if (word == "accelerator") return !isLast && (type != DeviceType::kCpu || provider->simulated());
  if (word == "gpu" && type == DeviceType::kGpu) return true;
  if (word == "npu" && type == DeviceType::kNpu) return true;
  if (word == "fpga" && type == DeviceType::kFpga) return true;
  const std::vector<std::string> words = provider->deviceWords();
  return std::ranges::find(words, word) != words.end();
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
    const auto found = std::ranges::find_if(providers, [&](const auto& provider) { return test(provider); });
    return found == providers.end() ? kNone : static_cast<int32_t>(found - providers.begin());
  };
  if (const int32_t byName = first([&](const auto& provider) { return provider->name() == word; }); byName != kNone)
    return byName;
  const std::string small = lower(word);
  if (const std::optional<int32_t> index = gpuIndex(small))
    return first(
        [&](const auto& provider) { return isKind(providers, provider, "gpu") && provider->device().index == *index; });
  if (std::ranges::find(kWords, small) == std::end(kWords))
    return fail(ErrorCode::kInvalidArgument, "'{}' is no device; devices are {}, gpu:<index>, or a provider's name",
                word, fmt::join(kWords, ", "));
  return first([&](const auto& provider) { return isKind(providers, provider, small); });
}

}  // namespace cutaway::partition
