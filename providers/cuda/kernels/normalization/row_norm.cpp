#include "providers/cuda/kernels/normalization/row_norm.h"

namespace cutaway::cuda {
namespace {

constexpr int64_t kSharedForWarps = 32 * 1024, kSharedForBlocks = 96 * 1024;
constexpr int64_t kManyRows = 1024;  // fewer rows take a block each, so that all multiprocessors have some

}  // namespace

Result<std::string> normFunctor(std::string_view family, ElementType x, ElementType scale) {
  const bool doubles = x == ElementType::kDouble || scale == ElementType::kDouble,
             floats = x == ElementType::kFloat || scale == ElementType::kFloat;
  const bool together = x == scale || (!doubles && floats && (family == "row" || scale == ElementType::kFloat));
  if (!together || !isFloating(x) || functorType(x) == nullptr || functorType(scale) == nullptr)
    return fail(ErrorCode::kNotImplemented, "an input of {} with a scale of {}", elementTypeName(x),
                elementTypeName(scale));
  return fmt::format("norm.{}.{}.{}", family, functorType(x), functorType(scale));
}

void chooseRowPath(RowNormParameters& p, ElementType x, ElementType scale) {
  const int64_t bytes = bitsOf(x) / 8, keptBytes = x == ElementType::kDouble ? 8 : 4;
  p.threads = p.count <= 1024 ? 128 : p.count <= 4096 ? 256 : 512;
  if (kNormRowsPerBlock * normPlaces(p.count, 32) * keptBytes <= kSharedForWarps &&
      (p.rows >= kManyRows || p.count <= 256)) {
    p.path = RowNormPath::kWarps;
  } else {
    p.path =
        normPlaces(p.count, p.threads) * keptBytes <= kSharedForBlocks ? RowNormPath::kBlocks : RowNormPath::kLongRows;
  }
  p.packed = x == scale && !p.mapped && p.path != RowNormPath::kLongRows;
  for (const void* pointer :
       {p.x, p.skip, p.bias, p.scale, p.shift, static_cast<const void*>(p.y), static_cast<const void*>(p.sum)})
    p.packed = p.packed && isPackedBytes(pointer, p.count, bytes);
}

FloatKind floatKindOf(ElementType type) {
  if (type == ElementType::kFloat16) return FloatKind::kHalf;
  if (type == ElementType::kBfloat16) return FloatKind::kBrain;
  return type == ElementType::kDouble ? FloatKind::kDouble : FloatKind::kFloat;
}

Result<void> openStatistic(GpuCall& call, size_t slot, std::span<const int64_t> dims, size_t axis, void*& data,
                           FloatKind& kind) {
  if (slot >= call.outputCount() || !call.hasOutput(slot)) return {};
  Dims reduced(dims);
  for (size_t i = axis; i < dims.size(); ++i)
    reduced[i] = 1;
  CUTAWAY_TRY(Tensor * tensor, call.output(slot, reduced));
  data = tensor->mutableData();
  kind = floatKindOf(tensor->type());
  return {};
}

}  // namespace cutaway::cuda
