#include "tests/checker/random_graphs.h"

#include <algorithm>
#include <array>
#include <random>

namespace cutaway {
namespace {

constexpr std::array<const char*, 3> kSymbols = {"batch", "seq", "width"};

class Maker {
 public:
  Maker(uint64_t seed, int nodes, int depth)
      : m_random(seed),
        m_nodes(nodes),
        m_depth(depth),
        m_symbolic(below(2) == 0),
        m_unusual(below(3) == 0),
        m_devices(below(4) == 0),
        m_graph("random") {}

  Graph make() {
    const size_t feeds = 1 + below(3);
    for (size_t i = 0; i < feeds; ++i)
      m_values.push_back(m_graph.addInput(fmt::format("feed{}", i), anyType()));
    m_values.push_back(m_graph.addInitializer("weight", *Tensor::create(ElementType::kFloat, {4, 8})));
    grow();
    handOut();
    if (below(8) == 0) makeHole();
    return std::move(m_graph);
  }

  // A body: captures some values of the graph around it.
  Graph makeBody(const Graph& outer, const std::vector<ValueId>& captured, size_t outputs, bool isLoop) {
    if (isLoop) {
      m_values.push_back(m_graph.addInput("iteration", ValueType::tensor(ElementType::kInt64, Shape{})));
      m_graph.addInput("condition", ValueType::tensor(ElementType::kBool, Shape{}));
      m_values.push_back(m_graph.addInput("carried", ValueType::tensor(ElementType::kFloat, Shape{Dim(4), Dim(8)})));
    }
    for (const ValueId value : captured)
      m_values.push_back(m_graph.addOuterScope(outer.value(value).name, outer.value(value).type));
    grow();
    for (size_t i = 0; i < outputs; ++i) {
      const ValueId value =
          below(4) == 0 && isLoop && !captured.empty()
              ? node("Identity", {m_graph.findValue(outer.value(captured[0]).name)}, {outer.value(captured[0]).type})[0]
              : node("Relu", {anyValue()}, {anyType()})[0];
      m_graph.addOutput(value);
    }
    return std::move(m_graph);
  }

 private:
  size_t below(size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(m_random); }
  template <typename T, size_t N>
  T oneOf(const std::array<T, N>& list) {
    return list[below(N)];
  }

  Dim anyDim() {
    if (m_unusual && below(12) == 0) return Dim();
    if (m_symbolic && below(2) == 0) {
      static const std::array<const char*, 5> kExpressions = {"batch*seq", "seq*batch", "2*batch", "past + seq",
                                                              "seq + past"};
      return Dim(std::string(below(5) == 0 ? oneOf(kExpressions) : oneOf(kSymbols)));
    }
    static constexpr std::array<int64_t, 8> kNumbers = {1, 1, 2, 4, 4, 8, 16, 100};
    return Dim(oneOf(kNumbers));
  }

  ValueType anyType() {
    if (m_unusual) {
      switch (below(10)) {
        case 0:
          return ValueType::tensor(ElementType::kString, Shape{Dim(4)});
        case 1:
          return ValueType::sequence(ValueType::tensor(ElementType::kFloat, Shape{Dim(4)}));
        case 2:
          return ValueType::tensor(ElementType::kFloat, std::nullopt);
        default:
          break;
      }
    }
    static constexpr std::array<ElementType, 8> kElements = {
        ElementType::kFloat, ElementType::kFloat, ElementType::kFloat, ElementType::kFloat,
        ElementType::kInt32, ElementType::kInt64, ElementType::kBool,  ElementType::kFloat16};
    std::vector<Dim> dims;
    for (size_t axis = std::array<size_t, 6>{0, 1, 2, 2, 3, 3}[below(6)]; axis > 0; --axis)
      dims.push_back(anyDim());
    if (!dims.empty() && below(3) == 0) dims[0] = Dim(1);
    return ValueType::tensor(oneOf(kElements), Shape(std::move(dims)));
  }

  const ValueType& typeOf(ValueId value) const { return m_graph.value(value).type; }

  ValueId anyValue() {
    // Mostly recent ones, sometimes far back, so that lives differ in length.
    const size_t window = below(5) == 0 ? m_values.size() : std::min<size_t>(m_values.size(), 6);
    return m_values[m_values.size() - 1 - below(window)];
  }
  ValueId valueLike(ValueId wanted) {
    for (int tries = 0; tries < 6; ++tries) {
      const ValueId value = anyValue();
      if (typeOf(value) == typeOf(wanted)) return value;
    }
    return wanted;
  }

