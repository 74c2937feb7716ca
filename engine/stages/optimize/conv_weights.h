#pragma once
// A Conv with constant weights, and the same Conv with what follows it (a scale and a shift for each output channel)
// folded in.
//
// Thread rule: pure. Example: if (auto conv = constantConv(context, id)) return foldIntoConv(context, *conv, next,
// scale, shift, "...");

#include <optional>
#include <vector>

#include "engine/stages/optimize/graph_pass.h"

namespace cutaway::optimize {

struct ConstantConv {
  NodeId id;
  ElementType type = ElementType::kUndefined;
  Tensor weights;            // [M, C/group, ...], shared with the graph
  std::vector<double> bias;  // zeros when there was none

  size_t channels() const { return bias.size(); }
};

// The Conv that makes `value`, when its weights and bias are constant floats and nobody else reads its result.
std::optional<ConstantConv> constantConv(const PassContext& context, ValueId value);
// Conv and `next` become one Conv that makes next's first output: y = conv(x) * scale + shift. Computed in double;
// nullopt when a number does not stay finite in the weights' type.
std::optional<GraphPatch> foldIntoConv(const PassContext& context, const ConstantConv& conv, NodeId next,
                                       const std::vector<double>& scale, const std::vector<double>& shift,
                                       std::string note);

}  // namespace cutaway::optimize
