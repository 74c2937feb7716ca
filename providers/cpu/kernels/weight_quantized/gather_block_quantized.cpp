// com.microsoft GatherBlockQuantized: Gather over numbers stored in few bits, in blocks along one axis that share a
// scale and a zero point; the result is made float.
//
// uint8 data holds 2-, 4- or 8-bit numbers, several a byte along the last axis. fp8 and fp4 data have no zero points,
// and their scales may be 1 on other axes. An index out of range gives zeros.

#include <array>
#include <bit>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway {
namespace {

constexpr size_t kMaxRank = 8;
constexpr int64_t kPiece = 256;

struct Attributes {
  int64_t bits = 4, blockSize = 128, quantizeAxis = 1, gatherAxis = 0;
};

bool isNarrowFloat(ElementType type) {
  return isFloating(type) && bitsOf(type) <= 8;
}

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

// The tensors of one run and the steps through scales and zero points.
struct Geometry {
  size_t rank = 0, quantizeAxis = 0, gatherAxis = 0;
  int bits = 4;
  int64_t blockSize = 0;
  std::array<int64_t, kMaxRank> dims{}, scaleDims{}, scaleStride{},
      zeroStride{};   // dims in numbers; strides 0 where the scale is shared
  int64_t inner = 1;  // numbers behind the gathered axis
};

template <typename T>
class GatherBlockQuantized final : public Kernel {
 public:
  explicit GatherBlockQuantized(Attributes attributes) : m_attributes(attributes) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &data = *context.input(0), &indices = *context.input(1), &scales = *context.input(2);
    const Tensor* zeros = context.inputCount() > 3 ? context.input(3) : nullptr;
    CUTAWAY_TRY(const Geometry at, geometry(data, scales, zeros));
    std::array<int64_t, 2 * kMaxRank> result{};
    size_t rank = 0;
    if (indices.rank() > kMaxRank)
      return fail(ErrorCode::kNotImplemented, "GatherBlockQuantized: indices of rank {}", indices.rank());
    for (size_t axis = 0; axis < at.gatherAxis; ++axis)
      result[rank++] = at.dims[axis];
    for (const int64_t dim : indices.dims())
      result[rank++] = dim;
    for (size_t axis = at.gatherAxis + 1; axis < at.rank; ++axis)
      result[rank++] = at.dims[axis];
    CUTAWAY_TRY(Tensor * y, context.output(0, scales.type(), std::span<const int64_t>(result.data(), rank)));
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
  Result<Geometry> geometry(const Tensor& data, const Tensor& scales, const Tensor* zeros) const {
    Geometry at;
    at.rank = data.rank();
    const int64_t rank = static_cast<int64_t>(at.rank), quantize = m_attributes.quantizeAxis < 0
                                                                       ? m_attributes.quantizeAxis + rank
                                                                       : m_attributes.quantizeAxis;
    const int64_t gather = m_attributes.gatherAxis < 0 ? m_attributes.gatherAxis + rank : m_attributes.gatherAxis;
    if (at.rank < 1 || at.rank > kMaxRank || quantize < 0 || quantize >= rank || gather < 0 || gather >= rank) {
      return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: quantize_axis {} and gather_axis {} of {}",
                  m_attributes.quantizeAxis, m_attributes.gatherAxis, dimsToText(data.dims()));
    }
    const bool bytes = data.type() == ElementType::kUint8;
    at.quantizeAxis = static_cast<size_t>(quantize);
    at.gatherAxis = static_cast<size_t>(gather);
    at.bits = bytes ? static_cast<int>(m_attributes.bits) : bitsOf(data.type());
    if (bytes && (gather != 0 || (at.bits < 8 && gather == quantize)))
      return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: gather_axis {}, quantize_axis {} of packed bytes",
                  gather, quantize);
    for (size_t axis = 0; axis < at.rank; ++axis)
      at.dims[axis] = data.dims()[axis] * (bytes && axis + 1 == at.rank ? 8 / at.bits : 1);
    at.blockSize =
        m_attributes.blockSize == 0 ? std::max<int64_t>(at.dims[at.quantizeAxis], 1) : m_attributes.blockSize;
    CUTAWAY_CHECK(scaleSteps(at, data, scales, zeros));
    for (size_t axis = at.gatherAxis + 1; axis < at.rank; ++axis)
      at.inner *= at.dims[axis];
    return at;
  }

  static Result<void> scaleSteps(Geometry& at, const Tensor& data, const Tensor& scales, const Tensor* zeros) {
    if (scales.rank() != at.rank)
      return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: scales are {}, the data {}",
                  dimsToText(scales.dims()), dimsToText(data.dims()));
    const int64_t perByte = data.type() == ElementType::kUint8 ? 8 / at.bits : 1;
    int64_t scaleStride = 1, zeroStride = 1;
    for (size_t axis = at.rank; axis-- > 0;) {
      const int64_t wanted =
                        axis == at.quantizeAxis ? (at.dims[axis] + at.blockSize - 1) / at.blockSize : at.dims[axis],
                    given = scales.dims()[axis];
      const bool shared = given == 1 && wanted != 1 && axis != at.quantizeAxis && isNarrowFloat(data.type());
      if (given != wanted && !shared)
        return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: scales are {}, axis {} should be {}",
                    dimsToText(scales.dims()), axis, wanted);
      at.scaleDims[axis] = given;
      at.scaleStride[axis] = shared ? 0 : scaleStride;
      at.zeroStride[axis] = zeroStride;
      const int64_t stored = axis + 1 == at.rank ? (given + perByte - 1) / perByte : given;
      if (zeros != nullptr && (zeros->rank() != at.rank || zeros->dims()[axis] != stored))
        return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: zero_points are {}, axis {} should be {}",
                    dimsToText(zeros->dims()), axis, stored);
      scaleStride *= given;
      zeroStride *= axis + 1 == at.rank ? stored * perByte : given;
    }
    return {};
  }

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

  Attributes m_attributes;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const Attributes attributes{.bits = info.attribute<int64_t>("bits", 4),
                              .blockSize = info.attribute<int64_t>("block_size", 128),
                              .quantizeAxis = info.attribute<int64_t>("quantize_axis", 1),
                              .gatherAxis = info.attribute<int64_t>("gather_axis", 0)};
  const ElementType data = info.inputElement(0), scales = info.inputElement(2);
  if (data == ElementType::kUint8 && attributes.bits != 2 && attributes.bits != 4 && attributes.bits != 8)
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: bits is {}, not 2, 4 or 8", attributes.bits);
  const bool whole = attributes.blockSize == 0 && isNarrowFloat(data);
  if (!whole && (attributes.blockSize < 16 || !std::has_single_bit(static_cast<uint64_t>(attributes.blockSize)))) {
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: block_size is {}, not a power of two from 16 on",
                attributes.blockSize);
  }
  if (info.hasInput(3) && isNarrowFloat(data))
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: {} data has no zero points", elementTypeName(data));
  if (info.hasInput(3) && info.inputElement(3) != data)
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: zero_points are {}, the data {}",
                elementTypeName(info.inputElement(3)), elementTypeName(data));
  if (scales == ElementType::kFloat) return std::make_unique<GatherBlockQuantized<float>>(attributes);
  if (scales == ElementType::kFloat16) return std::make_unique<GatherBlockQuantized<Float16>>(attributes);
  return std::make_unique<GatherBlockQuantized<Bfloat16>>(attributes);
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

}  // namespace cutaway
