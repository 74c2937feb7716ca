#include "engine/operators/packed_weights.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace cutaway::operators {
namespace {

constexpr int64_t kMostRows = int64_t{1} << 31;
constexpr int64_t kMostBlock = int64_t{1} << 20;

// The 4-bit float of bitsandbytes, divided by its largest value; and the quantiles of the normal distribution (QLoRA,
// arXiv 2305.14314, appendix E).
constexpr std::array<float, 16> kFp4 = {
    0.0f,  5.208333333e-03f,  0.66666667f,  1.0f,  0.33333333f,  0.5f,  0.16666667f,  0.25f,
    -0.0f, -5.208333333e-03f, -0.66666667f, -1.0f, -0.33333333f, -0.5f, -0.16666667f, -0.25f};
constexpr std::array<float, 16> kNf4 = {-1.0f,
                                        -0.6961928009986877f,
                                        -0.5250730514526367f,
                                        -0.39491748809814453f,
                                        -0.28444138169288635f,
                                        -0.18477343022823334f,
                                        -0.09105003625154495f,
                                        0.0f,
                                        0.07958029955625534f,
                                        0.16093020141124725f,
                                        0.24611230194568634f,
                                        0.33791524171829224f,
                                        0.44070982933044434f,
                                        0.5626170039176941f,
                                        0.7229568362236023f,
                                        1.0f};

bool given(const Node& node, size_t slot) {
  return slot < node.inputs.size() && node.inputs[slot].valid();
}

Result<void> checkSize(std::string_view op, int64_t n, int64_t k) {
  if (n < 1 || k < 1 || n >= kMostRows || k >= kMostRows)
    return fail(ErrorCode::kInvalidArgument, "{}: N is {}, K is {}", op, n, k);
  return {};
}

Result<void> checkBlockSize(std::string_view op, int64_t size, int64_t most) {
  if (size < 16 || size > most || !std::has_single_bit(static_cast<uint64_t>(size)))
    return fail(ErrorCode::kInvalidArgument, "{}: block_size is {}, not a power of two from 16 on", op, size);
  return {};
}

}  // namespace

Result<NbitsWeights> readNbits(const Node& node) {
  const NbitsWeights weights{.n = node.attributeOr<int64_t>("N", 0),
                             .k = node.attributeOr<int64_t>("K", 0),
                             .blockSize = node.attributeOr<int64_t>("block_size", 0),
                             .bits = static_cast<int>(node.attributeOr<int64_t>("bits", 4))};
  CUTAWAY_CHECK(checkSize("MatMulNBits", weights.n, weights.k));
  if (weights.bits != 2 && weights.bits != 4 && weights.bits != 8)
    return fail(ErrorCode::kNotImplemented, "MatMulNBits of {} bits; 2, 4 and 8 are known", weights.bits);
  CUTAWAY_CHECK(checkBlockSize("MatMulNBits", weights.blockSize, kMostBlock));
  if (node.attributeOr<int64_t>("weight_prepacked", 0) != 0)
    return fail(ErrorCode::kNotImplemented, "MatMulNBits of weights packed for another device");
  if (!given(node, NbitsSlots::kB) || !given(node, NbitsSlots::kScales))
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits needs A, B and scales");
  return weights;
}

Result<void> checkNbitsWeights(const NbitsWeights& weights, const Tensor& b, const Tensor& scales,
                               const Tensor* zeros) {
  const int64_t numbers = weights.n * weights.blocks(), bytes = numbers * (weights.blockSize * weights.bits / 8);
  if (b.type() != ElementType::kUint8 || b.elementCount() != bytes)
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: B is {} {}, not {} bytes", elementTypeName(b.type()),
                dimsToText(b.dims()), bytes);
  if (scales.elementCount() != numbers)
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: scales are {}, not [{},{}]", dimsToText(scales.dims()),
                weights.n, weights.blocks());
  if (zeros == nullptr) return {};
  const int64_t wanted = zeros->type() == ElementType::kUint8 ? weights.n * weights.zeroBytes() : numbers;
  if (zeros->elementCount() != wanted)
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: zero_points are {}, not {} numbers",
                dimsToText(zeros->dims()), wanted);
  return {};
}

