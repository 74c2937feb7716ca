#include "ui/shell/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/view_state.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/panels/panel_actions.h"
#include "ui/shell/activity_bar.h"
#include "ui/shell/document_page.h"
#include "ui/shell/stage_ribbon.h"
#include "ui/shell/start_page.h"

namespace cutaway::ui {
namespace {

const QString kGeometryKey = QStringLiteral("window/geometry");
const QString kStateKey = QStringLiteral("window/state");
constexpr int kStateVersion = 1;  // raised when docks change, so that an old arrangement is not forced on new ones
constexpr int kTitleHeight = 38;

QWidget* dockTitle(QLabel*& icon, QLabel*& title) {
  auto* bar = new QWidget;
  bar->setProperty("role", "surface");
  bar->setAttribute(Qt::WA_StyledBackground);
  icon = new QLabel;
  title = new QLabel;
  title->setFont(interfaceFont(1, QFont::DemiBold));
  title->setMinimumHeight(kTitleHeight);  // a dock asks its title for its size hint, not for its height
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(kSpaceLarge, 0, kSpaceLarge, 0);
  row->setSpacing(kSpace);
  row->addWidget(icon);
  row->addWidget(title, 1);
  return bar;
}

}  // namespace

MainWindow::MainWindow(std::shared_ptr<const EngineHost> host, SessionOptions options, ViewState* viewState, ThemeStore* themes)
    : m_host(std::move(host)), m_options(std::move(options)), m_viewState(viewState), m_themes(themes), m_actions(new PanelActions(this)) {
  setWindowTitle(QStringLiteral("Cutaway"));
  setWindowIcon(QIcon(iconPixmap(QStringLiteral("cutaway"), Qt::black, 64, 2)));
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  applyTheme();
  makeCentre();
  makeDocks();
  makeMenus();
  m_activity = new ActivityBar(this);
  setStatusBar(m_activity);
  connect(m_activity, &ActivityBar::cancelRequested, this, [this] {
    if (DocumentPage* page = currentPage()) page->document()->service().cancel();
  });
  connect(m_actions, &PanelActions::message, this, &MainWindow::message);
  connect(m_actions, &PanelActions::openRequested, this, &MainWindow::openFile);
  connect(m_actions, &PanelActions::enterGraph, this, [this](int graph) {
    if (DocumentPage* page = currentPage()) page->canvas()->enterGraph(graph);
  });
  connect(m_themes, &ThemeStore::changed, this, &MainWindow::applyTheme);
  resize(1440, 900);
  restoreGeometry(m_viewState->get(kGeometryKey).toByteArray());
  if (!restoreState(m_viewState->get(kStateKey).toByteArray(), kStateVersion)) arrangeDocks();
  showPage(-1);
}

MainWindow::~MainWindow() {
  // Pages take their panels out of the docks, so they go before the docks.
  while (pageCount() > 0) closePage(0);
}

void MainWindow::makeCentre() {
  auto* centre = new QWidget;
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_tabs = new QTabBar;
  m_tabs->setTabsClosable(true);
  m_tabs->setMovable(false);
  m_tabs->setExpanding(false);
  m_tabs->setDocumentMode(true);
  m_tabs->setDrawBase(false);
  m_tabs->setAutoHide(true);  // one model needs no tab
  m_tabs->setElideMode(Qt::ElideMiddle);
  m_pages = new QStackedWidget;
  m_start = new StartPage(m_themes, m_viewState);
  m_pages->addWidget(m_start);
  column->addWidget(m_tabs);
  column->addWidget(m_pages, 1);
  setCentralWidget(centre);
  connect(m_tabs, &QTabBar::currentChanged, this, &MainWindow::showPage);
  connect(m_tabs, &QTabBar::tabCloseRequested, this, &MainWindow::closePage);
  connect(m_start, &StartPage::openRequested, this, &MainWindow::openFile);
  connect(m_start, &StartPage::dialogRequested, this, &MainWindow::showOpenDialog);
}

// The ribbon and the line below it span the whole window, above the docks: a dock of its own that cannot be moved.
void MainWindow::makeDocks() {
  m_ribbon = new StageRibbon(m_themes);
  connect(m_ribbon, &StageRibbon::stageChosen, this, [this](Stage stage) {
    if (DocumentPage* page = currentPage()) page->document()->setStage(stage);
  });

  m_stageStack = new QStackedWidget;
  m_stageDock = new QDockWidget(tr("Stage"), this);
  m_stageDock->setObjectName(QStringLiteral("stageDock"));
  m_stageDock->setTitleBarWidget(dockTitle(m_stageIcon, m_stageTitle));
  m_stageDock->setWidget(m_stageStack);
  addDockWidget(Qt::RightDockWidgetArea, m_stageDock);

  QLabel* icon = nullptr;
  QLabel* title = nullptr;
  m_inspectorStack = new QStackedWidget;
  m_inspectorDock = new QDockWidget(tr("Inspector"), this);
  m_inspectorDock->setObjectName(QStringLiteral("inspectorDock"));
  m_inspectorDock->setTitleBarWidget(dockTitle(icon, title));
  icon->hide();
  title->setText(tr("Selected"));
  m_inspectorDock->setWidget(m_inspectorStack);
  addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
  for (QStackedWidget* stack : {m_stageStack, m_inspectorStack}) {
    stack->setProperty("role", "surface");
    stack->setAttribute(Qt::WA_StyledBackground);
    stack->setMinimumWidth(300);
  }
}

void MainWindow::arrangeDocks() {
  m_stageDock->show();
  m_inspectorDock->show();
  addDockWidget(Qt::RightDockWidgetArea, m_stageDock);
  splitDockWidget(m_stageDock, m_inspectorDock, Qt::Vertical);
  resizeDocks({m_stageDock}, {std::max(380, width() * 40 / 100)}, Qt::Horizontal);
  resizeDocks({m_stageDock, m_inspectorDock}, {height() * 60 / 100, height() * 30 / 100}, Qt::Vertical);
  for (QDockWidget* dock : {m_stageDock, m_inspectorDock}) dock->setVisible(currentPage() != nullptr);
}

void MainWindow::applyTheme() {
  const Theme& theme = m_themes->current();
  qApp->setPalette(theme.palette());
  qApp->setStyleSheet(theme.styleSheet());
  if (m_stageIcon) refresh();
}

DocumentPage* MainWindow::currentPage() const { return qobject_cast<DocumentPage*>(m_pages->currentWidget()); }

int MainWindow::pageCount() const { return m_tabs->count(); }

DocumentPage* MainWindow::openFile(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  for (int i = 0; i < m_tabs->count(); ++i)
    if (static_cast<DocumentPage*>(m_pages->widget(i + 1))->document()->path() == absolute) {
      m_tabs->setCurrentIndex(i);
      return currentPage();
    }
  auto* page = new DocumentPage(m_host, m_options, m_themes, m_viewState, m_actions, m_stageStack, m_inspectorStack);
  m_pages->addWidget(page);
  connectPage(page);
  page->document()->open(absolute);
  if (QFileInfo::exists(absolute)) m_viewState->addRecentFile(absolute);
  const int index = m_tabs->addTab(page->document()->title());
  m_tabs->setTabToolTip(index, absolute);
  m_tabs->setCurrentIndex(index);
  showPage(index);
  fillRecentMenu();
  page->canvas()->setFocus();
  return page;
}

void MainWindow::connectPage(DocumentPage* page) {
  Document* document = page->document();
  const auto refreshWhenShown = [this, page] {
    if (page == currentPage()) refresh();
  };
  connect(document, &Document::walkChanged, this, refreshWhenShown);
  connect(document, &Document::stageChanged, this, refreshWhenShown);
  connect(document, &Document::errorChanged, this, refreshWhenShown);
  connect(&document->service(), &EngineService::activityChanged, this, [this, page] {
    if (page == currentPage()) m_activity->present(page->document());
  });
  connect(&document->service(), &EngineService::cancelled, this, [this] { message(tr("Cancelled.")); });
}

void MainWindow::closePage(int index) {
  if (index < 0 || index >= m_tabs->count()) return;
  QWidget* page = m_pages->widget(index + 1);
  m_pages->removeWidget(page);
  m_tabs->removeTab(index);
  delete page;
  if (m_tabs->count() == 0) m_start->refresh();
  showPage(m_tabs->currentIndex());
}

void MainWindow::showPage(int index) {
  m_pages->setCurrentIndex(index + 1);
  const bool open = currentPage() != nullptr;
  if (menuWidget()) m_ribbon->setVisible(open);
  m_stageDock->setVisible(open);
  m_inspectorDock->setVisible(open);
  for (QAction* action : m_pageActions) action->setEnabled(open);
  refresh();
}

void MainWindow::refresh() {
  DocumentPage* page = currentPage();
  const Document* document = page ? page->document() : nullptr;
  m_ribbon->present(document);
  m_activity ? m_activity->present(document) : void();
  setWindowTitle(document ? document->title() + QStringLiteral(" \u2013 Cutaway") : QStringLiteral("Cutaway"));
  if (!page) return;
  page->showPanels();
  const Stage stage = document->stage();
  m_stageTitle->setText(QString::fromLatin1(stageTitle(stage)));
  m_stageIcon->setPixmap(iconPixmap(QStringLiteral("stage-") + QString::fromLatin1(stageId(stage)), m_themes->current().textSecondary, 18, devicePixelRatioF()));
}

void MainWindow::message(const QString& words) { m_activity->message(words); }

void MainWindow::closeEvent(QCloseEvent* event) {
  m_viewState->put(kGeometryKey, saveGeometry());
  if (currentPage()) m_viewState->put(kStateKey, saveState(kStateVersion));
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) openFile(url.toLocalFile());
  event->acceptProposedAction();
}

}  // namespace cutaway::ui
