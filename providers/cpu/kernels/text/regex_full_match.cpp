// RegexFullMatch: whether a string as a whole matches an RE2 expression.

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/text/pattern.h"

namespace cutaway::cpu {
namespace {

class RegexFullMatchKernel final : public Kernel {
 public:
  explicit RegexFullMatchKernel(std::unique_ptr<const RE2> pattern) : m_pattern(std::move(pattern)) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kBool, input->dims()));
    const auto strings = input->span<std::string>();
    const auto matches = output->span<bool>();
    parallelFor(static_cast<int64_t>(strings.size()), 256, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
        matches[i] = m_pattern->Match(strings[i], 0, strings[i].size(), RE2::ANCHOR_BOTH, nullptr, 0);
    });
    return {};
  }

 private:
  std::unique_ptr<const RE2> m_pattern;
};

Result<std::unique_ptr<Kernel>> createRegexFullMatch(const KernelInfo& info) {
  if (info.node().findAttribute("pattern") == nullptr)
    return fail(ErrorCode::kInvalidArgument, "RegexFullMatch needs the attribute pattern");
  CUTAWAY_TRY(auto pattern, text::makePattern(info.attribute<std::string>("pattern", "")));
  return std::make_unique<RegexFullMatchKernel>(std::move(pattern));
}

constexpr ElementType kStrings[] = {ElementType::kString};
constexpr TypeRule kTypes[] = {{0, kStrings}};
constexpr KernelRow kRows[] = {
    {.opType = "RegexFullMatch",
     .versions = {20},
     .types = kTypes,
     .fastPath = "threads",
     .create = createRegexFullMatch},
};

}  // namespace

KernelRows kernel_regex_full_match() {
  return kRows;
}

}  // namespace cutaway::cpu
