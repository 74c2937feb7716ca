#include "providers/openvino/large_folds.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "engine/base/input_budget.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/tensor/heap_limit.h"
#include "engine/tensor/value_bytes.h"

namespace cutaway::openvino {

namespace {

// What follows from the shape of the first input alone.
constexpr std::array<std::string_view, 3> kReadShapes{"Shape", "Size", "EyeLike"};
// OpenVINO keeps these before constants, as weights that are stored narrow.
constexpr std::array<std::string_view, 2> kKept{"DequantizeLinear", "Cast"};
// OpenVINO folds by its reference code: up to 340 ns for an element of a power, where our kernels take some 10.
constexpr int64_t kTimesSlower = 32;

bool isOneOf(const Node& node, std::span<const std::string_view> names) {
  return node.domain.empty() && std::ranges::find(names, node.opType) != names.end();
}

// nullopt: not known before the results are there.
std::optional<int64_t> resultBytes(const Graph& graph, const Node& node) {
  int64_t total = 0;
  for (const ValueId output : node.outputs) {
    if (!output.valid()) continue;
    const std::optional<int64_t> bytes = staticByteSize(graph.value(output).type);
    if (!bytes || __builtin_add_overflow(total, *bytes, &total)) return std::nullopt;
  }
  return total;
}

Answer tooMuch(std::string reason, std::string seen, std::string_view better) {
  return {.supported = false,
          .cause = RefusalCause::kMemory,
          .reason = std::move(reason),
          .rule = "large constants",
          .seen = std::move(seen),
          .remedy = fmt::format("{}, or an input of the model in its place", better)};
}

}  // namespace

LargeFolds::LargeFolds(const Graph& graph)
    : m_graph(graph), m_isFolded(graph.valueSlots(), 0), m_most(kInputBudget.foldedAlways) {
  int64_t held = 0;
  for (const ValueId id : graph.initializers())
    held += valueBytes(*graph.value(id).initializer);
  m_mostOperations = kInputBudget.operationsOfFolding(held) / kTimesSlower;
  if (const std::shared_ptr<HeapBudget> budget = HeapLimit::budget()) m_most = std::min(m_most, budget->limitBytes());
}

bool LargeFolds::isFolded(const Node& node) const {
  if (isOneOf(node, kKept)) return false;
  if (isOneOf(node, kReadShapes) && !node.inputs.empty() && node.inputs[0].valid()) {
    const ValueType& type = m_graph.value(node.inputs[0]).type;
    if (type.isTensor() && type.shape && type.shape->isStatic()) return true;
  }
  return std::ranges::all_of(node.inputs, [this](ValueId input) {
    return !input.valid() || m_graph.isConstant(input) || m_isFolded[input.index()] != 0;
  });
}

std::optional<Answer> LargeFolds::refusalOf(NodeId id) {
  const Node& node = m_graph.node(id);
  if (!isFolded(node)) return std::nullopt;
  // What the file itself holds is no bomb.
  const std::optional<int64_t> bytes = node.opType == "Constant" ? 0 : resultBytes(m_graph, node);
  if (!bytes || *bytes > m_most - m_bytes) {
    const std::string size = bytes ? fmt::format("{} bytes", *bytes) : "of a size that is not known before";
    return tooMuch(fmt::format("its result ({}) follows from constants, so OpenVINO would compute it while it "
                               "compiles; this provider lets it have {} bytes for such results, and {} are taken",
                               size, m_most, m_bytes),
                   bytes ? size : "unknown size", "a smaller constant result");
  }
  const int64_t work = operators::nodeWork(m_graph, id);
  if (work > kInputBudget.foldedSmallOperations && work > m_mostOperations - m_operations)
    return tooMuch(fmt::format("its result follows from constants, so OpenVINO would compute it while it compiles, in "
                               "about {} operations; this provider lets it have {} for such results, and {} are taken",
                               work, m_mostOperations, m_operations),
                   fmt::format("{} operations", work), "the result as a constant of the model");
  m_bytes += *bytes;
  m_operations += work;
  for (const ValueId output : node.outputs) {
    if (output.valid()) m_isFolded[output.index()] = 1;
  }
  return std::nullopt;
}

}  // namespace cutaway::openvino
