#include "tests/checker/test_graphs.h"

#include <random>

namespace cutaway {
namespace {

class RandomGraphMaker {
 public:
  explicit RandomGraphMaker(const RandomGraphOptions& options)
      : m_options(options), m_random(options.seed), m_graph("random") {}

  Graph make() {
    for (int i = 0; i < 3; ++i)
      m_values.push_back(m_graph.addInput(fmt::format("feed{}", i), anyType()));
    m_values.push_back(m_graph.addInitializer("weight", *Tensor::create(ElementType::kFloat, {4, 8})));
    m_values.push_back(m_graph.addOuterScope("outer", floatTensor({4, 8})));
    for (int i = 0; i < m_options.nodes; ++i)
      addNode(i);
    // Some graph outputs are used inside as well, as real models do.
    for (ValueId value : m_values) {
      if (m_graph.value(value).producer.valid() && (below(8) == 0 || value == m_values.back()))
        m_graph.addOutput(value);
    }
    return std::move(m_graph);
  }

 private:
  size_t below(size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(m_random); }

  ValueType anyType() {
    if (m_options.unusualTypes) {
      switch (below(8)) {
        case 0:
          return ValueType::tensor(ElementType::kString, Shape{Dim(4)});
        case 1:
          return ValueType::tensor(ElementType::kFloat, Shape{});
        case 2:
          return ValueType::sequence(floatTensor({4}));
        case 3:
          return ValueType::tensor(ElementType::kFloat, std::nullopt);
        default:
          break;
      }
    }
    const Dim batch = m_options.symbolicDims && below(2) == 0 ? Dim(below(2) == 0 ? "batch" : "length") : Dim(4);
    static constexpr int64_t kWidths[] = {1, 8, 8, 8, 100, 512};
    return ValueType::tensor(below(10) == 0 ? ElementType::kInt64 : ElementType::kFloat,
                             Shape{batch, Dim(kWidths[below(std::size(kWidths))])});
  }

  ValueId anyValue() {
    // Mostly recent ones, sometimes far back, so that lives differ in length.
    const size_t window = below(5) == 0 ? m_values.size() : std::min<size_t>(m_values.size(), 6);
    return m_values[m_values.size() - 1 - below(window)];
  }

  void addNode(int index) {
    struct Kind {
      const char* opType;
      int inputs;
      int outputs;
      bool sameType;
    };
    static constexpr Kind kKinds[] = {{"Relu", 1, 1, true},   {"Relu", 1, 1, true},    {"Add", 2, 1, true},
                                      {"Add", 2, 1, false},   {"Concat", 3, 1, false}, {"Reshape", 1, 1, true},
                                      {"Split", 1, 3, false}, {"MatMul", 2, 1, false}, {"Identity", 1, 1, true},
                                      {"If", 1, 2, false}};
    const Kind& kind = kKinds[below(std::size(kKinds))];
    std::vector<ValueId> inputs;
    for (int i = 0; i < kind.inputs; ++i)
      inputs.push_back(anyValue());
    std::vector<std::string> outputs;
    for (int i = 0; i < kind.outputs; ++i)
      outputs.push_back(i > 0 && below(4) == 0 ? "" : fmt::format("v{}_{}", index, i));
    Node node;
    node.name = fmt::format("node{}", index);
    node.opType = kind.opType;
    const NodeId id = m_graph.addNode(std::move(node), inputs, outputs);
    if (std::string_view(kind.opType) == "If") {
      const ValueId captured[] = {anyCaptured(), anyCaptured()};
      m_graph.setImplicitInputs(id, captured);
    }
    const std::vector<ValueId> made = m_graph.node(id).outputs;
    for (ValueId value : made) {
      if (!value.valid()) continue;
      m_graph.mutableValue(value).type = kind.sameType ? m_graph.value(inputs[0]).type : anyType();
      m_values.push_back(value);
    }
  }

  ValueId anyCaptured() {
    for (int tries = 0; tries < 20; ++tries) {
      const ValueId value = anyValue();
      if (!m_graph.value(value).producer.valid() || m_graph.value(value).producer.index() + 1 < m_graph.nodeSlots())
        return value;
    }
    return m_values.front();
  }

  RandomGraphOptions m_options;
  std::mt19937_64 m_random;
  Graph m_graph;
  std::vector<ValueId> m_values;
};

MemoryHints hintsOf(const Graph& graph, bool addInPlace) {
  return [&graph, addInPlace](NodeId id) {
    const std::string& op = graph.node(id).opType;
    NodeMemoryHints hints;
    if (op == "Relu") hints.inplace = {{0, 0, AliasKind::kMayInplace}};
    if (op == "Reshape" || op == "Identity") hints.inplace = {{0, 0, AliasKind::kAlias}};
    if (op == "Add" && addInPlace) hints.inplace = {{0, 0, AliasKind::kMayInplace}, {1, 0, AliasKind::kMayInplace}};
    return hints;
  };
}

}  // namespace

ValueType floatTensor(std::initializer_list<int64_t> dims) {
  return ValueType::tensor(ElementType::kFloat, Shape::of({dims.begin(), dims.size()}));
}

Graph randomGraph(const RandomGraphOptions& options) {
  return RandomGraphMaker(options).make();
}

Graph workedExample() {
  Graph graph("worked");
  const ValueId x = graph.addInput("X", floatTensor({2, 8}));
  const ValueId w = graph.addInitializer("W", *Tensor::create(ElementType::kFloat, {8, 8}));
  const auto add = [&](const char* name, const char* opType, std::initializer_list<ValueId> inputs) {
    Node node;
    node.name = std::string("make_") + name;
    node.opType = opType;
    const NodeId id = graph.addNode(std::move(node), inputs, {std::string(name)});
    const ValueId value = graph.node(id).outputs[0];
    graph.mutableValue(value).type = floatTensor({2, 8});
    return value;
  };
  const ValueId a = add("A", "Relu", {x});
  const ValueId b = add("B", "MatMul", {a, w});
  const ValueId c = add("C", "Relu", {b});
  const ValueId d = add("D", "Add", {c, b});
  graph.addOutput(add("Y", "Relu", {d}));
  return graph;
}

MemoryHints referenceHints(const Graph& graph) {
  return hintsOf(graph, false);
}
MemoryHints cutawayHints(const Graph& graph) {
  return hintsOf(graph, true);
}

}  // namespace cutaway
