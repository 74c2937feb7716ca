#include "ui/panels/edit/edit_list.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/base/node_name.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/panel_actions.h"

namespace cutaway::ui {
namespace {

QString nodeWords(const edit::ModelEdit& edit, const LoadReport* load) {
  if (!load || edit.origin < 0 || edit.origin >= static_cast<int32_t>(load->origins.size()))
    return EditList::tr("node %1").arg(edit.origin);
  const OriginReport& origin = load->origins[static_cast<size_t>(edit.origin)];
  return origin.name.empty() ? text(nodeName("", origin.opType, static_cast<size_t>(edit.origin)))
                             : QStringLiteral("%1 %2").arg(text(origin.opType), text(origin.name));
}

QString list(const std::vector<std::string>& names) {
  QStringList parts;
  for (const std::string& name : names)
    parts << text(name);
  return shortened(parts.join(QStringLiteral(", ")), 60);
}

}  // namespace

QString editText(const edit::ModelEdit& edit, const LoadReport* load) {
  const QString name = text(edit.name), value = text(edit.text);
  switch (edit.kind) {
    case edit::EditKind::kRenameValue:
      return EditList::tr("rename value %1 to %2").arg(name, value);
    case edit::EditKind::kSetElementType:
      return EditList::tr("type of %1 = %2").arg(name, value);
    case edit::EditKind::kSetShape:
      return EditList::tr("shape of %1 = [%2]").arg(name, value);
    case edit::EditKind::kSetDim:
      return EditList::tr("dimension %1 = %2").arg(name, value);
    case edit::EditKind::kRenameNode:
      return EditList::tr("rename %1 to %2").arg(nodeWords(edit, load), value);
    case edit::EditKind::kDeleteNode:
      return EditList::tr("delete %1").arg(nodeWords(edit, load));
    case edit::EditKind::kBypassNode:
      return EditList::tr("bypass %1").arg(nodeWords(edit, load));
    case edit::EditKind::kSetAttribute:
      return EditList::tr("%1 of %2 = %3").arg(name, nodeWords(edit, load), shortened(value, 60));
    case edit::EditKind::kRemoveAttribute:
      return EditList::tr("remove %1 of %2").arg(name, nodeWords(edit, load));
    case edit::EditKind::kAddOutput:
      return EditList::tr("%1 becomes an output").arg(name);
    case edit::EditKind::kRemoveOutput:
      return EditList::tr("%1 is no longer an output").arg(name);
    case edit::EditKind::kExtract:
      return EditList::tr("extract what leads from %1 to %2").arg(list(edit.names), list(edit.outputs));
    case edit::EditKind::kSetMetadata:
      return EditList::tr("metadata %1 = %2").arg(name, shortened(value, 60));
    case edit::EditKind::kRemoveMetadata:
      return EditList::tr("remove metadata %1").arg(name);
    case edit::EditKind::kSetProducer:
      return EditList::tr("producer = %1").arg(value);
    case edit::EditKind::kSetDocumentation:
      return EditList::tr("documentation = %1").arg(shortened(value.simplified(), 60));
  }
  return {};
}

EditList::EditList(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_state(new QLabel),
      m_list(new QListWidget),
      m_error(new QLabel),
      m_undo(new QToolButton),
      m_redo(new QToolButton),
      m_save(new QPushButton(tr("Save as \u2026"))) {
  m_state->setProperty("role", "secondary");
  m_state->setWordWrap(true);
  m_error->setProperty("role", "error");
  m_error->setWordWrap(true);
  m_error->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setAccessibleName(tr("Edits"));
  m_list->setTextElideMode(Qt::ElideMiddle);
  m_list->setWordWrap(true);
  m_undo->setText(tr("Undo"));
  m_undo->setToolTip(tr("Undo the latest edit (Ctrl+Z)"));
  m_redo->setText(tr("Redo"));
  m_redo->setToolTip(tr("Redo the edit (Ctrl+Shift+Z)"));
  m_save->setToolTip(tr("Write the edited model to a file; the file that is open stays as it is"));
  auto* top = new QHBoxLayout;
  top->setSpacing(kSpaceSmall);
  top->addWidget(m_undo);
  top->addWidget(m_redo);
  top->addStretch(1);
  top->addWidget(m_save);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
  column->setSpacing(kSpaceSmall);
  column->addLayout(top);
  column->addWidget(m_state);
  column->addWidget(m_error);
  column->addWidget(m_list, 1);
  EditController& controller = context.document->edits();
  connect(m_undo, &QToolButton::clicked, &controller, &EditController::undo);
  connect(m_redo, &QToolButton::clicked, &controller, &EditController::redo);
  connect(m_save, &QPushButton::clicked, this, &EditList::saveAs);
  if (context.actions)
    connect(context.actions, &PanelActions::saveEditedRequested, this, [this] {
      if (isVisible() && m_save->isEnabled()) saveAs();
    });
  connect(&controller, &EditController::changed, this, &EditList::refresh);
  context.document->onWalkChange(WalkPart::kLoad, this, &EditList::refresh);
  refresh();
}

void EditList::refresh() {
  const EditController& controller = m_context.document->edits();
  const auto& load = m_context.document->walk()->load;
  QStringList rows;
  for (size_t i = 0; i < controller.edits().size(); ++i)
    rows << QStringLiteral("%1  %2").arg(i + 1).arg(editText(controller.edits()[i], load.get()));
  QStringList shown;
  for (int i = 0; i < m_list->count(); ++i)
    shown << m_list->item(i)->text();
  if (shown != rows) {
    m_list->clear();
    m_list->addItems(rows);
    m_list->setCurrentRow(m_list->count() - 1);
  }
  m_undo->setEnabled(controller.canUndo());
  m_redo->setEnabled(controller.canRedo());
  m_save->setEnabled(controller.can() && !controller.edits().empty() && !controller.saving());
  m_save->setProperty("primary", controller.unsaved() && !controller.edits().empty());
  m_error->setVisible(controller.error().has_value());
  m_error->setText(controller.error() ? QStringLiteral("\u26a0 ") + told(*controller.error()) : QString());
  const QString file = QFileInfo(controller.savedFile()).fileName();
  m_state->setText(
      controller.saving() ? tr("Saving \u2026")
      : !controller.can() ? tr("Open a model to edit it.")
      : controller.edits().empty()
          ? tr("Nothing is edited. The file on the disk stays as it is until an edited model is saved over it.")
      : controller.unsaved() ? tr("\u25cf Edited, not saved.")
      : file.isEmpty()       ? tr("Saved.")
                             : tr("Saved as %1.").arg(file));
}

void EditList::saveAs() {
  const QFileInfo info(m_context.document->path());
  const QString offered = info.dir().filePath(info.completeBaseName() + QStringLiteral("-edited.onnx"));
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Save the edited model"), offered,
                                   tr("ONNX models (*.onnx);;Text (*.textproto *.onnxtxt);;All files (*)"), nullptr,
                                   QFileDialog::DontConfirmOverwrite);
  if (!file.isEmpty()) saveTo(file);
}

void EditList::saveTo(const QString& file) {
  bool overwrite = false;
  if (QFileInfo::exists(file)) {
    const bool own = QFileInfo(file) == QFileInfo(m_context.document->path());
    QMessageBox box(QMessageBox::Warning, tr("Replace file?"),
                    own ? tr("%1 is the model that is open. Replace it by the edited one?").arg(file)
                        : tr("%1 already exists. Replace it?").arg(file),
                    QMessageBox::NoButton, this);
    box.setInformativeText(tr("What is in it now will be lost."));
    QPushButton* replace = box.addButton(tr("Replace"), QMessageBox::DestructiveRole);
    box.setDefaultButton(box.addButton(QMessageBox::Cancel));
    box.exec();
    if (box.clickedButton() != replace) return;
    overwrite = true;
  }
  m_context.document->edits().save(file, overwrite);
}

}  // namespace cutaway::ui
