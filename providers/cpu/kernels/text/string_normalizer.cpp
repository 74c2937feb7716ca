// StringNormalizer: stop words dropped, then the case of what is left changed. Takes [C] or [1, C].

#include <unordered_set>
#include <vector>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/text/letter_case.h"

namespace cutaway::cpu {
namespace {

using text::CaseAction;
using text::LetterCase;

constexpr int64_t kWordsPerThread = 2048;

struct WordHash {
  using is_transparent = void;
  size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
};
using WordSet = std::unordered_set<std::string, WordHash, std::equal_to<>>;

// Words kept on a first pass, and their comparison form when that is computed anyway.
class Scratch final : public KernelState {
 public:
  std::vector<size_t> kept;
  std::string compared;
};

class StringNormalizerKernel final : public Kernel {
 public:
  StringNormalizerKernel(LetterCase output, LetterCase comparison, WordSet stopWords)
      : m_output(std::move(output)), m_comparison(std::move(comparison)), m_stopWords(std::move(stopWords)) {}

  std::unique_ptr<KernelState> createState() const override { return std::make_unique<Scratch>(); }
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    const Dims& dims = input->dims();
    const bool flat = dims.size() == 1;
    if (!flat && !(dims.size() == 2 && dims[0] == 1))
      return fail(ErrorCode::kInvalidArgument, "StringNormalizer takes [C] or [1, C], not {}", dimsToText(dims));
    const auto words = input->span<std::string>();
    auto& scratch = *static_cast<Scratch*>(context.state());
    findKept(words, scratch);
    const bool nothing = scratch.kept.empty();  // then one empty string stands for all
    const auto count = static_cast<int64_t>(nothing ? 1 : scratch.kept.size());
    CUTAWAY_TRY(Tensor * output, flat ? context.output(0, {count}) : context.output(0, {1, count}));
    const auto target = output->span<std::string>();
    if (nothing) target[0].clear();
    parallelFor(static_cast<int64_t>(scratch.kept.size()), kWordsPerThread, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
        m_output.convert(words[scratch.kept[i]], target[i]);
    });
    return {};
  }

 private:
  void findKept(std::span<const std::string> words, Scratch& scratch) const {
    scratch.kept.clear();
    for (size_t i = 0; i < words.size(); ++i) {
      if (m_stopWords.empty() || !isStopWord(words[i], scratch.compared)) scratch.kept.push_back(i);
    }
  }

  bool isStopWord(const std::string& word, std::string& compared) const {
    if (m_comparison.action() == CaseAction::kNone) return m_stopWords.contains(word);
    m_comparison.convert(word, compared);
    return m_stopWords.contains(compared);
  }

  LetterCase m_output;
  LetterCase m_comparison;
  WordSet m_stopWords;
};

Result<CaseAction> actionNamed(const std::string& name) {
  if (name == "NONE") return CaseAction::kNone;
  if (name == "LOWER") return CaseAction::kLower;
  if (name == "UPPER") return CaseAction::kUpper;
  return fail(ErrorCode::kInvalidArgument, "case_change_action is '{}' and must be LOWER, UPPER or NONE", name);
}

Result<std::unique_ptr<Kernel>> createStringNormalizer(const KernelInfo& info) {
  const std::string locale = info.attribute<std::string>("locale", "en_US");
  CUTAWAY_TRY(const CaseAction action, actionNamed(info.attribute<std::string>("case_change_action", "NONE")));
  const bool sensitive = info.attribute<int64_t>("is_case_sensitive", 0) != 0;
  // Without regard to case both sides are compared in the case that the output gets, lower if it keeps its own.
  const CaseAction compared = sensitive                      ? CaseAction::kNone
                              : action == CaseAction::kUpper ? CaseAction::kUpper
                                                             : CaseAction::kLower;
  CUTAWAY_TRY(LetterCase output, LetterCase::make(locale, action));
  CUTAWAY_TRY(LetterCase comparison, LetterCase::make(locale, compared));
  WordSet stopWords;
  for (const std::string& word : info.attribute<std::vector<std::string>>("stopwords", {})) {
    std::string converted;
    comparison.convert(word, converted);
    stopWords.insert(std::move(converted));
  }
  return std::make_unique<StringNormalizerKernel>(std::move(output), std::move(comparison), std::move(stopWords));
}

constexpr ElementType kStrings[] = {ElementType::kString};
constexpr TypeRule kTypes[] = {{0, kStrings}};
constexpr KernelRow kRows[] = {
    {.opType = "StringNormalizer",
     .versions = {10},
     .types = kTypes,
     .fastPath = "threads",
     .create = createStringNormalizer},
};

}  // namespace

KernelRows kernel_string_normalizer() {
  return kRows;
}

}  // namespace cutaway::cpu
