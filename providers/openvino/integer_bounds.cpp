// A walk from a value to what it comes from. How a result follows from the inputs is read from the operator's row.
#include "providers/openvino/integer_bounds.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/operators/traits/operator_traits.h"

namespace cutaway::openvino {

namespace {

using operators::ElementFunction;
using operators::OperatorTraits;
using operators::Relation;
using operators::Traffic;

constexpr double kMostOfSize = 1 << 20;       // of a dimension, or a place along one
constexpr int kMostSteps = 64;                // nodes that one question looks at
constexpr int64_t kMostElements = 1'000'000;  // of a constant that is read

std::optional<double> boundOfType(ElementType type) {
  switch (type) {
    case ElementType::kBool:
      return 1;
    case ElementType::kInt8:
      return 128;
    case ElementType::kUint8:
      return 255;
    case ElementType::kInt16:
      return 32'768;
    case ElementType::kUint16:
      return 65'535;
    default:
      return std::nullopt;
  }
}

template <typename T>
double largestOf(const Tensor& tensor) {
  double largest = 0;
  for (const T element : tensor.span<T>())
    largest = std::max(largest, std::abs(static_cast<double>(element)));
  return largest;
}

std::optional<double> boundOfConstant(const Tensor& tensor) {
  if (tensor.elementCount() > kMostElements || tensor.data() == nullptr) return std::nullopt;
  if (tensor.type() == ElementType::kInt32) return largestOf<int32_t>(tensor);
  if (tensor.type() == ElementType::kInt64) return largestOf<int64_t>(tensor);
  return std::nullopt;
}

double larger(double one, double other) {
  return std::max(one, other);
}

class Walk {
 public:
  Walk(const Graph& graph, double unknown) : m_graph(graph), m_unknown(unknown) {}

  double bound(ValueId id) {
    if (!id.valid()) return m_unknown;
    const Value& value = m_graph.value(id);
    if (const std::optional<double> ofType = boundOfType(value.type.element)) return *ofType;
    if (value.type.element != ElementType::kInt32 && value.type.element != ElementType::kInt64) return m_unknown;
    if (m_graph.isConstant(id) && value.initializer) return boundOfConstant(*value.initializer).value_or(m_unknown);
    if (!value.producer.valid() || ++m_steps > kMostSteps) return m_unknown;
    const Node& node = m_graph.node(value.producer);
    const OperatorTraits* traits = node.domain.empty() ? operators::findTraits(node) : nullptr;
    return traits == nullptr ? m_unknown : boundOfResult(node, *traits, id);
  }

 private:
  double boundOfInput(const Node& node, size_t slot) {
    return slot < node.inputs.size() ? bound(node.inputs[slot]) : m_unknown;
  }

  double combined(const Node& node, size_t first, size_t end, double (*combine)(double, double)) {
    double result = boundOfInput(node, first);
    for (size_t slot = first + 1; slot < std::min(end, node.inputs.size()); ++slot)
      result = combine(result, boundOfInput(node, slot));
    return result;
  }

  double boundOfFunction(const Node& node, ElementFunction function) {
    switch (function) {
      case ElementFunction::kAbs:
      case ElementFunction::kNeg:
      case ElementFunction::kRelu:
      case ElementFunction::kCast:
      case ElementFunction::kDiv:
        return boundOfInput(node, 0);
      case ElementFunction::kSign:
        return 1;
      case ElementFunction::kMod:
        return combined(node, 0, 2, [](double one, double other) { return std::min(one, other); });
      case ElementFunction::kAdd:
      case ElementFunction::kSub:
        return combined(node, 0, 2, [](double one, double other) { return one + other; });
      case ElementFunction::kMul:
        return combined(node, 0, 2, [](double one, double other) { return one * other; });
      case ElementFunction::kMax:
      case ElementFunction::kMin:
        return combined(node, 0, node.inputs.size(), larger);
      case ElementFunction::kWhere:
        return combined(node, 1, 3, larger);
      case ElementFunction::kClip:
        return node.inputs.size() > 2 ? combined(node, 1, 3, larger) : m_unknown;
      default:
        return m_unknown;
    }
  }

  double boundOfResult(const Node& node, const OperatorTraits& traits, ValueId id) {
    const std::string_view name = node.opType;
    if (traits.function != ElementFunction::kNone) return boundOfFunction(node, traits.function);
    if (traits.traffic == Traffic::kShapeOnly || name == "ArgMax" || name == "ArgMin" || name == "NonZero")
      return name == "Size" ? elementsOf(m_graph, node.inputs[0]) : kMostOfSize;
    if (name == "TopK") return id == node.outputs[0] ? boundOfInput(node, 0) : kMostOfSize;
    switch (traits.relation) {
      case Relation::kJoin:
        return combined(node, 0, node.inputs.size(), larger);
      case Relation::kView:
      case Relation::kSplit:
        return boundOfInput(node, 0);
      case Relation::kMovement:  // what is put in comes from other inputs
        return name == "Pad" || name.find("Scatter") != std::string_view::npos ? m_unknown : boundOfInput(node, 0);
      case Relation::kReduction:
        if (name == "ReduceProd" && areSizes(m_graph, node.inputs[0])) return kExactInFloats;
        return name == "ReduceMax" || name == "ReduceMin" || name == "ReduceMean" ? boundOfInput(node, 0) : m_unknown;
      default:
        break;
    }
    if (name == "Range") return combined(node, 0, 2, larger);
    return m_unknown;
  }

  const Graph& m_graph;
  double m_unknown;
  int m_steps = 0;
};

}  // namespace

double largestMagnitude(const Graph& graph, ValueId value, double unknown) {
  return Walk(graph, unknown).bound(value);
}

bool areSizes(const Graph& graph, ValueId value) {
  for (int step = 0; step < kMostSteps && value.valid() && graph.value(value).producer.valid(); ++step) {
    const Node& node = graph.node(graph.value(value).producer);
    const OperatorTraits* traits = node.domain.empty() ? operators::findTraits(node) : nullptr;
    if (traits == nullptr || node.inputs.empty()) return false;
    if (node.opType == "Shape") return true;
    const bool isPart = traits->relation == Relation::kView || traits->relation == Relation::kSplit ||
                        traits->traffic == Traffic::kPicks || traits->function == ElementFunction::kCast;
    if (!isPart) return false;
    value = node.inputs[0];
  }
  return false;
}

double elementsOf(const Graph& graph, ValueId value) {
  const std::optional<Shape>& shape = graph.value(value).type.shape;
  if (!shape) return kExactInFloats;
  double count = 1;
  for (const Dim& size : shape->dims()) {
    if (!size.isKnown()) return kExactInFloats;
    count *= static_cast<double>(size.value());
  }
  return count;
}

}  // namespace cutaway::openvino
