// DeformConv (all versions): a convolution whose kernel cells are moved by offsets and read by linear interpolation,
// scaled by a mask.
//
// Per image and group, the moved cells are gathered as a matrix [channels * kernel cells, output cells] a tile of
// output cells at a time, and multiplied with the weights: the im2col way, as Dai et al. (2017) describe it. Places and
// weights of the taps are found once for all channels that share an offset.

#include <array>
#include <cmath>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "engine/math/matrix_product.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/spatial_window.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr size_t kMostAxes = 3;
constexpr size_t kMostTaps = size_t{1} << kMostAxes;
constexpr int64_t kBlock = 32;           // output cells whose taps are held at a time
constexpr int64_t kTileBytes = 1 << 21;  // the gathered matrix stays in the second-level cache, about

template <typename T>
struct Taps {
  std::array<std::array<int64_t, kBlock>, kMostTaps> places;  // 0 where the weight is 0
  std::array<std::array<T, kBlock>, kMostTaps> weights;
};

template <typename T>
struct DeformInputs {
  const T *x = nullptr, *w = nullptr, *offset = nullptr, *bias = nullptr, *mask = nullptr;
  T* y = nullptr;
};

struct DeformShape {
  Window window;
  int64_t batch = 0, channels = 0, outChannels = 0, group = 1, offsetGroup = 1;
  int64_t inCells = 0, outCells = 0, kernelCells = 0;
  int64_t groupChannels() const { return channels / group; }
};

template <typename T>
void multiplyTile(int64_t rows, int64_t columns, int64_t depth, const T* w, const T* tile, T* y, int64_t strideY) {
  for (int64_t m = 0; m < rows; ++m) {
    for (int64_t d = 0; d < depth; ++d) {
      const T factor = w[m * depth + d];
      for (int64_t j = 0; j < columns; ++j)
        y[m * strideY + j] += factor * tile[d * columns + j];
    }
  }
}

