#include "providers/onednn/node_rules.h"

#include <algorithm>

namespace cutaway::onednn {

namespace {

constexpr ElementType kFloatOnly[] = {ElementType::kFloat};

std::string namesOf(std::span<const ElementType> types) {
  std::string text;
  for (const ElementType type : types)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", elementTypeName(type));
  return text;
}

std::optional<Objection> checkVersion(const Node& node, const OperatorRow& row) {
  if (row.versions.contains(node.sinceVersion)) return std::nullopt;
  return Objection{RefusalCause::kVersion,
                   fmt::format("{} is supported from version {} on", node.opType, row.versions.first),
                   fmt::format("{}.versions", node.opType), fmt::format("version {}", node.sinceVersion),
                   fmt::format("opset {} or later", row.versions.first)};
}

std::optional<Objection> checkInput(const KernelInfo& info, const OperatorRow& row, size_t slot) {
  const ValueType& type = info.inputType(slot);
  const std::string& op = info.node().opType;
  const std::span<const ElementType> allowed = row.types.empty() ? std::span<const ElementType>(kFloatOnly) : row.types;
  if (!type.isTensor() || std::find(allowed.begin(), allowed.end(), type.element) == allowed.end()) {
    return Objection{RefusalCause::kType, fmt::format("{} is compiled for {}", op, namesOf(allowed)),
                     fmt::format("{}.types", op), fmt::format("input {}: {}", slot, toText(type)), namesOf(allowed)};
  }
  if (!type.shape)
    return Objection{RefusalCause::kShape, "the number of axes must be known", fmt::format("{}.rank", op),
                     fmt::format("input {} of unknown rank", slot), "a model with shapes"};
  if (slot == 0 && (type.shape->rank() < row.minimumRank || type.shape->rank() > row.maximumRank)) {
    return Objection{RefusalCause::kRank,
                     fmt::format("{} is compiled for {} to {} axes", op, row.minimumRank, row.maximumRank),
                     fmt::format("{}.rank", op), fmt::format("rank {}", type.shape->rank()),
                     fmt::format("rank {} to {}", row.minimumRank, row.maximumRank)};
  }
  for (const Dim& dim : type.shape->dims()) {
    if (dim.isKnown() && dim.value() == 0)
      return Objection{RefusalCause::kShape, "tensors without elements are left to the kernels", "empty tensors",
                       toText(type), "a shape with elements"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Objection> checkRules(const KernelInfo& info, const OperatorRow& row) {
  const Node& node = info.node();
  if (auto no = checkVersion(node, row)) return no;
  const size_t data =
      row.dataInputs < 0 ? node.inputs.size() : std::min(node.inputs.size(), static_cast<size_t>(row.dataInputs));
  if (node.inputs.empty() || !node.inputs[0].valid())
    return Objection{RefusalCause::kInput, "the node has no input", fmt::format("{}.inputs", node.opType), "no input 0",
                     "an input"};
  for (size_t slot = 0; slot < data; ++slot) {
    if (!node.inputs[slot].valid()) continue;
    if (auto no = checkInput(info, row, slot)) return no;
  }
  for (const int slot : row.constantInputs) {
    const auto at = static_cast<size_t>(slot);
    if (!info.hasInput(at) || info.constantInput(at) != nullptr) continue;
    return Objection{RefusalCause::kInput, fmt::format("input {} must be known when the group is compiled", slot),
                     fmt::format("{}.inputs[{}]", node.opType, slot),
                     fmt::format("'{}' is computed", info.graph().value(node.inputs[at]).name), "a constant"};
  }
  return row.check == nullptr ? std::nullopt : row.check(info);
}

}  // namespace cutaway::onednn
