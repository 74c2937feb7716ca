// DropoutGrad, and Dropout whose mask has one bit an element (bit i of word w: element 32 w + i), forward and backward.
//
// Kept elements are scaled by 1 / (1 - ratio), dropped ones are zero; outside training mode everything passes.

#include <cstring>

#include "engine/base/parallel.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/random/random_source.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {
namespace {

using namespace cpu;

struct Settings {
  double ratio = 0.5;
  bool training = true;
};

// ratio in slot `first`, training_mode after it.
Result<Settings> settingsOf(KernelContext& context, std::string_view opType, size_t first, bool trainingByDefault) {
  Settings settings{.training = trainingByDefault};
  if (const Tensor* ratio = context.input(first)) {
    if (ratio->elementCount() != 1 || !dispatchType(FloatTypes{}, ratio->type(), [&]<typename T>(TypeTag<T>) {
          settings.ratio = static_cast<double>(widen(ratio->span<T>()[0]));
        })) {
      return fail(ErrorCode::kInvalidArgument, "{}: ratio is not one float", opType);
    }
  }
  if (!(settings.ratio >= 0 && settings.ratio < 1))
    return fail(ErrorCode::kInvalidArgument, "{}: ratio is {}, not in [0, 1)", opType, settings.ratio);
  if (const Tensor* training = context.input(first + 1)) {
    if (training->type() != ElementType::kBool || training->elementCount() != 1)
      return fail(ErrorCode::kInvalidArgument, "{}: training_mode is not one bool", opType);
    settings.training = *static_cast<const uint8_t*>(training->data()) != 0;
  }
  return settings;
}

int64_t wordCount(int64_t elements) {
  return elements / 32 + (elements % 32 != 0);
}

template <bool bits>
class DropoutGrad final : public Kernel {
 public:
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor *dy = context.input(0), *mask = context.input(1);
    if (dy == nullptr || mask == nullptr) return fail(ErrorCode::kInvalidArgument, "{} needs dy and mask", kName);
    const int64_t count = dy->elementCount(), needed = bits ? wordCount(count) : count;
    if (mask->type() != (bits ? ElementType::kUint32 : ElementType::kBool) || mask->elementCount() != needed) {
      return fail(ErrorCode::kInvalidArgument, "{}: the mask is {} {} for {} elements", kName,
                  elementTypeName(mask->type()), dimsToText(mask->dims()), count);
    }
    CUTAWAY_TRY(const Settings settings, settingsOf(context, kName, 2, true));
    CUTAWAY_TRY(Tensor * dx, context.output(0, dy->dims()));
    const double scale = settings.training ? 1 / (1 - settings.ratio) : 1;
    const bool all = !settings.training || settings.ratio == 0;
    dispatchType(FloatTypes{}, dy->type(), [&]<typename T>(TypeTag<T>) {
      const T* g = dy->span<T>().data();
      T* to = dx->span<T>().data();
      const auto factor = static_cast<Computed<T>>(scale);
      parallelFor(count, 8192, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          to[i] = all || kept(*mask, i) ? narrow<T>(static_cast<Computed<T>>(widen(g[i]) * factor)) : narrow<T>(0);
      });
    });
    return {};
  }

 private:
  static constexpr std::string_view kName = bits ? "BitmaskDropoutGrad" : "DropoutGrad";
  static bool kept(const Tensor& mask, int64_t i) {
    if constexpr (bits)
      return (static_cast<const uint32_t*>(mask.data())[i / 32] >> (i % 32) & 1u) != 0;
    else
      return static_cast<const uint8_t*>(mask.data())[i] != 0;
  }
};

class BitmaskDropout final : public Kernel {
 public:
  explicit BitmaskDropout(const KernelInfo& info) : m_seed(SeedRule::of(info)) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor* x = context.input(0);
    if (x == nullptr) return fail(ErrorCode::kInvalidArgument, "BitmaskDropout needs data");
    CUTAWAY_TRY(const Settings settings, settingsOf(context, "BitmaskDropout", 1, false));
    CUTAWAY_TRY(Tensor * y, context.output(0, x->dims()));
    uint32_t* words = nullptr;
    const int64_t count = x->elementCount();
    if (context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * mask, context.output(1, {wordCount(count)}));
      words = mask->span<uint32_t>().data();
      // The bits past the last element stay zero.
      std::fill_n(words, wordCount(count), settings.training ? 0u : ~0u);
      if (!settings.training && count % 32 != 0) words[count / 32] = (1u << (count % 32)) - 1;
    }
    if (!settings.training) {
      if (y->data() != x->data() && x->sizeBytes() > 0)
        std::memcpy(y->mutableData(), x->data(), static_cast<size_t>(x->sizeBytes()));
      return {};
    }
    RandomSource source(m_seed.next(context));
    dispatchType(FloatTypes{}, x->type(), [&]<typename T>(TypeTag<T>) {
      const auto from = x->span<T>();
      const auto to = y->span<T>();
      const double scale = 1 / (1 - settings.ratio);
      for (size_t i = 0; i < from.size(); ++i) {
        const bool kept = settings.ratio == 0 || source.uniform() >= settings.ratio;
        if (words != nullptr && kept) words[i / 32] |= 1u << (i % 32);
        to[i] = kept ? narrow<T>(static_cast<Computed<T>>(static_cast<double>(widen(from[i])) * scale)) : narrow<T>(0);
      }
    });
    return {};
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<RandomState>(); }

 private:
  SeedRule m_seed;
};

template <typename K>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  if constexpr (std::is_constructible_v<K, const KernelInfo&>)
    return std::make_unique<K>(info);
  else
    return std::make_unique<K>();
}

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};
constexpr int kGradSettings[] = {2, 3}, kSettings[] = {1, 2};
constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};

constexpr KernelRow kRows[] = {
    {.opType = "DropoutGrad",
     .domain = "com.microsoft",
     .types = kRules,
     .inplace = kInplace,
     .hostInputs = kGradSettings,
     .fastPath = "threads",
     .create = create<DropoutGrad<false>>},
    {.opType = "BitmaskDropoutGrad",
     .domain = "com.microsoft",
     .types = kRules,
     .inplace = kInplace,
     .hostInputs = kGradSettings,
     .fastPath = "threads",
     .create = create<DropoutGrad<true>>},
    {.opType = "BitmaskDropout",
     .domain = "com.microsoft",
     .types = kRules,
     .inplace = kInplace,
     .hostInputs = kSettings,
     .create = create<BitmaskDropout>},
};

}  // namespace

KernelRows kernel_dropout_grad() {
  return kRows;
}

}  // namespace cutaway::cpu
