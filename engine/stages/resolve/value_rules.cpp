#include "engine/stages/resolve/value_rules.h"

#include "engine/base/format.h"

namespace cutaway::resolve {

namespace {

struct Ruling {
  const char* rule;
  const char* text;
};

Ruling rulingOf(const Graph& graph, const Value& value, ValueRole role) {
  const bool file = graph.loadedFromFile;
  switch (role) {
    case ValueRole::kOuterScope:
      return {"outer-scope", "defined by a graph around this one"};
    case ValueRole::kOverridableInitializer:
      return {file ? "file.overridable" : "overridable",
              "listed as an input and has an initializer: a default that the caller may replace (IR 4 and later)"};
    case ValueRole::kConstant:
      if (value.isInput)
        return {"ir3.initializer-input",
                "listed as an input because IR 3 asks for it; its initializer makes it a constant"};
      return {"initializer", "an initializer that is not listed as an input: a constant"};
    case ValueRole::kInput:
      if (file) return {"file.declared-input", "listed as an input without initializer: the caller must give it"};
      return graph.inputsManual ? Ruling{"manual.declared", "set as an input by the code that built the graph"}
                                : Ruling{"auto.input", "read by a node, and nothing makes it: an input"};
    case ValueRole::kOutput:
      if (file) return {"file.declared-output", "listed as an output"};
      return graph.outputsManual ? Ruling{"manual.declared", "set as an output by the code that built the graph"}
                                 : Ruling{"auto.output", "made by a node, and nothing reads it: an output"};
    case ValueRole::kUnused:
      return {"unused",
              value.initializer ? "an initializer that no node reads" : "made by a node, not read, and not an output"};
    case ValueRole::kIntermediate:
      break;
  }
  return {file ? "file.intermediate" : "auto.consumed", "made by a node and read by others"};
}

void countShape(const Value& value, ResolveReport& report) {
  if (!value.type.isTensor() || !value.type.shape)
    ++report.unknownShapes;
  else if (value.type.shape->isStatic())
    ++report.knownShapes;
  else
    ++report.symbolicShapes;
}

}  // namespace

ValueRole roleOf(const Graph& graph, ValueId id) {
  const Value& value = graph.value(id);
  if (value.outerScope) return ValueRole::kOuterScope;
  if (value.initializer) {
    if (value.isInput && graph.overridableInitializers) return ValueRole::kOverridableInitializer;
    if (value.uses.empty() && value.outputCount == 0 && !value.isInput) return ValueRole::kUnused;
    return ValueRole::kConstant;
  }
  if (value.isInput) return ValueRole::kInput;
  if (value.outputCount > 0) return ValueRole::kOutput;
  return value.uses.empty() ? ValueRole::kUnused : ValueRole::kIntermediate;
}

void describeValues(const Model& model, ResolveReport& report) {
  const std::vector<const Graph*> graphs = graphsInReportOrder(model);
  size_t unusedInitializers = 0, values = 0;
  for (const Graph* graph : graphs)
    values += graph->valueSlots();
  report.values.reserve(values);
  TextPool texts;
  for (size_t g = 0; g < graphs.size(); ++g) {
    const Graph& graph = *graphs[g];
    int32_t index = 0;
    for (size_t i = 0; i < graph.valueSlots(); ++i) {
      const Value& value = graph.value(ValueId{i});
      if (value.removed) continue;
      const ValueRole role = roleOf(graph, ValueId{i});
      const Ruling ruling = rulingOf(graph, value, role);
      report.values.push_back({static_cast<int32_t>(g), index++, role, texts.of(ruling.rule), texts.of(ruling.text)});
      if (role == ValueRole::kUnused && value.initializer) ++unusedInitializers;
      countShape(value, report);
    }
  }
  if (unusedInitializers > 0)
    report.warnings.push_back(
        {"", "",
         fmt::format("{} {} not read", counted(static_cast<int64_t>(unusedInitializers), "initializer"),
                     unusedInitializers == 1 ? "is" : "are")});
}

}  // namespace cutaway::resolve
