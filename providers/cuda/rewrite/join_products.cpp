// Products of one input with several constant matrices (queries, keys and values of attention) are one product with the
// matrices side by side, and a Split of its columns: a small product alone leaves most of the device idle.

#include <cstring>
#include <map>
#include <optional>

#include "engine/graph/graph_query.h"
#include "engine/graph/patch.h"
#include "providers/cuda/rewrite/rewrite_table.h"

namespace cutaway::cuda {
namespace {

// Tiles of 128 x 128 that keep a large device busy: products with as many gain nothing by being joined.
constexpr int64_t kTile = 128, kBusyTiles = 132;

struct Joinable {
  NodeId id;
  int64_t columns = 0;
  bool bias = false;
};

class ProductJoin {
 public:
  explicit ProductJoin(RewriteCall& call) : m_call(call), m_graph(call.graph) {}

  Result<void> run() {
    // By input, and whether there is a bias: all parts of one product have one or none has.
    std::map<std::pair<uint32_t, bool>, std::vector<Joinable>> groups;
    for (const NodeId id : m_graph.nodeIds()) {
      if (std::optional<Joinable> part = joinable(id))
        groups[{m_graph.node(id).inputs[0].index(), part->bias}].push_back(*part);
    }
    for (const auto& [key, parts] : groups) {
      if (parts.size() > 1 && pays(parts)) CUTAWAY_CHECK(join(parts));
    }
    return {};
  }

 private:
  const Tensor* constant(ValueId id) const { return constantOf(m_graph, id); }

  std::optional<Joinable> joinable(NodeId id) const {
    const Node& node = m_graph.node(id);
    const bool plain = node.opType == "MatMul" && node.domain.empty(),
               fused = node.opType == "FusedProduct" && node.domain == kCudaDomain;
    if (node.removed || node.provider != m_call.provider || (!plain && !fused) || node.inputs.size() > 3 ||
        node.outputs.size() != 1)
      return std::nullopt;
    for (const char* name : {"transA", "transB", "transBatchA", "transBatchB", "activation"}) {
      if (node.findAttribute(name) != nullptr) return std::nullopt;
    }
    if (node.attributeOr<float>("alpha", 1.0f) != 1.0f || node.attributeOr<float>("beta", 1.0f) != 1.0f)
      return std::nullopt;
    const Tensor* b = constant(node.inputs[1]);
    const auto& a = m_graph.value(node.inputs[0]).type.shape;
    if (b == nullptr || b->rank() != 2 || b->elementCount() == 0 || !a || a->rank() < 2 ||
        m_graph.value(node.inputs[1]).uses.size() != 1)
      return std::nullopt;
    Joinable part{.id = id, .columns = b->dims()[1], .bias = node.inputs.size() == 3 && node.inputs[2].valid()};
    if (!part.bias) return part;
    const Tensor* bias = constant(node.inputs[2]);
    if (bias == nullptr || bias->rank() == 0 || bias->elementCount() != part.columns ||
        bias->dims()[bias->rank() - 1] != part.columns)
      return std::nullopt;
    return part;
  }

  bool pays(const std::vector<Joinable>& parts) const {
    const auto count = m_graph.value(m_graph.node(parts.front().id).inputs[0]).type.shape->elementCount();
    const Tensor* first = constant(m_graph.node(parts.front().id).inputs[1]);
    if (!count) return false;
    const int64_t rows = *count / first->dims()[0];
    for (const Joinable& part : parts) {
      if ((rows + kTile - 1) / kTile * ((part.columns + kTile - 1) / kTile) >= kBusyTiles) return false;
      if (constant(m_graph.node(part.id).inputs[1])->type() != first->type()) return false;
    }
    return true;
  }

