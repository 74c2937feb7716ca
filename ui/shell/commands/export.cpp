// What leaves the window: pictures, reports, tables.
#include <nlohmann/json.hpp>

#include <QBuffer>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>

#include "engine/report/json.h"
#include "ui/canvas/picture.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/document/formulas_controller.h"
#include "ui/panels/panel_actions.h"
#include "ui/report/formula_tables.h"
#include "ui/report/report_page.h"
#include "ui/report/report_tables.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/export/export_job.h"
#include "ui/shell/export/panel_picture.h"
#include "ui/shell/export/picture_dialog.h"
#include "ui/shell/main_window.h"

namespace cutaway::ui {
namespace {

void begin(MainWindow& window, ExportWork work) {
  startExport(&window, std::move(work), [&window](const QString& path) {
    window.message(path.isEmpty() ? MainWindow::tr("Nothing was exported")
                                  : MainWindow::tr("Written: %1").arg(QDir::toNativeSeparators(path)));
  });
}

QString proposed(MainWindow& window, const QString& ending) {
  const QFileInfo model(window.currentPage()->document()->path());
  return QDir(model.absolutePath()).filePath(model.completeBaseName() + ending);
}

QString askPath(MainWindow& window, const QString& title, const QString& ending, const QString& filter) {
  QString path = QFileDialog::getSaveFileName(&window, title, proposed(window, ending), filter);
  if (!path.isEmpty() && QFileInfo(path).suffix().isEmpty()) path += ending;
  return path;
}

Result<void> put(QIODevice& file, const std::string& words) {
  if (file.write(words.data(), static_cast<qint64>(words.size())) == static_cast<qint64>(words.size())) return {};
  return fail(ErrorCode::kFail, "{}", file.errorString().toStdString());
}

void exportPicture(MainWindow& window) {
  PictureDialog dialog(window.currentPage(), window.themes(), window.viewState(), &window);
  if (!dialog.exec()) return;
  const auto picture = std::make_shared<const Picture>(dialog.request());
  begin(window, {.title = MainWindow::tr("Export a picture"),
                 .path = dialog.path(),
                 .write = [picture, isSvg = dialog.isSvg()](QIODevice& file, const ExportControl& control) {
                   return isSvg ? picture->writeSvg(file, control.cancel)
                                : picture->writePng(file, control.cancel, control.permille);
                 }});
}

void exportReport(MainWindow& window) {
  const QString path =
      askPath(window, MainWindow::tr("Export a report"), QStringLiteral(".html"), MainWindow::tr("Reports (*.html)"));
  if (path.isEmpty()) return;
  begin(window, {.title = MainWindow::tr("Export a report"),
                 .path = path,
                 .write = [walk = window.currentPage()->document()->walk(),
                           formulas = FormulasController::of(window.currentPage()->document()).formulas()](
                              QIODevice& file, const ExportControl& control) -> Result<void> {
                   CUTAWAY_TRY(const std::string page, htmlReport(*walk, control.cancel, formulas.get()));
                   return put(file, page);
                 }});
}

void exportJson(MainWindow& window) {
  const QString path = askPath(window, MainWindow::tr("Export the reports as JSON"), QStringLiteral(".json"),
                               MainWindow::tr("Reports (*.json)"));
  if (path.isEmpty()) return;
  begin(window, {.title = MainWindow::tr("Export the reports as JSON"),
                 .path = path,
                 .write = [walk = window.currentPage()->document()->walk()](
                              QIODevice& file, const ExportControl& control) -> Result<void> {
                   const nlohmann::json json = walkToJson(*walk, {});
                   if (control.cancel.cancelled()) return fail(cancelledError());
                   return put(file, dumpJson(json, 2));
                 }});
}

void exportTables(MainWindow& window) {
  const QString folder =
      QFileDialog::getExistingDirectory(&window, MainWindow::tr("Export all tables: choose a folder"),
                                        QFileInfo(window.currentPage()->document()->path()).absolutePath());
  if (folder.isEmpty()) return;
  ExportWork work{.title = MainWindow::tr("Export all tables"),
                  .path = QDir(folder).filePath(QFileInfo(window.currentPage()->document()->path()).completeBaseName() +
                                                QStringLiteral("-tables")),
                  .write = {}};
  Document* document = window.currentPage()->document();
  std::vector<ReportTable> all = reportTables(*document->walk());
  if (const auto formulas = FormulasController::of(document).formulas())
    addFormulaTables(*document->walk(), *formulas, all);
  const auto tables = std::make_shared<const std::vector<ReportTable>>(std::move(all));
  for (size_t i = 0; i < tables->size(); ++i)
    work.files.emplace_back(QString::fromStdString((*tables)[i].id) + QStringLiteral(".csv"),
                            [tables, i] { return tableCsv((*tables)[i]); });
  begin(window, std::move(work));
}

// A panel's own picture. It is painted here, where widgets live, and written on the worker.
void exportPanel(MainWindow& window, QWidget* picture, const QString& name) {
  QString kind;
  QString path = QFileDialog::getSaveFileName(&window, MainWindow::tr("Export a picture"),
                                              proposed(window, QLatin1Char('-') + name + QStringLiteral(".png")),
                                              MainWindow::tr("Images (*.png);;Drawings (*.svg)"), &kind);
  if (path.isEmpty()) return;
  if (QFileInfo(path).suffix().isEmpty())
    path += kind.contains(QLatin1String("svg")) ? QStringLiteral(".svg") : QStringLiteral(".png");
  const bool isSvg = path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive);
  bool chosen = true;
  const double scale =
      isSvg ? 1
            : QInputDialog::getDouble(&window, MainWindow::tr("Export a picture"),
                                      MainWindow::tr("Pixels per unit; at 1 the picture has %1 \u00d7 %2 pixels")
                                          .arg(picture->width())
                                          .arg(picture->height()),
                                      2, 0.1, 16, 1, &chosen);
  if (!chosen) return;
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  const Result<void> painted = writePanelPicture(*picture, buffer, isSvg, scale);
  begin(window, {.title = MainWindow::tr("Export a picture"),
                 .path = path,
                 .write = [painted, bytes](QIODevice& file, const ExportControl&) -> Result<void> {
                   CUTAWAY_CHECK(painted);
                   return put(file, bytes.toStdString());
                 }});
}

}  // namespace

