// Expand and Tile: elements repeated, as strided moves whose repeated axes have stride zero.

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

// The broadcast of two shapes, right-aligned.
Result<Dims> broadcastShape(std::span<const int64_t> a, std::span<const int64_t> b) {
  const size_t rank = std::max(a.size(), b.size());
  Dims dims = filledList(rank, 1);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t left = i + a.size() < rank ? 1 : a[i + a.size() - rank];
    const int64_t right = i + b.size() < rank ? 1 : b[i + b.size() - rank];
    if (right < 0 || (left != right && left != 1 && right != 1)) {
      return fail(ErrorCode::kInvalidArgument, "{} cannot be expanded to {}", dimsToText(a), dimsToText(b));
    }
    dims[i] = left == 1 ? right : left;
  }
  return dims;
}

class ExpandKernel final : public Kernel {
 public:
  explicit ExpandKernel(const KernelInfo&) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* shape, requireTensor(context, 1));
    CUTAWAY_TRY(const Dims wanted, readIntegers(*shape));
    CUTAWAY_TRY(const Dims dims, broadcastShape(data->dims(), wanted));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), dims));
    const Dims inputStrides = rowMajorStrides(data->dims());
    StridedMove move{dims, filledList(dims.size(), 0), rowMajorStrides(dims)};
    const size_t added = dims.size() - data->rank();
    for (size_t i = 0; i < data->rank(); ++i) {
      if (data->dims()[i] != 1) move.fromStrides[added + i] = inputStrides[i];
    }
    moveStrided(data->type(), move, data->data(), output->mutableData());
    return {};
  }
};

class TileKernel final : public Kernel {
 public:
  explicit TileKernel(const KernelInfo& info) : m_repeatsAreList(info.node().sinceVersion >= 6) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Dims repeats, readRepeats(context, data->rank()));
    Dims dims = data->dims();
    const Dims inputStrides = rowMajorStrides(dims);
    for (size_t i = 0; i < dims.size(); ++i) {
      if (repeats[i] < 0) return fail(ErrorCode::kInvalidArgument, "axis {} is repeated {} times", i, repeats[i]);
      CUTAWAY_TRY(dims[i], checkedMultiply(dims[i], repeats[i]));
    }
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), dims));
    const Dims outputStrides = rowMajorStrides(dims);
    // Every axis becomes two: which repetition, and where in it.
    StridedMove move{filledList(2 * dims.size(), 0), filledList(2 * dims.size(), 0), filledList(2 * dims.size(), 0)};
    for (size_t i = 0; i < dims.size(); ++i) {
      move.dims[2 * i] = repeats[i];
      move.dims[2 * i + 1] = data->dims()[i];
      move.fromStrides[2 * i + 1] = inputStrides[i];
      move.toStrides[2 * i] = outputStrides[i] * data->dims()[i];
      move.toStrides[2 * i + 1] = outputStrides[i];
    }
    moveStrided(data->type(), move, data->data(), output->mutableData());
    return {};
  }

 private:
  Result<Dims> readRepeats(const KernelContext& context, size_t rank) const {
    CUTAWAY_TRY(const Tensor* given, requireTensor(context, 1));
    if (m_repeatsAreList) {
      CUTAWAY_TRY(const Dims list, readIntegers(*given));
      if (list.size() != rank)
        return fail(ErrorCode::kInvalidArgument, "{} repeats are given for an input of rank {}", list.size(), rank);
      return list;
    }
    // Version 1 tiles one axis; both numbers are tensors of the input's own type.
    CUTAWAY_TRY(const Tensor* axisTensor, requireTensor(context, 2));
    CUTAWAY_TRY(const int64_t tiles, anyNumber(*given));
    CUTAWAY_TRY(const int64_t axisGiven, anyNumber(*axisTensor));
    CUTAWAY_TRY(const int64_t axis, resolveAxis(axisGiven, rank));
    Dims repeats = filledList(rank, 1);
    repeats[static_cast<size_t>(axis)] = tiles;
    return repeats;
  }

  static Result<int64_t> anyNumber(const Tensor& tensor) {
    constexpr double kSaneBound = 1e15;
    if (tensor.elementCount() != 1)
      return fail(ErrorCode::kInvalidArgument, "one number is needed, {} are given", tensor.elementCount());
    double number = 0;
    switch (tensor.type()) {
      case ElementType::kFloat:
        number = tensor.span<float>()[0];
        break;
      case ElementType::kDouble:
        number = tensor.span<double>()[0];
        break;
      case ElementType::kFloat16:
        number = tensor.span<Float16>()[0].toFloat();
        break;
      default:
        return readInteger(tensor);
    }
    if (!(number > -kSaneBound && number < kSaneBound))
      return fail(ErrorCode::kInvalidArgument, "{} is no usable count", number);
    return static_cast<int64_t>(number);
  }

  bool m_repeatsAreList;
};

constexpr int kSecondOnHost[] = {1};
constexpr int kBothOnHost[] = {1, 2};
constexpr KernelRow kRows[] = {
    {.opType = "Expand",
     .versions = {8},
     .hostInputs = kSecondOnHost,
     .fastPath = "copy",
     .create = makeKernel<ExpandKernel>},
    {.opType = "Tile",
     .versions = {1, 5},
     .hostInputs = kBothOnHost,
     .fastPath = "copy",
     .create = makeKernel<TileKernel>},
    {.opType = "Tile",
     .versions = {6},
     .hostInputs = kSecondOnHost,
     .fastPath = "copy",
     .create = makeKernel<TileKernel>},
};

}  // namespace

KernelRows kernel_expand() {
  return kRows;
}

}  // namespace cutaway
