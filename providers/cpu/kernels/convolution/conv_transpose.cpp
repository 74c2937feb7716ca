// ConvTranspose (all versions): X [N, C, ...], W [C, M/group, ...], optional B; and com.microsoft's
// ConvTransposeWithDynamicPads, whose pads are an input.
//
// Versions 1 and 11 of the operator's text say the opposite about which side gets the odd cell of an automatic padding;
// the wording of 11 is followed, as the backend test cases do.

#include <algorithm>
#include <string>

#include "providers/cpu/kernels/convolution/convolution_reference.h"
#include "providers/cpu/kernels/convolution/prepared_convolution.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"
#include "providers/cpu/kernels/window_shape.h"

namespace cutaway::cpu {
namespace {

struct TransposeAttributes {
  operators::TransposedWindowAttributes window;
  int64_t groups = 1;
  bool padsAreInput = false;  // input 2; the bias is input 3 then
  Layout inputLayout = Layout::kPlain, outputLayout = Layout::kPlain;
};

Result<ConvolutionGeometry> geometryOf(const TransposeAttributes& attributes, std::span<const int64_t> pads,
                                       std::span<const int64_t> x, std::span<const int64_t> w) {
  if (x.size() < 3 || w.size() != x.size())
    return fail(ErrorCode::kInvalidArgument, "ConvTranspose needs X and W of one rank of 3 or more, not {} and {}",
                x.size(), w.size());
  int64_t outChannels = 0;
  if (x[1] != w[0] || x[1] % attributes.groups != 0 || w[1] < 1 ||
      __builtin_mul_overflow(w[1], attributes.groups, &outChannels)) {
    return fail(ErrorCode::kInvalidArgument, "ConvTranspose: X has {} channels, W is {}, group {}", x[1], dimsToText(w),
                attributes.groups);
  }
  ConvolutionGeometry geometry{
      .batch = x[0], .inChannels = x[1], .outChannels = outChannels, .groups = attributes.groups, .window = {}};
  CUTAWAY_TRY(geometry.window, placeTransposedWindow(attributes.window, pads, x.subspan(2), w.subspan(2)));
  return geometry;
}

// The library sees a transposed convolution as the convolution that leads from output to input; its padding at the end
// is what makes those sizes agree.
math::ConvolutionShape shapeOf(const TransposeAttributes& attributes, const ConvolutionGeometry& geometry, bool bias) {
  const Window& window = geometry.window;
  math::ConvolutionShape shape;
  shape.transposed = true;
  shape.batch = geometry.batch;
  shape.inChannels = geometry.inChannels;
  shape.outChannels = geometry.outChannels;
  shape.groups = geometry.groups;
  copyPaddedWindow(window, &Window::transposedOverhang, shape);
  shape.bias = bias;
  shape.inputLayout = attributes.inputLayout;
  shape.outputLayout = attributes.outputLayout;
  return shape;
}

template <typename T>
class ConvTranspose final : public Kernel {
 public:
  ConvTranspose(TransposeAttributes attributes, PreparedConvolution prepared)
      : m_attributes(std::move(attributes)), m_prepared(std::move(prepared)) {}
  std::string_view variant() const override { return std::is_same_v<T, float> ? "onednn" : "reference"; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ConvolutionState>(); }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const Tensor& w = *context.input(1);
    const size_t biasSlot = m_attributes.padsAreInput ? 3 : 2;
    const Tensor* bias = biasSlot < context.inputCount() ? context.input(biasSlot) : nullptr;
    CUTAWAY_TRY(const ConvolutionGeometry geometry, geometryOf(m_attributes, padsOf(context), x.dims(), w.dims()));
    if (bias != nullptr && bias->elementCount() != geometry.outChannels)
      return fail(ErrorCode::kInvalidArgument, "ConvTranspose: the bias has {} elements", bias->elementCount());
    std::array<int64_t, kMaxWindowRank + 2> dims{geometry.batch, geometry.outChannels};
    std::copy_n(geometry.window.output.begin(), geometry.window.rank, dims.begin() + 2);
    CUTAWAY_TRY(Tensor * y, context.output(0, std::span<const int64_t>(dims.data(), geometry.window.rank + 2)));
    if (y->elementCount() == 0) return {};
    const T* summand = bias != nullptr ? bias->span<T>().data() : nullptr;
    if constexpr (std::is_same_v<T, float>) {
      if (geometry.window.rank <= math::kMaxSpatialRank && x.elementCount() > 0) {
        auto& state = static_cast<ConvolutionState&>(*context.state());
        CUTAWAY_TRY(ConvolutionState::Entry * entry,
                    state.find(m_prepared, shapeOf(m_attributes, geometry, bias != nullptr)));
        if (entry->call) {
          CUTAWAY_TRY(std::span<std::byte> scratch, context.scratch(entry->call->convolution().scratchBytes()));
          return entry->call->run({.input = x.span<float>().data(),
                                   .packed = entry->packed.get(),
                                   .weights = entry->packed != nullptr ? nullptr : w.span<float>().data(),
                                   .bias = summand,
                                   .residual = nullptr,
                                   .output = y->span<float>().data(),
                                   .scratch = scratch});
        }
      }
    }
    if (m_attributes.inputLayout != Layout::kPlain || m_attributes.outputLayout != Layout::kPlain)
      return fail(ErrorCode::kNotImplemented, "oneDNN refused a transposed convolution that lies channels last");
    CUTAWAY_TRY(const T* weights, weightsOf(w));
    deconvolveReference<T>(geometry, x.span<T>().data(), weights, summand, y->span<T>().data());
    return {};
  }

