// QuantizeLinear and DequantizeLinear: per tensor, per axis and in blocks.
//
// Quantised: saturate(round(x / scale) + zeroPoint), ties to even; the quotient has the precision the operator asks
// for. Dequantised: (x - zeroPoint) * scale.

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/quantize/integer_vector.h"
#include "providers/cpu/kernels/quantize/quantized_run.h"
#include "providers/cpu/kernels/quantize/scale_layout.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kGrainElements = 1 << 14;

struct LinearInputs {
  const Tensor* x;
  const Tensor* scale;
  const Tensor* zeroPoint;  // may be nullptr
  ScaleLayout layout;
};

Result<LinearInputs> readInputs(const KernelContext& context, const operators::QuantizeLinearSettings& settings) {
  LinearInputs inputs{};
  CUTAWAY_TRY(inputs.x, requireTensor(context, 0));
  CUTAWAY_TRY(inputs.scale, requireTensor(context, 1));
  inputs.zeroPoint = optionalTensor(context, 2);
  CUTAWAY_TRY(static_cast<operators::ScaleBlocks&>(inputs.layout),
              operators::scaleBlocks(inputs.x->dims(), inputs.scale->dims(), settings.axis, settings.blockSize));
  if (inputs.zeroPoint != nullptr) CUTAWAY_CHECK(operators::checkZeroPointCount(*inputs.zeroPoint, *inputs.scale));
  return inputs;
}

bool isLoadable(ElementType type) {
  float value = 0;
  const double zeros[2] = {};
  return loadRun(type, zeros, 0, 1, &value);
}

// One chunk of at most kQuantRun elements: its scales and zero points, as long as the chunk (step 1) or one each
// (step 0).
struct Chunk {
  int64_t first, count;
  int64_t step;
  float scales[kQuantRun];
  float zeroPoints[kQuantRun];
};

// Walks all chunks, split over threads where `parallel`.
template <typename Visit>
void forEachChunk(const LinearInputs& inputs, bool parallel, Visit&& visit) {
  const ScaleLayout& layout = inputs.layout;
  const auto walk = [&](const ScaleRun& run, int64_t begin, int64_t end) {
    Chunk chunk;
    chunk.step = run.scaleStep;
    for (int64_t at = begin; at < end; at += kQuantRun) {
      chunk.first = run.first + at;
      chunk.count = std::min(kQuantRun, end - at);
      const int64_t place = run.scale + at * run.scaleStep;
      const int64_t wanted = run.scaleStep == 0 ? 1 : chunk.count;
      loadRun(inputs.scale->type(), inputs.scale->data(), place, wanted, chunk.scales);
      if (inputs.zeroPoint != nullptr)
        loadRun(inputs.zeroPoint->type(), inputs.zeroPoint->data(), place, wanted, chunk.zeroPoints);
      else
        std::fill_n(chunk.zeroPoints, wanted, 0.0f);
      visit(chunk);
    }
  };
  if (!parallel) {
    layout.forRuns(0, layout.rows(), [&](const ScaleRun& run) { walk(run, 0, run.count); });
  } else if (layout.rows() == 1) {
    layout.forRuns(0, 1, [&](const ScaleRun& run) {
      parallelFor(run.count, kGrainElements, [&](int64_t begin, int64_t end) { walk(run, begin, end); });
    });
  } else {
    const int64_t rowElements = std::max<int64_t>(1, layout.outer * layout.length * layout.inner / layout.rows());
    parallelFor(layout.rows(), std::max<int64_t>(1, kGrainElements / rowElements), [&](int64_t begin, int64_t end) {
      layout.forRuns(begin, end, [&](const ScaleRun& run) { walk(run, 0, run.count); });
    });
  }
}

// Whether the vector loops know these elements.
bool isByteOrShort(ElementType type) {
  return type == ElementType::kUint8 || type == ElementType::kInt8 || type == ElementType::kUint16 ||
         type == ElementType::kInt16;
}

cpu::LinearRun linearRun(const Chunk& chunk) {
  return {chunk.count, chunk.scales, chunk.zeroPoints, chunk.step};
}

