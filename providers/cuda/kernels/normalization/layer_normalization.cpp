// LayerNormalization (from 17 on, and the form that exporters wrote into opsets before it),
// SimplifiedLayerNormalization and RMSNormalization: each run of the axes from `axis` on has its own mean and variance
// (or mean square).

#include "providers/cuda/kernels/index_plan.h"
#include "providers/cuda/kernels/normalization/row_norm.h"

namespace cutaway::cuda {
namespace {

constexpr TypeRule kOne[] = {{0, kNormFloats}}, kBoth[] = {{0, kNormFloats}, {1, kNormFloats}};
constexpr InplaceHint kOverInput[] = {{0, 0, AliasKind::kMayInplace}};

// INVALID_ARGUMENT when it does not broadcast; false: some elements serve several places of a row, or differ from row
// to row.
Result<bool> isRow(std::span<const int64_t> dims, size_t axis, std::span<const int64_t> own, std::string_view name) {
  if (own.size() > dims.size())
    return fail(ErrorCode::kInvalidArgument, "{} is {}, the input {}", name, dimsToText(own), dimsToText(dims));
  bool dense = true;
  for (size_t at = 0; at < dims.size(); ++at) {
    const size_t missing = dims.size() - own.size();
    const int64_t size = at < missing ? 1 : own[at - missing];
    if (size != dims[at] && size != 1)
      return fail(ErrorCode::kInvalidArgument, "{} is {}, which does not broadcast to {}", name, dimsToText(own),
                  dimsToText(dims));
    dense = dense && (at < axis ? size == 1 : size == dims[at]);
  }
  return dense;
}

class LayerKernel final : public GpuKernel {
 public:
  LayerKernel(const KernelInfo& info, std::string functor)
      : m_functor(std::move(functor)),
        m_axis(info.attribute<int64_t>("axis", -1)),
        m_epsilon(info.attribute<float>("epsilon", 1e-5f)),
        m_centered(info.node().opType == "LayerNormalization"),
        m_inverseSlot(info.node().opType == "SimplifiedLayerNormalization" ? 1 : 2) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &scale = *call.input(1);
    const Tensor* shift = m_centered && call.inputCount() > 2 ? call.input(2) : nullptr;
    const std::span<const int64_t> dims = x.dims();
    const int64_t rank = static_cast<int64_t>(dims.size()), axis = m_axis < 0 ? m_axis + rank : m_axis;
    if (axis < 0 || axis >= rank)
      return fail(ErrorCode::kInvalidArgument, "layer normalisation: axis {} of {}", m_axis, dimsToText(dims));
    if (shift != nullptr && shift->type() != scale.type())
      return fail(ErrorCode::kInvalidArgument, "layer normalisation: B is {}, Scale {}", elementTypeName(shift->type()),
                  elementTypeName(scale.type()));
    const size_t at = static_cast<size_t>(axis);
    RowNormParameters p{.x = x.data(),
                        .scale = scale.data(),
                        .shift = shift == nullptr ? nullptr : shift->data(),
                        .rows = elementCount(dims.first(at)),
                        .count = elementCount(dims.subspan(at)),
                        .epsilon = m_epsilon,
                        .centered = m_centered};
    CUTAWAY_TRY(const bool denseScale, isRow(dims, at, scale.dims(), "Scale"));
    CUTAWAY_TRY(const bool denseShift, shift == nullptr ? Result<bool>(true) : isRow(dims, at, shift->dims(), "B"));
    if (!denseScale || !denseShift) {
      CUTAWAY_TRY(p.broadcast,
                  broadcastMap<2>(dims, {scale.dims(), shift == nullptr ? std::span<const int64_t>()
                                                                        : std::span<const int64_t>(shift->dims())}));
      p.mapped = true;
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    p.y = y->mutableData();
    if (m_inverseSlot == 2) CUTAWAY_CHECK(openStatistic(call, 1, dims, at, p.mean, p.meanKind));
    CUTAWAY_CHECK(openStatistic(call, m_inverseSlot, dims, at, p.inverse, p.inverseKind));
    if (p.rows == 0 || p.count == 0) return {};
    chooseRowPath(p, x.type(), scale.type());
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  int64_t m_axis;
  float m_epsilon;
  bool m_centered;
  size_t m_inverseSlot;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeLayer(const KernelInfo& info) {
  if (!info.hasInput(1)) return fail(ErrorCode::kInvalidArgument, "{} has no scale", info.node().opType);
  const ElementType x = info.inputElement(0), scale = info.inputElement(1);
  // Only of the others does the scale give the output its type.
  if (info.node().opType == "LayerNormalization" && x != scale)
    return fail(ErrorCode::kNotImplemented, "LayerNormalization of {} with a scale of {}", elementTypeName(x),
                elementTypeName(scale));
  CUTAWAY_TRY(std::string functor, normFunctor("row", x, scale));
  return std::make_unique<LayerKernel>(info, std::move(functor));
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
