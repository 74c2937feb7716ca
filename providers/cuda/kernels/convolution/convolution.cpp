// Conv, FusedConv, ConvTranspose and what our rewrites make of them: by the library where it has a way for the shape,
// otherwise by the direct functor.
//
// Z is never the output's own memory: a library that splits its sums over blocks would read what it has written.

#include <algorithm>

#include "engine/provider/execution_provider.h"
#include "providers/cuda/kernels/convolution/convolution_rule.h"
#include "providers/cuda/rewrite/rewrite_table.h"

namespace cutaway::cuda {
namespace {

constexpr ElementType kFloats[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                   ElementType::kDouble};
constexpr TypeRule kRules[] = {{0, kFloats}};

// A description and the library's way for it; no operation: it has none.
struct MadeConvolution {
  ConvolutionDescription description;
  std::shared_ptr<Operation> operation;
  bool finished = true;  // the operation does the epilogue, too
};

// The shapes that one frame has seen, beside the one that was known when the kernel was made.
struct ConvolutionState final : KernelState {
  static constexpr size_t kMost = 8;
  std::vector<MadeConvolution> made;
  size_t oldest = 0;
};

class Convolution final : public GpuKernel {
 public:
  Convolution(ConvolutionRule rule, ElementType type)
      : m_rule(std::move(rule)),
        m_type(type),
        m_direct(fmt::format("convolution.{}.{}", m_rule.transposed ? "transposed" : "forward", functorType(type))),
        m_variant(m_direct) {}
  std::string_view variant() const override { return m_variant; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ConvolutionState>(); }

  Result<void> prepare(const KernelInfo& info, GpuResources& resources) override {
    m_resources = &resources;
    CUTAWAY_TRY(m_functor, resources.find(m_direct));
    CUTAWAY_TRY(m_finish, resources.find(fmt::format("convolution.finish.{}", functorType(m_type))));
    CUTAWAY_TRY(m_pack, resources.find(fmt::format("convolution.pack.{}", elementBytes())));
    const auto& declared = info.inputType(0).shape;
    const auto& weights = info.inputType(1).shape;
    const auto x = declared ? declared->staticDims() : std::nullopt;
    const auto w = weights ? weights->staticDims() : std::nullopt;
    if (!x || !w || m_rule.padsAreInput || elementCount(*x) == 0) return {};
    CUTAWAY_TRY(const ConvolutionShape shape, shapeOf(m_rule, *x, *w, m_rule.attributes.window.pads));
    CUTAWAY_TRY(m_known, make(describeConvolution(m_rule, shape, m_type, resources.options().tf32)));
    if (m_known.operation != nullptr) m_variant = m_known.operation->variant();
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &w = *call.input(1);
    const Tensor* bias = optional(call, m_rule.epilogue.bias, m_rule.biasSlot());
    const Tensor* residual = optional(call, m_rule.epilogue.residual, ConvolutionRule::kResidualSlot);
    const Tensor* pads = m_rule.padsAreInput && call.inputCount() > 2 ? call.input(2) : nullptr;
    CUTAWAY_TRY(
        const ConvolutionShape shape,
        shapeOf(m_rule, x.dims(), w.dims(),
                pads != nullptr ? pads->span<int64_t>() : std::span<const int64_t>(m_rule.attributes.window.pads)));
    if (bias != nullptr && bias->elementCount() != shape.filters)
      return fail(ErrorCode::kInvalidArgument, "a bias of {} elements for {} output channels", bias->elementCount(),
                  shape.filters);
    if (residual != nullptr && !std::ranges::equal(std::span<const int64_t>(residual->dims()), shape.output.span())) {
      return fail(ErrorCode::kInvalidArgument, "Z is {}, the result {}", dimsToText(residual->dims()),
                  dimsToText(shape.output.span()));
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, shape.output.span()));
    if (y->elementCount() == 0) return {};
    if (x.elementCount() > 0) {
      CUTAWAY_TRY(const MadeConvolution* made,
                  find(call, describeConvolution(m_rule, shape, m_type, m_resources->options().tf32)));
      if (made->operation != nullptr) return runOperation(call, *made, shape, x, w, bias, residual, *y);
    }
    CUTAWAY_TRY(ConvolutionParameters p, convolutionParameters(m_rule, shape));
    p.x = x.data();
    p.w = w.data();
    p.bias = bias != nullptr ? bias->data() : nullptr;
    p.residual = residual != nullptr ? residual->data() : nullptr;
    p.y = y->mutableData();
    return call.launch(m_functor, p);
  }

 private:
  int elementBytes() const { return bitsOf(m_type) / 8; }
  static const Tensor* optional(GpuCall& call, bool there, size_t slot) {
    return there && slot < call.inputCount() ? call.input(slot) : nullptr;
  }

  // First with everything in one; then the product alone, with the rest in a functor behind it.
  Result<MadeConvolution> make(const ConvolutionDescription& description) const {
    MadeConvolution made{.description = description, .operation = nullptr};
    for (ConvolutionDescription wanted = description;; wanted.epilogue = {}) {
      std::unique_ptr<Operation> operation;
      const Status status = m_resources->backend()->makeConvolution(wanted, m_resources->artifacts(), operation);
      if (status.ok()) {
        made.operation = std::move(operation);
        made.finished = wanted.epilogue == description.epilogue;
        return made;
      }
      if (status.code != StatusCode::kUnsupported) return fail(asError(status, "a convolution"));
      if (wanted.epilogue == Epilogue{}) return made;
    }
  }

