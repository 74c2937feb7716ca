// com.microsoft QLinearAdd, QLinearMul, QLinearSigmoid, QLinearLeakyRelu, QLinearSoftmax and QLinearConcat: arithmetic
// on 8-bit integers with scales of whole tensors.

#include "engine/operators/broadcast.h"
#include "engine/operators/join_and_split.h"
#include "providers/cuda/kernels/index_plan.h"
#include "providers/cuda/kernels/quantize/linear_scales.h"

namespace cutaway::cuda {
namespace {

class OneFunctor : public GpuKernel {
 public:
  explicit OneFunctor(const char* functor) : m_functor(functor) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }
  std::string_view variant() const override { return m_functor; }

 protected:
  const char* m_functor;
  DeviceKernel m_kernel;
};

// A, scale, zero; B, scale, zero; C scale, zero; C = A op B with numpy's broadcasting.
class LinearBinaryKernel final : public OneFunctor {
 public:
  explicit LinearBinaryKernel(bool isProduct) : OneFunctor("linear.binary"), m_isProduct(isProduct) {}

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* a, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* b, requireTensor(call, 3));
    if (a->type() != b->type())
      return fail(ErrorCode::kInvalidArgument, "A is of type {}, B of {}", elementTypeName(a->type()),
                  elementTypeName(b->type()));
    LinearBinaryParameters parameters{.a = static_cast<const uint8_t*>(a->data()),
                                      .b = static_cast<const uint8_t*>(b->data()),
                                      .isSigned = isSigned(*a),
                                      .isProduct = m_isProduct};
    CUTAWAY_TRY(parameters.scaleA, linearScale(call, 1, 2, a->type()));
    CUTAWAY_TRY(parameters.scaleB, linearScale(call, 4, 5, a->type()));
    CUTAWAY_TRY(parameters.scaleY, linearScale(call, 6, 7, a->type()));
    CUTAWAY_TRY(const Dims dims, operators::broadcastDims({&a->dims(), &b->dims()}));
    CUTAWAY_TRY(parameters.map,
                broadcastMap<2>(dims, {std::span<const int64_t>(a->dims()), std::span<const int64_t>(b->dims())}));
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    parameters.y = static_cast<uint8_t*>(output->mutableData());
    parameters.count = output->elementCount();
    if (parameters.count == 0) return {};
    return call.launch(m_kernel, parameters);
  }

 private:
  bool m_isProduct;
};

class LinearUnaryKernel final : public OneFunctor {
 public:
  LinearUnaryKernel(LinearFunction function, float alpha)
      : OneFunctor("linear.unary"), m_function(function), m_alpha(alpha) {}

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(call, 0));
    const int64_t count = x->elementCount();
    LinearUnaryParameters parameters{.x = static_cast<const uint8_t*>(x->data()),
                                     .count = count,
                                     .run = count,
                                     .isSigned = isSigned(*x),
                                     .function = m_function,
                                     .alpha = m_alpha};
    CUTAWAY_TRY(parameters.scaleX, linearScale(call, 1, 2, x->type()));
    CUTAWAY_TRY(parameters.scaleY, linearScale(call, 3, 4, x->type()));
    CUTAWAY_TRY(Tensor * y, call.output(0, x->dims()));
    parameters.y = static_cast<uint8_t*>(y->mutableData());
    if (count == 0) return {};
    return call.launch(m_kernel, parameters);
  }

 private:
  LinearFunction m_function;
  float m_alpha;
};

// Rows of [outer, length, inner]: before opset 13 the axes from `axis` on are one row, since then `axis` alone is.
class LinearSoftmaxKernel final : public OneFunctor {
 public:
  LinearSoftmaxKernel(int64_t axis, bool flattens) : OneFunctor("linear.softmax"), m_axis(axis), m_flattens(flattens) {}

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(call, 0));
    CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, x->rank()));
    const size_t axis = static_cast<size_t>(resolved);
    LinearRowParameters parameters{.x = static_cast<const uint8_t*>(x->data()), .isSigned = isSigned(*x)};
    CUTAWAY_TRY(parameters.scaleX, linearScale(call, 1, 2, x->type()));
    CUTAWAY_TRY(parameters.scaleY, linearScale(call, 3, 4, x->type()));
    CUTAWAY_TRY(Tensor * y, call.output(0, x->dims()));
    if (x->elementCount() == 0) return {};
    parameters.y = static_cast<uint8_t*>(y->mutableData());
    parameters.outer = productOf(x->dims(), 0, axis);
    parameters.inner = m_flattens ? 1 : productOf(x->dims(), axis + 1, x->rank());
    parameters.length = x->elementCount() / (parameters.outer * parameters.inner);
    return call.launch(m_kernel, parameters);
  }

 private:
  int64_t m_axis;
  bool m_flattens;
};

