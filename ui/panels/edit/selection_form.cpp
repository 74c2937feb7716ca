#include "ui/panels/edit/selection_form.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/panels/edit/edit_check.h"
#include "ui/panels/edit/edit_field.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostAttributes = 60;
constexpr qsizetype kWholeText = 199;  // longer texts are shortened in the report, so they are not offered for editing

QLabel* label(const QString& words, const char* role) {
  auto* made = new QLabel(words);
  made->setProperty("role", role);
  made->setWordWrap(true);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return made;
}

}  // namespace

SelectionForm::SelectionForm(const PanelContext& context, QWidget* parent) : QScrollArea(parent), m_context(context) {
  setAccessibleName(tr("Edits of the selection"));
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(&context.document->selection(), &Selection::changed, this, &SelectionForm::refresh);
  context.document->onWalkChange(kLoadedGraphs, this, &SelectionForm::refresh);
  refresh();
}

void SelectionForm::showEvent(QShowEvent*) {
  refresh();
}

void SelectionForm::refresh() {
  if (!isVisible()) return;
  const Document& document = *m_context.document;
  auto* form = new QWidget;
  form->setProperty("role", "surface");
  form->setAttribute(Qt::WA_StyledBackground);
  auto* column = new QVBoxLayout(form);
  column->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpaceLarge);
  column->setSpacing(kSpace);
  const Selection& selection = document.selection();
  const auto graphs = document.graphs(GraphVersion::kLoaded);
  const ValueReport* value =
      selection.value().valid() ? document.value(GraphVersion::kLoaded, selection.value()) : nullptr;
  const NodeTarget target = selection.focusIn(GraphVersion::kLoaded);
  if (value)
    fillValue(column, *value, selection.value().graph);
  else if (selection.value().valid())
    column->addWidget(label(
        tr("This value is not in the model as loaded: an optimisation made it. Only what the file has can be edited."),
        "faint"));
  else if (graphs && document.node(target))
    fillNode(column, graphs->graphs[static_cast<size_t>(target.graph)], target.graph, target.node);
  else
    column->addWidget(label(tr("Select a node or a value to edit it."), "faint"));
  column->addStretch(1);
  setWidget(form);
}

void SelectionForm::fillNode(QVBoxLayout* column, const GraphReport& graph, int graphIndex, int nodeIndex) {
  Document* document = m_context.document;
  const NodeReport& node = graph.nodes[static_cast<size_t>(nodeIndex)];
  column->addWidget(label(QStringLiteral("%1  %2").arg(operatorText(node), nodeTitle(graph, nodeIndex)), "title"));
  if (node.origins.empty())
    return column->addWidget(label(tr("This node was made while the model was read and cannot be edited."), "faint"));
  const int32_t origin = node.origins.front();
  column->addWidget(new EditField(document, tr("Name"), text(node.name), [=](const QString& words) {
    return edit::ModelEdit{
        .kind = edit::EditKind::kRenameNode, .graph = graphIndex, .origin = origin, .text = words.toStdString()};
  }));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(new EditButton(document, tr("Bypass"),
                                    tr("Readers of its first output read its first input of the same type instead"),
                                    {.kind = edit::EditKind::kBypassNode, .graph = graphIndex, .origin = origin}));
  buttons->addWidget(new EditButton(document, tr("Delete"),
                                    tr("Readers of its outputs read new inputs of the graph instead"),
                                    {.kind = edit::EditKind::kDeleteNode, .graph = graphIndex, .origin = origin}));
  buttons->addStretch(1);
  column->addLayout(buttons);
  fillAttributes(column, node);
  fillOutputs(column, graph, graphIndex, node);
}

