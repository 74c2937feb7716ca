// CausalConvWithState of ai.onnx and com.microsoft: every channel is convolved with its own taps over its past, and the
// last inputs are handed on as state.
//
// y[t] = bias + sum_j w[j] x[t - (taps - 1 - j) * dilation], where x before 0 is the state that came in (zeros without
// one).

#include <cmath>

#include "engine/base/checked_math.h"
#include "engine/base/loop_part.h"
#include "engine/base/parallel.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu::attention {
namespace {

enum Slot : size_t { kInput, kWeight, kBias, kPast };

struct Layout {
  int64_t batch = 0, channels = 0, length = 0, taps = 0, state = 0;  // state: positions carried
  bool channelsLast = false;
  int64_t at(int64_t b, int64_t c, int64_t t, int64_t count) const {
    return channelsLast ? (b * count + t) * channels + c : (b * channels + c) * count + t;
  }
};

template <typename T>
class CausalConvolution final : public Kernel {
 public:
  CausalConvolution(int64_t dilation, int64_t window, bool channelsLast, bool swish)
      : m_dilation(dilation), m_window(window), m_channelsLast(channelsLast), m_swish(swish) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(kInput);
    const Tensor *bias = kBias < context.inputCount() ? context.input(kBias) : nullptr,
                 *past = kPast < context.inputCount() ? context.input(kPast) : nullptr;
    CUTAWAY_TRY(const Layout layout, layoutOf(x.dims(), context.input(kWeight)->dims()));
    const Dims stateDims = stateDimsOf(x.dims(), layout);
    if (bias != nullptr && bias->dims() != Dims{layout.channels})
      return fail(ErrorCode::kInvalidArgument, "CausalConvWithState: bias is {} for {} channels",
                  dimsToText(bias->dims()), layout.channels);
    if (past != nullptr && past->dims() != stateDims) {
      return fail(ErrorCode::kInvalidArgument, "CausalConvWithState: past_state is {} instead of {}",
                  dimsToText(past->dims()), dimsToText(stateDims));
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, x.dims()));
    CUTAWAY_TRY(Tensor * present, context.output(1, x.type(), stateDims));
    const int64_t reach = layout.state + layout.length;
    const int64_t each = alignUp((reach + layout.length) * static_cast<int64_t>(sizeof(float)), 64);
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(each * currentThreads())));
    const int64_t slots = std::max<int64_t>(1, m_window), slotSize = layout.batch * layout.channels * layout.state;
    const T *from = x.span<T>().data(), *weight = context.input(kWeight)->span<T>().data(),
            *before = past != nullptr ? past->span<T>().data() + (slots - 1) * slotSize : nullptr;
    T *to = y->span<T>().data(), *after = present->span<T>().data();
    parallelFor(
        layout.batch * layout.channels, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, layout.length * layout.taps)),
        [&](int64_t begin, int64_t end) {
          float* line = reinterpret_cast<float*>(memory.data() + loopPart() * each);  // state, then input
          for (int64_t unit = begin; unit < end; ++unit) {
            const int64_t b = unit / layout.channels, c = unit % layout.channels;
            for (int64_t p = 0; p < layout.state; ++p)
              line[p] = before != nullptr ? cpu::widen(before[layout.at(b, c, p, layout.state)]) : 0.0f;
            for (int64_t t = 0; t < layout.length; ++t)
              line[layout.state + t] = cpu::widen(from[layout.at(b, c, t, layout.length)]);
            convolve(layout, weight + c * layout.taps,
                     bias != nullptr ? cpu::widen(bias->span<T>()[static_cast<size_t>(c)]) : 0.0f, line, line + reach);
            for (int64_t t = 0; t < layout.length; ++t)
              to[layout.at(b, c, t, layout.length)] = cpu::narrow<T>(line[reach + t]);
            for (int64_t slot = 0; slot < slots; ++slot) {
              const int64_t shift = layout.length - (slots - 1 - slot);  // tokens seen by then
              const bool seen = slot == slots - 1 || shift > 0;
              for (int64_t p = 0; p < layout.state; ++p)
                after[slot * slotSize + layout.at(b, c, p, layout.state)] =
                    cpu::narrow<T>(seen ? line[shift + p] : 0.0f);
            }
          }
        });
    return {};
  }

 private:
  Result<Layout> layoutOf(const Dims& x, const Dims& weight) const {
    Layout layout{.channelsLast = m_channelsLast};
    bool fits =
        weight.size() == 3 && weight[1] == 1 && weight[2] > 0 && (m_channelsLast ? x.size() >= 3 : x.size() == 3);
    if (fits) {
      layout.batch = x[0], layout.length = x[m_channelsLast ? 1 : 2], layout.taps = weight[2],
      layout.channels = m_channelsLast ? 1 : x[1];
      for (size_t axis = 2; m_channelsLast && axis < x.size(); ++axis)
        layout.channels *= x[axis];
      fits = weight[0] == layout.channels;
    }
    if (!fits)
      return fail(ErrorCode::kInvalidArgument,
                  "CausalConvWithState: the input {} and the weight {} do not belong together", dimsToText(x),
                  dimsToText(weight));
    CUTAWAY_TRY(layout.state, checkedMultiply(layout.taps - 1, m_dilation));
    return layout;
  }

  Dims stateDimsOf(const Dims& x, const Layout& layout) const {
    Dims dims = x;
    dims[m_channelsLast ? 1 : 2] = layout.state;
    if (m_window == 0) return dims;
    std::vector<int64_t> windowed{m_window};
    windowed.insert(windowed.end(), dims.begin(), dims.end());
    return Dims(std::span<const int64_t>(windowed));
  }

  void convolve(const Layout& layout, const T* weight, float bias, const float* line, float* out) const {
    std::fill(out, out + layout.length, bias);
    for (int64_t j = 0; j < layout.taps; ++j) {
      const float factor = cpu::widen(weight[j]);
      const float* from = line + j * m_dilation;
      for (int64_t t = 0; t < layout.length; ++t)
        out[t] += factor * from[t];
    }
    for (int64_t t = 0; m_swish && t < layout.length; ++t)
      out[t] = out[t] / (1.0f + std::exp(-out[t]));
  }

  int64_t m_dilation, m_window;
  bool m_channelsLast, m_swish;
};

