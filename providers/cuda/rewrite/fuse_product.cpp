// A matrix product and what follows it (bias, residual, activation) are one FusedProduct: the sums are added to while
// they are in registers, and nothing between is written and read again.
//
// An activation that no library applies itself is left alone where arithmetic follows it, because then it is worth more
// as part of a chain.

#include "engine/graph/patch.h"
#include "engine/operators/residual.h"
#include "engine/operators/traits/operator_traits.h"
#include "providers/cuda/rewrite/rewrite_table.h"

namespace cutaway::cuda {
namespace {

// A product that grows by its followers.
struct Growing {
  ValueId a, b, addend, residual, result;
  std::vector<Attribute> attributes;  // of FusedProduct
  std::vector<NodeId> nodes;          // that it stands for
  std::string activation;             // no more may follow
  std::vector<std::string> parts;     // for people
};

bool isFloat(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 || type == ElementType::kBfloat16 ||
         type == ElementType::kDouble;
}

// One number for each column of the result: [n], or [1, ..., 1, n].
bool isColumns(const ValueType& type, const ValueType& result) {
  if (!type.shape || !result.shape || type.element != result.element || type.shape->rank() == 0 ||
      type.shape->rank() > result.shape->rank())
    return false;
  for (size_t axis = 0; axis + 1 < type.shape->rank(); ++axis) {
    if (!(*type.shape)[axis].isKnown() || (*type.shape)[axis].value() != 1) return false;
  }
  const Dim &own = (*type.shape)[type.shape->rank() - 1], &wanted = (*result.shape)[result.shape->rank() - 1];
  return own.isKnown() && wanted.isKnown() && own.value() == wanted.value();
}

class ProductFusion {
 public:
  explicit ProductFusion(RewriteCall& call) : m_call(call), m_graph(call.graph) {}

  Result<void> run(NodeId id) {
    Growing product;
    if (!start(id, product)) return {};
    while (product.activation.empty() && (takeSum(product) || takeActivation(product) || takeSilu(product))) {
    }
    return product.nodes.size() < 2 ? Result<void>{} : replace(product);
  }

 private:
  bool isOurs(const Node& node) const { return !node.removed && node.provider == m_call.provider; }

  bool start(NodeId id, Growing& product) const {
    const Node& node = m_graph.node(id);
    const bool matmul = node.opType == "MatMul" && node.domain.empty(),
               fused =
                   (node.opType == "FusedMatMul" || node.opType == "TransposeMatMul") && node.domain == "com.microsoft";
    const bool gemm = node.opType == "Gemm" && node.domain.empty();
    if (!isOurs(node) || !(matmul || fused || gemm) || node.inputs.size() < 2 || node.outputs.size() != 1) return false;
    const auto& result = m_graph.value(node.outputs[0]).type;
    if (!isFloat(result.element)) return false;
    // Vectors give a result whose last axis is not the columns.
    for (const ValueId operand : {node.inputs[0], node.inputs[1]}) {
      const auto& shape = m_graph.value(operand).type.shape;
      if (!shape || shape->rank() < 2) return false;
    }
    product = {.a = node.inputs[0],
               .b = node.inputs[1],
               .addend = {},
               .residual = {},
               .result = node.outputs[0],
               .attributes = {},
               .nodes = {id},
               .activation = {},
               .parts = {}};
    if (gemm && node.inputs.size() > 2) product.addend = node.inputs[2];
    for (const char* name : {"transA", "transB", "transBatchA", "transBatchB", "alpha", "beta"}) {
      if (const Attribute* attribute = node.findAttribute(name)) product.attributes.push_back(*attribute);
    }
    return true;
  }

  // The one reader of the result so far; invalid when there are more, or it is not this provider's.
  NodeId follower(const Growing& product) const {
    const Value& value = m_graph.value(product.result);
    if (value.uses.size() != 1 || value.outputCount > 0) return {};
    const Use use = value.uses.front();
    const Node& node = m_graph.node(use.node);
    return isOurs(node) && use.slot < node.inputs.size() && node.outputs.size() == 1 && node.outputs[0].valid()
               ? use.node
               : NodeId{};
  }

