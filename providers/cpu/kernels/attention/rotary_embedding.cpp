// RotaryEmbedding of ai.onnx and com.microsoft, and MRotaryEmbedding: three streams of positions that share the
// channels.

#include "engine/operators/rotary_embedding.h"

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/attention/rotary.h"

namespace cutaway::cpu::attention {
namespace {

constexpr int64_t kGrain = 1 << 13;

using operators::kMicrosoftRotaryForm;
using operators::kRotaryForm;
using operators::kStreamsRotaryForm;
using operators::RotaryForm;
using operators::RotaryLayout;
using operators::RotarySettings;

template <typename T>
class RotaryKernel final : public Kernel {
 public:
  RotaryKernel(const RotaryForm& form, RotarySettings settings) : m_form(form), m_settings(std::move(settings)) {}

  std::string_view variant() const override { return std::is_same_v<T, float> ? "highway" : "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const Tensor &cosine = *context.input(m_form.cosine), &sine = *context.input(m_form.sine);
    const Tensor* positions = m_form.positions < context.inputCount() ? context.input(m_form.positions) : nullptr;
    CUTAWAY_TRY(const RotaryLayout layout,
                operators::rotaryLayout(m_form, m_settings, x.dims(), cosine.dims(), sine.dims(),
                                        positions != nullptr ? &positions->dims() : nullptr));
    CUTAWAY_CHECK(checkPositions(layout, positions));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.dims()));
    CUTAWAY_TRY(
        const std::span<std::byte> memory,
        context.scratch(
            m_form.streams ? static_cast<size_t>(2 * layout.batch * layout.sequence * layout.angles) * sizeof(T) : 0));
    T* mixed = reinterpret_cast<T*>(memory.data());
    const T *from = x.span<T>().data(), *cosines = cosine.span<T>().data(), *sines = sine.span<T>().data();
    const int64_t* at = positions != nullptr ? positions->span<int64_t>().data() : nullptr;
    T* to = y->span<T>().data();
    parallelFor(layout.batch * layout.sequence,
                std::max<int64_t>(1, kGrain / std::max<int64_t>(1, layout.heads * layout.size)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t token = begin; token < end; ++token) {
                    const int64_t batch = token / layout.sequence, place = token % layout.sequence;
                    const int64_t row = at == nullptr     ? token
                                        : layout.oneStart ? at[0] + place
                                        : m_form.streams  ? 0
                                                          : at[token];
                    Rotation<T> rotation{cosines + row * layout.angles, sines + row * layout.angles, layout.angles,
                                         m_settings.interleaved};
                    if (m_form.streams) rotation = mixStreams(layout, at, token, cosines, sines, mixed);
                    for (int64_t head = 0; head < layout.heads; ++head) {
                      const int64_t offset =
                          batch * layout.steps.batchStep + head * layout.steps.headStep + place * layout.steps.rowStep;
                      rotateHead(from + offset, layout.size, rotation, to + offset);
                    }
                  }
                });
    return {};
  }

 private:
  // What the caches hold of the positions given.
  Result<void> checkPositions(const RotaryLayout& layout, const Tensor* positions) const {
    if (positions == nullptr) return {};
    const int64_t reach = layout.oneStart ? std::max<int64_t>(0, layout.sequence - 1) : 0;
    for (const int64_t position : positions->span<int64_t>()) {
      if (position < 0 || position > layout.tableRows - 1 - reach) {
        return fail(ErrorCode::kInvalidArgument, "{}: position {} (and {} after it) lies outside the caches of {} rows",
                    m_form.name, position, reach, layout.tableRows);
      }
    }
    return {};
  }

  // Channel by channel from the stream that owns it, into the token's place in `mixed`.
  Rotation<T> mixStreams(const RotaryLayout& layout, const int64_t* positions, int64_t token, const T* cosines,
                         const T* sines, T* mixed) const {
    const int64_t tokens = layout.batch * layout.sequence;
    T *cosine = mixed + 2 * token * layout.angles, *sine = cosine + layout.angles;
    for (int64_t i = 0; i < layout.angles; ++i) {
      const size_t stream = streamOf(i);
      const int64_t row = positions[static_cast<int64_t>(stream) * tokens + token];
      cosine[i] = cosines[row * layout.angles + i];
      sine[i] = sines[row * layout.angles + i];
    }
    return {cosine, sine, layout.angles, m_settings.interleaved};
  }

  size_t streamOf(int64_t channel) const {
    if (m_settings.woven) {
      const size_t stream = static_cast<size_t>(channel % 3);
      return stream != 0 && channel < 3 * m_settings.sections[stream] ? stream : 0;
    }
    return channel < m_settings.sections[0] ? 0 : channel < m_settings.sections[0] + m_settings.sections[1] ? 1 : 2;
  }

  RotaryForm m_form;
  RotarySettings m_settings;
};

template <typename T, const RotaryForm& kForm>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(RotarySettings settings, operators::readRotary(kForm, info.graph(), info.node()));
  return std::unique_ptr<Kernel>(std::make_unique<RotaryKernel<T>>(kForm, std::move(settings)));
}

constexpr ElementType kHalf[] = {ElementType::kFloat16}, kBrain[] = {ElementType::kBfloat16},
                      kSingle[] = {ElementType::kFloat}, kLong[] = {ElementType::kInt64};
constexpr TypeRule kFloatTypes[] = {{0, kSingle}}, kHalfTypes[] = {{0, kHalf}}, kBrainTypes[] = {{0, kBrain}};
constexpr TypeRule kFloatMicrosoft[] = {{0, kSingle}, {1, kLong}}, kHalfMicrosoft[] = {{0, kHalf}, {1, kLong}},
                   kBrainMicrosoft[] = {{0, kBrain}, {1, kLong}};

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0}};

constexpr KernelRow kRows[] = {
    {.opType = "RotaryEmbedding",
     .versions = {23},
     .types = kFloatTypes,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = create<float, kRotaryForm>},
    {.opType = "RotaryEmbedding",
     .versions = {23},
     .types = kHalfTypes,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Float16, kRotaryForm>},
    {.opType = "RotaryEmbedding",
     .versions = {23},
     .types = kBrainTypes,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Bfloat16, kRotaryForm>},
    {.opType = "RotaryEmbedding",
     .domain = "com.microsoft",
     .types = kFloatMicrosoft,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = create<float, kMicrosoftRotaryForm>},
    {.opType = "RotaryEmbedding",
     .domain = "com.microsoft",
     .types = kHalfMicrosoft,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Float16, kMicrosoftRotaryForm>},
    {.opType = "RotaryEmbedding",
     .domain = "com.microsoft",
     .types = kBrainMicrosoft,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Bfloat16, kMicrosoftRotaryForm>},
    {.opType = "MRotaryEmbedding",
     .domain = "com.microsoft",
     .types = kFloatMicrosoft,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = create<float, kStreamsRotaryForm>},
    {.opType = "MRotaryEmbedding",
     .domain = "com.microsoft",
     .types = kHalfMicrosoft,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Float16, kStreamsRotaryForm>},
    {.opType = "MRotaryEmbedding",
     .domain = "com.microsoft",
     .types = kBrainMicrosoft,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Bfloat16, kStreamsRotaryForm>},
};

}  // namespace
}  // namespace cutaway::cpu::attention

namespace cutaway::cpu {
KernelRows kernel_rotary_embedding() {
  return attention::kRows;
}
}  // namespace cutaway::cpu