template <typename T>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const std::string activation = info.attribute<std::string>("activation", "none");
  const int64_t dilation = info.attribute<int64_t>("dilation", 1), window = info.attribute<int64_t>("state_window", 0),
                axes = info.attribute<int64_t>("ndim", 1);
  if (activation != "none" && activation != "silu" && activation != "swish")
    return fail(ErrorCode::kInvalidArgument, "CausalConvWithState: activation '{}' is none of none, silu, swish",
                activation);
  if (dilation < 1 || window < 0 || window > 8)
    return fail(ErrorCode::kInvalidArgument,
                "CausalConvWithState: dilation {} and state_window {} lie outside 1.. and 0 to 8", dilation, window);
  if (axes != 1) return fail(ErrorCode::kNotImplemented, "CausalConvWithState over {} axes", axes);
  return std::unique_ptr<Kernel>(std::make_unique<CausalConvolution<T>>(
      dilation, window, info.attribute<int64_t>("channels_last", 0) != 0, activation != "none"));
}

constexpr ElementType kSingle[] = {ElementType::kFloat}, kHalf[] = {ElementType::kFloat16},
                      kBrain[] = {ElementType::kBfloat16};
constexpr TypeRule kFloatTypes[] = {{TypeRule::kAllInputs, kSingle}}, kHalfTypes[] = {{TypeRule::kAllInputs, kHalf}},
                   kBrainTypes[] = {{TypeRule::kAllInputs, kBrain}};

// Each channel copies its state and its input out before it writes either.
constexpr InplaceHint kInplace[] = {{.input = kInput, .output = 0}, {.input = kPast, .output = 1}};

constexpr KernelRow kRows[] = {
    {.opType = "CausalConvWithState",
     .versions = {27},
     .types = kFloatTypes,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<float>},
    {.opType = "CausalConvWithState",
     .versions = {27},
     .types = kHalfTypes,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Float16>},
    {.opType = "CausalConvWithState",
     .versions = {27},
     .types = kBrainTypes,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Bfloat16>},
    {.opType = "CausalConvWithState",
     .domain = "com.microsoft",
     .types = kFloatTypes,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<float>},
    {.opType = "CausalConvWithState",
     .domain = "com.microsoft",
     .types = kHalfTypes,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Float16>},
    {.opType = "CausalConvWithState",
     .domain = "com.microsoft",
     .types = kBrainTypes,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<Bfloat16>},
};

}  // namespace
}  // namespace cutaway::cpu::attention

namespace cutaway::cpu {
KernelRows kernel_causal_convolution() {
  return attention::kRows;
}
}  // namespace cutaway::cpu
