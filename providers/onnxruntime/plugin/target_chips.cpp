#include "providers/onnxruntime/plugin/target_chips.h"

#include <algorithm>

#include "providers/onnxruntime/options/known_options.h"

namespace cutaway::onnxruntime {

namespace {

constexpr const char* kProvider = "QNNExecutionProvider";
constexpr const char* kChipOption = "soc_model";
// QNN's: v2:<backend>:<SDK>:<version of the binary>:<architectures>:<chips>:<VTCM>:<flag>, 0 where nothing was said.
constexpr std::string_view kCompatibilityForm = "v2:";
constexpr size_t kCompatibilityChips = 5;

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(at, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

const KnownOption* chipOption() {
  const KnownProvider* const known = findKnownProvider(kProvider);
  if (known == nullptr) return nullptr;
  const auto option = std::ranges::find(known->options, kChipOption, &KnownOption::name);
  return option == known->options.end() ? nullptr : &*option;
}

class ContextOnly final : public Kernel {
 public:
  explicit ContextOnly(std::string reason) : m_reason(std::move(reason)) {}
  Result<void> run(KernelContext& /*context*/) const override { return fail(ErrorCode::kEpFail, "{}", m_reason); }
  std::string_view variant() const override { return "context for several chips"; }

 private:
  std::string m_reason;
};

}  // namespace

std::vector<std::string> chipsOf(const PluginSettings& settings) {
  const AppendedProvider& provider = settings.session.providers.front();
  if (provider.plugin.registration != kProvider) return {};
  const auto given = std::ranges::find(provider.options, kChipOption, &TextPairs::value_type::first);
  if (given == provider.options.end()) return {};
  std::vector<std::string> chips = split(given->second, ',');
  if (const KnownOption* const option = chipOption()) {
    for (std::string& chip : chips) {
      const auto named = std::ranges::find(option->values, chip, &KnownValue::title);
      if (named != option->values.end()) chip = named->text;
    }
  }
  return chips;
}

std::vector<std::string> chipsIn(std::string_view compatibilityInfo) {
  if (!compatibilityInfo.starts_with(kCompatibilityForm)) return {};
  const std::vector<std::string> fields = split(compatibilityInfo, ':');
  if (fields.size() <= kCompatibilityChips || fields[kCompatibilityChips].empty() || fields[kCompatibilityChips] == "0")
    return {};
  return split(fields[kCompatibilityChips], ',');
}

std::string chipWords(const std::vector<std::string>& chips) {
  const KnownOption* const option = chipOption();
  std::string words;
  for (size_t i = 0; i < chips.size(); ++i) {
    if (i > 0) words += i + 1 == chips.size() ? " and " : ", ";
    words += chips[i];
    if (option == nullptr) continue;
    const auto known = std::ranges::find(option->values, chips[i], &KnownValue::text);
    if (known != option->values.end() && !known->title.empty()) words += fmt::format(" ({})", known->title);
  }
  return words;
}

std::string onlyAsContext(const PluginLibrary& plugin, const PluginSettings& settings) {
  const std::vector<std::string> chips = chipsOf(settings);
  return fmt::format(
      "provider {} is to compile for {} chips at once ({}): that gives a context for them, and no session here; write "
      "one with `cutaway-cli context`, or name one chip: soc_model={}",
      plugin.name, chips.size(), chipWords(chips), chips.front());
}

std::string onlyOnChips(const PluginLibrary& plugin, const std::vector<std::string>& chips) {
  return fmt::format(
      "it is one binary for {} chips, soc_model {}: {} loads such a binary on one of these chips, and {} does not; "
      "export the original model for one of them to run it here",
      chips.size(), chipWords(chips), plugin.title, plugin.isSimulator ? "its simulator" : "this machine");
}

std::shared_ptr<const Kernel> kernelOfContext(std::string reason) {
  return std::make_shared<const ContextOnly>(std::move(reason));
}

void allowSeveralChips(SessionSettings& question) {
  question.keys.emplace_back("ep.context_enable", "1");
  question.keys.emplace_back("ep.context_file_path", "/nonexistent/asked_ctx.onnx");
}

}  // namespace cutaway::onnxruntime
