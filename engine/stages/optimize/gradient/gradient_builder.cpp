#include "engine/stages/optimize/gradient/gradient_builder.h"

#include "engine/graph/graph_query.h"
#include "engine/schema/schema.h"

namespace cutaway::optimize {

namespace {

// Everything the rules write has its axes as inputs from this opset on.
constexpr int32_t kOpset = 18;

template <typename T>
Result<Tensor> filledTensor(double value, std::span<const int64_t> dims) {
  CUTAWAY_TRY(Tensor tensor, Tensor::create(ElementTypeOf<T>::value, dims));
  if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, Bfloat16>) {
    std::ranges::fill(tensor.span<T>(), T::fromFloat(static_cast<float>(value)));
  } else {
    std::ranges::fill(tensor.span<T>(), static_cast<T>(value));
  }
  return tensor;
}

Result<Tensor> numberOf(ElementType type, double value, std::span<const int64_t> dims) {
  switch (type) {
    case ElementType::kFloat:
      return filledTensor<float>(value, dims);
    case ElementType::kDouble:
      return filledTensor<double>(value, dims);
    case ElementType::kFloat16:
      return filledTensor<Float16>(value, dims);
    case ElementType::kBfloat16:
      return filledTensor<Bfloat16>(value, dims);
    case ElementType::kInt32:
      return filledTensor<int32_t>(value, dims);
    case ElementType::kInt64:
      return filledTensor<int64_t>(value, dims);
    default:
      return fail(ErrorCode::kNotImplemented, "Gradient: a value of type {} has no derivative here",
                  elementTypeName(type));
  }
}

}  // namespace

GradientBuilder::GradientBuilder(const Model& model, Graph& graph, const Node& from)
    : m_model(model), m_graph(graph), m_origins(from.origins) {
  std::string stem = "_gradient";
  for (const ValueId output : from.outputs) {
    if (!output.valid()) continue;
    stem += "_" + graph.value(output).name;
    break;
  }
  m_prefix = stem + "_";
}

void GradientBuilder::refuse(Error error) {
  if (m_status) m_status = fail(std::move(error));
}

ValueId GradientBuilder::node(std::string_view opType, std::vector<ValueId> inputs, std::vector<Attribute> attributes) {
  return nodes(opType, std::move(inputs), std::move(attributes), 1)[0];
}

std::vector<ValueId> GradientBuilder::nodes(std::string_view opType, std::vector<ValueId> inputs,
                                            std::vector<Attribute> attributes, size_t outputs) {
  Node made{.opType = std::string(opType), .attributes = std::move(attributes)};
  made.opsetVersion = kOpset;
  made.outputs.assign(outputs, ValueId{0});
  return copyOf(made, std::move(inputs));
}

std::vector<ValueId> GradientBuilder::copyOf(const Node& original, std::vector<ValueId> inputs) {
  if (!m_status) return std::vector<ValueId>(original.outputs.size(), ValueId{0});
  Node made = original;
  const size_t outputs = original.outputs.size();
  made.name = fmt::format("{}{}_{}", m_prefix, made.opType, m_counter++);
  made.inputs.clear();
  made.outputs.clear();
  made.origins = m_origins;
  made.rewrite = "GradientExpansion";
  std::vector<std::string> names;
  for (size_t i = 0; i < outputs; ++i) {
    if (!original.outputs[i].valid())
      names.emplace_back();
    else
      names.push_back(m_graph.freshName(fmt::format("{}_{}", made.name, i)));
  }
  const NodeId id = m_graph.addNode(std::move(made), inputs, names);
  settle(id);
  return m_graph.node(id).outputs;
}

void GradientBuilder::settle(NodeId id) {
  m_added.push_back(id);
  Node& made = m_graph.mutableNode(id);
  if (const OperatorSchema* schema = findSchema(made.opType, made.domain, made.opsetVersion))
    made.sinceVersion = schema->sinceVersion;
  PartialData partial;
  std::vector<InferenceWarning> warnings;
  if (auto inferred = inferNode(m_model, m_graph, id, {}, partial, warnings); !inferred)
    refuse(std::move(inferred).error());
}

void GradientBuilder::copyInto(ValueId from, ValueId to) {
  if (!m_status) return;
  Node made{.name = fmt::format("{}Identity_{}", m_prefix, m_counter++), .opType = "Identity"};
  made.opsetVersion = kOpset;
  made.origins = m_origins;
  made.rewrite = "GradientExpansion";
  settle(m_graph.addNode(std::move(made), {from}, {m_graph.value(to).name}));
}

ValueId GradientBuilder::askFor(NodeId id, size_t slot) {
  if (!m_status) return ValueId{0};
  const Node& node = m_graph.node(id);
  if (slot < node.outputs.size() && node.outputs[slot].valid()) return node.outputs[slot];
  const ValueId made =
      m_graph.addValue(m_graph.freshName(fmt::format("{}{}_{}_{}", m_prefix, node.opType, slot, m_counter++)));
  m_graph.setNodeOutput(id, slot, made);
  PartialData partial;
  std::vector<InferenceWarning> warnings;
  if (auto inferred = inferNode(m_model, m_graph, id, {}, partial, warnings); !inferred)
    refuse(std::move(inferred).error());
  return made;
}

ValueId GradientBuilder::integers(std::vector<int64_t> values) {
  return m_graph.addInitializer(m_graph.freshName(m_prefix + "integers"), Tensor::of<int64_t>(values));
}

ValueId GradientBuilder::integer(int64_t value) {
  return m_graph.addInitializer(m_graph.freshName(m_prefix + "integer"), Tensor::scalar<int64_t>(value));
}

