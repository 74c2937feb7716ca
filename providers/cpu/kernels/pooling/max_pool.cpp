// MaxPool (all versions): X [N, C, ...]; Y, and optionally the place of each maximum.

#include "providers/cpu/kernels/pooling/equal_planes.h"
#include "providers/cpu/kernels/pooling/max_cells.h"
#include "providers/cpu/kernels/pooling/max_vector.h"
#include "providers/cpu/kernels/pooling/pool_rows.h"
#include "providers/cpu/kernels/pooling/prepared_pooling.h"
#include "providers/cpu/kernels/pooling/small_planes.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

template <typename T>
class MaxPool final : public Kernel {
 public:
  MaxPool(WindowAttributes attributes, bool columnMajor, Layout layout)
      : m_attributes(std::move(attributes)), m_columnMajor(columnMajor), m_layout(layout) {}
  std::string_view variant() const override {
    return std::is_same_v<T, float> || (kHasCells && m_layout == Layout::kChannelsLast) ? "highway" : "reference";
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<PoolingState>(); }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(const Window window, placePool(m_attributes, x));
    const PoolDims dims = pooledDims(x, window);
    CUTAWAY_TRY(Tensor * y, context.output(0, dims.span()));
    int64_t* indices = nullptr;
    if (context.outputCount() > 1 && context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * places, context.output(1, ElementType::kInt64, dims.span()));
      indices = places->span<int64_t>().data();
    }
    if (y->elementCount() == 0) return {};
    if constexpr (kHasCells) {
      if (m_layout == Layout::kChannelsLast && indices == nullptr) {
        maxPoolCells(x.dims()[0], x.dims()[1], window, x.span<T>().data(), y->span<T>().data());
        return {};
      }
    }
    if constexpr (std::is_same_v<T, float>) {
      if (indices == nullptr && m_layout != Layout::kPlain) {
        CUTAWAY_TRY(const bool done,
                    runPooling(context, poolingShape(math::PoolingKind::kMax, x.dims(), window, m_layout), x, *y));
        if (done) return {};
      }
    }
    if (m_layout != Layout::kPlain) return fail(ErrorCode::kNotImplemented, "this MaxPool does not run in this layout");
    const int64_t planes = x.dims()[0] * x.dims()[1];
    if constexpr (std::is_same_v<T, float>) {
      const auto poolPlanes = indices != nullptr       ? nullptr
                              : areEqualPlanes(window) ? maxPoolEqualPlanes
                              : areSmallPlanes(window) ? maxPoolSmallPlanes
                              : fitsVectorRows(window) ? maxPoolPlanes
                                                       : nullptr;
      if (poolPlanes != nullptr) {
        poolPlanes(planes, window, x.span<float>().data(), y->span<float>().data());
        return {};
      }
    }
    if (indices == nullptr)
      maxPoolRows<T>(planes, window, x.span<T>().data(), y->span<T>().data());
    else
      maxPoolPlaces<T>(planes, window, x.span<T>().data(), y->span<T>().data(), indices, m_columnMajor);
    return {};
  }

 private:
  static constexpr bool kHasCells = std::is_same_v<T, float> || sizeof(T) == 1;
  WindowAttributes m_attributes;
  bool m_columnMajor;
  Layout m_layout;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createMaxPool(const KernelInfo& info) {
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info.node()));
  if (attributes.kernel.empty()) return fail(ErrorCode::kInvalidArgument, "MaxPool needs kernel_shape");
  return std::make_unique<MaxPool<T>>(std::move(attributes), info.attribute<int64_t>("storage_order", 0) != 0,
                                      info.inputType(0).layout);
}

constexpr ElementType kInt8List[] = {ElementType::kInt8};
constexpr ElementType kUint8List[] = {ElementType::kUint8};
constexpr TypeRule kInt8Input[] = {{0, kInt8List}};
constexpr TypeRule kUint8Input[] = {{0, kUint8List}};

constexpr KernelRow kRows[] = {
    {.opType = "MaxPool", .versions = {1}, .types = kFloatInput, .fastPath = "highway", .create = createMaxPool<float>},
    {.opType = "MaxPool", .versions = {1}, .types = kDoubleInput, .create = createMaxPool<double>},
    {.opType = "MaxPool", .versions = {12}, .types = kInt8Input, .create = createMaxPool<int8_t>},
    {.opType = "MaxPool", .versions = {12}, .types = kUint8Input, .create = createMaxPool<uint8_t>},
    {.opType = "MaxPool",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "highway",
     .create = createThroughFloat<createMaxPool<float>>},
};

}  // namespace

KernelRows kernel_max_pool() {
  return kRows;
}

}  // namespace cutaway::cpu
