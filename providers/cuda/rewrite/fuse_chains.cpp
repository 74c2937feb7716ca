// Chains of elementwise nodes become one kernel each, so that values between them are not written to memory and read
// back.
//
// A group grows from a seed over neighbours whose value has the same shape (where dimensions are not known, may have,
// and every value put out is made of all inputs), and stays convex: no path leaves it and comes back. Values used
// elsewhere are put out, too. A row reduction (softmax, layer normalisation, a mean over the last axis) joins with the
// elementwise nodes before and after it. Groups already made stand side by side in the order, so a search bounded by
// places in the order sees them as one node each.

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "engine/base/format.h"
#include "engine/graph/patch.h"
#include "providers/cuda/chain/chain_builder.h"
#include "providers/cuda/rewrite/rewrite_table.h"

namespace cutaway::cuda {
namespace {

constexpr size_t kMostNodes = 24;
constexpr size_t kMostVisits = 2048;  // of one search for a path around a group
constexpr int kFree = -1;

class ChainFusion {
 public:
  explicit ChainFusion(RewriteCall& call) : m_call(call), m_graph(call.graph) {}

  Result<void> run() {
    sortNodes();
    m_group.assign(m_graph.nodeSlots(), kFree);
    m_fits.assign(m_graph.nodeSlots(), -1);
    const std::vector<NodeId> seeds = m_order;
    for (const NodeId seed : seeds) {
      if (m_group[seed.index()] != kFree || !fits(seed)) continue;
      Growth growth = grow(seed);
      std::vector<NodeId>& members = growth.members;
      if (members.size() < 2) continue;
      const int number = static_cast<int>(m_groups.size());
      for (const NodeId id : members)
        m_group[id.index()] = number;
      gather(members);
      m_groups.push_back(std::move(members));
      m_open.push_back(growth.open);
    }
    for (size_t i = 0; i < m_groups.size(); ++i)
      CUTAWAY_CHECK(replace(m_groups[i], m_open[i]));
    return {};
  }

 private:
  struct Growth {
    std::vector<NodeId> members;
    std::unordered_set<size_t> inside;
    Shape shape;
    bool rows = false;
    bool open = false;  // some dimension is not known: shapes may differ by broadcasting
  };

  // Kahn's algorithm by node id, so that the order is the same every time.
  void sortNodes() {
    std::vector<int> waits(m_graph.nodeSlots(), 0);
    const std::vector<NodeId> ids = m_graph.nodeIds();
    for (const NodeId id : ids) {
      forEachProducer(id, [&](NodeId) { ++waits[id.index()]; });
      if (waits[id.index()] == 0) m_order.push_back(id);
    }
    for (size_t i = 0; i < m_order.size(); ++i) {
      for (const ValueId output : m_graph.node(m_order[i]).outputs) {
        if (!output.valid()) continue;
        for (const Use& use : m_graph.value(output).uses) {
          if (--waits[use.node.index()] == 0) m_order.push_back(use.node);
        }
      }
    }
    m_place.assign(m_graph.nodeSlots(), 0);
    for (size_t i = 0; i < m_order.size(); ++i)
      m_place[m_order[i].index()] = i;
  }

  template <typename Visit>
  void forEachProducer(NodeId id, Visit visit) const {
    const Node& node = m_graph.node(id);
    for (const auto* list : {&node.inputs, &node.implicitInputs}) {
      for (const ValueId input : *list) {
        if (input.valid() && m_graph.value(input).producer.valid()) visit(m_graph.value(input).producer);
      }
    }
  }

  // A node that a chain can hold at all: asked once.
  bool fits(NodeId id) {
    int8_t& known = m_fits[id.index()];
    if (known < 0) known = askFits(id) ? 1 : 0;
    return known == 1;
  }
  bool askFits(NodeId id) const {
    const Node& node = m_graph.node(id);
    if (node.provider != m_call.provider || node.hasBodies() || node.outputs.size() != 1 || !node.outputs[0].valid())
      return false;
    const ValueType& type = m_graph.value(node.outputs[0]).type;
    if (!type.isTensor() || !type.shape || type.layout != Layout::kPlain) return false;
    for (const ValueId input : node.inputs) {
      if (input.valid() && m_graph.value(input).type.layout != Layout::kPlain) return false;
      // A constant of one element with more axes than the value would be lost as a shape.
      if (input.valid() && m_graph.isConstant(input) && m_graph.value(input).type.shape &&
          m_graph.value(input).type.shape->rank() > type.shape->rank())
        return false;
    }
    if (node.attributeOr<int64_t>("broadcast", 0) != 0) return false;
    ChainBuilder builder(m_graph);
    return builder.add(id) && builder.finish(node.outputs).has_value();
  }

