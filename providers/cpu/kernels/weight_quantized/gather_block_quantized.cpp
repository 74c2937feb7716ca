// com.microsoft GatherBlockQuantized: Gather over numbers stored in few bits, in blocks along one axis that share a
// scale and a zero point; the result is made float.
//
// uint8 data holds 2-, 4- or 8-bit numbers, several a byte along the last axis. fp8 and fp4 data have no zero points,
// and their scales may be 1 on other axes. An index out of range gives zeros.

#include "engine/base/parallel.h"
#include "engine/operators/packed_weights.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kPiece = 256;

using operators::isNarrowFloat;
using Geometry = operators::GatherBlockLayout;
using Settings = operators::GatherBlockSettings;

// Numbers [begin, begin + count) of packed data as floats.
void readNumbers(const Tensor& data, int bits, int64_t begin, int64_t count, float* to) {
  const auto* bytes = static_cast<const uint8_t*>(data.data());
  const int64_t perByte = 8 / bits;
  const unsigned mask = (1u << bits) - 1;
  const ElementType type = data.type();
  int64_t i = 0;
  if (bits == 4 && begin % 2 == 0 && !isNarrowFloat(type)) {
    // Whole bytes, two numbers each: flipping the sign bit and taking 8 away is the sign.
    const unsigned flip = type == ElementType::kInt4 ? 8 : 0;
    for (const uint8_t* next = bytes + begin / 2; i + 2 <= count; i += 2, ++next) {
      to[i] = static_cast<float>(static_cast<int>((*next & 15u) ^ flip) - static_cast<int>(flip));
      to[i + 1] = static_cast<float>(static_cast<int>((*next >> 4) ^ flip) - static_cast<int>(flip));
    }
  }
  for (; i < count; ++i) {
    const int64_t at = begin + i;
    const unsigned number = bytes[at / perByte] >> (at % perByte * bits) & mask;
    if (type == ElementType::kInt4) {
      to[i] = static_cast<float>(static_cast<int>(number ^ 8u) - 8);
    } else {
      to[i] = isNarrowFloat(type) ? narrowToFloat(type, static_cast<uint8_t>(number)) : static_cast<float>(number);
    }
  }
}

template <typename T>
class GatherBlockQuantized final : public Kernel {
 public:
  explicit GatherBlockQuantized(const Settings& settings) : m_settings(settings) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &data = *context.input(0), &indices = *context.input(1), &scales = *context.input(2);
    const Tensor* zeros = context.inputCount() > 3 ? context.input(3) : nullptr;
    CUTAWAY_TRY(const Geometry at, operators::gatherBlockLayout(m_settings, data, indices.dims(), scales.dims(),
                                                                zeros != nullptr ? &zeros->dims() : nullptr));
    CUTAWAY_TRY(Tensor * y, context.output(0, scales.type(), at.outputDims));
    const int64_t picks = indices.elementCount(), runs = at.inner > 0 ? y->elementCount() / at.inner : 0,
                  size = at.dims[at.gatherAxis];
    T* target = y->span<T>().data();
    parallelFor(runs, std::max<int64_t>(1, 4096 / std::max<int64_t>(at.inner, 1)), [&](int64_t begin, int64_t end) {
      for (int64_t run = begin; run < end; ++run) {
        const int64_t pick = run % picks, outer = run / picks;
        int64_t index = indices.type() == ElementType::kInt64 ? indices.span<int64_t>()[static_cast<size_t>(pick)]
                                                              : indices.span<int32_t>()[static_cast<size_t>(pick)];
        if (index < 0) index += size;
        if (index < 0 || index >= size) {
          std::fill_n(target + run * at.inner, at.inner, T{});
        } else {
          expand(at, data, scales, zeros, (outer * size + index) * at.inner, target + run * at.inner);
        }
      }
    });
    return {};
  }

 private:
  // Numbers from `first` on, at.inner of them: whole rows along the last axis, or a single number when the last axis is
  // the gathered one.
  void expand(const Geometry& at, const Tensor& data, const Tensor& scales, const Tensor* zeros, int64_t first,
              T* to) const {
    const size_t last = at.rank - 1;
    const int64_t length = at.dims[last];
    const T* scale = scales.span<T>().data();
    const float usual = data.type() == ElementType::kUint8 ? static_cast<float>(1 << (at.bits - 1)) : 0.0f;
    const int64_t step = last == at.quantizeAxis ? at.blockSize : 1;
    float numbers[kPiece];
    for (int64_t done = 0; done < at.inner;) {
      const int64_t position = first + done, column = position % length,
                    count = std::min({kPiece, length - column, at.inner - done});
      int64_t scaleBase = 0, zeroBase = 0, row = position / length;
      for (size_t axis = last; axis-- > 0;) {
        const int64_t place = row % at.dims[axis] / (axis == at.quantizeAxis ? at.blockSize : 1);
        row /= at.dims[axis];
        scaleBase += place * at.scaleStride[axis];
        zeroBase += place * at.zeroStride[axis];
      }
      readNumbers(data, at.bits, position, count, numbers);
      for (int64_t i = 0; i < count;) {
        const int64_t place = (column + i) / step,
                      end = std::min(count, (place + 1) * step - column);  // one scale's numbers
        float zero = usual;
        if (zeros != nullptr) readNumbers(*zeros, at.bits, zeroBase + place, 1, &zero);
        const float factor = cpu::widen(scale[scaleBase + place * at.scaleStride[last]]);
        for (; i < end; ++i)
          to[done + i] = cpu::narrow<T>((numbers[i] - zero) * factor);
      }
      done += count;
    }
  }

  Settings m_settings;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const Settings settings, operators::readGatherBlockQuantized(info.graph(), info.node()));
  const ElementType scales = info.inputElement(2);
  if (scales == ElementType::kFloat) return std::make_unique<GatherBlockQuantized<float>>(settings);
  if (scales == ElementType::kFloat16) return std::make_unique<GatherBlockQuantized<Float16>>(settings);
  return std::make_unique<GatherBlockQuantized<Bfloat16>>(settings);
}

constexpr ElementType kData[] = {ElementType::kInt4,           ElementType::kUint4,          ElementType::kUint8,
                                 ElementType::kFloat8E4M3FN,   ElementType::kFloat8E4M3FNUZ, ElementType::kFloat8E5M2,
                                 ElementType::kFloat8E5M2FNUZ, ElementType::kFloat4E2M1};
constexpr ElementType kIndices[] = {ElementType::kInt32, ElementType::kInt64};
constexpr ElementType kScales[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16};
constexpr TypeRule kRules[] = {{0, kData}, {1, kIndices}, {2, kScales}};

constexpr KernelRow kRows[] = {
    {.opType = "GatherBlockQuantized",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kRules,
     .fastPath = "threads",
     .create = create},
};

}  // namespace

KernelRows kernel_gather_block_quantized() {
  return kRows;
}

}  // namespace cutaway::cpu