  Result<const MadeConvolution*> find(GpuCall& call, const ConvolutionDescription& description) const {
    if (m_known.description == description) return &m_known;
    auto& state = static_cast<ConvolutionState&>(*call.context().state());
    for (const MadeConvolution& each : state.made) {
      if (each.description == description) return &each;
    }
    CUTAWAY_TRY(MadeConvolution made, make(description));
    if (state.made.size() < ConvolutionState::kMost) return &state.made.emplace_back(std::move(made));
    MadeConvolution& replaced = state.made[state.oldest++ % ConvolutionState::kMost];
    replaced = std::move(made);
    return &replaced;
  }

  Result<void> runOperation(GpuCall& call, const MadeConvolution& made, const ConvolutionShape& shape, const Tensor& x,
                            const Tensor& w, const Tensor* bias, const Tensor* residual, Tensor& y) const {
    const void* weights = w.data();
    const int64_t cells = shape.window.kernelCells();
    if (m_rule.channelsLast && !m_rule.weightsLast && cells > 1) {
      CUTAWAY_TRY(void* packed, call.scratch(static_cast<size_t>(w.sizeBytes())));
      const int64_t outer = w.dims()[0], inner = w.dims()[1];
      CUTAWAY_CHECK(call.launch(
          m_pack, PackParameters{.from = w.data(), .to = packed, .outer = outer, .inner = inner, .cells = cells}));
      weights = packed;
    }
    if (made.finished && bias != nullptr && residual != nullptr)
      return call.run(*made.operation, {x.data(), weights, y.data(), bias->data(), residual->data()});
    if (made.finished && (bias != nullptr || residual != nullptr))
      return call.run(*made.operation, {x.data(), weights, y.data(), (bias != nullptr ? bias : residual)->data()});
    CUTAWAY_CHECK(call.run(*made.operation, {x.data(), weights, y.data()}));
    if (made.finished) return {};
    CUTAWAY_TRY(ConvolutionParameters p, convolutionParameters(m_rule, shape));
    p.bias = bias != nullptr ? bias->data() : nullptr;
    p.residual = residual != nullptr ? residual->data() : nullptr;
    p.y = y.mutableData();
    return call.launch(m_finish, p);
  }

  ConvolutionRule m_rule;
  ElementType m_type;
  std::string m_direct;
  std::string m_variant;
  GpuResources* m_resources = nullptr;
  DeviceKernel m_functor, m_finish, m_pack;
  MadeConvolution m_known;
};

Result<std::unique_ptr<GpuKernel>> makeConvolutionKernel(const KernelInfo& info) {
  CUTAWAY_TRY(ConvolutionRule rule, readConvolutionRule(info));
  return std::make_unique<Convolution>(std::move(rule), info.inputElement(0));
}

constexpr int kPadsOnHost[] = {2};

}  // namespace

KernelRows kernel_convolution() {
  static constexpr KernelRow rows[] = {
      {.opType = "Conv",
       .versions = {1},
       .types = kRules,
       .fastPath = "cudnn",
       .create = gpuKernel<makeConvolutionKernel>},
      {.opType = "FusedConv",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .fastPath = "cudnn",
       .create = gpuKernel<makeConvolutionKernel>},
      {.opType = "NhwcConv",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .fastPath = "cudnn",
       .create = gpuKernel<makeConvolutionKernel>},
      {.opType = "ConvTranspose",
       .versions = {1},
       .types = kRules,
       .fastPath = "cudnn",
       .create = gpuKernel<makeConvolutionKernel>},
      {.opType = "ConvTransposeWithDynamicPads",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .hostInputs = kPadsOnHost,
       .fastPath = "cudnn",
       .create = gpuKernel<makeConvolutionKernel>},
      {.opType = "Conv",
       .domain = kChannelsLastDomain,
       .versions = {1},
       .types = kRules,
       .fastPath = "cudnn",
       .create = gpuKernel<makeConvolutionKernel>},
      {.opType = "FusedConv",
       .domain = kChannelsLastDomain,
       .versions = {1},
       .types = kRules,
       .fastPath = "cudnn",
       .create = gpuKernel<makeConvolutionKernel>},
      {.opType = "ConvTranspose",
       .domain = kChannelsLastDomain,
       .versions = {1},
       .types = kRules,
       .fastPath = "cudnn",
       .create = gpuKernel<makeConvolutionKernel>},
      {.opType = "Conv",
       .domain = kCudaDomain,
       .versions = {1},
       .types = kRules,
       .fastPath = "cudnn",
       .create = gpuKernel<makeConvolutionKernel>},
      {.opType = "ConvTranspose",
       .domain = kCudaDomain,
       .versions = {1},
       .types = kRules,
       .fastPath = "cudnn",
       .create = gpuKernel<makeConvolutionKernel>},
  };
  return rows;
}

}  // namespace cutaway::cuda
