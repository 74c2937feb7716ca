#include "ui/panels/edit/edit_check.h"

#include <algorithm>

#include <QCoreApplication>
#include <QRegularExpression>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::EditCheck)
};

const GraphReport* graphOf(const edit::ModelEdit& edit, const ModelGraphs& graphs) {
  return edit.graph >= 0 && edit.graph < static_cast<int32_t>(graphs.graphs.size())
             ? &graphs.graphs[static_cast<size_t>(edit.graph)]
             : nullptr;
}

const ValueReport* valueNamed(const GraphReport& graph, const std::string& name) {
  const auto found = std::find_if(graph.values.begin(), graph.values.end(),
                                  [&](const ValueReport& value) { return value.name == name; });
  return found == graph.values.end() ? nullptr : &*found;
}

bool isDim(const QString& part) {
  static const QRegularExpression form(QStringLiteral("^(\\d{1,18}|[A-Za-z_][A-Za-z0-9_.:+*/ -]*|\\?)?$"));
  return form.match(part.trimmed()).hasMatch();
}

QString unknownValue(const edit::ModelEdit& edit) {
  return Words::tr("There is no value called %1.").arg(text(edit.name));
}

QString whyNotRename(const edit::ModelEdit& edit, const GraphReport& graph) {
  if (edit.text.empty()) return Words::tr("A value needs a name.");
  if (!valueNamed(graph, edit.name)) return unknownValue(edit);
  if (edit.text != edit.name && valueNamed(graph, edit.text))
    return Words::tr("Another value is called %1 already.").arg(text(edit.text));
  return {};
}

QString whyNotShape(const edit::ModelEdit& edit, const GraphReport& graph) {
  if (!valueNamed(graph, edit.name)) return unknownValue(edit);
  for (const QString& part : text(edit.text).split(QLatin1Char(',')))
    if (!isDim(part))
      return Words::tr("%1 is not a dimension: write a number, a name, or nothing.").arg(part.trimmed());
  return {};
}

QString whyNotDim(const edit::ModelEdit& edit, const ModelGraphs& graphs) {
  const QString words = text(edit.text).trimmed();
  if (words.isEmpty()) return Words::tr("Write a number or another name.");
  if (!isDim(words) || words == QLatin1String("?") || words.contains(QLatin1Char(',')))
    return Words::tr("%1 is neither a number nor a name.").arg(words);
  bool number = false;
  if (words.toLongLong(&number) == 0 && number)
    return Words::tr("A dimension of 0 leaves nothing to compute: write 1 or more.");
  return inputSymbols(graphs).contains(text(edit.name))
             ? QString()
             : Words::tr("No input has a dimension called %1.").arg(text(edit.name));
}

QString whyNotBypass(const NodeReport& node, const GraphReport& graph) {
  if (node.outputs.empty() || node.outputs[0] < 0) return Words::tr("It has no output to bypass.");
  const ValueReport& output = graph.values[static_cast<size_t>(node.outputs[0])];
  bool any = false;
  for (const int32_t input : node.inputs) {
    if (input < 0) continue;
    any = true;
    const ValueReport& value = graph.values[static_cast<size_t>(input)];
    if (value.elementType == output.elementType || value.elementType.empty() || output.elementType.empty()) return {};
  }
  return any ? Words::tr("None of its inputs has the type of its output (%1), so readers have nothing to read instead.")
                   .arg(text(output.elementType))
             : Words::tr("It has no inputs that its readers could read instead.");
}

QString whyNotNode(const edit::ModelEdit& edit, const ModelGraphs& graphs) {
  int graphIndex = 0;
  const NodeReport* node = nodeOfOrigin(graphs, edit.origin, &graphIndex);
  if (!node) return Words::tr("The node is no longer in the model.");
  const GraphReport& graph = graphs.graphs[static_cast<size_t>(graphIndex)];
  switch (edit.kind) {
    case edit::EditKind::kBypassNode:
      return whyNotBypass(*node, graph);
    case edit::EditKind::kDeleteNode:
      return graph.nodes.size() < 2 ? Words::tr("It is the only node: nothing would be left.") : QString();
    case edit::EditKind::kRenameNode:
      for (const NodeReport& other : graph.nodes)
        if (&other != node && !edit.text.empty() && other.name == edit.text)
          return Words::tr("Another node is called %1 already.").arg(text(edit.text));
      return {};
    case edit::EditKind::kSetAttribute:
      return edit.text.empty() && edit.name.empty() ? Words::tr("Write a value.") : QString();
    default:
      return {};
  }
}