template <typename T>
class DeformConv final : public Kernel {
 public:
  DeformConv(WindowAttributes attributes, int64_t group, int64_t offsetGroup)
      : m_attributes(std::move(attributes)), m_group(group), m_offsetGroup(offsetGroup) {}
  std::string_view variant() const override { return std::is_same_v<T, float> ? "onednn" : "reference"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* w, requireTensor(context, 1));
    CUTAWAY_TRY(const Tensor* offset, requireTensor(context, 2));
    const Tensor* bias = optionalTensor(context, 3);
    const Tensor* mask = optionalTensor(context, 4);
    CUTAWAY_TRY(const DeformShape shape, shapeOf(*x, *w));
    CUTAWAY_CHECK(checkSteering("offset", *offset, shape, static_cast<int64_t>(shape.window.rank)));
    if (mask != nullptr) CUTAWAY_CHECK(checkSteering("mask", *mask, shape, 1));
    if (bias != nullptr && (bias->rank() != 1 || bias->dims()[0] != shape.outChannels)) {
      return fail(ErrorCode::kInvalidArgument, "DeformConv: a bias {} does not fit {} output channels",
                  dimsToText(bias->dims()), shape.outChannels);
    }
    Dims dims = x->dims();
    dims[1] = shape.outChannels;
    for (size_t axis = 0; axis < shape.window.rank; ++axis)
      dims[axis + 2] = shape.window.output[axis];
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    if (y->elementCount() == 0) return {};
    const auto data = [](const Tensor* tensor) { return tensor == nullptr ? nullptr : tensor->span<T>().data(); };
    return convolve(context, shape,
                    {data(x), data(w), data(offset), data(bias), data(mask), y->template span<T>().data()});
  }

 private:
  Result<DeformShape> shapeOf(const Tensor& x, const Tensor& w) const {
    if (x.rank() < 3 || x.rank() > kMostAxes + 2 || w.rank() != x.rank()) {
      return fail(ErrorCode::kInvalidArgument, "DeformConv: an input {} and weights {} must both have 3 to {} axes",
                  dimsToText(x.dims()), dimsToText(w.dims()), kMostAxes + 2);
    }
    DeformShape shape;
    shape.batch = x.dims()[0];
    shape.channels = x.dims()[1];
    shape.outChannels = w.dims()[0];
    shape.group = m_group;
    shape.offsetGroup = m_offsetGroup;
    const bool fits =
        shape.channels % m_group == 0 && shape.outChannels % m_group == 0 && w.dims()[1] == shape.channels / m_group;
    if (!fits)
      return fail(ErrorCode::kInvalidArgument, "DeformConv: {} groups over an input {} do not fit weights {}", m_group,
                  dimsToText(x.dims()), dimsToText(w.dims()));
    if (shape.channels % m_offsetGroup != 0)
      return fail(ErrorCode::kInvalidArgument, "DeformConv: {} channels do not split into {} offset groups",
                  shape.channels, m_offsetGroup);
    CUTAWAY_TRY(shape.window, placeWindow(m_attributes, std::span<const int64_t>(x.dims()).subspan(2),
                                          std::span<const int64_t>(w.dims()).subspan(2)));
    shape.inCells = shape.window.inputCells();
    shape.outCells = shape.window.outputCells();
    shape.kernelCells = shape.window.kernelCells();
    return shape;
  }

  // offset and mask: [N, offset groups * kernel cells * perCell, output...].
  static Result<void> checkSteering(std::string_view name, const Tensor& tensor, const DeformShape& shape,
                                    int64_t perCell) {
    const Dims& dims = tensor.dims();
    bool fits = dims.size() == shape.window.rank + 2 && dims[0] == shape.batch &&
                dims[1] % (shape.offsetGroup * perCell) == 0 &&
                dims[1] / (shape.offsetGroup * perCell) == shape.kernelCells;
    for (size_t axis = 0; fits && axis < shape.window.rank; ++axis)
      fits = dims[axis + 2] == shape.window.output[axis];
    if (fits) return {};
    return fail(ErrorCode::kInvalidArgument,
                "DeformConv: {} {} does not fit {} kernel cells, {} offset groups and {} output cells", name,
                dimsToText(dims), shape.kernelCells, shape.offsetGroup, shape.outCells);
  }

  // Taps of `count` output cells from `first` on, for one kernel cell.
  static void findTaps(const DeformShape& shape, const WindowDims& kernelCell, const T* offset, const T* mask,
                       int64_t first, int64_t count, Taps<T>& taps) {
    const Window& window = shape.window;
    const size_t rank = window.rank, corners = size_t{1} << rank;
    WindowDims out{};
    int64_t rest = first;
    for (size_t axis = rank; axis-- > 0; rest /= window.output[axis])
      out[axis] = rest % window.output[axis];
    for (int64_t i = 0; i < count; ++i, nextIndex(out, window.output, rank)) {
      std::array<int64_t, kMostAxes> low{};
      std::array<T, kMostAxes> part{};
      bool near = true;
      for (size_t axis = 0; axis < rank; ++axis) {
        const T place = static_cast<T>(window.start(axis, out[axis]) + kernelCell[axis] * window.dilations[axis]) +
                        offset[static_cast<int64_t>(axis) * shape.outCells + first + i];
        // Written so that NaN and what would not fit an integer is far away, too.
        near = near && place > T(-1) && place < static_cast<T>(window.input[axis]);
        if (!near) break;
        const T floor = std::floor(place);
        low[axis] = static_cast<int64_t>(floor);
        part[axis] = place - floor;
      }
      const T scale = mask == nullptr ? T(1) : mask[first + i];
      for (size_t corner = 0; corner < corners; ++corner) {
        int64_t at = 0;
        T weight = near ? scale : T(0);
        for (size_t axis = 0; near && axis < rank; ++axis) {
          const bool high = (corner >> axis & 1) != 0;
          const int64_t cell = low[axis] + (high ? 1 : 0);
          const bool inside = cell >= 0 && cell < window.input[axis];
          weight = inside ? weight * (high ? part[axis] : T(1) - part[axis]) : T(0);
          at = at * window.input[axis] + (inside ? cell : 0);
        }
        taps.places[corner][static_cast<size_t>(i)] = at;
        taps.weights[corner][static_cast<size_t>(i)] = weight;
      }
    }
  }

  template <size_t kCorners>
  static void readTaps(const T* plane, const Taps<T>& taps, int64_t count, T* to) {
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      T sum = 0;
      for (size_t corner = 0; corner < kCorners; ++corner)
        sum += taps.weights[corner][i] * plane[taps.places[corner][i]];
      to[i] = sum;
    }
  }

  // Rows [channel of the group, kernel cell] of the gathered matrix for output cells [first, first + count).
  static void gather(const DeformShape& shape, const DeformInputs<T>& in, int64_t image, int64_t group, int64_t first,
                     int64_t count, T* tile) {
    const int64_t groupChannels = shape.groupChannels(), perOffset = shape.channels / shape.offsetGroup;
    const int64_t firstChannel = group * groupChannels, lastChannel = firstChannel + groupChannels;
    const int64_t firstOffset = firstChannel / perOffset, offsets = (lastChannel - 1) / perOffset - firstOffset + 1;
    const int64_t blocks = (count + kBlock - 1) / kBlock;
    const int64_t rank = static_cast<int64_t>(shape.window.rank);
    parallelFor(offsets * shape.kernelCells * blocks, 4, [&](int64_t begin, int64_t end) {
      Taps<T> taps;
      for (int64_t item = begin; item < end; ++item) {
        const int64_t block = item % blocks, cell = item / blocks % shape.kernelCells,
                      offsetGroup = firstOffset + item / blocks / shape.kernelCells;
        const int64_t from = block * kBlock, size = std::min(kBlock, count - from);
        WindowDims kernelCell{};
        int64_t rest = cell;
        for (size_t axis = shape.window.rank; axis-- > 0; rest /= shape.window.kernel[axis])
          kernelCell[axis] = rest % shape.window.kernel[axis];
        const int64_t steering = (image * shape.offsetGroup + offsetGroup) * shape.kernelCells + cell;
        findTaps(shape, kernelCell, in.offset + steering * rank * shape.outCells,
                 in.mask == nullptr ? nullptr : in.mask + steering * shape.outCells, first + from, size, taps);
        const int64_t channelEnd = std::min(lastChannel, (offsetGroup + 1) * perOffset);
        for (int64_t c = std::max(firstChannel, offsetGroup * perOffset); c < channelEnd; ++c) {
          const T* plane = in.x + (image * shape.channels + c) * shape.inCells;
          T* to = tile + ((c - firstChannel) * shape.kernelCells + cell) * count + from;
          if (rank == 2)
            readTaps<4>(plane, taps, size, to);
          else if (rank == 1)
            readTaps<2>(plane, taps, size, to);
          else
            readTaps<8>(plane, taps, size, to);
        }
      }
    });
  }

  static Result<void> convolve(KernelContext& context, const DeformShape& shape, const DeformInputs<T>& in) {
    const int64_t planes = shape.batch * shape.outChannels;
    for (int64_t plane = 0; plane < planes; ++plane) {
      std::fill_n(in.y + plane * shape.outCells, shape.outCells,
                  in.bias == nullptr ? T(0) : in.bias[plane % shape.outChannels]);
    }
    const int64_t depth = shape.groupChannels() * shape.kernelCells, groupOut = shape.outChannels / shape.group;
    if (depth == 0 || shape.inCells == 0) return {};
    const int64_t tileCells =
        std::min(shape.outCells,
                 std::max<int64_t>(kBlock, kTileBytes / static_cast<int64_t>(sizeof(T)) / depth / kBlock * kBlock));
    CUTAWAY_TRY(const int64_t tileSize, checkedMultiply(depth, tileCells * static_cast<int64_t>(sizeof(T))));
    CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(static_cast<size_t>(tileSize)));
    T* tile = reinterpret_cast<T*>(scratch.data());
    for (int64_t item = 0; item < shape.batch * shape.group; ++item) {
      const int64_t image = item / shape.group, group = item % shape.group;
      const T* w = in.w + group * groupOut * depth;
      for (int64_t first = 0; first < shape.outCells; first += tileCells) {
        const int64_t count = std::min(tileCells, shape.outCells - first);
        gather(shape, in, image, group, first, count, tile);
        T* y = in.y + (image * shape.outChannels + group * groupOut) * shape.outCells + first;
        if constexpr (std::is_same_v<T, float>) {
          CUTAWAY_CHECK(math::multiply(
              {.rows = groupOut, .columns = count, .depth = depth, .beta = 1.0f, .strideC = shape.outCells}, w, tile,
              y));
        } else {
          multiplyTile(groupOut, count, depth, w, tile, y, shape.outCells);
        }
      }
    }
    return {};
  }

  WindowAttributes m_attributes;
  int64_t m_group, m_offsetGroup;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createDeformConv(const KernelInfo& info) {
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info.node()));
  const int64_t group = info.attribute<int64_t>("group", 1), offsetGroup = info.attribute<int64_t>("offset_group", 1);
  if (group < 1 || offsetGroup < 1)
    return fail(ErrorCode::kInvalidArgument, "DeformConv: group {} and offset_group {} must be 1 or more", group,
                offsetGroup);
  return std::unique_ptr<Kernel>(std::make_unique<DeformConv<T>>(std::move(attributes), group, offsetGroup));
}

constexpr KernelRow kRows[] = {
    {.opType = "DeformConv",
     .versions = {19},
     .types = kFloatInput,
     .fastPath = "onednn",
     .create = createDeformConv<float>},
    {.opType = "DeformConv", .versions = {19}, .types = kDoubleInput, .create = createDeformConv<double>},
    {.opType = "DeformConv",
     .versions = {19},
     .types = kHalfInput,
     .fastPath = "onednn",
     .create = createThroughFloat<createDeformConv<float>>},
};

}  // namespace

KernelRows kernel_deform_conv() {
  return kRows;
}

}  // namespace cutaway::cpu
