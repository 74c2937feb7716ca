// Matrix products: MatMul, Gemm and FusedMatMul. A product with one matrix on the right runs as a single large product,
// whatever stands in front.
#include <algorithm>

#include "providers/onednn/chain.h"
#include "providers/onednn/operators/window.h"

namespace cutaway::onednn {

namespace {

// What the node wants, in the shape of the library.
struct Product {
  Dimensions left, right, result;  // [batch..., M, K], [batch..., K, N], [batch..., M, N]
  bool leftTransposed = false, rightTransposed = false;
  std::vector<int64_t> resultDims;  // as ONNX has them
  float scale = 1;
};

Result<Product> productOf(PlanBuilder& builder, const Node& node) {
  Product product;
  product.leftTransposed = node.attributeOr<int64_t>("transA", 0) != 0;
  product.rightTransposed = node.attributeOr<int64_t>("transB", 0) != 0;
  product.scale = node.attributeOr<float>("alpha", 1.0f);
  Dimensions left = builder.dims(node.inputs[0]), right = builder.dims(node.inputs[1]);
  const bool vectorLeft = left.size() == 1, vectorRight = right.size() == 1;
  if (left.empty() || right.empty()) return fail(ErrorCode::kInvalidGraph, "{} of a scalar", node.opType);
  if (vectorLeft) left.insert(left.begin(), 1);
  if (vectorRight) right.push_back(1);
  if (product.leftTransposed) std::swap(left[left.size() - 1], left[left.size() - 2]);
  if (product.rightTransposed) std::swap(right[right.size() - 1], right[right.size() - 2]);
  const int64_t m = left[left.size() - 2], k = left.back(), n = right.back();
  if (right[right.size() - 2] != k)
    return fail(ErrorCode::kInvalidGraph, "{}: {} columns meet {} rows", node.opType, k, right[right.size() - 2]);
  const size_t rank = std::max(left.size(), right.size());
  left.insert(left.begin(), rank - left.size(), 1);
  right.insert(right.begin(), rank - right.size(), 1);
  for (size_t axis = 0; axis + 2 < rank; ++axis) {
    if (left[axis] != right[axis] && left[axis] != 1 && right[axis] != 1)
      return fail(ErrorCode::kInvalidGraph, "{}: {} and {} do not broadcast", node.opType, left[axis], right[axis]);
    product.resultDims.push_back(std::max(left[axis], right[axis]));
  }
  product.result = product.resultDims;
  product.result.insert(product.result.end(), {m, n});
  if (!vectorLeft) product.resultDims.push_back(m);
  if (!vectorRight) product.resultDims.push_back(n);
  const int64_t rightMatrices = cutaway::elementCount(std::span(right).first(rank - 2));
  if (rank > 2 && rightMatrices == 1 && !product.leftTransposed) {
    const int64_t rows = cutaway::elementCount(std::span(left).first(rank - 1));
    left = {rows, k};
    right = {k, n};
    product.result = {rows, n};
  }
  product.left = left;
  product.right = right;
  return product;
}

Descriptor swapLast(const Descriptor& descriptor) {
  std::vector<int> order(descriptor.dims().size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<int>(i);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return descriptor.permute_axes(order);
}

// The operand with the product's dims; a transposed one is seen through its strides.
Result<Stored> operand(PlanBuilder& builder, ValueId value, Dimensions dims, bool transposed) {
  if (transposed) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
  const Stored given = builder.stored(value);
  CUTAWAY_TRY(const Stored plain,
              builder.reordered(given, plainDescriptor(given.descriptor.dims(), given.descriptor.data_type())));
  Stored seen{plain.buffer, plainDescriptor(dims, plain.descriptor.data_type())};
  if (transposed) seen.descriptor = swapLast(seen.descriptor);
  return seen;
}

// Gemm's third input as a bias of the primitive: a constant that is one row. beta goes into its numbers.
Result<std::optional<Stored>> constantRow(PlanBuilder& builder, const Node& node, const Product& product) {
  if (node.opType != "Gemm" || node.inputs.size() < 3 || product.scale != 1.0f) return std::nullopt;
  const Tensor* tensor = builder.constant(node.inputs[2]);
  if (tensor == nullptr || tensor->type() != ElementType::kFloat) return std::nullopt;
  const int64_t n = product.result.back();
  if (tensor->elementCount() != 1 && (tensor->elementCount() != n || tensor->dims().end()[-1] != n))
    return std::nullopt;
  const float beta = node.attributeOr<float>("beta", 1.0f);
  std::vector<float> row(static_cast<size_t>(n));
  for (size_t i = 0; i < row.size(); ++i)
    row[i] = beta * tensor->span<float>()[tensor->elementCount() == 1 ? 0 : i];
  CUTAWAY_TRY(const Stored bias, builder.floats(row, {1, n}));
  return std::optional<Stored>(bias);
}

// The summand of a Gemm times beta, as it is added to the product.
Result<Stored> scaledSummand(PlanBuilder& builder, const Node& node, const Dimensions& result) {
  const Stored given = builder.stored(node.inputs[2]);
  Dimensions dims = builder.dimensions(node.inputs[2]);
  dims.insert(dims.begin(), result.size() - std::min(result.size(), dims.size()), 1);
  CUTAWAY_TRY(const Stored seen, builder.viewed(given, dims));
  CUTAWAY_TRY(const Stored plain, builder.reordered(seen, plainDescriptor(dims, DataType::f32)));
  const float beta = node.attributeOr<float>("beta", 1.0f);
  if (beta == 1.0f) return plain;
  const dnnl::eltwise_forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_linear,
                                                plain.descriptor, beta, 0.0f);
  const dnnl::eltwise_forward::primitive_desc chosen(description, newAttributes(), engine());
  const Stored scaled = builder.working(plain.descriptor);
  CUTAWAY_CHECK(builder.addStep<dnnl::eltwise_forward>(chosen, {{DNNL_ARG_SRC, plain}, {DNNL_ARG_DST, scaled}},
                                                       onednn::product(dims)));
  return scaled;
}

// alpha and the summand come first among the post-operations.
Result<Epilogue> ownEpilogue(PlanBuilder& builder, const Node& node, const Product& product, bool summand) {
  Epilogue epilogue{newAttributes(), {}, std::nullopt};
  dnnl::post_ops operations;
  if (product.scale != 1.0f) operations.append_eltwise(1.0f, dnnl::algorithm::eltwise_linear, product.scale, 0.0f);
  if (summand) {
    CUTAWAY_TRY(const Stored scaled, scaledSummand(builder, node, product.result));
    epilogue.arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(operations.len()) | DNNL_ARG_SRC_1, scaled);
    operations.append_binary(dnnl::algorithm::binary_add, scaled.descriptor);
  }
  epilogue.attributes.set_post_ops(operations);
  return epilogue;
}

// One row times a constant matrix reads each weight once: they stay as they lie, and the library's matrix-vector
// product streams them.
Result<void> lowerRow(PlanBuilder& builder, const Node& node, const Product& product, const Stored& left,
                      const Stored& right, const std::optional<Stored>& bias) {
  using Forward = dnnl::inner_product_forward;
  using Description = Forward::primitive_desc;
  const int64_t work = onednn::product(product.right);
  Chain chain = chainFrom(builder, node.outputs[0], product.resultDims);
  const Stored weights{right.buffer, swapLast(right.descriptor)};
  const Descriptor wantedBias = bias ? plainDescriptor(Dimensions{product.result.back()}, DataType::f32) : Descriptor();
  const auto make = [&](const dnnl::primitive_attr& attributes) {
    return Description(Forward::desc(dnnl::prop_kind::forward_inference, left.descriptor, weights.descriptor,
                                     wantedBias, plainDescriptor(product.result, DataType::f32)),
                       attributes, engine());
  };
  CUTAWAY_TRY(auto fused, fuseLongest<Description>(builder, chain, product.result, true, work, make));
  StepArguments arguments = fused.epilogue.arguments;
  if (bias) arguments.emplace_back(DNNL_ARG_BIAS, Stored{bias->buffer, wantedBias});
  CUTAWAY_TRY(const Stored result, resultOf(builder, fused.epilogue, fused.description.dst_desc()));
  arguments.insert(arguments.end(), {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, result}});
  CUTAWAY_CHECK(builder.addStep<Forward>(fused.description, std::move(arguments), work));
  builder.define(chain.result(), product.resultDims,
                 Stored{result.buffer, plainDescriptor(product.resultDims, DataType::f32)});
  return {};
}

