#include "ui/shell/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPixmapCache>
#include <QPushButton>
#include <QResizeEvent>
#include <QStackedWidget>
#include <QThreadPool>
#include <QTimer>
#include <QVBoxLayout>

#include "engine/base/freed_memory.h"
#include "engine/session/configuration/configuration.h"
#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/stage_words.h"
#include "ui/base/view_state.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/document/binding_words.h"
#include "ui/document/trace_name.h"
#include "ui/document/window_words.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/without_figures.h"
#include "ui/shell/activity_bar.h"
#include "ui/shell/binding_bar.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/dock_title.h"
#include "ui/shell/document_page.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/page_tabs.h"
#include "ui/shell/problem_badge.h"
#include "ui/shell/session_keeper.h"
#include "ui/shell/settings_dialog.h"
#include "ui/shell/sheet_change.h"
#include "ui/shell/stage_ribbon.h"
#include "ui/shell/start_page.h"
#include "ui/shell/text_size.h"
#include "ui/shell/tool_docks.h"
#include "ui/sweep/sweep_grid.h"
#include "ui/sweep/sweep_tab.h"

namespace cutaway::ui {
namespace {

const QString kGeometryKey = QStringLiteral("window/geometry");
const QString kStateKey = QStringLiteral("window/state");
const QString kFolderKey = QStringLiteral("window/folder");
constexpr int kStateVersion = 3;  // raised when docks change, so that an old arrangement is not forced on new ones
constexpr int kMostClosed = 20;
constexpr int kGiveBackAfterMs = 1'000;
// Icons take some 100 KB. Qt's style adds arrows under keys that never come again (of sorted columns, say), which Qt
// keeps until 10 MB are full.
constexpr int kMostPictureKilobytes = 2'048;
// Pixels; percent of the window.
constexpr int kLeastInspector = 300, kInspectorShare = 26, kMostInspectorShare = 40;
constexpr int kLeastStage = 150, kStageShare = 44;

}  // namespace

MainWindow::MainWindow(std::shared_ptr<const EngineHost> host, session::SessionOptions options, ViewState* viewState,
                       ThemeStore* themes)
    : m_host(std::move(host)),
      m_options(std::move(options)),
      m_viewState(viewState),
      m_themes(themes),
      m_actions(new PanelActions(this)) {
  QPixmapCache::setCacheLimit(kMostPictureKilobytes);
  setWindowTitle(QStringLiteral("Cutaway"));
  setWindowIcon(QIcon(iconPixmap(QStringLiteral("cutaway"), Qt::black, 64, 2)));
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  applyTheme();
  makeHead();
  makeCentre();
  makeDocks();
  m_activity = new ActivityBar(this);
  setStatusBar(m_activity);
  m_problems = new ProblemBadge;
  m_activity->addPermanentWidget(m_problems);
  connectActions();
  connect(m_themes, &ThemeStore::changed, this, &MainWindow::applyTheme);
  resize(1440, 900);
  restoreGeometry(m_viewState->get(kGeometryKey).toByteArray());
  if (!restoreState(m_viewState->get(kStateKey).toByteArray(), kStateVersion)) arrangeDocks();
  m_session = new SessionKeeper(this);
  connect(m_session, &SessionKeeper::changed, this, &MainWindow::refresh);
  m_commands->fill(allCommands(*this));
  showPage();
  tellAboutSettings();
}

MainWindow::~MainWindow() {
  // Pages take their panels out of the docks, so they go before the docks.
  for (DocumentPage* page : pages())
    removePage(page);
}

// The ribbon and the bar below it span the whole window, above the docks.
void MainWindow::makeHead() {
  m_ribbon = new StageRibbon(m_themes);
  connect(m_ribbon, &StageRibbon::stageChosen, this, [this](Stage stage) {
    if (DocumentPage* page = currentPage()) page->document()->setStage(stage);
  });
  // A tool may lie over the stage's panel, also of the stage that is chosen already.
  for (int stage = 0; stage < kStageCount; ++stage)
    connect(m_ribbon->button(static_cast<Stage>(stage)), &QAbstractButton::clicked, this,
            [this] { m_stageDock->raise(); });
  auto* head = new QWidget;
  auto* column = new QVBoxLayout(head);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* bar = new QMenuBar;
  column->addWidget(bar);
  auto* bindings = new BindingBar;
  new BindingLink(this, bindings);
  const auto addLine = [column] {
    auto* line = new QFrame;
    line->setProperty("role", "line");
    column->addWidget(line);
  };
  column->addWidget(m_ribbon);
  addLine();
  column->addWidget(bindings);
  addLine();
  setMenuWidget(head);
  m_commands = new CommandMenus(this, bar);
}

void MainWindow::makeCentre() {
  auto* centre = new QWidget;
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_tabs = new PageTabs;
  m_pages = new QStackedWidget;
  m_pages->setMinimumSize(360, 200);  // not that of its widest page: large text must not make the window grow
  m_start = new StartPage(m_themes, m_viewState);
  m_pages->addWidget(m_start);
  m_notices = new NoticeBar(m_themes);
  column->addWidget(m_notices);
  column->addWidget(m_tabs);
  column->addWidget(m_pages, 1);
  setCentralWidget(centre);
  connect(m_tabs, &QTabBar::currentChanged, this, &MainWindow::showPage);
  connect(m_tabs, &QTabBar::tabCloseRequested, this, &MainWindow::closeTab);
  connect(m_tabs, &PageTabs::closeOthersRequested, this, &MainWindow::closeOthers);
  connect(m_start, &StartPage::openRequested, this, &MainWindow::openFile);
  connect(m_start, &StartPage::dialogRequested, this, &MainWindow::showOpenDialog);
}

void MainWindow::makeDocks() {
  m_stageStack = new QStackedWidget;
  m_stageDock = new QDockWidget(tr("Stage"), this);
  m_stageDock->setObjectName(QStringLiteral("stageDock"));
  m_stageTitle = new DockTitle(m_themes, false);
  m_stageDock->setTitleBarWidget(m_stageTitle);
  m_stageDock->setWidget(m_stageStack);
  m_inspectorStack = new QStackedWidget;
  m_inspectorDock = new QDockWidget(tr("Inspector"), this);
  m_inspectorDock->setObjectName(QStringLiteral("inspectorDock"));
  auto* title = new DockTitle(m_themes, false);
  title->setText(tr("Selected"));
  m_inspectorDock->setTitleBarWidget(title);
  m_inspectorDock->setWidget(m_inspectorStack);
  for (QStackedWidget* stack : {m_stageStack, m_inspectorStack}) {
    stack->setProperty("role", "surface");
    stack->setAttribute(Qt::WA_StyledBackground);
    stack->setMinimumSize(scaled(300),
                          120);  // their pages scroll or shrink: a tool beside them must not make the window grow
  }
  addDockWidget(Qt::BottomDockWidgetArea, m_stageDock);
  addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
  m_tools = new ToolDocks(this, m_themes);
  m_tools->arrange(m_inspectorDock);
}

// Two workspaces: what is selected on the right, at full height; charts, timelines and tables below the graph, wide.
void MainWindow::arrangeDocks() {
  for (QDockWidget* dock : {m_stageDock, m_inspectorDock}) {
    dock->setFloating(false);
    dock->show();
  }
  addDockWidget(Qt::BottomDockWidgetArea, m_stageDock);
  addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
  m_tools->arrange(m_inspectorDock);
  resizeDocks({m_inspectorDock}, {std::max(kLeastInspector, width() * kInspectorShare / 100)}, Qt::Horizontal);
  resizeDocks({m_stageDock}, {height() * heightShare(kStageShare) / 100}, Qt::Vertical);
  m_stageDock->raise();
  m_docksHidden = false;
  hideDocks(currentPage() == nullptr);
}

void MainWindow::connectActions() {
  connect(m_activity, &ActivityBar::cancelRequested, this, [this] {
    if (DocumentPage* page = currentPage()) page->document()->service().cancel();
  });
  connect(m_actions, &PanelActions::message, this, &MainWindow::message);
  connect(m_actions, &PanelActions::openRequested, this, &MainWindow::openFile);
  connect(m_actions, &PanelActions::openAlikeRequested, this, [this](const QString& path) {
    session::SessionOptions options = currentPage() ? currentPage()->document()->options() : m_options;
    options.context.reset();  // what was written is to be read, not to be written again
    openModel(path, &options);
  });
  connect(m_problems, &QToolButton::clicked, this, [this] { m_tools->raise(QStringLiteral("problems")); });
  connect(m_actions, &PanelActions::toolRequested, m_tools, &ToolDocks::raise);
  connect(m_actions, &PanelActions::overlayRequested, this, [this](const QString& id) {
    if (DocumentPage* page = currentPage()) page->canvas()->setOverlay(id);
  });
  connect(m_actions, &PanelActions::enterGraph, this, [this](int graph) {
    if (DocumentPage* page = currentPage()) page->canvas()->enterGraph(graph);
  });
}

void MainWindow::applyTheme() {
  const Theme& theme = m_themes->current();
  qApp->setPalette(theme.palette());
  showTextSize(m_viewState->get(QLatin1String(kTextScaleKey), 100).toInt());
  if (m_dressed) changeSheetNext(theme.styleSheet());
  if (m_stageStack) m_stageStack->setMinimumHeight(scaled(kLeastStage));
}

// Under a style sheet a widget is dressed again, with all below it, each time that it is put into another one: what is
// made before the window is seen is dressed once, now.
void MainWindow::setVisible(bool visible) {
  if (visible && !std::exchange(m_dressed, true)) changeSheet(m_themes->current().styleSheet());
  QMainWindow::setVisible(visible);
}

void MainWindow::setTextSize(int percent) {
  m_viewState->put(QLatin1String(kTextScaleKey), percent);
  applyTheme();
}

DocumentPage* MainWindow::currentPage() const {
  return m_tabs->pageAt(m_tabs->currentIndex());
}

SweepTab* MainWindow::currentSweep() const {
  return qobject_cast<SweepTab*>(m_tabs->widgetAt(m_tabs->currentIndex()));
}

int MainWindow::pageCount() const {
  return m_tabs->count();
}

std::vector<DocumentPage*> MainWindow::pages() const {
  std::vector<DocumentPage*> all;
  for (int tab = 0; tab < m_tabs->count(); ++tab)
    if (DocumentPage* page = m_tabs->pageAt(tab)) all.push_back(page);
  return all;
}

DocumentPage* MainWindow::openFile(const QString& path) {
  if (isSweepFile(path.toStdString())) return openSweep(path), nullptr;
  if (!path.endsWith(QLatin1String(".cutaway"), Qt::CaseInsensitive)) return openModel(path);
  m_session->open(path);
  return nullptr;
}

SweepTab* MainWindow::openSweep(const QString& path) {
  auto* page = new SweepTab(m_themes, m_viewState);
  page->open(QFileInfo(path).absoluteFilePath());
  for (int tab = 0; tab < m_tabs->count(); ++tab)
    if (auto* other = qobject_cast<SweepTab*>(m_tabs->widgetAt(tab)); other && other->path() == page->path()) {
      delete page;
      m_tabs->setCurrentIndex(tab);
      return other;
    }
  m_pages->addWidget(page);
  connect(page, &SweepTab::modelRequested, this, &MainWindow::openInConfiguration);
  if (QFileInfo::exists(page->path())) m_viewState->addRecentFile(page->path());
  {
    const QSignalBlocker blocker(m_tabs);
    m_tabs->setCurrentIndex(m_tabs->addPage(page, page->title(), page->path()));
  }
  showPage();
  page->grid()->setFocus();
  return page;
}

void MainWindow::openInConfiguration(const QString& path, const QString& configuration) {
  session::SessionOptions options = m_options;
  const auto read = session::configurationFromJson(configuration.toStdString(), path.toStdString());
  const Result<void> applied = read ? read->applyTo(options, m_host->providers) : tl::unexpected(read.error());
  if (!applied) return message(told(applied.error().message));
  openModel(path, &options);
}

DocumentPage* MainWindow::openModel(const QString& path, const session::SessionOptions* options) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  for (DocumentPage* page : pages())
    if (page->document()->path() == absolute) {
      showModel(page);
      if (options) page->document()->setOptions(*options);
      return page;
    }
  auto* page = new DocumentPage(m_host, options ? *options : m_options, m_themes, m_viewState, m_actions, m_stageStack,
                                m_inspectorStack);
  m_pages->addWidget(page);
  connectPage(page);
  page->document()->open(absolute);
  if (QFileInfo::exists(absolute)) m_viewState->addRecentFile(absolute);
  {
    // The first tab becomes the current one while it is added, before it knows its page.
    const QSignalBlocker blocker(m_tabs);
    m_tabs->setCurrentIndex(m_tabs->addPage(page, page->document()->title(), absolute));
  }
  emit pageOpened(page);
  showPage();
  page->canvas()->view()->setFocus();
  return page;
}

