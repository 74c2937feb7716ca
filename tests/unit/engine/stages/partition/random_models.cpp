#include "tests/unit/engine/stages/partition/random_models.h"

#include <stdexcept>

#include "engine/provider/group_builder.h"

namespace cutaway {

namespace {

size_t below(std::mt19937& random, size_t limit) {
  return random() % limit;
}

class ModelWriter {
 public:
  explicit ModelWriter(const RandomModelOptions& options) : m_options(options), m_random(options.seed) {}

  std::string write() {
    m_values = {"x0", "x1", "w"};
    std::string nodes;
    for (int i = 0; i < m_options.nodes; ++i)
      nodes += node();
    std::string outputs;
    // The last value and some others; every output is a float[2,3].
    for (size_t i = 3; i < m_values.size(); ++i) {
      if (i + 1 == m_values.size() || below(m_random, 7) == 0)
        outputs += (outputs.empty() ? "float[2,3] " : ", float[2,3] ") + m_values[i];
    }
    return fmt::format(
        "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[2,3] x0, float[2,3] x1, bool[] c) => ({}) <float[2,3] "
        "w = {{1,-2,3,0.5,-0.25,2}}, float s = {{0.05}}, uint8 z = {{128}}> {{\n{}}}",
        outputs, nodes);
  }

 private:
  const std::string& anyValue() {
    const size_t window = below(m_random, 4) == 0 ? m_values.size() : std::min<size_t>(m_values.size(), 5);
    return m_values[m_values.size() - 1 - below(m_random, window)];
  }
  std::string freshValue() { return fmt::format("v{}", m_nextValue++); }
  std::string freshNode() { return fmt::format("n{}", m_nextNode++); }
  const char* unary() {
    static constexpr const char* kOperators[] = {"Relu", "Tanh", "Sigmoid", "Neg", "Abs"};
    return kOperators[below(m_random, std::size(kOperators))];
  }
  const char* binary() {
    static constexpr const char* kOperators[] = {"Add", "Sub", "Mul", "Max"};
    return kOperators[below(m_random, std::size(kOperators))];
  }

  std::string node() {
    if (m_options.bodies && below(m_random, 6) == 0) return branch();
    if (m_options.quantized && below(m_random, 3) == 0) return quantizedUnit();
    if (below(m_random, 8) == 0) return splitAndConcat();
    const std::string made = freshValue();
    const std::string text =
        below(m_random, 2) == 0
            ? fmt::format("  [{}] {} = {} ({})\n", freshNode(), made, unary(), anyValue())
            : fmt::format("  [{}] {} = {} ({}, {})\n", freshNode(), made, binary(), anyValue(), anyValue());
    m_values.push_back(made);
    return text;
  }

  std::string splitAndConcat() {
    const std::string upper = freshValue(), lower = freshValue(), made = freshValue();
    std::string text = fmt::format("  [{}] {}, {} = Split <axis = 0> ({})\n  [{}] {} = Concat <axis = 0> ({}, {})\n",
                                   freshNode(), upper, lower, anyValue(), freshNode(), made, lower, upper);
    m_values.push_back(made);
    return text;
  }

  std::string quantizedUnit() {
    const std::string q = freshValue(), d = freshValue(), r = freshValue(), p = freshValue(), made = freshValue();
    std::string text = fmt::format("  [{}] {} = QuantizeLinear ({}, s, z)\n  [{}] {} = DequantizeLinear ({}, s, z)\n",
                                   freshNode(), q, anyValue(), freshNode(), d, q);
    text += fmt::format(
        "  [{}] {} = {} ({})\n  [{}] {} = QuantizeLinear ({}, s, z)\n  [{}] {} = DequantizeLinear ({}, s, z)\n",
        freshNode(), r, unary(), d, freshNode(), p, r, freshNode(), made, p);
    m_values.push_back(made);
    return text;
  }

  std::string branch() {
    const std::string made = freshValue();
    std::string text = fmt::format(
        "  [{}] {} = If <then_branch = yes () => (float[2,3] {}t) {{ {} }}, else_branch = no () => (float[2,3] {}e) {{ "
        "{} }}> (c)\n",
        freshNode(), made, made, body(made + "t"), made, body(made + "e"));
    m_values.push_back(made);
    return text;
  }

  // Up to three nodes in a row, the first and the last of which may look outside.
  std::string body(const std::string& result) {
    std::string text;
    std::string last = anyValue();
    const size_t inner = below(m_random, 3);
    for (size_t i = 0; i < inner; ++i) {
      const std::string made = fmt::format("{}_{}", result, i);
      text += fmt::format("[{}] {} = {} ({}) ", freshNode(), made, unary(), last);
      last = made;
    }
    return text + fmt::format("[{}] {} = {} ({}, {})", freshNode(), result, binary(), last, anyValue());
  }