std::vector<Command> commands_export(MainWindow& window) {
  QObject::connect(window.actions(), &PanelActions::exportRequested, &window,
                   [&window](QWidget* picture, const QString& name) { exportPanel(window, picture, name); });
  const QString section = QStringLiteral("export");
  const auto hasScene = [&window] { return window.currentPage() && window.currentPage()->canvas()->loaded().scene; };
  const auto hasWalk = [&window] { return window.currentPage() && window.currentPage()->document()->walk()->load; };
  return {{.id = QStringLiteral("file.export.picture"),
           .menu = Menu::kFile,
           .section = section,
           .title = MainWindow::tr("&Export picture \u2026"),
           .keys = QStringLiteral("Ctrl+Shift+E"),
           .help = MainWindow::tr("Writes the graph as PNG at any scale or as SVG."),
           .act = [&window] { exportPicture(window); },
           .enabled = hasScene},
          {.id = QStringLiteral("file.export.report"),
           .menu = Menu::kFile,
           .section = section,
           .title = MainWindow::tr("Export &report \u2026"),
           .help = MainWindow::tr(
               "Writes one HTML file with the graph to move in, plans, profile and all tables; it needs no network."),
           .act = [&window] { exportReport(window); },
           .enabled = hasWalk},
          {.id = QStringLiteral("file.export.json"),
           .menu = Menu::kFile,
           .section = section,
           .title = MainWindow::tr("Export reports as &JSON \u2026"),
           .help = MainWindow::tr("Writes what all stages report as JSON, the same that the command line writes."),
           .act = [&window] { exportJson(window); },
           .enabled = hasWalk},
          {.id = QStringLiteral("file.export.tables"),
           .menu = Menu::kFile,
           .section = section,
           .title = MainWindow::tr("Export all &tables \u2026"),
           .help = MainWindow::tr("Writes every table as CSV into a folder."),
           .act = [&window] { exportTables(window); },
           .enabled = hasWalk}};
}

}  // namespace cutaway::ui
