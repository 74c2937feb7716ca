// RotaryEmbedding of ai.onnx and com.microsoft, and MRotaryEmbedding: three streams of positions that share the
// channels.

#include <array>
#include <vector>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/attention/rotary.h"

namespace cutaway::attention {
namespace {

constexpr int64_t kGrain = 1 << 13;

// Where the inputs lie in each form of the operator.
struct Form {
  std::string_view name;
  size_t cosine, sine, positions;
  bool oneStart;  // positions of one element: where the first token stands
  bool streams;   // positions [3, batch, sequence]
};

struct Layout {
  int64_t batch = 0, heads = 0, sequence = 0, size = 0, batchStep = 0, headStep = 0, tokenStep = 0;
};

struct Angles {
  int64_t half = 0, rows = 0;  // of the caches; rows 0: one row a token
};

template <typename T>
class RotaryKernel final : public Kernel {
 public:
  RotaryKernel(const KernelInfo& info, const Form& form)
      : m_form(form),
        m_heads(info.attribute<int64_t>("num_heads", 0)),
        m_rotary(info.attribute<int64_t>("rotary_embedding_dim", 0)),
        m_interleaved(info.attribute<int64_t>("interleaved", 0) != 0),
        m_woven(info.attribute<int64_t>("mrope_layout", 0) != 0),
        m_sections(info.attribute<std::vector<int64_t>>("mrope_section", {})) {}

  std::string_view variant() const override { return std::is_same_v<T, float> ? "highway" : "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const Tensor &cosine = *context.input(m_form.cosine), &sine = *context.input(m_form.sine);
    const Tensor* positions = m_form.positions < context.inputCount() ? context.input(m_form.positions) : nullptr;
    CUTAWAY_TRY(const Layout layout, layoutOf(x, cosine));
    CUTAWAY_TRY(const Angles angles, anglesOf(layout, cosine, sine, positions));
    CUTAWAY_CHECK(checkPositions(layout, angles, positions));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.dims()));
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(m_form.streams
                                    ? static_cast<size_t>(2 * layout.batch * layout.sequence * angles.half) * sizeof(T)
                                    : 0));
    T* mixed = reinterpret_cast<T*>(memory.data());
    const T *from = x.span<T>().data(), *cosines = cosine.span<T>().data(), *sines = sine.span<T>().data();
    const int64_t* at = positions != nullptr ? positions->span<int64_t>().data() : nullptr;
    const bool start = positions != nullptr && m_form.oneStart && positions->elementCount() == 1;
    T* to = y->span<T>().data();
    parallelFor(
        layout.batch * layout.sequence, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, layout.heads * layout.size)),
        [&](int64_t begin, int64_t end) {
          for (int64_t token = begin; token < end; ++token) {
            const int64_t batch = token / layout.sequence, place = token % layout.sequence;
            const int64_t row = at == nullptr ? token : start ? at[0] + place : m_form.streams ? 0 : at[token];
            Rotation<T> rotation{cosines + row * angles.half, sines + row * angles.half, angles.half, m_interleaved};
            if (m_form.streams) rotation = mixStreams(layout, angles, at, token, cosines, sines, mixed);
            for (int64_t head = 0; head < layout.heads; ++head) {
              const int64_t offset = batch * layout.batchStep + head * layout.headStep + place * layout.tokenStep;
              rotateHead(from + offset, layout.size, rotation, to + offset);
            }
          }
        });
    return {};
  }

 private:
  Result<Layout> layoutOf(const Tensor& x, const Tensor& cosine) const {
    const Dims& dims = x.dims();
    if (dims.size() == 4)
      return Layout{dims[0], dims[1], dims[2], dims[3], dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3]};
    if (dims.size() != 3)
      return fail(ErrorCode::kInvalidArgument, "{}: the input is {}, not 3-D or 4-D", m_form.name, dimsToText(dims));
    int64_t heads = m_heads;
    // com.microsoft may leave the number of heads to the caches' width.
    if (heads == 0 && m_form.oneStart && cosine.rank() == 2 && cosine.dims()[1] > 0)
      heads = dims[2] / (2 * cosine.dims()[1]);
    if (heads <= 0 || dims[2] % heads != 0)
      return fail(ErrorCode::kInvalidArgument, "{}: {} heads do not divide the input {}", m_form.name, heads,
                  dimsToText(dims));
    const int64_t size = dims[2] / heads;
    return Layout{dims[0], heads, dims[1], size, dims[1] * dims[2], size, dims[2]};
  }

  Result<Angles> anglesOf(const Layout& layout, const Tensor& cosine, const Tensor& sine,
                          const Tensor* positions) const {
    const int64_t rotary = m_rotary > 0 ? m_rotary : layout.size;
    if (m_rotary < 0 || rotary > layout.size || rotary % 2 != 0) {
      return fail(ErrorCode::kInvalidArgument, "{}: {} channels of {} cannot be rotated in pairs", m_form.name, rotary,
                  layout.size);
    }
    const int64_t half = rotary / 2;
    const Dims& dims = cosine.dims();
    const bool table = positions != nullptr && dims.size() == 2 && dims[1] == half;
    const bool each = positions == nullptr && dims == Dims{layout.batch, layout.sequence, half};
    if (!(table || each) || sine.dims() != dims) {
      return fail(ErrorCode::kInvalidArgument,
                  "{}: caches of {} and {} do not give {} angles for {} batches of {} tokens", m_form.name,
                  dimsToText(dims), dimsToText(sine.dims()), half, layout.batch, layout.sequence);
    }
    if (m_form.streams) {
      int64_t sum = 0;
      for (const int64_t section : m_sections)
        sum = section < 0 || section > half ? half + 1 : sum + section;
      if (m_sections.size() != 3 || sum != half)
        return fail(ErrorCode::kInvalidArgument, "{}: mrope_section is not three sizes that sum to {}", m_form.name,
                    half);
    }
    return Angles{half, table ? dims[0] : 0};
  }

  Result<void> checkPositions(const Layout& layout, const Angles& angles, const Tensor* positions) const {
    if (positions == nullptr) return {};
    const bool start = m_form.oneStart && positions->dims() == Dims{1};
    const Dims wanted = m_form.streams ? Dims{3, layout.batch, layout.sequence} : Dims{layout.batch, layout.sequence};
    if (!start && positions->dims() != wanted)
      return fail(ErrorCode::kInvalidArgument, "{}: position_ids is {} instead of {}", m_form.name,
                  dimsToText(positions->dims()), dimsToText(wanted));
    const int64_t reach = start ? std::max<int64_t>(0, layout.sequence - 1) : 0;
    for (const int64_t position : positions->span<int64_t>()) {
      if (position < 0 || position > angles.rows - 1 - reach) {
        return fail(ErrorCode::kInvalidArgument, "{}: position {} (and {} after it) lies outside the caches of {} rows",
                    m_form.name, position, reach, angles.rows);
      }
    }
    return {};
  }

  // Channel by channel from the stream that owns it, into the token's place in `mixed`.
  Rotation<T> mixStreams(const Layout& layout, const Angles& angles, const int64_t* positions, int64_t token,
                         const T* cosines, const T* sines, T* mixed) const {
    const int64_t tokens = layout.batch * layout.sequence;
    T *cosine = mixed + 2 * token * angles.half, *sine = cosine + angles.half;
    for (int64_t i = 0; i < angles.half; ++i) {
      const size_t stream = streamOf(i);
      const int64_t row = positions[static_cast<int64_t>(stream) * tokens + token];
      cosine[i] = cosines[row * angles.half + i];
      sine[i] = sines[row * angles.half + i];
    }
    return {cosine, sine, angles.half, m_interleaved};
  }

  size_t streamOf(int64_t channel) const {
    if (m_woven) {
      const size_t stream = static_cast<size_t>(channel % 3);
      return stream != 0 && channel < 3 * m_sections[stream] ? stream : 0;
    }
    return channel < m_sections[0] ? 0 : channel < m_sections[0] + m_sections[1] ? 1 : 2;
  }

  Form m_form;
  int64_t m_heads, m_rotary;
  bool m_interleaved, m_woven;
  std::vector<int64_t> m_sections;
};

