// Arithmetic of two or more tensors, with the broadcasting that the library has: one operand has the shape of the
// result.
#include <algorithm>

#include "providers/onednn/chain.h"
#include "providers/onednn/operators/window.h"

namespace cutaway::onednn {

namespace {

using dnnl::algorithm;

algorithm algorithmOf(std::string_view op) {
  if (op == "Sub") return algorithm::binary_sub;
  if (op == "Mul") return algorithm::binary_mul;
  if (op == "Div") return algorithm::binary_div;
  if (op == "Max") return algorithm::binary_max;
  if (op == "Min") return algorithm::binary_min;
  return algorithm::binary_add;
}

bool commutes(algorithm kind) {
  return kind != algorithm::binary_sub && kind != algorithm::binary_div;
}

std::vector<int64_t> broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<int64_t> result(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < result.size(); ++i) {
    const int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1, right = i < b.size() ? b[b.size() - 1 - i] : 1;
    result[result.size() - 1 - i] = left == 1 ? right : left;
  }
  return result;
}

Dimensions padded(std::vector<int64_t> dims, size_t rank) {
  rank = std::max<size_t>(rank, 1);
  dims.insert(dims.begin(), rank - dims.size(), 1);
  return dims;
}

struct Operand {
  std::vector<int64_t> dims;
  Stored stored;
};

bool isPlain(const Stored& stored) {
  return stored.descriptor == plainDescriptor(stored.descriptor.dims(), stored.descriptor.data_type());
}

// Operands of one shape meet in one order: the blocked one, when only one of them is.
Result<void> agree(PlanBuilder& builder, Stored& left, Stored& right) {
  if (left.descriptor.dims() != right.descriptor.dims() || left.descriptor == right.descriptor) return {};
  if (isPlain(left)) {
    CUTAWAY_TRY(left, builder.reordered(left, right.descriptor));
  } else {
    CUTAWAY_TRY(right, builder.reordered(right, left.descriptor));
  }
  return {};
}

Result<Operand> combine(PlanBuilder& builder, algorithm kind, Operand a, Operand b, Chain* chain) {
  const std::vector<int64_t> shape = broadcast(a.dims, b.dims);
  if (a.dims != shape && commutes(kind)) std::swap(a, b);
  const Dimensions dims = padded(shape, shape.size());
  Stored left, right;
  CUTAWAY_CHECK(attempt("binary", [&] {
    auto first = builder.viewed(a.stored, padded(a.dims, dims.size()));
    auto second = builder.viewed(b.stored, padded(b.dims, dims.size()));
    if (!first || !second) throw std::runtime_error("operands cannot be viewed");
    left = *first;
    right = *second;
  }));
  CUTAWAY_CHECK(agree(builder, left, right));
  const int64_t work = product(dims) * 8;
  using Description = dnnl::binary::primitive_desc;
  const DataType type = left.descriptor.data_type();
  const auto make = [&](const dnnl::primitive_attr& attributes) {
    const Descriptor result = left.descriptor.dims() == dims ? left.descriptor : anyOrder(dims, type);
    return Description(dnnl::binary::desc(kind, left.descriptor, right.descriptor, result), attributes, engine());
  };
  Chain none{{}, {}};
  CUTAWAY_TRY(auto fused, fuseLongest<Description>(builder, chain != nullptr ? *chain : none, dims, false, work, make));
  StepArguments arguments = fused.epilogue.arguments;
  Stored result;
  CUTAWAY_CHECK(attempt("binary", [&] {
    const Descriptor made = fused.description.dst_desc();
    const bool inPlace = made == left.descriptor && builder.mayOverwrite(left) && left.buffer != right.buffer;
    result = inPlace ? left : builder.working(made);
    if (inPlace) builder.overwrite(left);
  }));
  arguments.insert(arguments.end(), {{DNNL_ARG_SRC_0, left}, {DNNL_ARG_SRC_1, right}, {DNNL_ARG_DST, result}});
  CUTAWAY_CHECK(builder.addStep<dnnl::binary>(fused.description, std::move(arguments), work));
  return Operand{shape, result};
}

Result<void> lowerBinary(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const auto operand = [&](size_t slot) {
    const Stored stored = builder.stored(node.inputs[slot]);
    return Operand{builder.dims(node.inputs[slot]), stored};
  };
  Operand sum = operand(0);
  std::vector<int64_t> shape = sum.dims;
  for (size_t slot = 1; slot < node.inputs.size(); ++slot)
    shape = broadcast(shape, operand(slot).dims);
  Chain chain = node.inputs.size() > 1 ? chainFrom(builder, node.outputs[0], shape) : Chain{node.outputs[0], {}};
  for (size_t slot = 1; slot < node.inputs.size(); ++slot) {
    const bool last = slot + 1 == node.inputs.size();
    CUTAWAY_TRY(sum, combine(builder, algorithmOf(node.opType), sum, operand(slot), last ? &chain : nullptr));
  }
  builder.define(chain.result(), sum.dims, sum.stored);
  return {};
}

std::optional<ChainLink> linkBinary(PlanBuilder& builder, NodeId id, ValueId through) {
  const Node& node = builder.node(id);
  if (node.inputs.size() != 2) return std::nullopt;
  const algorithm kind = algorithmOf(node.opType);
  const bool second = node.inputs[1] == through;
  if (second && !commutes(kind)) return std::nullopt;
  return ChainLink{.binary = kind, .other = node.inputs[second ? 0 : 1]};
}

// Which operand has the result's shape, as far as shapes are known.
std::optional<Objection> checkBinary(const KernelInfo& info) {
  const algorithm kind = algorithmOf(info.node().opType);
  const ValueType& left = info.inputType(0);
  std::optional<Shape> shape = left.shape;
  for (size_t slot = 1; slot < info.inputCount(); ++slot) {
    const ValueType& right = info.inputType(slot);
    if (!shape || !right.shape) return std::nullopt;
    bool leftFull = shape->rank() >= right.shape->rank(), rightFull = right.shape->rank() >= shape->rank();
    for (size_t i = 0; i < std::min(shape->rank(), right.shape->rank()); ++i) {
      const Dim &a = (*shape)[shape->rank() - 1 - i], &b = (*right.shape)[right.shape->rank() - 1 - i];
      if (a.sameAs(b)) continue;
      const bool aOne = a.isKnown() && a.value() == 1, bOne = b.isKnown() && b.value() == 1;
      if (!bOne) leftFull = false;
      if (!aOne) rightFull = false;
    }
    if (!leftFull && !(rightFull && commutes(kind))) {
      return Objection{
          RefusalCause::kShape, "the library's binary primitive broadcasts only its second operand",
          fmt::format("{}.broadcast", info.node().opType),
          fmt::format("{} and {}", toText(*shape), toText(*right.shape)),
          commutes(kind) ? "one operand with the shape of the result" : "a first operand with the shape of the result"};
    }
    if (!leftFull) shape = right.shape;
  }
  return std::nullopt;
}

constexpr OperatorRow row(std::string_view opType) {
  return {.opType = opType,
          .versions = {7},
          .dataInputs = -1,
          .maximumRank = 5,
          .check = checkBinary,
          .lower = lowerBinary,
          .link = linkBinary};
}
constexpr OperatorRow many(std::string_view opType) {
  OperatorRow made = row(opType);
  made.versions = {8};
  return made;
}
constexpr OperatorRow kRows[] = {row("Add"), row("Sub"), row("Mul"), row("Div"), many("Max"), many("Min"), many("Sum")};

}  // namespace

OperatorRows operators_binary() {
  return kRows;
}

}  // namespace cutaway::onednn
