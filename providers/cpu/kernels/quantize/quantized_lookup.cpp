// com.microsoft QLinearSigmoid, QLinearLeakyRelu and QLinearSoftmax: functions of single bytes, tabled once a run.

#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/quantize/integer_vector.h"
#include "providers/cpu/kernels/quantize/linear_parameters.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kGrainElements = 1 << 14;

class QuantizedUnary final : public Kernel {
 public:
  explicit QuantizedUnary(const KernelInfo& info)
      : m_name(info.node().opType == "QLinearSigmoid" ? "QLinearSigmoid" : "QLinearLeakyRelu"),
        m_isSigmoid(info.node().opType == "QLinearSigmoid"),
        m_alpha(info.attribute<float>("alpha", 0.01f)) {}
  std::string_view variant() const override { return "lookup"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireBytes(context, m_name, 0));
    CUTAWAY_TRY(const LinearParameters from, readLinear(context, m_name, 1, 2, x->type()));
    CUTAWAY_TRY(const LinearParameters to, readLinear(context, m_name, 3, 4, x->type()));
    CUTAWAY_TRY(Tensor * y, context.output(0, x->type(), x->dims()));
    ByteTable table;
    for (size_t byte = 0; byte < table.size(); ++byte)
      table[byte] = to.fromFloat(apply(from.toFloat(static_cast<uint8_t>(byte))));
    const uint8_t* in = static_cast<const uint8_t*>(x->data());
    uint8_t* out = static_cast<uint8_t*>(y->mutableData());
    parallelFor(x->elementCount(), kGrainElements,
                [&](int64_t begin, int64_t end) { applyTable(table, in + begin, out + begin, end - begin); });
    return {};
  }

 private:
  float apply(float x) const { return m_isSigmoid ? 1.0f / (1.0f + std::exp(-x)) : x < 0 ? m_alpha * x : x; }

  std::string_view m_name;
  bool m_isSigmoid;
  float m_alpha;
};

// Rows of [outer, length, inner]: before opset 13 the axes from `axis` on are one row, since then `axis` alone is.
class QuantizedSoftmax final : public Kernel {
 public:
  explicit QuantizedSoftmax(const KernelInfo& info)
      : m_axis(info.attribute<int64_t>("axis", -1)), m_flattens(info.attribute<int64_t>("opset", 13) < 13) {}
  std::string_view variant() const override { return "lookup"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireBytes(context, "QLinearSoftmax", 0));
    CUTAWAY_TRY(const LinearParameters from, readLinear(context, "QLinearSoftmax", 1, 2, x->type()));
    CUTAWAY_TRY(const LinearParameters to, readLinear(context, "QLinearSoftmax", 3, 4, x->type()));
    CUTAWAY_TRY(const int64_t axis, resolveAxis(m_axis, x->rank()));
    CUTAWAY_TRY(Tensor * y, context.output(0, x->type(), x->dims()));
    if (x->elementCount() == 0) return {};
    const size_t at = static_cast<size_t>(axis);
    const int64_t outer = productOf(x->dims(), 0, at);
    const int64_t inner = m_flattens ? 1 : productOf(x->dims(), at + 1, x->rank());
    const int64_t length = x->elementCount() / (outer * inner);
    // e^(-d * scale) for every distance d from the largest element.
    std::array<float, 256> powers;
    for (size_t d = 0; d < powers.size(); ++d)
      powers[d] = std::exp(-static_cast<float>(d) * from.scale);
    const uint8_t flip = from.isSigned ? 0x80 : 0;  // bytes then grow with their values
    const uint8_t* in = static_cast<const uint8_t*>(x->data());
    uint8_t* out = static_cast<uint8_t*>(y->mutableData());
    parallelFor(outer * inner, std::max<int64_t>(1, kGrainElements / length), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t first = row / inner * length * inner + row % inner;
        softmaxRow(in + first, out + first, length, inner, flip, powers, to);
      }
    });
    return {};
  }

 private:
  static void softmaxRow(const uint8_t* in, uint8_t* out, int64_t length, int64_t step, uint8_t flip,
                         const std::array<float, 256>& powers, const LinearParameters& to) {
    uint8_t largest = 0;
    for (int64_t i = 0; i < length; ++i)
      largest = std::max<uint8_t>(largest, in[i * step] ^ flip);
    double sum = 0;
    for (int64_t first = 0; first < length; first += kPartialSum) {
      float part = 0;
      for (int64_t i = first; i < std::min(length, first + kPartialSum); ++i)
        part += powers[static_cast<size_t>(largest - (in[i * step] ^ flip))];
      sum += part;
    }
    const float divisor = static_cast<float>(sum);
    if (step == 1) {
      finishRow(in, out, length, flip, largest, powers, divisor * to.scale, to);
      return;
    }
    for (int64_t i = 0; i < length; ++i)
      out[i * step] = to.fromFloat(powers[static_cast<size_t>(largest - (in[i * step] ^ flip))] / divisor);
  }

  static void finishRow(const uint8_t* in, uint8_t* out, int64_t length, uint8_t flip, uint8_t largest,
                        const std::array<float, 256>& powers, float scale, const LinearParameters& to) {
    float values[kQuantRun];
    const float zero = static_cast<float>(to.zero);
    for (int64_t first = 0; first < length; first += kQuantRun) {
      const int64_t count = std::min(kQuantRun, length - first);
      for (int64_t i = 0; i < count; ++i)
        values[i] = powers[static_cast<size_t>(largest - (in[first + i] ^ flip))];
      const cpu::LinearRun run{count, &scale, &zero, 0};
      if (to.isSigned)
        cpu::integerLoops().quantizeS8(values, run, reinterpret_cast<int8_t*>(out + first));
      else
        cpu::integerLoops().quantizeU8(values, run, out + first);
    }
  }

  static constexpr int64_t kPartialSum = 64;
  int64_t m_axis;
  bool m_flattens;
};

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0}};

constexpr KernelRow kRows[] = {
    {.opType = "QLinearSigmoid",
     .domain = "com.microsoft",
     .versions = {1},
     .inplace = kInplace,
     .fastPath = "lookup",
     .create = makeKernel<QuantizedUnary>},
    {.opType = "QLinearLeakyRelu",
     .domain = "com.microsoft",
     .versions = {1},
     .inplace = kInplace,
     .fastPath = "lookup",
     .create = makeKernel<QuantizedUnary>},
    {.opType = "QLinearSoftmax",
     .domain = "com.microsoft",
     .versions = {1},
     .inplace = kInplace,
     .fastPath = "lookup",
     .create = makeKernel<QuantizedSoftmax>},
};

}  // namespace

KernelRows kernel_quantized_lookup() {
  return kRows;
}

}  // namespace cutaway::cpu
