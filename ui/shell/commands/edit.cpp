// Undo and redo of edits, and searching.
#include "ui/canvas/view/canvas_pane.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"

namespace cutaway::ui {

std::vector<Command> commands_edit(MainWindow& window) {
  const auto edits = [&window]() -> EditController& { return window.currentPage()->document()->edits(); };
  return {{.id = QStringLiteral("edit.undo"),
           .menu = Menu::kEdit,
           .section = QStringLiteral("history"),
           .title = MainWindow::tr("&Undo edit"),
           .keys = QStringLiteral("Ctrl+Z"),
           .help = MainWindow::tr("Undoes the latest edit of the model and runs all stages again."),
           .act = [edits] { edits().undo(); },
           .enabled = [edits] { return edits().canUndo(); }},
          {.id = QStringLiteral("edit.redo"),
           .menu = Menu::kEdit,
           .section = QStringLiteral("history"),
           .title = MainWindow::tr("&Redo edit"),
           .keys = QStringLiteral("Ctrl+Shift+Z; Ctrl+Y"),
           .act = [edits] { edits().redo(); },
           .enabled = [edits] { return edits().canRedo(); }},
          {.id = QStringLiteral("edit.find"),
           .menu = Menu::kEdit,
           .section = QStringLiteral("find"),
           .title = MainWindow::tr("&Find \u2026"),
           .keys = QStringLiteral("Ctrl+F"),
           .help = MainWindow::tr("Finds nodes and values by name, operator, type, shape or attribute; Enter and "
                                  "Shift+Enter step, Esc closes."),
           .act = [&window] { window.currentPage()->canvas()->openFind(); }},
          {.id = QStringLiteral("edit.deselect"),
           .menu = Menu::kEdit,
           .section = QStringLiteral("find"),
           .title = MainWindow::tr("&Clear the selection"),
           .canvasKeys = QStringLiteral("Esc"),
           .act = [&window] { window.currentPage()->document()->selection().clear(); },
           .enabled = [&window] { return !window.currentPage()->document()->selection().empty(); }}};
}

}  // namespace cutaway::ui
