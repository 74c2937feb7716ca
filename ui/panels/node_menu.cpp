// Entries lead to the tool panels; edits are of the original node, wherever the menu was asked for.
#include "ui/panels/node_menu.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/panels/panel_actions.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::NodeMenu)
};

void addTool(QMenu* menu, const QString& title, Document* document, const RowTarget& target, PanelActions* actions,
             const char* tool) {
  QObject::connect(menu->addAction(title), &QAction::triggered, document,
                   [document, target, actions, id = QString::fromLatin1(tool)] {
                     document->selection().select(target);
                     if (actions) emit actions->toolRequested(id);
                   });
}

void addCopy(QMenu* menu, Document* document, const QString& name) {
  if (!name.isEmpty())
    QObject::connect(menu->addAction(Words::tr("Copy name")), &QAction::triggered, document,
                     [name] { QGuiApplication::clipboard()->setText(name); });
}

void addEdit(QMenu* menu, Document* document, const QString& title, const edit::ModelEdit& edit) {
  QAction* action = menu->addAction(title);
  action->setEnabled(document->edits().can() && !document->service().busy());
  QObject::connect(action, &QAction::triggered, document, [document, edit] { document->edits().add(edit); });
}

}  // namespace

void addNodeEntries(QMenu* menu, Document* document, const NodeTarget& target, PanelActions* actions) {
  const NodeReport* node = document->node(target);
  if (!node) return;
  addTool(menu, Words::tr("What %1 does").arg(operatorText(*node)), document, {target, {}}, actions, "operator");
  addTool(menu, Words::tr("Look at its tensors"), document, {target, {}}, actions, "tensor");
  addCopy(menu, document, text(node->name));
  if (node->origins.size() != 1) return;  // groups and fused nodes stand for several
  const int32_t origin = node->origins.front();
  QMenu* edit = menu->addMenu(Words::tr("Edit"));
  addTool(edit, Words::tr("Name, attributes \u2026"), document, {target, {}}, actions, "edit");
  addEdit(edit, document, Words::tr("Bypass"),
          {.kind = edit::EditKind::kBypassNode, .graph = target.graph, .origin = origin});
  addEdit(edit, document, Words::tr("Delete"),
          {.kind = edit::EditKind::kDeleteNode, .graph = target.graph, .origin = origin});
}

void addValueEntries(QMenu* menu, Document* document, const ValueTarget& target, PanelActions* actions) {
  if (!target.valid()) return;
  addTool(menu, Words::tr("Look at its values"), document, {{}, target}, actions, "tensor");
  addCopy(menu, document, target.name);
  const ValueReport* value = document->value(GraphVersion::kLoaded, target);
  if (!value) return;
  QMenu* edit = menu->addMenu(Words::tr("Edit"));
  addTool(edit, Words::tr("Name, type, shape \u2026"), document, {{}, target}, actions, "edit");
  if (target.graph == 0 && !value->isInitializer && value->role != ValueRole::kInput)
    addEdit(edit, document, value->isOutput ? Words::tr("Remove from the outputs") : Words::tr("Make it an output"),
            {.kind = value->isOutput ? edit::EditKind::kRemoveOutput : edit::EditKind::kAddOutput,
             .graph = 0,
             .name = value->name});
}

}  // namespace cutaway::ui
