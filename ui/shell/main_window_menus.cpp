// Menus of the window and what they do: the keys are those that users of graph viewers have in their fingers.
#include <QActionGroup>
#include <QDialog>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QMenuBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/view_state.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/render.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage_ribbon.h"

namespace cutaway::ui {
namespace {

const QString kThemeKey = QStringLiteral("window/theme");
const QString kFolderKey = QStringLiteral("window/folder");

struct Shortcut {
  const char* keys;
  const char* does;
};
constexpr Shortcut kShortcuts[] = {
    {"Ctrl+O", "open a model; drag and drop works too"}, {"Ctrl+1 \u2026 9", "recent files"},       {"F5", "walk again from the file"},          {"Ctrl+R", "run the model"},
    {"Ctrl+.", "cancel what is going on"},               {"Alt+1 \u2026 9", "choose a stage"},      {"Ctrl+F", "find; Enter and Shift+Enter step"}, {"Esc", "close find, clear the selection"},
    {"Wheel", "scroll; with Ctrl zoom at the pointer"},   {"Middle or Space drag", "pan"},           {"Space", "fit the whole graph"},             {"Shift+Up, Shift+Down", "zoom in, out"},
    {"Shift+Backspace", "100 %"},                        {"Arrow keys", "walk along the lines"},    {"Enter, double-click", "unfold a scope, enter a body or function"}, {"Backspace", "leave it"},
    {"Ctrl+D", "details of the selection"},              {"Ctrl+M", "wheel zooms or scrolls"},      {"Ctrl+Shift+E", "export a picture"},         {"F11", "full screen"}};

}  // namespace

QAction* MainWindow::addAction(QMenu* menu, const QString& words, const QKeySequence& keys, std::function<void()> act, bool needsPage) {
  QAction* action = menu->addAction(words);
  action->setShortcut(keys);
  connect(action, &QAction::triggered, this, act);
  if (needsPage) m_pageActions.push_back(action);
  return action;
}

void MainWindow::makeMenus() {
  auto* head = new QWidget;
  auto* column = new QVBoxLayout(head);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* bar = new QMenuBar;
  column->addWidget(bar);
  column->addWidget(m_ribbon);
  auto* line = new QFrame;
  line->setProperty("role", "line");
  column->addWidget(line);
  setMenuWidget(head);
  fillFileMenu(bar->addMenu(tr("&File")));
  fillViewMenu(bar->addMenu(tr("&View")));
  fillGoMenu(bar->addMenu(tr("&Go")));
  QMenu* help = bar->addMenu(tr("&Help"));
  addAction(help, tr("Keyboard shortcuts"), QKeySequence(Qt::Key_Question), [this] { showShortcuts(); }, false);
}

void MainWindow::fillFileMenu(QMenu* menu) {
  addAction(menu, tr("&Open \u2026"), QKeySequence::Open, [this] { showOpenDialog(); }, false);
  m_recentMenu = menu->addMenu(tr("Open &recent"));
  fillRecentMenu();
  addAction(menu, tr("Re&load"), QKeySequence(Qt::Key_F5), [this] { currentPage()->document()->reload(); });
  menu->addSeparator();
  addAction(menu, tr("R&un"), QKeySequence(Qt::CTRL | Qt::Key_R), [this] { runModel(); });
  menu->addSeparator();
  addAction(menu, tr("&Export picture \u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), [this] { exportPicture(); });
  menu->addSeparator();
  addAction(menu, tr("&Close"), QKeySequence::Close, [this] { closePage(m_pages->currentIndex() - 1); });
  addAction(menu, tr("&Quit"), QKeySequence::Quit, [this] { close(); }, false);
}

void MainWindow::fillRecentMenu() {
  m_recentMenu->clear();
  const QStringList files = m_viewState->recentFiles();
  for (int i = 0; i < files.size(); ++i) {
    QAction* action = m_recentMenu->addAction(shortened(files[i], 80));
    action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)));
    connect(action, &QAction::triggered, this, [this, path = files[i]] { openFile(path); });
  }
  m_recentMenu->setEnabled(!files.isEmpty());
}