  RandomModelOptions m_options;
  std::mt19937 m_random;
  std::vector<std::string> m_values;
  int m_nextValue = 0;
  int m_nextNode = 0;
};

// FNV-1a: the same on every platform.
uint32_t mixed(uint32_t seed, const std::string& text) {
  uint32_t hash = 2166136261u ^ (seed * 2654435761u);
  for (const char letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619u;
  return hash ^ (hash >> 15);
}

class RandomAnswer {
 public:
  RandomAnswer(const CapabilityRequest& request, const RandomAnswerOptions& options)
      : m_request(request),
        m_graph(request.graph),
        m_options(options),
        m_random(mixed(options.seed, request.graph.name() + std::to_string(request.free.size()))) {}

  Result<CapabilityAnswer> make() {
    if (m_options.nonsense) {
      switch (below(m_random, 14)) {
        case 0:
          throw std::runtime_error("at random");
        case 1:
          return fail(ErrorCode::kEpFail, "at random");
        case 2:
          return CapabilityAnswer{};
        default:
          break;
      }
    }
    Groups groups = buildGroups(m_request, groupingOptions());
    CapabilityAnswer answer{std::move(groups.claims), std::move(groups.refusals)};
    takeSingles(answer);
    if (m_options.nonsense) bend(answer);
    return answer;
  }

 private:
  bool mayTake(NodeId id) const { return m_options.takesBodies || !m_graph.node(id).hasBodies(); }

  GroupingOptions groupingOptions() {
    GroupingOptions options;
    const size_t tenths = 2 + below(m_random, 8);
    options.supported.assign(m_graph.nodeSlots(), 0);
    for (const NodeId id : m_request.free)
      options.supported[id.index()] = mayTake(id) && mixed(m_options.seed, m_graph.node(id).name) % 10 < tenths;
    options.quantizedUnits = below(m_random, 4) != 0;
    options.constantsAsInputs = below(m_random, 3) == 0;
    options.minimumNodes = 1 + below(m_random, 3);
    if (below(m_random, 3) == 0) options.maximumNodes = 2 + below(m_random, 4);
    if (below(m_random, 5) == 0) options.stopOperators = {"Sigmoid"};
    return options;
  }

  // Some of what no group took, one by one and run by kernels.
  void takeSingles(CapabilityAnswer& answer) {
    std::vector<char> spoken(m_graph.nodeSlots(), 0);
    for (const ComputeCapability& claim : answer.claims) {
      for (const NodeId id : claim.subGraph.nodes)
        spoken[id.index()] = 1;
    }
    for (const Refusal& refusal : answer.refusals)
      spoken[refusal.node.index()] = 1;
    for (const NodeId id : m_request.free) {
      if (!spoken[id.index()] && below(m_random, 6) == 0)
        answer.claims.push_back({.subGraph = {.nodes = {id}, .metaDef = std::nullopt}});
    }
  }

  NodeId anyNode() { return NodeId{below(m_random, m_graph.nodeSlots() + 2)}; }
  ValueId anyValue() { return ValueId{below(m_random, m_graph.valueSlots() + 2)}; }

  void bend(CapabilityAnswer& answer) {
    const size_t times = 1 + below(m_random, 4);
    for (size_t i = 0; i < times; ++i)
      bendOnce(answer);
  }

  void bendOnce(CapabilityAnswer& answer) {
    if (answer.claims.empty() || below(m_random, 3) == 0) return addRandomGroup(answer);
    const size_t at = below(m_random, answer.claims.size());
    IndexedSubGraph& claim = answer.claims[at].subGraph;
    switch (below(m_random, 9)) {
      case 0:
        claim.nodes.push_back(anyNode());
        break;
      case 1:
        claim.nodes.erase(claim.nodes.begin() + static_cast<std::ptrdiff_t>(below(m_random, claim.nodes.size() + 1) %
                                                                            std::max<size_t>(claim.nodes.size(), 1)),
                          claim.nodes.end());
        break;
      case 2:
        answer.claims.push_back(answer.claims[at]);
        break;
      case 3:
        answer.refusals.push_back({anyNode(), RefusalCause::kOther, "at random"});
        break;
      case 4:
        claim.metaDef.reset();
        break;
      case 5:
        if (claim.metaDef) claim.metaDef->inputs.push_back(anyValue());
        break;
      case 6:
        if (claim.metaDef) claim.metaDef->outputs.push_back(anyValue());
        break;
      case 7:
        if (claim.metaDef && !claim.metaDef->inputs.empty()) claim.metaDef->inputs.pop_back();
        break;
      default:
        if (claim.metaDef && !claim.metaDef->outputs.empty()) claim.metaDef->outputs.pop_back();
        break;
    }
  }

  // Any nodes, convex or not, with the border that the edges give.
  void addRandomGroup(CapabilityAnswer& answer) {
    ComputeCapability claim;
    const size_t sixths = 1 + below(m_random, 5);
    for (const NodeId id : m_request.free) {
      if (mayTake(id) && below(m_random, 6) < sixths) claim.subGraph.nodes.push_back(id);
    }
    claim.subGraph.metaDef = MetaDef{.name = "random", .domain = {}, .inputs = {}, .outputs = {}};
    answer.claims.insert(answer.claims.begin(), std::move(claim));
  }

  const CapabilityRequest& m_request;
  const Graph& m_graph;
  RandomAnswerOptions m_options;
  std::mt19937 m_random;
};

}  // namespace

std::string randomModelText(const RandomModelOptions& options) {
  return ModelWriter(options).write();
}

TestProviderPlan randomProvider(std::string name, const RandomAnswerOptions& options, const KernelRegistry* kernels) {
  TestProviderPlan plan;
  plan.name = std::move(name);
  plan.kernels = kernels;
  plan.innerKernels = kernels;
  plan.ownDevice = options.seed % 3 == 0;
  plan.answer = [options](const CapabilityRequest& request) { return RandomAnswer(request, options).make(); };
  // A few nodes spoil the groups they are in.
  for (uint32_t i = 0; i < 60; ++i) {
    const std::string node = "n" + std::to_string(i);
    if (mixed(options.seed + 1, node) % 16 == 0) plan.failing.insert(node);
  }
  return plan;
}

}  // namespace cutaway
