#pragma once
// Post-operations: the nodes behind a heavy primitive that run inside it.
//
// A chain starts at a primitive's result and follows the only consumer of each value, for as long as the consumer is
// elementwise or a binary operation with something that is known by then. How much of it fuses is the library's word:
// the longest part that does not fall back to a plain loop. Thread rule: one builder. Example:
//   Chain chain = chainFrom(builder, node.outputs[0]);
//   CUTAWAY_TRY(auto fused, fuseLongest<dnnl::convolution_forward::primitive_desc>(builder, chain, dims, true,
//   makeDescription));
//   ... add the step with fused.arguments ...;  chain.finish(builder, result);

#include <functional>
#include <optional>
#include <vector>

#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

struct EltwiseStage {
  dnnl::algorithm algorithm;
  float alpha = 0, beta = 0;
};

struct ChainLink {
  NodeId node{};
  std::vector<EltwiseStage> stages{};               // elementwise, in order; or
  dnnl::algorithm binary = dnnl::algorithm::undef;  // one binary operation with
  ValueId other{};
  ValueId result{};
};

struct Chain {
  ValueId start;
  std::vector<ChainLink> links;
  ValueId result() const { return links.empty() ? start : links.back().result; }
};
Chain chainFrom(PlanBuilder& builder, ValueId start, const std::vector<int64_t>& dims);

// x times Sigmoid of x, where nobody else sees x or the sigmoid.
struct SwishPair {
  NodeId sigmoid, product;
  ValueId result;
};
std::optional<SwishPair> swishOf(const PlanBuilder& builder, ValueId x);

struct Epilogue {
  dnnl::primitive_attr attributes;
  StepArguments arguments;       // of binary post-operations
  std::optional<Stored> summed;  // this must lie in the result before the step
};
// The first `count` links as attributes of a primitive whose result has `dims`. sums: additions of the same shape
// become sum operations.
Result<Epilogue> epilogueOf(PlanBuilder& builder, const Chain& chain, size_t count, const Dimensions& dims, bool sums);

template <typename Description>
struct Fused {
  Description description;
  Epilogue epilogue;
};

bool worthFusing(const std::string& fusedImplementation, const std::string& plainImplementation);
// Marks what is left of the chain as part of the step in hand.
void absorbChain(PlanBuilder& builder, const Chain& chain);

// As an earlier plan had it; an error when the library does not make that here.
template <typename Description, typename Make>
Result<Fused<Description>> fuseKnown(PlanBuilder& builder, Chain& chain, size_t count, const Dimensions& dims,
                                     bool sums, const Make& make) {
  CUTAWAY_TRY(Epilogue epilogue, epilogueOf(builder, chain, count, dims, sums));
  std::optional<Description> made;
  CUTAWAY_CHECK(attempt("primitive", [&] { made.emplace(make(epilogue.attributes)); }));
  chain.links.resize(count);
  absorbChain(builder, chain);
  builder.noteLinks(count);
  return Fused<Description>{*std::move(made), std::move(epilogue)};
}

// Make: Result-free function of the attributes; throws as the library does.
template <typename Description, typename Make>
Result<Fused<Description>> fuseLongest(PlanBuilder& builder, Chain& chain, const Dimensions& dims, bool sums,
                                       int64_t work, Make make) {
  const ThreadShare share(builder.threadsFor(work));
  if (const auto known = builder.linksOfEarlierPlan(); known && *known <= chain.links.size()) {
    if (auto fused = fuseKnown<Description>(builder, chain, *known, dims, sums, make)) return fused;
  }
  std::optional<Description> plain;
  CUTAWAY_CHECK(attempt("primitive", [&] { plain.emplace(make(newAttributes())); }));
  for (size_t count = chain.links.size(); count > 0; --count) {
    auto epilogue = epilogueOf(builder, chain, count, dims, sums);
    if (!epilogue) continue;
    std::optional<Description> fused;
    if (!attempt("primitive", [&] { fused.emplace(make(epilogue->attributes)); })) continue;
    if (!worthFusing(fused->impl_info_str(), plain->impl_info_str())) continue;
    chain.links.resize(count);
    absorbChain(builder, chain);
    builder.noteLinks(count);
    return Fused<Description>{*std::move(fused), *std::move(epilogue)};
  }
  chain.links.clear();
  builder.noteLinks(0);
  return Fused<Description>{*std::move(plain), {newAttributes(), {}, std::nullopt}};
}

// Where the result goes: over the summand where that is allowed, else into fresh memory.
Result<Stored> resultOf(PlanBuilder& builder, const Epilogue& epilogue, const Descriptor& descriptor);

}  // namespace cutaway::onednn
