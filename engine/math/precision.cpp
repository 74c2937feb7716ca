#include "engine/math/precision.h"

#include <algorithm>
#include <array>

#include "engine/math/onednn.h"

namespace cutaway::math {

namespace {

struct Word {
  Precision precision;
  std::string_view name;
};
constexpr std::array<Word, 3> kWords{
    {{Precision::kFast, "fast"}, {Precision::kExact, "exact"}, {Precision::kBfloat16, "bf16"}}};

}  // namespace

const char* precisionName(Precision precision) {
  for (const Word& each : kWords) {
    if (precision == each.precision) return each.name.data();
  }
  return "";
}

bool multipliesBfloat16() {
  static const bool does = [] {
    const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
    return isa == dnnl::cpu_isa::avx512_core_bf16 || isa == dnnl::cpu_isa::avx512_core_amx;
  }();
  return does;
}

Result<Precision> precisionAsked(std::string_view provider, std::string_view word) {
  const auto known = std::ranges::find(kWords, word, &Word::name);
  if (known == kWords.end())
    return fail(ErrorCode::kInvalidArgument, "provider {}: option precision is fast, exact or bf16, not '{}'", provider,
                word);
  if (known->precision == Precision::kBfloat16 && !multipliesBfloat16())
    return fail(ErrorCode::kEpFail,
                "provider {}: precision=bf16 needs a processor that multiplies bfloat16 (AVX512_BF16 or AMX), and this "
                "one does not; leave the option out, or say precision=fast",
                provider);
  return known->precision;
}

bool roundsToBfloat16(Precision precision, int64_t depth, int64_t columns) {
  // Below, rounding the other operand takes as long as multiplying by it saves.
  constexpr int64_t kLeastDepth = 32, kLeastColumns = 32;
  return precision == Precision::kBfloat16 && multipliesBfloat16() && depth >= kLeastDepth && columns >= kLeastColumns;
}

}  // namespace cutaway::math