Result<void> lowerProduct(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  CUTAWAY_TRY(const Product product, productOf(builder, node));
  Stored left, right;
  std::optional<Stored> bias;
  Result<void> done;
  CUTAWAY_CHECK(attempt(node.opType, [&] {
    done = [&]() -> Result<void> {
      CUTAWAY_TRY(left, operand(builder, node.inputs[0], product.left, product.leftTransposed));
      CUTAWAY_TRY(right, operand(builder, node.inputs[1], product.right, product.rightTransposed));
      CUTAWAY_TRY(bias, constantRow(builder, node, product));
      return {};
    }();
  }));
  CUTAWAY_CHECK(done);
  const bool packs = builder.isConstant(node.inputs[1]);
  const bool summand = node.opType == "Gemm" && !bias && node.inputs.size() > 2 && node.inputs[2].valid();
  using Description = dnnl::matmul::primitive_desc;
  const int64_t work = onednn::product(product.result) * product.left.back();
  const bool rounds = packs && product.right.size() == 2 &&
                      math::roundsToBfloat16(builder.precision(), product.right[0], product.right[1]);
  const DataType factors = rounds ? DataType::bf16 : DataType::f32;
  if (rounds) {
    CUTAWAY_TRY(left, builder.reordered(left, plainDescriptor(product.left, factors)));
  }
  const Descriptor wantedRight = packs ? anyOrder(product.right, factors) : right.descriptor;
  const Descriptor wantedBias = bias ? plainDescriptor(
                                           [&] {
                                             Dimensions row(product.result.size(), 1);
                                             row.back() = product.result.back();
                                             return row;
                                           }(),
                                           DataType::f32)
                                     : Descriptor();
  const auto make = [&](const dnnl::primitive_attr& attributes) {
    return Description(
        dnnl::matmul::desc(left.descriptor, wantedRight, wantedBias, plainDescriptor(product.result, DataType::f32)),
        attributes, engine());
  };
  const bool alone = product.scale == 1.0f && !summand;
  if (alone && packs && !rounds && product.result.size() == 2 && product.result[0] == 1) {
    CUTAWAY_CHECK(attempt(node.opType, [&] { done = lowerRow(builder, node, product, left, right, bias); }));
    return done;
  }
  if (alone) {
    Chain chain = chainFrom(builder, node.outputs[0], product.resultDims);
    CUTAWAY_TRY(auto fused, fuseLongest<Description>(builder, chain, product.result, true, work, make));
    CUTAWAY_TRY(const Stored weights, builder.reordered(right, fused.description.weights_desc()));
    StepArguments arguments = fused.epilogue.arguments;
    if (bias) arguments.emplace_back(DNNL_ARG_BIAS, Stored{bias->buffer, wantedBias});
    CUTAWAY_TRY(const Stored result, resultOf(builder, fused.epilogue, fused.description.dst_desc()));
    arguments.insert(arguments.end(), {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, result}});
    CUTAWAY_CHECK(builder.addStep<dnnl::matmul>(fused.description, std::move(arguments), work));
    builder.define(chain.result(), product.resultDims,
                   Stored{result.buffer, plainDescriptor(product.resultDims, DataType::f32)});
    return {};
  }
  std::optional<Description> chosen;
  Epilogue epilogue;
  CUTAWAY_CHECK(attempt(node.opType, [&] {
    auto made = ownEpilogue(builder, node, product, summand);
    if (!made) throw std::runtime_error(made.error().message);
    epilogue = *std::move(made);
    const ThreadShare share(builder.threadsFor(work));
    chosen.emplace(make(epilogue.attributes));
  }));
  CUTAWAY_TRY(const Stored weights, builder.reordered(right, chosen->weights_desc()));
  StepArguments arguments = epilogue.arguments;
  const Stored result = builder.working(chosen->dst_desc());
  if (bias) arguments.emplace_back(DNNL_ARG_BIAS, Stored{bias->buffer, wantedBias});
  arguments.insert(arguments.end(), {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, result}});
  CUTAWAY_CHECK(builder.addStep<dnnl::matmul>(*chosen, std::move(arguments), work));
  builder.define(node.outputs[0], product.resultDims,
                 Stored{result.buffer, plainDescriptor(product.resultDims, DataType::f32)});
  return {};
}

