#pragma once
// Places on the canvas: where it has been (back and forward), and bookmarks on digits, shown as flags on the minimap.
//
// Digits 1 to 9 go to a bookmark while the canvas has the focus, Ctrl+Alt+digit sets one.
// Thread rule: GUI thread. Example: places->goBack();  places->setBookmark(3);  places->goToBookmark(3);

#include <optional>
#include <vector>

#include <QObject>
#include <QTimer>

#include "ui/base/graph_target.h"
#include "ui/document/bookmarks.h"

namespace cutaway::ui {

class CanvasPane;
class Document;
class Minimap;

struct CanvasPlace {
  Bookmark where;
  NodeTarget focus;
};

class CanvasPlaces : public QObject {
  Q_OBJECT
 public:
  CanvasPlaces(CanvasPane* pane, Document* document, Minimap* minimap);

  bool canGoBack() const { return m_at > 0; }
  bool canGoForward() const { return m_at + 1 < static_cast<int>(m_history.size()); }
  void goBack();
  void goForward();
  void setBookmark(int digit);  // here; where one stands at this very place it is taken away
  void goToBookmark(int digit);
  int entries() const { return static_cast<int>(m_history.size()); }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  std::optional<CanvasPlace> here() const;
  std::optional<QPointF> pointOf(const Bookmark& place) const;  // in the scene that is shown
  void note();
  void go(const CanvasPlace& place);
  void arrive();
  void showFlags();

  CanvasPane* m_pane;
  Document* m_document;
  Minimap* m_minimap;
  QTimer m_settled;
  std::vector<CanvasPlace> m_history;
  int m_at = -1;
  std::optional<CanvasPlace> m_wanted;  // until its scene is there
};

}  // namespace cutaway::ui