 private:
  Result<const T*> weightsOf(const Tensor& w) const {
    if constexpr (std::is_same_v<T, float>) return floatsOf(m_prepared.floats.get(), w);
    return w.span<T>().data();
  }
  std::span<const int64_t> padsOf(const KernelContext& context) const {
    const Tensor* given = m_attributes.padsAreInput && context.inputCount() > 2 ? context.input(2) : nullptr;
    return given == nullptr ? std::span<const int64_t>(m_attributes.window.window.pads) : given->span<int64_t>();
  }

  TransposeAttributes m_attributes;
  PreparedConvolution m_prepared;
};

Result<std::unique_ptr<Kernel>> createConvTranspose(const KernelInfo& info) {
  TransposeAttributes attributes;
  CUTAWAY_TRY(attributes.window, operators::readTransposedWindowAttributes(info.node()));
  attributes.groups = info.attribute<int64_t>("group", 1);
  attributes.padsAreInput = !info.node().domain.empty();
  attributes.inputLayout = info.inputType(0).layout;
  attributes.outputLayout = info.outputType(0).layout;
  if (attributes.groups < 1) return fail(ErrorCode::kInvalidArgument, "ConvTranspose: group is {}", attributes.groups);
  if (info.inputElement(0) == ElementType::kDouble)
    return std::make_unique<ConvTranspose<double>>(std::move(attributes), PreparedConvolution{});
  const Tensor* weights = info.constantInput(1);
  std::optional<math::ConvolutionShape> shape;
  const auto& declared = info.inputType(0).shape;
  const auto dims = declared ? declared->staticDims() : std::nullopt;
  if (dims && weights != nullptr && !attributes.padsAreInput && dims->size() <= math::kMaxSpatialRank + 2 &&
      elementCount(*dims) > 0) {
    CUTAWAY_TRY(const ConvolutionGeometry geometry,
                geometryOf(attributes, attributes.window.window.pads, *dims, weights->dims()));
    shape = shapeOf(attributes, geometry, info.hasInput(2));
  }
  CUTAWAY_TRY(PreparedConvolution prepared, prepareConvolution(weights, shape ? &*shape : nullptr));
  return std::make_unique<ConvTranspose<float>>(std::move(attributes), std::move(prepared));
}

constexpr int kPadsOnHost[] = {2};
constexpr KernelRow kRows[] = {
    {.opType = "ConvTransposeWithDynamicPads",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .hostInputs = kPadsOnHost,
     .fastPath = "onednn",
     .create = createConvTranspose},
    {.opType = "ConvTransposeWithDynamicPads",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kDoubleInput,
     .hostInputs = kPadsOnHost,
     .create = createConvTranspose},
    {.opType = "ConvTransposeWithDynamicPads",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .hostInputs = kPadsOnHost,
     .fastPath = "onednn",
     .create = createThroughFloat<createConvTranspose>},
    {.opType = "ConvTranspose",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "onednn",
     .create = createConvTranspose},
    {.opType = "ConvTranspose", .versions = {1}, .types = kDoubleInput, .create = createConvTranspose},
    {.opType = "ConvTranspose",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "onednn",
     .create = createThroughFloat<createConvTranspose>},
};

}  // namespace

KernelRows kernel_conv_transpose() {
  return kRows;
}

}  // namespace cutaway::cpu