  const Shape& shapeOf(NodeId id) const { return *m_graph.value(m_graph.node(id).outputs[0]).type.shape; }

  static bool isOpen(const Dim& dim) { return !dim.isKnown() && !dim.isSymbol(); }
  // Whether they may be the same: nothing that is known differs.
  static bool mayBeSame(const Shape& a, const Shape& b) {
    if (a.rank() != b.rank()) return false;
    for (size_t i = 0; i < a.rank(); ++i) {
      if (!a[i].sameAs(b[i]) && !isOpen(a[i]) && !isOpen(b[i])) return false;
    }
    return true;
  }
  static bool hasOpenDims(const Shape& shape) { return std::ranges::any_of(shape.dims(), isOpen); }
  // The shape that a node walks: of a row reduction, its input's.
  std::optional<Shape> walkedShape(NodeId id) const {
    const Node& node = m_graph.node(id);
    if (!isRowNode(m_graph, node)) return shapeOf(id);
    return m_graph.value(node.inputs[0]).type.shape;
  }

  bool isReduced(const Growth& growth, NodeId id) const {
    const Shape& own = shapeOf(id);
    if (own.rank() != growth.shape.rank() || own.rank() == 0) return false;
    Shape reduced = growth.shape;
    reduced[own.rank() - 1] = Dim(1);
    return own[own.rank() - 1].sameAs(Dim(1)) && mayBeSame(own, reduced);
  }

  // Whether the node's shape goes with the group's: the same; or one value a row, made of the group's row values alone.
  bool shapeFits(const Growth& growth, NodeId id) const {
    const std::optional<Shape> walked = walkedShape(id);
    if (!walked) return false;
    const Node& node = m_graph.node(id);
    const bool row = isRowNode(m_graph, node);
    if (row || growth.rows) {
      const Dim& last = growth.shape.rank() == 0 ? Dim(1) : growth.shape[growth.shape.rank() - 1];
      if (isOpen(last) || last.sameAs(Dim(1))) return false;
      if (row && (walked->rank() != growth.shape.rank() || !(*walked)[walked->rank() - 1].sameAs(last))) return false;
    }
    if (mayBeSame(*walked, growth.shape)) return true;
    if (row || !growth.rows || !isReduced(growth, id)) return false;
    return std::ranges::all_of(node.inputs, [&](ValueId input) {
      const Value& value = m_graph.value(input);
      if (m_graph.isConstant(input) && value.initializer && value.initializer->elementCount() == 1) return true;
      return value.producer.valid() && growth.inside.contains(value.producer.index()) &&
             isReduced(growth, value.producer);
    });
  }

  Growth grow(NodeId seed) {
    Growth growth;
    if (const std::optional<Shape> shape = walkedShape(seed))
      growth.shape = *shape;
    else
      return {};
    if (!shapeFits(growth, seed)) return {};
    join(growth, seed);
    for (size_t i = 0; i < growth.members.size() && growth.members.size() < kMostNodes; ++i) {
      for (const NodeId next : neighbours(growth.members[i])) {
        if (growth.members.size() >= kMostNodes) break;
        if (growth.inside.contains(next.index()) || m_group[next.index()] != kFree || !fits(next) ||
            !shapeFits(growth, next))
          continue;
        Growth wider = growth;
        join(wider, next);
        if (isConvex(wider) && plan(wider.members, wider.open)) growth = std::move(wider);
      }
    }
    return growth;
  }
  void join(Growth& growth, NodeId id) const {
    growth.members.push_back(id);
    growth.inside.insert(id.index());
    growth.rows = growth.rows || isRowNode(m_graph, m_graph.node(id));
    growth.open = growth.open || hasOpenDims(shapeOf(id));
    for (const ValueId input : m_graph.node(id).inputs) {
      if (input.valid() && !(m_graph.value(input).type.shape && !hasOpenDims(*m_graph.value(input).type.shape)))
        growth.open = true;
    }
  }

  std::vector<NodeId> neighbours(NodeId id) const {
    std::vector<NodeId> found;
    for (const Use& use : m_graph.value(m_graph.node(id).outputs[0]).uses)
      found.push_back(use.node);
    forEachProducer(id, [&](NodeId producer) { found.push_back(producer); });
    std::ranges::sort(found, {}, [&](NodeId each) { return m_place[each.index()]; });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    constexpr size_t kMostNeighbours = 16;  // a value with hundreds of readers is no chain
    if (found.size() > kMostNeighbours) found.resize(kMostNeighbours);
    return found;
  }