// Scale and zero point of the result, then tensor, scale, zero point for each part.
class LinearConcatKernel final : public OneFunctor {
 public:
  explicit LinearConcatKernel(int64_t axis) : OneFunctor("linear.unary"), m_axis(axis) {}

  Result<void> launch(GpuCall& call) const override {
    constexpr operators::PartSlots kParts = operators::kLinearParts;
    CUTAWAY_TRY(const operators::JoinedDims joined, operators::joinedDims(call, m_axis, kParts));
    CUTAWAY_TRY(const LinearScale to, linearScale(call, 0, 1, call.input(kParts.first)->type()));
    const size_t axis = joined.axis;
    const Dims& dims = joined.dims;
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    const int64_t inner = productOf(dims, axis + 1, dims.size());
    auto* place = static_cast<uint8_t*>(output->mutableData());
    for (size_t slot = kParts.first; slot < call.inputCount(); slot += kParts.step) {
      const Tensor& part = *call.input(slot);
      LinearUnaryParameters parameters{.x = static_cast<const uint8_t*>(part.data()),
                                       .y = place,
                                       .count = part.elementCount(),
                                       .run = part.dims()[axis] * inner,
                                       .yRun = dims[axis] * inner,
                                       .scaleY = to,
                                       .isSigned = isSigned(part)};
      CUTAWAY_TRY(parameters.scaleX, linearScale(call, slot + 1, slot + 2, part.type()));
      if (parameters.count > 0) CUTAWAY_CHECK(call.launch(m_kernel, parameters));
      place += parameters.run;
    }
    return {};
  }

 private:
  int64_t m_axis;
};

Result<std::unique_ptr<GpuKernel>> makeBinary(const KernelInfo& info) {
  return std::make_unique<LinearBinaryKernel>(info.node().opType == "QLinearMul");
}
Result<std::unique_ptr<GpuKernel>> makeUnary(const KernelInfo& info) {
  return std::make_unique<LinearUnaryKernel>(
      info.node().opType == "QLinearSigmoid" ? LinearFunction::kSigmoid : LinearFunction::kLeakyRelu,
      info.attribute<float>("alpha", 0.01f));
}
Result<std::unique_ptr<GpuKernel>> makeSoftmax(const KernelInfo& info) {
  return std::make_unique<LinearSoftmaxKernel>(info.attribute<int64_t>("axis", -1),
                                               info.attribute<int64_t>("opset", 13) < 13);
}
Result<std::unique_ptr<GpuKernel>> makeConcat(const KernelInfo& info) {
  CUTAWAY_CHECK(operators::checkLinearConcat(info.inputCount()));
  return std::make_unique<LinearConcatKernel>(info.attribute<int64_t>("axis", 0));
}

constexpr InplaceHint kEither[] = {{.input = 0, .output = 0}, {.input = 3, .output = 0}};
constexpr InplaceHint kOver[] = {{.input = 0, .output = 0}};
constexpr ElementType kFloat[] = {ElementType::kFloat};
constexpr TypeRule kBinaryRules[] = {{0, kByteTypes}, {3, kByteTypes}, {1, kFloat}, {4, kFloat}, {6, kFloat}};
constexpr TypeRule kUnaryRules[] = {{0, kByteTypes}, {1, kFloat}, {3, kFloat}};
constexpr TypeRule kConcatRules[] = {{0, kFloat}, {1, kByteTypes}, {2, kByteTypes}};

}  // namespace

KernelRows kernel_linear_arithmetic() {
  static constexpr KernelRow rows[] = {
      {.opType = "QLinearAdd",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kBinaryRules,
       .inplace = kEither,
       .fastPath = "cuda",
       .create = gpuKernel<makeBinary>},
      {.opType = "QLinearMul",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kBinaryRules,
       .inplace = kEither,
       .fastPath = "cuda",
       .create = gpuKernel<makeBinary>},
      {.opType = "QLinearSigmoid",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kUnaryRules,
       .inplace = kOver,
       .fastPath = "cuda",
       .create = gpuKernel<makeUnary>},
      {.opType = "QLinearLeakyRelu",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kUnaryRules,
       .inplace = kOver,
       .fastPath = "cuda",
       .create = gpuKernel<makeUnary>},
      {.opType = "QLinearSoftmax",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kUnaryRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeSoftmax>},
      {.opType = "QLinearConcat",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kConcatRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeConcat>},
  };
  return rows;
}

}  // namespace cutaway::cuda