void MainWindow::fillViewMenu(QMenu* menu) {
  const auto view = [this] { return currentPage()->canvas()->view(); };
  addAction(menu, tr("&Find \u2026"), QKeySequence::Find, [this] { currentPage()->canvas()->openFind(); });
  menu->addSeparator();
  addAction(menu, tr("Zoom &in"), QKeySequence::ZoomIn, [view] { view()->zoom(1.25); });
  addAction(menu, tr("Zoom &out"), QKeySequence::ZoomOut, [view] { view()->zoom(1 / 1.25); });
  addAction(menu, tr("&Actual size"), QKeySequence(Qt::CTRL | Qt::Key_0), [view] { view()->zoomTo(1); });
  addAction(menu, tr("Fit the &graph"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_0), [view] { view()->fit(); });
  menu->addSeparator();
  addAction(menu, tr("Fo&ld all scopes"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Minus), [this] { currentPage()->canvas()->foldAll(); });
  addAction(menu, tr("&Unfold all scopes"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Plus), [this] { currentPage()->canvas()->unfoldAll(); });
  QMenu* colours = menu->addMenu(tr("&Colour by"));
  for (const OverlayKind kind : {OverlayKind::kOperator, OverlayKind::kProvider, OverlayKind::kOrder, OverlayKind::kMemory, OverlayKind::kTime, OverlayKind::kNone})
    addAction(colours, overlayTitle(kind), {}, [this, kind] { currentPage()->canvas()->setOverlay(kind); });
  addAction(menu, tr("&Overview map"), {}, [this] { currentPage()->canvas()->toggleMinimap(); });
  addAction(menu, tr("Wheel zooms or scrolls"), QKeySequence(Qt::CTRL | Qt::Key_M), [this, view] {
    const bool zooms = !view()->wheelZooms();
    currentPage()->canvas()->setWheelZooms(zooms);
    message(zooms ? tr("The wheel zooms now; Ctrl+wheel scrolls.") : tr("The wheel scrolls now; Ctrl+wheel zooms."));
  });
  menu->addSeparator();
  addAction(menu, tr("Stage panel"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [this] { m_stageDock->setVisible(!m_stageDock->isVisible()); });
  addAction(menu, tr("&Details of the selection"), QKeySequence(Qt::CTRL | Qt::Key_D), [this] { m_inspectorDock->setVisible(!m_inspectorDock->isVisible()); });
  addAction(menu, tr("&Reset arrangement"), {}, [this] { arrangeDocks(); });
  addAction(menu, tr("F&ull screen"), QKeySequence(Qt::Key_F11), [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); }, false);
  QMenu* theme = menu->addMenu(tr("&Theme"));
  auto* group = new QActionGroup(this);
  const std::pair<QString, ThemeMode> modes[] = {{tr("As the &system"), ThemeMode::kSystem}, {tr("&Light"), ThemeMode::kLight}, {tr("&Dark"), ThemeMode::kDark}};
  for (const auto& [words, mode] : modes) {
    QAction* action = addAction(theme, words, {}, [this, mode = mode] {
      m_themes->setMode(mode);
      m_viewState->put(kThemeKey, static_cast<int>(mode));
    }, false);
    action->setCheckable(true);
    action->setChecked(m_themes->mode() == mode);
    group->addAction(action);
  }
}

void MainWindow::fillGoMenu(QMenu* menu) {
  for (int i = 0; i < kStageCount; ++i)
    // The ribbon's buttons hold the keys Alt+1 to Alt+9.
    addAction(menu, QString::fromLatin1(stageTitle(static_cast<Stage>(i))).replace(QLatin1Char('&'), QLatin1String("&&")), {}, [this, i] { m_ribbon->button(static_cast<Stage>(i))->setChecked(true); });
  menu->addSeparator();
  addAction(menu, tr("&Leave body or function"), {}, [this] { currentPage()->canvas()->leaveGraph(); });
}

void MainWindow::showOpenDialog() {
  const QStringList files = QFileDialog::getOpenFileNames(this, tr("Open a model"), m_viewState->get(kFolderKey).toString(),
                                                          tr("Models (*.onnx *.textproto *.prototxt *.pbtxt *.onnxtxt);;All files (*)"));
  for (const QString& file : files) {
    m_viewState->put(kFolderKey, QFileInfo(file).path());
    openFile(file);
  }
}

void MainWindow::runModel() {
  DocumentPage* page = currentPage();
  if (page->document()->service().busy()) return message(tr("Wait until the present work is finished, or cancel it."));
  m_ribbon->button(Stage::kRun)->setChecked(true);
  page->document()->run();
}

void MainWindow::exportPicture() {
  DocumentPage* page = currentPage();
  QString path = QFileDialog::getSaveFileName(this, tr("Export a picture"), page->document()->title().section(QLatin1Char('/'), 0, 0) + QStringLiteral(".svg"), tr("Pictures (*.svg *.png)"));
  if (path.isEmpty()) return;
  if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".svg");
  RenderOptions options;
  options.overlay = page->canvas()->overlayKind();
  options.stage = page->document()->stage();
  options.graph = page->canvas()->graph();
  options.dark = m_themes->current().dark;
  const auto written = renderToFile(*page->document()->walk(), options, path, CancelToken());
  message(written ? tr("Written: %1").arg(path) : text(describe(written.error())));
}

void MainWindow::showShortcuts() {
  QDialog dialog(this);
  dialog.setWindowTitle(tr("Keyboard shortcuts"));
  auto* grid = new QGridLayout(&dialog);
  grid->setContentsMargins(kSpaceHuge, kSpaceHuge, kSpaceHuge, kSpaceHuge);
  grid->setHorizontalSpacing(kSpaceHuge);
  grid->setVerticalSpacing(kSpace - 2);
  const int half = (static_cast<int>(std::size(kShortcuts)) + 1) / 2;
  for (int i = 0; i < static_cast<int>(std::size(kShortcuts)); ++i) {
    auto* keys = new QLabel(QString::fromUtf8(kShortcuts[i].keys));
    keys->setFont(interfaceFont(0, QFont::DemiBold));
    auto* does = new QLabel(QString::fromUtf8(kShortcuts[i].does));
    does->setProperty("role", "secondary");
    grid->addWidget(keys, i % half, i / half * 2);
    grid->addWidget(does, i % half, i / half * 2 + 1);
  }
  dialog.exec();
}

}  // namespace cutaway::ui
