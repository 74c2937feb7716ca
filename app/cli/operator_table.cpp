#include "app/cli/operator_table.h"

#include <algorithm>
#include <set>

#include "engine/schema/schema_list.h"

namespace cutaway::cli {

namespace {

constexpr std::string_view kTensorPrefix = "tensor(";

// "float" from "tensor(float)"; containers stay as they are.
std::string elementText(const std::string& schemaType) {
  if (!schemaType.starts_with(kTensorPrefix)) return schemaType;
  return schemaType.substr(kTensorPrefix.size(), schemaType.size() - kTensorPrefix.size() - 1);
}

// The types that the schema allows for its first input, or for its first output when it has no inputs.
std::vector<std::string> schemaTypes(const OperatorSchema& schema) {
  const std::vector<FormalParameter>& formals = schema.inputs.empty() ? schema.outputs : schema.inputs;
  if (formals.empty()) return {};
  std::vector<std::string> types;
  for (const TypeConstraint& constraint : schema.typeConstraints) {
    if (constraint.name != formals.front().typeText) continue;
    for (const std::string& each : constraint.allowed)
      types.push_back(elementText(each));
    return types;
  }
  return {elementText(formals.front().typeText)};
}

std::vector<const KernelRow*> rowsFor(const std::vector<const KernelRow*>& all, const OperatorSchema& schema) {
  std::vector<const KernelRow*> rows;
  for (const KernelRow* row : all) {
    if (row->opType == schema.opType && row->domain == schema.domain && row->versions.contains(schema.sinceVersion))
      rows.push_back(row);
  }
  return rows;
}

bool takes(const KernelRow& row, const std::string& type) {
  for (const TypeRule& rule : row.types) {
    if (rule.slot > 0) continue;
    return std::any_of(rule.allowed.begin(), rule.allowed.end(),
                       [&](ElementType each) { return elementTypeName(each) == type; });
  }
  return true;
}

void addHints(OperatorCoverage& coverage, const KernelRow& row) {
  for (const InplaceHint& hint : row.inplace) {
    std::string text;
    switch (hint.kind) {
      case AliasKind::kAlias:
        text = fmt::format("alias {} -> {}", hint.input, hint.output);
        break;
      case AliasKind::kMayInplace:
        text = fmt::format("{} -> {}", hint.input, hint.output);
        break;
      case AliasKind::kJoin:
        text = fmt::format("joined in {}", hint.output);
        break;
      case AliasKind::kSplit:
        text = fmt::format("parts of {}", hint.input);
        break;
    }
    if (std::find(coverage.inPlace.begin(), coverage.inPlace.end(), text) == coverage.inPlace.end())
      coverage.inPlace.push_back(std::move(text));
  }
  const auto merge = [](std::vector<int>& into, std::span<const int> from) {
    for (const int slot : from) {
      if (std::find(into.begin(), into.end(), slot) == into.end()) into.push_back(slot);
    }
  };
  merge(coverage.hostInputs, row.hostInputs);
  merge(coverage.shapeOnlyInputs, row.shapeOnlyInputs);
  if (coverage.fastPath.empty()) coverage.fastPath = row.fastPath;
}

// Operators that never reach a provider: optimising writes them out as others (engine/stages/optimize/gradient).
bool isRewritten(const OperatorSchema& schema) {
  return schema.opType == "Gradient" || schema.opType == "ConvGrad";
}

OperatorCoverage coverageOf(const OperatorSchema& schema, const std::vector<const KernelRow*>& rows) {
  OperatorCoverage coverage{.domain = schema.domain, .opType = schema.opType, .firstVersion = schema.sinceVersion};
  coverage.how = !rows.empty()            ? OperatorCoverage::How::kKernel
                 : schema.hasFunctionBody ? OperatorCoverage::How::kFunctionBody
                 : isRewritten(schema)    ? OperatorCoverage::How::kRewritten
                                          : OperatorCoverage::How::kNone;
  for (std::string& type : schemaTypes(schema)) {
    const bool runs = schema.hasFunctionBody || isRewritten(schema) ||
                      std::any_of(rows.begin(), rows.end(), [&](const KernelRow* row) { return takes(*row, type); });
    (runs ? coverage.types : coverage.leftOut).push_back(std::move(type));
  }
  for (const KernelRow* row : rows)
    addHints(coverage, *row);
  return coverage;
}

struct TypeGroup {
  std::string_view name;
  std::vector<std::string_view> members;
};

const std::vector<TypeGroup>& typeGroups() {
  static const std::vector<TypeGroup> groups = {
      {"int8-64", {"int8", "int16", "int32", "int64"}},
      {"uint8-64", {"uint8", "uint16", "uint32", "uint64"}},
      {"complex", {"complex64", "complex128"}},
      {"fp8", {"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"}},
      {"4-bit", {"int4", "uint4", "float4e2m1"}},
      {"2-bit", {"int2", "uint2"}},
  };
  return groups;
}

}  // namespace

std::vector<OperatorCoverage> operatorCoverage(const KernelRegistry& registry) {
  const std::vector<const KernelRow*> all = registry.rows();
  std::vector<OperatorCoverage> table;
  for (const OperatorSchema* schema : allSchemas()) {
    const std::vector<const KernelRow*> rows = rowsFor(all, *schema);
    if (!table.empty() && table.back().domain == schema->domain && table.back().opType == schema->opType)
      table.back().lastVersion = schema->sinceVersion - 1;
    if (schema->deprecated) continue;
    table.push_back(coverageOf(*schema, rows));
  }
  return table;
}

std::string typesText(const std::vector<std::string>& types) {
  std::set<std::string, std::less<>> rest(types.begin(), types.end());
  std::vector<std::string> words;
  for (const TypeGroup& group : typeGroups()) {
    if (!std::all_of(group.members.begin(), group.members.end(),
                     [&](std::string_view each) { return rest.contains(each); }))
      continue;
    words.emplace_back(group.name);
    for (const std::string_view each : group.members)
      rest.erase(rest.find(each));
  }
  for (const std::string& each : types) {
    if (rest.contains(each)) words.push_back(each);
  }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string_view howText(OperatorCoverage::How how) {
  switch (how) {
    case OperatorCoverage::How::kKernel:
      return "kernel";
    case OperatorCoverage::How::kFunctionBody:
      return "function body";
    case OperatorCoverage::How::kRewritten:
      return "other operators";
    case OperatorCoverage::How::kNone:
      break;
  }
  return "none";
}

}  // namespace cutaway::cli