  void take(Growing& product, NodeId id, const char* part) const {
    product.nodes.push_back(id);
    product.result = m_graph.node(id).outputs[0];
    product.parts.emplace_back(part);
  }

  bool takeSum(Growing& product) const {
    const NodeId id = follower(product);
    if (!id.valid()) return false;
    const Node& node = m_graph.node(id);
    if (node.opType != "Add" || !node.domain.empty() || node.inputs.size() != 2) return false;
    const ValueId other = node.inputs[node.inputs[0] == product.result ? 1 : 0];
    const ValueType &type = m_graph.value(other).type, &result = m_graph.value(product.result).type;
    if (other == product.result || product.residual.valid() ||
        !operators::addsWithoutBroadcast(result, m_graph.value(node.outputs[0]).type))
      return false;
    if (!product.addend.valid() && isColumns(type, result)) {
      product.addend = other;
      take(product, id, "bias");
      return true;
    }
    if (!operators::addsWithoutBroadcast(type, result)) return false;
    product.residual = other;
    take(product, id, "residual");
    return true;
  }

  // Activations that the library's products apply themselves.
  static bool isByLibrary(operators::ElementFunction function) {
    return function == operators::ElementFunction::kRelu || function == operators::ElementFunction::kGeluTanh;
  }

  // Whether arithmetic comes next, with which the activation can share a chain.
  bool isFollowedByArithmetic(ValueId result) const {
    for (const Use& use : m_graph.value(result).uses) {
      const std::string& op = m_graph.node(use.node).opType;
      if (op == "Mul" || op == "Add" || op == "Sub" || op == "Div") return true;
    }
    return false;
  }

  bool takeActivation(Growing& product) const {
    const NodeId id = follower(product);
    if (!id.valid()) return false;
    const Node& node = m_graph.node(id);
    if (node.inputs.empty() || node.inputs[0] != product.result) return false;
    std::vector<Attribute> more;
    std::string name = activationOf(node, more);
    if (name.empty()) return false;
    if (node.inputs.size() > 1 && node.inputs[1].valid() && node.domain == "com.microsoft") {  // BiasGelu, FastGelu
      if (product.addend.valid() || product.residual.valid() ||
          !isColumns(m_graph.value(node.inputs[1]).type, m_graph.value(product.result).type))
        return false;
      product.addend = node.inputs[1];
    } else if (const bool byLibrary = isByLibrary(operators::elementFunctionNamed(name));
               !byLibrary && isFollowedByArithmetic(node.outputs[0])) {
      return false;
    }
    product.activation = std::move(name);
    product.attributes.insert(product.attributes.end(), more.begin(), more.end());
    take(product, id, node.opType.c_str());
    return true;
  }

  // The name that FusedProduct has for it, "" for none.
  std::string activationOf(const Node& node, std::vector<Attribute>& more) const {
    using operators::ElementFunction;
    const std::string& op = node.opType;
    if (node.domain == "com.microsoft") {
      if (op == "Gelu" || op == "BiasGelu") return "Gelu";
      return op == "FastGelu" ? "FastGelu" : "";
    }
    const operators::OperatorTraits* traits = operators::findTraits(node);
    if (!node.domain.empty() || traits == nullptr) return {};
    switch (traits->function) {
      case ElementFunction::kRelu:
      case ElementFunction::kSigmoid:
      case ElementFunction::kTanh:
      case ElementFunction::kHardSwish:
      case ElementFunction::kSoftplus:
      case ElementFunction::kSoftsign:
      case ElementFunction::kLeakyRelu:
      case ElementFunction::kElu:
      case ElementFunction::kHardSigmoid:
        for (const operators::Parameter& each : traits->parameters) {
          if (!each.attribute.empty())
            more.push_back(
                {"activation_" + std::string(each.attribute), node.attributeOr<float>(each.attribute, each.otherwise)});
        }
        return op;
      case ElementFunction::kGelu:
        return node.attributeOr<std::string>("approximate", "none") == "tanh" ? "FastGelu" : "Gelu";
      case ElementFunction::kClip:
        return clipOf(node, more) ? op : std::string();
      default:
        return {};
    }
  }

