#pragma once
// Everything one open model needs in the window: its document, banner, canvas, and an instance of every panel.
//
// Thread rule: GUI thread. Example: auto* page = new DocumentPage(host, options, services, this);
// page->document()->open(path);

#include <array>

#include <QHash>
#include <QWidget>

#include "ui/document/document.h"
#include "ui/panels/panel.h"

class QSplitter;
class QStackedWidget;

namespace cutaway::ui {

class CanvasPane;
class ErrorBanner;
class NoticeBar;

class DocumentPage : public QWidget {
  Q_OBJECT
 public:
  // Panels are put into the stacks of the docks that the window owns, and leave them with the page.
  DocumentPage(std::shared_ptr<const EngineHost> host, const session::SessionOptions& options, ThemeStore* themes,
               ViewState* viewState, PanelActions* actions, QStackedWidget* stageStack, QStackedWidget* inspectorStack,
               QWidget* parent = nullptr);
  ~DocumentPage() override;

  Document* document() { return m_document; }
  CanvasPane* canvas() { return m_canvas; }
  ErrorBanner* banner() { return m_banner; }
  QSplitter* panes() { return m_panes; }  // holds the canvas; a second one may stand beside it
  // This document's instance, made where it will lie when it is first asked for.
  QWidget* toolPanel(const PanelDescriptor& panel, QWidget* parent);
  NoticeBar* notices() { return m_notices; }
  void reload();      // keeps selection, place and what was unfolded
  void showPanels();  // brings this page's panels to the front of the docks
  // Makes the panel of a stage that was not looked at yet, the nearest behind the one that is; null: all are there.
  QWidget* makePanelAhead();

 private:
  QWidget* makePanel(PanelArea area, Stage stage, QStackedWidget* stack) const;
  QWidget* stagePanel(Stage stage);
  void showNodeMenu(const NodeTarget& target, const QPoint& globalPosition);
  void showGroupMenu(int item, const QPoint& globalPosition);
  void showPlace(const ErrorPlace& place);

  Document* m_document;
  ThemeStore* m_themes;
  CanvasPane* m_canvas;
  ErrorBanner* m_banner;
  NoticeBar* m_notices;
  QSplitter* m_panes;
  QStackedWidget* m_stageStack;
  QStackedWidget* m_inspectorStack;
  PanelContext m_context;
  std::array<QWidget*, kStageCount>
      m_stagePanels{};  // made when their stage is first looked at: opening must not wait for nine panels
  QWidget* m_inspector = nullptr;
  QHash<QString, QWidget*> m_toolPanels;
};

}  // namespace cutaway::ui