void SelectionForm::fillAttributes(QVBoxLayout* column, const NodeReport& node) {
  if (node.attributes.empty()) return;
  Document* document = m_context.document;
  column->addWidget(label(tr("Attributes"), "section"));
  const int32_t origin = node.origins.front();
  for (size_t i = 0; i < node.attributes.size() && i < kMostAttributes; ++i) {
    const AttributeReport& attribute = node.attributes[i];
    const QString now = text(attribute.text);
    const bool editable = now.size() < kWholeText && !attribute.kind.starts_with("GRAPH") &&
                          !attribute.kind.starts_with("TENSOR") && !attribute.kind.starts_with("SPARSE");
    if (!editable) {
      column->addWidget(
          label(tr("%1: %2, too large to be edited here").arg(text(attribute.name), text(attribute.kind).toLower()),
                "faint"));
      continue;
    }
    auto* row = new QHBoxLayout;
    row->addWidget(new EditField(document, text(attribute.name), now,
                                 [origin, name = attribute.name](const QString& words) {
                                   return edit::ModelEdit{.kind = edit::EditKind::kSetAttribute,
                                                          .origin = origin,
                                                          .name = name,
                                                          .text = words.toStdString()};
                                 }),
                   1);
    auto* remove = new QPushButton(tr("Remove"));
    remove->setAccessibleName(tr("Remove %1").arg(text(attribute.name)));
    connect(remove, &QPushButton::clicked, document, [document, origin, name = attribute.name] {
      document->edits().add({.kind = edit::EditKind::kRemoveAttribute, .origin = origin, .name = name});
    });
    row->addWidget(remove, 0, Qt::AlignTop);
    column->addLayout(row);
  }
}

void SelectionForm::fillOutputs(QVBoxLayout* column, const GraphReport& graph, int graphIndex, const NodeReport& node) {
  if (graphIndex != 0) return;
  column->addWidget(label(tr("Outputs"), "section"));
  for (const int32_t output : node.outputs) {
    if (output < 0) continue;
    const ValueReport& value = graph.values[static_cast<size_t>(output)];
    auto* row = new QHBoxLayout;
    row->addWidget(label(QStringLiteral("%1  %2").arg(shortened(text(value.name), 60), text(value.type)), "secondary"),
                   1);
    row->addWidget(new EditButton(m_context.document,
                                  value.isOutput ? tr("Remove from the outputs") : tr("Make it an output"),
                                  tr("Outputs of the graph are what a run gives back"),
                                  {.kind = value.isOutput ? edit::EditKind::kRemoveOutput : edit::EditKind::kAddOutput,
                                   .graph = graphIndex,
                                   .name = value.name}));
    column->addLayout(row);
  }
}

void SelectionForm::fillValue(QVBoxLayout* column, const ValueReport& value, int graph) {
  Document* document = m_context.document;
  column->addWidget(label(text(value.name), "title"));
  column->addWidget(
      label(QStringLiteral("%1  %2").arg(text(valueRoleName(value.role)), text(value.type)), "secondary"));
  const std::string name = value.name;
  column->addWidget(new EditField(document, tr("Name"), text(name), [=](const QString& words) {
    return edit::ModelEdit{
        .kind = edit::EditKind::kRenameValue, .graph = graph, .name = name, .text = words.toStdString()};
  }));
  const bool signature = graph == 0 && (value.role == ValueRole::kInput || value.isOutput);
  if (signature) {
    column->addWidget(new EditField(
        document, tr("Element type"), text(value.elementType),
        [=](const QString& words) {
          return edit::ModelEdit{
              .kind = edit::EditKind::kSetElementType, .graph = graph, .name = name, .text = words.toStdString()};
        },
        elementTypeNames()));
    auto* shape = new EditField(document, tr("Shape"), shapeLine(value.shape), [=](const QString& words) {
      return edit::ModelEdit{
          .kind = edit::EditKind::kSetShape, .graph = graph, .name = name, .text = words.toStdString()};
    });
    shape->setHint(tr("batch,3,224,224"));
    column->addWidget(shape);
  }
  if (graph != 0 || value.isInitializer || value.role == ValueRole::kInput) return;
  column->addWidget(new EditButton(document, value.isOutput ? tr("Remove from the outputs") : tr("Make it an output"),
                                   tr("Outputs of the graph are what a run gives back"),
                                   {.kind = value.isOutput ? edit::EditKind::kRemoveOutput : edit::EditKind::kAddOutput,
                                    .graph = graph,
                                    .name = name}));
}

}  // namespace cutaway::ui