void MainWindow::showModel(DocumentPage* page) {
  m_tabs->setCurrentIndex(m_tabs->tabOf(page));
}

void MainWindow::openFiles(const QStringList& paths) {
  QStringList tensors;
  for (const QString& path : paths) {
    const QString ending = QFileInfo(path).suffix().toLower();
    DocumentPage* page = currentPage();
    if (page && (ending == QLatin1String("npy") || ending == QLatin1String("pb"))) {
      tensors << path;
    } else if (page && isTraceName(path)) {
      page->document()->profiles().showTrace(path);
      page->document()->setStage(Stage::kRun);
    } else {
      openFile(path);
    }
  }
  if (tensors.isEmpty()) return;
  currentPage()->document()->setStage(Stage::kRun);
  refresh();  // the panel of the stage is there to take them
  emit m_actions->inputFilesGiven(tensors);
}

void MainWindow::showOpenDialog() {
  const QStringList files = QFileDialog::getOpenFileNames(
      this, tr("Open a model"), m_viewState->get(kFolderKey).toString(),
      tr("Models, sessions and sweeps (*.onnx *.ort *.textproto *.prototxt *.pbtxt *.onnxtxt *.cutaway *.sqlite "
         "*.toml);;All files (*)"));
  if (files.isEmpty()) return;
  m_viewState->put(kFolderKey, QFileInfo(files.front()).path());
  openFiles(files);
}

