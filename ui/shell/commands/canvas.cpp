// What the canvas shows and how near.
#include "ui/canvas/overlay.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"

namespace cutaway::ui {
namespace {

void addZoom(MainWindow& window, std::vector<Command>& all) {
  const auto view = [&window] { return window.currentPage()->canvas()->view(); };
  const QString section = QStringLiteral("zoom");
  all.push_back({.id = QStringLiteral("view.zoomIn"),
                 .menu = Menu::kView,
                 .section = section,
                 .title = MainWindow::tr("Zoom &in"),
                 .keys = QStringLiteral("Ctrl++; Ctrl+="),
                 .canvasKeys = MainWindow::tr("Shift+Up"),
                 .act = [view] { view()->zoom(1.25); }});
  all.push_back({.id = QStringLiteral("view.zoomOut"),
                 .menu = Menu::kView,
                 .section = section,
                 .title = MainWindow::tr("Zoom &out"),
                 .keys = QStringLiteral("Ctrl+-"),
                 .canvasKeys = MainWindow::tr("Shift+Down"),
                 .act = [view] { view()->zoom(1 / 1.25); }});
  all.push_back({.id = QStringLiteral("view.actualSize"),
                 .menu = Menu::kView,
                 .section = section,
                 .title = MainWindow::tr("&Actual size"),
                 .keys = QStringLiteral("Ctrl+0"),
                 .canvasKeys = MainWindow::tr("Shift+Backspace"),
                 .act = [view] { view()->zoomTo(1); }});
  all.push_back({.id = QStringLiteral("view.fit"),
                 .menu = Menu::kView,
                 .section = section,
                 .title = MainWindow::tr("Fit the &graph"),
                 .keys = QStringLiteral("Ctrl+Shift+0"),
                 .canvasKeys = MainWindow::tr("Space"),
                 .act = [view] { view()->fit(); }});
}

void addGroups(MainWindow& window, std::vector<Command>& all) {
  const auto canvas = [&window] { return window.currentPage()->canvas(); };
  all.push_back({.id = QStringLiteral("view.openGroups"),
                 .menu = Menu::kView,
                 .section = QStringLiteral("shape"),
                 .title = MainWindow::tr("Nodes inside &compiled groups"),
                 .help = MainWindow::tr("Opens compiled groups in their place, as hulls around the nodes in them."),
                 .act =
                     [canvas] {
                       CanvasSettings next = canvas()->settings();
                       next.openGroups = !next.openGroups;
                       canvas()->setSettings(next);
                     },
                 .checked = [canvas] { return canvas()->settings().openGroups; }});
}

// Grouping, direction, and what cards hold.
void addShape(MainWindow& window, std::vector<Command>& all) {
  const auto canvas = [&window] { return window.currentPage()->canvas(); };
  const QString section = QStringLiteral("shape");
  const auto change = [canvas](auto&& set) {
    CanvasSettings next = canvas()->settings();
    set(next);
    canvas()->setSettings(next);
  };
  for (int i = 0; i < kGroupingCount; ++i) {
    const auto grouping = static_cast<Grouping>(i);
    all.push_back(
        {.id = QStringLiteral("view.grouping.") + QLatin1String(groupingId(grouping)),
         .menu = Menu::kView,
         .section = section,
         .submenu = MainWindow::tr("&Group by"),
         .title = groupingTitle(grouping),
         .act = [change, grouping] { change([grouping](CanvasSettings& next) { next.grouping = grouping; }); },
         .checked = [canvas, grouping] { return canvas()->settings().grouping == grouping; }});
  }
  all.push_back({.id = QStringLiteral("view.direction"),
                 .menu = Menu::kView,
                 .section = section,
                 .title = MainWindow::tr("From left to &right"),
                 .keys = QStringLiteral("Ctrl+K"),
                 .act =
                     [change] {
                       change([](CanvasSettings& next) {
                         next.direction =
                             next.direction == FlowDirection::kDown ? FlowDirection::kRight : FlowDirection::kDown;
                       });
                     },
                 .checked = [canvas] { return canvas()->settings().direction == FlowDirection::kRight; }});
  all.push_back({.id = QStringLiteral("view.dotLayout"),
                 .menu = Menu::kView,
                 .section = section,
                 .title = MainWindow::tr("Layout by Graph&viz"),
                 .help = MainWindow::tr("Places nodes by Graphviz's dot, for graphs of fewer than 2,000 nodes."),
                 .act =
                     [change] {
                       change([](CanvasSettings& next) {
                         next.layout = next.layout == LayoutEngine::kDot ? LayoutEngine::kOwn : LayoutEngine::kDot;
                       });
                     },
                 .checked = [canvas] { return canvas()->settings().layout == LayoutEngine::kDot; }});
  all.push_back(
      {.id = QStringLiteral("view.attributes"),
       .menu = Menu::kView,
       .section = section,
       .title = MainWindow::tr("&Attributes on cards"),
       .keys = QStringLiteral("Ctrl+D"),
       .act = [change] { change([](CanvasSettings& next) { next.contents.attributes = !next.contents.attributes; }); },
       .checked = [canvas] { return canvas()->settings().contents.attributes; }});
  all.push_back(
      {.id = QStringLiteral("view.weights"),
       .menu = Menu::kView,
       .section = section,
       .title = MainWindow::tr("&Weights on cards"),
       .keys = QStringLiteral("Ctrl+I"),
       .act = [change] { change([](CanvasSettings& next) { next.contents.weights = !next.contents.weights; }); },
       .checked = [canvas] { return canvas()->settings().contents.weights; }});
  all.push_back({.id = QStringLiteral("view.names"),
                 .menu = Menu::kView,
                 .section = section,
                 .title = MainWindow::tr("&Names on cards"),
                 .keys = QStringLiteral("Ctrl+U"),
                 .act = [change] { change([](CanvasSettings& next) { next.contents.names = !next.contents.names; }); },
                 .checked = [canvas] { return canvas()->settings().contents.names; }});
  all.push_back({.id = QStringLiteral("view.unfold"),
                 .menu = Menu::kView,
                 .section = section,
                 .title = MainWindow::tr("Unfold the selected group or body"),
                 .canvasKeys = QStringLiteral("+"),
                 .act = [canvas] { canvas()->unfoldSelected(); }});
  all.push_back({.id = QStringLiteral("view.fold"),
                 .menu = Menu::kView,
                 .section = section,
                 .title = MainWindow::tr("Fold what holds the selection"),
                 .canvasKeys = QStringLiteral("-"),
                 .act = [canvas] { canvas()->foldSelected(); }});
}

// Only told: the canvas answers to them.
void addGestures(std::vector<Command>& all) {
  const std::pair<QString, QString> gestures[] = {
      {MainWindow::tr("Wheel"), MainWindow::tr("Scroll; with Ctrl zoom at the pointer")},
      {MainWindow::tr("Middle or Space drag"), MainWindow::tr("Move the picture")},
      {MainWindow::tr("Arrow keys"), MainWindow::tr("Follow the lines")},
      {MainWindow::tr("Enter, double-click"), MainWindow::tr("Unfold a group, enter a body or function")}};
  for (const auto& [keys, title] : gestures)
    all.push_back({.id = QStringLiteral("gesture.%1").arg(all.size()),
                   .menu = Menu::kView,
                   .section = QStringLiteral("gestures"),
                   .title = title,
                   .canvasKeys = keys});
}

}  // namespace

std::vector<Command> commands_canvas(MainWindow& window) {
  const auto canvas = [&window] { return window.currentPage()->canvas(); };
  std::vector<Command> all;
  addZoom(window, all);
  const QString fold = QStringLiteral("fold");
  all.push_back({.id = QStringLiteral("view.foldAll"),
                 .menu = Menu::kView,
                 .section = fold,
                 .title = MainWindow::tr("Fo&ld all groups"),
                 .keys = QStringLiteral("Ctrl+Shift+-; Ctrl+_"),
                 .act = [canvas] { canvas()->foldAll(); }});
  all.push_back({.id = QStringLiteral("view.unfoldAll"),
                 .menu = Menu::kView,
                 .section = fold,
                 .title = MainWindow::tr("&Unfold all groups"),
                 .keys = QStringLiteral("Ctrl+Shift++"),
                 .act = [canvas] { canvas()->unfoldAll(); }});
  for (const OverlayDescriptor* overlay : overlayTable())
    all.push_back({.id = QStringLiteral("view.overlay.") + QLatin1String(overlay->id),
                   .menu = Menu::kView,
                   .section = fold,
                   .submenu = MainWindow::tr("&Colour by"),
                   .title = overlayTitle(*overlay),
                   .act = [canvas, overlay] { canvas()->setOverlay(QString::fromLatin1(overlay->id)); },
                   .checked = [canvas, overlay] { return canvas()->overlayId() == QLatin1String(overlay->id); }});
  addShape(window, all);
  addGroups(window, all);
  all.push_back({.id = QStringLiteral("view.minimap"),
                 .menu = Menu::kView,
                 .section = fold,
                 .title = MainWindow::tr("&Overview map"),
                 .act = [canvas] { canvas()->toggleMinimap(); }});
  all.push_back({.id = QStringLiteral("view.wheelZooms"),
                 .menu = Menu::kView,
                 .section = fold,
                 .title = MainWindow::tr("&Wheel zooms"),
                 .keys = QStringLiteral("Ctrl+M"),
                 .help = MainWindow::tr("The plain wheel zooms and Ctrl+wheel scrolls, or the other way round."),
                 .act =
                     [&window, canvas] {
                       const bool zooms = !canvas()->view()->wheelZooms();
                       canvas()->setWheelZooms(zooms);
                       window.message(zooms ? MainWindow::tr("Mouse wheel: zooms; with Ctrl it scrolls.")
                                            : MainWindow::tr("Mouse wheel: scrolls; with Ctrl it zooms."));
                     },
                 .checked = [canvas] { return canvas()->view()->wheelZooms(); }});
  all.push_back({.id = QStringLiteral("go.leave"),
                 .menu = Menu::kGo,
                 .section = QStringLiteral("graphs"),
                 .title = MainWindow::tr("&Leave body or function"),
                 .canvasKeys = MainWindow::tr("Backspace"),
                 .act = [canvas] { canvas()->leaveGraph(); },
                 .enabled = [canvas] { return canvas()->graph() != 0; }});
  addGestures(all);
  return all;
}

}  // namespace cutaway::ui
