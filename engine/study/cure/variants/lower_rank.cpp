// A Transpose of many dimensions, with the Reshapes and the Gather around it, in four dimensions or fewer.
//
// Dimensions of 1 do not count, and dimensions that stay neighbours are one; what is left above four is done in steps
// that swap two neighbouring blocks, each a Transpose of (before, block, block, after).

#include <algorithm>
#include <numeric>

#include "engine/study/cure/workpiece.h"

namespace cutaway::study {
namespace {

constexpr size_t kMostRank = 4;

struct Permutation {
  std::vector<int64_t> dims;  // of the input
  std::vector<int64_t> order;
};

std::vector<int64_t> orderOf(const Node& node, size_t rank) {
  std::vector<int64_t> reversed(rank);
  for (size_t i = 0; i < rank; ++i)
    reversed[i] = static_cast<int64_t>(rank - 1 - i);
  return node.attributeOr<std::vector<int64_t>>("perm", reversed);
}

// The same movement of elements with the fewest dimensions.
Permutation merged(const std::vector<int64_t>& dims, const std::vector<int64_t>& order) {
  // Runs of input axes that follow one another in the output, in the output's order.
  std::vector<std::vector<int64_t>> runs;
  for (const int64_t axis : order) {
    if (dims[static_cast<size_t>(axis)] == 1) continue;
    const auto follows = [&] {
      // Axes of 1 between two do not part them.
      int64_t next = runs.back().back() + 1;
      while (next < axis && dims[static_cast<size_t>(next)] == 1)
        ++next;
      return next == axis;
    };
    if (!runs.empty() && runs.back().back() < axis && follows())
      runs.back().push_back(axis);
    else
      runs.push_back({axis});
  }
  std::vector<size_t> byInput(runs.size());
  std::iota(byInput.begin(), byInput.end(), size_t{0});
  std::ranges::sort(byInput, {}, [&](size_t run) { return runs[run].front(); });
  Permutation result;
  result.order.resize(runs.size());
  for (size_t place = 0; place < byInput.size(); ++place) {
    int64_t size = 1;
    for (const int64_t axis : runs[byInput[place]])
      size *= dims[static_cast<size_t>(axis)];
    result.dims.push_back(size);
    result.order[byInput[place]] = static_cast<int64_t>(place);
  }
  return result;
}

bool isShapeOnly(const Node& node) {
  return node.domain.empty() && (node.opType == "Reshape" || node.opType == "Squeeze" || node.opType == "Unsqueeze" ||
                                 node.opType == "Flatten");
}

class Lowering {
 public:
  explicit Lowering(const CureContext& context) : m_context(context), m_typed(context.graph()), m_piece(context) {}

  void lower(NodeId id) {
    const NodeId here = m_piece.find(m_typed, id);
    if (!here.valid()) return;
    Graph& graph = m_piece.graph();
    const Node old = graph.node(here);
    const auto dims = *sizesOf(m_typed, m_context.node(id).inputs[0]);
    const auto outDims = *sizesOf(m_typed, m_context.node(id).outputs[0]);
    const Permutation less = merged(dims, orderOf(m_context.node(id), dims.size()));
    const ValueId output = old.outputs[0];
    const ValueId moved = transposed(old, reshaped(old, source(old), less.dims), less);
    rewireReaders(old, output, moved);
    graph.removeNode(here);
    const bool read = !graph.value(output).uses.empty() || graph.value(output).outputCount > 0;
    if (read) m_piece.add(old, "Reshape", {moved, shapeConstant(outDims)}, {}, output);
  }

  Model finish() { return m_piece.finish(); }

 private:
  ValueId shapeConstant(const std::vector<int64_t>& dims) {
    return m_piece.constant("shape", Tensor::of(std::span<const int64_t>(dims)));
  }
  ValueId reshaped(const Node& old, ValueId value, const std::vector<int64_t>& dims) {
    return m_piece.add(old, "Reshape", {value, shapeConstant(dims)});
  }

