// Rules, cheapest first. Each names itself, what it saw and what would satisfy it.
#include "providers/openvino/rules.h"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/provider/hand_over.h"
#include "engine/tensor/heap_limit.h"
#include "providers/openvino/differences.h"

namespace cutaway::openvino {

namespace {

struct Asked {
  const CapabilityRequest& request;
  NodeId id;
  const Node& node;
  const OpenvinoOptions& options;
  const Graph& graph() const { return request.graph; }
};

using Rule = std::optional<Answer> (*)(const Asked&);

Answer refuse(RefusalCause cause, std::string rule, std::string seen, std::string reason, std::string remedy = {}) {
  return {.supported = false,
          .cause = cause,
          .reason = std::move(reason),
          .rule = std::move(rule),
          .seen = std::move(seen),
          .remedy = std::move(remedy)};
}

std::optional<Answer> bodies(const Asked& asked) {
  if (!asked.node.hasBodies()) return std::nullopt;
  return refuse(
      RefusalCause::kOperator, "bodies", asked.node.opType,
      fmt::format("{} has bodies, and this provider takes the nodes in them, not the loop or branch around them",
                  asked.node.opType));
}

std::optional<Answer> handOver(const Asked& asked) {
  std::optional<Refusal> no = cannotHandOver(asked.request, asked.id, "OpenVINO");
  if (!no) return std::nullopt;
  return refuse(no->cause, std::move(no->rule), std::move(no->seen), std::move(no->reason), std::move(no->remedy));
}

// Types that OpenVINO's CPU device has no arithmetic for: it computes in the narrower one without a word.
std::string narrowedTo(ElementType type) {
  switch (type) {
    case ElementType::kDouble:
      return "float";
    case ElementType::kUint32:
    case ElementType::kUint64:
      return "int32";
    default:
      return {};
  }
}

std::optional<Answer> typeOf(const Asked& asked, ValueId id) {
  if (!id.valid()) return std::nullopt;
  const Value& value = asked.graph().value(id);
  const auto seen = fmt::format("{} {}", value.name, toText(value.type));
  if (!value.type.isTensor())
    return refuse(RefusalCause::kType, "tensors only", seen,
                  fmt::format("'{}' is no tensor of a known type, and groups take and give tensors", value.name));
  const ElementType element = value.type.element;
  if (element == ElementType::kString || element == ElementType::kComplex64 || element == ElementType::kComplex128 ||
      element == ElementType::kUndefined) {
    return refuse(RefusalCause::kType, "element types", seen,
                  fmt::format("'{}' has elements of type {}, which this provider does not hand over", value.name,
                              elementTypeName(element)));
  }
  const std::string narrow = asked.options.device == "CPU" ? narrowedTo(element) : std::string();
  if (!narrow.empty()) {
    return refuse(
        RefusalCause::kType, "element types", seen,
        fmt::format("OpenVINO's device CPU computes {} as {}, which loses digits", elementTypeName(element), narrow),
        "float, int32 or int64 elements");
  }
  if (!value.type.shape)
    return refuse(RefusalCause::kRank, "known ranks", seen,
                  fmt::format("the rank of '{}' is not known before the run", value.name), "a declared shape");
  const bool open = !value.type.shape->isStatic();
  if (open && !asked.options.dynamicShapes) {
    return refuse(RefusalCause::kShape, "option dynamic_shapes=0", seen,
                  fmt::format("'{}' has open dimensions, and option dynamic_shapes is 0", value.name),
                  "sizes for its dimensions (--dim), or dynamic_shapes=1");
  }
  return std::nullopt;
}

std::optional<Answer> differences(const Asked& asked) {
  return knownDifference(asked.graph(), asked.node);
}

std::optional<Answer> types(const Asked& asked) {
  for (const ValueId id : asked.node.inputs) {
    if (std::optional<Answer> no = typeOf(asked, id)) return no;
  }
  for (const ValueId id : asked.node.outputs) {
    if (std::optional<Answer> no = typeOf(asked, id)) return no;
  }
  return std::nullopt;
}

// Shapes of such tensors come out otherwise (Flatten), or nothing comes out at all (Compress), and there is nothing to
// win. Constants may be empty: they are lists of axes and sizes.
std::optional<Answer> emptyTensors(const Asked& asked) {
  const auto check = [&](ValueId id) -> std::optional<Answer> {
    if (!id.valid() || asked.graph().isConstant(id)) return std::nullopt;
    const Value& value = asked.graph().value(id);
    const auto isZero = [](const Dim& size) { return size.isKnown() && size.value() == 0; };
    if (!value.type.shape || !std::ranges::any_of(value.type.shape->dims(), isZero)) return std::nullopt;
    return refuse(RefusalCause::kShape, "tensors with elements", fmt::format("{} {}", value.name, toText(value.type)),
                  fmt::format("'{}' has no elements, and OpenVINO gives other shapes for such tensors", value.name),
                  "sizes above 0");
  };
  for (const ValueId id : asked.node.inputs) {
    if (std::optional<Answer> no = check(id)) return no;
  }
  for (const ValueId id : asked.node.outputs) {
    if (std::optional<Answer> no = check(id)) return no;
  }
  return std::nullopt;
}

// OpenVINO takes memory of its own, which nothing bounds: what a node reads and makes is the least of it.
std::optional<Answer> memoryLimit(const Asked& asked) {
  const std::shared_ptr<HeapBudget> budget = HeapLimit::budget();
  if (budget == nullptr) return std::nullopt;
  int64_t bytes = 0;
  for (const auto* values : {&asked.node.inputs, &asked.node.outputs}) {
    for (const ValueId id : *values) {
      if (!id.valid()) continue;
      const std::optional<int64_t> size = staticByteSize(asked.graph().value(id).type);
      if (size && __builtin_add_overflow(bytes, *size, &bytes)) bytes = std::numeric_limits<int64_t>::max();
    }
  }
  if (bytes <= budget->limitBytes()) return std::nullopt;
  return refuse(RefusalCause::kMemory, "memory limit", fmt::format("{} bytes", bytes),
                fmt::format("what it reads and makes ({} bytes) is above the memory limit of {} bytes, which OpenVINO "
                            "does not keep by itself",
                            bytes, budget->limitBytes()),
                "a higher memory limit");
}

}  // namespace

std::optional<Answer> refusalByRule(const CapabilityRequest& request, NodeId id, const OpenvinoOptions& options) {
  static constexpr std::array<Rule, 6> kRules{bodies, handOver, types, memoryLimit, emptyTensors, differences};
  const Asked asked{request, id, request.graph.node(id), options};
  for (const Rule rule : kRules) {
    if (std::optional<Answer> no = rule(asked)) return no;
  }
  return std::nullopt;
}

}  // namespace cutaway::openvino
