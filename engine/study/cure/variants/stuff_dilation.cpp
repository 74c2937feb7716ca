// A dilated ConvTranspose (or Conv) is one without dilation whose kernel has zeros between its elements.

#include <algorithm>

#include "engine/graph/graph_query.h"
#include "engine/study/cure/workpiece.h"

namespace cutaway::study {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 26;  // of a stuffed kernel

bool isDilated(const Node& node) {
  const auto dilations = node.attributeOr<std::vector<int64_t>>("dilations", {});
  return std::ranges::any_of(dilations, [](int64_t each) { return each != 1; });
}

bool fits(const CureContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (!node.domain.empty() || (node.opType != "ConvTranspose" && node.opType != "Conv") || !isDilated(node))
    return false;
  const Tensor* weight = node.inputs.size() > 1 ? constantOf(context.graph(), node.inputs[1]) : nullptr;
  return weight != nullptr && !isSubByte(weight->type()) && weight->type() != ElementType::kString &&
         weight->rank() > 2 && node.attributeOr<std::vector<int64_t>>("dilations", {}).size() == weight->rank() - 2;
}

Result<Tensor> stuffed(const Tensor& weight, const std::vector<int64_t>& dilations) {
  std::vector<int64_t> dims(weight.dims().begin(), weight.dims().end());
  int64_t elements = 1;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (axis >= 2) dims[axis] = (dims[axis] - 1) * dilations[axis - 2] + 1;
    if (dims[axis] < 0 || __builtin_mul_overflow(elements, dims[axis], &elements) || elements > kMostElements)
      return fail(ErrorCode::kFail, "the kernel would have more than {} elements", kMostElements);
  }
  CUTAWAY_TRY(Tensor result, Tensor::create(weight.type(), dims));
  std::ranges::fill(result.mutableBytes(), std::byte{0});
  const auto size = static_cast<size_t>(bitsOf(weight.type()) / 8);
  std::vector<int64_t> index(dims.size(), 0);
  for (int64_t element = 0; element < weight.elementCount(); ++element) {
    int64_t to = 0;
    for (size_t axis = 0; axis < dims.size(); ++axis)
      to = to * dims[axis] + (axis >= 2 ? index[axis] * dilations[axis - 2] : index[axis]);
    std::ranges::copy(weight.bytes().subspan(static_cast<size_t>(element) * size, size),
                      result.mutableBytes().begin() + static_cast<std::ptrdiff_t>(to * static_cast<int64_t>(size)));
    for (size_t axis = dims.size(); axis-- > 0;) {
      if (++index[axis] < weight.dims()[axis]) break;
      index[axis] = 0;
    }
  }
  return result;
}

Result<Model> stuff(const CureContext& context, const std::vector<NodeId>& nodes) {
  Workpiece piece(context);
  for (const NodeId id : nodes) {
    const NodeId here = piece.find(context.graph(), id);
    if (!here.valid()) continue;
    const Node& node = context.node(id);
    CUTAWAY_TRY(Tensor weight, stuffed(*constantOf(context.graph(), node.inputs[1]),
                                       node.attributeOr<std::vector<int64_t>>("dilations", {})));
    const std::vector<int64_t> kernel(weight.dims().begin() + 2, weight.dims().end());
    piece.graph().setNodeInput(
        here, 1, piece.constant(context.graph().value(node.inputs[1]).name + "_stuffed", std::move(weight)));
    Node& changed = piece.graph().mutableNode(here);
    changed.setAttribute("dilations", std::vector<int64_t>(kernel.size(), 1));
    changed.setAttribute("kernel_shape", kernel);
  }
  return piece.finish();
}

std::vector<CureChange> propose(const CureContext& context) {
  std::vector<CureChange> changes;
  for (const auto& [opType, nodes] : context.refusedByOperator()) {
    std::vector<NodeId> chosen;
    std::ranges::copy_if(nodes, std::back_inserter(chosen), [&](NodeId id) { return fits(context, id); });
    if (chosen.empty()) continue;
    changes.push_back(
        {.title = fmt::format("zeros in the kernel of {} instead of dilation", countedNodes(context.graph(), chosen)),
         .consequence = "the kernel is larger, and more is multiplied",
         .parts = static_cast<int64_t>(chosen.size()),
         .apply = [&context, chosen] { return stuff(context, chosen); }});
  }
  return changes;
}

constexpr CureVariant kVariant{.name = "stuff dilation",
                               .purpose = "writes dilated convolutions with a kernel that has zeros in it",
                               .propose = propose};

}  // namespace

const CureVariant& cure_stuff_dilation() {
  return kVariant;
}

}  // namespace cutaway::study