  // The same elements in the same order, seen before Reshapes; a Gather with one-dimensional indices has them, too.
  ValueId source(const Node& old) {
    const Graph& graph = m_piece.graph();
    ValueId value = old.inputs[0];
    for (NodeId maker = graph.value(value).producer; maker.valid() && isShapeOnly(graph.node(maker));
         maker = graph.value(value).producer)
      value = graph.node(maker).inputs[0];
    const NodeId maker = graph.value(value).producer;
    if (!maker.valid() || graph.node(maker).opType != "Gather" || !graph.node(maker).domain.empty()) return value;
    const Node gather = graph.node(maker);
    const ValueId typedIndices = m_typed.findValue(graph.value(gather.inputs[1]).name);
    const ValueId typedData = m_typed.findValue(graph.value(gather.inputs[0]).name);
    const auto indices = sizesOf(m_typed, typedIndices);
    const auto data = sizesOf(m_typed, typedData);
    if (!indices || !data || indices->size() < 2) return value;
    // An axis from the end stays as it is: the data is not changed.
    const ValueId flat = m_piece.add(gather, "Reshape", {gather.inputs[1], shapeConstant({-1})});
    return m_piece.add(gather, "Gather", {gather.inputs[0], flat}, gather.attributes);
  }

  ValueId transposed(const Node& old, ValueId value, const Permutation& permutation) {
    const std::vector<int64_t>& order = permutation.order;
    if (std::ranges::is_sorted(order)) return value;
    if (order.size() <= kMostRank) return m_piece.add(old, "Transpose", {value}, {{"perm", order}});
    std::vector<int64_t> now(order.size());
    std::iota(now.begin(), now.end(), int64_t{0});
    const auto size = [&](size_t from, size_t to) {
      int64_t product = 1;
      for (size_t i = from; i < to; ++i)
        product *= permutation.dims[static_cast<size_t>(now[i])];
      return product;
    };
    for (size_t at = 0; at < order.size(); ++at) {
      const auto from = static_cast<size_t>(std::ranges::find(now, order[at]) - now.begin());
      if (from == at) continue;
      // What follows in the target and here moves along.
      size_t end = from + 1;
      while (end < now.size() && at + (end - from) < order.size() && now[end] == order[at + (end - from)])
        ++end;
      value = reshaped(old, value, {size(0, at), size(at, from), size(from, end), size(end, now.size())});
      value = m_piece.add(old, "Transpose", {value}, {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
      std::rotate(now.begin() + static_cast<std::ptrdiff_t>(at), now.begin() + static_cast<std::ptrdiff_t>(from),
                  now.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return value;
  }

  // Readers that only see the elements in another shape read them from where they are.
  void rewireReaders(const Node& old, ValueId output, ValueId moved) {
    Graph& graph = m_piece.graph();
    const std::vector<Use> uses = graph.value(output).uses;
    for (const Use& use : uses) {
      const Node reader = graph.node(use.node);
      if (use.slot != 0 || !isShapeOnly(reader)) continue;
      const auto dims = sizesOf(m_typed, m_typed.findValue(graph.value(reader.outputs[0]).name));
      if (!dims) continue;
      graph.removeNode(use.node);
      Node origin = reader;
      origin.origins.insert(origin.origins.end(), old.origins.begin(), old.origins.end());
      m_piece.add(origin, "Reshape", {moved, shapeConstant(*dims)}, {}, reader.outputs[0]);
    }
  }

  const CureContext& m_context;
  const Graph& m_typed;
  Workpiece m_piece;
};

bool fits(const CureContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (node.opType != "Transpose" || !node.domain.empty()) return false;
  const auto dims = sizesOf(context.graph(), node.inputs[0]);
  if (!dims || dims->size() <= kMostRank || !sizesOf(context.graph(), node.outputs[0])) return false;
  const std::vector<int64_t> order = orderOf(node, dims->size());
  return order.size() == dims->size() && std::ranges::all_of(*dims, [](int64_t dim) { return dim > 0; });
}

std::vector<CureChange> propose(const CureContext& context) {
  std::vector<NodeId> chosen;
  for (const RefusedNode& each : context.refused)
    if (fits(context, each.id)) chosen.push_back(each.id);
  if (chosen.empty()) return {};
  CureChange change;
  change.title = fmt::format("{} in {} dimensions or fewer", countedNodes(context.graph(), chosen), kMostRank);
  change.consequence = "the sizes are written into the model";
  change.parts = static_cast<int64_t>(chosen.size());
  change.apply = [&context, chosen]() -> Result<Model> {
    Lowering lowering(context);
    for (const NodeId id : chosen)
      lowering.lower(id);
    return lowering.finish();
  };
  return {std::move(change)};
}

constexpr CureVariant kVariant{.name = "lower rank",
                               .purpose = "splits Reshape, Transpose and Gather of more than four dimensions",
                               .propose = propose};

}  // namespace

const CureVariant& cure_lower_rank() {
  return kVariant;
}

}  // namespace cutaway::study