QString whyNotOutput(const edit::ModelEdit& edit, const GraphReport& graph) {
  const ValueReport* value = valueNamed(graph, edit.name);
  if (!value) return unknownValue(edit);
  if (edit.kind == edit::EditKind::kAddOutput)
    return value->isOutput       ? Words::tr("It is an output already.")
           : value->producer < 0 ? Words::tr("No node makes it: only values that are computed can be outputs.")
                                 : QString();
  if (!value->isOutput) return Words::tr("It is not an output.");
  return graph.outputs.size() < 2 ? Words::tr("It is the only output: nothing would be computed.") : QString();
}

QString whyNotExtract(const edit::ModelEdit& edit, const GraphReport& graph) {
  if (edit.outputs.empty()) return Words::tr("Name at least one value that the part ends with.");
  for (const auto* list : {&edit.names, &edit.outputs})
    for (const std::string& name : *list)
      if (!valueNamed(graph, name)) return Words::tr("There is no value called %1.").arg(text(name));
  return {};
}

}  // namespace

QString whyNot(const edit::ModelEdit& edit, const ModelGraphs& graphs) {
  const GraphReport* graph = graphOf(edit, graphs);
  if (!graph) return Words::tr("There is no such graph.");
  switch (edit.kind) {
    case edit::EditKind::kRenameValue:
      return whyNotRename(edit, *graph);
    case edit::EditKind::kSetElementType:
      return !valueNamed(*graph, edit.name) ? unknownValue(edit)
             : elementTypeNames().contains(text(edit.text))
                 ? QString()
                 : Words::tr("%1 is not an element type.").arg(text(edit.text));
    case edit::EditKind::kSetShape:
      return whyNotShape(edit, *graph);
    case edit::EditKind::kSetDim:
      return whyNotDim(edit, graphs);
    case edit::EditKind::kRenameNode:
    case edit::EditKind::kDeleteNode:
    case edit::EditKind::kBypassNode:
    case edit::EditKind::kSetAttribute:
    case edit::EditKind::kRemoveAttribute:
      return whyNotNode(edit, graphs);
    case edit::EditKind::kAddOutput:
    case edit::EditKind::kRemoveOutput:
      return whyNotOutput(edit, *graph);
    case edit::EditKind::kExtract:
      return whyNotExtract(edit, *graph);
    case edit::EditKind::kSetMetadata:
    case edit::EditKind::kRemoveMetadata:
      return edit.name.empty() ? Words::tr("A key needs a name.") : QString();
    case edit::EditKind::kSetProducer:
    case edit::EditKind::kSetDocumentation:
      return {};
  }
  return {};
}

QStringList elementTypeNames() {
  return {QStringLiteral("float"), QStringLiteral("double"), QStringLiteral("float16"), QStringLiteral("bfloat16"),
          QStringLiteral("int8"),  QStringLiteral("int16"),  QStringLiteral("int32"),   QStringLiteral("int64"),
          QStringLiteral("uint8"), QStringLiteral("uint16"), QStringLiteral("uint32"),  QStringLiteral("uint64"),
          QStringLiteral("bool"),  QStringLiteral("string")};
}

QString shapeLine(std::string_view shape) {
  const size_t open = shape.find('[');
  if (open == std::string_view::npos || shape.back() != ']') return {};
  return text(shape.substr(open + 1, shape.size() - open - 2));
}

QStringList inputSymbols(const ModelGraphs& graphs) {
  QStringList symbols;
  if (graphs.graphs.empty()) return symbols;
  for (const int32_t input : graphs.graphs[0].inputs)
    for (const QString& part :
         shapeLine(graphs.graphs[0].values[static_cast<size_t>(input)].shape).split(QLatin1Char(','))) {
      const QString symbol = part.trimmed();
      if (!symbol.isEmpty() && symbol != QLatin1String("?") && !symbol[0].isDigit() && !symbols.contains(symbol))
        symbols << symbol;
    }
  return symbols;
}

const NodeReport* nodeOfOrigin(const ModelGraphs& graphs, int origin, int* graph) {
  for (size_t g = 0; g < graphs.graphs.size(); ++g)
    for (const NodeReport& node : graphs.graphs[g].nodes)
      if (std::find(node.origins.begin(), node.origins.end(), origin) != node.origins.end()) {
        if (graph) *graph = static_cast<int>(g);
        return &node;
      }
  return nullptr;
}

}  // namespace cutaway::ui
