// Expand and Tile: elements repeated, as strided moves whose repeated axes have stride zero.

#include "engine/operators/repeat.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class ExpandKernel final : public Kernel {
 public:
  explicit ExpandKernel(const KernelInfo&) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* shape, requireTensor(context, 1));
    CUTAWAY_TRY(const Dims wanted, readIntegers(*shape));
    CUTAWAY_TRY(const Dims dims, operators::expandedDims(data->dims(), wanted));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), dims));
    moveStrided(data->type(), operators::expandMove(data->dims(), dims), data->data(), output->mutableData());
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
    CUTAWAY_TRY(const Dims dims, operators::tiledDims(data->dims(), repeats));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), dims));
    moveStrided(data->type(), operators::tileMove(data->dims(), repeats, dims), data->data(), output->mutableData());
    return {};
  }

 private:
  Result<Dims> readRepeats(const KernelContext& context, size_t rank) const {
    CUTAWAY_TRY(const Tensor* given, requireTensor(context, 1));
    if (m_repeatsAreList) return readIntegers(*given);
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

}  // namespace cutaway::cpu