  // No path from the group through others back into it. Nodes placed before its first member cannot be on one.
  bool isConvex(const Growth& growth) const {
    size_t first = m_order.size();
    for (const NodeId id : growth.members)
      first = std::min(first, m_place[id.index()]);
    std::vector<NodeId> open;
    std::unordered_set<size_t> seen;
    const auto visit = [&](NodeId id) {
      if (m_place[id.index()] > first && !growth.inside.contains(id.index()) && seen.insert(id.index()).second)
        open.push_back(id);
    };
    for (const NodeId id : growth.members)
      forEachProducer(id, visit);
    while (!open.empty()) {
      if (seen.size() > kMostVisits) return false;
      const NodeId id = open.back();
      open.pop_back();
      bool back = false;
      const auto expand = [&](NodeId each) {
        forEachProducer(each, [&](NodeId producer) { back = back || growth.inside.contains(producer.index()); });
        forEachProducer(each, visit);
      };
      if (const int group = m_group[id.index()]; group == kFree)
        expand(id);
      else
        for (const NodeId each : m_groups[static_cast<size_t>(group)])
          expand(each);
      if (back) return false;
    }
    return true;
  }

  // A new group's members are put side by side: first what they need, then they, then the rest of the range.
  void gather(const std::vector<NodeId>& members) {
    size_t first = m_order.size(), last = 0;
    std::unordered_set<size_t> inside;
    for (const NodeId id : members) {
      first = std::min(first, m_place[id.index()]);
      last = std::max(last, m_place[id.index()]);
      inside.insert(id.index());
    }
    std::unordered_set<size_t> after(inside);  // the group, and what depends on it
    std::vector<NodeId> before, own, rest;
    for (size_t i = first; i <= last;) {
      // A group is one node here: it comes after when one of its members does.
      const int group = m_group[m_order[i].index()];
      size_t end = i + 1;
      if (!inside.contains(m_order[i].index()) && group != kFree) {
        while (end <= last && m_group[m_order[end].index()] == group)
          ++end;
      }
      bool depends = false;
      for (size_t k = i; k < end; ++k)
        forEachProducer(m_order[k], [&](NodeId producer) { depends = depends || after.contains(producer.index()); });
      for (size_t k = i; k < end; ++k) {
        const NodeId id = m_order[k];
        if (inside.contains(id.index()))
          own.push_back(id);
        else if (depends) {
          after.insert(id.index());
          rest.push_back(id);
        } else {
          before.push_back(id);
        }
      }
      i = end;
    }
    size_t at = first;
    for (const auto* part : {&before, &own, &rest}) {
      for (const NodeId id : *part) {
        m_order[at] = id;
        m_place[id.index()] = at++;
      }
    }
  }

  struct Plan {
    ChainProgram program;
    std::vector<ValueId> inputs, outputs;
  };
  // open: every value put out must be made of every input, so that all have the shape that the inputs broadcast to.
  std::optional<Plan> plan(std::vector<NodeId> members, bool open) const {
    std::ranges::sort(members, {}, [&](NodeId id) { return m_place[id.index()]; });
    ChainBuilder builder(m_graph);
    for (const NodeId id : members) {
      if (!builder.add(id)) return std::nullopt;
    }
    Plan made;
    for (const NodeId id : members) {
      const ValueId output = m_graph.node(id).outputs[0];
      const Value& value = m_graph.value(output);
      const bool outside = std::ranges::any_of(value.uses, [&](const Use& use) {
        return std::ranges::find(members, use.node) == members.end() ||
               use.slot >= m_graph.node(use.node).inputs.size();
      });
      if (outside || value.outputCount > 0) made.outputs.push_back(output);
    }
    if (made.outputs.empty() || made.outputs.size() > static_cast<size_t>(kMostChainOutputs)) return std::nullopt;
    Result<ChainProgram> program = builder.finish(made.outputs);
    if (!program) return std::nullopt;
    made.program = *std::move(program);
    made.inputs = builder.inputs();
    if (open && !isMadeOfAll(made.program)) return std::nullopt;
    if (!keepsRanks(made)) return std::nullopt;
    return pays(members, made) ? std::optional<Plan>(std::move(made)) : std::nullopt;
  }

  // Constants of one element are part of the program and lose their axes: a[1] == x[] has one axis, and only `a` brings
  // it.
  bool keepsRanks(const Plan& made) const {
    return std::ranges::all_of(made.outputs, [&](ValueId output) {
      const std::optional<Shape>& shape = m_graph.value(output).type.shape;
      return std::ranges::any_of(made.inputs, [&](ValueId input) {
        const std::optional<Shape>& read = m_graph.value(input).type.shape;
        return !shape || (read && read->rank() >= shape->rank());
      });
    });
  }