void quantizeVector(ElementType type, const float* x, const Chunk& chunk, void* to) {
  const cpu::IntegerLoops& loops = cpu::integerLoops();
  switch (type) {
    case ElementType::kUint8:
      loops.quantizeU8(x + chunk.first, linearRun(chunk), static_cast<uint8_t*>(to) + chunk.first);
      return;
    case ElementType::kInt8:
      loops.quantizeS8(x + chunk.first, linearRun(chunk), static_cast<int8_t*>(to) + chunk.first);
      return;
    case ElementType::kUint16:
      loops.quantizeU16(x + chunk.first, linearRun(chunk), static_cast<uint16_t*>(to) + chunk.first);
      return;
    default:
      loops.quantizeS16(x + chunk.first, linearRun(chunk), static_cast<int16_t*>(to) + chunk.first);
  }
}

void dequantizeVector(ElementType type, const void* x, const Chunk& chunk, float* to) {
  const cpu::IntegerLoops& loops = cpu::integerLoops();
  switch (type) {
    case ElementType::kUint8:
      loops.dequantizeU8(static_cast<const uint8_t*>(x) + chunk.first, linearRun(chunk), to + chunk.first);
      return;
    case ElementType::kInt8:
      loops.dequantizeS8(static_cast<const int8_t*>(x) + chunk.first, linearRun(chunk), to + chunk.first);
      return;
    case ElementType::kUint16:
      loops.dequantizeU16(static_cast<const uint16_t*>(x) + chunk.first, linearRun(chunk), to + chunk.first);
      return;
    default:
      loops.dequantizeS16(static_cast<const int16_t*>(x) + chunk.first, linearRun(chunk), to + chunk.first);
  }
}

class QuantizeLinearKernel final : public Kernel {
 public:
  explicit QuantizeLinearKernel(const KernelInfo& info) : m_settings(operators::readQuantizeLinear(info.node())) {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const LinearInputs inputs, readInputs(context, m_settings));
    CUTAWAY_TRY(const ElementType type,
                operators::quantizedType(
                    m_settings, inputs.zeroPoint != nullptr ? inputs.zeroPoint->type() : ElementType::kUndefined));
    const bool integers = isQuantInteger(type);
    if (!isLoadable(inputs.x->type()) || !isLoadable(inputs.scale->type()) || !isLoadable(type)) {
      return fail(ErrorCode::kNotImplemented, "QuantizeLinear from {} to {} is not covered",
                  elementTypeName(inputs.x->type()), elementTypeName(type));
    }
    CUTAWAY_TRY(Tensor * output, context.output(0, type, inputs.x->dims()));
    if (output->elementCount() == 0) return {};
    const ElementType precision =
        m_settings.precision != ElementType::kUndefined ? m_settings.precision : quotientType(*inputs.x, *inputs.scale);
    const QuantRange range = quantRange(type);
    // fp8 zero points are zero by definition; fp4 ones are added without rounding in between.
    const bool addsZeroPoint = integers || type == ElementType::kFloat4E2M1;
    const bool vector =
        inputs.x->type() == ElementType::kFloat && precision == ElementType::kFloat && isByteOrShort(type);
    forEachChunk(inputs, !isSubByte(type), [&](Chunk& chunk) {
      if (vector) {
        quantizeVector(type, inputs.x->span<float>().data(), chunk, output->mutableData());
        return;
      }
      float values[kQuantRun];
      loadRun(inputs.x->type(), inputs.x->data(), chunk.first, chunk.count, values);
      divide(chunk, values);
      if (precision == ElementType::kFloat16 || precision == ElementType::kBfloat16)
        roundTo(precision, values, chunk.count);
      if (integers) {
        round(chunk, range, values);
      } else if (addsZeroPoint) {
        for (int64_t i = 0; i < chunk.count; ++i)
          values[i] += chunk.zeroPoints[i * chunk.step];
      }
      storeRun(type, values, output->mutableData(), chunk.first, chunk.count, m_settings.saturate);
    });
    return {};
  }

 private:
  // The quotient has the scale's precision; a scale that is a power of two only takes x's.
  static ElementType quotientType(const Tensor& x, const Tensor& scale) {
    return scale.type() == ElementType::kFloat8E8M0 ? x.type() : scale.type();
  }

  static void divide(const Chunk& chunk, float* values) {
    if (chunk.step == 0) {
      const float scale = chunk.scales[0];
      for (int64_t i = 0; i < chunk.count; ++i)
        values[i] /= scale;
    } else {
      for (int64_t i = 0; i < chunk.count; ++i)
        values[i] /= chunk.scales[i];
    }
  }

  static void roundTo(ElementType type, float* values, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      values[i] = type == ElementType::kFloat16 ? Float16::fromFloat(values[i]).toFloat()
                                                : Bfloat16::fromFloat(values[i]).toFloat();
    }
  }

  static void round(const Chunk& chunk, const QuantRange& range, float* values) {
    if (chunk.step == 0) {
      const float zeroPoint = chunk.zeroPoints[0];
      for (int64_t i = 0; i < chunk.count; ++i)
        values[i] = requantize(values[i], zeroPoint, range);
    } else {
      for (int64_t i = 0; i < chunk.count; ++i)
        values[i] = requantize(values[i], chunk.zeroPoints[i], range);
    }
  }

  operators::QuantizeLinearSettings m_settings;
};