ValueId GradientBuilder::tensor(Tensor values) {
  return m_graph.addInitializer(m_graph.freshName(m_prefix + "tensor"), std::move(values));
}

ValueId GradientBuilder::number(double value, ValueId like) {
  auto tensor = numberOf(type(like).element, value, {});
  if (!tensor) {
    refuse(std::move(tensor).error());
    return like;
  }
  return m_graph.addInitializer(m_graph.freshName(m_prefix + "number"), *std::move(tensor));
}

ValueId GradientBuilder::filled(double value, ValueId like) {
  const int64_t one[] = {1};
  auto tensor = numberOf(type(like).element, value, one);
  if (!tensor) {
    refuse(std::move(tensor).error());
    return like;
  }
  return node("ConstantOfShape", {shapeOf(like)}, {{"value", *std::move(tensor)}});
}

std::optional<size_t> GradientBuilder::rank(ValueId id) const {
  const ValueType& known = type(id);
  return known.isTensor() && known.shape ? std::optional(known.shape->rank()) : std::nullopt;
}

std::optional<std::vector<int64_t>> GradientBuilder::dims(ValueId id) const {
  const ValueType& known = type(id);
  return known.isTensor() && known.shape ? known.shape->staticDims() : std::nullopt;
}

bool GradientBuilder::sameShape(ValueId a, ValueId b) const {
  if (a == b) return true;
  if (!rank(a) || !rank(b) || *rank(a) != *rank(b)) return false;
  for (size_t i = 0; i < *rank(a); ++i) {
    if (!(*type(a).shape)[i].sameAs((*type(b).shape)[i])) return false;
  }
  return true;
}

const Tensor* GradientBuilder::constant(ValueId id) const {
  return constantOf(m_graph, id);
}

ValueId GradientBuilder::shapeOf(ValueId id) {
  if (const auto known = dims(id)) return integers(*known);
  return node("Shape", {id});
}

ValueId GradientBuilder::slicedShape(ValueId id, int64_t begin, int64_t end) {
  if (const auto known = dims(id)) {
    const int64_t rank = static_cast<int64_t>(known->size());
    const int64_t first = std::clamp<int64_t>(begin < 0 ? begin + rank : begin, 0, rank),
                  last = std::clamp<int64_t>(end < 0 ? end + rank : end, first, rank);
    return integers({known->begin() + first, known->begin() + last});
  }
  return node("Shape", {id}, {{"start", begin}, {"end", end}});
}

ValueId GradientBuilder::reshape(ValueId id, ValueId shape) {
  return node("Reshape", {id, shape}, {{"allowzero", int64_t{1}}});
}

ValueId GradientBuilder::transpose(ValueId id, std::vector<int64_t> order) {
  return node("Transpose", {id}, {{"perm", std::move(order)}});
}

ValueId GradientBuilder::sum(ValueId id, std::vector<int64_t> axes, bool keepDims) {
  if (axes.empty()) return id;
  return node("ReduceSum", {id, integers(std::move(axes))}, {{"keepdims", int64_t{keepDims}}});
}

// nullopt: which axes were repeated is known at run time only.
std::optional<ValueId> GradientBuilder::sumToStatic(ValueId id, ValueId like) {
  if (sameShape(id, like)) return id;
  if (!rank(id) || !rank(like) || *rank(id) < *rank(like)) return std::nullopt;
  const Shape from = *type(id).shape, to = *type(like).shape;
  const size_t extra = from.rank() - to.rank();
  std::vector<int64_t> leading, repeated;
  for (size_t i = 0; i < extra; ++i)
    leading.push_back(static_cast<int64_t>(i));
  for (size_t i = 0; i < to.rank(); ++i) {
    if (from[extra + i].sameAs(to[i])) continue;
    if (!to[i].isKnown() || to[i].value() != 1) return std::nullopt;
    repeated.push_back(static_cast<int64_t>(extra + i));
  }
  const ValueId kept = sum(id, std::move(repeated), true);
  return sum(kept, std::move(leading), false);
}

ValueId GradientBuilder::sumTo(ValueId id, ValueId like) {
  if (!m_status) return id;
  if (const auto known = sumToStatic(id, like)) return *known;
  // Axes where the shape of `like`, filled up with ones from the left, differs.
  const ValueId from = node("Shape", {id}), to = node("Shape", {like});
  const int64_t one[] = {1};
  const ValueId missing =
      node("ConstantOfShape", {sub(node("Shape", {from}), node("Shape", {to}))}, {{"value", Tensor::of<int64_t>(one)}});
  const ValueId aligned = node("Concat", {missing, to}, {{"axis", int64_t{0}}});
  const ValueId axes = reshape(node("NonZero", {node("Not", {node("Equal", {aligned, from})})}), integers({-1}));
  const ValueId summed =
      node("ReduceSum", {id, axes}, {{"keepdims", int64_t{1}}, {"noop_with_empty_axes", int64_t{1}}});
  return reshape(summed, to);
}

ValueId GradientBuilder::placesOf(ValueId like) {
  const ValueId count = dims(like) ? integer(elementCount(*dims(like))) : node("Size", {like});
  return reshape(node("Range", {integer(0), count, integer(1)}), shapeOf(like));
}

ValueId GradientBuilder::scatter(ValueId values, ValueId places, ValueId like) {
  const ValueId flat = integers({-1});
  const ValueId zeros = reshape(filled(0, like), flat);
  const ValueId summed = node("ScatterElements", {zeros, reshape(places, flat), reshape(values, flat)},
                              {{"axis", int64_t{0}}, {"reduction", std::string("add")}});
  return reshape(summed, shapeOf(like));
}

}  // namespace cutaway::optimize
