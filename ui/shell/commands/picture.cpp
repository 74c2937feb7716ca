// The graph as a picture in a file.
#include <QFileDialog>
#include <QFileInfo>

#include "ui/base/format.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/render.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"

namespace cutaway::ui {
namespace {

void exportPicture(MainWindow& window) {
  DocumentPage* page = window.currentPage();
  QString path = QFileDialog::getSaveFileName(&window, MainWindow::tr("Export a picture"), page->document()->title().section(QLatin1Char('/'), 0, 0) + QStringLiteral(".svg"),
                                              MainWindow::tr("Pictures (*.svg *.png)"));
  if (path.isEmpty()) return;
  if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".svg");
  RenderOptions options;
  options.overlay = page->canvas()->overlayId().toStdString();
  options.stage = page->document()->stage();
  options.graph = page->canvas()->graph();
  options.dark = window.themes()->current().dark;
  const auto written = renderToFile(*page->document()->walk(), options, path, CancelToken());
  window.message(written ? MainWindow::tr("Written: %1").arg(path) : text(describe(written.error())));
}

}  // namespace

std::vector<Command> commands_picture(MainWindow& window) {
  return {{.id = QStringLiteral("file.export.picture"),
           .menu = Menu::kFile,
           .section = QStringLiteral("export"),
           .title = MainWindow::tr("&Export picture \u2026"),
           .keys = QStringLiteral("Ctrl+Shift+E"),
           .help = MainWindow::tr("Writes the graph as SVG or PNG."),
           .act = [&window] { exportPicture(window); }}};
}

}  // namespace cutaway::ui