  static bool isMadeOfAll(const ChainProgram& program) {
    std::vector<uint64_t> from(program.steps.size(), 0);
    for (size_t i = 0; i < program.steps.size(); ++i) {
      const ChainCode& step = program.steps[i];
      const uint8_t operands[] = {step.a, step.b, step.c};
      if (step.op == ChainOp::kInput) from[i] = uint64_t{1} << step.a;
      for (int o = 0; o < operandsOf(step.op); ++o)
        from[i] |= from[operands[o]];
    }
    const uint64_t all = (uint64_t{1} << program.inputs) - 1;
    return std::ranges::all_of(program.outputs, [&](int output) { return from[static_cast<size_t>(output)] == all; });
  }

  // A row's walks work out again what comes before each reduction: at most a little of it may be dear. And all values
  // of one a row are put out as such.
  bool pays(const std::vector<NodeId>& members, const Plan& made) const {
    const uint64_t rows = made.program.rowValues();
    for (size_t o = 0; o < made.outputs.size(); ++o) {
      const bool row = (rows >> made.program.outputs[o] & 1) != 0;
      const Shape& shape = *m_graph.value(made.outputs[o]).type.shape;
      if (row && !(shape.rank() > 0 && shape[shape.rank() - 1].sameAs(Dim(1)))) return false;
    }
    if (!made.program.hasRows()) return true;
    int dear = 0, reductions = 0;
    for (const ChainCode& step : made.program.steps) {
      reductions += isRowReduction(step.op) ? 1 : 0;
      dear += step.op >= ChainOp::kExp && step.op < ChainOp::kAdd && step.op != ChainOp::kRelu &&
                      step.op != ChainOp::kClip && step.op != ChainOp::kAffine
                  ? 1
                  : 0;
    }
    constexpr int kMostReductions = 4, kMostDear = 3;
    return reductions <= kMostReductions && dear <= kMostDear && members.size() <= kMostNodes;
  }

  // Reads and writes of values that the group saves, and their bytes where shapes are known.
  std::string note(const std::vector<NodeId>& members, const Plan& made) const {
    int64_t passes = 0, bytes = 0;
    bool known = true;
    const auto count = [&](ValueId id, int64_t sign) {
      const ValueType& type = m_graph.value(id).type;
      const std::optional<int64_t> elements = type.shape ? type.shape->elementCount() : std::nullopt;
      passes += sign;
      known = known && elements.has_value();
      bytes += sign * elements.value_or(0) * bitsOf(type.element) / 8;
    };
    for (const NodeId id : members) {
      for (const ValueId input : m_graph.node(id).inputs) {
        if (input.valid() && !(m_graph.isConstant(input) && m_graph.value(input).initializer &&
                               m_graph.value(input).initializer->elementCount() == 1))
          count(input, 1);
      }
      count(m_graph.node(id).outputs[0], 1);
    }
    for (const ValueId id : made.inputs)
      count(id, -1);
    for (const ValueId id : made.outputs)
      count(id, -1);
    const std::string kind = made.program.hasRows() ? "elementwise and row nodes" : "elementwise nodes";
    return fmt::format("{} {} in one kernel, {} reads and writes{} saved", members.size(), kind, passes,
                       known ? " of " + formatBytes(bytes) : std::string());
  }

  Result<void> replace(std::vector<NodeId> members, bool open) {
    std::ranges::sort(members, {}, [&](NodeId id) { return m_place[id.index()]; });
    std::optional<Plan> made = plan(members, open);
    if (!made) return {};
    NewNode chain{.node = Node{.name = m_graph.node(members.back()).name + "_chain",
                               .opType = "Chain",
                               .domain = kCudaDomain,
                               .sinceVersion = 1,
                               .opsetVersion = 1,
                               .provider = m_call.provider}};
    chain.node.setAttribute("program", made->program.text());
    for (const ValueId id : made->inputs)
      chain.inputs.push_back(m_graph.value(id).name);
    for (const ValueId id : made->outputs) {
      chain.outputs.push_back(m_graph.value(id).name);
      chain.outputTypes.push_back(m_graph.value(id).type);
    }
    GraphPatch patch{.note = note(members, *made), .removeNodes = members};
    patch.addNodes.push_back(std::move(chain));
    CUTAWAY_CHECK(applyRewrite(m_graph, std::move(patch), "cuda chain", m_call.done));
    return {};
  }

  RewriteCall& m_call;
  Graph& m_graph;
  std::vector<NodeId> m_order;
  std::vector<size_t> m_place;
  std::vector<int> m_group;
  std::vector<int8_t> m_fits;
  std::vector<std::vector<NodeId>> m_groups;
  std::vector<bool> m_open;  // of each group
};

}  // namespace

Result<void> rewrite_fuse_chains(RewriteCall& call) {
  if (call.level < 2 || !call.options.fuse || !call.chains) return {};
  return ChainFusion(call).run();
}

}  // namespace cutaway::cuda