  std::vector<ValueId> node(const char* opType, std::vector<ValueId> inputs, const std::vector<ValueType>& types,
                            std::vector<Attribute> attributes = {}) {
    std::vector<std::string> outputs;
    const bool mayDrop = std::string_view(opType) == "If" || std::string_view(opType) == "MatMul";
    for (size_t i = 0; i < types.size(); ++i)
      outputs.push_back(i > 0 && mayDrop && below(4) == 0 ? "" : fmt::format("{}{}_{}", "vbc"[m_depth], m_count, i));
    Node made;
    made.name = fmt::format("node{}", m_count++);
    made.opType = opType;
    made.attributes = std::move(attributes);
    if (m_devices && below(2) == 0) made.provider = "gpu";
    const NodeId id = m_graph.addNode(std::move(made), inputs, outputs);
    const std::vector<ValueId> values = m_graph.node(id).outputs;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!values[i].valid()) continue;
      m_graph.mutableValue(values[i]).type = types[i];
      m_values.push_back(values[i]);
    }
    return values;
  }

  void grow() {
    while (m_count < m_nodes)
      addNode();
  }

  void addNode() {
    const ValueId first = anyValue();
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
        node("Relu", {first}, {typeOf(first)});
        break;
      case 3:
      case 4:
        node("Add", {first, valueLike(first)}, {typeOf(first)});
        break;
      case 5:
        node("Where", {anyValue(), ValueId{}, first}, {below(3) == 0 ? anyType() : typeOf(first)});
        break;
      case 6:
        node("Identity", {first}, {typeOf(first)});
        break;
      case 7:
        addReshape(first);
        break;
      case 8:
      case 9:
        addJoin();
        break;
      case 10:
        addSplit();
        break;
      case 11:
        addBodies();
        break;
      case 12:
        node(below(4) == 0 ? "Fused" : "Shape", {first}, {anyType()});
        break;
      default:
        node("MatMul", {first, anyValue()},
             below(3) == 0 ? std::vector<ValueType>{anyType(), anyType()} : std::vector<ValueType>{anyType()});
        break;
    }
  }

  void addReshape(ValueId from) {
    ValueType type = typeOf(from);
    if (!type.isTensor() || !type.shape) return;
    std::reverse(type.shape->mutableDims().begin(), type.shape->mutableDims().end());
    if (below(3) == 0) type.shape->mutableDims().insert(type.shape->mutableDims().begin(), Dim(1));
    node("Reshape", {from}, {type});
  }

  void addJoin() {
    const ValueId like = anyValue();
    ValueType type = typeOf(like);
    if (!type.isTensor() || !type.shape || type.shape->rank() == 0) return;
    const size_t rank = type.shape->rank(), axis = below(rank);
    std::vector<ValueId> inputs{like};
    const size_t more = 1 + below(3);
    std::string sum = dimText((*type.shape)[axis]);
    int64_t total = (*type.shape)[axis].value();
    for (size_t i = 0; i < more; ++i) {
      ValueType part = type;
      if (below(2) == 0) (*part.shape)[axis] = anyDim();
      const bool sameAgain = below(6) == 0;
      inputs.push_back(sameAgain ? like : node("MatMul", {anyValue()}, {part})[0]);
      const Dim& dim = (*typeOf(inputs.back()).shape)[axis];
      total = total < 0 || !dim.isKnown() ? -1 : total + dim.value();
      sum = sum.empty() || dimText(dim).empty() ? "" : sum + " + " + dimText(dim);
    }
    (*type.shape)[axis] = total >= 0 ? Dim(total) : sum.empty() ? Dim() : Dim(sum);
    const auto written = static_cast<int64_t>(axis) - (below(2) == 0 ? static_cast<int64_t>(rank) : 0);
    node("Concat", inputs, {type}, {{"axis", written}});
  }
  static std::string dimText(const Dim& dim) { return dim.isKnown() ? fmt::format("{}", dim.value()) : dim.symbol(); }

  void addSplit() {
    const ValueId from = anyValue();
    const ValueType type = typeOf(from);
    if (!type.isTensor() || !type.shape || type.shape->rank() == 0) return;
    const size_t axis = below(type.shape->rank());
    const int64_t length = (*type.shape)[axis].value();
    if (length < 2) return;
    std::vector<ValueType> types(2, type);
    (*types[0].shape)[axis] = Dim(static_cast<int64_t>(1 + below(static_cast<size_t>(length - 1))));
    (*types[1].shape)[axis] = Dim(length - (*types[0].shape)[axis].value());
    std::vector<Attribute> attributes;
    if (axis > 0 || below(2) == 0) attributes.push_back({"axis", static_cast<int64_t>(axis)});
    node("Split", {from}, types, std::move(attributes));
  }

  void addBodies() {
    if (m_depth >= 2 || m_values.empty()) return;
    const bool isLoop = below(2) == 0;
    std::vector<Attribute> attributes;
    const size_t outputs = 1 + below(2);
    for (size_t body = 0; body < (isLoop ? 1u : 2u); ++body) {
      std::vector<ValueId> captured;
      for (size_t i = 0; i < 1 + below(2); ++i) {
        const ValueId value = anyValue();
        if (std::find(captured.begin(), captured.end(), value) == captured.end()) captured.push_back(value);
      }
      Maker inner(m_random(), static_cast<int>(1 + below(4)), m_depth + 1);
      attributes.push_back({isLoop      ? "body"
                            : body == 0 ? "then_branch"
                                        : "else_branch",
                            GraphBox(inner.makeBody(m_graph, captured, outputs, isLoop))});
    }
    std::vector<ValueType> types;
    for (size_t i = 0; i < outputs; ++i)
      types.push_back(anyType());
    const std::vector<ValueId> inputs =
        isLoop ? std::vector<ValueId>{anyValue(), ValueId{}, anyValue()} : std::vector<ValueId>{anyValue()};
    node(isLoop ? "Loop" : "If", inputs, types, std::move(attributes));
    m_graph.bindCaptures(m_graph.nodeIds().back());
  }

  void handOut() {
    for (const ValueId value : m_values) {
      const bool produced = m_graph.value(value).producer.valid();
      if (below(produced ? 8 : 40) != 0 && value != m_values.back()) continue;
      m_graph.addOutput(value);
      if (below(10) == 0) m_graph.addOutput(value);
    }
  }

  void makeHole() {
    for (const NodeId id : m_graph.nodeIds()) {
      const auto& outputs = m_graph.node(id).outputs;
      const bool unused = std::all_of(outputs.begin(), outputs.end(), [&](ValueId value) {
        return !value.valid() || (m_graph.value(value).uses.empty() && m_graph.value(value).outputCount == 0);
      });
      if (!unused) continue;
      const std::vector<ValueId> left = outputs;
      m_graph.removeNode(id);
      for (const ValueId value : left) {
        if (value.valid()) m_graph.removeValue(value);
      }
      return;
    }
  }

  std::mt19937_64 m_random;
  int m_nodes;
  int m_depth;
  bool m_symbolic, m_unusual, m_devices;
  int m_count = 0;
  Graph m_graph;
  std::vector<ValueId> m_values;
};

}  // namespace

