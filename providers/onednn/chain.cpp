#include "providers/onednn/chain.h"

#include <algorithm>

#include "providers/onednn/operator_table.h"

namespace cutaway::onednn {

namespace {

// Dims of b, with ones in front, fit into those of a without making them larger.
bool fitsInto(const std::vector<int64_t>& b, const std::vector<int64_t>& a) {
  if (b.size() > a.size()) return false;
  for (size_t i = 0; i < b.size(); ++i) {
    const int64_t size = b[b.size() - 1 - i];
    if (size != 1 && size != a[a.size() - 1 - i]) return false;
  }
  return true;
}

// The operand as the primitive sees it: its result may have other dims than the node's (a matrix product flattens
// leading axes).
std::optional<Dimensions> operandDims(const std::vector<int64_t>& operand, int64_t resultCount,
                                      const Dimensions& dims) {
  const int64_t count = elementCount(operand);
  if (count == resultCount) return dims;
  if (count == 1) return Dimensions(dims.size(), 1);
  Dimensions padded = operand;
  if (padded.size() <= dims.size()) {
    padded.insert(padded.begin(), dims.size() - padded.size(), 1);
    if (fitsInto(padded, dims)) return padded;
  }
  if (count == operand.back() && count == dims.back()) {
    Dimensions last(dims.size(), 1);
    last.back() = count;
    return last;
  }
  return std::nullopt;
}

}  // namespace

Chain chainFrom(PlanBuilder& builder, ValueId start, const std::vector<int64_t>& dims) {
  Chain chain{start, {}};
  if (!builder.fuses()) return chain;
  constexpr size_t kMostLinks = 8;
  while (chain.links.size() < kMostLinks) {
    const ValueId value = chain.result();
    const NodeId consumer = builder.soleConsumer(value);
    if (!consumer.valid()) break;
    const OperatorRow* row = findOperator(builder.node(consumer));
    if (row == nullptr || row->link == nullptr) break;
    std::optional<ChainLink> link = row->link(builder, consumer, value);
    if (!link) break;
    link->node = consumer;
    link->result = builder.node(consumer).outputs[0];
    if (link->other.valid()) {
      if (link->other == value || !builder.known(link->other)) break;
      builder.stored(link->other);  // constants get their dims
      if (!fitsInto(builder.dims(link->other), dims)) break;
    }
    chain.links.push_back(*std::move(link));
  }
  return chain;
}

Result<Epilogue> epilogueOf(PlanBuilder& builder, const Chain& chain, size_t count, const Dimensions& dims, bool sums) {
  Epilogue epilogue{newAttributes(), {}, std::nullopt};
  dnnl::post_ops operations;
  for (size_t i = 0; i < count; ++i) {
    const ChainLink& link = chain.links[i];
    for (const EltwiseStage& stage : link.stages)
      operations.append_eltwise(1.0f, stage.algorithm, stage.alpha, stage.beta);
    if (!link.other.valid()) continue;
    const Stored other = builder.stored(link.other);
    const auto seen = operandDims(builder.dims(link.other), elementCount(dims), dims);
    if (!seen) return fail(ErrorCode::kNotImplemented, "the operand does not fit the primitive's result");
    CUTAWAY_TRY(const Stored operand, builder.viewed(other, *seen));
    if (sums && link.binary == dnnl::algorithm::binary_add && *seen == dims && !epilogue.summed &&
        !builder.isConstant(link.other)) {
      operations.append_sum(1.0f);
      epilogue.summed = operand;
      continue;
    }
    epilogue.arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(operations.len()) | DNNL_ARG_SRC_1, operand);
    operations.append_binary(link.binary, operand.descriptor);
  }
  epilogue.attributes.set_post_ops(operations);
  return epilogue;
}

bool worthFusing(const std::string& fused, const std::string& plain) {
  return fused == plain || (!isReferenceImplementation(fused) && fused.find("gemm") == std::string::npos);
}

void absorbChain(PlanBuilder& builder, const Chain& chain) {
  for (const ChainLink& link : chain.links)
    builder.absorb(link.node);
  builder.countFused(static_cast<int>(chain.links.size()));
}

Result<Stored> resultOf(PlanBuilder& builder, const Epilogue& epilogue, const Descriptor& descriptor) {
  if (!epilogue.summed) return builder.working(descriptor);
  if (epilogue.summed->descriptor == descriptor && builder.mayOverwrite(*epilogue.summed)) {
    builder.overwrite(*epilogue.summed);
    return *epilogue.summed;
  }
  return builder.copied(*epilogue.summed, descriptor);
}

}  // namespace cutaway::onednn