constexpr Form kStandard{"RotaryEmbedding", 1, 2, 3, false, false};
constexpr Form kMicrosoftForm{"RotaryEmbedding", 2, 3, 1, true, false};
constexpr Form kStreams{"MRotaryEmbedding", 2, 3, 1, true, true};

template <typename T, const Form& kForm>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  for (const size_t slot : {kForm.cosine, kForm.sine}) {
    if (info.inputElement(slot) != info.inputElement(0))
      return fail(ErrorCode::kInvalidArgument, "{}: caches and input differ in type", kForm.name);
  }
  return std::unique_ptr<Kernel>(std::make_unique<RotaryKernel<T>>(info, kForm));
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
     .create = create<float, kStandard>},
    {.opType = "RotaryEmbedding",
     .versions = {23},
     .types = kHalfTypes,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Float16, kStandard>},
    {.opType = "RotaryEmbedding",
     .versions = {23},
     .types = kBrainTypes,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Bfloat16, kStandard>},
    {.opType = "RotaryEmbedding",
     .domain = "com.microsoft",
     .types = kFloatMicrosoft,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = create<float, kMicrosoftForm>},
    {.opType = "RotaryEmbedding",
     .domain = "com.microsoft",
     .types = kHalfMicrosoft,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Float16, kMicrosoftForm>},
    {.opType = "RotaryEmbedding",
     .domain = "com.microsoft",
     .types = kBrainMicrosoft,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Bfloat16, kMicrosoftForm>},
    {.opType = "MRotaryEmbedding",
     .domain = "com.microsoft",
     .types = kFloatMicrosoft,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = create<float, kStreams>},
    {.opType = "MRotaryEmbedding",
     .domain = "com.microsoft",
     .types = kHalfMicrosoft,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Float16, kStreams>},
    {.opType = "MRotaryEmbedding",
     .domain = "com.microsoft",
     .types = kBrainMicrosoft,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Bfloat16, kStreams>},
};

}  // namespace
}  // namespace cutaway::attention

namespace cutaway {
KernelRows kernel_rotary_embedding() {
  return attention::kRows;
}
}  // namespace cutaway