void MainWindow::connectPage(DocumentPage* page) {
  Document* document = page->document();
  const auto refreshWhenShown = [this, page] {
    if (page == currentPage()) refresh();
  };
  connect(document, &Document::walkChanged, this, refreshWhenShown);
  connect(document, &Document::stageChanged, this, refreshWhenShown);
  connect(document, &Document::stageChanged, this, [this, page] {
    if (page == currentPage()) m_stageDock->raise();
  });
  connect(document, &Document::errorChanged, this, refreshWhenShown);
  connect(&document->opinion(), &OpinionController::changed, this, refreshWhenShown);
  connect(document, &Document::titleChanged, this, [this, page] {
    if (const int tab = m_tabs->tabOf(page); tab >= 0) m_tabs->setTabText(tab, page->document()->title());
    if (page == currentPage()) refresh();
  });
  connect(&document->service(), &EngineService::activityChanged, this, [this, page] {
    if (page != currentPage()) return;
    m_activity->present(page->document());
    m_problems->present(page->document(), m_themes->current());
  });
  connect(&document->service(), &EngineService::cancelled, this, [this, document] {
    if (!document->error()) message(tr("Cancelled."));
  });
}

bool MainWindow::closeTab(int tab) {
  if (DocumentPage* page = m_tabs->pageAt(tab)) return closePage(page);
  QWidget* sweep = m_tabs->widgetAt(tab);
  if (!sweep) return false;
  {
    const QSignalBlocker blocker(m_tabs);
    m_tabs->removeTab(tab);
  }
  m_pages->removeWidget(sweep);
  if (m_tabs->count() == 0) m_start->refresh();
  showPage();
  sweep->deleteLater();
  return true;
}

