#include "engine/stages/allocate/destinations.h"

#include <algorithm>

#include "engine/stages/allocate/part_choice.h"
#include "engine/stages/allocate/reasons.h"

namespace cutaway::allocate {
namespace {

constexpr int32_t kMostJoinsAround = 32;
constexpr int64_t kPartAlignment = 64;

bool isPlainData(const ValueType& type) {
  return type.isTensor() && type.shape && type.element != ElementType::kString && bitsOf(type.element) >= 8;
}

int64_t axisOf(const Node& node, int64_t otherwise, size_t rank) {
  const int64_t axis = node.attributeOr<int64_t>("axis", otherwise);
  return axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
}

int64_t blockOf(Layout layout) {
  return layout == Layout::kBlocked8 ? 8 : layout == Layout::kBlocked16 ? 16 : 1;
}

// Empty when pieces along the axis lie one behind the other in memory.
std::string whyScattered(const Destinations::Context& context, const ValueType& whole, int64_t axis) {
  const size_t rank = whole.shape->rank();
  if (axis < 0 || static_cast<size_t>(axis) >= rank) return "its axis is outside of the shape";
  if (whole.layout == Layout::kChannelsLast || (blockOf(whole.layout) > 1 && axis != 1))
    return "in this memory layout the pieces are interleaved";
  for (size_t i = 0; i < static_cast<size_t>(axis); ++i) {
    const auto number = context.sizes.numberOf((*whole.shape)[i]);
    if (number == 1) continue;
    return number ? fmt::format("axis {} before it is {} instead of 1, so the pieces are interleaved", i, *number)
                  : fmt::format("axis {} before it is not known to be 1", i);
  }
  return {};
}

bool wholeBlocks(const ValueType& piece) {
  const int64_t block = blockOf(piece.layout);
  return block == 1 ||
         (piece.shape->rank() > 1 && (*piece.shape)[1].isKnown() && (*piece.shape)[1].value() % block == 0);
}

// Empty when `piece` may lie at `start` of something like `whole`.
std::string whyNotPiece(const Destinations::Context& context, ValueId piece, ValueId whole,
                        const std::optional<SizePolynomial>& start) {
  const ValueType& type = context.graph.value(piece).type;
  const ValueType& wholeType = context.graph.value(whole).type;
  if (!isPlainData(type) || type.element != wholeType.element || type.layout != wholeType.layout)
    return "its type is another";
  if (!(context.devices[piece.index()] == context.devices[whole.index()])) return "it lies on another device";
  const auto size = context.sizes.polynomialOf(piece);
  if (!size) return "its size is not known before running";
  if (*size == SizePolynomial::constant(0)) return "it is empty";
  if (!wholeBlocks(type)) return "its channels do not fill whole blocks";
  if (!start) return "the size of a piece before it is not known before running";
  if (!start->dividedBy(kPartAlignment))
    return fmt::format("it would start at byte {}, which is no multiple of {}", start->toText(), kPartAlignment);
  return {};
}

std::optional<SizePolynomial> plusSize(const Destinations::Context& context, const std::optional<SizePolynomial>& start,
                                       ValueId piece) {
  const auto size = context.sizes.polynomialOf(piece);
  return start && size ? start->plus(*size) : std::nullopt;
}

bool hasHint(const NodeMemoryHints& hints, AliasKind kind) {
  return std::any_of(hints.inplace.begin(), hints.inplace.end(),
                     [&](const InplaceHint& hint) { return hint.kind == kind; });
}

}  // namespace

Destinations::Destinations(const Context& context) : m_context(context) {
  const size_t slots = context.graph.valueSlots();
  m_place.resize(slots);
  m_depth.assign(slots, 0);
  m_passedOn.assign(slots, false);
  m_writtenOver.assign(slots, false);
  if (!context.options.parts && !context.options.intoOutputs) return;
  for (size_t step = context.order.steps.size(); step-- > 0;)
    visit(context.order.steps[step].node);
  if (!context.options.onlyPartsThatPay) return;
  const std::vector<Destination> chosen = m_place;
  for (ValueId value : dropPartsThatCost(context, m_place)) {
    refuse(value,
           fmt::format("is not made inside '{}', because that buffer would then be taken while most memory is in use",
                       valueLabel(context.graph, chosen[value.index()].target)));
  }
}

void Destinations::refuse(ValueId value, std::string why) {
  if (m_context.options.traceReasons) m_obstacles.insert_or_assign(value.index(), std::move(why));
}

std::string Destinations::obstacle(ValueId value) const {
  const auto found = m_obstacles.find(value.index());
  return found == m_obstacles.end() ? std::string() : found->second;
}

// Whether a kernel writes this value into memory that the plan chooses.
bool Destinations::belongs(ValueId id) const {
  const Value& value = m_context.graph.value(id);
  return value.producer.valid() && value.outputCount == 0 && isPlainData(value.type) &&
         !m_context.hints[value.producer.index()].externalOutputs;
}

bool Destinations::endsInOutput(ValueId target) const {
  while (m_place[target.index()].target.valid())
    target = m_place[target.index()].target;
  return m_context.graph.value(target).outputCount > 0;
}

void Destinations::visit(NodeId id) {
  const Node& node = m_context.graph.node(id);
  const NodeMemoryHints& hints = m_context.hints[id.index()];
  if (hints.inplace.empty() || hints.externalOutputs || node.outputs.empty()) return;
  if (hasHint(hints, AliasKind::kJoin)) {
    if (m_context.options.parts) visitJoin(node);
  } else {
    visitViewsAndOverwritten(id, node);
  }
}

void Destinations::visitJoin(const Node& node) {
  const ValueId whole = node.outputs[0];
  if (!whole.valid()) return;
  const ValueType& type = m_context.graph.value(whole).type;
  const auto refuseAll = [&](const std::string& why) {
    if (!m_context.options.traceReasons) return;
    for (ValueId input : node.inputs) {
      if (input.valid() && belongs(input) && of(input) == nullptr)
        refuse(input, fmt::format("cannot be made inside '{}', because {}", valueLabel(m_context.graph, whole), why));
    }
  };
  if (!isPlainData(type) || !m_context.sizes.of(whole).known())
    return refuseAll("the size of that is not known before running");
  const std::string scattered = whyScattered(m_context, type, axisOf(node, 1, type.shape->rank()));
  if (!scattered.empty()) return refuseAll(scattered);
  if (endsInOutput(whole) && !m_context.options.partsInOutputs)
    return refuseAll("that is a graph output, whose memory is not taken before it is made");
  if (endsInOutput(whole) && m_context.sizes.of(whole).bytes < 0)
    return refuseAll("that is a graph output whose size is not known before running");
  if (m_depth[whole.index()] >= kMostJoinsAround)
    return refuseAll(fmt::format("joins nest more than {} deep there", kMostJoinsAround));
  std::unordered_map<size_t, int> timesListed;
  for (ValueId input : node.inputs) {
    if (input.valid()) ++timesListed[input.index()];
  }
  std::optional<SizePolynomial> start = SizePolynomial::constant(0);
  for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
    const ValueId input = node.inputs[slot];
    if (!input.valid()) return;
    const auto here = start;
    start = plusSize(m_context, start, input);
    if (!belongs(input)) continue;
    std::string why = whyNotPiece(m_context, input, whole, here);
    if (why.empty() && timesListed[input.index()] > 1) why = "it is there more than once";
    if (why.empty() && m_writtenOver[whole.index()] && m_context.graph.value(input).uses.size() != 1)
      why = "something else is written over that while this is needed";
    if (!why.empty()) {
      if (of(input) == nullptr)
        refuse(input, fmt::format("cannot be made inside '{}', because {}", valueLabel(m_context.graph, whole), why));
      continue;
    }
    // Of several joins the earliest wins: the joined buffer lives the shortest.
    m_place[input.index()] = {whole, static_cast<int32_t>(slot)};
    m_depth[input.index()] = m_depth[whole.index()] + 1;
    m_writtenOver[input.index()] = m_writtenOver[whole.index()];
    m_obstacles.erase(input.index());
  }
}