class DequantizeLinearKernel final : public Kernel {
 public:
  explicit DequantizeLinearKernel(const KernelInfo& info) : m_settings(operators::readQuantizeLinear(info.node())) {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(LinearInputs inputs, readInputs(context, m_settings));
    const ElementType type =
        m_settings.outputType == ElementType::kUndefined ? inputs.scale->type() : m_settings.outputType;
    if (!isLoadable(inputs.x->type()) || !isLoadable(inputs.scale->type()) || !isLoadable(type)) {
      return fail(ErrorCode::kNotImplemented, "DequantizeLinear from {} to {} is not covered",
                  elementTypeName(inputs.x->type()), elementTypeName(type));
    }
    if (inputs.zeroPoint != nullptr)
      CUTAWAY_CHECK(operators::checkDequantizedZeroPoint(inputs.x->type(), inputs.zeroPoint->type()));
    CUTAWAY_TRY(Tensor * output, context.output(0, type, inputs.x->dims()));
    if (output->elementCount() == 0) return {};
    const bool direct = type == ElementType::kFloat;
    const bool wide = inputs.x->type() == ElementType::kInt32 && inputs.zeroPoint != nullptr;
    const bool vector = direct && isByteOrShort(inputs.x->type());
    forEachChunk(inputs, !isSubByte(type), [&](Chunk& chunk) {
      if (vector) {
        dequantizeVector(inputs.x->type(), inputs.x->data(), chunk, output->span<float>().data());
        return;
      }
      float memory[kQuantRun];
      float* values = direct ? output->span<float>().data() + chunk.first : memory;
      loadRun(inputs.x->type(), inputs.x->data(), chunk.first, chunk.count, values);
      if (wide) subtractExactly(inputs, chunk, values);
      scale(chunk, wide, values);
      if (!direct) storeRun(type, values, output->mutableData(), chunk.first, chunk.count, true);
    });
    return {};
  }

 private:
  // 32-bit differences with one zero point are taken in integers: floats would round both sides first.
  static void subtractExactly(const LinearInputs& inputs, const Chunk& chunk, float* values) {
    const int32_t* x = inputs.x->span<int32_t>().data() + chunk.first;
    const std::span<const int32_t> zeroPoints = inputs.zeroPoint->span<int32_t>();
    if (zeroPoints.size() == 1) {
      for (int64_t i = 0; i < chunk.count; ++i)
        values[i] = static_cast<float>(static_cast<int64_t>(x[i]) - zeroPoints[0]);
    } else {
      for (int64_t i = 0; i < chunk.count; ++i)
        values[i] -= chunk.zeroPoints[i * chunk.step];
    }
  }

  static void scale(const Chunk& chunk, bool subtracted, float* values) {
    if (chunk.step == 0) {
      const float zeroPoint = subtracted ? 0.0f : chunk.zeroPoints[0];
      const float factor = chunk.scales[0];
      for (int64_t i = 0; i < chunk.count; ++i)
        values[i] = (values[i] - zeroPoint) * factor;
    } else {
      for (int64_t i = 0; i < chunk.count; ++i)
        values[i] = (values[i] - (subtracted ? 0.0f : chunk.zeroPoints[i])) * chunk.scales[i];
    }
  }

  operators::QuantizeLinearSettings m_settings;
};

constexpr KernelRow kRows[] = {
    {.opType = "QuantizeLinear", .versions = {10}, .fastPath = "highway", .create = makeKernel<QuantizeLinearKernel>},
    {.opType = "DequantizeLinear",
     .versions = {10},
     .fastPath = "highway",
     .create = makeKernel<DequantizeLinearKernel>},
    {.opType = "QuantizeLinear",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "highway",
     .create = makeKernel<QuantizeLinearKernel>},
    {.opType = "DequantizeLinear",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "highway",
     .create = makeKernel<DequantizeLinearKernel>},
};

}  // namespace

KernelRows kernel_quantize_linear() {
  return kRows;
}

}  // namespace cutaway::cpu
