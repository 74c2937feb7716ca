#include "providers/cuda/chain/chain_builder.h"

#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

#include "engine/graph/graph_query.h"
#include "engine/operators/fused_activation.h"
#include "engine/tensor/narrow_float.h"

namespace cutaway::cuda {
namespace {

using operators::ElementFunction;

// The step that computes a function; none: chains have no such step, or one of another form.
std::optional<ChainOp> stepOf(ElementFunction function) {
  using F = ElementFunction;
  static const std::unordered_map<ElementFunction, ChainOp> steps{
      {F::kAbs, ChainOp::kAbs},
      {F::kNeg, ChainOp::kNeg},
      {F::kSign, ChainOp::kSign},
      {F::kFloor, ChainOp::kFloor},
      {F::kCeil, ChainOp::kCeil},
      {F::kRound, ChainOp::kRound},
      {F::kReciprocal, ChainOp::kReciprocal},
      {F::kSqrt, ChainOp::kSqrt},
      {F::kExp, ChainOp::kExp},
      {F::kLog, ChainOp::kLog},
      {F::kErf, ChainOp::kErf},
      {F::kSin, ChainOp::kSin},
      {F::kCos, ChainOp::kCos},
      {F::kTan, ChainOp::kTan},
      {F::kAtan, ChainOp::kAtan},
      {F::kSinh, ChainOp::kSinh},
      {F::kCosh, ChainOp::kCosh},
      {F::kTanh, ChainOp::kTanh},
      {F::kRelu, ChainOp::kRelu},
      {F::kSigmoid, ChainOp::kSigmoid},
      {F::kHardSwish, ChainOp::kHardSwish},
      {F::kMish, ChainOp::kMish},
      {F::kSoftplus, ChainOp::kSoftplus},
      {F::kSoftsign, ChainOp::kSoftsign},
      {F::kLeakyRelu, ChainOp::kLeakyRelu},
      {F::kElu, ChainOp::kElu},
      {F::kCelu, ChainOp::kCelu},
      {F::kThresholdedRelu, ChainOp::kThresholdedRelu},
      {F::kSwish, ChainOp::kSwish},
      {F::kHardSigmoid, ChainOp::kHardSigmoid},
      {F::kSelu, ChainOp::kSelu},
      {F::kShrink, ChainOp::kShrink},
      {F::kGelu, ChainOp::kGelu},
      {F::kAdd, ChainOp::kAdd},
      {F::kSub, ChainOp::kSub},
      {F::kMul, ChainOp::kMul},
      {F::kDiv, ChainOp::kDiv},
      {F::kPow, ChainOp::kPow},
      {F::kPRelu, ChainOp::kPRelu},
      {F::kWhere, ChainOp::kWhere},
      {F::kEqual, ChainOp::kEqual},
      {F::kLess, ChainOp::kLess},
      {F::kLessOrEqual, ChainOp::kLessOrEqual},
      {F::kGreater, ChainOp::kGreater},
      {F::kGreaterOrEqual, ChainOp::kGreaterOrEqual},
      {F::kAnd, ChainOp::kAnd},
      {F::kOr, ChainOp::kOr},
      {F::kXor, ChainOp::kXor},
      {F::kNot, ChainOp::kNot},
      {F::kIsNaN, ChainOp::kIsNaN},
  };
  const auto step = steps.find(function);
  return step == steps.end() ? std::nullopt : std::optional(step->second);
}

bool isTruth(ElementFunction function) {
  switch (function) {
    case ElementFunction::kEqual:
    case ElementFunction::kLess:
    case ElementFunction::kLessOrEqual:
    case ElementFunction::kGreater:
    case ElementFunction::kGreaterOrEqual:
    case ElementFunction::kAnd:
    case ElementFunction::kOr:
    case ElementFunction::kXor:
    case ElementFunction::kNot:
    case ElementFunction::kIsNaN:
      return true;
    default:
      return false;
  }
}

bool isFloat(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 || type == ElementType::kBfloat16;
}

struct Scalar {
  double real = 0;
  int64_t whole = 0;
};
std::optional<Scalar> scalarOf(const Tensor& tensor) {
  const auto whole = [](int64_t value) { return Scalar{static_cast<double>(value), value}; };
  switch (tensor.type()) {
    case ElementType::kFloat:
      return Scalar{static_cast<double>(tensor.span<float>()[0])};
    case ElementType::kFloat16:
      return Scalar{static_cast<double>(tensor.span<Float16>()[0].toFloat())};
    case ElementType::kBfloat16:
      return Scalar{static_cast<double>(tensor.span<Bfloat16>()[0].toFloat())};
    case ElementType::kDouble:
      return Scalar{tensor.span<double>()[0]};
    case ElementType::kInt8:
      return whole(tensor.span<int8_t>()[0]);
    case ElementType::kUint8:
      return whole(tensor.span<uint8_t>()[0]);
    case ElementType::kInt32:
      return whole(tensor.span<int32_t>()[0]);
    case ElementType::kInt64:
      return whole(tensor.span<int64_t>()[0]);
    case ElementType::kBool:
      return whole(*static_cast<const uint8_t*>(tensor.data()) != 0);
    default:
      return std::nullopt;
  }
}

ValueId inputAt(const Node& node, size_t slot) {
  return slot < node.inputs.size() ? node.inputs[slot] : ValueId{};
}
size_t presentOutputs(const Node& node) {
  size_t count = 0;
  for (const ValueId output : node.outputs)
    count += output.valid() ? 1 : 0;
  return count;
}

}  // namespace

bool isRowNode(const Graph& graph, const Node& node) {
  if (!node.domain.empty() || presentOutputs(node) != 1 || !inputAt(node, 0).valid()) return false;
  const std::optional<Shape>& shape = graph.value(node.inputs[0]).type.shape;
  if (!shape || shape->rank() == 0 || !isFloat(graph.value(node.inputs[0]).type.element)) return false;
  const auto rank = static_cast<int64_t>(shape->rank());
  const auto isLast = [&](int64_t axis) { return axis == -1 || axis == rank - 1; };
  if (node.opType == "Softmax")
    return node.sinceVersion >= 13 ? isLast(node.attributeOr<int64_t>("axis", -1))
                                   : isLast(node.attributeOr<int64_t>("axis", 1));
  if (node.opType == "LayerNormalization")
    return isLast(node.attributeOr<int64_t>("axis", -1)) && node.attributeOr<int64_t>("stash_type", 1) == 1;
  if (node.opType != "ReduceMean" && node.opType != "ReduceSum" && node.opType != "ReduceMax") return false;
  if (node.attributeOr<int64_t>("keepdims", 1) != 1) return false;
  std::vector<int64_t> axes = node.attributeOr<std::vector<int64_t>>("axes", {});
  if (const ValueId given = inputAt(node, 1); given.valid()) {
    const Tensor* tensor = constantOf(graph, given);
    if (tensor == nullptr || tensor->type() != ElementType::kInt64) return false;
    axes.assign(tensor->span<int64_t>().begin(), tensor->span<int64_t>().end());
  }
  return axes.size() == 1 && isLast(axes[0]);
}

int ChainBuilder::step(ChainOp op, ElementType type, int a, int b, int c, double first, double second) {
  if (a < 0 || b < 0 || c < 0 || m_program.steps.size() >= static_cast<size_t>(kMostChainSteps) || !isChainType(type))
    return -1;
  ChainCode code{.first = first,
                 .second = second,
                 .type = type,
                 .op = op,
                 .a = static_cast<uint8_t>(a),
                 .b = static_cast<uint8_t>(b),
                 .c = static_cast<uint8_t>(c)};
  m_program.steps.push_back(code);
  return static_cast<int>(m_program.steps.size()) - 1;
}

int ChainBuilder::constant(ElementType type, const Tensor& tensor) {
  const std::optional<Scalar> scalar = scalarOf(tensor);
  if (!scalar) return -1;
  const int made = step(ChainOp::kConstant, type, 0, 0, 0, scalar->real);
  if (made >= 0) m_program.steps.back().whole = scalar->whole;
  return made;
}

int ChainBuilder::operand(ValueId value) {
  if (!value.valid()) return -1;
  if (const auto known = m_steps.find(static_cast<uint32_t>(value.index())); known != m_steps.end())
    return known->second;
  const ElementType type = typeOf(value);
  int made = -1;
  if (const Tensor* tensor = constantOf(m_graph, value); tensor != nullptr && tensor->elementCount() == 1) {
    made = constant(type, *tensor);
  } else if (m_inputs.size() < static_cast<size_t>(kMostChainInputs)) {
    made = step(ChainOp::kInput, type);
    if (made >= 0) {
      m_program.steps.back().a = static_cast<uint8_t>(m_inputs.size());
      m_inputs.push_back(value);
    }
  }
  if (made >= 0) m_steps.emplace(static_cast<uint32_t>(value.index()), made);
  return made;
}

bool ChainBuilder::made(const Node& node, int step) {
  if (step < 0) return false;
  m_steps[static_cast<uint32_t>(node.outputs[0].index())] = step;
  return true;
}

// The operands of a step with fewer than three are left at 0, which every step may name.
bool ChainBuilder::addArithmetic(const Node& node) {
  const ElementFunction function = operators::elementFunctionOf(node);
  const std::optional<ChainOp> op = stepOf(function);
  if (!op) return false;
  const ElementType type =
      isTruth(function) ? ElementType::kBool : typeOf(node.inputs[function == ElementFunction::kWhere ? 1 : 0]);
  const int count = operandsOf(*op);
  if (node.inputs.size() != static_cast<size_t>(count)) return false;
  std::array<int, 3> operands{};
  for (int o = 0; o < count; ++o)
    operands[static_cast<size_t>(o)] = operand(node.inputs[static_cast<size_t>(o)]);
  std::vector<float> parameters = operators::elementParameters(node, *operators::findTraits(node));
  parameters.resize(2);
  return made(node, step(*op, type, operands[0], operands[1], operands[2], static_cast<double>(parameters[0]),
                         static_cast<double>(parameters[1])));
}

bool ChainBuilder::fold(const Node& node, ChainOp op, bool mean) {
  const ElementType type = typeOf(node.inputs[0]);
  int value = operand(node.inputs[0]);
  for (size_t slot = 1; slot < node.inputs.size(); ++slot)
    value = step(op, type, value, operand(node.inputs[slot]));
  if (mean) value = step(ChainOp::kDivideBy, type, value, 0, 0, static_cast<double>(node.inputs.size()));
  return node.inputs.size() > 1 && made(node, value);
}

bool ChainBuilder::addSpecial(const Node& node) {
  const ElementType type = typeOf(node.inputs[0]);
  if (node.domain == "com.microsoft" && (node.opType == "BiasGelu" || node.opType == "FastGelu")) {
    int x = operand(node.inputs[0]);
    if (const ValueId bias = inputAt(node, 1); bias.valid()) x = step(ChainOp::kAdd, type, x, operand(bias));
    return made(node, step(node.opType == "BiasGelu" ? ChainOp::kGelu : ChainOp::kGeluTanh, type, x));
  }
  const operators::OperatorTraits* traits = operators::findTraits(node);
  if (!node.domain.empty() || traits == nullptr) return false;
  switch (traits->function) {
    case ElementFunction::kGelu: {
      const bool tanh = node.attributeOr<std::string>("approximate", "none") == "tanh";
      return made(node, step(tanh ? ChainOp::kGeluTanh : ChainOp::kGelu, type, operand(node.inputs[0])));
    }
    case ElementFunction::kSum:
      return fold(node, ChainOp::kAdd, false);
    case ElementFunction::kMean:
      return fold(node, ChainOp::kAdd, true);
    case ElementFunction::kMax:
      return fold(node, ChainOp::kMax, false);
    case ElementFunction::kMin:
      return fold(node, ChainOp::kMin, false);
    case ElementFunction::kMod:
      return node.inputs.size() == 2 &&
             made(node, step(node.attributeOr<int64_t>("fmod", 0) != 0 ? ChainOp::kTruncMod : ChainOp::kFloorMod, type,
                             operand(node.inputs[0]), operand(node.inputs[1])));
    case ElementFunction::kCast:
      return node.sinceVersion >= 6 &&
             made(node, step(ChainOp::kCast, static_cast<ElementType>(node.attributeOr<int64_t>("to", 0)),
                             operand(node.inputs[0])));
    case ElementFunction::kClip:
      return addClip(node, type);
    default:
      return false;
  }
}

bool ChainBuilder::addClip(const Node& node, ElementType type) {
  if (!isFloat(type) && type != ElementType::kDouble) return false;
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  if (node.sinceVersion < 11) {
    low = static_cast<double>(node.attributeOr<float>("min", std::numeric_limits<float>::lowest()));
    high = static_cast<double>(node.attributeOr<float>("max", std::numeric_limits<float>::max()));
  }
  for (size_t slot = 1; slot < std::min<size_t>(node.inputs.size(), 3); ++slot) {
    if (!node.inputs[slot].valid()) continue;
    const Tensor* bound = constantOf(m_graph, node.inputs[slot]);
    if (bound == nullptr || bound->elementCount() != 1 || bound->type() != type) return false;
    (slot == 1 ? low : high) = scalarOf(*bound)->real;
  }
  return made(node, step(ChainOp::kClip, type, operand(node.inputs[0]), 0, 0, low, high));
}

bool ChainBuilder::softmax(int x, ElementType type, int& y) {
  const int largest = step(ChainOp::kRowMax, type, x);
  const int power = step(ChainOp::kExp, type, step(ChainOp::kSub, type, x, largest));
  y = step(ChainOp::kDiv, type, power, step(ChainOp::kRowSum, type, power));
  return y >= 0;
}

// Two passes: the mean, then the mean of squared distances from it, in float (stash_type 1).
bool ChainBuilder::layerNormalization(const Node& node, int x, ElementType type, int& y) {
  const ElementType wide = ElementType::kFloat;
  const int held = type == wide ? x : step(ChainOp::kCast, wide, x);
  const int apart = step(ChainOp::kSub, wide, held, step(ChainOp::kRowMean, wide, held));
  const int variance = step(ChainOp::kRowMean, wide, step(ChainOp::kMul, wide, apart, apart));
  const int deviation = step(ChainOp::kSqrt, wide,
                             step(ChainOp::kAffine, wide, variance, 0, 0, 1.0,
                                  static_cast<double>(node.attributeOr<float>("epsilon", 1e-5f))));
  y = step(ChainOp::kDiv, wide, apart, deviation);
  if (type != wide) y = step(ChainOp::kCast, type, y);
  y = step(ChainOp::kMul, type, y, operand(inputAt(node, 1)));
  if (inputAt(node, 2).valid()) y = step(ChainOp::kAdd, type, y, operand(node.inputs[2]));
  return y >= 0;
}

bool ChainBuilder::addRows(const Node& node) {
  const ElementType type = typeOf(node.inputs[0]);
  const int x = operand(node.inputs[0]);
  int y = -1;
  if (node.opType == "Softmax")
    softmax(x, type, y);
  else if (node.opType == "LayerNormalization")
    layerNormalization(node, x, type, y);
  else
    y = step(node.opType == "ReduceMean"  ? ChainOp::kRowMean
             : node.opType == "ReduceSum" ? ChainOp::kRowSum
                                          : ChainOp::kRowMax,
             type, x);
  return made(node, y);
}

bool ChainBuilder::add(NodeId id) {
  const Node& node = m_graph.node(id);
  if (node.inputs.empty() || !node.inputs[0].valid() || presentOutputs(node) != 1 || !node.outputs[0].valid())
    return false;
  for (const ValueId input : node.inputs) {
    if (input.valid() && !m_graph.value(input).type.isTensor()) return false;
  }
  if (isRowNode(m_graph, node)) return addRows(node);
  return addSpecial(node) || addArithmetic(node);
}

Result<ChainProgram> ChainBuilder::finish(std::span<const ValueId> outputs) {
  m_program.outputs.clear();
  for (const ValueId output : outputs) {
    const auto found = m_steps.find(static_cast<uint32_t>(output.index()));
    if (found == m_steps.end())
      return fail(ErrorCode::kInvalidGraph, "the chain does not make '{}'", m_graph.value(output).name);
    m_program.outputs.push_back(found->second);
  }
  CUTAWAY_CHECK(m_program.check());
  return m_program;
}

}  // namespace cutaway::cuda
