// com.microsoft BiasGelu, FastGelu, BiasAdd, BiasSplitGelu, BiasDropout; Dropout. Dropouts are those of inference: what
// goes in comes out, and a mask of ones.

#include "engine/operators/bias.h"
#include "providers/cuda/functors/bias_functors.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/kernels/normalization/row_norm.h"

namespace cutaway::cuda {
namespace {

constexpr TypeRule kRules[] = {{0, kNormFloats}};
constexpr InplaceHint kOverFirst[] = {{0, 0, AliasKind::kMayInplace}};
constexpr InplaceHint kOverFirstOrThird[] = {{0, 0, AliasKind::kMayInplace}, {2, 0, AliasKind::kMayInplace}};
constexpr int kSettings[] = {1, 2}, kTraining[] = {3, 4};

enum class Form : uint8_t { kFunction, kAdd, kSplit, kDropout };

class BiasKernel final : public GpuKernel {
 public:
  BiasKernel(const KernelInfo& info, Form form, BiasedFunction function)
      : m_functor(fmt::format("bias.{}", functorType(info.inputElement(0)))), m_form(form), m_function(function) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const auto optional = [&](size_t slot) { return slot < call.inputCount() ? call.input(slot) : nullptr; };
    const Tensor &x = *call.input(0), *bias = optional(1),
                 *residual = m_form == Form::kAdd || m_form == Form::kDropout ? optional(2) : nullptr;
    CUTAWAY_CHECK(operators::checkBiasDropout(m_form == Form::kDropout ? optional(4) : nullptr));
    if (bias != nullptr) CUTAWAY_CHECK(operators::checkBiasOfLastAxes(x, *bias, isRow() ? 1 : x.rank()));
    if (residual != nullptr && (!(residual->dims() == x.dims()) || residual->type() != x.type())) {
      return fail(ErrorCode::kInvalidArgument, "the residual is {}, the first input {}", dimsToText(residual->dims()),
                  dimsToText(x.dims()));
    }
    Dims dims = x.dims();
    if (m_form == Form::kSplit) {
      CUTAWAY_TRY(dims, operators::splitGeluDims(x.dims()));
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    BiasedParameters p{.x = x.data(),
                       .bias = bias == nullptr ? nullptr : bias->data(),
                       .residual = residual == nullptr ? nullptr : residual->data(),
                       .y = y->mutableData(),
                       .count = y->elementCount(),
                       .function = m_function,
                       .split = m_form == Form::kSplit};
    p.width = bias == nullptr ? p.count : p.split ? dims[dims.size() - 1] : bias->elementCount();
    const int64_t bytes = bitsOf(x.type()) / 8;
    p.packed = isPackedBytes(p.x, p.width, bytes) && isPackedBytes(p.y, p.width, bytes) &&
               isPackedBytes(p.bias, p.width, bytes) && isPackedBytes(p.residual, p.width, bytes);
    if (p.count > 0) CUTAWAY_CHECK(call.launch(m_kernel, p));
    if (m_form != Form::kDropout || call.outputCount() < 2 || !call.hasOutput(1)) return {};
    CUTAWAY_TRY(Tensor * mask, call.output(1, x.dims()));
    return mask->sizeBytes() == 0 ? Result<void>{}
                                  : call.fill(mask->mutableData(), 1, static_cast<size_t>(mask->sizeBytes()));
  }
  std::string_view variant() const override { return m_functor; }

 private:
  // One row, or for gelu and dropout more of the last axes, up to the whole input.
  bool isRow() const { return m_form == Form::kAdd || m_form == Form::kSplit; }

  std::string m_functor;
  Form m_form;
  BiasedFunction m_function;
  DeviceKernel m_kernel;
};

template <Form form, BiasedFunction function, size_t inputs>
Result<std::unique_ptr<GpuKernel>> makeBias(const KernelInfo& info) {
  CUTAWAY_CHECK(operators::checkFirstInputs(info.node(), inputs));
  return std::make_unique<BiasKernel>(info, form, function);
}

class DropoutKernel final : public GpuKernel {
 public:
  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_TRY(const bool trains,
                operators::readTrainingMode("Dropout", call.inputCount() > 2 ? call.input(2) : nullptr));
    if (trains) return fail(ErrorCode::kNotImplemented, "Dropout in training mode");
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    if (y->data() != x.data() && x.sizeBytes() > 0)
      CUTAWAY_CHECK(call.copy(y->mutableData(), x.data(), static_cast<size_t>(x.sizeBytes())));
    if (call.outputCount() < 2 || !call.hasOutput(1)) return {};
    CUTAWAY_TRY(Tensor * mask, call.output(1, x.dims()));
    return mask->sizeBytes() == 0 ? Result<void>{}
                                  : call.fill(mask->mutableData(), 1, static_cast<size_t>(mask->sizeBytes()));
  }
  std::string_view variant() const override { return "copy"; }
};

Result<std::unique_ptr<GpuKernel>> makeDropout(const KernelInfo& info) {
  const int32_t version = info.node().sinceVersion;
  if (version < 7 && info.attribute<int64_t>("is_test", 1) == 0)
    return fail(ErrorCode::kNotImplemented, "Dropout in training mode: random numbers are the cpu provider's");
  if (version < 10 && info.hasOutput(1))
    return fail(ErrorCode::kNotImplemented, "Dropout before version 10 with a mask of {}",
                elementTypeName(info.inputElement(0)));
  if (version >= 12 && info.hasInput(2)) {
    const Tensor* training = info.constantInput(2);
    if (training == nullptr) return fail(ErrorCode::kNotImplemented, "Dropout whose training_mode is not a constant");
    CUTAWAY_TRY(const bool trains, operators::readTrainingMode("Dropout", training));
    if (trains)
      return fail(ErrorCode::kNotImplemented, "Dropout in training mode: random numbers are the cpu provider's");
  }
  return std::make_unique<DropoutKernel>();
}

}  // namespace

KernelRows kernel_bias_and_gate() {
  constexpr auto kGelu = BiasedFunction::kGelu, kTanh = BiasedFunction::kGeluTanh, kNone = BiasedFunction::kNone;
  static constexpr KernelRow rows[] = {
      {.opType = "BiasGelu",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .inplace = kOverFirst,
       .fastPath = "cuda",
       .create = gpuKernel<makeBias<Form::kFunction, kGelu, 2>>},
      {.opType = "FastGelu",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .inplace = kOverFirst,
       .fastPath = "cuda",
       .create = gpuKernel<makeBias<Form::kFunction, kTanh, 1>>},
      {.opType = "BiasAdd",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .inplace = kOverFirstOrThird,
       .fastPath = "cuda",
       .create = gpuKernel<makeBias<Form::kAdd, kNone, 3>>},
      {.opType = "BiasSplitGelu",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeBias<Form::kSplit, kGelu, 2>>},
      {.opType = "BiasDropout",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .inplace = kOverFirstOrThird,
       .hostInputs = kTraining,
       .fastPath = "cuda",
       .create = gpuKernel<makeBias<Form::kDropout, kNone, 2>>},
      {.opType = "Dropout",
       .versions = {1, 11},
       .types = kRules,
       .inplace = kOverFirst,
       .fastPath = "cuda",
       .create = gpuKernel<makeDropout>},
      {.opType = "Dropout",
       .versions = {12},
       .types = kRules,
       .inplace = kOverFirst,
       .hostInputs = kSettings,
       .fastPath = "cuda",
       .create = gpuKernel<makeDropout>},
  };
  return rows;
}

}  // namespace cutaway::cuda
