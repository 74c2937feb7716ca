// Float values between convolutions and what works on images lie channels last in memory, the order the library
// computes convolutions in: nothing is turned around between two of them.
//
// Dims stay as they are; ValueType::layout changes. Convolutions take and make channels last; poolings, normalisations,
// resizing, joins and elementwise operators follow where that saves moves. Where a value is wanted in the other order
// too, a Reorder of domain "cutaway" stands, once a value. Sizes of batch and plane may be open: only rank and channels
// count. The choice starts with every follower channels last and then takes back, one node at a time, what does not
// save bytes moved; it ends at a choice that no change of one node improves. Near-linear: a few passes over the graph.

#include <algorithm>
#include <map>

#include "providers/cpu/rewrite/plain_node.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kFewChannels = 4;  // the library reads so few plainly, too

// What a slot takes once its node works channels last.
enum class Want : char { kPlain, kLast, kEither };

struct Role {
  enum class Kind : uint8_t {
    kFixed,        // plain tensors only, but for slots that take either
    kConvolution,  // channels last whatever its neighbours do
    kFollower,     // in either order, all its tensors alike
  };
  Kind kind = Kind::kFixed;
  std::vector<Want> wants{};  // by slot; those beyond are plain
};

bool isImage(const Graph& graph, ValueId id) {
  const ValueType& type = graph.value(id).type;
  return type.isTensor() && type.element == ElementType::kFloat && type.shape && type.shape->rank() >= 3 &&
         type.shape->rank() <= 5 && type.layout == Layout::kPlain;
}

bool isOne(const Dim& dim) {
  return dim.isKnown() && dim.value() == 1;
}

// One channel or one cell a plane: both orders are the same in memory. rank: of the images it is read beside.
bool isSameInBoth(const Shape& shape, size_t rank) {
  if (shape.rank() > rank) return false;
  const size_t missing = rank - shape.rank();
  const auto isSingle = [&](size_t axis) { return axis < missing || isOne(shape[axis - missing]); };
  if (isSingle(1)) return true;
  for (size_t axis = 2; axis < rank; ++axis) {
    if (!isSingle(axis)) return false;
  }
  return true;
}

class Places {
 public:
  explicit Places(Graph& graph) : m_graph(graph), m_roles(graph.nodeSlots()), m_turned(graph.nodeSlots(), 0) {
    for (const NodeId id : graph.nodeIds()) {
      m_roles[id.index()] = roleOf(graph.node(id));
      m_turned[id.index()] = m_roles[id.index()].kind != Role::Kind::kFixed;
      m_any = m_any || m_roles[id.index()].kind == Role::Kind::kConvolution;
    }
  }

  bool anyConvolution() const { return m_any; }

  void choose() {
    constexpr int kMostPasses = 16;
    std::vector<NodeId> ids = m_graph.nodeIds();
    for (int pass = 0; pass < kMostPasses && improve(ids); ++pass)
      std::ranges::reverse(ids);
    for (const NodeId id : ids) {
      if (m_roles[id.index()].kind == Role::Kind::kConvolution && standsAlone(id)) m_turned[id.index()] = 0;
    }
  }

  // Sets layouts and adds Reorders; gives how many values changed.
  size_t apply(std::vector<NodeId>& reorders) {
    size_t count = 0;
    for (const ValueId id : m_graph.valueIds()) {
      const bool last = isMadeLast(id);
      const Needs needs = needsOf(id);
      if (!last && !needs.last) continue;
      ++count;
      if (last && !needs.plain)
        m_graph.mutableValue(id).type.layout = Layout::kChannelsLast;
      else
        addOther(id, last, reorders);
    }
    return count;
  }

 private:
  struct Needs {
    bool plain = false, last = false;
  };

  Role roleOf(const Node& node) const {
    if (!isPlainNode(node) || node.inputs.empty() || !node.inputs[0].valid() || node.outputs.empty() ||
        !node.outputs[0].valid())
      return {};
    const bool standard = node.domain.empty(), microsoft = node.domain == "com.microsoft";
    const ValueId x = node.inputs[0], y = node.outputs[0];
    const std::string& op = node.opType;
    if (node.domain == "cutaway" && op == "ChannelShuffle")
      return isImage(m_graph, x) ? Role{.kind = Role::Kind::kFollower, .wants = {Want::kLast}} : Role{};
    if (!standard && !microsoft) return {};
    if (standard && (op == "GlobalAveragePool" || op == "GlobalMaxPool")) {
      if (!isImage(m_graph, x)) return {};
      return {.kind = Role::Kind::kFixed, .wants = {Want::kEither}};
    }
    const bool single =
        std::all_of(node.outputs.begin() + 1, node.outputs.end(), [](ValueId id) { return !id.valid(); });
    if (!isImage(m_graph, y) || !single) return {};
    const size_t rank = m_graph.value(y).type.shape->rank();
    if ((standard && (op == "Conv" || op == "ConvTranspose")) || (microsoft && op == "FusedConv"))
      return convolution(node, rank);
    if (isSameInBoth(*m_graph.value(y).type.shape, rank)) {
      const bool pools = standard && (op == "MaxPool" || op == "AveragePool") && isImage(m_graph, x);
      return pools ? Role{.kind = Role::Kind::kFixed, .wants = {Want::kEither}} : Role{};
    }
    if (standard &&
        (op == "MaxPool" || op == "AveragePool" || op == "Resize" || op == "Upsample" || op == "LRN" ||
         (op == "BatchNormalization" && node.sinceVersion >= 9 && node.attributeOr<int64_t>("training_mode", 0) == 0)))
      return isImage(m_graph, x) && m_graph.value(x).type.shape->rank() == rank
                 ? Role{.kind = Role::Kind::kFollower, .wants = {Want::kLast}}
                 : Role{};
    if (standard && op == "Concat") return along(node, rank, true);
    return follower(node, rank);
  }

