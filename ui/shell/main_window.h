#pragma once
// The window: ribbon, tabs of documents, docks for the stage's panel, the inspector and tools, menus made of commands,
// status line.
//
// Thread rule: GUI thread.
// Example: MainWindow window(host, options, &viewState, &themes);  window.openFile("model.onnx");  window.show();

#include <memory>

#include <QMainWindow>

#include "ui/base/theme_store.h"
#include "ui/document/engine_service.h"

class QStackedWidget;

namespace cutaway::ui {

class ActivityBar;
class ProblemBadge;
class CommandMenus;
class DockTitle;
class DocumentPage;
class NoticeBar;
class PageTabs;
class PanelActions;
class SessionKeeper;
class StageRibbon;
class StartPage;
class SweepTab;
class ToolDocks;
class ViewState;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(std::shared_ptr<const EngineHost> host, session::SessionOptions options, ViewState* viewState,
             ThemeStore* themes);
  ~MainWindow() override;

  // A model, or a session or a sweep (null then); what is open comes to the front.
  DocumentPage* openFile(const QString& path);
  DocumentPage* openModel(const QString& path,
                          const session::SessionOptions* options = nullptr);  // null: the window's settings
  SweepTab* openSweep(const QString& path);  // results, a plan or the folder of a sweep
  // Whatever was dropped or chosen: models, sessions, and tensors or traces for the model that is open.
  void openFiles(const QStringList& paths);
  void showOpenDialog();
  bool closeTab(int tab);               // false: as closePage
  bool closePage(DocumentPage* page);   // false: there are edits, and the answer was to keep it
  void removePage(DocumentPage* page);  // without asking
  void showModel(DocumentPage* page);
  void reopenClosed();
  bool canReopen() const { return !m_closed.isEmpty(); }
  DocumentPage* currentPage() const;  // null: no model is in front
  SweepTab* currentSweep() const;     // null: no sweep is in front
  int pageCount() const;              // models and sweeps
  std::vector<DocumentPage*> pages() const;

  StageRibbon* ribbon() { return m_ribbon; }
  ActivityBar* activityBar() { return m_activity; }
  CommandMenus* commands() { return m_commands; }
  ToolDocks* tools() { return m_tools; }
  PageTabs* tabs() { return m_tabs; }
  PanelActions* actions() { return m_actions; }
  ThemeStore* themes() { return m_themes; }
  ViewState* viewState() { return m_viewState; }
  const std::shared_ptr<const EngineHost>& host() const { return m_host; }
  NoticeBar* notices() { return m_notices; }
  SessionKeeper* session() { return m_session; }
  const session::SessionOptions& defaults() const { return m_options; }  // settings of the next model that is opened
  void setDefaults(const session::SessionOptions& options) { m_options = options; }
  QDockWidget* stageDock() { return m_stageDock; }
  QDockWidget* inspectorDock() { return m_inspectorDock; }
  void arrangeDocks();            // sizes that suit the window; tools are put away
  void setTextSize(int percent);  // 80 to 200, kept and shown at once
  void setVisible(bool visible) override;
  void message(const QString& words);
  // How docks stand, and which tools are open; for sessions and named layouts.
  QByteArray arrangement() const;
  bool restoreArrangement(const QByteArray& arrangement);

 signals:
  void pageOpened(cutaway::ui::DocumentPage* page);
  void pageClosing(cutaway::ui::DocumentPage* page);
  void pageShown(cutaway::ui::DocumentPage* page);  // null: none is open

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void makeHead();
  void makeCentre();
  void makeDocks();
  void connectActions();
  void connectPage(DocumentPage* page);
  void openInConfiguration(const QString& path, const QString& configuration);
  void closeOthers(int tab);
  void showPage();
  void hideDocks(bool hidden);
  void tellAboutSettings();
  void refresh();
  void applyTheme();

  std::shared_ptr<const EngineHost> m_host;
  session::SessionOptions m_options;
  ViewState* m_viewState;
  ThemeStore* m_themes;
  PanelActions* m_actions;
  CommandMenus* m_commands = nullptr;
  StageRibbon* m_ribbon = nullptr;
  PageTabs* m_tabs = nullptr;
  QStackedWidget* m_pages = nullptr;
  StartPage* m_start = nullptr;
  QStackedWidget* m_stageStack = nullptr;
  QStackedWidget* m_inspectorStack = nullptr;
  QDockWidget* m_stageDock = nullptr;
  QDockWidget* m_inspectorDock = nullptr;
  DockTitle* m_stageTitle = nullptr;
  ToolDocks* m_tools = nullptr;
  ActivityBar* m_activity = nullptr;
  ProblemBadge* m_problems = nullptr;
  NoticeBar* m_notices = nullptr;
  SessionKeeper* m_session = nullptr;
  QList<QDockWidget*> m_openDocks;  // while no model is open: those that come back with one
  bool m_docksHidden = false;
  bool m_dressed = false;  // by the style sheet
  QStringList m_closed;    // models closed, latest last
};

}  // namespace cutaway::ui
