// LayerNormalization and RMSNormalization: each run of the axes from `axis` on has its own mean and variance (or mean square).

#include <array>
#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/normalization/moments.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway {
namespace {

constexpr size_t kMaxRank = 16;

// Steps between the elements of scale or bias as the normalised axes advance: its own axes from the right, 0 where it is broadcast.
struct Broadcast {
  const void* values = nullptr;
  std::array<int64_t, kMaxRank> stride{};
  bool dense = true;   // as many elements as a run has, in order
  bool absent = true;
};

// Over all of x's axes, because scale may broadcast over leading ones too.
Result<Broadcast> broadcastOver(std::span<const int64_t> dims, size_t axis, const Tensor* operand, std::string_view name) {
  Broadcast result;
  if (operand == nullptr) return result;
  result.absent = false;
  const std::span<const int64_t> own = operand->dims();
  if (own.size() > dims.size()) return fail(ErrorCode::kInvalidArgument, "{} is {}, the input {}", name, dimsToText(own), dimsToText(dims));
  int64_t stride = 1;
  for (size_t back = 1; back <= own.size(); ++back) {
    const size_t at = dims.size() - back;
    const int64_t size = own[own.size() - back];
    if (size != dims[at] && size != 1) return fail(ErrorCode::kInvalidArgument, "{} is {}, which does not broadcast to {}", name, dimsToText(own), dimsToText(dims));
    result.stride[at] = size == 1 && dims[at] != 1 ? 0 : stride;
    if (size != dims[at] && at >= axis) result.dense = false;
    if (size != 1 && at < axis) result.dense = false;
    stride *= size;
  }
  for (size_t at = axis; at + own.size() < dims.size(); ++at) result.dense = result.dense && dims[at] == 1;
  return result;
}

template <typename T>
class LayerNormalization final : public Kernel {
 public:
  LayerNormalization(int64_t axis, float epsilon, bool centered) : m_axis(axis), m_epsilon(static_cast<T>(epsilon)), m_centered(centered) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const std::span<const int64_t> dims = x.dims();
    const int64_t rank = static_cast<int64_t>(dims.size());
    const int64_t axis = m_axis < 0 ? m_axis + rank : m_axis;
    if (axis < 0 || axis >= rank || dims.size() > kMaxRank) return fail(ErrorCode::kInvalidArgument, "layer normalisation: axis {} of {}", m_axis, dimsToText(dims));
    const int64_t runs = elementCount(dims.first(static_cast<size_t>(axis))), count = elementCount(dims.subspan(static_cast<size_t>(axis)));
    const Tensor* biasTensor = m_centered && context.inputCount() > 2 ? context.input(2) : nullptr;
    std::vector<T> storage[2];
    CUTAWAY_TRY(const Broadcast scaleSteps, broadcastOver(dims, static_cast<size_t>(axis), context.input(1), "Scale"));
    CUTAWAY_TRY(const Broadcast biasSteps, broadcastOver(dims, static_cast<size_t>(axis), biasTensor, "B"));
    const T* scale = valuesAs<T>(*context.input(1), storage[0]);
    const T* bias = biasTensor != nullptr ? valuesAs<T>(*biasTensor, storage[1]) : nullptr;
    if (scale == nullptr || (biasTensor != nullptr && bias == nullptr)) return fail(ErrorCode::kInvalidArgument, "layer normalisation needs a float Scale and B");
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    T *means = nullptr, *inverses = nullptr;
    CUTAWAY_CHECK(statisticsOutput(context, 1, dims, static_cast<size_t>(axis), means));
    CUTAWAY_CHECK(statisticsOutput(context, 2, dims, static_cast<size_t>(axis), inverses));
    const T* source = x.span<T>().data();
    T* target = y->span<T>().data();
    const bool dense = scaleSteps.dense && biasSteps.dense;
    parallelFor(runs, std::max<int64_t>(1, 4096 / std::max<int64_t>(count, 1)), [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const T* from = source + unit * count;
        T* to = target + unit * count;
        const Moments<T> moments = m_centered ? momentsOf(from, count) : meanSquare(from, count);
        const T inverse = T(1) / std::sqrt(moments.variance + m_epsilon);
        if (means != nullptr) means[unit] = moments.mean;
        if (inverses != nullptr) inverses[unit] = inverse;
        if (dense && bias != nullptr) {
          for (int64_t i = 0; i < count; ++i) to[i] = (from[i] - moments.mean) * inverse * scale[i] + bias[i];
        } else if (dense) {
          for (int64_t i = 0; i < count; ++i) to[i] = (from[i] - moments.mean) * inverse * scale[i];
        } else {
          for (int64_t i = 0; i < count; ++i) {
            const int64_t flat = unit * count + i;
            to[i] = (from[i] - moments.mean) * inverse * scale[place(dims, scaleSteps, flat)] + (bias != nullptr ? bias[place(dims, biasSteps, flat)] : T(0));
          }
        }
      }
    });
    return {};
  }

 private:
  static Moments<T> meanSquare(const T* values, int64_t count) {
    Moments<T> moments;
    if (count > 0) moments.variance = static_cast<T>(sumInLanes<T>(count, [&](int64_t i) { return values[i] * values[i]; }) / static_cast<double>(count));
    return moments;
  }

  static int64_t place(std::span<const int64_t> dims, const Broadcast& steps, int64_t flat) {
    int64_t offset = 0;
    for (size_t axis = dims.size(); axis-- > 0;) {
      offset += flat % dims[axis] * steps.stride[axis];
      flat /= dims[axis];
    }
    return offset;
  }

  Result<void> statisticsOutput(KernelContext& context, size_t slot, std::span<const int64_t> dims, size_t axis, T*& values) const {
    if (slot >= context.outputCount() || !context.hasOutput(slot)) return {};
    std::array<int64_t, kMaxRank> reduced{};
    for (size_t i = 0; i < dims.size(); ++i) reduced[i] = i < axis ? dims[i] : 1;
    CUTAWAY_TRY(Tensor * tensor, context.output(slot, ElementTypeOf<T>::value, std::span<const int64_t>(reduced.data(), dims.size())));
    values = tensor->span<T>().data();
    return {};
  }

  int64_t m_axis;
  T m_epsilon;
  bool m_centered;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createLayerNormalization(const KernelInfo& info) {
  const bool centered = info.node().opType == "LayerNormalization";
  // Statistics are of type float whatever the input is; with double data they would need another kernel.
  if (std::is_same_v<T, double> && (info.hasOutput(1) || info.hasOutput(2))) return fail(ErrorCode::kNotImplemented, "LayerNormalization of double with Mean or InvStdDev");
  return std::make_unique<LayerNormalization<T>>(info.attribute<int64_t>("axis", -1), info.attribute<float>("epsilon", 1e-5f), centered);
}

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};

constexpr KernelRow kRows[] = {
    {.opType = "LayerNormalization", .versions = {1}, .types = kFloatInput, .inplace = kInplace, .create = createLayerNormalization<float>},
    {.opType = "LayerNormalization", .versions = {1}, .types = kDoubleInput, .inplace = kInplace, .create = createLayerNormalization<double>},
    {.opType = "LayerNormalization", .versions = {1}, .types = kHalfInput, .create = createThroughFloat<createLayerNormalization<float>>},
    {.opType = "RMSNormalization", .versions = {23}, .types = kFloatInput, .inplace = kInplace, .create = createLayerNormalization<float>},
    {.opType = "RMSNormalization", .versions = {23}, .types = kDoubleInput, .inplace = kInplace, .create = createLayerNormalization<double>},
    {.opType = "RMSNormalization", .versions = {23}, .types = kHalfInput, .create = createThroughFloat<createLayerNormalization<float>>},
};

}  // namespace

KernelRows kernel_layer_normalization() { return kRows; }

}  // namespace cutaway