  Role convolution(const Node& node, size_t rank) const {
    const ValueId x = node.inputs[0];
    if (!isImage(m_graph, x) || m_graph.value(x).type.shape->rank() != rank || node.inputs.size() < 2 ||
        !node.inputs[1].valid())
      return {};
    const auto& weights = m_graph.value(node.inputs[1]).type.shape;
    if (!weights || weights->rank() != rank) return {};
    const size_t channelAxis = node.opType == "ConvTranspose" ? 0 : 1;
    const Dim& channels = (*weights)[channelAxis];
    const bool few =
        node.attributeOr<int64_t>("group", 1) == 1 && channels.isKnown() && channels.value() <= kFewChannels;
    Role role{.kind = Role::Kind::kConvolution, .wants = {few ? Want::kEither : Want::kLast}};
    if (isSameInBoth(*m_graph.value(x).type.shape, rank)) role.wants[0] = Want::kEither;
    if (node.inputs.size() > 3 && node.inputs[3].valid()) {
      if (!isImage(m_graph, node.inputs[3])) return {};
      const Shape& sum = *m_graph.value(node.inputs[3]).type.shape;
      role.wants.resize(4, Want::kPlain);
      role.wants[3] = isSameInBoth(sum, rank) ? Want::kEither : Want::kLast;
    }
    return role;
  }

  Role follower(const Node& node, size_t rank) const {
    const OperatorTraits* traits = operators::findTraits(node);
    const ElementFunction function = operators::elementFunctionOf(node);
    if (traits == nullptr || function == ElementFunction::kNone || function == ElementFunction::kCast) return {};
    if (traits->relation == Relation::kBroadcast) return along(node, rank, false);
    if (traits->relation != Relation::kElementwise || !isImage(m_graph, node.inputs[0])) return {};
    const bool others = std::all_of(node.inputs.begin() + 1, node.inputs.end(), [&](ValueId id) {
      return !id.valid() || m_graph.value(id).type.shape.value_or(Shape{Dim()}).elementCount() == 1;
    });
    return others ? Role{.kind = Role::Kind::kFollower, .wants = {Want::kLast}} : Role{};
  }

  // Sums and joins: all operands in one order, but for those that are the same in both.
  Role along(const Node& node, size_t rank, bool joined) const {
    if (node.findAttribute("broadcast") != nullptr || (joined && node.findAttribute("axis") == nullptr)) return {};
    static constexpr ElementFunction kTaken[] = {
        ElementFunction::kAdd, ElementFunction::kSub,  ElementFunction::kMul,
        ElementFunction::kDiv, ElementFunction::kMax,  ElementFunction::kMin,
        ElementFunction::kSum, ElementFunction::kMean, ElementFunction::kPRelu};
    if (!joined && std::ranges::find(kTaken, operators::elementFunctionOf(node)) == std::end(kTaken)) return {};
    Role role{.kind = Role::Kind::kFollower};
    bool any = false;
    for (const ValueId input : node.inputs) {
      if (!input.valid() || !m_graph.value(input).type.shape) return {};
      const Shape& shape = *m_graph.value(input).type.shape;
      if (isSameInBoth(shape, rank) && (!joined || shape.rank() == rank)) {
        role.wants.push_back(Want::kPlain);
        continue;
      }
      if (shape.rank() != rank || !isImage(m_graph, input) || m_graph.isConstant(input)) return {};
      role.wants.push_back(Want::kLast);
      any = true;
    }
    return any ? role : Role{};
  }

  Want wantOf(const Use& use) const {
    const Role& role = m_roles[use.node.index()];
    if (use.slot >= role.wants.size()) return Want::kPlain;
    const Want want = role.wants[use.slot];
    return want == Want::kEither || m_turned[use.node.index()] ? want : Want::kPlain;
  }

  bool isMadeLast(ValueId id) const {
    const Value& value = m_graph.value(id);
    return value.producer.valid() && m_turned[value.producer.index()] && value.producerSlot == 0 &&
           !isSameInBoth(*value.type.shape, value.type.shape->rank());
  }