RandomModel randomModel(uint64_t seed, int nodes) {
  RandomModel model{Maker(seed, nodes, 0).make(), {}};
  std::mt19937_64 random(seed ^ 0x5eed);
  for (const char* symbol : {"batch", "seq", "width", "past"})
    model.dims[symbol] = static_cast<int64_t>(random() % 9);
  return model;
}

MemoryHints randomModelHints(const Graph& graph) {
  return [&graph](NodeId id) {
    const Node& node = graph.node(id);
    const std::string& op = node.opType;
    NodeMemoryHints hints;
    if (op == "Relu") hints.inplace = {{0, 0, AliasKind::kMayInplace}};
    if (op == "Reshape" || op == "Identity") hints.inplace = {{0, 0, AliasKind::kAlias}};
    if (op == "Add") hints.inplace = {{0, 0, AliasKind::kMayInplace}, {1, 0, AliasKind::kMayInplace}};
    if (op == "Where") hints.inplace = {{2, 0, AliasKind::kMayInplace}};
    if (op == "Concat") hints.inplace = {{InplaceHint::kEveryInput, 0, AliasKind::kJoin}};
    if (op == "Split") hints.inplace = {{0, InplaceHint::kEveryOutput, AliasKind::kSplit}};
    if (op == "Fused") hints.externalOutputs = true;
    if (node.provider == "gpu") {
      hints.device = Device{DeviceType::kGpu, 0, "gpu"};
      if (op == "Shape") hints.hostOutputs = {0};
    }
    return hints;
  };
}

}  // namespace cutaway
