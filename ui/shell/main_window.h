#pragma once
// The window: ribbon, tabs of documents, docks for the stage's panel and the inspector, menus, status line.
//
// Thread rule: GUI thread.
// Example: MainWindow window(host, options, &viewState, &themes);  window.openFile("model.onnx");  window.show();

#include <QMainWindow>
#include <memory>

#include "ui/base/theme_store.h"
#include "ui/document/engine_service.h"

class QAction;
class QDockWidget;
class QLabel;
class QMenu;
class QStackedWidget;
class QTabBar;

namespace cutaway::ui {

class ActivityBar;
class DocumentPage;
class PanelActions;
class StageRibbon;
class StartPage;
class ViewState;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(std::shared_ptr<const EngineHost> host, SessionOptions options, ViewState* viewState, ThemeStore* themes);
  ~MainWindow() override;

  DocumentPage* openFile(const QString& path);
  DocumentPage* currentPage() const;
  int pageCount() const;
  StageRibbon* ribbon() { return m_ribbon; }
  ActivityBar* activityBar() { return m_activity; }
  void arrangeDocks();  // sizes that suit the window

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void makeCentre();
  void makeDocks();
  void makeMenus();
  void fillFileMenu(QMenu* menu);
  void fillViewMenu(QMenu* menu);
  void fillGoMenu(QMenu* menu);
  QAction* addAction(QMenu* menu, const QString& words, const QKeySequence& keys, std::function<void()> act, bool needsPage = true);
  void connectPage(DocumentPage* page);
  void closePage(int index);
  void showPage(int index);
  void refresh();
  void applyTheme();
  void showOpenDialog();
  void fillRecentMenu();
  void exportPicture();
  void runModel();
  void showShortcuts();
  void message(const QString& words);

  std::shared_ptr<const EngineHost> m_host;
  SessionOptions m_options;
  ViewState* m_viewState;
  ThemeStore* m_themes;
  PanelActions* m_actions;
  StageRibbon* m_ribbon = nullptr;
  QTabBar* m_tabs = nullptr;
  QStackedWidget* m_pages = nullptr;
  StartPage* m_start = nullptr;
  QStackedWidget* m_stageStack = nullptr;
  QStackedWidget* m_inspectorStack = nullptr;
  QDockWidget* m_stageDock = nullptr;
  QDockWidget* m_inspectorDock = nullptr;
  QLabel* m_stageTitle = nullptr;
  QLabel* m_stageIcon = nullptr;
  ActivityBar* m_activity = nullptr;
  QMenu* m_recentMenu = nullptr;
  std::vector<QAction*> m_pageActions;
};

}  // namespace cutaway::ui