  Needs needsOf(ValueId id) const {
    const Value& value = m_graph.value(id);
    Needs needs{.plain = value.outputCount > 0};
    for (const Use& use : value.uses) {
      const Want want = wantOf(use);
      needs.plain = needs.plain || want == Want::kPlain;
      needs.last = needs.last || want == Want::kLast;
    }
    return needs;
  }

  // Elements moved for this value; what is open counts as one.
  int64_t moved(ValueId id) const {
    const bool last = isMadeLast(id);
    const Needs needs = needsOf(id);
    if (last ? !needs.plain : !needs.last) return 0;
    double elements = 1;
    for (const Dim& dim : m_graph.value(id).type.shape->dims())
      elements *= dim.isKnown() ? static_cast<double>(std::max<int64_t>(1, dim.value())) : 1.0;
    return static_cast<int64_t>(std::min(elements, 1e15));
  }

  int64_t movedAround(const Node& node) const {
    std::vector<ValueId> values{node.outputs[0]};
    for (const ValueId input : node.inputs) {
      if (input.valid() && std::ranges::find(values, input) == values.end()) values.push_back(input);
    }
    int64_t total = 0;
    for (const ValueId id : values)
      total += moved(id);
    return total;
  }

  // Turns every follower that costs less the other way; plain wins where both cost the same.
  bool improve(const std::vector<NodeId>& ids) {
    bool changed = false;
    for (const NodeId id : ids) {
      if (m_roles[id.index()].kind != Role::Kind::kFollower) continue;
      char& turned = m_turned[id.index()];
      const char before = turned;
      turned = 1;
      const int64_t last = movedAround(m_graph.node(id));
      turned = 0;
      const int64_t plain = movedAround(m_graph.node(id));
      turned = last < plain ? 1 : 0;
      changed = changed || turned != before;
    }
    return changed;
  }

  // A convolution none of whose neighbours has channels last turns its operands itself.
  bool standsAlone(NodeId id) const {
    const Node& node = m_graph.node(id);
    const bool given =
        std::ranges::any_of(node.inputs, [&](ValueId input) { return input.valid() && isMadeLast(input); });
    const ShortList<Use>& uses = m_graph.value(node.outputs[0]).uses;
    return !given && std::ranges::none_of(uses, [&](const Use& use) { return wantOf(use) != Want::kPlain; });
  }

  // The value in the other order beside the one that is made. The plain one keeps the name that users know.
  void addOther(ValueId id, bool madeLast, std::vector<NodeId>& reorders) {
    const std::vector<Use> uses = m_graph.value(id).uses;
    std::vector<Use> readers;
    for (const Use& use : uses) {
      const Want want = wantOf(use);
      if (want == Want::kLast || (want == Want::kEither && madeLast)) readers.push_back(use);
    }
    ValueType type = m_graph.value(id).type;
    type.layout = Layout::kChannelsLast;
    const ValueId last =
        m_graph.addValue(m_graph.freshName(m_graph.value(id).name + "@channels_last"), std::move(type));
    const NodeId producer = m_graph.value(id).producer;
    if (madeLast) m_graph.setNodeOutput(producer, 0, last);
    for (const Use& use : readers)
      m_graph.setNodeInput(use.node, use.slot, last);
    const ValueId from = madeLast ? last : id, to = madeLast ? id : last;
    Node node;
    node.name = m_graph.value(to).name + "/reorder";
    node.opType = "Reorder";
    node.domain = "cutaway";
    node.sinceVersion = node.opsetVersion = 1;
    node.origins = m_graph.node(madeLast ? producer : readers.front().node).origins;
    node.rewrite = "cpu layout";
    node.provider = kProvider;
    node.documentation = madeLast ? "From channels last to the plain order" : "From the plain order to channels last";
    reorders.push_back(m_graph.addNode(std::move(node), {from}, {m_graph.value(to).name}));
  }

  Graph& m_graph;
  std::vector<Role> m_roles;   // by node index
  std::vector<char> m_turned;  // by node index
  bool m_any = false;
};

}  // namespace

Result<void> rewrite_place_channels_last(RewriteRequest& request) {
  if (request.optimizationLevel < 3) return {};
  Places places(request.graph);
  if (!places.anyConvolution()) return {};
  places.choose();
  std::vector<NodeId> reorders;
  const size_t count = places.apply(reorders);
  if (count == 0) return {};
  request.done.push_back(
      {fmt::format("{} float values lie channels last in memory; {} Reorder{} where they meet plain ones", count,
                   reorders.size(), reorders.size() == 1 ? "" : "s"),
       {},
       {}});
  for (const NodeId id : reorders) {
    const Node& node = request.graph.node(id);
    request.done.push_back({node.documentation, node.origins, node.name});
  }
  return {};
}

}  // namespace cutaway::cpu