bool MainWindow::closePage(DocumentPage* page) {
  if (!page) return false;
  if (page->document()->edits().unsaved()) {
    showModel(page);
    QMessageBox box(QMessageBox::Question, tr("Unsaved edits"),
                    tr("%1 has edits that are not saved.").arg(page->document()->title()), QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("unsavedEdits"));
    box.setInformativeText(
        tr("The file itself is as it was. The panel of edits saves the edited model under a name that you choose."));
    QPushButton* dropped = box.addButton(tr("Close without saving"), QMessageBox::DestructiveRole);
    QPushButton* shown =
        m_tools->dock(QStringLiteral("edit")) ? box.addButton(tr("Show edits"), QMessageBox::ActionRole) : nullptr;
    box.exec();
    if (shown && box.clickedButton() == shown) m_tools->raise(QStringLiteral("edit"));
    if (box.clickedButton() != dropped) return false;
  }
  removePage(page);
  return true;
}

void MainWindow::removePage(DocumentPage* page) {
  const int tab = m_tabs->tabOf(page);
  if (tab < 0) return;
  emit pageClosing(page);
  m_closed.removeAll(page->document()->path());
  m_closed << page->document()->path();
  while (m_closed.size() > kMostClosed)
    m_closed.removeFirst();
  {
    const QSignalBlocker blocker(m_tabs);
    m_tabs->removeTab(tab);
  }
  m_pages->removeWidget(page);
  if (m_tabs->count() == 0) m_start->refresh();
  showPage();
  delete page;
  // By then the engine's thread has freed its part of the document. On a thread of its own: it takes some milliseconds.
  // Each picture that the page's widgets left behind would hold a page of memory; icons are drawn again when painted.
  QTimer::singleShot(kGiveBackAfterMs, this, [] {
    QPixmapCache::clear();
    QThreadPool::globalInstance()->start(giveBackFreedMemory);
  });
}

void MainWindow::closeOthers(int tab) {
  const QWidget* kept = m_tabs->widgetAt(tab);
  for (int other = m_tabs->count() - 1; other >= 0; --other)
    if (m_tabs->widgetAt(other) != kept && !closeTab(other)) return;
}