  // Matrices [k, n_i] side by side; biases are such with one row.
  Result<Tensor> sideBySide(const std::vector<Joinable>& parts, size_t slot, int64_t rows, int64_t columns) const {
    const ElementType type = constant(m_graph.node(parts.front().id).inputs[slot])->type();
    CUTAWAY_TRY(Tensor joined,
                rows == 1 && slot == 2 ? Tensor::create(type, {columns}) : Tensor::create(type, {rows, columns}));
    const size_t size = static_cast<size_t>(bitsOf(type)) / 8;
    size_t place = 0;
    for (const Joinable& part : parts) {
      const Tensor& own = *constant(m_graph.node(part.id).inputs[slot]);
      const size_t width = static_cast<size_t>(part.columns) * size;
      for (int64_t row = 0; row < rows; ++row)
        std::memcpy(joined.mutableBytes().data() + static_cast<size_t>(row * columns) * size + place,
                    own.bytes().data() + static_cast<size_t>(row) * width, width);
      place += width;
    }
    return joined;
  }

  Result<void> join(const std::vector<Joinable>& parts) {
    const auto version = static_cast<int32_t>(importedVersion(m_call.model.opsets, ""));
    if (version < 13) return {};
    const Node& first = m_graph.node(parts.front().id);
    const int64_t depth = constant(first.inputs[1])->dims()[0];
    int64_t columns = 0;
    std::vector<int64_t> sizes;
    for (const Joinable& part : parts) {
      columns += part.columns;
      sizes.push_back(part.columns);
    }
    const std::string stem = first.name.empty() ? first.opType : first.name;
    const std::string weights = m_graph.freshName(stem + "/joined weights"),
                      biases = m_graph.freshName(stem + "/joined bias"), result = m_graph.freshName(stem + "/joined"),
                      lengths = m_graph.freshName(stem + "/joined sizes");
    GraphPatch patch{.note = fmt::format("{} products of one input are one, whose columns are split", parts.size())};
    CUTAWAY_TRY(Tensor matrix, sideBySide(parts, 1, depth, columns));
    patch.addInitializers.emplace_back(weights, std::move(matrix));
    patch.addInitializers.emplace_back(lengths, Tensor::of<int64_t>(std::span<const int64_t>(sizes)));
    ValueType type = m_graph.value(first.outputs[0]).type;
    type.shape->mutableDims().back() = Dim(columns);
    NewNode product{.node = {.name = stem + "/joined", .opType = "FusedProduct", .domain = kCudaDomain},
                    .inputs = {m_graph.value(first.inputs[0]).name, weights},
                    .outputs = {result},
                    .outputTypes = {type}};
    product.node.sinceVersion = product.node.opsetVersion = 1;
    if (parts.front().bias) {
      CUTAWAY_TRY(Tensor bias, sideBySide(parts, 2, 1, columns));
      patch.addInitializers.emplace_back(biases, std::move(bias));
      product.inputs.push_back(biases);
    }
    NewNode split{.node = {.name = stem + "/split", .opType = "Split"},
                  .inputs = {result, lengths},
                  .outputs = {},
                  .outputTypes = {}};
    split.node.setAttribute("axis", int64_t{-1});
    split.node.opsetVersion = version;
    split.node.sinceVersion = version >= 18 ? 18 : 13;
    for (const Joinable& part : parts) {
      const Value& output = m_graph.value(m_graph.node(part.id).outputs[0]);
      split.outputs.push_back(output.name);
      split.outputTypes.push_back(output.type);
      patch.removeNodes.push_back(part.id);
    }
    product.node.provider = split.node.provider = m_call.provider;
    patch.addNodes.push_back(std::move(product));
    patch.addNodes.push_back(std::move(split));
    CUTAWAY_CHECK(applyRewrite(m_graph, std::move(patch), "cuda join", m_call.done));
    return {};
  }

  RewriteCall& m_call;
  Graph& m_graph;
};

}  // namespace

Result<void> rewrite_join_products(RewriteCall& call) {
  if (call.level < 3) return {};
  return ProductJoin(call).run();
}

}  // namespace cutaway::cuda