Result<void> checkNbitsOperands(const NbitsWeights& weights, ElementType a, const Tensor* groups, const Tensor* bias) {
  if (bias != nullptr && (bias->elementCount() != weights.n || bias->type() != a))
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: bias is {} {}, N is {}", elementTypeName(bias->type()),
                dimsToText(bias->dims()), weights.n);
  if (groups != nullptr && (groups->type() != ElementType::kInt32 || groups->elementCount() < weights.k))
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: g_idx is {} {}, K is {}", elementTypeName(groups->type()),
                dimsToText(groups->dims()), weights.k);
  return {};
}

Result<TableWeights> readBnb4(const Node& node) {
  TableWeights weights{.n = node.attributeOr<int64_t>("N", 0),
                       .k = node.attributeOr<int64_t>("K", 0),
                       .blockSize = node.attributeOr<int64_t>("block_size", 0),
                       .transposed = node.attributeOr<int64_t>("transB", 1) != 0};
  CUTAWAY_CHECK(checkSize("MatMulBnb4", weights.n, weights.k));
  CUTAWAY_CHECK(checkBlockSize("MatMulBnb4", weights.blockSize, std::numeric_limits<int64_t>::max()));
  const int64_t kind = node.attributeOr<int64_t>("quant_type", -1);
  if (kind != 0 && kind != 1)
    return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: quant_type is {}, only 0 and 1 are defined", kind);
  if (!given(node, 1) || !given(node, 2)) return fail(ErrorCode::kInvalidArgument, "MatMulBnb4 needs A, B and absmax");
  weights.table = kind == 0 ? &kFp4 : &kNf4;
  return weights;
}

Result<void> checkBnb4Weights(const TableWeights& weights, const Tensor& b, const Tensor& absmax) {
  const int64_t bytes = (weights.numbers() + 1) / 2;
  if (b.type() != ElementType::kUint8 || b.elementCount() != bytes)
    return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: B is {} {}, not {} bytes", elementTypeName(b.type()),
                dimsToText(b.dims()), bytes);
  if (absmax.elementCount() != weights.blocks())
    return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: absmax is {}, there are {} blocks", dimsToText(absmax.dims()),
                weights.blocks());
  return {};
}

Result<Dims> packedProductDims(std::string_view op, std::span<const int64_t> a, int64_t depth, int64_t columns) {
  if (a.empty() || a.back() != depth)
    return fail(ErrorCode::kInvalidArgument, "{}: A is {}, its last axis should be {}", op, dimsToText(a), depth);
  Dims dims(a);
  dims[a.size() - 1] = columns;
  return dims;
}

bool isNarrowFloat(ElementType type) {
  return isFloating(type) && bitsOf(type) <= 8;
}

Result<GatherBlockSettings> readGatherBlockQuantized(const Graph& graph, const Node& node) {
  const GatherBlockSettings settings{.bits = node.attributeOr<int64_t>("bits", 4),
                                     .blockSize = node.attributeOr<int64_t>("block_size", 128),
                                     .quantizeAxis = node.attributeOr<int64_t>("quantize_axis", 1),
                                     .gatherAxis = node.attributeOr<int64_t>("gather_axis", 0)};
  const auto typeOf = [&](size_t slot) {
    return given(node, slot) ? graph.value(node.inputs[slot]).type.element : ElementType::kUndefined;
  };
  const ElementType data = typeOf(0);
  if (data == ElementType::kUint8 && settings.bits != 2 && settings.bits != 4 && settings.bits != 8)
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: bits is {}, not 2, 4 or 8", settings.bits);
  const bool wholeAxis = settings.blockSize == 0 && isNarrowFloat(data);
  if (!wholeAxis)
    CUTAWAY_CHECK(checkBlockSize("GatherBlockQuantized", settings.blockSize, std::numeric_limits<int64_t>::max()));
  if (!given(node, 3)) return settings;
  if (isNarrowFloat(data))
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: {} data has no zero points", elementTypeName(data));
  if (typeOf(3) != data)
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: zero_points are {}, the data {}",
                elementTypeName(typeOf(3)), elementTypeName(data));
  return settings;
}