  bool clipOf(const Node& node, std::vector<Attribute>& more) const {
    float bounds[] = {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()};
    bounds[0] = node.attributeOr<float>("min", bounds[0]);
    bounds[1] = node.attributeOr<float>("max", bounds[1]);
    for (size_t slot = 1; slot < node.inputs.size() && slot < 3; ++slot) {
      if (!node.inputs[slot].valid()) continue;
      const Value& value = m_graph.value(node.inputs[slot]);
      if (!m_graph.isConstant(node.inputs[slot]) || !value.initializer ||
          value.initializer->type() != ElementType::kFloat || value.initializer->elementCount() != 1)
        return false;
      bounds[slot - 1] = value.initializer->span<float>()[0];
    }
    more.push_back({"activation_params", std::vector<float>{bounds[0], bounds[1]}});
    return true;
  }

  // x * Sigmoid(x), where nobody else reads either.
  bool takeSilu(Growing& product) const {
    const Value& value = m_graph.value(product.result);
    if (value.uses.size() != 2 || value.outputCount > 0) return false;
    for (size_t i = 0; i < 2; ++i) {
      const NodeId sigmoid = value.uses[i].node, multiply = value.uses[1 - i].node;
      const Node &s = m_graph.node(sigmoid), &m = m_graph.node(multiply);
      if (!isOurs(s) || !isOurs(m) || operators::elementFunctionOf(s) != operators::ElementFunction::kSigmoid ||
          m.opType != "Mul" || !m.domain.empty() || s.outputs.size() != 1 || m.outputs.size() != 1)
        continue;
      const Value& gate = m_graph.value(s.outputs[0]);
      const bool both = m.inputs.size() == 2 && ((m.inputs[0] == product.result && m.inputs[1] == s.outputs[0]) ||
                                                 (m.inputs[1] == product.result && m.inputs[0] == s.outputs[0]));
      if (!both || gate.uses.size() != 1 || gate.outputCount > 0 || isFollowedByArithmetic(m.outputs[0])) continue;
      product.nodes.push_back(sigmoid);
      product.activation = "Silu";
      take(product, multiply, "Silu");
      return true;
    }
    return false;
  }

  Result<void> replace(const Growing& product) {
    const Value& result = m_graph.value(product.result);
    NewNode fused{.node = {},
                  .inputs = {m_graph.nameOf(product.a), m_graph.nameOf(product.b)},
                  .outputs = {result.name},
                  .outputTypes = {result.type}};
    if (product.addend.valid() || product.residual.valid()) fused.inputs.push_back(m_graph.nameOf(product.addend));
    if (product.residual.valid()) fused.inputs.push_back(m_graph.nameOf(product.residual));
    fused.node.name = m_graph.node(product.nodes.front()).name;
    fused.node.opType = "FusedProduct";
    fused.node.domain = kCudaDomain;
    fused.node.sinceVersion = fused.node.opsetVersion = 1;
    fused.node.provider = m_call.provider;
    for (const Attribute& attribute : product.attributes)
      fused.node.setAttribute(attribute.name, attribute.value);
    if (!product.activation.empty()) fused.node.setAttribute("activation", product.activation);
    std::string note;
    for (const std::string& part : product.parts)
      note += (note.empty() ? "" : ", ") + part;
    GraphPatch patch{.note = "the product ends with " + note, .removeNodes = product.nodes};
    patch.addNodes.push_back(std::move(fused));
    CUTAWAY_CHECK(applyRewrite(m_graph, std::move(patch), "cuda fusion", m_call.done));
    return {};
  }

  RewriteCall& m_call;
  Graph& m_graph;
};

}  // namespace

Result<void> rewrite_fuse_product(RewriteCall& call) {
  if (call.level < 2) return {};
  ProductFusion fusion(call);
  for (const NodeId id : call.graph.nodeIds())
    CUTAWAY_CHECK(fusion.run(id));
  return {};
}

}  // namespace cutaway::cuda