void Destinations::visitViewsAndOverwritten(NodeId id, const Node& node) {
  const NodeMemoryHints& hints = m_context.hints[id.index()];
  for (const InplaceHint& hint : hints.inplace) {
    if (hint.kind != AliasKind::kAlias && hint.kind != AliasKind::kMayInplace) continue;
    if (hint.input < 0 || hint.output < 0 || static_cast<size_t>(hint.input) >= node.inputs.size() ||
        static_cast<size_t>(hint.output) >= node.outputs.size())
      continue;
    const ValueId input = node.inputs[static_cast<size_t>(hint.input)];
    const ValueId output = node.outputs[static_cast<size_t>(hint.output)];
    if (!input.valid() || !output.valid() || !belongs(input) || of(input) != nullptr || m_passedOn[output.index()])
      continue;
    if (!(m_context.devices[input.index()] == m_context.devices[output.index()]) ||
        !isPlainData(m_context.graph.value(output).type))
      continue;
    const bool isView = hint.kind == AliasKind::kAlias;
    Destination place = m_place[output.index()];
    if (!place.target.valid()) {
      // A view that is a graph output: the value is made in the output itself.
      if (!isView || !m_context.options.intoOutputs || m_context.graph.value(output).outputCount == 0) continue;
      place = {output, -1};
    } else if (m_context.graph.value(output).outputCount > 0) {
      continue;
    }
    // Written over: only when this is certain to happen.
    const Value& value = m_context.graph.value(input);
    if (!isView && (!m_context.options.inPlace || value.uses.size() != 1 || !m_context.sizes.sameBytes(input, output) ||
                    bitsOf(value.type.element) != bitsOf(m_context.graph.value(output).type.element))) {
      continue;
    }
    // What is written over later may be needed by nobody else under another name either.
    if (isView && m_writtenOver[output.index()] && value.uses.size() != 1) continue;
    m_writtenOver[input.index()] = !isView || m_writtenOver[output.index()];
    m_place[input.index()] = place;
    m_depth[input.index()] = m_depth[output.index()];
    m_passedOn[output.index()] = true;
    m_obstacles.erase(input.index());
  }
}

std::vector<std::string> Destinations::splitObstacles(const Context& context, NodeId id) {
  const Node& node = context.graph.node(id);
  const ValueId whole = node.inputs.empty() ? ValueId() : node.inputs[0];
  if (!whole.valid() || !isPlainData(context.graph.value(whole).type))
    return std::vector<std::string>(node.outputs.size(), "the shape of what is split is not known");
  const ValueType& type = context.graph.value(whole).type;
  std::vector<std::string> obstacles(node.outputs.size(),
                                     whyScattered(context, type, axisOf(node, 0, type.shape->rank())));
  if (obstacles.empty() || !obstacles[0].empty()) return obstacles;
  std::optional<SizePolynomial> start = SizePolynomial::constant(0);
  for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
    if (!node.outputs[slot].valid()) {
      start = std::nullopt;
      continue;
    }
    obstacles[slot] = whyNotPiece(context, node.outputs[slot], whole, start);
    start = plusSize(context, start, node.outputs[slot]);
  }
  return obstacles;
}

}  // namespace cutaway::allocate