namespace {

Result<void> placeScales(GatherBlockLayout& at, const Tensor& data, std::span<const int64_t> scales,
                         const Dims* zeros) {
  if (scales.size() != at.rank || (zeros != nullptr && zeros->size() != at.rank))
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: scales are {}, the data {}", dimsToText(scales),
                dimsToText(data.dims()));
  const int64_t perByte = data.type() == ElementType::kUint8 ? 8 / at.bits : 1;
  int64_t scaleStride = 1, zeroStride = 1;
  for (size_t axis = at.rank; axis-- > 0;) {
    const int64_t wanted = axis == at.quantizeAxis ? (at.dims[axis] + at.blockSize - 1) / at.blockSize : at.dims[axis],
                  own = scales[axis];
    const bool shared = own == 1 && wanted != 1 && axis != at.quantizeAxis && isNarrowFloat(data.type());
    if (own != wanted && !shared)
      return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: scales are {}, axis {} should be {}",
                  dimsToText(scales), axis, wanted);
    at.scaleStride[axis] = shared ? 0 : scaleStride;
    at.zeroStride[axis] = zeroStride;
    const int64_t stored = axis + 1 == at.rank ? (own + perByte - 1) / perByte : own;
    if (zeros != nullptr && (*zeros)[axis] != stored)
      return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: zero_points are {}, axis {} should be {}",
                  dimsToText(*zeros), axis, stored);
    scaleStride *= own;
    zeroStride *= axis + 1 == at.rank ? stored * perByte : own;
  }
  return {};
}

}  // namespace

Result<GatherBlockLayout> gatherBlockLayout(const GatherBlockSettings& settings, const Tensor& data,
                                            std::span<const int64_t> indices, std::span<const int64_t> scales,
                                            const Dims* zeros) {
  constexpr size_t kMaximumRank = GatherBlockLayout::kMaximumRank;
  const int64_t rank = static_cast<int64_t>(data.rank());
  const auto resolved = [&](int64_t axis) { return axis < 0 ? axis + rank : axis; };
  const int64_t quantize = resolved(settings.quantizeAxis), gather = resolved(settings.gatherAxis);
  if (rank < 1 || data.rank() > kMaximumRank || quantize < 0 || quantize >= rank || gather < 0 || gather >= rank)
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: quantize_axis {} and gather_axis {} of {}",
                settings.quantizeAxis, settings.gatherAxis, dimsToText(data.dims()));
  const bool bytes = data.type() == ElementType::kUint8;
  GatherBlockLayout at{.rank = data.rank(),
                       .quantizeAxis = static_cast<size_t>(quantize),
                       .gatherAxis = static_cast<size_t>(gather),
                       .bits = bytes ? static_cast<int>(settings.bits) : bitsOf(data.type())};
  if (bytes && (gather != 0 || (at.bits < 8 && gather == quantize)))
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: gather_axis {}, quantize_axis {} of packed bytes",
                gather, quantize);
  if (indices.size() > kMaximumRank)
    return fail(ErrorCode::kNotImplemented, "GatherBlockQuantized: indices of rank {}", indices.size());
  for (size_t axis = 0; axis < at.rank; ++axis)
    at.dims[axis] = data.dims()[axis] * (bytes && axis + 1 == at.rank ? 8 / at.bits : 1);
  at.blockSize = settings.blockSize == 0 ? std::max<int64_t>(at.dims[at.quantizeAxis], 1) : settings.blockSize;
  CUTAWAY_CHECK(placeScales(at, data, scales, zeros));
  std::array<int64_t, 2 * kMaximumRank> output{};
  size_t places = 0;
  for (size_t axis = 0; axis < at.gatherAxis; ++axis)
    output[places++] = at.dims[axis];
  for (const int64_t dim : indices)
    output[places++] = dim;
  for (size_t axis = at.gatherAxis + 1; axis < at.rank; ++axis) {
    output[places++] = at.dims[axis];
    at.inner *= at.dims[axis];
  }
  at.outputDims = Dims(std::span<const int64_t>(output.data(), places));
  return at;
}

}  // namespace cutaway::operators