void MainWindow::reopenClosed() {
  if (!m_closed.isEmpty()) openModel(m_closed.takeLast());
}

void MainWindow::showPage() {
  DocumentPage* page = currentPage();
  QWidget* shown = m_tabs->widgetAt(m_tabs->currentIndex());
  m_pages->setCurrentWidget(shown ? shown : m_start);
  m_ribbon->setVisible(page != nullptr);
  hideDocks(page == nullptr);
  m_tools->showPage(page);
  m_commands->refresh();
  refresh();
  emit pageShown(page);
}

void MainWindow::hideDocks(bool hidden) {
  if (hidden == m_docksHidden) return;
  m_docksHidden = hidden;
  if (hidden) {
    m_openDocks.clear();
    for (QDockWidget* dock : findChildren<QDockWidget*>())
      if (!dock->isHidden()) m_openDocks << dock, dock->hide();
  } else {
    for (QDockWidget* dock : std::as_const(m_openDocks))
      dock->show();
  }
}

void MainWindow::refresh() {
  DocumentPage* page = currentPage();
  Document* document = page ? page->document() : nullptr;
  m_ribbon->present(document);
  m_activity->present(document);
  m_problems->present(document, m_themes->current());
  QStringList title;
  if (document) title << document->title();
  if (const SweepTab* sweep = currentSweep()) title << sweep->title();
  if (m_session && !m_session->title().isEmpty()) title << m_session->title() + QStringLiteral("[*]");
  setWindowTitle((title << QStringLiteral("Cutaway")).join(QStringLiteral(" \u2013 ")));
  setWindowModified(m_session && m_session->dirty());
  if (!page) return;
  page->showPanels();
  m_stageTitle->setText(stageWords(document->stage()));
  m_stageDock->setWindowTitle(stageMenuWords(document->stage()));  // of its tab, beside tools
  m_stageTitle->setIcon(stageIcon(document->stage()));
  // For which sizes the figures of each panel stand.
  for (QDockWidget* dock : findChildren<QDockWidget*>()) {
    auto* head = qobject_cast<DockTitle*>(dock->titleBarWidget());
    const auto* stack = qobject_cast<QStackedWidget*>(dock->widget());
    const QWidget* panel = stack ? stack->currentWidget() : nullptr;
    if (!head || (panel && panel->property(kWithoutFigures).toBool())) continue;
    const QStringList binding = bindingOf(*document, dock == m_stageDock ? document->stage() : Stage::kPattern);
    head->setNote(inShort(binding), binding.join(QStringLiteral(", ")));
  }
}

void MainWindow::message(const QString& words) {
  m_activity->message(words);
}

QByteArray MainWindow::arrangement() const {
  return saveState(kStateVersion);
}

bool MainWindow::restoreArrangement(const QByteArray& arrangement) {
  if (arrangement.isEmpty() || !restoreState(arrangement, kStateVersion)) return false;
  m_docksHidden = false;
  hideDocks(currentPage() == nullptr);
  m_tools->showPage(currentPage());
  return true;
}

void MainWindow::tellAboutSettings() {
  if (m_viewState->damagedFile().isEmpty()) return;
  m_notices->tell(
      {.id = QStringLiteral("settings"),
       .words = tr("The settings could not be read and were renamed to %1. Cutaway starts with its defaults.")
                    .arg(QDir::toNativeSeparators(m_viewState->damagedFile())),
       .warning = true,
       .answers = {}});
}

// A window that becomes smaller takes from the panels too: Qt would take all of it from the graph.
void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  const auto beside = [](const QDockWidget* dock) { return dock->isVisible() && !dock->isFloating(); };
  if (beside(m_inspectorDock) && event->size().width() < event->oldSize().width() &&
      m_inspectorDock->width() > width() * kMostInspectorShare / 100)
    resizeDocks({m_inspectorDock}, {width() * kInspectorShare / 100}, Qt::Horizontal);
  if (beside(m_stageDock) && event->size().height() < event->oldSize().height() && m_stageDock->height() > height() / 2)
    resizeDocks({m_stageDock}, {height() * heightShare(kStageShare) / 100}, Qt::Vertical);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!m_session->mayClose()) return event->ignore();
  m_viewState->put(kGeometryKey, saveGeometry());
  hideDocks(false);  // what comes back with a model is what is remembered
  m_viewState->put(kStateKey, saveState(kStateVersion));
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  openFiles(paths);
  event->acceptProposedAction();
}

}  // namespace cutaway::ui
