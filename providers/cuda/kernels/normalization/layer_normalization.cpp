// LayerNormalization (from 17 on, and the form that exporters wrote into opsets before it),
// SimplifiedLayerNormalization and RMSNormalization: each run of the axes from `axis` on has its own mean and variance
// (or mean square).

#include "engine/operators/normalization.h"
#include "providers/cuda/kernels/index_plan.h"
#include "providers/cuda/kernels/normalization/row_norm.h"

namespace cutaway::cuda {
namespace {

constexpr TypeRule kOne[] = {{0, kNormFloats}}, kBoth[] = {{0, kNormFloats}, {1, kNormFloats}};
constexpr InplaceHint kOverInput[] = {{0, 0, AliasKind::kMayInplace}};

class LayerKernel final : public GpuKernel {
 public:
  LayerKernel(const operators::LayerNormSettings& settings, std::string functor)
      : m_functor(std::move(functor)), m_settings(settings) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &scale = *call.input(1);
    const Tensor* shift = m_settings.centered && call.inputCount() > 2 ? call.input(2) : nullptr;
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const operators::LayerNormSizes sizes, operators::layerNormSizes(m_settings, dims));
    if (shift != nullptr && shift->type() != scale.type())
      return fail(ErrorCode::kInvalidArgument, "layer normalisation: B is {}, Scale {}", elementTypeName(shift->type()),
                  elementTypeName(scale.type()));
    const size_t at = sizes.axis;
    RowNormParameters p{.x = x.data(),
                        .scale = scale.data(),
                        .shift = shift == nullptr ? nullptr : shift->data(),
                        .rows = sizes.rows,
                        .count = sizes.count,
                        .epsilon = m_settings.epsilon,
                        .centered = m_settings.centered};
    CUTAWAY_TRY(const operators::RowOperand scaleRow, operators::rowOperand(dims, at, scale.dims(), "Scale"));
    operators::RowOperand shiftRow;
    if (shift != nullptr) {
      CUTAWAY_TRY(shiftRow, operators::rowOperand(dims, at, shift->dims(), "B"));
    }
    if (!scaleRow.dense || !shiftRow.dense) {
      CUTAWAY_TRY(p.broadcast,
                  broadcastMap<2>(dims, {scale.dims(), shift == nullptr ? std::span<const int64_t>()
                                                                        : std::span<const int64_t>(shift->dims())}));
      p.mapped = true;
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    p.y = y->mutableData();
    if (m_settings.inverseSlot == 2) CUTAWAY_CHECK(openStatistic(call, 1, dims, at, p.mean, p.meanKind));
    CUTAWAY_CHECK(openStatistic(call, m_settings.inverseSlot, dims, at, p.inverse, p.inverseKind));
    if (p.rows == 0 || p.count == 0) return {};
    chooseRowPath(p, x.type(), scale.type());
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  operators::LayerNormSettings m_settings;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeLayer(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::LayerNormSettings settings, operators::readLayerNorm(info.node()));
  const ElementType x = info.inputElement(0), scale = info.inputElement(1);
  // Only of the others does the scale give the output its type.
  if (info.node().opType == "LayerNormalization" && x != scale)
    return fail(ErrorCode::kNotImplemented, "LayerNormalization of {} with a scale of {}", elementTypeName(x),
                elementTypeName(scale));
  CUTAWAY_TRY(std::string functor, normFunctor("row", x, scale));
  return std::make_unique<LayerKernel>(settings, std::move(functor));
}

}  // namespace

KernelRows kernel_layer_normalization() {
  static constexpr KernelRow rows[] = {
      {.opType = "LayerNormalization",
       .versions = {1},
       .types = kOne,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeLayer>},
      {.opType = "RMSNormalization",
       .versions = {23},
       .types = kBoth,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeLayer>},
      {.opType = "SimplifiedLayerNormalization",
       .versions = {1},
       .types = kBoth,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeLayer>},
      {.opType = "SimplifiedLayerNormalization",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kBoth,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeLayer>},
  };
  return rows;
}

}  // namespace cutaway::cuda
