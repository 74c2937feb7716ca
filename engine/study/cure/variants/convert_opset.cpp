// The model in another version of the standard's operators, by onnx's version converter.

#include "engine/schema/convert_opset.h"

#include <algorithm>
#include <array>

#include "engine/study/cure/workpiece.h"

namespace cutaway::study {
namespace {

// Those that compilers name as their newest.
constexpr std::array<int64_t, 6> kTargets = {21, 19, 17, 15, 13, 11};

std::vector<CureChange> propose(const CureContext& context) {
  const int64_t now = importedVersion(context.model.opsets, "");
  const bool forVersion = std::ranges::any_of(context.refused, [](const RefusedNode& each) {
    return each.cause == RefusalCause::kVersion || each.reason.find("opset") != std::string::npos;
  });
  std::vector<CureChange> changes;
  if (!forVersion || now == 0) return changes;
  for (const int64_t target : kTargets) {
    if (target == now) continue;
    changes.push_back({.title = fmt::format("opset {} instead of {}", target, now),
                       .consequence = "every operator is that of the other version",
                       .parts = static_cast<int64_t>(context.model.graph.nodeCount()),
                       .apply = [&context, target] { return convertOpset(context.model, target); }});
  }
  return changes;
}

constexpr CureVariant kVariant{
    .name = "convert opset", .purpose = "asks with another version of the standard's operators", .propose = propose};

}  // namespace

const CureVariant& cure_convert_opset() {
  return kVariant;
}

}  // namespace cutaway::study