std::optional<Objection> checkGemm(const KernelInfo& info) {
  if (info.attribute<float>("beta", 1.0f) == 0.0f && info.hasInput(2)) {
    return Objection{RefusalCause::kAttribute, "a summand that counts nothing is left to the kernels",
                     "Gemm.attributes.beta", "beta = 0", "a Gemm without input C"};
  }
  return std::nullopt;
}
std::optional<Objection> checkFused(const KernelInfo& info) {
  for (const char* name : {"transBatchA", "transBatchB"}) {
    if (info.attribute<int64_t>(name, 0) != 0)
      return Objection{RefusalCause::kAttribute, "batches are not transposed",
                       fmt::format("FusedMatMul.attributes.{}", name), fmt::format("{} = 1", name),
                       fmt::format("{} = 0", name)};
  }
  return std::nullopt;
}

constexpr OperatorRow kRows[] = {
    {.opType = "MatMul", .dataInputs = 2, .minimumRank = 1, .heavy = true, .lower = lowerProduct},
    {.opType = "Gemm",
     .versions = {7},
     .dataInputs = -1,
     .minimumRank = 2,
     .maximumRank = 2,
     .heavy = true,
     .check = checkGemm,
     .lower = lowerProduct},
    {.opType = "FusedMatMul",
     .domain = "com.microsoft",
     .dataInputs = 2,
     .minimumRank = 1,
     .heavy = true,
     .check = checkFused,
     .lower = lowerProduct},
};

}  // namespace

OperatorRows operators_matmul() {
  return kRows;
}

}  // namespace cutaway::onednn
