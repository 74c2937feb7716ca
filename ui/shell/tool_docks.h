#pragma once
// A dock for every tool panel: hidden at first, under the canvas or beside it, filled with the present document's
// instance when it is first looked at.
//
// Thread rule: GUI thread. Example: docks->toggle("tensor");  docks->raise("operator");  docks->showPage(page);

#include <vector>

#include <QObject>
#include <QStringList>

class QDockWidget;
class QMainWindow;
class QStackedWidget;

namespace cutaway::ui {

class DocumentPage;
class ThemeStore;
struct PanelDescriptor;

// Percent of the window's height for a dock that wants `share` percent at 100 % text: more where text is larger, and at
// most 54, so that the graph stays in sight.
int heightShare(int share);

class ToolDocks : public QObject {
  Q_OBJECT
 public:
  ToolDocks(QMainWindow* window, ThemeStore* themes);

  void arrange(QDockWidget* beside);    // where they stand at first; hidden
  void showPage(DocumentPage* page);    // null: none is open
  void raise(const QString& id);        // shows it, in front of others
  void toggle(const QString& id);       // in front: hides it; else raises it
  bool shown(const QString& id) const;  // open, perhaps behind another
  QDockWidget* dock(const QString& id) const;
  QStringList shownTools() const;

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Tool {
    const PanelDescriptor* panel;
    QDockWidget* dock;
    QStackedWidget* stack;
  };
  void fill(const Tool& tool);

  QMainWindow* m_window;
  DocumentPage* m_page = nullptr;
  std::vector<Tool> m_tools;
};

// What a panel is called in the language of the window.
QString panelTitle(const PanelDescriptor& panel);

}  // namespace cutaway::ui
